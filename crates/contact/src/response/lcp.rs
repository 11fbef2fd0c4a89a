//! The complementarity problem of a small island by principal pivoting.

use carom_numerics::lcp::{GramRows, Outcome, SolveStatus, pivoting::Pivoting};
use carom_numerics::qp::DualActiveSet;

/// How much a row gives where rows contradict each other.
const SOFT: f64 = 1e-6;

/// Memory of the pivoting solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct LcpScratch {
    matrix: Vec<f64>,
    pivoting: Pivoting,
}

/// Solves 0 ≤ λ ⊥ NᵀM⁻¹Nλ + b ≥ 0; writes λ and u = M⁻¹Nλ. Where rounding defeats pivoting on a singular A the
/// dual active set takes over: velocities are unique, so the answer is the same.
pub(crate) fn solve(
    scratch: &mut LcpScratch,
    fallback: &mut DualActiveSet,
    (rows, b): (&GramRows, &[f64]),
    lambda: &mut Vec<f64>,
    u: &mut Vec<f64>,
) -> Outcome {
    rows.dense(&mut scratch.matrix);
    let outcome = scratch.pivoting.solve(&scratch.matrix, b, lambda);
    if outcome.status == SolveStatus::Solved {
        rows.combine(lambda, u);
        return outcome;
    }
    let second = fallback.solve(rows, b, lambda, u);
    Outcome {
        iterations: outcome.iterations + second.iterations,
        operations: outcome.operations + second.operations,
        ..second
    }
}

/// Where rows contradict each other: each gives a little, 0 ≤ λ ⊥ (A + SOFT diag A) λ + b ≥ 0, which always has an answer. Among all
/// velocities it nearly has the least sum of squares of what is not met, and it stays of the size of b where exact rows would drive
/// bodies out of a wedge as fast as it is narrow.
pub(crate) fn solve_softened(
    scratch: &mut LcpScratch,
    (rows, b): (&GramRows, &[f64]),
    lambda: &mut Vec<f64>,
    u: &mut Vec<f64>,
) -> Outcome {
    rows.dense(&mut scratch.matrix);
    for k in 0..rows.len() {
        scratch.matrix[k * (rows.len() + 1)] *= 1.0 + SOFT;
    }
    let outcome = scratch.pivoting.solve(&scratch.matrix, b, lambda);
    if outcome.status != SolveStatus::Solved {
        lambda.fill(0.0);
    }
    rows.combine(lambda, u);
    Outcome { status: SolveStatus::Infeasible, residual: rows.residual(lambda, u, b), ..outcome }
}
