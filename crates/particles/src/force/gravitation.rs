//! Newton's gravitation between two particles.

use super::{Configuration, PairJacobian, Separation, add_to_pair, outer_product};
use crate::ParticleIndex;
use glam::{DMat2, DVec2};

/// Potential −G m₁ m₂ / l, where l is the distance of the two particles. At distance zero it has no
/// value and the step reports a state that is not finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravitation {
    /// One particle.
    pub first: ParticleIndex,
    /// The other.
    pub second: ParticleIndex,
    /// The constant G.
    pub constant: f64,
}

impl Gravitation {
    /// Negative for attraction, zero at infinity.
    pub fn energy(&self, at: Configuration<'_>) -> f64 {
        -self.strength(at) / at.positions[self.first.0].distance(at.positions[self.second.0])
    }

    /// Adds minus the force, G m₁ m₂ / l² along the axis, to the gradient at both ends.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        let Separation { length, direction, .. } = Separation::between(at, self.first, self.second);
        let pull = (self.strength(at) / (length * length)) * direction;
        add_to_pair(gradient, self.first, self.second, pull);
    }

    /// By position G m₁ m₂ / l³ (1 − 3 nnᵀ), where n is the unit vector between them.
    pub fn jacobian(&self, at: Configuration<'_>) -> PairJacobian {
        let Separation { length, direction, .. } = Separation::between(at, self.first, self.second);
        let shape = DMat2::IDENTITY - 3.0 * outer_product(direction, direction);
        let position = (self.strength(at) / (length * length * length)) * shape;
        PairJacobian { position: [position, DMat2::ZERO], velocity: DMat2::ZERO }
    }

    /// G m₁ m₂.
    fn strength(&self, at: Configuration<'_>) -> f64 {
        self.constant * at.model.particles[self.first.0].mass * at.model.particles[self.second.0].mass
    }
}
