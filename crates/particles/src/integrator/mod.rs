//! The time stepping methods, one file each. They move particles as if nothing could touch; contact
//! comes later.
//!
//! # To add a method
//! 1. Write `integrator/<name>.rs` with a function `advance` that changes the positions and
//!    velocities of a [`Motion`]. It carries nothing from one step to the next but buffers, so that
//!    a resumed run gives the same bits. Fixed particles have zero acceleration: they keep their
//!    velocity and move along at it.
//! 2. Add a variant to [`crate::Integrator`] and a line to [`Stepper::advance`]; buffers go into
//!    [`Stepper`].
//! 3. Add it to the tests of closed forms and convergence orders in `tests/`.

mod dormand_prince;
mod explicit_euler;
mod implicit_euler;
mod implicit_system;
mod linearized_implicit_euler;
mod runge_kutta;
mod symplectic_euler;
mod velocity_verlet;

use crate::force::ForceEvaluator;
use crate::{IntegrationStatus, Integrator, Model, ModelError, ParticleSettings, State};
use glam::DVec2;
use implicit_system::ImplicitSystem;

/// What a method works on: everything but its own buffers.
pub(crate) struct Motion<'a> {
    pub(crate) model: &'a Model,
    pub(crate) settings: &'a ParticleSettings,
    pub(crate) forces: &'a mut ForceEvaluator,
    pub(crate) state: &'a mut State,
}

impl Motion<'_> {
    /// Accelerations at the present state.
    fn accelerations(&mut self, accelerations: &mut [DVec2]) {
        self.forces.accelerations(self.model, &self.state.positions, &self.state.velocities, accelerations);
    }
}

/// How the advance without contact went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Advance {
    pub(crate) status: IntegrationStatus,
    /// Newton iterations, or substeps of an adaptive method; 1 for methods that have neither.
    pub(crate) iterations: u32,
    /// What is left of the equation that was to be solved; zero for explicit methods.
    pub(crate) residual: f64,
    pub(crate) linear_work: LinearWork,
}

impl Advance {
    /// An explicit method always comes to its end.
    pub(crate) const EXPLICIT: Self = Self {
        status: IntegrationStatus::Completed,
        iterations: 1,
        residual: 0.0,
        linear_work: LinearWork::NONE,
    };
}

/// What the linear systems of a step took. It does not depend on the machine, so tests can hold its
/// growth to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearWork {
    /// Products of two by two blocks, with a product of a block and a vector counting one half.
    pub operations: u64,
    /// Blocks in the factors that are kept: the measure of memory.
    pub factor_entries: u64,
}

impl LinearWork {
    /// Of a method without linear systems.
    pub(crate) const NONE: Self = Self { operations: 0, factor_entries: 0 };
}

/// The chosen method with its buffers, which are allocated once.
#[derive(Debug, Clone)]
pub(crate) enum Stepper {
    ExplicitEuler { accelerations: Vec<DVec2> },
    SymplecticEuler { accelerations: Vec<DVec2> },
    LinearizedImplicitEuler(Box<linearized_implicit_euler::Buffers>),
    ImplicitEuler(Box<implicit_euler::Buffers>),
    VelocityVerlet(velocity_verlet::Buffers),
    RungeKutta4(runge_kutta::Buffers),
    DormandPrince(dormand_prince::Buffers),
}

impl Stepper {
    pub(crate) fn new(model: &Model, settings: &ParticleSettings) -> Result<Self, ModelError> {
        let count = model.particles.len();
        let zeros = || vec![DVec2::ZERO; count];
        let system = || ImplicitSystem::new(model).ok_or(ModelError::TooManyPairs);
        Ok(match settings.integrator {
            Integrator::ExplicitEuler => Self::ExplicitEuler { accelerations: zeros() },
            Integrator::SymplecticEuler => Self::SymplecticEuler { accelerations: zeros() },
            Integrator::LinearizedImplicitEuler => {
                let buffers = linearized_implicit_euler::Buffers::new(system()?, count);
                Self::LinearizedImplicitEuler(Box::new(buffers))
            }
            Integrator::ImplicitEuler => {
                Self::ImplicitEuler(Box::new(implicit_euler::Buffers::new(system()?, count)))
            }
            Integrator::VelocityVerlet => Self::VelocityVerlet(velocity_verlet::Buffers::new(count)),
            Integrator::RungeKutta4 => Self::RungeKutta4(runge_kutta::Buffers::new(count, 4)),
            Integrator::DormandPrince { relative_tolerance, absolute_tolerance } => {
                let tolerance = dormand_prince::Tolerance { relative_tolerance, absolute_tolerance };
                Self::DormandPrince(dormand_prince::Buffers::new(count, tolerance))
            }
        })
    }

    /// Moves all particles by one time step as if nothing could touch.
    pub(crate) fn advance(&mut self, motion: Motion<'_>) -> Advance {
        match self {
            Self::ExplicitEuler { accelerations } => explicit_euler::advance(motion, accelerations),
            Self::SymplecticEuler { accelerations } => symplectic_euler::advance(motion, accelerations),
            Self::LinearizedImplicitEuler(buffers) => linearized_implicit_euler::advance(motion, buffers),
            Self::ImplicitEuler(buffers) => implicit_euler::advance(motion, buffers),
            Self::VelocityVerlet(buffers) => velocity_verlet::advance(motion, buffers),
            Self::RungeKutta4(buffers) => runge_kutta::advance_rk4(motion, buffers),
            Self::DormandPrince(buffers) => dormand_prince::advance(motion, buffers),
        }
    }
}

/// target += factor · change, one particle after the other.
fn add_scaled(target: &mut [DVec2], factor: f64, change: &[DVec2]) {
    for (target, change) in target.iter_mut().zip(change) {
        *target += factor * *change;
    }
}
