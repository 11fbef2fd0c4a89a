//! Springs between points of bodies, or points of the world.

use super::Load;
use crate::model::BodyIndex;
use crate::rotation::{Rotation, cross};
use crate::state::BodyState;
use glam::DVec2;

/// A spring between two anchors: f = k (l − l0) along the line from start to end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// End i of the course.
    pub start: Anchor,
    /// End j of the course.
    pub end: Anchor,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
}

/// Where an end of a spring is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// A point of the world.
    World(DVec2),
    /// A point of a body, in body axes from its centre of mass.
    Body(BodyIndex, DVec2),
}

/// An anchor in the world: where it is, and its arm from the centre of its body.
pub(super) struct Held {
    pub(super) point: DVec2,
    pub(super) arm: DVec2,
}

impl Spring {
    /// Pulls both ends. A spring of length 0 has no direction and pulls nothing, whatever its rest length (the course's
    /// program divides by zero there when the rest length is not 0).
    pub fn accumulate(&self, bodies: &[BodyState], loads: &mut [Load]) {
        let (start, end) = (self.start.held(bodies), self.end.held(bodies));
        let along = end.point - start.point;
        let length = along.length();
        if length == 0.0 {
            return;
        }
        let pull = self.stiffness * (length - self.rest_length) * (along / length);
        self.start.load(start.arm, pull, loads);
        self.end.load(end.arm, -pull, loads);
    }

    /// U = ½ k (l − l0)².
    pub fn potential_energy(&self, bodies: &[BodyState]) -> f64 {
        let stretch =
            (self.end.held(bodies).point - self.start.held(bodies).point).length() - self.rest_length;
        0.5 * self.stiffness * stretch * stretch
    }
}

impl Anchor {
    pub(super) fn held(self, bodies: &[BodyState]) -> Held {
        match self {
            Anchor::World(point) => Held { point, arm: DVec2::ZERO },
            Anchor::Body(body, offset) => {
                let state = &bodies[body.get()];
                let arm = Rotation::by(state.angle).apply(offset);
                Held { point: arm + state.position, arm }
            }
        }
    }

    /// Velocity of an anchor, whose arm is known.
    pub(super) fn velocity(self, arm: DVec2, bodies: &[BodyState]) -> DVec2 {
        match self {
            Anchor::World(_) => DVec2::ZERO,
            Anchor::Body(body, _) => bodies[body.get()].velocity_at(arm),
        }
    }

    pub(super) fn load(self, arm: DVec2, force: DVec2, loads: &mut [Load]) {
        if let Anchor::Body(body, _) = self {
            let load = &mut loads[body.get()];
            load.force += force;
            load.torque += cross(arm, force);
        }
    }
}
