//! Momentum and energy, of each body and of all.

use crate::force;
use crate::model::{Body, Model};
use crate::rotation::cross;
use crate::state::BodyState;
use glam::DVec2;

/// What the course's files hold for one body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyQuantities {
    /// Linear momentum P = M V.
    pub momentum: DVec2,
    /// Angular momentum of the centre of mass about the origin, M X × V.
    pub orbital_angular_momentum: f64,
    /// Angular momentum about the centre of mass, I ω.
    pub spin_angular_momentum: f64,
    /// ½ M |V|².
    pub translational_energy: f64,
    /// ½ I ω².
    pub rotational_energy: f64,
}

/// Sums over all bodies that can move: free ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Linear momentum.
    pub momentum: DVec2,
    /// Angular momentum about the origin, orbital and spin.
    pub angular_momentum: f64,
    /// Kinetic energy, of centres and of spin.
    pub kinetic: f64,
    /// Potential energy of gravity on free bodies, and of springs.
    pub potential: f64,
}

impl BodyQuantities {
    /// Of one body.
    pub fn of(body: &Body, state: &BodyState) -> Self {
        Self {
            momentum: body.mass * state.velocity,
            orbital_angular_momentum: body.mass * cross(state.position, state.velocity),
            spin_angular_momentum: body.inertia * state.angular_velocity,
            translational_energy: 0.5 * body.mass * state.velocity.length_squared(),
            rotational_energy: 0.5 * body.inertia * state.angular_velocity * state.angular_velocity,
        }
    }
}

impl Totals {
    /// Of all free bodies. Bodies are added in order.
    pub fn of(model: &Model, bodies: &[BodyState]) -> Self {
        Self { potential: force::potential_energy(model, bodies, is_free), ..Self::of_motion(model, bodies) }
    }

    /// The same without potential energy, which then is 0.
    pub fn of_motion(model: &Model, bodies: &[BodyState]) -> Self {
        let mut totals = Self::default();
        for (body, state) in model.bodies.iter().zip(bodies).filter(|(body, _)| is_free(body)) {
            let own = BodyQuantities::of(body, state);
            totals.momentum += own.momentum;
            totals.angular_momentum += own.orbital_angular_momentum + own.spin_angular_momentum;
            totals.kinetic += own.translational_energy + own.rotational_energy;
        }
        totals
    }
}

/// The course's potential energy, which counts the weight of fixed bodies too.
pub fn course_potential_energy(model: &Model, bodies: &[BodyState]) -> f64 {
    force::potential_energy(model, bodies, |_| true)
}

fn is_free(body: &Body) -> bool {
    body.motion.is_free()
}
