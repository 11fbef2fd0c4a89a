//! A linear spring with damping along its axis.

use super::{Configuration, PairJacobian, Separation, add_to_pair, outer_product};
use crate::ParticleIndex;
use glam::{DMat2, DVec2};

/// Potential ½ k (l − l0)², where l is the distance of the two particles, and a damping force
/// b (n · (v₂ − v₁)) n along the unit vector n from the first to the second.
///
/// At length zero n does not exist. The gradient is then taken as zero: exact for a spring with
/// rest length zero, the mean over all directions for others. The course's program gets NaN there,
/// and so does [`crate::ParticleSettings::course`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// One end.
    pub first: ParticleIndex,
    /// The other end.
    pub second: ParticleIndex,
    /// Stiffness k in newtons per metre.
    pub stiffness: f64,
    /// Rest length l0 in metres.
    pub rest_length: f64,
    /// Damping b in newton seconds per metre.
    pub damping: f64,
}

impl Spring {
    /// Elastic energy.
    pub fn energy(&self, at: Configuration<'_>) -> f64 {
        let length = at.positions[self.first.0].distance(at.positions[self.second.0]);
        0.5 * self.stiffness * (length - self.rest_length) * (length - self.rest_length)
    }

    /// Adds minus the force to the gradient at both ends: first the elastic part, then the damping.
    /// Two additions, as in the course's program: the last bit depends on it.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        let Separation { length, direction, velocity } = Separation::between(at, self.first, self.second);
        if length == 0.0 && !at.course {
            return;
        }
        let elastic = (self.stiffness * (length - self.rest_length)) * direction;
        add_to_pair(gradient, self.first, self.second, elastic);
        let damping = (self.damping * direction.dot(velocity)) * direction;
        add_to_pair(gradient, self.first, self.second, damping);
    }

    /// By position k (nnᵀ + (l − l0)/l (1 − nnᵀ)) and (b/l) ((n·v) 1 + n vᵀ)(1 − nnᵀ), where v = v₂
    /// − v₁; by velocity b nnᵀ. The damping part is not symmetric.
    pub fn jacobian(&self, at: Configuration<'_>) -> PairJacobian {
        let Separation { length, direction, velocity } = Separation::between(at, self.first, self.second);
        if length == 0.0 && !at.course {
            let position = [DMat2::IDENTITY * self.stiffness, DMat2::ZERO];
            return PairJacobian { position, velocity: DMat2::ZERO };
        }
        let along = outer_product(direction, direction);
        let across = DMat2::IDENTITY - along;
        let elastic = self.stiffness * (along + ((length - self.rest_length) / length) * across);
        let turning = DMat2::IDENTITY * direction.dot(velocity) + outer_product(direction, velocity);
        let damping = (self.damping / length) * (turning * across);
        PairJacobian { position: [elastic, damping], velocity: self.damping * along }
    }
}
