//! What the answers to the collisions of a step did to the motion as a whole.

use super::{CollisionReport, Handler, Resort};
use crate::energy::MotionTotals;
use crate::{Model, State};
use glam::DVec2;

/// The state at the end of a step with its collisions against that without them, summed over all particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exchange {
    /// Kinetic energy without them.
    pub kinetic_before: f64,
    /// Kinetic energy with them.
    pub kinetic_after: f64,
    /// Linear momentum with them, less that without.
    pub momentum_change: DVec2,
    /// Angular momentum about the origin with them, less that without. Methods that also move particles change where momentum acts, by as
    /// much as they move: only those that leave positions alone keep it for free pairs.
    pub angular_momentum_change: f64,
}

/// What was answered, if anything, given the totals before.
pub(super) fn of(
    handler: &Handler,
    report: &CollisionReport,
    before: MotionTotals,
    (model, end): (&Model, &State),
) -> Option<Exchange> {
    // friction of a repulsion acts without contacts
    let perhaps = handler.repulsion.is_some();
    let surely = !handler.contacts.is_empty() || report.resort != Resort::None;
    if !perhaps && !surely {
        return None;
    }
    let after = MotionTotals::of(model, end);
    (surely || after != before).then(|| Exchange {
        kinetic_before: before.kinetic,
        kinetic_after: after.kinetic,
        momentum_change: after.momentum - before.momentum,
        angular_momentum_change: after.angular_momentum - before.angular_momentum,
    })
}
