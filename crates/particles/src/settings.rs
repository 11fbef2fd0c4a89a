//! How a world is stepped: method, step length, tolerances.

use crate::CollisionSettings;
use carom_stepping::ContactSettings;

/// Everything about stepping that is not physics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParticleSettings {
    /// Length of a step in seconds, positive.
    pub time_step: f64,
    /// How positions and velocities are advanced.
    pub integrator: Integrator,
    /// Reproduce the course's program where it differs from what is right (`--course`). Here: a
    /// spring of length zero gives NaN instead of no force, and a state that is not finite is
    /// carried on.
    pub course: bool,
    /// How collisions are answered.
    pub collision: CollisionSettings,
    /// The non-linear solve of [`Integrator::ImplicitEuler`].
    pub newton: NewtonSettings,
    /// The substeps of [`Integrator::DormandPrince`].
    pub adaptive: AdaptiveSettings,
}

impl ParticleSettings {
    /// Defaults, with symplectic Euler and no collisions.
    pub fn with_time_step(time_step: f64) -> Self {
        Self {
            time_step,
            integrator: Integrator::SymplecticEuler,
            course: false,
            collision: CollisionSettings::default(),
            newton: NewtonSettings::default(),
            adaptive: AdaptiveSettings::default(),
        }
    }
}

impl ParticleSettings {
    /// How the step of all families answers collisions; none where the course's order does, under
    /// [`ParticleSettings::course`] and for the methods that are warnings.
    pub(crate) fn contact_settings(&self) -> Option<ContactSettings> {
        let response = self.collision.response.at_instants().filter(|_| !self.course)?;
        Some(ContactSettings {
            friction: self.collision.friction,
            contact_tolerance: self.collision.touch_tolerance,
            ..ContactSettings::with_restitution(response, self.collision.restitution.clamp(0.0, 1.0))
        })
    }
}

/// The time stepping methods. One file each in `integrator/`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Integrator {
    /// First order; gains energy.
    ExplicitEuler,
    /// First order, symplectic: energy of an undamped system oscillates and does not drift.
    /// The course calls it forward-backward Euler.
    SymplecticEuler,
    /// First order, one linear solve: stable for stiff springs, loses energy.
    LinearizedImplicitEuler,
    /// First order, Newton's method: stable for stiff springs, loses energy.
    ImplicitEuler,
    /// Second order, symplectic where forces do not depend on velocities.
    VelocityVerlet,
    /// Fourth order, the classic Runge–Kutta method.
    RungeKutta4,
    /// Dormand and Prince's embedded pair of order 5(4), with substeps of its own inside the time
    /// step.
    DormandPrince {
        /// Error allowed in a substep relative to the size of a value, not negative.
        relative_tolerance: f64,
        /// Error allowed in a substep in any case, not negative. One of the two is positive.
        absolute_tolerance: f64,
    },
}

impl Integrator {
    /// Whether a step solves an equation with the Jacobians of the forces.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::LinearizedImplicitEuler | Self::ImplicitEuler)
    }
}

/// Newton's method in implicit Euler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonSettings {
    /// Converged when the 2-norm of the velocity update, over all particles, is below this. In
    /// metres per second. The default, 1e-9, is the course's.
    pub update_tolerance: f64,
    /// Full Newton steps that are tried first, exactly as the course's program takes them. Where
    /// they converge, nothing else happens. Default 25: Newton's method that works needs fewer than
    /// ten.
    pub plain_iterations: u32,
    /// Steps with a line search that are tried from the start again if the full steps did not
    /// converge, and full steps that follow if the line search stalls; zero for none of both.
    /// Default 100.
    pub damped_iterations: u32,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { update_tolerance: 1e-9, plain_iterations: 25, damped_iterations: 100 }
    }
}

/// The substeps of an adaptive method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaptiveSettings {
    /// Most substeps, refused ones included, inside one time step. Default 10,000.
    pub max_substeps: u32,
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self { max_substeps: 10_000 }
    }
}
