//! All numbers that decide how a problem is solved.

/// Settings of a [`Solver`](super::Solver).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest error in velocity that is accepted, m/s; 0 solves exactly.
    pub tolerance: f64,
    /// Largest residual that counts as solved: what the status *solved* promises. Rounding in W
    /// and q is amplified by its condition, so 1e-10 and not 1e-15.
    pub solved: f64,
    /// Largest residual that counts as almost solved.
    pub almost_solved: f64,
    /// Iterations of each run of Newton's method from Gauss–Seidel passes.
    pub newton_iterations: u32,
    /// Iterations of Newton's method from an interior point.
    pub polish_iterations: u32,
    /// Iterations of each run of the interior point method.
    pub interior_iterations: u32,
    /// Runs of Newton's method and of the interior point method in turn, 8 at most: each begins
    /// elsewhere, because either may cycle.
    pub runs: u32,
    /// How many of them are left out, because they were made before.
    pub skipped_runs: u32,
    /// Multiplications in factorizations of an island, about, after which no further one is begun:
    /// what a hopeless problem may cost, the same on every machine.
    pub operations: u64,
    /// Whether a proof is sought where no run succeeds.
    pub seeks_proof: bool,
    /// Gauss–Seidel passes to a tolerance, before the exact methods take over.
    pub sweeps: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Settings {
    /// Exact, with all that the methods can do.
    pub const USUAL: Self = Self {
        tolerance: 0.0,
        solved: 1e-10,
        almost_solved: 1e-6,
        newton_iterations: 80,
        polish_iterations: 20,
        interior_iterations: 60,
        runs: 8,
        skipped_runs: 0,
        operations: u64::MAX,
        seeks_proof: true,
        sweeps: 200,
    };

    /// Exact but for an error in velocity of `tolerance`, m/s. Not-a-number and negative count as
    /// 0.
    pub fn to_tolerance(tolerance: f64) -> Self {
        Self { tolerance: tolerance.max(0.0), ..Self::default() }
    }
}
