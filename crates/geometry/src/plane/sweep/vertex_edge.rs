//! A vertex and an edge; a disc is both.

use super::{Mover, Point};
use crate::march::{Look, earlier, first_zero, march};
use crate::plane::edge::nearest_on_edge;
use glam::DVec2;

/// A vertex of one shape and an edge of another.
pub(super) fn first_meeting(
    (own, arm): (Mover, DVec2),
    (other, arms): (Mover, [DVec2; 2]),
    (radii, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    let single = arms[0] == arms[1];
    march(span, tolerance, |time| {
        let vertex = own.point(arm, time);
        let ends = arms.map(|arm| other.point(arm, time));
        let nearest = nearest_on_edge(vertex.place, ends[0].place, ends[1].place).point;
        let between = nearest - vertex.place;
        let distance = between.length();
        if distance == 0.0 {
            return Look { gap: -radii, clear: Some(0.0) };
        }
        let n = between / distance;
        let pull = n.dot(own.acceleration - other.acceleration);
        let clear = |end: Point| {
            let gap = n.dot(end.place - vertex.place) - radii;
            let bend = (pull + end.bend + vertex.bend).max(0.0);
            first_zero(gap, n.dot(end.velocity - vertex.velocity), bend, span - time)
        };
        let clear = earlier(clear(ends[0]), if single { None } else { clear(ends[1]) });
        Look { gap: distance - radii, clear }
    })
}
