//! The same force on every particle, whatever its mass.

use super::Configuration;
use glam::DVec2;

/// Potential −f · x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constant {
    /// Force f in newtons.
    pub force: DVec2,
}

impl Constant {
    /// Energy above the origin.
    pub fn energy(&self, at: Configuration<'_>) -> f64 {
        let particles = at.model.particles.iter().zip(at.positions);
        particles.filter(|(particle, _)| !particle.fixed).map(|(_, x)| -self.force.dot(*x)).sum()
    }

    /// Adds minus the force to the gradient of every particle. Both Jacobians are zero.
    pub fn add_gradient(&self, _at: Configuration<'_>, gradient: &mut [DVec2]) {
        gradient.iter_mut().for_each(|gradient| *gradient -= self.force);
    }
}
