//! Resistance of a still medium.

use super::Load;
use crate::state::BodyState;

/// A force −c v on the centre of mass and a torque −d ω on every body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// c in kilograms a second, at least 0.
    pub linear: f64,
    /// d in newton metre seconds, at least 0.
    pub angular: f64,
}

impl Drag {
    /// Slows every body down.
    pub fn accumulate(&self, bodies: &[BodyState], loads: &mut [Load]) {
        for (state, load) in bodies.iter().zip(loads) {
            load.force -= self.linear * state.velocity;
            load.torque -= self.angular * state.angular_velocity;
        }
    }
}
