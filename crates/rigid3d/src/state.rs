//! What changes while a world runs: where every body is and how it moves.

use crate::model::Body;
use crate::orientation::Orientation;
use glam::{DMat3, DVec3};

/// The state of all bodies at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// One for each body, in the order of the model.
    pub bodies: Vec<BodyState>,
    /// Steps since the start.
    pub step: u64,
}

/// Where a body is and how it moves: the lecture's x, R or q, P and L.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// Centre of mass x.
    pub position: DVec3,
    /// Orientation R or q.
    pub orientation: Orientation,
    /// Linear momentum P.
    pub momentum: DVec3,
    /// Angular momentum L about the centre of mass, in world axes.
    pub angular_momentum: DVec3,
}

impl BodyState {
    /// A body at rest at a place, not turned.
    pub fn at(position: DVec3) -> Self {
        Self { position, ..Self::default() }
    }

    /// The same place with the momenta of a velocity and an angular velocity.
    pub fn moving(self, body: &Body, velocity: DVec3, angular_velocity: DVec3) -> Self {
        Self {
            momentum: body.mass * velocity,
            angular_momentum: self.inertia(body) * angular_velocity,
            ..self
        }
    }

    /// Velocity v = P / M of the centre of mass.
    pub fn velocity(&self, body: &Body) -> DVec3 {
        self.momentum / body.mass
    }

    /// Angular velocity ω = I⁻¹ L in world axes.
    pub fn angular_velocity(&self, body: &Body) -> DVec3 {
        let r = self.orientation.matrix();
        r * (*body.inverse_inertia() * (r.transpose() * self.angular_momentum))
    }

    /// Inertia in world axes, R I Rᵀ.
    pub fn inertia(&self, body: &Body) -> DMat3 {
        turned(&self.orientation.matrix(), body.inertia())
    }

    /// Inverse inertia in world axes, R I⁻¹ Rᵀ.
    pub fn inverse_inertia(&self, body: &Body) -> DMat3 {
        turned(&self.orientation.matrix(), body.inverse_inertia())
    }

    /// The world point of an offset in body axes.
    pub fn world_point(&self, offset: DVec3) -> DVec3 {
        self.orientation.matrix() * offset + self.position
    }

    /// Velocity of the material point of the body that is at a world point: the lecture's
    /// `pt_velocity`.
    pub fn velocity_at(&self, body: &Body, point: DVec3) -> DVec3 {
        self.velocity(body) + self.angular_velocity(body).cross(point - self.position)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.orientation.is_finite()
            && self.momentum.is_finite()
            && self.angular_momentum.is_finite()
    }
}

fn turned(r: &DMat3, body_axes: &DMat3) -> DMat3 {
    *r * *body_axes * r.transpose()
}
