//! Momentum and energy of all bodies.

use crate::force;
use crate::model::{Body, Model};
use crate::state::BodyState;
use glam::DVec3;

/// Sums over all bodies that can move: free ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Linear momentum.
    pub momentum: DVec3,
    /// Angular momentum about the origin, orbital and spin.
    pub angular_momentum: DVec3,
    /// Kinetic energy, of centres and of spin.
    pub kinetic: f64,
    /// Potential energy of gravity on free bodies, and of springs.
    pub potential: f64,
}

impl Totals {
    /// Of all free bodies. Bodies are added in order.
    pub fn of(model: &Model, bodies: &[BodyState]) -> Self {
        Self { potential: force::potential_energy(model, bodies), ..Self::of_motion(model, bodies) }
    }

    /// The same without potential energy, which then is 0.
    pub fn of_motion(model: &Model, bodies: &[BodyState]) -> Self {
        let mut totals = Self::default();
        for (body, state) in model.bodies.iter().zip(bodies).filter(|(body, _)| body.motion.is_free()) {
            totals.momentum += state.momentum;
            totals.angular_momentum += state.position.cross(state.momentum) + state.angular_momentum;
            totals.kinetic += kinetic_energy(body, state);
        }
        totals
    }
}

/// ½ P · v + ½ L · ω of one body.
pub fn kinetic_energy(body: &Body, state: &BodyState) -> f64 {
    0.5 * state.momentum.dot(state.velocity(body))
        + 0.5 * state.angular_momentum.dot(state.angular_velocity(body))
}
