//! A half-plane, and the vertices of a polygon or the centre of a disc.

use super::Mover;
use crate::march::{Look, first_zero, march};
use crate::plane::Shape;
use crate::plane::rotation::{Rotation, perp};
use glam::DVec2;

/// `normal` is that of the half-plane now, in world axes.
pub(super) fn first_meeting(
    (ground, normal): (Mover, DVec2),
    (mover, shape, angle): (Mover, &Shape, f64),
    tolerance: f64,
    span: f64,
) -> Option<f64> {
    let mut first = None;
    let mut visit = |arm: DVec2| {
        let until = first.unwrap_or(span);
        let found = vertex((ground, normal), (mover, arm), (shape.radius(), tolerance), until);
        first = found.or(first);
    };
    match shape {
        Shape::Polygon(outline) => {
            let turn = Rotation::by(angle);
            outline.vertices.iter().for_each(|&vertex| visit(turn.apply(vertex)));
        }
        _ => visit(DVec2::ZERO),
    }
    first
}

fn vertex(
    (ground, normal): (Mover, DVec2),
    (mover, arm): (Mover, DVec2),
    (radius, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    let turns = ground.spin != 0.0 || ground.spin_rate != 0.0;
    march(span, tolerance, |time| {
        let (through, vertex) = (ground.point(DVec2::ZERO, time), mover.point(arm, time));
        let n = match turns {
            true => Rotation::by(time * (ground.spin + 0.5 * time * ground.spin_rate)).apply(normal),
            false => normal,
        };
        let from = vertex.place - through.place;
        let past = vertex.velocity - through.velocity;
        // A line that turns moves where the vertex is, and turns under what moves along it.
        let speed = n.dot(past - (ground.spin + time * ground.spin_rate) * perp(from));
        let turning = ground.fastest * ground.fastest + ground.spin_rate.abs();
        let bend = vertex.bend + turning * from.length() + 2.0 * ground.fastest * past.length();
        let pull = n.dot(ground.acceleration - mover.acceleration) + bend;
        let gap = n.dot(from) - radius;
        Look { gap, clear: first_zero(gap, speed, pull.max(0.0), span - time) }
    })
}
