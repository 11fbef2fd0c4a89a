//! Linear complementarity problems 0 ≤ λ ⊥ w = Aλ + b ≥ 0 with A symmetric positive semidefinite.
//!
//! A may be singular: then λ is not unique, but w and the product M⁻¹Nλ are. Three solvers:
//! [`pivoting`] (dense, exact, one index at a time), [`crate::qp::dual_active_set`] (dense in the
//! active set, never forms A) and [`sparse`] (sparse, thousands of rows).

pub mod cholesky;
pub mod jacobian;
pub mod pivoting;
pub mod residual;
pub mod sparse;
pub mod sweeps;

pub use jacobian::SparseJacobian;
pub use residual::KktResidual;

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LcpStatus {
    /// The residual is at or below the tolerance.
    #[default]
    Solved,
    /// The solver stopped above its tolerance; the residual says how far.
    Inaccurate,
    /// The iteration limit was reached.
    LimitReached,
    /// No λ ≥ 0 makes w ≥ 0.
    Infeasible,
}

/// How a solve ended, after how many iterations, and how good the answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: LcpStatus,
    /// Pivots, or Newton or interior-point steps.
    pub iterations: u64,
    /// Distance from optimality of the answer that was written.
    pub residual: KktResidual,
    /// Approximate multiplication count (machine-independent cost).
    pub operations: u64,
}
