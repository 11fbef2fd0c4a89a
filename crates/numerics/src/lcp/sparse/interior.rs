//! A guess of the multipliers by an interior point method, for problems on which Newton's method
//! cycles.
//!
//! Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2
//! (1992), for min ½uᵀMu subject to w = Nᵀu + b, w ≥ 0, with multipliers λ ≥ 0. With u = M⁻¹Nλ kept
//! throughout, one step solves
//!     (M + N D Nᵀ) δu = N (r/w − D p),   δw = Nᵀδu + p,   δλ = r/w − D δw,
//! where D = λ/w, p = Nᵀu + b − w is what the gaps are off by, and r = σμ − λw − δλᵃδwᵃ is what the
//! products are off by (the last term from the predictor, in which σ = 0). This is the matrix of
//! the Newton steps with other weights. The number of steps hardly depends on the problem, whatever
//! is redundant or nearly so; but zeros are only nearly zeros, so Newton's method finishes.
//!
//! A factorization costs as much as several solves, so each one is used more than twice: Gondzio,
//! "Multiple centrality correctors in a primal-dual method for linear programming", Comput. Optim.
//! Appl. 6 (1996), section 3. Products that a longer step would leave far from σμ are asked back
//! into [β σμ, σμ/β], as long as that lengthens the step.
//!
//! The start is a guess smoothed by sweeps of projected Gauss–Seidel, then moved onto the central
//! path row by row: with t = w − aλ, the pair aλ, w = (∓t + √(t² + 4μ))/2 has the product μ and the
//! same difference (Kanzow, "Some noninterior continuation methods for linear complementarity
//! problems", SIAM J. Matrix Anal. Appl. 17 (1996)). Products are measured as aλw, so that light
//! and heavy rows count alike. If a Newton step was tried before, its end takes the place of the
//! guess: with most rows counted as pushing it is nearly the least-squares answer that Mehrotra
//! starts from, and knows the weight of a whole pile, which sweeps learn a layer at a time.
//!
//! Departure: every row gives a little, δw = Nᵀδu + γδλ + p, as in Altman, Gondzio, "Regularized
//! symmetric indefinite systems in interior point methods", Optim. Methods Softw. 11 (1999): then D
//! / (1 + γD) takes the place of D in K and in front of what the row feels. The fixed point is the
//! same, because γδλ vanishes with the step.

mod start;

use super::SparseProblem;
use super::factor::Factor;
use super::symbolic::Symbolic;
use crate::watch;

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    gap: Vec<f64>,
    lambda: Vec<f64>,
    direction: Direction,
    correction: Direction,
    off: Vec<f64>,
    product: Vec<f64>,
    weight: Vec<f64>,
    u: Vec<f64>,
    step: Vec<f64>,
    /// Triangular solves in the last call, for the tests that count work.
    solves: u64,
}

/// A step of the gaps and multipliers.
#[derive(Clone, Debug, Default)]
struct Direction {
    gap: Vec<f64>,
    lambda: Vec<f64>,
}

/// Where a Newton step would lead: w − aλ of every row, and how wrong that is.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    pub(super) difference: Vec<f64>,
    pub(super) wrong: f64,
}

/// The problem, without bounds of its own, and the plan of its elimination.
pub(super) struct Setting<'a> {
    pub(super) problem: &'a SparseProblem<'a>,
    pub(super) plan: &'a Symbolic,
    /// aₖₖ; rows where it is 0 are left out.
    pub(super) inverse_mass: &'a [f64],
}

/// Steps after which the guess is taken as it is.
const MOST_STEPS: u64 = 60;
/// How much of the way to the border a step goes.
const BACK_FROM_BORDER: f64 = 0.995;
/// Rows give by this much in a step, without unit: more than nothing, so that rows that depend on
/// each other leave K digits; but less than the gaps of rows that push at the end, or steps are cut
/// short by it (1e-9 costs half as many steps again on a pile of 25,000 rows).
const GIVE: f64 = 1e-12;
/// √μ of the start where a Newton step leads, as a part of how wrong that is.
const AHEAD: f64 = 0.1;
/// Corrections after predictor and corrector, in steps shorter than this...
const LONG_ENOUGH: f64 = 0.85;
const CORRECTIONS: usize = 2;
/// ...each of which aims at a step longer by this...
const LONGER: f64 = 0.3;
/// ...and is worth it from this part of that on.
const WORTH: f64 = 0.1;
/// Products between this part of σμ and its inverse are left alone.
const CENTRAL: f64 = 0.1;
/// Parts of a correction that are tried.
const PARTS: [f64; 3] = [1.0, 0.7, 0.4];

impl Interior {
    /// Improves a guess, or where a Newton step from it would lead, until the residual is at
    /// `target`, with zeros for rows that do not push; returns the number of factorizations.
    pub(super) fn guess(
        &mut self,
        setting: &Setting<'_>,
        factor: &mut Factor,
        target: f64,
        guess: &mut Vec<f64>,
        ahead: &Ahead,
    ) -> u64 {
        self.solves = 0;
        if ahead.difference.is_empty() {
            self.begin(setting, guess);
        } else {
            self.center(setting.inverse_mass, &ahead.difference, AHEAD * ahead.wrong);
        }
        self.go_on(setting, factor, target, guess)
    }

    /// Goes on from where the last call for the same problem stopped.
    pub(super) fn go_on(
        &mut self,
        setting: &Setting<'_>,
        factor: &mut Factor,
        target: f64,
        guess: &mut Vec<f64>,
    ) -> u64 {
        let Setting { problem: SparseProblem { rows, mass, b, .. }, plan, inverse_mass } = *setting;
        let mut steps = 0;
        while steps < MOST_STEPS && !watch::is_over() {
            rows.combine(&self.lambda, &mut self.u);
            self.off.clear();
            self.off.extend((0..rows.len()).map(|k| rows.row(k).dot(&self.u) + b[k] - self.gap[k]));
            if self.worst(inverse_mass) <= target {
                break;
            }
            self.weight.clear();
            self.weight.extend((0..rows.len()).map(|k| {
                let ratio = self.lambda[k] / self.gap[k];
                ratio / (1.0 + GIVE * inverse_mass[k] * ratio)
            }));
            if factor.factorize(plan, rows, mass, &self.weight).is_err() {
                break;
            }
            steps += 1;
            self.predict_and_correct(setting, factor);
        }
        guess.clear();
        let pushes = |k: usize| self.lambda[k] * inverse_mass[k] > self.gap[k];
        guess.extend((0..rows.len()).map(|k| if pushes(k) { self.lambda[k] } else { 0.0 }));
        steps
    }

    /// The residual: the largest difference between a gap or push and 0, whichever is nearer.
    fn worst(&self, inverse_mass: &[f64]) -> f64 {
        (0..self.gap.len()).filter(|&k| inverse_mass[k] > 0.0).fold(0.0, |worst: f64, k| {
            worst.max((self.lambda[k] * inverse_mass[k]).min(self.gap[k] + self.off[k]).abs())
        })
    }

    fn predict_and_correct(&mut self, setting: &Setting<'_>, factor: &mut Factor) {
        let count = setting.inverse_mass.iter().filter(|&&a| a > 0.0).count() as f64;
        let mut direction = std::mem::take(&mut self.direction);
        self.product.clear();
        let products = self.lambda.iter().zip(&self.gap).zip(setting.inverse_mass);
        self.product.extend(products.map(|((l, w), a)| -a * l * w));
        let mean = -self.product.iter().sum::<f64>() / count;
        self.solve(setting, factor, 1.0, &mut direction);
        let along = self.length(&direction, None).min(1.0);
        let after: f64 = (0..self.gap.len())
            .map(|k| setting.inverse_mass[k] * self.product_after(&direction, k, along))
            .sum();
        let ratio = (after / (count * mean)).max(0.0);
        let center = ratio * ratio * ratio * ratio * mean;
        for k in 0..self.gap.len() {
            let second = direction.lambda[k] * direction.gap[k];
            self.product[k] +=
                if setting.inverse_mass[k] > 0.0 { center - setting.inverse_mass[k] * second } else { 0.0 };
        }
        self.solve(setting, factor, 1.0, &mut direction);
        let border = self.lengthen(setting, factor, center, &mut direction);
        let along = (BACK_FROM_BORDER * border).min(1.0);
        for k in 0..self.gap.len() {
            self.gap[k] += along * direction.gap[k];
            self.lambda[k] += along * direction.lambda[k];
        }
        self.direction = direction;
    }

    /// Gondzio's corrections; returns how far the direction goes after them.
    fn lengthen(
        &mut self,
        setting: &Setting<'_>,
        factor: &mut Factor,
        center: f64,
        direction: &mut Direction,
    ) -> f64 {
        let mut correction = std::mem::take(&mut self.correction);
        let mut border = self.length(direction, None);
        for _ in 0..CORRECTIONS {
            if border >= LONG_ENOUGH || !(0.0..f64::INFINITY).contains(&center) {
                break;
            }
            let aim = (border + LONGER).min(1.0);
            for (k, &a) in setting.inverse_mass.iter().enumerate() {
                let product = a * self.product_after(direction, k, aim);
                let wanted = product.clamp(CENTRAL * center, center / CENTRAL);
                self.product[k] = if a > 0.0 { (wanted - product).max(-center / CENTRAL) } else { 0.0 };
            }
            self.solve(setting, factor, 0.0, &mut correction);
            let (mut part, mut longest) = (0.0, border);
            for tried in PARTS {
                let length = self.length(direction, Some((&correction, tried)));
                if length > longest {
                    (part, longest) = (tried, length);
                }
            }
            if longest < border + WORTH * LONGER {
                break;
            }
            border = longest;
            for k in 0..self.gap.len() {
                direction.gap[k] += part * correction.gap[k];
                direction.lambda[k] += part * correction.lambda[k];
            }
        }
        self.correction = correction;
        border
    }

    /// λw of row k after a part of a direction.
    fn product_after(&self, direction: &Direction, k: usize, along: f64) -> f64 {
        (self.lambda[k] + along * direction.lambda[k]) * (self.gap[k] + along * direction.gap[k])
    }

    /// The direction for the products at hand, and for `part` of what the gaps are off by.
    fn solve(&mut self, setting: &Setting<'_>, factor: &mut Factor, part: f64, direction: &mut Direction) {
        let rows = setting.problem.rows;
        self.solves += 1;
        self.step.clear();
        self.step.resize(rows.columns(), 0.0);
        direction.lambda.clear();
        for (k, &a) in setting.inverse_mass.iter().enumerate() {
            if a <= 0.0 {
                direction.lambda.push(0.0);
                continue;
            }
            // What the row pushes with before it feels the step: (r/w − D p) / (1 + γD).
            let push = (self.product[k] / a - self.lambda[k] * part * self.off[k])
                / (self.gap[k] + GIVE * a * self.lambda[k]);
            direction.lambda.push(push);
            let row = rows.row(k);
            for (&c, &eta) in row.column.iter().zip(row.eta) {
                self.step[c as usize] += push * eta;
            }
        }
        factor.solve(setting.plan, &mut self.step);
        direction.gap.clear();
        for (k, &a) in setting.inverse_mass.iter().enumerate() {
            let change = if a > 0.0 { rows.row(k).dot(&self.step) } else { 0.0 };
            direction.lambda[k] -= self.weight[k] * change;
            direction.gap.push(change + GIVE * a * direction.lambda[k] + part * self.off[k]);
        }
    }

    /// How far along a direction, with a part of a correction, every number stays at least 0, but
    /// no farther than a full step needs.
    fn length(&self, direction: &Direction, correction: Option<(&Direction, f64)>) -> f64 {
        let mut length = 1.0 / BACK_FROM_BORDER;
        for k in 0..self.gap.len() {
            let (mut gap, mut lambda) = (direction.gap[k], direction.lambda[k]);
            if let Some((correction, part)) = correction {
                gap += part * correction.gap[k];
                lambda += part * correction.lambda[k];
            }
            // As products: a quotient only where the border is nearer.
            if self.gap[k] + length * gap < 0.0 {
                length = -self.gap[k] / gap;
            }
            if self.lambda[k] + length * lambda < 0.0 {
                length = -self.lambda[k] / lambda;
            }
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SparseSettings, SparseSolver};
    use super::*;
    use crate::lcp::{LcpStatus, SparseJacobian};
    use crate::qp::BlockDiagonalMass;

    /// A row of unit masses on a line, each pressed on its left neighbour, every contact written
    /// twice: the multipliers are not unique, the answer is: everything stops.
    fn pressed_chain(masses: usize) -> (SparseJacobian, BlockDiagonalMass, Vec<f64>) {
        let mut rows = SparseJacobian::default();
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
        let problem = SparseProblem { rows: &rows, mass: &mass, b: &b, bounds: None };
        let mut solver = SparseSolver::default();
        let (mut lambda, mut u) = (Vec::new(), Vec::new());
        solver.start(&problem, &[]);
        let setting = Setting { problem: &problem, plan: &solver.plan, inverse_mass: &solver.inverse_mass };
        let mut interior = Interior::default();
        let steps = interior.guess(&setting, &mut solver.factor, 1e-8, &mut lambda, &Ahead::default());
        assert!(steps < 15, "{steps} steps");
        assert!(interior.solves <= (2 + CORRECTIONS as u64) * steps, "{} solves", interior.solves);
        rows.combine(&lambda, &mut u);
        // Every mass ends with the velocity change of 1 that the first needs: b + u₀ = 0, all
        // others follow.
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?}", &u[..5]);
        let outcome = solver.solve(&problem, &SparseSettings::default(), &mut lambda, &mut u);
        assert_eq!(outcome.status, LcpStatus::Solved);
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-10));
    }

    /// A row with a gap of 1e8 to spare asks for nothing: the others are solved as exactly as
    /// without it.
    #[test]
    fn open_rows_do_not_loosen_the_answer() {
        let (mut rows, mass, mut b) = pressed_chain(60);
        rows.push_entry(59, 1.0, 1.0);
        rows.end_row();
        b.push(1e8);
        let problem = SparseProblem { rows: &rows, mass: &mass, b: &b, bounds: None };
        let mut solver = SparseSolver::default();
        // Pushes near the answer, wrong by a part of 1e-6: far below 1e-11 of the largest b.
        let mut lambda: Vec<f64> = (0..b.len())
            .map(|k| if k < 120 { 0.5 * (60 - k / 2) as f64 * (1.0 + 1e-6) } else { 0.0 })
            .collect();
        let mut u = Vec::new();
        let outcome = solver.solve(&problem, &SparseSettings::default(), &mut lambda, &mut u);
        assert_eq!(outcome.status, LcpStatus::Solved);
        assert!(u.iter().all(|x| (x - 1.0).abs() < 1e-12), "{:?}", &u[..3]);
    }
}
