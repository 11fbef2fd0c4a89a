//! When two solids first touch, each on its way.
//!
//! Along a fixed direction n across the gap, every corner comes nearer by at most what its speed,
//! the acceleration and the turning give: its distance along n is bounded by a parabola, and the
//! gap of two convex solids by the least of the differences ([`crate::march`]).

mod ball_ball;
mod half_space_solid;
mod polyhedron_ball;
mod polyhedron_polyhedron;

use super::{Feature, Manifold, Narrow, Nearness, Pose, Shape};
use crate::march::first_zero;
use glam::DVec3;

/// The ways of two solids, sides 0 and 1.
pub trait Ways: Copy {
    /// A moment on the way of one of them.
    type Moment: Copy;

    /// A side some time on its way.
    fn at(&self, side: usize, time: f64) -> Self::Moment;

    /// Where a side is at a moment.
    fn pose(&self, moment: &Self::Moment) -> Pose;

    /// How a side moves at a moment.
    fn motion(&self, side: usize, moment: &Self::Moment) -> Motion;

    /// The ways from some time on.
    fn later(&self, time: f64) -> Self;

    /// The ways with the sides exchanged.
    fn swapped(&self) -> Self;

    /// Where both sides are at a time.
    fn poses(&self, time: f64) -> [Pose; 2] {
        [0, 1].map(|side| self.pose(&self.at(side, time)))
    }
}

/// How a solid moves at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Its centre.
    pub place: DVec3,
    /// Velocity of the centre.
    pub velocity: DVec3,
    /// Its acceleration, which is steady.
    pub acceleration: DVec3,
    /// Angular velocity.
    pub spin: DVec3,
    /// What of its rate is steady.
    pub spin_rate: DVec3,
    /// What of its rate comes from turning about no principal axis.
    pub precession: DVec3,
}

/// Two shapes, with what a caller knows of them for long.
#[derive(Debug, Clone, Copy)]
pub struct Shapes<'a> {
    /// The two.
    pub shapes: [&'a Shape; 2],
    /// [`Shape::extent`] of each.
    pub extents: [f64; 2],
    /// [`Shape::thickness`] of each.
    pub thicknesses: [f64; 2],
}

/// A look knows how a solid turns for no longer than this, in radians.
const HORIZON: f64 = 0.5;
/// By what the rate of the spin grows within that, at most: Euler's equations give e^(2 κ ω t) with
/// κ ≤ 1.
const GROWTH: f64 = 3.0;

/// A solid at a moment of its way.
#[derive(Debug, Clone, Copy)]
struct Mover {
    place: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    spin: DVec3,
    /// Bounds the rate of the spin, torque and precession, until the horizon.
    rate: f64,
    /// For how long this is known.
    horizon: f64,
}

/// Finds first meetings; keeps its memory from one pair to the next.
#[derive(Debug, Clone, Default)]
pub struct Meetings {
    narrow: Narrow,
    resting: Vec<bool>,
    touching: Vec<[Feature; 2]>,
    found: Manifold,
    parabolas: [Vec<[f64; 4]>; 2],
}

impl Meetings {
    /// The first time in (0, `span`] at which parts of two solids that do not touch now come to
    /// touch, within a tolerance.
    pub fn first_meeting<W: Ways>(
        &mut self,
        shapes: Shapes<'_>,
        ways: W,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let movers = [0, 1].map(|side| Mover::of(&ways.motion(side, &ways.at(side, 0.0)), span));
        if stays_clear(movers, shapes.extents[0] + shapes.extents[1], span) {
            return None;
        }
        match shapes.shapes {
            [Shape::Sphere { radius: a }, Shape::Sphere { radius: b }] => {
                ball_ball::first_meeting(movers, a + b, tolerance, span)
            }
            [Shape::HalfSpace { .. }, Shape::HalfSpace { .. }] => None,
            [Shape::HalfSpace { normal }, other] => {
                self.half_space_and_solid((*normal, other), ways, tolerance, span)
            }
            [other, Shape::HalfSpace { normal }] => {
                self.half_space_and_solid((*normal, other), ways.swapped(), tolerance, span)
            }
            [Shape::Polyhedron(_), Shape::Sphere { radius }] => {
                self.polyhedron_and_ball(shapes, *radius, ways, tolerance, span)
            }
            [Shape::Sphere { radius }, Shape::Polyhedron(_)] => {
                self.polyhedron_and_ball(shapes.swapped(), *radius, ways.swapped(), tolerance, span)
            }
            [Shape::Polyhedron(_), Shape::Polyhedron(_)] => self.polyhedra(shapes, ways, tolerance, span),
        }
    }

    /// Replaces what was found by the contacts at given poses, with gaps up to a limit, whatever
    /// counts as closed.
    fn manifold_within(&mut self, shapes: Shapes<'_>, poses: [Pose; 2], limit: f64) {
        let near = Nearness { limit, tolerance: 0.0, extent: shapes.extents[0].min(shapes.extents[1]) };
        self.found.points.clear();
        self.narrow.pair_at(shapes.shapes, poses, near, &mut self.found);
    }
}

impl Shapes<'_> {
    fn swapped(self) -> Self {
        let Self { shapes: [a, b], extents: [c, d], thicknesses: [e, f] } = self;
        Self { shapes: [b, a], extents: [d, c], thicknesses: [f, e] }
    }
}

/// Whether the balls around two solids never meet.
fn stays_clear([a, b]: [Mover; 2], reach: f64, span: f64) -> bool {
    let between = b.place - a.place;
    let distance = between.length();
    if distance.partial_cmp(&reach) != Some(std::cmp::Ordering::Greater) {
        return false;
    }
    let n = between / distance;
    let (speed, pull) = (n.dot(b.velocity - a.velocity), n.dot(a.acceleration - b.acceleration));
    first_zero(distance - reach, speed, pull.max(0.0), span).is_none()
}

/// Visits the corners of a solid at a pose, with their numbers and arms; the centre where it has
/// none.
fn for_each_corner(shape: &Shape, pose: &Pose, mut visit: impl FnMut(usize, DVec3, DVec3)) {
    match shape {
        Shape::Polyhedron(shape) => {
            let turn = pose.rotation;
            for (k, &vertex) in shape.vertices().iter().enumerate() {
                let arm = turn * vertex;
                visit(k, pose.position + arm, arm);
            }
        }
        _ => visit(0, pose.position, DVec3::ZERO),
    }
}

/// For how long a gap is open, when nothing is known after `known` of the time that is left.
fn clear_for(zero: Option<f64>, known: f64, left: f64) -> Option<f64> {
    zero.or((known < left).then_some(known))
}

impl Mover {
    fn of(motion: &Motion, span: f64) -> Self {
        let Motion { place, velocity, acceleration, spin, spin_rate, precession } = *motion;
        let rate = GROWTH * (spin_rate + precession).length();
        let horizon = HORIZON / (spin.length() + span * spin_rate.length());
        Self { place, velocity, acceleration, spin, rate, horizon: horizon.min(span) }
    }

    /// Velocity of the point at an arm.
    fn at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// Bounds how much turning bends the way of a point: |ω × (ω × r)| + |dω/dt × r|, where ω
    /// itself turns.
    fn bend(&self, arm: DVec3) -> f64 {
        let (spin, reach) = (self.spin.length(), arm.length());
        if spin == 0.0 && self.rate == 0.0 {
            return 0.0;
        }
        let change = self.rate * self.horizon;
        let across = self.spin.cross(arm).length() / spin + reach * (change / spin);
        let across = if across < reach { across } else { reach };
        (spin + change) * (spin + change) * across + self.rate * reach
    }
}
