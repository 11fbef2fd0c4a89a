//! Two discs.

use super::{Mover, vertex_edge};
use crate::march::straight;
use glam::DVec2;

/// Two discs; in closed form where neither is accelerated against the other.
pub(super) fn first_meeting(a: Mover, b: Mover, radii: f64, tolerance: f64, span: f64) -> Option<f64> {
    if a.acceleration != b.acceleration {
        let (a, b) = (Mover { spin: 0.0, fastest: 0.0, ..a }, Mover { spin: 0.0, fastest: 0.0, ..b });
        return vertex_edge::first_meeting((a, DVec2::ZERO), (b, [DVec2::ZERO; 2]), (radii, tolerance), span);
    }
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let moving = (-between.dot(speed), between.length(), speed.length_squared());
    straight(moving, (radii, tolerance), span)
}
