//! Explicit Runge–Kutta methods for x′ = v, v′ = a(x, v), and the classic one of order four.
//!
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, section II.1, equation
//! 1.8: stage s is evaluated at y + h Σ_{j<s} a_sj k_j, and y⁺ = y + h Σ b_j k_j.

use super::{Advance, Motion};
use crate::Model;
use crate::State;
use crate::force::ForceEvaluator;
use glam::DVec2;

/// The rates k_j of every stage and the state at which the next one is evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Buffers {
    pub(super) rates: Vec<Rates>,
    pub(super) stage: Rates,
}

/// A change of positions and of velocities; also used for a pair of both.
#[derive(Debug, Clone)]
pub(crate) struct Rates {
    pub(super) positions: Vec<DVec2>,
    pub(super) velocities: Vec<DVec2>,
}

impl Buffers {
    pub(crate) fn new(count: usize, stages: usize) -> Self {
        let zeros = Rates { positions: vec![DVec2::ZERO; count], velocities: vec![DVec2::ZERO; count] };
        Self { rates: vec![zeros.clone(); stages], stage: zeros }
    }

    /// Writes y + h Σ weights_j k_j into the stage.
    pub(super) fn combine(&mut self, start: &State, h: f64, weights: &[f64]) {
        for particle in 0..start.positions.len() {
            let mut position_rate = DVec2::ZERO;
            let mut velocity_rate = DVec2::ZERO;
            for (weight, rates) in weights.iter().zip(&self.rates) {
                position_rate += *weight * rates.positions[particle];
                velocity_rate += *weight * rates.velocities[particle];
            }
            self.stage.positions[particle] = start.positions[particle] + h * position_rate;
            self.stage.velocities[particle] = start.velocities[particle] + h * velocity_rate;
        }
    }

    /// Evaluates the rates of stage `index` at the stage's state.
    pub(super) fn evaluate(&mut self, index: usize, model: &Model, forces: &mut ForceEvaluator) {
        let Rates { positions, velocities } = &mut self.rates[index];
        positions.copy_from_slice(&self.stage.velocities);
        forces.accelerations(model, &self.stage.positions, &self.stage.velocities, velocities);
    }
}

/// The weights a_sj of the stages after the first.
const CLASSIC_STAGES: [&[f64]; 4] = [&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];
/// The weights b_j, six times.
const CLASSIC_RESULT: [f64; 4] = [1.0, 2.0, 2.0, 1.0];

/// The classic method (Hairer, Nørsett, Wanner, table II.1.2, left).
pub(crate) fn advance_rk4(motion: Motion<'_>, buffers: &mut Buffers) -> Advance {
    let Motion { model, settings, forces, state } = motion;
    let h = settings.time_step;
    for (stage, weights) in CLASSIC_STAGES.iter().enumerate() {
        buffers.combine(state, h, weights);
        buffers.evaluate(stage, model, forces);
    }
    // The weights sum to six exactly, so that constant rates give h v without an error of their
    // own.
    buffers.combine(state, h / 6.0, &CLASSIC_RESULT);
    state.positions.copy_from_slice(&buffers.stage.positions);
    state.velocities.copy_from_slice(&buffers.stage.velocities);
    Advance::EXPLICIT
}
