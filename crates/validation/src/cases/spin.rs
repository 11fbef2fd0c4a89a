//! Free rotation in 3D.

use super::Case;
use crate::sheet::{Picture, Sheet};
use crate::track::frames_of;
use carom::Frame;

pub(super) const CASES: &[Case] = &[
    Case::new(
        "precession",
        "A free symmetric body turns about its angular momentum at L/I₁, and its axis keeps its angle (Euler).",
        precession,
    ),
    Case::new(
        "tumbling",
        "A free body with three moments of inertia: the period of its spin by elliptic integrals (Landau and Lifshitz, Mechanics, §37).",
        tumbling,
    ),
    Case::new("free-energy", "Energy and angular momentum of the same body over 100 turns.", free_energy),
];

/// A box with spin about its own axes, of mass 12: moments of inertia b² + c², a² + c², a² + b².
fn spinning(sides: [f64; 3], spin: [f64; 3], dt: f64, duration: f64) -> String {
    let ([a, b, c], [x, y, z]) = (sides, spin);
    format!(
        "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"{duration:?}\"/>\
         <rigidbody3dintegrator type=\"lie-midpoint\" dt=\"{dt:?}\"/><rigidbody3doutput fps=\"{:?}\"/>\
         <rigidbody3dbox a=\"{a:?}\" b=\"{b:?}\" c=\"{c:?}\" m=\"12\" omegax=\"{x:?}\" omegay=\"{y:?}\" omegaz=\"{z:?}\"/></scene>",
        1.0 / dt
    )
}

fn inertia([a, b, c]: [f64; 3]) -> [f64; 3] {
    [b * b + c * c, a * a + c * c, a * a + b * b]
}

fn frames(sheet: &mut Sheet, text: String) -> Option<Vec<Frame>> {
    match frames_of(&text) {
        Ok(frames) => {
            if sheet.picture.is_none() {
                let shown = frames.iter().step_by(frames.len().div_ceil(20).max(1)).cloned().collect();
                sheet.picture = Some(Picture { scene: text, frames: shown });
            }
            Some(frames)
        }
        Err(reason) => {
            sheet.note(&format!("3D lie-midpoint: {reason}"), "the run", [0.0, f64::NAN], 0.0);
            None
        }
    }
}

/// Spin about the axes of the world.
fn spin_of(frame: &Frame) -> [f64; 3] {
    [frame.velocities[3], frame.velocities[4], frame.velocities[5]]
}

fn precession(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    let (sides, spin, dt) = ([1.0, 1.0, 0.4], [1.0, 0.0, 4.0], 1e-3);
    let [i1, _, i3] = inertia(sides);
    let Some(frames) = frames(sheet, spinning(sides, spin, dt, 2.0)) else { return };
    let momentum = [i1 * spin[0], 0.0, i3 * spin[2]];
    let length = (momentum[0] * momentum[0] + momentum[2] * momentum[2]).sqrt();
    let axis = momentum.map(|x| x / length);
    // The spin of the world goes round the angular momentum once in 2π I₁/L.
    let right = 2.0 * std::f64::consts::PI * i1 / length;
    let start = spin_of(&frames[0]);
    let along = |w: [f64; 3]| w[0] * axis[0] + w[1] * axis[1] + w[2] * axis[2];
    // Crossings of the plane through the angular momentum and the first spin: the component across
    // it.
    let across = [0.0, 1.0, 0.0];
    let side = |w: [f64; 3]| w[0] * across[0] + w[1] * across[1] + w[2] * across[2];
    let period = period_of(&frames.iter().map(|frame| side(spin_of(frame))).collect::<Vec<_>>(), dt);
    sheet.note("3D lie-midpoint", "period (s)", [right, period], 1e-5 * right);
    let last = frames.last().map_or([f64::NAN; 3], spin_of);
    sheet.note("3D lie-midpoint", "spin along the angular momentum (1/s)", [along(start), along(last)], 1e-9);
}

/// Time from one upward crossing of zero to the next, between samples by a line; the last of all.
fn period_of(samples: &[f64], dt: f64) -> f64 {
    let mut crossings = Vec::new();
    for k in 1..samples.len() {
        if samples[k - 1] < 0.0 && samples[k] >= 0.0 {
            crossings.push(dt * (k as f64 - samples[k] / (samples[k] - samples[k - 1])));
        }
    }
    match (crossings.first(), crossings.last()) {
        (Some(first), Some(last)) if crossings.len() > 1 => (last - first) / (crossings.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// The complete elliptic integral K(m) by the arithmetic–geometric mean.
fn elliptic(m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

fn tumbling(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    let (sides, spin, dt) = ([1.0, 0.6, 0.3], [0.2, 3.0, 0.1], 5e-4);
    let Some(frames) = frames(sheet, spinning(sides, spin, dt, 20.0)) else { return };
    // I₁ < I₂ < I₃, as in Landau and Lifshitz: with 2EI₂ < L² the body turns about the third axis.
    let [i1, i2, i3] = inertia(sides);
    let energy2 = i1 * spin[0] * spin[0] + i2 * spin[1] * spin[1] + i3 * spin[2] * spin[2];
    let square = |i: f64, w: f64| i * i * w * w;
    let momentum2 = square(i1, spin[0]) + square(i2, spin[1]) + square(i3, spin[2]);
    let (rate2, m) = if momentum2 > energy2 * i2 {
        (
            (i3 - i2) * (momentum2 - energy2 * i1) / (i1 * i2 * i3),
            (i2 - i1) * (energy2 * i3 - momentum2) / ((i3 - i2) * (momentum2 - energy2 * i1)),
        )
    } else {
        (
            (i2 - i1) * (energy2 * i3 - momentum2) / (i1 * i2 * i3),
            (i3 - i2) * (momentum2 - energy2 * i1) / ((i2 - i1) * (energy2 * i3 - momentum2)),
        )
    };
    let right = 4.0 * elliptic(m) / rate2.sqrt();
    // About the middle axis of the body the spin is an sn: it goes through zero twice in a period.
    let middle: Vec<f64> = frames.iter().map(|frame| body_spin(frame)[1]).collect();
    let ours = period_of(&middle, dt);
    sheet.note("3D lie-midpoint", "period of the spin (s)", [right, ours], 1e-4 * right);
}

/// Spin about the axes of the body, from the quaternion (w, x, y, z) of the frame.
fn body_spin(frame: &Frame) -> [f64; 3] {
    let [w, x, y, z] = [3, 4, 5, 6].map(|k| frame.positions[k]);
    let v = spin_of(frame);
    // Rᵀ v
    [
        (1.0 - 2.0 * (y * y + z * z)) * v[0] + 2.0 * (x * y + w * z) * v[1] + 2.0 * (x * z - w * y) * v[2],
        2.0 * (x * y - w * z) * v[0] + (1.0 - 2.0 * (x * x + z * z)) * v[1] + 2.0 * (y * z + w * x) * v[2],
        2.0 * (x * z + w * y) * v[0] + 2.0 * (y * z - w * x) * v[1] + (1.0 - 2.0 * (x * x + y * y)) * v[2],
    ]
}

fn free_energy(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    let Some(frames) = frames(sheet, spinning([1.0, 0.6, 0.3], [0.2, 3.0, 0.1], 0.01, 200.0)) else { return };
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return };
    let part = last.quantities.kinetic / first.quantities.kinetic;
    sheet.note("3D lie-midpoint", "energy kept in 200 s", [1.0, part], 1e-4);
    for axis in 0..3 {
        let (before, after) =
            (first.quantities.angular_momentum[axis], last.quantities.angular_momentum[axis]);
        sheet.note("3D lie-midpoint", "angular momentum (kg m²/s)", [before, after], 1e-9);
    }
}
