//! Velocity Verlet: x⁺ = x + h v + ½ h² a, v⁺ = v + ½ h (a + a⁺), where a⁺ = a(x⁺, v + h a).
//!
//! Swope et al., "A computer simulation method…" (J. Chem. Phys. 76, 1982), equations 1 and 2. They
//! have forces that depend on positions only; for drag and damping we take the velocity predicted
//! by explicit Euler in a⁺, which keeps second order. a is computed again in every step, not kept
//! from the last: a collision may have changed the state in between, and a resumed run must give
//! the same bits.

use super::{Advance, Motion, add_scaled};
use glam::DVec2;

#[derive(Debug, Clone)]
pub(crate) struct Buffers {
    start: Vec<DVec2>,
    end: Vec<DVec2>,
    predicted_velocities: Vec<DVec2>,
}

impl Buffers {
    pub(crate) fn new(count: usize) -> Self {
        let zeros = vec![DVec2::ZERO; count];
        Self { start: zeros.clone(), end: zeros.clone(), predicted_velocities: zeros }
    }
}

pub(crate) fn advance(mut motion: Motion<'_>, buffers: &mut Buffers) -> Advance {
    let Buffers { start, end, predicted_velocities } = buffers;
    let h = motion.settings.time_step;
    motion.accelerations(start);
    let Motion { model, forces, state, .. } = motion;

    predicted_velocities.copy_from_slice(&state.velocities);
    add_scaled(predicted_velocities, h, start);
    add_scaled(&mut state.positions, h, &state.velocities);
    add_scaled(&mut state.positions, 0.5 * h * h, start);

    forces.accelerations(model, &state.positions, predicted_velocities, end);
    for ((velocity, start), end) in state.velocities.iter_mut().zip(start).zip(end) {
        *velocity += 0.5 * h * (*start + *end);
    }
    Advance::EXPLICIT
}
