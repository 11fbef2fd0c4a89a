//! Springs and dampers between points of bodies, or points of the world.

use super::BodyIndex;
use glam::{DVec2, DVec3};
use std::ops::{Add, Div, Neg, Sub};

/// A point or an arrow of the plane or of space.
pub trait Point:
    Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> + Div<f64, Output = Self>
{
    /// The origin.
    const ZERO: Self;

    /// Euclidean length.
    fn length(self) -> f64;
    /// Inner product.
    fn dot(self, other: Self) -> f64;
    /// Times a number.
    fn scaled(self, s: f64) -> Self;
}

impl Point for DVec2 {
    const ZERO: Self = DVec2::ZERO;

    fn length(self) -> f64 {
        DVec2::length(self)
    }

    fn dot(self, other: Self) -> f64 {
        DVec2::dot(self, other)
    }

    fn scaled(self, s: f64) -> Self {
        s * self
    }
}

impl Point for DVec3 {
    const ZERO: Self = DVec3::ZERO;

    fn length(self) -> f64 {
        DVec3::length(self)
    }

    fn dot(self, other: Self) -> f64 {
        DVec3::dot(self, other)
    }

    fn scaled(self, s: f64) -> Self {
        s * self
    }
}

/// Bodies that springs are fastened to.
pub trait Carriers {
    /// Points of their world.
    type Point: Point;

    /// Where the centre of mass of a body is.
    fn center(&self, body: BodyIndex) -> Self::Point;
    /// A point of a body, given in body axes, as an arm from the centre of mass in world axes.
    fn arm(&self, body: BodyIndex, offset: Self::Point) -> Self::Point;
    /// Velocity of the point of a body at an arm.
    fn velocity_at(&self, body: BodyIndex, arm: Self::Point) -> Self::Point;
}

/// Where an end of a spring is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor<P> {
    /// A point of the world.
    World(P),
    /// A point of a body, in body axes from its centre of mass.
    Body(BodyIndex, P),
}

/// An anchor in the world: where it is, and its arm from the centre of its body.
struct Held<P> {
    point: P,
    arm: P,
}

impl<P: Point> Anchor<P> {
    fn held(self, bodies: &impl Carriers<Point = P>) -> Held<P> {
        match self {
            Anchor::World(point) => Held { point, arm: P::ZERO },
            Anchor::Body(body, offset) => {
                let arm = bodies.arm(body, offset);
                Held { point: arm + bodies.center(body), arm }
            }
        }
    }

    fn velocity(self, arm: P, bodies: &impl Carriers<Point = P>) -> P {
        match self {
            Anchor::World(_) => P::ZERO,
            Anchor::Body(body, _) => bodies.velocity_at(body, arm),
        }
    }
}

/// A spring between two anchors: f = k (l − l0) along the line from start to end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring<P> {
    /// One end: i of the course.
    pub start: Anchor<P>,
    /// The other end: j of the course.
    pub end: Anchor<P>,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
}

impl<P: Point> Spring<P> {
    /// Gives the force on both ends to `push`: the body, the arm of the end, the force. A spring of
    /// length 0 has no direction and pulls nothing, whatever its rest length (the course's program
    /// divides by zero there when the rest length is not 0).
    pub fn accumulate(&self, bodies: &impl Carriers<Point = P>, push: impl FnMut(BodyIndex, P, P)) {
        let along = |length: f64, _: [&Held<P>; 2]| self.stiffness * (length - self.rest_length);
        pull([self.start, self.end], bodies, along, push);
    }

    /// U = ½ k (l − l0)².
    pub fn potential_energy(&self, bodies: &impl Carriers<Point = P>) -> f64 {
        let length = (self.end.held(bodies).point - self.start.held(bodies).point).length();
        let stretch = length - self.rest_length;
        0.5 * self.stiffness * stretch * stretch
    }
}

/// A damper between two anchors: f = b dl/dt along the line from start to end. Beside a spring with
/// the same ends it makes a damped spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damper<P> {
    /// One end.
    pub start: Anchor<P>,
    /// The other end.
    pub end: Anchor<P>,
    /// b in newton seconds a metre, at least 0.
    pub coefficient: f64,
}

impl<P: Point> Damper<P> {
    /// As [`Spring::accumulate`]: resists the change of the distance of both ends.
    pub fn accumulate(&self, bodies: &impl Carriers<Point = P>, push: impl FnMut(BodyIndex, P, P)) {
        let along = |length: f64, [start, end]: [&Held<P>; 2]| {
            let unit = (end.point - start.point) / length;
            let speed = self.end.velocity(end.arm, bodies) - self.start.velocity(start.arm, bodies);
            self.coefficient * unit.dot(speed)
        };
        pull([self.start, self.end], bodies, along, push);
    }
}

/// Pulls two ends together with a force that `strength` gives.
fn pull<P: Point>(
    ends: [Anchor<P>; 2],
    bodies: &impl Carriers<Point = P>,
    strength: impl Fn(f64, [&Held<P>; 2]) -> f64,
    mut push: impl FnMut(BodyIndex, P, P),
) {
    let [start, end] = ends.map(|anchor| anchor.held(bodies));
    let along = end.point - start.point;
    let length = along.length();
    if length == 0.0 {
        return;
    }
    let force = (along / length).scaled(strength(length, [&start, &end]));
    for (anchor, held, force) in [(ends[0], start, force), (ends[1], end, -force)] {
        if let Anchor::Body(body, _) = anchor {
            push(body, held.arm, force);
        }
    }
}
