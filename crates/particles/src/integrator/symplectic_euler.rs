//! Symplectic Euler, the course's forward-backward Euler: v⁺ = v + h a(x, v), x⁺ = x + h v⁺.

use super::{Advance, Motion, add_scaled};
use glam::DVec2;

pub(crate) fn advance(mut motion: Motion<'_>, accelerations: &mut [DVec2]) -> Advance {
    motion.accelerations(accelerations);
    let h = motion.settings.time_step;
    add_scaled(&mut motion.state.velocities, h, accelerations);
    add_scaled(&mut motion.state.positions, h, &motion.state.velocities);
    Advance::EXPLICIT
}
