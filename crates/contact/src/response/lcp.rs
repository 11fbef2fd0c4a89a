//! The complementarity problem of a small island by principal pivoting.

use carom_numerics::lcp::{LcpStatus, Outcome, SparseJacobian, pivoting::Pivoting};
use carom_numerics::qp::DualActiveSet;

/// An answer of pivoting is taken when its velocities are right up to this part of the largest |b|.
const ACCEPTED: f64 = 1e-9;

/// Memory of the pivoting solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct LcpScratch {
    matrix: Vec<f64>,
    pivoting: Pivoting,
}

/// Solves 0 ≤ λ ⊥ NᵀM⁻¹Nλ + b ≥ 0; writes λ and u = M⁻¹Nλ. Where rounding defeats pivoting on a
/// singular A the dual active set takes over: velocities are unique, so the answer is the same.
pub(crate) fn solve(
    scratch: &mut LcpScratch,
    fallback: &mut DualActiveSet,
    (rows, b): (&SparseJacobian, &[f64]),
    lambda: &mut Vec<f64>,
    u: &mut Vec<f64>,
) -> Outcome {
    rows.dense(&mut scratch.matrix);
    let outcome = scratch.pivoting.solve(&scratch.matrix, b, lambda);
    if outcome.status == LcpStatus::Solved {
        rows.combine(lambda, u);
        // Of the velocities that come of it, not of A: with masses far apart they differ.
        let residual = rows.residual(lambda, u, b);
        if residual.worst() <= ACCEPTED * b.iter().fold(0.0f64, |most, b| most.max(b.abs())) {
            return Outcome { residual, ..outcome };
        }
    }
    let second = fallback.solve(rows, b, lambda, u);
    Outcome {
        iterations: outcome.iterations + second.iterations,
        operations: outcome.operations + second.operations,
        ..second
    }
}
