//! Projected Gauss–Seidel: each contact in turn is solved alone and exactly.
//!
//! Jourdan, Alart and Jean, *A Gauss–Seidel like algorithm to solve frictional contact problems*
//! (CMAME 155, 1998), forward and backward in turn.

use super::cone::local;
use super::{Problem, one_contact};

/// One pass over all contacts of a problem.
pub(super) fn sweep(problem: &Problem, r: &mut [f64], backward: bool) {
    let n = problem.len();
    for k in 0..n {
        let i = if backward { n - 1 - k } else { k };
        let range = problem.range(i);
        let dim = range.len();
        let old = local(&r[range.clone()]);
        r[range.clone()].fill(0.0);
        // The velocity without this contact.
        let mut q = local(&problem.q[range.clone()]);
        problem.add_row_product(i, r, &mut q);
        let new = one_contact::solve(problem.cones[i], problem.diagonal_block(i), q);
        let chosen = if new.iter().all(|x| x.is_finite()) { new } else { old };
        r[range].copy_from_slice(&chosen[..dim]);
    }
}
