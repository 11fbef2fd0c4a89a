//! Coulomb's law: what holds, and how fast the rest slides.

use super::{Case, rigid};
use crate::scenes::{GRAVITY, Setting, bar, cube, floor};
use crate::sheet::{Sheet, run};

pub(super) const CASES: &[Case] = &[
    Case::new("ramp-holds", "A box on a ramp of slope 0.5 with μ = 0.55 stays.", ramp_holds),
    Case::new("ramp-slides", "With μ = 0.1 to 0.45 it slides at g (sin θ − μ cos θ).", ramp_slides),
    Case::new("stopping", "A box thrown along the floor stops after v²/2μg.", stopping),
    Case::new("belt", "A box on a moving belt takes its speed after v/μg.", belt),
    Case::new(
        "two-boxes",
        "A box on a box, both thrown along the floor: they stop together, as one box would.",
        two_boxes,
    ),
];

/// Gravity that is tilted by the angle whose tangent is 0.5.
fn tilted() -> [f64; 2] {
    let length = 1.25f64.sqrt();
    [0.5 * GRAVITY / length, -GRAVITY / length]
}

fn ramp_holds(sheet: &mut Sheet) {
    for method in rigid() {
        let bodies = [cube([0.0, 0.25], 0.5), floor()];
        let setting = Setting { friction: 0.55, gravity: tilted(), duration: 5.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        sheet.check(method, "way in 5 s (m)", [0.0, track.moved(&bodies[..1])], 1e-6);
    }
}

fn ramp_slides(sheet: &mut Sheet) {
    let gravity = tilted();
    for method in rigid() {
        for friction in [0.1, 0.3, 0.45] {
            let setting = Setting { friction, gravity, duration: 2.0, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &[cube([0.0, 0.25], 0.5), floor()]) else {
                continue;
            };
            let right = gravity[0] + friction * gravity[1];
            let ours = track.last_velocity(0)[0] / 2.0;
            sheet.check(method, &format!("μ = {friction}: acceleration (m/s²)"), [right, ours], 1e-6);
        }
    }
}

fn stopping(sheet: &mut Sheet) {
    for method in rigid() {
        let (mu, speed, dt) = (0.3, 3.0, 1e-3);
        let bodies = [cube([0.0, 0.25], 0.5).moving([speed, 0.0]), floor()];
        let setting = Setting { friction: mu, duration: 1.5, dt, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let right = speed * speed / (2.0 * mu * GRAVITY);
        // A first-order method is off by half a step of the way.
        sheet.check(method, "way (m)", [right, track.last_place(0)[0]], speed * dt);
        sheet.check(method, "speed in the end (m/s)", [0.0, track.last_velocity(0)[0]], 1e-9);
    }
}

fn belt(sheet: &mut Sheet) {
    for method in rigid() {
        let (mu, speed, dt) = (0.4, 2.0, 1e-3);
        let bodies = [cube([0.0, 0.21], 0.4), bar([0.0, 0.0], [20.0, 0.01]).driven([speed, 0.0])];
        let setting = Setting { friction: mu, duration: 1.0, dt, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let right = speed / (mu * GRAVITY);
        let took =
            track.velocities(0).position(|[v, _]| v >= speed - 1e-9).map_or(f64::NAN, |k| k as f64 * dt);
        sheet.check(method, "time until it rides along (s)", [right, took], 2.0 * dt);
        sheet.check(method, "speed in the end (m/s)", [speed, track.last_velocity(0)[0]], 1e-9);
    }
}

fn two_boxes(sheet: &mut Sheet) {
    for method in rigid() {
        let mu = 0.4;
        let bodies = [
            cube([0.0, 0.4], 0.4).moving([1.0, 0.0]),
            cube([0.0, 0.8], 0.4).moving([1.0, 0.0]),
            bar([0.0, 0.0], [20.0, 0.2]),
        ];
        let setting = Setting { friction: mu, duration: 1.0, dt: 1e-3, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let apart = (track.last_place(0)[0] - track.last_place(1)[0]).abs();
        sheet.check(method, "way of one on the other (m)", [0.0, apart], 1e-6);
        let right = 1.0 / (2.0 * mu * GRAVITY);
        sheet.check(method, "way of both (m)", [right, track.last_place(0)[0]], 2e-3);
    }
}
