//! Linearized implicit Euler: one Newton step of implicit Euler, with forces and Jacobians taken at
//! (x + h v, v). Solve for d, then v⁺ = v + d, x⁺ = x + h v⁺. (Course, theme 1, milestone 3.)

use super::implicit_system::ImplicitSystem;
use super::{Advance, LinearWork, Motion, add_scaled};
use crate::IntegrationStatus;
use glam::DVec2;

#[derive(Debug, Clone)]
pub(crate) struct Buffers {
    system: ImplicitSystem,
    predicted: Vec<DVec2>,
    velocities: Vec<DVec2>,
    zeros: Vec<DVec2>,
}

impl Buffers {
    pub(crate) fn new(system: ImplicitSystem, count: usize) -> Self {
        let zeros = vec![DVec2::ZERO; count];
        Self { system, predicted: zeros.clone(), velocities: zeros.clone(), zeros }
    }
}

pub(crate) fn advance(mut motion: Motion<'_>, buffers: &mut Buffers) -> Advance {
    let Buffers { system, predicted, velocities, zeros } = buffers;
    let h = motion.settings.time_step;
    velocities.copy_from_slice(&motion.state.velocities);
    predicted.copy_from_slice(&motion.state.positions);
    add_scaled(predicted, h, velocities);

    if !system.evaluate_right_side(&mut motion, predicted, velocities, zeros).is_finite() {
        system.expose_non_finite(&mut motion.state.velocities);
        return Advance::EXPLICIT;
    }
    let solved = system.solve(&motion, predicted, velocities);
    for (velocity, change) in motion.state.velocities.iter_mut().zip(system.solution()) {
        *velocity += DVec2::from_array(*change);
    }
    add_scaled(&mut motion.state.positions, h, &motion.state.velocities);

    let residual = system.linear_residual();
    let status = if solved.accurate {
        IntegrationStatus::Completed
    } else {
        IntegrationStatus::NotConverged { residual }
    };
    let linear_work = LinearWork { operations: solved.operations, factor_entries: system.factor_entries() };
    Advance { status, iterations: 1, residual, linear_work }
}
