//! Dormand and Prince's embedded Runge–Kutta pair of order 5(4), with substeps of its own inside a
//! time step.
//!
//! Coefficients and step control: [`carom_numerics::dormand_prince`]. Error norm: Hairer, Nørsett,
//! Wanner, *Solving Ordinary Differential Equations I*, equation II.4.11.
//!
//! Every time step starts with a trial substep of its full length. Nothing is learnt from the step
//! before, so a run resumed from any frame gives the same bits. If the substeps are used up, or
//! become too short to change the time, the step is given up and the state left as it was.

use super::runge_kutta;
use super::{Advance, Motion};
use crate::{IntegrationStatus, State};
use carom_numerics::dormand_prince::{ERROR, STAGES, growth};
use glam::DVec2;

/// What error a substep may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    pub(crate) relative_tolerance: f64,
    pub(crate) absolute_tolerance: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct Buffers {
    tolerance: Tolerance,
    stages: runge_kutta::Buffers,
    start: State,
}

impl Buffers {
    pub(crate) fn new(count: usize, tolerance: Tolerance) -> Self {
        let zeros = vec![DVec2::ZERO; count];
        let stages = runge_kutta::Buffers::new(count, STAGES.len());
        Self { tolerance, stages, start: State::new(zeros.clone(), zeros) }
    }
}

/// A substep shorter than this part of the time step no longer moves the time reliably.
const SHORTEST_SUBSTEP: f64 = 1e-14;

pub(crate) fn advance(motion: Motion<'_>, buffers: &mut Buffers) -> Advance {
    let Motion { model, settings, forces, state } = motion;
    let Buffers { tolerance, stages, start } = buffers;
    let dt = settings.time_step;
    start.copy_from(state);

    stages.combine(state, 0.0, STAGES[0]);
    stages.evaluate(0, model, forces);
    let (mut elapsed, mut h, mut largest_error) = (0.0, dt, 0.0f64);
    for substep in 1..=settings.adaptive.max_substeps {
        let last = elapsed + h >= dt;
        if last {
            h = dt - elapsed;
        }
        for stage in 1..STAGES.len() {
            stages.combine(state, h, STAGES[stage]);
            stages.evaluate(stage, model, forces);
        }
        let error = error_norm(state, stages, h, *tolerance);
        if error <= 1.0 {
            state.positions.copy_from_slice(&stages.stage.positions);
            state.velocities.copy_from_slice(&stages.stage.velocities);
            largest_error = largest_error.max(error);
            if last {
                return Advance { iterations: substep, residual: largest_error, ..Advance::EXPLICIT };
            }
            elapsed += h;
            stages.rates.swap(0, STAGES.len() - 1);
        }
        h *= growth(error);
        if h < SHORTEST_SUBSTEP * dt {
            break;
        }
    }
    state.copy_from(start);
    let status = IntegrationStatus::SubstepsExhausted { elapsed };
    Advance {
        status,
        iterations: settings.adaptive.max_substeps,
        residual: largest_error,
        ..Advance::EXPLICIT
    }
}

/// Root mean square of the errors, each over the size allowed to it.
fn error_norm(start: &State, stages: &runge_kutta::Buffers, h: f64, tolerance: Tolerance) -> f64 {
    let Tolerance { relative_tolerance, absolute_tolerance } = tolerance;
    let allowed = |before: DVec2, after: DVec2| {
        DVec2::splat(absolute_tolerance) + relative_tolerance * before.abs().max(after.abs())
    };
    let mut sum = 0.0;
    let count = start.positions.len();
    for particle in 0..count {
        let mut position_error = DVec2::ZERO;
        let mut velocity_error = DVec2::ZERO;
        for (weight, rates) in ERROR.iter().zip(&stages.rates) {
            position_error += *weight * rates.positions[particle];
            velocity_error += *weight * rates.velocities[particle];
        }
        for (error, before, after) in [
            (position_error, start.positions[particle], stages.stage.positions[particle]),
            (velocity_error, start.velocities[particle], stages.stage.velocities[particle]),
        ] {
            sum += scaled_square(h * error, allowed(before, after));
        }
    }
    (sum / (4 * count.max(1)) as f64).sqrt()
}

/// Sum of (error / allowed)²; an error of zero counts nothing even where nothing is allowed.
fn scaled_square(error: DVec2, allowed: DVec2) -> f64 {
    let ratio = |error: f64, allowed: f64| if error == 0.0 { 0.0 } else { error / allowed };
    let (x, y) = (ratio(error.x, allowed.x), ratio(error.y, allowed.y));
    x * x + y * y
}
