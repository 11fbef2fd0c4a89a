//! The projection of a small island's velocity onto what its contacts allow, by the dual active
//! set.

use carom_numerics::lcp::{Outcome, SparseJacobian};
use carom_numerics::qp::DualActiveSet;

/// Solves min ½uᵀMu subject to Nᵀu + b ≥ 0; writes λ and u.
pub(crate) fn solve(
    solver: &mut DualActiveSet,
    (rows, b): (&SparseJacobian, &[f64]),
    lambda: &mut Vec<f64>,
    u: &mut Vec<f64>,
) -> Outcome {
    solver.solve(rows, b, lambda, u)
}
