//! Pairs that touch, and when they first do, on ways with a steady acceleration.

use crate::collision::Pair;
use carom_geometry::distance::point_segment;
use carom_geometry::sweep::direction;
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

/// The unit normal of a segment towards where a vector that meets it beside its ends comes from; exact where the
/// vector is short. None at the ends.
pub(crate) fn across(vector: DVec2, alpha: f64, along: DVec2) -> Option<DVec2> {
    let normal = direction(along).filter(|_| alpha > 0.0 && alpha < 1.0)?.perp();
    Some(if vector.dot(normal) < 0.0 { -normal } else { normal })
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

    /// This way as another sees it.
    fn from(&self, other: &Self) -> Self {
        Self {
            place: self.place - other.place,
            velocity: self.velocity - other.velocity,
            acceleration: self.acceleration - other.acceleration,
        }
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
    let reach = deepened(&disc, &ends, (reach, tolerance));
    march(span, tolerance, |time| {
        let (disc, ends) = (disc.at(time), ends.map(|end| end.at(time)));
        let (vector, alpha) = to_segment(disc.place, ends[0].place, ends[1].place);
        let normal = across(vector, alpha, ends[1].place - ends[0].place);
        let distance = normal.map_or(vector.length(), |n| n.dot(vector));
        if distance == 0.0 {
            return Look { gap: -reach, clear: Some(0.0) };
        }
        let n = normal.unwrap_or(vector / distance);
        // Along this direction each end comes nearer at its own speed; the segment is between them.
        let clear = ends.map(|end| {
            let away = if normal.is_some() { distance } else { n.dot(end.place - disc.place) };
            let speed = n.dot(end.velocity - disc.velocity);
            let pull = n.dot(disc.acceleration - end.acceleration).max(0.0);
            first_zero(away - reach, speed, pull, span - time)
        });
        let mut clear = earlier(clear[0], clear[1]);
        if let (Some(_), Some(known)) = (normal, clear) {
            clear = beside_turning(&disc, &ends, reach, span - time).map(|time| time.max(known));
        }
        Look { gap: distance - reach, clear }
    })
}

/// The reach of a disc that touches a segment beside its ends, less what it may come nearer without harm: the
/// segment turns, and an approach may begin from nothing.
fn deepened(disc: &Way, ends: &[Way; 2], (reach, tolerance): (f64, f64)) -> f64 {
    /// Parts of the reach.
    const HARMLESS: f64 = 1e-6;
    const MOST: f64 = 0.25;
    let along = ends[1].place - ends[0].place;
    let (vector, alpha) = to_segment(disc.place, ends[0].place, ends[1].place);
    let Some(normal) = across(vector, alpha, along) else { return reach };
    let gap = normal.dot(vector) - reach;
    let harmless = (4.0 * tolerance).max(HARMLESS * reach).min(MOST * reach);
    if gap > tolerance { reach } else { (reach + gap - harmless).max(0.0) }
}

/// How long a disc beside a segment does not touch it, with the segment's turning followed: the area
/// f = e × q, where e is the segment and q the disc from its start, goes to reach |e|; the ends are two discs.
/// For straight ways f is a parabola. Else f″ = e″ × q + 2 e′ × q′ + e × q″ is bounded over the span.
fn beside_turning(disc: &Way, ends: &[Way; 2], reach: f64, span: f64) -> Option<f64> {
    let [e, q] = [ends[1].from(&ends[0]), disc.from(&ends[0])];
    let area = e.place.perp_dot(q.place);
    let side = 1.0_f64.copysign(area);
    let slope = side * (e.velocity.perp_dot(q.place) + e.place.perp_dot(q.velocity));
    let farthest = |way: &Way| {
        way.place.length() + span * (way.velocity.length() + 0.5 * span * way.acceleration.length())
    };
    let fastest = |way: &Way| way.velocity.length() + span * way.acceleration.length();
    let (bend_e, bend_q) = (e.acceleration.length(), q.acceleration.length());
    let curvature = if bend_e == 0.0 && bend_q == 0.0 {
        (-side * 2.0 * e.velocity.perp_dot(q.velocity)).max(0.0)
    } else {
        bend_e * farthest(&q) + 2.0 * fastest(&e) * fastest(&q) + farthest(&e) * bend_q
    };
    // |e| grows at most as fast as its ends part.
    let growth = reach * e.velocity.length();
    let open = side * area - reach * e.place.length();
    let along = first_zero(open, slope - growth, curvature + reach * bend_e, span);
    let to_end = |end: &Way| {
        let from = disc.from(end);
        let distance = from.place.length();
        let n = from.place / distance;
        let pull = (-n.dot(from.acceleration)).max(0.0);
        first_zero(distance - reach, n.dot(from.velocity), pull, span)
    };
    earlier(along, earlier(to_end(&ends[0]), to_end(&ends[1])))
}

/// The earlier of two times; none is never.
fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
