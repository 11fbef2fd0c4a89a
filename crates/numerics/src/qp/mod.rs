//! Strictly convex quadratic programs min ½vᵀMv − vᵀMq subject to Nᵀv ≥ c.
//!
//! With u = v − q and b = Nᵀq − c this is min ½uᵀMu subject to Nᵀu + b ≥ 0, and that is what the
//! solvers take: the multipliers λ solve 0 ≤ λ ⊥ NᵀM⁻¹Nλ + b ≥ 0, and u = M⁻¹Nλ. The velocity is
//! unique even if λ is not.

pub mod dual_active_set;
pub mod mass;

pub use dual_active_set::DualActiveSet;
pub use mass::BlockDiagonalMass;
