//! Two bodies, one impact.

use super::{Case, all, rigid};
use crate::scenes::{Kind, Setting, ball, floor, wall};
use crate::sheet::{Sheet, run};
use std::f64::consts::FRAC_1_SQRT_2;

pub(super) const CASES: &[Case] = &[
    Case::new(
        "two-masses",
        "A ball of mass 1 at 2 m/s meets one of mass 3 at rest: Newton's law of restitution and momentum give both speeds.",
        two_masses,
    ),
    Case::new("momentum", "Momentum of the same pair in its common frame: an impact changes none.", momentum),
    Case::new(
        "oblique",
        "An elastic ball meets an equal one at rest off centre: only the speed along the line of centres changes hands.",
        oblique,
    ),
    Case::new(
        "glancing-wall",
        "A ball meets a wall at 45° without friction: the speed along the wall stays, the one across is turned and falls by e.",
        glancing_wall,
    ),
    Case::new(
        "impact-slips",
        "A disc or sphere falls on the floor with speed along it and little friction: Coulomb's law at the impact, μ(1+e)v.",
        impact_slips,
    ),
    Case::new(
        "impact-sticks",
        "The same with much friction: the point of contact stops, and 2/3 (disc) or 5/7 (sphere) of the speed stays.",
        impact_sticks,
    ),
];

fn free(restitution: f64, duration: f64) -> Setting {
    Setting { restitution, gravity: [0.0; 2], duration, dt: 0.01, ..Setting::default() }
}

fn two_masses(sheet: &mut Sheet) {
    for method in all() {
        for e in [0.0, 0.5, 1.0] {
            if method.response == "elastic" && e < 1.0 {
                continue;
            }
            let bodies = [ball([-1.0, 0.0], 0.2).moving([2.0, 0.0]), ball([0.0, 0.0], 0.2).weighing(3.0)];
            let Some(track) = run(sheet, method, &free(e, 1.0), &bodies) else { continue };
            let right = [2.0 * (1.0 - 3.0 * e) / 4.0, 2.0 * (1.0 + e) / 4.0];
            for body in 0..2 {
                let name = format!("e = {e}: speed of body {body} (m/s)");
                // `hybrid` pushes apart what is within its thickness of 1e-9 m, by design: that
                // over a step.
                let tolerance = if method.response == "hybrid" { 1e-9 / track.dt } else { 1e-9 };
                sheet.check(method, &name, [right[body], track.last_velocity(body)[0]], tolerance);
            }
        }
    }
}

fn momentum(sheet: &mut Sheet) {
    for method in all() {
        let bodies = [
            ball([-1.0, 0.0], 0.2).moving([2.0, 0.3]),
            ball([0.0, 0.1], 0.2).weighing(3.0).moving([-0.5, 0.3]),
        ];
        let Some(track) = run(sheet, method, &free(0.5, 1.0), &bodies) else { continue };
        let ends = [track.frames.first(), track.frames.last()];
        let [before, after] = ends.map(|frame| frame.map_or([f64::NAN; 2], |frame| track.momentum(frame)));
        sheet.check(method, "momentum along x (kg m/s)", [before[0], after[0]], 1e-12);
        sheet.check(method, "momentum along y (kg m/s)", [before[1], after[1]], 1e-12);
    }
}

fn oblique(sheet: &mut Sheet) {
    for method in all() {
        // Centres at 45° when they touch: half of the square of the speed goes over.
        let bodies = [ball([-1.0, 0.0], 0.2).moving([2.0, 0.0]), ball([0.0, 0.4 * FRAC_1_SQRT_2], 0.2)];
        let Some(track) = run(sheet, method, &free(1.0, 1.0), &bodies) else { continue };
        let (first, second) = (track.last_velocity(0), track.last_velocity(1));
        sheet.check(method, "speed of the first along x (m/s)", [1.0, first[0]], 1e-6);
        sheet.check(method, "speed of the first along y (m/s)", [-1.0, first[1]], 1e-6);
        sheet.check(method, "speed of the second along x (m/s)", [1.0, second[0]], 1e-6);
        sheet.check(method, "speed of the second along y (m/s)", [1.0, second[1]], 1e-6);
    }
}

fn glancing_wall(sheet: &mut Sheet) {
    for method in all() {
        let e = if method.response == "elastic" { 1.0 } else { 0.5 };
        let bodies = [ball([-1.0, 0.0], 0.2).moving([2.0, 2.0]), wall(0.0, -1.0)];
        let Some(track) = run(sheet, method, &free(e, 1.0), &bodies) else { continue };
        let [across, along] = track.last_velocity(0);
        sheet.check(method, "speed across (m/s)", [-2.0 * e, across], 1e-9);
        sheet.check(method, "speed along (m/s)", [2.0, along], 1e-9);
    }
}

/// Moment of inertia over m r².
pub(super) fn roundness(kind: Kind) -> f64 {
    if kind == Kind::Spatial { 0.4 } else { 0.5 }
}

fn impact_slips(sheet: &mut Sheet) {
    let (e, mu) = (0.5, 0.1);
    for method in rigid() {
        let bodies = [ball([0.0, 0.7], 0.2).moving([3.0, -2.0]), floor()];
        let setting = Setting { friction: mu, ..free(e, 0.5) };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let lost = mu * (1.0 + e) * 2.0;
        let spin = -lost / (roundness(method.kind) * 0.2);
        sheet.check(method, "speed along (m/s)", [3.0 - lost, track.last_velocity(0)[0]], 1e-9);
        sheet.check(method, "speed up (m/s)", [2.0 * e, track.last_velocity(0)[1]], 1e-9);
        sheet.check(method, "spin (1/s)", [spin, track.last_spin(0)], 1e-8);
    }
}

fn impact_sticks(sheet: &mut Sheet) {
    let e = 0.5;
    for method in rigid() {
        let bodies = [ball([0.0, 0.7], 0.2).moving([1.5, -2.0]), floor()];
        let setting = Setting { friction: 2.0, ..free(e, 0.5) };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let part = 1.0 / (1.0 + roundness(method.kind));
        sheet.check(method, "speed along (m/s)", [1.5 * part, track.last_velocity(0)[0]], 1e-9);
        sheet.check(method, "speed up (m/s)", [2.0 * e, track.last_velocity(0)[1]], 1e-9);
        sheet.check(method, "spin (1/s)", [-1.5 * part / 0.2, track.last_spin(0)], 1e-8);
    }
}
