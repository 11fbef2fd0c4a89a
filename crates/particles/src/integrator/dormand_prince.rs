//! Dormand and Prince's embedded Runge–Kutta pair of order 5(4), with substeps of its own inside a time step.
//!
//! Coefficients: Dormand, Prince, "A family of embedded Runge–Kutta formulae" (J. Comput. Appl. Math. 6, 1980),
//! table 2; also Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, table II.5.2. Error norm
//! and step control: the same book, equations II.4.11 to II.4.13.
//!
//! Every time step starts with a trial substep of its full length. Nothing is learnt from the step before, so a
//! run resumed from any frame gives the same bits. If the substeps are used up, or become too short to change
//! the time, the step is given up and the state left as it was.

use super::runge_kutta;
use super::{Advance, Motion};
use crate::{State, StepStatus};
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

/// The weights a_sj. The last stage is evaluated at the new state and serves as the first of the next substep.
const STAGES: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of the fifth-order result minus those of the fourth-order one.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Safety factor and limits on how much the substep changes at once (Hairer et al., after equation II.4.13).
const SAFETY: f64 = 0.9;
const LARGEST_GROWTH: f64 = 5.0;
const LARGEST_SHRINKAGE: f64 = 0.2;

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
    let status = StepStatus::SubstepsExhausted { elapsed };
    Advance {
        status,
        iterations: settings.adaptive.max_substeps,
        residual: largest_error,
        ..Advance::EXPLICIT
    }
}

/// Factor for the next substep. An error that is not a number shrinks it as far as allowed.
fn growth(error: f64) -> f64 {
    if error == 0.0 {
        return LARGEST_GROWTH;
    }
    let factor = SAFETY * carom_numerics::elementary::pow(error, -0.2);
    if factor.is_finite() { factor.clamp(LARGEST_SHRINKAGE, LARGEST_GROWTH) } else { LARGEST_SHRINKAGE }
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
