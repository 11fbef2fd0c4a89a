//! The same acceleration for every particle.

use super::Configuration;
use glam::DVec2;

/// Potential −m g · x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimpleGravity {
    /// Acceleration g in metres per second squared.
    pub acceleration: DVec2,
}

impl SimpleGravity {
    /// Energy above the origin.
    pub fn energy(&self, at: Configuration<'_>) -> f64 {
        let particles = at.model.particles.iter().zip(at.positions);
        let weighing = particles.filter(|(particle, _)| !particle.fixed);
        weighing.map(|(particle, x)| -particle.mass * self.acceleration.dot(*x)).sum()
    }

    /// Adds minus the force to the gradient of every particle. Both Jacobians are zero.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        for (particle, gradient) in at.model.particles.iter().zip(gradient) {
            *gradient -= particle.mass * self.acceleration;
        }
    }
}
