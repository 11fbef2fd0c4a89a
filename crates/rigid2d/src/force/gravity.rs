//! Gravity: the same acceleration for all bodies.

use super::Load;
use crate::model::{Body, Model};
use crate::state::BodyState;
use glam::DVec2;

/// F += M g on every body; no torque.
pub fn accumulate(acceleration: DVec2, bodies: &[Body], loads: &mut [Load]) {
    for (body, load) in bodies.iter().zip(loads) {
        load.force += body.mass * acceleration;
    }
}

/// U = −Σ M g · X over the bodies that `counted` names.
pub fn potential_energy(
    acceleration: DVec2,
    model: &Model,
    bodies: &[BodyState],
    counted: impl Fn(&Body) -> bool,
) -> f64 {
    let mut energy = 0.0;
    for (body, state) in model.bodies.iter().zip(bodies).filter(|(body, _)| counted(body)) {
        energy -= body.mass * acceleration.dot(state.position);
    }
    energy
}
