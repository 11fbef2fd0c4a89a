//! Sparse linear systems of two by two blocks, with what depends on the pattern alone done once.
//!
//! [`BlockSolver`] chooses by the pattern, never by what happened in an earlier solve, so equal
//! systems get equal bits whatever came before:
//!
//! 1. Few unknowns: dense LU with full pivoting, with the bits of the course's program up to eight.
//! 2. A factorization that costs little, as for chains, trees and meshes up to a few thousand
//!    points: sparse block LU in a minimum degree order, refined.
//! 3. Larger meshes, where the factors would grow faster than the matrix: incomplete factors and
//!    stabilized bi-conjugate gradients to full accuracy. Time and memory stay in proportion to the
//!    number of unknowns as long as the conditioning does not depend on it, which holds for M + h²
//!    K at a given h, k and m.
//!
//! If the third does not reach the accuracy within a budget, the second is done after all; if that
//! meets a pivot that is too small, the first, for systems that are not too large. Every answer
//! comes with its backward error.

mod block;
mod direct;
pub mod envelope;
pub mod frontal;
mod incomplete;
mod krylov;
mod level_order;
mod matrix;
pub(crate) mod ordering;
pub(crate) mod symbolic;

pub use block::{Block, IDENTITY, ZERO};
pub use matrix::{BlockMatrix, BlockPattern};

use crate::dense::FullPivotLu;
use direct::Direct;
use incomplete::Incomplete;
use krylov::Krylov;
use symbolic::Elimination;

/// Up to this many block rows a system is solved dense: full pivoting of 24 unknowns costs as much
/// as one sparse factorization.
const DENSE_SIZE: usize = 12;
/// Up to this many block rows a system whose sparse pivots failed is solved dense: about a second.
const DENSE_RESCUE_SIZE: usize = 500;
/// A sparse factorization is worth it while it costs no more than so many iterations, about what
/// full accuracy takes in a stiff mesh.
const DIRECT_WORTH_ITERATIONS: u64 = 60;
/// No more iterations than this, however expensive the factorization.
const MOST_ITERATIONS: u64 = 500;
/// A backward error that counts as solved: a few hundred roundings.
const SOLVED: f64 = 1e-13;
/// Refinement ends here, or when it no longer gains.
const REFINED: f64 = 2.0 * f64::EPSILON;
/// Most rounds of refinement.
const ROUNDS: u32 = 4;
/// Factor by which one run of the iteration may reduce the residual before it is computed afresh:
/// short of where rounding in the recurrence is felt.
const LARGEST_REDUCTION: f64 = 1e-11;
/// A run aims this far below what counts as solved, since its own norm is another.
const MARGIN: f64 = 0.3;

/// Solves systems of one pattern, again and again.
#[derive(Debug, Clone)]
pub struct BlockSolver {
    method: Strategy,
    dense: FullPivotLu,
    residual: Vec<[f64; 2]>,
    best: Vec<[f64; 2]>,
    flat: Vec<f64>,
}

#[derive(Debug, Clone)]
enum Strategy {
    Dense,
    Direct(Box<Direct>, Cost),
    Iterative(Box<Iterative>),
}

/// What a factorization takes.
#[derive(Debug, Clone, Copy)]
struct Cost {
    operations: u64,
    entries: u64,
}

impl Cost {
    /// From the blocks below the diagonal in every column, which are above it too.
    fn of(column_counts: &[u32]) -> Self {
        let counts = || column_counts.iter().map(|&count| u64::from(count));
        Self {
            operations: counts().map(|count| count * (count + 1)).sum(),
            entries: counts().map(|count| 2 * count + 1).sum(),
        }
    }
}

#[derive(Debug, Clone)]
struct Iterative {
    system: Incomplete,
    krylov: Krylov,
    correction: Vec<[f64; 2]>,
    budget: u32,
    /// What is done when the budget is used up, kept from the first time on.
    rescue: Option<(Box<Direct>, Cost)>,
}

/// How a solve went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solved {
    /// Largest residual over ‖A‖ ‖x‖ + ‖b‖.
    pub backward_error: f64,
    /// Which method gave the answer.
    pub method: MethodUsed,
    /// Products of blocks, with a product of a block and a vector counting one half. Zero for dense
    /// systems.
    pub operations: u64,
    /// Whether the backward error is at rounding. If not, the answer is the best that was found.
    pub accurate: bool,
}

/// The methods of a [`BlockSolver`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodUsed {
    /// Dense LU with full pivoting.
    Dense,
    /// Sparse block LU.
    Direct,
    /// Incomplete factors and stabilized bi-conjugate gradients.
    Iterative {
        /// Iterations in all.
        iterations: u32,
    },
}

impl BlockSolver {
    /// Analyses a pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        let size = pattern.size();
        let zeros = vec![[0.0; 2]; size];
        let method = Self::choose(pattern);
        Self { method, dense: FullPivotLu::default(), residual: zeros.clone(), best: zeros, flat: Vec::new() }
    }

    fn choose(pattern: &BlockPattern) -> Strategy {
        let size = pattern.size();
        if size <= DENSE_SIZE {
            return Strategy::Dense;
        }
        let elimination = Elimination::of(pattern.graph());
        let iteration = pattern.entries() as u64;
        let cost = Cost::of(&elimination.column_counts(pattern.graph()));
        if cost.operations <= DIRECT_WORTH_ITERATIONS * iteration {
            return Strategy::Direct(Box::new(Direct::new(pattern, elimination)), cost);
        }
        let zeros = vec![[0.0; 2]; size];
        Strategy::Iterative(Box::new(Iterative {
            system: Incomplete::new(pattern),
            krylov: Krylov::new(size),
            correction: zeros,
            budget: (cost.operations / iteration).min(MOST_ITERATIONS) as u32,
            rescue: None,
        }))
    }

    /// Blocks that the factors of the chosen method hold: the measure of its memory.
    pub fn factor_entries(&self) -> u64 {
        match &self.method {
            Strategy::Dense => 0,
            Strategy::Direct(_, cost) => cost.entries,
            Strategy::Iterative(iterative) => {
                let rescue = iterative.rescue.as_ref().map_or(0, |(_, cost)| cost.entries);
                iterative.system.entries() + rescue
            }
        }
    }

    /// Solves A x = b. The pattern of `matrix` must be the one that was analysed, and `b` and `x`
    /// of its size.
    pub fn solve(&mut self, matrix: &BlockMatrix, b: &[[f64; 2]], x: &mut [[f64; 2]]) -> Solved {
        let mut operations = 0;
        let Self { method, residual, best, .. } = self;
        let attempt = match method {
            Strategy::Dense => None,
            Strategy::Direct(direct, cost) => {
                Some(solve_direct(direct, *cost, matrix, b, x, (residual, best)))
            }
            Strategy::Iterative(iterative) => {
                let attempt = iterative.solve(matrix, b, x, residual);
                operations = attempt.operations;
                if attempt.accurate {
                    Some(attempt)
                } else {
                    let (direct, cost) = iterative.rescue(matrix.pattern());
                    Some(solve_direct(direct, *cost, matrix, b, x, (residual, best)))
                }
            }
        };
        match attempt {
            Some(solved) if solved.accurate || b.len() > DENSE_RESCUE_SIZE => {
                let earlier = if matches!(solved.method, MethodUsed::Direct) { operations } else { 0 };
                Solved { operations: solved.operations + earlier, ..solved }
            }
            _ => self.solve_dense(matrix, b, x),
        }
    }

    fn solve_dense(&mut self, matrix: &BlockMatrix, b: &[[f64; 2]], x: &mut [[f64; 2]]) -> Solved {
        let pattern = matrix.pattern();
        self.dense.factor(2 * b.len(), |i, j| match pattern.entry(i / 2, j / 2) {
            Some(entry) => matrix.values()[entry][2 * (i % 2) + j % 2],
            None => 0.0,
        });
        self.flat.clear();
        self.flat.extend(b.iter().flatten());
        self.dense.solve(&mut self.flat);
        for (x, flat) in x.iter_mut().zip(self.flat.chunks_exact(2)) {
            *x = [flat[0], flat[1]];
        }
        let backward_error = matrix.residual(x, b, &mut self.residual);
        // No refinement here: the bits are those of the course's program.
        let accurate = backward_error <= SOLVED && self.dense.rank() == 2 * b.len();
        Solved { backward_error, method: MethodUsed::Dense, operations: 0, accurate }
    }
}

/// Factor, solve, refine (Higham, *Accuracy and Stability of Numerical Algorithms*, section 12.1).
fn solve_direct(
    direct: &mut Direct,
    cost: Cost,
    matrix: &BlockMatrix,
    b: &[[f64; 2]],
    x: &mut [[f64; 2]],
    (residual, best): (&mut [[f64; 2]], &mut [[f64; 2]]),
) -> Solved {
    let method = MethodUsed::Direct;
    if !direct.factor(matrix) {
        x.fill([0.0; 2]);
        return Solved {
            backward_error: f64::INFINITY,
            method,
            operations: cost.operations,
            accurate: false,
        };
    }
    x.copy_from_slice(b);
    direct.solve(x);
    let mut operations = cost.operations + cost.entries / 2;
    let mut error = matrix.residual(x, b, residual);
    for _ in 0..ROUNDS {
        if error <= REFINED {
            break;
        }
        best.copy_from_slice(x);
        direct.solve(residual);
        operations += cost.entries / 2;
        for (x, change) in x.iter_mut().zip(residual.iter()) {
            x[0] += change[0];
            x[1] += change[1];
        }
        let refined = matrix.residual(x, b, residual);
        if refined >= error {
            x.copy_from_slice(best);
            break;
        }
        error = refined;
    }
    Solved { backward_error: error, method, operations, accurate: error <= SOLVED }
}

impl Iterative {
    fn solve(
        &mut self,
        matrix: &BlockMatrix,
        b: &[[f64; 2]],
        x: &mut [[f64; 2]],
        residual: &mut [[f64; 2]],
    ) -> Solved {
        x.fill([0.0; 2]);
        let mut iterations = 0;
        let mut error = f64::INFINITY;
        if self.system.factor(matrix) {
            error = matrix.residual(x, b, residual);
        }
        while error > SOLVED && error.is_finite() && iterations < self.budget {
            for (correction, &row) in self.correction.iter_mut().zip(&self.system.order) {
                *correction = residual[row as usize];
            }
            let left = self.budget - iterations;
            let reduction = (MARGIN * SOLVED / error).max(LARGEST_REDUCTION);
            iterations += self.krylov.solve(&mut self.system, &mut self.correction, reduction, left);
            for (correction, &row) in self.correction.iter().zip(&self.system.order) {
                x[row as usize][0] += correction[0];
                x[row as usize][1] += correction[1];
            }
            let before = std::mem::replace(&mut error, matrix.residual(x, b, residual));
            if error >= before {
                break;
            }
        }
        // A factorization takes as much as one and a half iterations.
        let entries = matrix.pattern().entries() as u64;
        let operations = entries + u64::from(iterations) * entries + entries / 2;
        let method = MethodUsed::Iterative { iterations };
        Solved { backward_error: error, method, operations, accurate: error <= SOLVED }
    }

    fn rescue(&mut self, pattern: &BlockPattern) -> &mut (Box<Direct>, Cost) {
        self.rescue.get_or_insert_with(|| {
            let elimination = Elimination::of(pattern.graph());
            let cost = Cost::of(&elimination.column_counts(pattern.graph()));
            (Box::new(Direct::new(pattern, elimination)), cost)
        })
    }
}

#[cfg(test)]
mod tests;
