//! Rows as sweeps read them: all numbers of a row side by side, its columns in runs.

use crate::lcp::jacobian::Row;

/// One row with its columns in `RUNS` runs of `H` neighbours; what is missing is filled with zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<const RUNS: usize, const H: usize> {
    base: [u32; RUNS],
    eta: [[f64; H]; RUNS],
    scaled: [[f64; H]; RUNS],
    pub(super) b: f64,
    /// aₖₖ, and what a unit of w is in λ: 1/aₖₖ, or 0 for a row that nothing can change.
    pub(super) inverse_mass: f64,
    pub(super) inverse: f64,
}

/// No column.
pub(super) const NONE: u32 = u32::MAX;

/// How many columns beyond the last one a packed row may read: u is longer by this.
pub(super) const PADDING: usize = 8;

/// Length and number of the runs of neighbouring columns in a row, where no run may be longer than
/// `longest`.
pub(super) fn runs(columns: &[u32], longest: usize) -> usize {
    let (mut count, mut start) = (0, u32::MAX);
    for &column in columns {
        if count == 0 || column - start >= longest as u32 {
            (count, start) = (count + 1, column);
        }
    }
    count
}

impl<const RUNS: usize, const H: usize> Packed<RUNS, H> {
    /// A row; it must have at most `RUNS` runs of at most `H`.
    pub(super) fn new(row: &Row<'_>, b: f64) -> Self {
        let mut packed = Self {
            base: [0; RUNS],
            eta: [[0.0; H]; RUNS],
            scaled: [[0.0; H]; RUNS],
            b,
            inverse_mass: 0.0,
            inverse: 0.0,
        };
        let mut run = 0;
        for (i, (&column, (&eta, &scaled))) in
            row.column.iter().zip(row.eta.iter().zip(row.scaled)).enumerate()
        {
            if i == 0 {
                packed.base[0] = column;
            } else if column - packed.base[run] >= H as u32 {
                run += 1;
                packed.base[run] = column;
            }
            let at = (column - packed.base[run]) as usize;
            packed.eta[run][at] = eta;
            packed.scaled[run][at] = scaled;
            packed.inverse_mass += eta * scaled;
        }
        if packed.inverse_mass > 0.0 {
            packed.inverse = 1.0 / packed.inverse_mass;
        }
        packed
    }

    /// The first columns of its runs, [`NONE`] for those that it does not move.
    pub(super) fn bases(&self) -> [u32; RUNS] {
        let moves = |run: usize| self.scaled[run].iter().any(|&scaled| scaled != 0.0);
        std::array::from_fn(|run| if moves(run) { self.base[run] } else { NONE })
    }

    /// The λ that solves the row while all others stay.
    #[inline(always)]
    pub(super) fn solved(&self, lambda: f64, u: &[f64]) -> f64 {
        (lambda - self.gap(u) * self.inverse).max(0.0)
    }

    /// How far that is from λ, in the unit of w.
    #[inline(always)]
    pub(super) fn error(&self, lambda: f64, u: &[f64]) -> f64 {
        (self.solved(lambda, u) - lambda).abs() * self.inverse_mass
    }

    /// w = ηᵀu + b.
    #[inline(always)]
    pub(super) fn gap(&self, u: &[f64]) -> f64 {
        // Runs side by side, so that their numbers can be handled together.
        let mut sum = [0.0; H];
        for run in 0..RUNS {
            let base = self.base[run] as usize;
            let part = u[base..base + H].first_chunk().unwrap_or(&[0.0; H]);
            for (sum, (eta, u)) in sum.iter_mut().zip(self.eta[run].iter().zip(part)) {
                *sum += eta * u;
            }
        }
        sum.iter().fold(self.b, |total, part| total + part)
    }

    /// u += λ M⁻¹η.
    #[inline(always)]
    pub(super) fn push(&self, u: &mut [f64], lambda: f64) {
        for run in 0..RUNS {
            let base = self.base[run] as usize;
            // Read and written as a whole: the next row reads it so, and a processor is slow to put
            // halves together.
            if let Some(part) = u[base..base + H].first_chunk_mut::<H>() {
                let mut next = *part;
                for (next, scaled) in next.iter_mut().zip(&self.scaled[run]) {
                    *next += lambda * scaled;
                }
                *part = next;
            }
        }
    }
}
