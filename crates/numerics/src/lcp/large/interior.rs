//! A guess of the multipliers by an interior point method, for problems on which Newton's method wanders.
//!
//! Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2 (1992), for
//! min ½uᵀMu subject to w = Nᵀu + b, w ≥ 0, with multipliers λ ≥ 0. With u = M⁻¹Nλ kept throughout, one step solves
//!     (M + N D Nᵀ) δu = N (r/w − D p),   δw = Nᵀδu + p,   δλ = r/w − D δw,
//! where D = λ/w, p = Nᵀu + b − w is what the gaps are off by, and r = σμ − λw − δλᵃδwᵃ is what the products are off by (the last
//! term from the predictor, in which σ = 0). This is the matrix of the Newton steps with other weights. The number of steps hardly
//! depends on the problem, whatever is redundant or nearly so; but zeros are only nearly zeros, so Newton's method finishes.

use super::LargeProblem;
use super::factor::Factor;
use super::symbolic::Symbolic;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    gap: Vec<f64>,
    lambda: Vec<f64>,
    gap_step: Vec<f64>,
    lambda_step: Vec<f64>,
    off: Vec<f64>,
    product: Vec<f64>,
    weight: Vec<f64>,
    u: Vec<f64>,
    step: Vec<f64>,
}

/// The problem, without bounds of its own, and the plan of its elimination.
pub(super) struct Setting<'a> {
    pub(super) problem: &'a LargeProblem<'a>,
    pub(super) plan: &'a Symbolic,
    /// aₖₖ; rows where it is 0 are left out.
    pub(super) stiffness: &'a [f64],
}

/// Gaps and products are good enough below this part of the largest approach.
const GOOD_ENOUGH: f64 = 1e-8;
/// Steps after which the guess is taken as it is.
const MOST_STEPS: u64 = 60;
/// How much of the way to the border a step goes.
const BACK_FROM_BORDER: f64 = 0.995;

impl Interior {
    /// Writes a guess, with zeros for rows that do not push; returns the number of factorizations.
    pub(super) fn guess(&mut self, setting: &Setting<'_>, factor: &mut Factor, guess: &mut Vec<f64>) -> u64 {
        let Setting { problem: LargeProblem { rows, mass, b, .. }, plan, stiffness } = *setting;
        let scale = b.iter().fold(0.0f64, |largest, &b| largest.max(-b));
        self.begin(setting, scale);
        let mut steps = 0;
        while steps < MOST_STEPS {
            rows.combine(&self.lambda, &mut self.u);
            self.off.clear();
            self.off.extend((0..rows.len()).map(|k| rows.row(k).dot(&self.u) + b[k] - self.gap[k]));
            if self.worst(stiffness) <= GOOD_ENOUGH * scale {
                break;
            }
            self.weight.clear();
            self.weight.extend(self.lambda.iter().zip(&self.gap).map(|(l, w)| l / w));
            if factor.factorize(plan, rows, mass, &self.weight).is_err() {
                break;
            }
            steps += 1;
            self.predict_and_correct(setting, factor);
        }
        guess.clear();
        let pushes = |k: usize| self.lambda[k] * stiffness[k] > self.gap[k];
        guess.extend((0..rows.len()).map(|k| if pushes(k) { self.lambda[k] } else { 0.0 }));
        steps
    }

    /// Every multiplier as for a single row, every gap as they leave it but well away from 0.
    fn begin(&mut self, setting: &Setting<'_>, scale: f64) {
        let Setting { problem: LargeProblem { rows, b, .. }, stiffness, .. } = *setting;
        self.lambda.clear();
        self.lambda.extend(stiffness.iter().map(|&a| if a > 0.0 { scale / a } else { 0.0 }));
        rows.combine(&self.lambda, &mut self.u);
        self.gap.clear();
        self.gap.extend((0..rows.len()).map(|k| (rows.row(k).dot(&self.u) + b[k]).max(scale)));
    }

    /// The largest of what gaps are off by and of what both a push and a gap are.
    fn worst(&self, stiffness: &[f64]) -> f64 {
        (0..self.gap.len()).filter(|&k| stiffness[k] > 0.0).fold(0.0, |worst: f64, k| {
            worst.max(self.off[k].abs()).max((self.lambda[k] * stiffness[k]).min(self.gap[k]))
        })
    }

    fn predict_and_correct(&mut self, setting: &Setting<'_>, factor: &mut Factor) {
        let count = setting.stiffness.iter().filter(|&&a| a > 0.0).count() as f64;
        self.product.clear();
        self.product.extend(self.lambda.iter().zip(&self.gap).map(|(l, w)| -l * w));
        let mean = -self.product.iter().sum::<f64>() / count;
        self.solve(setting, factor);
        let (gaps, pushes) = (length(&self.gap, &self.gap_step), length(&self.lambda, &self.lambda_step));
        let after: f64 = (0..self.gap.len())
            .map(|k| {
                (self.lambda[k] + pushes * self.lambda_step[k]) * (self.gap[k] + gaps * self.gap_step[k])
            })
            .sum();
        let ratio = after / (count * mean);
        let center = ratio * ratio * ratio * mean;
        for k in 0..self.gap.len() {
            let live = setting.stiffness[k] > 0.0;
            self.product[k] += if live { center - self.lambda_step[k] * self.gap_step[k] } else { 0.0 };
        }
        self.solve(setting, factor);
        let border = length(&self.gap, &self.gap_step).min(length(&self.lambda, &self.lambda_step));
        let along = (BACK_FROM_BORDER * border).min(1.0);
        for k in 0..self.gap.len() {
            self.gap[k] += along * self.gap_step[k];
            self.lambda[k] += along * self.lambda_step[k];
        }
    }

    /// The step for the products at hand.
    fn solve(&mut self, setting: &Setting<'_>, factor: &mut Factor) {
        let rows = setting.problem.rows;
        self.step.clear();
        self.step.resize(rows.columns(), 0.0);
        for k in 0..rows.len() {
            if setting.stiffness[k] > 0.0 {
                let push = self.product[k] / self.gap[k] - self.weight[k] * self.off[k];
                let row = rows.row(k);
                for (&c, &eta) in row.column.iter().zip(row.eta) {
                    self.step[c as usize] += push * eta;
                }
            }
        }
        factor.solve(setting.plan, &mut self.step);
        self.gap_step.clear();
        self.lambda_step.clear();
        for k in 0..rows.len() {
            let live = setting.stiffness[k] > 0.0;
            let change = if live { rows.row(k).dot(&self.step) + self.off[k] } else { 0.0 };
            self.gap_step.push(change);
            self.lambda_step.push(if live {
                self.product[k] / self.gap[k] - self.weight[k] * change
            } else {
                0.0
            });
        }
    }
}

/// How far along a step every number stays at least 0, but no farther than a full step needs.
fn length(numbers: &[f64], step: &[f64]) -> f64 {
    let borders = numbers.iter().zip(step).filter(|(_, d)| **d < 0.0).map(|(x, d)| -x / d);
    borders.fold(1.0 / BACK_FROM_BORDER, f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::{LargeSettings, LargeSolver};
    use super::*;
    use crate::lcp::{GramRows, SolveStatus};
    use crate::qp::BlockDiagonalMass;

    /// A row of unit masses on a line, each pressed on its left neighbour, every contact written twice: the multipliers are
    /// not unique, the answer is: everything stops.
    fn pressed_chain(masses: usize) -> (GramRows, BlockDiagonalMass, Vec<f64>) {
        let mut rows = GramRows::default();
        rows.clear(masses);
        for k in 0..masses as u32 {
            for _ in 0..2 {
                if k > 0 {
                    rows.push_entry(k - 1, -1.0, -1.0);
                }
                rows.push_entry(k, 1.0, 1.0);
                rows.end_row();
            }
        }
        let mut mass = BlockDiagonalMass::default();
        mass.diagonal.resize(masses, 1.0);
        let mut b = vec![0.0; 2 * masses];
        b[0] = -1.0;
        b[1] = -1.0;
        (rows, mass, b)
    }

    #[test]
    fn the_guess_is_near_the_answer_and_newton_finishes_it() {
        let (rows, mass, b) = pressed_chain(300);
        let problem = LargeProblem { rows: &rows, mass: &mass, b: &b, bounds: None };
        let mut solver = LargeSolver::default();
        let (mut lambda, mut u) = (Vec::new(), Vec::new());
        solver.start(&problem, &[]);
        let setting = Setting { problem: &problem, plan: &solver.plan, stiffness: &solver.stiffness };
        let steps = Interior::default().guess(&setting, &mut solver.factor, &mut lambda);
        assert!(steps < 30, "{steps} steps");
        rows.combine(&lambda, &mut u);
        // Every mass ends with the velocity change of 1 that the first needs: b + u₀ = 0, all others follow.
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?}", &u[..5]);
        let outcome = solver.solve(&problem, &LargeSettings::default(), &mut lambda, &mut u);
        assert_eq!(outcome.status, SolveStatus::Solved);
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-10));
    }
}
