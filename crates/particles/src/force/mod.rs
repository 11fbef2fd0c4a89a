//! The forces on particles, one file each.
//!
//! All of them speak of the *gradient*: minus the force. For a force with a potential it is the
//! gradient of that potential; drag and the vortex have none, and theirs is minus the force by
//! definition. The *Jacobians* are derivatives of the gradient by positions and by velocities.
//!
//! # To add a force
//! 1. Write `force/<name>.rs`: a struct with its numbers; `energy` where it has a potential;
//!    `add_gradient`; and its Jacobian. A force between two particles that depends on their
//!    difference only gives a [`PairJacobian`] and gets its places in the matrix for nothing.
//! 2. Add a list of it to [`Forces`], and a line to each of [`Forces::energy`],
//!    [`Forces::add_gradient`], `check`, [`Forces::for_each_pair`] and
//!    [`Forces::for_each_pair_jacobian`]. (A force on single particles that depends on position or
//!    velocity, like drag, adds its Jacobian in `integrator/implicit_system.rs`.) The order of the
//!    lines is the order of summation; the first six are the course's and must stay first.
//! 3. Add a case to the finite-difference tests in `tests/jacobians.rs`.
//! 4. To read it from scene files: the schema in the `scene` crate, and the façade that fills
//!    [`Forces`].

mod constant;
mod drag;
mod evaluator;
mod gravitation;
mod layer;
mod penalty;
mod simple_gravity;
mod spring;
mod vortex;

pub use constant::Constant;
pub use drag::Drag;
pub(crate) use evaluator::ForceEvaluator;
pub use gravitation::Gravitation;
pub(crate) use penalty::PenaltyForce;
pub use simple_gravity::SimpleGravity;
pub use spring::Spring;
pub use vortex::Vortex;

use crate::{Model, ModelError, ParticleIndex};
use glam::{DMat2, DVec2};

/// All forces of a model, by kind. They are summed in the order of these fields, which is the order
/// of the course's program: it decides the last bit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forces {
    /// Springs with damping.
    pub springs: Vec<Spring>,
    /// Accelerations common to all particles.
    pub gravities: Vec<SimpleGravity>,
    /// Newton's gravitation between pairs.
    pub gravitations: Vec<Gravitation>,
    /// Forces common to all particles.
    pub constants: Vec<Constant>,
    /// Linear drag on all particles.
    pub drags: Vec<Drag>,
    /// The course's vortex force between pairs.
    pub vortices: Vec<Vortex>,
}

/// Where forces are evaluated: a model at some positions and velocities, which need not be those of
/// a state.
#[derive(Clone, Copy)]
pub struct Configuration<'a> {
    /// Masses and forces.
    pub model: &'a Model,
    /// One per particle.
    pub positions: &'a [DVec2],
    /// One per particle.
    pub velocities: &'a [DVec2],
    /// Reproduce the course's program: see [`crate::ParticleSettings::course`].
    pub course: bool,
}

/// Derivatives of the gradient at the second particle of a pair force, for a force that depends
/// only on the differences of positions and of velocities and acts on both particles with opposite
/// signs. The four blocks of each Jacobian are then +B, −B, −B, +B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairJacobian {
    /// By position. Two terms, added to the matrix one after the other, as the course's program
    /// does for the elastic and the damping part of a spring.
    pub position: [DMat2; 2],
    /// By velocity.
    pub velocity: DMat2,
}

impl Forces {
    /// Potential energy of the forces that have a potential.
    pub fn energy(&self, at: Configuration<'_>) -> f64 {
        let mut energy = 0.0;
        energy += self.springs.iter().map(|force| force.energy(at)).sum::<f64>();
        energy += self.gravities.iter().map(|force| force.energy(at)).sum::<f64>();
        energy += self.gravitations.iter().map(|force| force.energy(at)).sum::<f64>();
        energy += self.constants.iter().map(|force| force.energy(at)).sum::<f64>();
        energy
    }

    /// Adds the gradient of every force to `gradient`, in the fixed order.
    pub fn add_gradient(&self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        self.springs.iter().for_each(|force| force.add_gradient(at, gradient));
        self.gravities.iter().for_each(|force| force.add_gradient(at, gradient));
        self.gravitations.iter().for_each(|force| force.add_gradient(at, gradient));
        self.constants.iter().for_each(|force| force.add_gradient(at, gradient));
        self.drags.iter().for_each(|force| force.add_gradient(at, gradient));
        self.vortices.iter().for_each(|force| force.add_gradient(at, gradient));
    }

    /// Calls `visit` with the two particles of every pair force, in the fixed order.
    pub fn for_each_pair(&self, mut visit: impl FnMut(ParticleIndex, ParticleIndex)) {
        self.springs.iter().for_each(|force| visit(force.first, force.second));
        self.gravitations.iter().for_each(|force| visit(force.first, force.second));
        self.vortices.iter().for_each(|force| visit(force.first, force.second));
    }

    /// Calls `visit` with the Jacobian of every pair force, in the order of
    /// [`Forces::for_each_pair`].
    pub fn for_each_pair_jacobian(&self, at: Configuration<'_>, mut visit: impl FnMut(PairJacobian)) {
        self.springs.iter().for_each(|force| visit(force.jacobian(at)));
        self.gravitations.iter().for_each(|force| visit(force.jacobian(at)));
        self.vortices.iter().for_each(|force| visit(force.jacobian(at)));
    }

    /// Checks indices and numbers.
    pub(crate) fn check(&self, model: &Model) -> Result<(), ModelError> {
        for (index, force) in self.springs.iter().enumerate() {
            let numbers = [force.stiffness, force.rest_length, force.damping];
            check_pair_force(model, "spring", index, (force.first, force.second), &numbers)?;
        }
        for (index, force) in self.gravities.iter().enumerate() {
            check_numbers("simple gravity", index, &force.acceleration.to_array())?;
        }
        for (index, force) in self.gravitations.iter().enumerate() {
            check_pair_force(model, "gravitation", index, (force.first, force.second), &[force.constant])?;
        }
        for (index, force) in self.constants.iter().enumerate() {
            check_numbers("constant force", index, &force.force.to_array())?;
        }
        for (index, force) in self.drags.iter().enumerate() {
            check_numbers("drag", index, &[force.coefficient])?;
        }
        for (index, force) in self.vortices.iter().enumerate() {
            let numbers = [force.biot_savart, force.viscosity];
            check_pair_force(model, "vortex", index, (force.first, force.second), &numbers)?;
        }
        Ok(())
    }
}

fn check_pair_force(
    model: &Model,
    item: &'static str,
    index: usize,
    (first, second): (ParticleIndex, ParticleIndex),
    numbers: &[f64],
) -> Result<(), ModelError> {
    model.check_pair(item, index, first, second)?;
    if first == second {
        return Err(ModelError::SameParticle { item, index });
    }
    check_numbers(item, index, numbers)
}

fn check_numbers(item: &'static str, index: usize, numbers: &[f64]) -> Result<(), ModelError> {
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(())
    } else {
        Err(ModelError::BadNumber { item, index, quantity: "a coefficient" })
    }
}

/// What a pair force sees: the second particle from the first.
#[derive(Clone, Copy)]
struct Separation {
    /// Distance l.
    length: f64,
    /// Unit vector n from the first to the second. NaN at distance zero.
    direction: DVec2,
    /// Velocity of the second minus that of the first.
    velocity: DVec2,
}

impl Separation {
    fn between(at: Configuration<'_>, first: ParticleIndex, second: ParticleIndex) -> Self {
        let offset = at.positions[second.0] - at.positions[first.0];
        let length = offset.length();
        // By the reciprocal, as the course's vector library divides: the last bit depends on it.
        let direction = offset * (1.0 / length);
        Self { length, direction, velocity: at.velocities[second.0] - at.velocities[first.0] }
    }
}

/// Adds opposite vectors to the gradient at both ends.
fn add_to_pair(gradient: &mut [DVec2], first: ParticleIndex, second: ParticleIndex, at_second: DVec2) {
    gradient[first.0] -= at_second;
    gradient[second.0] += at_second;
}

/// The matrix a bᵀ.
fn outer_product(a: DVec2, b: DVec2) -> DMat2 {
    DMat2::from_cols(a * b.x, a * b.y)
}
