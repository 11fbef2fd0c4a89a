//! The vortex force of the course: two particles drag each other around.

use super::{Configuration, PairJacobian, Separation, add_to_pair, outer_product};
use crate::ParticleIndex;
use glam::{DMat2, DVec2};

/// Force w = kvc / l² (kbs rot(n) − (v₂ − v₁)) on the second particle and −w on the first, where l
/// is their distance, n the unit vector from the first to the second, and rot turns by a quarter
/// against the clock. It has no potential. (Course, theme 1, milestone 3.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vortex {
    /// One particle.
    pub first: ParticleIndex,
    /// The other.
    pub second: ParticleIndex,
    /// Biot–Savart coefficient kbs: the relative speed towards which the pair is driven.
    pub biot_savart: f64,
    /// Viscosity coefficient kvc: how hard.
    pub viscosity: f64,
}

impl Vortex {
    /// Adds minus the force to the gradient at both ends.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        let Separation { length, direction, velocity } = Separation::between(at, self.first, self.second);
        let slip = self.biot_savart * direction.perp() - velocity;
        // In this order, which gives the bits of the course's program.
        let force = self.viscosity * (slip * (1.0 / (length * length)));
        add_to_pair(gradient, self.first, self.second, -force);
    }

    /// With d = l n and v = v₂ − v₁, by position −kvc (kbs (R − 3 rot(n) nᵀ) / l³ + 2 v nᵀ / l³),
    /// where R is the matrix of rot; by velocity kvc / l². The course's program has no such
    /// Jacobian.
    pub fn jacobian(&self, at: Configuration<'_>) -> PairJacobian {
        let Separation { length, direction, velocity } = Separation::between(at, self.first, self.second);
        let quarter_turn = DMat2::from_cols(DVec2::Y, DVec2::NEG_X);
        let swirl = self.biot_savart * (quarter_turn - 3.0 * outer_product(direction.perp(), direction));
        let friction = 2.0 * outer_product(velocity, direction);
        let position = (-self.viscosity / (length * length * length)) * (swirl + friction);
        let velocity = DMat2::IDENTITY * (self.viscosity / (length * length));
        PairJacobian { position: [position, DMat2::ZERO], velocity }
    }
}
