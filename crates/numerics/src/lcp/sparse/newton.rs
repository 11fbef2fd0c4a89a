//! Newton's method on a set of pushing rows: the inner problem of the method of multipliers, and
//! its line search.

use super::SparseSolver;
use crate::lcp::SparseJacobian;
use crate::qp::BlockDiagonalMass;
use crate::watch;

impl SparseSolver {
    /// The inner problem: Newton steps until the set of pushing rows repeats. False if the limit
    /// was reached.
    pub(super) fn minimize(
        &mut self,
        (rows, mass): (&SparseJacobian, &BlockDiagonalMass),
        rho: f64,
        tolerance: f64,
        limit: u64,
    ) -> bool {
        // A guess that is nearly right has gaps that are only nearly zero, and a large ρ would take
        // their signs for news. So the first step keeps every row that pushes in the guess, as long
        // as that leads downhill.
        self.set_rates(rho);
        let mut keeps = self.newton_steps == 0 && (0..rows.len()).any(|k| self.is_inside(k));
        loop {
            self.weight.clear();
            self.held.resize(rows.len(), 0.0);
            for k in 0..rows.len() {
                let push = if self.inverse_mass[k] > 0.0 { self.push(k) } else { 0.0 };
                let first = self.newton_steps == 0 && self.w[k] <= self.first_reach && self.y[k] == 0.0;
                let between = push < self.upper[k] && (push > self.lower[k] || first);
                let moves = self.inverse_mass[k] > 0.0 && (between || keeps && self.is_inside(k));
                self.weight.push(if moves { self.rate[k] } else { 0.0 });
                self.held[k] = if push >= self.upper[k] { self.upper[k] } else { self.lower[k] };
            }
            if self.newton_steps >= limit || watch::is_over() {
                return false;
            }
            if self.weight != self.factored_weight {
                self.factored_weight.clear();
                if self.factor.factorize(&self.plan, rows, mass, &self.weight).is_err() {
                    return false;
                }
                self.factorizations += 1;
                self.factored_weight.extend_from_slice(&self.weight);
            }
            self.newton_steps += 1;
            self.newton_step(rows, !keeps);
            let full = self.set_settles(tolerance);
            if std::mem::take(&mut keeps) && !full && self.slope(0.0) >= 0.0 {
                continue;
            }
            if !full && self.accepted > 0.0 && self.is_cycling() {
                self.look_ahead();
                return false;
            }
            let length = if full { 1.0 } else { self.line_search() };
            for k in 0..rows.len() {
                self.z[k] += length * self.z_step[k];
                self.w[k] += length * self.w_step[k];
            }
            if full {
                self.keep_within_bounds();
                return true;
            }
        }
    }

    /// ρ/a of every row.
    fn set_rates(&mut self, rho: f64) {
        self.rate.clear();
        self.rate.extend(self.inverse_mass.iter().map(|a| rho / a));
    }

    /// One outer step on the set that is factored, at the cost of one solve.
    pub(super) fn refine(&mut self, rows: &SparseJacobian, rho: f64) {
        self.y.clone_from(&self.z);
        self.weight.clone_from(&self.factored_weight);
        self.set_rates(rho);
        self.newton_step(rows, true);
        for (z, step) in self.z.iter_mut().zip(&self.z_step) {
            *z += step;
        }
        self.keep_within_bounds();
    }

    /// Rows outside P stand exactly on their bound, rows of P within both.
    fn keep_within_bounds(&mut self) {
        for k in 0..self.z.len() {
            self.z[k] = if self.weight[k] > 0.0 { self.clamp(k, self.z[k]) } else { self.held[k] };
        }
    }

    /// Solves K δu = N (y − ρw − z)_P − N z_rest; then z + δz with δz = (y − ρ(w + δw) − z)_P, −z
    /// elsewhere. Where rows of P need not push now, `clamped` says whether y − ρw counts as their
    /// bound (the gradient) or as it is (the minimum on P).
    fn newton_step(&mut self, rows: &SparseJacobian, clamped: bool) {
        self.step.clear();
        self.step.resize(rows.columns(), 0.0);
        self.z_step.clear();
        for k in 0..rows.len() {
            let push = match self.weight[k] > 0.0 {
                true if clamped => self.clamp(k, self.push(k)),
                true => self.push(k),
                false => self.held[k],
            };
            let change = push - self.z[k];
            self.z_step.push(change);
            if change != 0.0 {
                let row = rows.row(k);
                for (&c, &eta) in row.column.iter().zip(row.eta) {
                    self.step[c as usize] += change * eta;
                }
            }
        }
        self.factor.solve(&self.plan, &mut self.step);
        self.w_step.clear();
        for k in 0..rows.len() {
            let change = rows.row(k).dot(&self.step);
            self.w_step.push(change);
            self.z_step[k] -= self.weight[k] * change;
        }
    }

    /// True if, after a full step, the rows that would change sides do so by less than what the
    /// outer step leaves anyway.
    fn set_settles(&self, tolerance: f64) -> bool {
        let (mut left, mut wrong) = (tolerance, 0.0f64);
        for k in 0..self.w.len() {
            let after = self.w[k] + self.w_step[k];
            if self.weight[k] > 0.0 {
                let z = self.z[k] + self.z_step[k];
                left = left.max(after.abs());
                wrong = wrong.max((self.lower[k] - z).max(z - self.upper[k]) * self.inverse_mass[k]);
            } else if self.inverse_mass[k] > 0.0 && self.lower[k] < self.upper[k] {
                let push = self.y[k] - self.rate[k] * after;
                if self.held[k] == self.lower[k] && push > self.lower[k] {
                    wrong = wrong.max(-after);
                } else if self.held[k] == self.upper[k] && push < self.upper[k] {
                    wrong = wrong.max(after);
                }
            }
        }
        wrong <= SETTLED * left
    }

    /// True if the rows that change sides with a full step are many, and hardly fewer than two
    /// steps ago; or at once, if more rows push than there are columns and a good part of them
    /// changes sides.
    fn is_cycling(&mut self) -> bool {
        let changes = |k: &usize| {
            let push = self.push(*k) - self.rate[*k] * self.w_step[*k];
            self.inverse_mass[*k] > 0.0 && (push > self.lower[*k]) != (self.weight[*k] > 0.0)
        };
        let count = (0..self.w.len()).filter(changes).count();
        let [before, last] = self.changed;
        self.changed = [last, count];
        let many = count > MANY && count * MANY > self.w.len();
        let redundant = self.weight.iter().filter(|&&d| d > 0.0).count() > self.step.len();
        let lost = self.newton_steps == 1 && redundant && count * FIRST_CHANGES > self.w.len();
        many && (lost || before > 0 && count as f64 > FEWER * before as f64)
    }

    /// Remembers where the full step would lead.
    fn look_ahead(&mut self) {
        self.ahead.difference.clear();
        self.ahead.wrong = 0.0;
        for k in 0..self.w.len() {
            let gap = self.w[k] + self.w_step[k];
            let push = self.inverse_mass[k] * (self.z[k] + self.z_step[k]);
            self.ahead.difference.push(gap - push);
            if self.inverse_mass[k] > 0.0 {
                self.ahead.wrong = self.ahead.wrong.max(gap.min(push).abs());
            }
        }
    }

    /// Slope of the convex piecewise quadratic at t along the step. With Mu = Nz it is Σ (z + tδz −
    /// max(0, y − ρ(w + tδw))) δw.
    fn slope(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..self.w.len() {
            if self.inverse_mass[k] > 0.0 {
                let c = self.w_step[k];
                let push = self.clamp(k, self.push(k) - self.rate[k] * t * c);
                sum += (self.z[k] + t * self.z_step[k] - push) * c;
            }
        }
        sum
    }

    /// Where the slope vanishes, up to a tenth of the first one.
    fn line_search(&self) -> f64 {
        let slope = |t: f64| self.slope(t);
        let start = slope(0.0);
        let enough = LINE_SEARCH * start.abs();
        let (mut low, mut low_slope) = (0.0, start);
        let (mut high, mut high_slope) = (1.0, slope(1.0));
        if high_slope <= enough {
            return 1.0;
        }
        for _ in 0..LINE_SEARCH_STEPS {
            let secant = low - low_slope * (high - low) / (high_slope - low_slope);
            let (first, last) = (low + 0.05 * (high - low), high - 0.05 * (high - low));
            let middle = if secant.is_finite() { secant.clamp(first, last) } else { 0.5 * (low + high) };
            let middle_slope = slope(middle);
            if middle_slope.abs() <= enough {
                return middle;
            }
            if middle_slope < 0.0 {
                (low, low_slope) = (middle, middle_slope);
            } else {
                (high, high_slope) = (middle, middle_slope);
            }
        }
        if low > 0.0 { low } else { high }
    }
}

/// Newton's method cycles when more rows than this change sides, and more than one in so many...
const MANY: usize = 50;
/// ...and more than this part of those two steps ago...
const FEWER: f64 = 0.8;
/// ...or one in so many in the first step, with more rows that push than columns.
const FIRST_CHANGES: usize = 6;
/// Wrong signs below this part of the remaining violation do not ask for another Newton step.
const SETTLED: f64 = 1.0;
/// The slope that is left after a line search, as a part of the first.
const LINE_SEARCH: f64 = 0.1;
/// Steps of the line search before it takes what it has.
const LINE_SEARCH_STEPS: u32 = 40;
