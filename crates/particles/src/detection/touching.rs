//! Pairs that touch, and when they first do, on ways with a steady acceleration.

use crate::collision::Pair;
use carom_geometry::distance::point_segment;
use carom_stepping::{Look, Motion, first_zero, march};
use glam::DVec2;

/// Two things that touch, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touching {
    /// Which two; the first is a particle.
    pub pair: Pair,
    /// Unit normal from the first to the second.
    pub unit: DVec2,
    /// Where on an edge, 0 to 1.
    pub alpha: f64,
    /// Distance of the surfaces; negative where they overlap.
    pub gap: f64,
    /// Gaps up to this count as closed.
    pub tolerance: f64,
    /// Sum of the radii.
    pub extent: f64,
    /// Where they touch.
    pub point: DVec2,
}

/// The shortest vector from a point to a segment, and where it ends on it.
pub(crate) fn to_segment(x: DVec2, start: DVec2, end: DVec2) -> (DVec2, f64) {
    let nearest = point_segment::shortest_vector(x, start, end);
    (nearest.vector, nearest.alpha)
}

/// A way without its beginning.
#[derive(Debug, Clone, Copy)]
struct Way {
    place: DVec2,
    velocity: DVec2,
    acceleration: DVec2,
}

impl Way {
    fn of(motion: &Motion<DVec2>) -> Self {
        let [velocity, acceleration] =
            [&motion.velocity, &motion.acceleration].map(|x| DVec2::new(x[0], x[1]));
        Self { place: motion.pose, velocity, acceleration }
    }

    fn at(&self, time: f64) -> Self {
        Self {
            place: self.place + time * (self.velocity + 0.5 * time * self.acceleration),
            velocity: self.velocity + time * self.acceleration,
            ..*self
        }
    }
}

/// When two discs first touch; in closed form where neither is accelerated against the other.
pub(crate) fn discs(
    first: Motion<DVec2>,
    second: Motion<DVec2>,
    (reach, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    let (a, b) = (Way::of(&first), Way::of(&second));
    if a.acceleration != b.acceleration {
        return segment(first, [second; 2], (reach, tolerance), span);
    }
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let (approach, distance) = (-between.dot(speed), between.length());
    if approach <= 0.0 || distance - reach <= tolerance {
        return None;
    }
    // |between + t speed| = reach: the first root, without cancellation.
    let outside = (distance - reach) * (distance + reach);
    let discriminant = approach * approach - speed.length_squared() * outside;
    if discriminant <= 0.0 {
        return None;
    }
    let time = outside / (approach + discriminant.sqrt());
    (time <= span).then_some(time)
}

/// When a disc first touches a half-plane.
pub(crate) fn half_plane(
    disc: Motion<DVec2>,
    plane: Motion<DVec2>,
    normal: DVec2,
    (reach, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    let (disc, plane) = (Way::of(&disc), Way::of(&plane));
    march(span, tolerance, |time| {
        let (disc, plane) = (disc.at(time), plane.at(time));
        let gap = normal.dot(disc.place - plane.place) - reach;
        let speed = normal.dot(disc.velocity - plane.velocity);
        let pull = normal.dot(plane.acceleration - disc.acceleration).max(0.0);
        Look { gap, clear: first_zero(gap, speed, pull, span - time) }
    })
}

/// When a disc first touches a thick segment whose ends have ways of their own.
pub(crate) fn segment(
    disc: Motion<DVec2>,
    ends: [Motion<DVec2>; 2],
    (reach, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    let (disc, ends) = (Way::of(&disc), ends.map(|end| Way::of(&end)));
    march(span, tolerance, |time| {
        let (disc, ends) = (disc.at(time), ends.map(|end| end.at(time)));
        let (vector, _) = to_segment(disc.place, ends[0].place, ends[1].place);
        let distance = vector.length();
        if distance == 0.0 {
            return Look { gap: -reach, clear: Some(0.0) };
        }
        // Along this direction each end comes nearer at its own speed; the segment is between them.
        let n = vector / distance;
        let clear = ends.map(|end| {
            let gap = n.dot(end.place - disc.place) - reach;
            let speed = n.dot(end.velocity - disc.velocity);
            let pull = n.dot(disc.acceleration - end.acceleration).max(0.0);
            first_zero(gap, speed, pull, span - time)
        });
        let clear = match clear {
            [Some(a), Some(b)] => Some(a.min(b)),
            [a, b] => a.or(b),
        };
        Look { gap: distance - reach, clear }
    })
}
