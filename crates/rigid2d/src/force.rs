//! Forces and torques on bodies, and the potential energy of those that have one.

pub mod damper;
pub mod drag;
pub mod gravity;
pub mod penalty;
pub mod spring;
pub mod wind;

pub use damper::Damper;
pub use drag::Drag;
pub use penalty::Penalty;
pub use spring::{Anchor, Spring};
pub use wind::Wind;

use crate::model::{Body, Model};
use crate::state::BodyState;
use glam::DVec2;

/// The forces of a model. They are added up in the order of these fields, each list in its own order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forces {
    /// Accelerations of the same gravity for all bodies.
    pub gravities: Vec<DVec2>,
    /// Springs between bodies, or to the world.
    pub springs: Vec<Spring>,
    /// Wind on the outlines of all bodies.
    pub winds: Vec<Wind>,
    /// Dampers between bodies, or to the world.
    pub dampers: Vec<Damper>,
    /// Resistance of a still medium to the motion of all bodies.
    pub drags: Vec<Drag>,
}

/// What acts on a body: a force on its centre of mass and a torque about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Sum of the forces.
    pub force: DVec2,
    /// Sum of the torques about the centre of mass, counter-clockwise.
    pub torque: f64,
}

/// Adds every force of the model at a state to `loads`, one load for each body.
pub fn accumulate(model: &Model, bodies: &[BodyState], loads: &mut [Load]) {
    for &acceleration in &model.forces.gravities {
        gravity::accumulate(acceleration, &model.bodies, loads);
    }
    for spring in &model.forces.springs {
        spring.accumulate(bodies, loads);
    }
    for wind in &model.forces.winds {
        wind.accumulate(&model.bodies, bodies, loads);
    }
    for damper in &model.forces.dampers {
        damper.accumulate(bodies, loads);
    }
    for drag in &model.forces.drags {
        drag.accumulate(bodies, loads);
    }
}

/// Potential energy of every force that has one. Gravity counts the bodies that `counted` names.
pub fn potential_energy(model: &Model, bodies: &[BodyState], counted: impl Fn(&Body) -> bool) -> f64 {
    let mut energy = 0.0;
    for &acceleration in &model.forces.gravities {
        energy += gravity::potential_energy(acceleration, model, bodies, &counted);
    }
    for spring in &model.forces.springs {
        energy += spring.potential_energy(bodies);
    }
    energy
}
