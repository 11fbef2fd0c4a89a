//! Energy and momentum of a state.

use crate::force::Configuration;
use crate::{Model, State};
use glam::DVec2;

/// What is conserved when nothing dissipates and nothing outside pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Invariants {
    /// Σ ½ m v².
    pub kinetic_energy: f64,
    /// Of the forces that have a potential.
    pub potential_energy: f64,
    /// Σ m v.
    pub linear_momentum: DVec2,
    /// Σ m x × v about the origin.
    pub angular_momentum: f64,
}

impl Invariants {
    /// Kinetic and potential energy together.
    pub fn total_energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy
    }
}

/// All invariants of a state. Fixed particles count with the mass that they were given.
pub fn invariants(model: &Model, state: &State) -> Invariants {
    Invariants {
        kinetic_energy: kinetic(model, state),
        potential_energy: potential(model, state),
        linear_momentum: linear_momentum(model, state),
        angular_momentum: angular_momentum(model, state),
    }
}

/// Σ ½ m v².
pub fn kinetic(model: &Model, state: &State) -> f64 {
    let particles = model.particles.iter().zip(&state.velocities);
    particles.map(|(particle, v)| 0.5 * particle.mass * v.length_squared()).sum()
}

/// Energy of the forces that have a potential: springs, gravity, gravitation, constant forces.
pub fn potential(model: &Model, state: &State) -> f64 {
    model.forces.energy(Configuration {
        model,
        positions: &state.positions,
        velocities: &state.velocities,
        course: false,
    })
}

/// Σ m v.
pub fn linear_momentum(model: &Model, state: &State) -> DVec2 {
    model.particles.iter().zip(&state.velocities).map(|(particle, v)| particle.mass * *v).sum()
}

/// Σ m (x v_y − y v_x), about the origin.
pub fn angular_momentum(model: &Model, state: &State) -> f64 {
    let moving = state.positions.iter().zip(&state.velocities);
    model.particles.iter().zip(moving).map(|(particle, (x, v))| particle.mass * x.perp_dot(*v)).sum()
}

/// Kinetic energy, linear momentum and angular momentum about the origin, in one pass over the
/// particles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct MotionTotals {
    pub(crate) kinetic: f64,
    pub(crate) momentum: DVec2,
    pub(crate) angular_momentum: f64,
}

impl MotionTotals {
    /// Of a state, with the same bits as [`invariants`].
    pub(crate) fn of(model: &Model, state: &State) -> Self {
        let mut totals = Self::default();
        let moving = state.positions.iter().zip(&state.velocities);
        for (particle, (x, v)) in model.particles.iter().zip(moving) {
            totals.kinetic += 0.5 * particle.mass * v.length_squared();
            totals.momentum += particle.mass * *v;
            totals.angular_momentum += particle.mass * x.perp_dot(*v);
        }
        totals
    }
}
