//! When two planar shapes first touch, each on its way with a steady acceleration.
//!
//! Every vertex of one against every edge of the other, both ways; two discs on a straight way
//! against each other in closed form. A vertex and an edge are convex: along a fixed direction n
//! across the gap, each end of the edge comes nearer to the vertex by at most what its speed, the
//! accelerations and the turning (ω² r) give ([`crate::march`]).

mod disc_disc;
mod half_plane_shape;
mod vertex_edge;

use super::Shape;
use super::rotation::{Rotation, perp};
use crate::march::first_zero;
use glam::DVec2;

/// A shape on its way: where it is, how it moves and how that changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// The centre.
    pub place: DVec2,
    /// The angle.
    pub angle: f64,
    /// Velocity of the centre.
    pub velocity: DVec2,
    /// Its acceleration.
    pub acceleration: DVec2,
    /// Angular velocity.
    pub spin: f64,
    /// Its rate.
    pub spin_rate: f64,
}

/// A shape on its way, with a bound.
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

/// A point of a shape: where it is, how fast, and how much turning bends its way.
#[derive(Debug, Clone, Copy)]
struct Point {
    place: DVec2,
    velocity: DVec2,
    bend: f64,
}

/// The first time in (0, `span`] at which parts of two shapes that do not touch now come to touch,
/// within a tolerance. `extents` are the shapes' own, which a caller knows for long.
pub fn first_meeting(
    [own, other]: [&Shape; 2],
    extents: [f64; 2],
    ways: [Way; 2],
    tolerance: f64,
    span: f64,
) -> Option<f64> {
    let [a, b] = ways.map(|way| Mover::of(&way, span));
    let radii = own.radius() + other.radius();
    if stays_clear([a, b], extents[0] + extents[1], span) {
        return None;
    }
    match (own, other) {
        (Shape::Disc { .. }, Shape::Disc { .. }) => {
            return disc_disc::first_meeting(a, b, radii, tolerance, span);
        }
        (Shape::HalfPlane { .. }, Shape::HalfPlane { .. }) => return None,
        (Shape::HalfPlane { normal }, other) => {
            let ground = (a, Rotation::by(ways[0].angle).apply(*normal));
            return half_plane_shape::first_meeting(ground, (b, other, ways[1].angle), tolerance, span);
        }
        (own, Shape::HalfPlane { normal }) => {
            let ground = (b, Rotation::by(ways[1].angle).apply(*normal));
            return half_plane_shape::first_meeting(ground, (a, own, ways[0].angle), tolerance, span);
        }
        _ => {}
    }
    let mut first: Option<f64> = None;
    for (from, to, shapes, angles) in [
        (a, b, [own, other], [ways[0].angle, ways[1].angle]),
        (b, a, [other, own], [ways[1].angle, ways[0].angle]),
    ] {
        for_each_feature(shapes, angles, |vertex, edge| {
            let until = first.unwrap_or(span);
            let found = vertex_edge::first_meeting((from, vertex), (to, edge), (radii, tolerance), until);
            first = found.or(first);
        });
    }
    first
}

/// Whether the circles around two shapes never meet.
fn stays_clear([a, b]: [Mover; 2], reach: f64, span: f64) -> bool {
    let between = b.place - a.place;
    let distance = between.length();
    if distance <= reach {
        return false;
    }
    let n = between / distance;
    let (speed, bend) = (n.dot(b.velocity - a.velocity), n.dot(b.acceleration - a.acceleration));
    first_zero(distance - reach, speed, (-bend).max(0.0), span).is_none()
}

/// Every vertex of the first with every edge of the second, as arms in world axes.
fn for_each_feature(
    [own, other]: [&Shape; 2],
    [own_angle, other_angle]: [f64; 2],
    mut visit: impl FnMut(DVec2, [DVec2; 2]),
) {
    let edges = |visit: &mut dyn FnMut([DVec2; 2])| match other {
        Shape::Disc { .. } => visit([DVec2::ZERO; 2]),
        Shape::HalfPlane { .. } => {}
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
        Shape::HalfPlane { .. } => {}
        Shape::Polygon(outline) => {
            let turn = Rotation::by(own_angle);
            for &vertex in &outline.vertices {
                let arm = turn.apply(vertex);
                edges(&mut |edge| visit(arm, edge));
            }
        }
    }
}

impl Mover {
    fn of(way: &Way, span: f64) -> Self {
        let Way { place, velocity, acceleration, spin, spin_rate, .. } = *way;
        let fastest = spin.abs().max((spin + span * spin_rate).abs());
        Self { place, velocity, acceleration, spin, spin_rate, fastest }
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
        let meet = |a, span| disc_disc::first_meeting(a, still, 0.5, 1e-10, span);
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
        let time =
            vertex_edge::first_meeting((moving(0.0, 1.0, 0.0, 0.0), DVec2::ZERO), (rod, arms), NEAR, 10.0);
        // The rod at angle t is |cos t| from the point (0, 1).
        assert!((time.unwrap() - std::f64::consts::FRAC_PI_3).abs() < 1e-8);
    }

    #[test]
    fn a_throw_comes_down_on_a_floor_that_it_touches() {
        let fall = DVec2::new(0.0, -8.0);
        let ball = Mover { acceleration: fall, ..moving(0.0, 0.5, 1.0, 4.0) };
        let arms = [DVec2::new(-9.0, 0.0), DVec2::new(9.0, 0.0)];
        let floor = moving(0.0, 0.0, 0.0, 0.0);
        let time = vertex_edge::first_meeting((ball, DVec2::ZERO), (floor, arms), NEAR, 2.0);
        assert!((time.unwrap() - 1.0).abs() < 1e-9);
    }
}
