//! When two bodies first touch, each on its way with a steady acceleration.
//!
//! Every vertex of one against every edge of the other, both ways; two discs on a straight way against each
//! other in closed form. A vertex and an edge are convex: along a fixed direction n across the gap, each end of
//! the edge comes nearer to the vertex by at most what its speed, the accelerations and the turning (ω² r)
//! give ([`carom_stepping::march`]).

use super::Detector;
use super::vertex_edge::nearest_on_edge;
use crate::model::{Model, Shape};
use crate::rotation::{Rotation, perp};
use crate::script::Pose;
use carom_stepping::{Look, Motion, Pair, first_zero, march};
use glam::DVec2;

/// A body on its way.
#[derive(Debug, Clone, Copy)]
struct Mover {
    place: DVec2,
    velocity: DVec2,
    acceleration: DVec2,
    spin: f64,
    spin_rate: f64,
    /// Largest angular speed on the way.
    fastest: f64,
}

/// A point of a body: where it is, how fast, and how much turning bends its way.
#[derive(Debug, Clone, Copy)]
struct Point {
    place: DVec2,
    velocity: DVec2,
    bend: f64,
}

impl Detector {
    /// The first time in (0, `span`] at which parts of two bodies that do not touch now come to touch, within
    /// a tolerance.
    pub(crate) fn first_meeting(
        &mut self,
        model: &Model,
        pair: Pair,
        motions: [Motion<Pose>; 2],
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let [a, b] = motions.map(|motion| Mover::of(&motion, span));
        let [own, other] = pair.map(|k| &model.bodies[k as usize]);
        let radii = own.radius() + other.radius();
        if self.stays_clear([a, b], pair, span) {
            return None;
        }
        if let (Shape::Disc { .. }, Shape::Disc { .. }) = (&own.shape, &other.shape) {
            return discs(a, b, radii, tolerance, span);
        }
        let mut first: Option<f64> = None;
        for (from, to, shapes, angles) in [
            (a, b, [&own.shape, &other.shape], [motions[0].pose.angle, motions[1].pose.angle]),
            (b, a, [&other.shape, &own.shape], [motions[1].pose.angle, motions[0].pose.angle]),
        ] {
            for_each_feature(shapes, angles, |vertex, edge| {
                let until = first.unwrap_or(span);
                let found = vertex_to_edge((from, vertex), (to, edge), (radii, tolerance), until);
                first = found.or(first);
            });
        }
        first
    }

    /// Whether the circles around two bodies never meet.
    fn stays_clear(&self, [a, b]: [Mover; 2], pair: Pair, span: f64) -> bool {
        let reach = self.extent(pair[0] as usize) + self.extent(pair[1] as usize);
        let between = b.place - a.place;
        let distance = between.length();
        if distance <= reach {
            return false;
        }
        let n = between / distance;
        let (speed, bend) = (n.dot(b.velocity - a.velocity), n.dot(b.acceleration - a.acceleration));
        first_zero(distance - reach, speed, (-bend).max(0.0), span).is_none()
    }
}

/// Every vertex of the first with every edge of the second, as arms in world axes.
fn for_each_feature(
    [own, other]: [&Shape; 2],
    [own_angle, other_angle]: [f64; 2],
    mut visit: impl FnMut(DVec2, [DVec2; 2]),
) {
    let edges = |visit: &mut dyn FnMut([DVec2; 2])| match other {
        Shape::Disc { .. } => visit([DVec2::ZERO; 2]),
        Shape::Polygon(outline) => {
            let (turn, all) = (Rotation::by(other_angle), &outline.vertices);
            let count = if all.len() == 2 { 1 } else { all.len() };
            for k in 0..count {
                visit([turn.apply(all[k]), turn.apply(all[(k + 1) % all.len()])]);
            }
        }
    };
    match own {
        // The way of a disc to the vertices of an outline is that of its centre to the edges.
        Shape::Disc { .. } => edges(&mut |edge| visit(DVec2::ZERO, edge)),
        Shape::Polygon(_) if matches!(other, Shape::Disc { .. }) => {}
        Shape::Polygon(outline) => {
            let turn = Rotation::by(own_angle);
            for &vertex in &outline.vertices {
                let arm = turn.apply(vertex);
                edges(&mut |edge| visit(arm, edge));
            }
        }
    }
}

/// Two discs; in closed form where neither is accelerated against the other.
fn discs(a: Mover, b: Mover, radii: f64, tolerance: f64, span: f64) -> Option<f64> {
    if a.acceleration != b.acceleration {
        let (a, b) = (Mover { spin: 0.0, fastest: 0.0, ..a }, Mover { spin: 0.0, fastest: 0.0, ..b });
        return vertex_to_edge((a, DVec2::ZERO), (b, [DVec2::ZERO; 2]), (radii, tolerance), span);
    }
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let approach = -between.dot(speed);
    let distance = between.length();
    if approach <= 0.0 || distance - radii <= tolerance {
        return None;
    }
    // |between + t speed| = radii: the first root, without cancellation.
    let outside = (distance - radii) * (distance + radii);
    let discriminant = approach * approach - speed.length_squared() * outside;
    if discriminant <= 0.0 {
        return None;
    }
    let time = outside / (approach + discriminant.sqrt());
    (time <= span).then_some(time)
}

/// A vertex of one body and an edge of another.
fn vertex_to_edge(
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
        let clear = match (clear(ends[0]), if single { None } else { clear(ends[1]) }) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Look { gap: distance - radii, clear }
    })
}

impl Mover {
    fn of(motion: &Motion<Pose>, span: f64) -> Self {
        let [vx, vy, spin, ..] = motion.velocity;
        let [ax, ay, spin_rate, ..] = motion.acceleration;
        let fastest = spin.abs().max((spin + span * spin_rate).abs());
        Self {
            place: motion.pose.position,
            velocity: DVec2::new(vx, vy),
            acceleration: DVec2::new(ax, ay),
            spin,
            spin_rate,
            fastest,
        }
    }

    /// A point at `arm` from the centre now, some time later.
    fn point(&self, arm: DVec2, time: f64) -> Point {
        let center = self.place + time * (self.velocity + 0.5 * time * self.acceleration);
        let velocity = self.velocity + time * self.acceleration;
        if arm == DVec2::ZERO || (self.spin == 0.0 && self.spin_rate == 0.0) {
            return Point { place: center + arm, velocity, bend: 0.0 };
        }
        let arm = Rotation::by(time * (self.spin + 0.5 * time * self.spin_rate)).apply(arm);
        let spin = self.spin + time * self.spin_rate;
        let bend = (self.fastest * self.fastest + self.spin_rate.abs()) * arm.length();
        Point { place: center + arm, velocity: velocity + spin * perp(arm), bend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: (f64, f64) = (0.5, 1e-10);

    fn moving(x: f64, y: f64, vx: f64, vy: f64) -> Mover {
        let (place, velocity) = (DVec2::new(x, y), DVec2::new(vx, vy));
        Mover { place, velocity, acceleration: DVec2::ZERO, spin: 0.0, spin_rate: 0.0, fastest: 0.0 }
    }

    #[test]
    fn head_on_and_grazing_discs() {
        let still = moving(0.0, 0.0, 0.0, 0.0);
        let meet = |a, span| discs(a, still, 0.5, 1e-10, span);
        let head_on = moving(-10.0, 0.0, 2.0, 0.0);
        assert!((meet(head_on, 10.0).unwrap() - 4.75).abs() < 1e-9);
        let sideways = moving(-10.0, 0.3, 2.0, 0.0);
        assert!((meet(sideways, 10.0).unwrap() - (10.0 - 0.4) / 2.0).abs() < 1e-9);
        assert_eq!(meet(moving(-10.0, 0.500_001, 2.0, 0.0), 10.0), None);
        assert_eq!(meet(head_on, 4.7), None);
        assert_eq!(meet(moving(-0.5, 0.0, 2.0, 0.0), 4.0), None, "they touch already");
    }

    #[test]
    fn a_turning_rod_strikes_a_point() {
        let rod = Mover { spin: 1.0, fastest: 1.0, ..moving(0.0, 0.0, 0.0, 0.0) };
        let arms = [DVec2::new(-2.0, 0.0), DVec2::new(2.0, 0.0)];
        let time = vertex_to_edge((moving(0.0, 1.0, 0.0, 0.0), DVec2::ZERO), (rod, arms), NEAR, 10.0);
        // The rod at angle t is |cos t| from the point (0, 1).
        assert!((time.unwrap() - std::f64::consts::FRAC_PI_3).abs() < 1e-8);
    }

    #[test]
    fn a_throw_comes_down_on_a_floor_that_it_touches() {
        let fall = DVec2::new(0.0, -8.0);
        let ball = Mover { acceleration: fall, ..moving(0.0, 0.5, 1.0, 4.0) };
        let arms = [DVec2::new(-9.0, 0.0), DVec2::new(9.0, 0.0)];
        let floor = moving(0.0, 0.0, 0.0, 0.0);
        let time = vertex_to_edge((ball, DVec2::ZERO), (floor, arms), NEAR, 2.0);
        assert!((time.unwrap() - 1.0).abs() < 1e-9);
    }
}
