//! Two discs.

use super::{Way, disc_segment};
use crate::march::straight;

/// When two discs first touch; in closed form where neither is accelerated against the other.
pub fn first_meeting(a: Way, b: Way, (reach, tolerance): (f64, f64), span: f64) -> Option<f64> {
    if a.acceleration != b.acceleration {
        return disc_segment::first_meeting(a, [b; 2], (reach, tolerance), span);
    }
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let moving = (-between.dot(speed), between.length(), speed.length_squared());
    straight(moving, (reach, tolerance), span)
}
