//! Sweeps to a stated tolerance: projected Gauss–Seidel over sparse rows with conjugate directions
//! between sweeps, for thousands of rows that need not be solved exactly.
//!
//! Solves 0 ≤ λ ⊥ w = Nᵀu + b ≥ 0 with u = M⁻¹Nλ. One after the other each row is given the λ that
//! solves it while all others stay, λₖ ← max(0, λₖ − wₖ/aₖₖ): forth over the rows, then back, a
//! *round*.
//!
//! Sources: Cottle, Pang, Stone, "The linear complementarity problem" (1992), section 5.2, for the
//! sweep. Each change of a λ lowers the energy f(λ) = ½λᵀAλ + bᵀλ, so any number of sweeps ends
//! with f ≤ 0 when it starts so. A round is a symmetric preconditioner, and between rounds f is
//! minimized over the plane of the round's step and the last step: conjugate gradients, written as
//! in Knyazev, "Toward the optimal preconditioned eigensolver", SIAM J. Sci. Comput. 23 (2001), for
//! a quadratic. That the same speeds up contact, where rows take hold and let go on the way, is the
//! observation of Silcowitz, Niebe, Erleben, "A nonsmooth nonlinear conjugate gradient method for
//! interactive contact force problems", The Visual Computer 26 (2010).
//!
//! Departures: what a step in the plane takes below its bound is put back on it, and if f is then
//! above what the round alone had reached, the round alone counts. So f never rises. Rows that are
//! far from pushing are left out until they are not; all are measured at the end. Where it is asked
//! for, rows that are still wrong are solved one by one when they are few (`residual_queue.rs`).
//! Rows are taken level by level (`levels.rs`), which changes nothing but the time.

mod levels;
mod packed;
mod plane;
mod residual_queue;
mod state;
mod sweep;

use super::{KktResidual, LcpStatus, SparseJacobian};
use crate::qp::BlockDiagonalMass;
use packed::{Packed, runs};
use state::State;

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct SweepProblem<'a> {
    /// The rows of Nᵀ.
    pub rows: &'a SparseJacobian,
    /// M.
    pub mass: &'a BlockDiagonalMass,
    /// b, one for each row.
    pub b: &'a [f64],
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepSettings {
    /// Every row is solved up to this, in the unit of w.
    pub tolerance: f64,
    /// Sweeps over the rows after which it gives up.
    pub max_sweeps: u64,
    /// Whether the last few wrong rows are solved one by one. It halves the sweeps of a pile, and
    /// what sweeps would have done for all the others is not done: for callers that see to what
    /// adds up over many rows, each within the tolerance.
    pub last_few_alone: bool,
}

/// How sweeps ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SweepOutcome {
    /// `Solved` or `LimitReached`.
    pub status: LcpStatus,
    /// Sweeps over the rows.
    pub sweeps: u64,
    /// Residual of the rows.
    pub residual: KktResidual,
    /// Approximate multiplication count.
    pub operations: u64,
}

impl SweepOutcome {
    /// The largest entry.
    pub fn worst(&self) -> f64 {
        self.residual.worst()
    }
}

/// The solver with its memory: rows of points, of planar and of spatial bodies, and any others.
#[derive(Clone, Debug, Default)]
pub struct Sweeper {
    points: Vec<Packed<2, 2>>,
    planar: Vec<Packed<2, 3>>,
    spatial: Vec<Packed<2, 6>>,
    any: Vec<Packed<MOST_ENTRIES, 1>>,
    state: State,
}

/// The longest row.
const MOST_ENTRIES: usize = 12;

impl Sweeper {
    /// Solves; writes λ and u = M⁻¹Nλ. If `lambda` comes with one entry for each row it is the
    /// starting guess. A guess with f > 0 is scaled down.
    ///
    /// Rows have at most twelve entries: with a longer one nothing is done, and the status is
    /// `LimitReached`.
    pub fn solve(
        &mut self,
        problem: &SweepProblem<'_>,
        settings: &SweepSettings,
        lambda: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> SweepOutcome {
        let rows = problem.rows;
        let fits =
            |longest: usize, most: usize| (0..rows.len()).all(|k| runs(rows.row(k).column, longest) <= most);
        let state = &mut self.state;
        state.begin(problem, lambda);
        let outcome = if fits(2, 2) {
            state.solve(&mut self.points, problem, settings)
        } else if fits(3, 2) {
            state.solve(&mut self.planar, problem, settings)
        } else if fits(6, 2) {
            state.solve(&mut self.spatial, problem, settings)
        } else if fits(1, MOST_ENTRIES) {
            state.solve(&mut self.any, problem, settings)
        } else {
            state.give_up(rows.columns())
        };
        state.write(rows, lambda, u);
        outcome
    }
}
