//! Rolling: discs in 2D, spheres in 3D.

use super::collision::roundness;
use super::{Case, rigid};
use crate::scenes::{GRAVITY, Setting, ball, floor};
use crate::sheet::{Sheet, run};

pub(super) const CASES: &[Case] = &[
    Case::new(
        "rolling-start",
        "Thrown without spin, a disc ends rolling at 2/3 of its speed, a sphere at 5/7.",
        rolling_start,
    ),
    Case::new("rolling-time", "It slides for v/3μg (disc), 2v/7μg (sphere).", rolling_time),
    Case::new(
        "backspin",
        "Thrown with backspin, it comes back: angular momentum about the floor stays.",
        backspin,
    ),
    Case::new("rolling-down", "On a ramp it rolls down at 2/3 or 5/7 of g sin θ.", rolling_down),
    Case::new(
        "slipping-down",
        "With too little friction it slips down at g (sin θ − μ cos θ), and spins up.",
        slipping_down,
    ),
];

fn rolling_start(sheet: &mut Sheet) {
    for method in rigid() {
        let setting = Setting { friction: 0.3, duration: 2.0, ..Setting::default() };
        let bodies = [ball([0.0, 0.2], 0.2).moving([2.0, 0.0]), floor()];
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let right = 2.0 / (1.0 + roundness(method.kind));
        sheet.check(method, "speed in the end (m/s)", [right, track.last_velocity(0)[0]], 1e-6);
        sheet.check(method, "spin in the end (1/s)", [-right / 0.2, track.last_spin(0)], 1e-5);
    }
}

fn rolling_time(sheet: &mut Sheet) {
    for method in rigid() {
        let (mu, dt) = (0.1, 1e-3);
        let setting = Setting { friction: mu, duration: 1.0, dt, ..Setting::default() };
        let bodies = [ball([0.0, 0.2], 0.2).moving([2.0, 0.0]), floor()];
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let gamma = roundness(method.kind);
        let right = 2.0 * gamma / ((1.0 + gamma) * mu * GRAVITY);
        let last = track.last_velocity(0)[0];
        let took =
            track.velocities(0).position(|[v, _]| v <= last + 1e-9).map_or(f64::NAN, |k| k as f64 * dt);
        sheet.check(method, "time until it rolls (s)", [right, took], 2.0 * dt);
    }
}

fn backspin(sheet: &mut Sheet) {
    for method in rigid() {
        let setting = Setting { friction: 0.3, duration: 3.0, ..Setting::default() };
        let spin = 40.0;
        let bodies = [ball([0.0, 0.2], 0.2).moving([2.0, 0.0]).spinning(spin), floor()];
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let gamma = roundness(method.kind);
        let right = (2.0 - gamma * 0.2 * spin) / (1.0 + gamma);
        sheet.check(method, "speed in the end (m/s)", [right, track.last_velocity(0)[0]], 1e-6);
    }
}

/// Gravity on a ramp whose tangent is 0.5.
fn ramp() -> [f64; 2] {
    let length = 1.25f64.sqrt();
    [0.5 * GRAVITY / length, -GRAVITY / length]
}

fn rolling_down(sheet: &mut Sheet) {
    for method in rigid() {
        let setting = Setting { friction: 0.6, gravity: ramp(), duration: 2.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &[ball([0.0, 0.2], 0.2), floor()]) else { continue };
        let right = ramp()[0] / (1.0 + roundness(method.kind));
        sheet.check(method, "acceleration (m/s²)", [right, track.last_velocity(0)[0] / 2.0], 1e-6);
    }
}

fn slipping_down(sheet: &mut Sheet) {
    for method in rigid() {
        let mu = 0.05;
        let setting = Setting { friction: mu, gravity: ramp(), duration: 2.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &[ball([0.0, 0.2], 0.2), floor()]) else { continue };
        let [along, down] = ramp();
        sheet.check(
            method,
            "acceleration (m/s²)",
            [along + mu * down, track.last_velocity(0)[0] / 2.0],
            1e-6,
        );
        let right = mu * down / (roundness(method.kind) * 0.2);
        sheet.check(method, "angular acceleration (1/s²)", [right, track.last_spin(0) / 2.0], 1e-5);
    }
}
