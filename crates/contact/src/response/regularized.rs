//! Contacts that give a little, where they contradict each other.
//!
//! Solves 0 ≤ λ ⊥ (A + σ diag A) λ + b ≥ 0, which always has an answer. Among all velocities it
//! nearly has the least sum of squares of what is not met, and where exact contacts would drive
//! bodies out of a wedge as fast as it is narrow, it stays below |b|/(2√σ) for a single pair
//! (Tikhonov's regularization, whose filter s/(s² + σ) is largest at s = √σ).

use super::simultaneous::Task;
use carom_numerics::lcp::sparse::{SparseProblem, SparseSettings, SparseSolver};
use carom_numerics::lcp::{LcpStatus, Outcome, SparseJacobian};
use carom_numerics::qp::BlockDiagonalMass;

/// The softness σ: a pair leaves a wedge at no more than fifty times the speed of the obstacles.
const SOFT: f64 = 1e-4;

/// Memory of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegularizedScratch {
    rows: SparseJacobian,
    mass: BlockDiagonalMass,
    u: Vec<f64>,
    solver: SparseSolver,
}

impl RegularizedScratch {
    /// Solves; writes λ and u = M⁻¹Nλ. Each row gets a variable of its own with mass 1 and the
    /// coefficient √(σ aₖₖ).
    pub(crate) fn solve(&mut self, task: &Task<'_>, lambda: &mut Vec<f64>, u: &mut Vec<f64>) -> Outcome {
        let (count, width) = (task.rows.len(), task.rows.columns());
        self.mass.clone_from(task.mass);
        self.mass.diagonal.resize(width + count, 1.0);
        self.rows.clear(width + count);
        for k in 0..count {
            let row = task.rows.row(k);
            for ((&column, &eta), &scaled) in row.column.iter().zip(row.eta).zip(row.scaled) {
                self.rows.push_entry(column, eta, scaled);
            }
            let give = (SOFT * row.delassus(&row)).sqrt();
            self.rows.push_entry((width + k) as u32, give, give);
            self.rows.end_row();
        }
        lambda.clear();
        let soft = SparseProblem { rows: &self.rows, mass: &self.mass, b: task.b, bounds: None };
        let outcome = self.solver.solve(&soft, &SparseSettings::default(), lambda, &mut self.u);
        task.rows.combine(lambda, u);
        let residual = task.rows.residual(lambda, u, task.b);
        Outcome { status: LcpStatus::Infeasible, residual, ..outcome }
    }
}
