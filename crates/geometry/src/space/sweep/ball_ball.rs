//! Two balls.

use super::Mover;
use crate::march::{Look, first_zero, march, straight};
use glam::DVec3;

/// Two balls; in closed form where neither is accelerated against the other.
pub(super) fn first_meeting([a, b]: [Mover; 2], radii: f64, tolerance: f64, span: f64) -> Option<f64> {
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let pull = a.acceleration - b.acceleration;
    if pull != DVec3::ZERO {
        return march(span, tolerance, |time| {
            let between = between + time * (speed - 0.5 * time * pull);
            let distance = between.length();
            let n = between / distance;
            let speed = n.dot(speed - time * pull);
            let bend = n.dot(pull).max(0.0);
            let gap = distance - radii;
            Look { gap, clear: first_zero(gap, speed, bend, span - time) }
        });
    }
    let moving = (-between.dot(speed), between.length(), speed.length_squared());
    straight(moving, (radii, tolerance), span)
}
