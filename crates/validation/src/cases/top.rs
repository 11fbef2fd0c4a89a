//! The heavy top. Its point is a corner that friction holds on the floor.

use super::{BODIES, Case, of};
use crate::scenes::Kind;
use crate::sheet::Sheet;
use crate::track::frames_of;
use carom_numerics::elementary::{atan2, cos, sin};
use std::fmt::Write;

pub(super) const CASES: &[Case] = &[Case::new(
    "heavy-top",
    "A heavy symmetric top in steady precession: I₁ Ω² cos θ − I₃ ω₃ Ω + m g l = 0 (Goldstein, Classical Mechanics, §5.7).",
    heavy_top,
)];

const TILT: f64 = 0.5;
const SPIN: f64 = 120.0;
const LENGTH: f64 = 0.5;
/// Moments about the centre: across the axis, and about it.
const MOMENTS: [f64; 2] = [0.02, 0.03];
const DT: f64 = 1e-4;
const DURATION: f64 = 0.5;

/// The slower of the two rates at which the axis goes round.
fn precession() -> f64 {
    let across = MOMENTS[0] + LENGTH * LENGTH;
    let (a, b, c) = (across * cos(TILT), MOMENTS[1] * SPIN, 9.81 * LENGTH);
    (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)
}

/// A cone with twelve sides on its point, its centre at LENGTH from it.
fn scene(response: &str) -> String {
    let rate = precession();
    let axis = [sin(TILT), 0.0, cos(TILT)];
    let own = SPIN - rate * axis[2];
    let (wx, wz) = (own * axis[0], own * axis[2] + rate);
    // The point is at rest: v = ω × l, which is along y.
    let vy = LENGTH * (wz * axis[0] - wx * axis[2]);
    let mut text = format!(
        "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"{DURATION:?}\"/>\
         <rigidbody3dintegrator type=\"lie-midpoint\" dt=\"{DT:?}\"/><rigidbody3dgravityforce fz=\"-9.81\"/>\
         <rigidbody3doutput fps=\"100\"/><rigidbody3dcollisionhandling response=\"{response}\" mu=\"2\"/>\
         <rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/>"
    );
    let mut names = String::from(" p=\"0\"");
    for k in 0..12 {
        let angle = std::f64::consts::PI * f64::from(k) / 6.0;
        // The centre of a cone is three quarters of its height from its point.
        let (x, y, z) = (0.1 * cos(angle), 0.1 * sin(angle), LENGTH * 4.0 / 3.0);
        let _ = write!(text, "<rigidbody3dvertex x=\"{x:?}\" y=\"{y:?}\" z=\"{z:?}\"/>");
        let _ = write!(names, " p=\"{}\"", k + 1);
    }
    let [across, about] = MOMENTS;
    let _ = write!(
        text,
        "<rigidbody3dpolyhedron{names} m=\"1\" ry=\"{TILT:?}\" vy=\"{vy:?}\" omegax=\"{wx:?}\" omegaz=\"{wz:?}\"/>\
         <rigidbody3dinertia body=\"0\" ixx=\"{across:?}\" iyy=\"{across:?}\" izz=\"{about:?}\"/>\
         <rigidbody3dhalfspace nz=\"1\"/></scene>"
    );
    text
}

fn heavy_top(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    for method in of(Kind::Spatial, &BODIES) {
        let text = scene(method.response);
        match frames_of(&text) {
            Ok(frames) => {
                let last = frames.last().map_or([f64::NAN; 3], |f| [0, 1, 2].map(|k| f.positions[k]));
                // Less than half a turn: the angle is not ambiguous.
                let rate = atan2(last[1], last[0]) / DURATION;
                let tilt = atan2((last[0] * last[0] + last[1] * last[1]).sqrt(), last[2]);
                sheet.check(method, "precession (1/s)", [precession(), rate], 0.01 * precession());
                sheet.check(method, "tilt in the end (rad)", [TILT, tilt], 0.02 * TILT);
                sheet.show(|| text, &frames);
            }
            Err(reason) => sheet.fail(method, reason),
        }
    }
}
