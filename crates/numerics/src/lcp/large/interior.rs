//! A guess of the multipliers by an interior point method, for problems on which Newton's method wanders.
//!
//! Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2 (1992), for
//! min ½uᵀMu subject to w = Nᵀu + b, w ≥ 0, with multipliers λ ≥ 0. With u = M⁻¹Nλ kept throughout, one step solves
//!     (M + N D Nᵀ) δu = N (r/w − D p),   δw = Nᵀδu + p,   δλ = r/w − D δw,
//! where D = λ/w, p = Nᵀu + b − w is what the gaps are off by, and r = σμ − λw − δλᵃδwᵃ is what the products are off by (the last
//! term from the predictor, in which σ = 0). This is the matrix of the Newton steps with other weights. The number of steps hardly
//! depends on the problem, whatever is redundant or nearly so; but zeros are only nearly zeros, so Newton's method finishes.
//!
//! Departure: every row gives a little, δw = Nᵀδu + γδλ + p, as in Altman, Gondzio, "Regularized symmetric indefinite systems in
//! interior point methods", Optim. Methods Softw. 11 (1999): then D / (1 + γD) takes the place of D in K and in front of what
//! the row feels. The fixed point is the same, because γδλ vanishes with the step.

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

/// Steps after which the guess is taken as it is.
const MOST_STEPS: u64 = 40;
/// How much of the way to the border a step goes.
const BACK_FROM_BORDER: f64 = 0.995;
/// Rows give by this much in a step, without unit: more than nothing, so that rows that depend on each other leave K digits.
const GIVE: f64 = 1e-8;
/// The first multipliers without a guess, in units of what a single row needs: most rows carry others.
const FIRST_LOAD: f64 = 3.0;

impl Interior {
    /// Improves a guess until its residual is at `target`, with zeros for rows that do not push; returns the number of factorizations.
    pub(super) fn guess(
        &mut self,
        setting: &Setting<'_>,
        factor: &mut Factor,
        target: f64,
        guess: &mut Vec<f64>,
    ) -> u64 {
        let Setting { problem: LargeProblem { rows, mass, b, .. }, plan, stiffness } = *setting;
        self.begin(setting, guess);
        let mut steps = 0;
        while steps < MOST_STEPS {
            rows.combine(&self.lambda, &mut self.u);
            self.off.clear();
            self.off.extend((0..rows.len()).map(|k| rows.row(k).dot(&self.u) + b[k] - self.gap[k]));
            if self.worst(stiffness) <= target {
                break;
            }
            self.weight.clear();
            self.weight.extend((0..rows.len()).map(|k| {
                let ratio = self.lambda[k] / self.gap[k];
                ratio / (1.0 + GIVE * stiffness[k] * ratio)
            }));
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

    /// Multipliers and gaps of a guess, moved away from 0 by as much as the guess is wrong; without one by what the fastest row
    /// approaches with.
    fn begin(&mut self, setting: &Setting<'_>, guess: &[f64]) {
        let Setting { problem: LargeProblem { rows, b, .. }, stiffness, .. } = *setting;
        let away = if guess.len() == rows.len() && guess.iter().any(|&l| l > 0.0) {
            rows.combine(guess, &mut self.u);
            let wrong = |k: usize| (guess[k] * stiffness[k]).min(rows.row(k).dot(&self.u) + b[k]).abs();
            let away = (0..rows.len()).filter(|&k| stiffness[k] > 0.0).fold(0.0, |m: f64, k| m.max(wrong(k)));
            self.lambda.clear();
            self.lambda.extend_from_slice(guess);
            away
        } else {
            self.lambda.clear();
            self.lambda.resize(rows.len(), 0.0);
            FIRST_LOAD * b.iter().fold(0.0f64, |largest, &b| largest.max(-b))
        };
        for (lambda, &a) in self.lambda.iter_mut().zip(stiffness) {
            *lambda = if a > 0.0 { lambda.max(away / a) } else { 0.0 };
        }
        rows.combine(&self.lambda, &mut self.u);
        self.gap.clear();
        self.gap.extend((0..rows.len()).map(|k| (rows.row(k).dot(&self.u) + b[k]).max(away)));
    }

    /// The residual: the largest difference between a gap or push and 0, whichever is nearer.
    fn worst(&self, stiffness: &[f64]) -> f64 {
        (0..self.gap.len()).filter(|&k| stiffness[k] > 0.0).fold(0.0, |worst: f64, k| {
            worst.max((self.lambda[k] * stiffness[k]).min(self.gap[k] + self.off[k]).abs())
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
                let push = self.push(k);
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
            let change = if live { rows.row(k).dot(&self.step) } else { 0.0 };
            let push = if live { self.push(k) - self.weight[k] * change } else { 0.0 };
            self.lambda_step.push(push);
            self.gap_step.push(if live {
                change + GIVE * setting.stiffness[k] * push + self.off[k]
            } else {
                0.0
            });
        }
    }

    /// What row k pushes with before it feels the step: (r/w − D p) / (1 + γD).
    fn push(&self, k: usize) -> f64 {
        let ratio = self.lambda[k] / self.gap[k];
        let given = if ratio > 0.0 { self.weight[k] / ratio } else { 1.0 };
        (self.product[k] / self.gap[k] - ratio * self.off[k]) * given
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
        let steps = Interior::default().guess(&setting, &mut solver.factor, 1e-8, &mut lambda);
        assert!(steps < 30, "{steps} steps");
        rows.combine(&lambda, &mut u);
        // Every mass ends with the velocity change of 1 that the first needs: b + u₀ = 0, all others follow.
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?}", &u[..5]);
        let outcome = solver.solve(&problem, &LargeSettings::default(), &mut lambda, &mut u);
        assert_eq!(outcome.status, SolveStatus::Solved);
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-10));
    }
}
