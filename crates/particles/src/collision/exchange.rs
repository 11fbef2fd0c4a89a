//! What the answers to the collisions of a step did to the motion as a whole.

use crate::energy::MotionTotals;
use crate::{Model, State};
use glam::DVec2;

/// The state at the end of a step with its collisions against that without them, summed over all
/// particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exchange {
    /// Kinetic energy without them.
    pub kinetic_before: f64,
    /// Kinetic energy with them.
    pub kinetic_after: f64,
    /// Linear momentum with them, less that without.
    pub momentum_change: DVec2,
    /// Angular momentum about the origin with them, less that without. Methods that also move
    /// particles change where momentum acts, by as much as they move: only those that leave
    /// positions alone keep it for free pairs.
    pub angular_momentum_change: f64,
}

impl Exchange {
    /// What became of a motion.
    pub(super) fn since(before: MotionTotals, model: &Model, end: &State) -> Self {
        let after = MotionTotals::of(model, end);
        Self {
            kinetic_before: before.kinetic,
            kinetic_after: after.kinetic,
            momentum_change: after.momentum - before.momentum,
            angular_momentum_change: after.angular_momentum - before.angular_momentum,
        }
    }
}
