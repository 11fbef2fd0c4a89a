//! What changes while a world runs: where every body is and how it moves.

use crate::rotation::{Rotation, perp};
use glam::DVec2;

/// The state of all bodies at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// One for each body, in the order of the model.
    pub bodies: Vec<BodyState>,
    /// Steps since the start.
    pub step: u64,
}

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// Centre of mass X.
    pub position: DVec2,
    /// Angle θ in radians, counter-clockwise, never wrapped.
    pub angle: f64,
    /// Velocity V of the centre of mass.
    pub velocity: DVec2,
    /// Angular velocity ω in radians a second.
    pub angular_velocity: f64,
}

impl BodyState {
    /// A body at rest at a place.
    pub fn at(position: DVec2) -> Self {
        Self { position, ..Self::default() }
    }

    /// The world point of an offset in body axes.
    pub fn world_point(&self, offset: DVec2) -> DVec2 {
        Rotation::by(self.angle).apply(offset) + self.position
    }

    /// Velocity of the material point at `arm` from the centre, in world axes.
    pub fn velocity_at(&self, arm: DVec2) -> DVec2 {
        self.velocity + self.angular_velocity * perp(arm)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.angle.is_finite()
            && self.velocity.is_finite()
            && self.angular_velocity.is_finite()
    }
}
