//! Linear drag on every particle.

use super::Configuration;
use glam::DVec2;

/// The force −b v. It has no potential.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// Coefficient b in newton seconds per metre.
    pub coefficient: f64,
}

impl Drag {
    /// Adds minus the force to the gradient of every particle.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        for (velocity, gradient) in at.velocities.iter().zip(gradient) {
            *gradient += self.coefficient * *velocity;
        }
    }

    /// Derivative of the gradient of a particle by its own velocity: this times the identity.
    pub fn velocity_jacobian(&self) -> f64 {
        self.coefficient
    }
}
