//! Forces without contact: orders of the integrators, orbits.

use super::Case;
use crate::sheet::{Picture, Sheet};
use crate::track::frames_of;
use carom::Frame;
use carom_numerics::elementary::{cos, ln, sin};

pub(super) const CASES: &[Case] = &[
    Case::new(
        "order",
        "A mass on a spring: halving dt divides the error of an integrator of order p by 2ᵖ.",
        order,
    ),
    Case::new("oscillator", "The same mass after 10 s, by the fourth-order method.", oscillator),
    Case::new("pendulum-energy", "A hundred swings by symplectic Euler: energy stays within O(dt).", swings),
];

/// A mass of 1 on a spring of stiffness 4 with no rest length, from x = 1.
fn spring(integrator: &str, dt: f64, duration: f64) -> String {
    format!(
        "<scene><duration time=\"{duration:?}\"/><integrator type=\"{integrator}\" dt=\"{dt:?}\"/>\
         <particle m=\"1\" px=\"0\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"1\"/>\
         <particle m=\"1\" px=\"1\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\"/>\
         <edge i=\"0\" j=\"1\"/><springforce edge=\"0\" k=\"4\" l0=\"0\" b=\"0\"/></scene>"
    )
}

/// x of the mass in the end; NaN where there is no end.
fn end(sheet: &mut Sheet, text: String) -> f64 {
    let Ok(frames) = frames_of(&text) else { return f64::NAN };
    let x = frames.last().map_or(f64::NAN, |frame: &Frame| frame.positions[2]);
    if sheet.picture.is_none() {
        sheet.picture = Some(Picture { scene: text, frames });
    }
    x
}

fn order(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    for (integrator, right) in [
        ("explicit-euler", 1.0),
        ("symplectic-euler", 1.0),
        ("implicit-euler", 1.0),
        ("linearized-implicit-euler", 1.0),
        ("rk4", 4.0),
    ] {
        let exact = cos(2.0);
        let error = |sheet: &mut Sheet, dt: f64| (end(sheet, spring(integrator, dt, 1.0)) - exact).abs();
        let (coarse, fine) = (error(sheet, 1.0 / 256.0), error(sheet, 1.0 / 512.0));
        let order = ln(coarse / fine) / ln(2.0);
        sheet.note(&format!("particles {integrator}"), "order", [right, order], 0.1);
    }
}

fn oscillator(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    let x = end(sheet, spring("rk4", 1e-3, 10.0));
    sheet.note("particles rk4", "place after 10 s (m)", [cos(20.0), x], 1e-9);
}

fn swings(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    let dt = 0.01;
    let text = spring("symplectic-euler", dt, 314.0);
    let Ok(frames) = frames_of(&text) else { return };
    let energy = |frame: &Frame| frame.quantities.kinetic + frame.quantities.potential;
    let start = energy(&frames[0]);
    let off = frames.iter().map(|frame| (energy(frame) / start - 1.0).abs()).fold(0.0, f64::max);
    // The modified energy of symplectic Euler differs by dt ω x v /2 at most: dt ω sin(2φ)/2 of the
    // energy.
    sheet.note(
        "particles symplectic-euler",
        "largest change of energy",
        [0.0, off],
        1.05 * dt * 2.0 * sin(1.0),
    );
    sheet.picture = Some(Picture { scene: text, frames: frames.into_iter().step_by(400).collect() });
}
