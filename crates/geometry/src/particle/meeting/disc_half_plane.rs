//! A disc and a half-plane.

use super::Way;
use crate::march::{Look, first_zero, march};
use glam::DVec2;

/// When a disc first touches a half-plane.
pub fn first_meeting(
    disc: Way,
    plane: Way,
    normal: DVec2,
    (reach, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    march(span, tolerance, |time| {
        let (disc, plane) = (disc.at(time), plane.at(time));
        let gap = normal.dot(disc.place - plane.place) - reach;
        let speed = normal.dot(disc.velocity - plane.velocity);
        let pull = normal.dot(plane.acceleration - disc.acceleration).max(0.0);
        Look { gap, clear: first_zero(gap, speed, pull, span - time) }
    })
}
