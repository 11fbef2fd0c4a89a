//! The outer loop: the proximal method of multipliers from a guess, and its proof of infeasibility.

use super::{SparseProblem, SparseSettings, SparseSolver};
use crate::lcp::{LcpStatus, Outcome, SparseJacobian};
use crate::watch;

impl SparseSolver {
    /// The method of multipliers from a guess.
    pub(super) fn multipliers(
        &mut self,
        problem: &SparseProblem<'_>,
        settings: &SparseSettings,
        lambda: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> Outcome {
        let SparseProblem { rows, mass, b, .. } = *problem;
        self.start(problem, lambda);
        let scale = b.iter().fold(0.0f64, |s, &x| s.max(x.abs()));
        let few = self.is_exact;
        let good = settings.tolerance * scale;
        let tolerance = if few { good.min(settings.exact * self.demand(b)) } else { good };
        let finest = if few { 0.0 } else { FINEST * scale };
        let mut rho = settings.penalty.0;
        let mut factored_rho = rho;
        let mut largest_rho = settings.penalty.1;
        self.first_reach = FIRST_REACH * scale;
        let mut outcome = Outcome { status: LcpStatus::LimitReached, ..Outcome::default() };
        let mut best = f64::INFINITY;
        let mut without_progress = 0;
        let mut limit = settings.max_newton_steps;
        for _outer in 0..settings.max_outer_steps {
            if watch::is_over() {
                break;
            }
            // Keep the set and its factor while that alone makes good progress, then let the set
            // move again.
            let before = best;
            let mut violation;
            loop {
                rows.combine(&self.z, u);
                self.measure(rows, b, u);
                let residual = self.residual();
                violation = residual.violation;
                // Infinity is a part of infinity, and no progress.
                let progress = residual.worst() < best && residual.worst() <= GOOD_PROGRESS * best;
                if residual.worst() < best {
                    best = residual.worst();
                    outcome.residual = residual;
                    self.best.clone_from(&self.z);
                }
                if best <= finest || !progress || self.factored_weight.is_empty() {
                    break;
                }
                self.refine(rows, factored_rho);
            }
            if best <= tolerance.max(self.rounding().min(NEARLY_FEASIBLE * scale)) {
                outcome.status = LcpStatus::Solved;
                break;
            }
            let slow = best > GOOD_PROGRESS * before;
            if slow && violation > NEARLY_FEASIBLE * scale && self.proves_infeasible(rows, b, scale, u) {
                outcome.status = LcpStatus::Infeasible;
                break;
            }
            if slow {
                // Nearly dependent rows: only a harder penalty tells them apart.
                largest_rho = (largest_rho * settings.penalty_growth).min(HARDEST);
            }
            without_progress = if best < before { 0 } else { without_progress + 1 };
            if without_progress > if best <= good { 0 } else { PATIENCE } {
                break;
            }
            self.z.clone_from(&self.best);
            rows.combine(&self.z, u);
            self.measure(rows, b, u);
            self.y.clone_from(&self.z);
            let polishing = best <= good || self.newton_steps == 0 && best <= self.accepted;
            limit = if polishing { limit.min(self.newton_steps + POLISHING) } else { limit };
            if !self.minimize((rows, mass), rho, tolerance, limit) {
                break;
            }
            self.growth.clear();
            for k in 0..rows.len() {
                let free = self.upper[k] == f64::INFINITY;
                self.growth.push(if free { (self.z[k] - self.y[k]).max(0.0) } else { 0.0 });
            }
            factored_rho = rho;
            rho = (rho * settings.penalty_growth).min(largest_rho);
        }
        if outcome.status == LcpStatus::LimitReached && best <= good {
            outcome.status = LcpStatus::Solved;
        } else if outcome.status == LcpStatus::LimitReached && best <= NEARLY_FEASIBLE * scale {
            outcome.status = LcpStatus::Inaccurate;
        }
        outcome.iterations = self.newton_steps;
        lambda.clone_from(&self.best);
        rows.combine(lambda, u);
        outcome
    }

    /// Farkas: δ ≥ 0 with Nδ = 0 and bᵀδ < 0 exists exactly when no u satisfies all rows. If there
    /// is none, the multipliers run away along such a δ. Leaves u undefined.
    fn proves_infeasible(&mut self, rows: &SparseJacobian, b: &[f64], scale: f64, u: &mut Vec<f64>) -> bool {
        let gain: f64 = self.growth.iter().zip(b).map(|(d, b)| d * b).sum();
        let size: f64 = self.growth.iter().sum();
        if size == 0.0 || gain > -NEARLY_FEASIBLE * scale * size {
            return false;
        }
        rows.combine(&self.growth, u);
        let largest = self.growth.iter().zip(&self.inverse_mass).fold(0.0f64, |m, (d, a)| m.max(d * a));
        (0..rows.len()).all(|k| rows.row(k).dot(u).abs() <= CERTIFICATE * largest)
    }

    /// The largest speed that a row asks for.
    fn demand(&self, b: &[f64]) -> f64 {
        (0..b.len())
            .fold(0.0f64, |most, k| most.max(if self.upper[k] == f64::INFINITY { -b[k] } else { b[k].abs() }))
    }

    /// What rounding alone leaves in w = Nᵀ(M⁻¹Nz) + b.
    fn rounding(&self) -> f64 {
        let largest = self.best.iter().zip(&self.inverse_mass).fold(0.0f64, |m, (z, a)| m.max(z.abs() * a));
        let errors = if self.is_exact { FEW_ROUNDING } else { ROUNDING };
        errors * f64::EPSILON * largest
    }
}

/// Newton steps to improve an answer that is good enough.
const POLISHING: u64 = 10;
/// In the first step every row with w below this part of the largest |b| counts as pushing: a pile
/// that falls as a whole has w = 0 inside, and would otherwise be understood one layer a step.
const FIRST_REACH: f64 = 1e-9;
/// Violations below this part of the largest |b| are not called infeasible.
const NEARLY_FEASIBLE: f64 = 1e-7;
/// How exactly the proof of infeasibility must hold, as a part of the multipliers' growth.
const CERTIFICATE: f64 = 1e-8;
/// The largest penalty of all; beyond it K has no digits left for M.
const HARDEST: f64 = 1e10;
/// With many rows, residuals below this part of the largest |b| are not worth another solve.
const FINEST: f64 = 1e-14;
/// Rounding errors of a product, in units of its largest term; where few rows are to be exact,
/// fewer.
const ROUNDING: f64 = 64.0;
const FEW_ROUNDING: f64 = 4.0;
/// Outer steps without progress before giving up.
const PATIENCE: u32 = 8;
/// An outer step on a kept set must bring the residual down to this part to be worth another.
const GOOD_PROGRESS: f64 = 0.2;
