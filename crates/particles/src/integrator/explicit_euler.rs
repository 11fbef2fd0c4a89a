//! Explicit Euler: x⁺ = x + h v, v⁺ = v + h a(x, v).

use super::{Advance, Motion, add_scaled};
use glam::DVec2;

pub(crate) fn advance(mut motion: Motion<'_>, accelerations: &mut [DVec2]) -> Advance {
    motion.accelerations(accelerations);
    let h = motion.settings.time_step;
    add_scaled(&mut motion.state.positions, h, &motion.state.velocities);
    add_scaled(&mut motion.state.velocities, h, accelerations);
    Advance::EXPLICIT
}
