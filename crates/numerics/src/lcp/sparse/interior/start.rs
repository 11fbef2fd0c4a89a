//! The first point: a guess smoothed by Gauss–Seidel iterations, moved onto the central path.

use super::super::SparseProblem;
use super::{Interior, Setting};

/// Sweeps over a guess before the start: together they cost less than a factorization.
const SWEEPS: usize = 10;
/// √μ of the start, as a part of the geometric mean of the guess's residual before and after the
/// sweeps.
const START: f64 = 0.3;
/// √μ of the start without a guess, in units of what a single row needs: most rows carry others.
const FIRST_LOAD: f64 = 3.0;
impl Interior {
    /// Multipliers and gaps near a guess, or near 0 without one, on the central path of a μ that
    /// fits how wrong the guess is.
    pub(super) fn begin(&mut self, setting: &Setting<'_>, guess: &[f64]) {
        let Setting { problem: SparseProblem { rows, b, .. }, inverse_mass, .. } = *setting;
        self.lambda.clear();
        self.lambda.extend_from_slice(guess);
        self.lambda.resize(rows.len(), 0.0);
        rows.combine(&self.lambda, &mut self.u);
        let root = if guess.iter().any(|&push| push > 0.0) {
            let before = self.wrong(setting);
            self.sweep(setting);
            START * (before * self.wrong(setting)).sqrt()
        } else {
            FIRST_LOAD * b.iter().fold(0.0f64, |largest, &b| largest.max(-b))
        };
        let mut difference = std::mem::take(&mut self.off);
        difference.clear();
        difference.extend((0..rows.len()).map(|k| {
            let gap = rows.row(k).dot(&self.u) + b[k];
            gap - inverse_mass[k] * self.lambda[k]
        }));
        self.center(inverse_mass, &difference, root);
        self.off = difference;
    }

    /// The point on the central path of μ with these differences w − aλ.
    pub(super) fn center(&mut self, inverse_mass: &[f64], difference: &[f64], root: f64) {
        let mu = root * root;
        self.gap.clear();
        self.lambda.clear();
        for (&t, &a) in difference.iter().zip(inverse_mass) {
            if a <= 0.0 {
                self.lambda.push(0.0);
                self.gap.push(1.0);
                continue;
            }
            let larger = 0.5 * (t.abs() + (t * t + 4.0 * mu).sqrt());
            // Without cancellation: the smaller of the two follows from the product.
            let (gap, push) = if t > 0.0 { (larger, mu / larger) } else { (mu / larger, larger) };
            self.lambda.push(push / a);
            self.gap.push(gap);
        }
    }

    /// Projected Gauss–Seidel, there and back: what is wrong between neighbours goes, what is wrong
    /// far away stays.
    fn sweep(&mut self, setting: &Setting<'_>) {
        let Setting { problem: SparseProblem { rows, b, .. }, inverse_mass, .. } = *setting;
        for sweep in 0..SWEEPS {
            for at in 0..rows.len() {
                let k = if sweep % 2 == 0 { at } else { rows.len() - 1 - at };
                if inverse_mass[k] > 0.0 {
                    let row = rows.row(k);
                    let push = (self.lambda[k] - (row.dot(&self.u) + b[k]) / inverse_mass[k]).max(0.0);
                    let change = push - self.lambda[k];
                    if change != 0.0 {
                        row.add_scaled_to(&mut self.u, change);
                        self.lambda[k] = push;
                    }
                }
            }
        }
    }

    /// The residual of the multipliers at hand, with u = M⁻¹Nλ.
    fn wrong(&self, setting: &Setting<'_>) -> f64 {
        let Setting { problem: SparseProblem { rows, b, .. }, inverse_mass, .. } = *setting;
        (0..rows.len()).filter(|&k| inverse_mass[k] > 0.0).fold(0.0, |worst: f64, k| {
            worst.max((self.lambda[k] * inverse_mass[k]).min(rows.row(k).dot(&self.u) + b[k]).abs())
        })
    }
}
