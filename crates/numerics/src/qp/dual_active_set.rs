//! The dual active-set method of Goldfarb and Idnani for min ½uᵀMu subject to Nᵀu + b ≥ 0.
//!
//! Source: Goldfarb, Idnani, "A numerically stable dual method for solving strictly convex
//! quadratic programs", Mathematical Programming 27 (1983), section 3 (basic approach, steps 0 to
//! 2). Symbols: p the violated row that enters, z the part of M⁻¹ηₚ that is M-orthogonal to the
//! active rows (the primal step), r the dual step (M⁻¹ηₚ = z + Σ rⱼM⁻¹ηⱼ), t₁ the longest step that
//! keeps λ ≥ 0, t₂ the step that makes wₚ = 0.
//!
//! Departures: instead of J = L⁻ᵀQ of all variables, an M-orthonormal basis of the active M⁻¹η
//! only, by Gram–Schmidt with a second pass (Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30,
//! 1976), so that M is never needed and the cost of a step is variables × active rows. Each basis
//! vector is kept with its image under M. The most violated row enters, the first index on
//! ties; |z|² ≤ ε |M⁻¹ηₚ|² counts as dependent. A dependent row that nothing can replace is set
//! aside when its violation is at the level of rounding, and makes the input infeasible otherwise.

use crate::lcp::{KktResidual, LcpStatus, Outcome, SparseJacobian};
use crate::watch;

/// |z|² at or below this part of |M⁻¹ηₚ|² counts as dependent (as in the course's program: ε of f64).
const DEPENDENT: f64 = f64::EPSILON;
/// Less than this part of a dependent row is no part of it.
const NO_PART: f64 = 1e-12;
/// Violations below this part of the largest |b| are rounding.
const ROUNDING: f64 = 32.0 * f64::EPSILON;
/// Violations below this part of the largest |b| do not make dependent rows infeasible.
const NEARLY_FEASIBLE: f64 = 1e-9;
/// An answer is called solved below this part of the largest |b|.
const ACCEPTED: f64 = 1e-11;
/// With nearly dependent rows or masses far apart, the rounding of large multipliers is accepted
/// too, up to this part of the largest |b|.
const SPOILED: f64 = 1e-7;
/// Corrections of the multipliers at the end.
const REFINEMENTS: u32 = 2;
/// Iterations allowed per row before cycling by rounding is assumed.
const STEPS_PER_ROW: u64 = 10;

/// Memory of the solver, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct DualActiveSet {
    active: Vec<usize>,
    multiplier: Vec<f64>,
    set_aside: Vec<bool>,
    /// Basis vectors q of the span of the active M⁻¹η, one after the other, and their images Mq.
    basis: Vec<f64>,
    image: Vec<f64>,
    /// Upper triangular R by columns of growing length: M⁻¹ηⱼ = Σ qᵢ R[i][j].
    r: Vec<Vec<f64>>,
    z: Vec<f64>,
    mz: Vec<f64>,
    coefficient: Vec<f64>,
    dual_step: Vec<f64>,
}

impl DualActiveSet {
    /// Solves; writes λ and u = M⁻¹Nλ.
    pub fn solve(
        &mut self,
        rows: &SparseJacobian,
        b: &[f64],
        lambda: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> Outcome {
        let (m, n) = (rows.len(), rows.columns());
        debug_assert_eq!(b.len(), m, "one entry of b for each row");
        lambda.clear();
        lambda.resize(m, 0.0);
        u.clear();
        u.resize(n, 0.0);
        self.active.clear();
        self.multiplier.clear();
        self.set_aside.clear();
        self.set_aside.resize(m, false);
        let scale = b.iter().fold(0.0f64, |s, &x| s.max(x.abs()));
        let limit = 100 + STEPS_PER_ROW * m as u64;
        let mut status = LcpStatus::Solved;
        let mut steps = 0;
        while let Some(entering) = self.most_violated(rows, b, u, ROUNDING * scale) {
            let mut entering_multiplier = 0.0;
            loop {
                steps += 1;
                let length_squared = self.split(rows, entering);
                let dependent = self.is_dependent(rows, entering, length_squared);
                let violation = -(rows.row(entering).dot(u) + b[entering]);
                let full = if dependent { f64::INFINITY } else { (violation / length_squared).max(0.0) };
                if dependent {
                    self.drop_rounding(rows, entering);
                }
                let (partial, leaving) = self.longest_dual_step();
                let step = full.min(partial);
                if watch::is_over() {
                    steps = limit + 1;
                }
                if !step.is_finite() || steps > limit {
                    self.set_aside[entering] = true;
                    if steps > limit {
                        status = LcpStatus::LimitReached;
                    } else if violation > NEARLY_FEASIBLE * scale {
                        status = status.max(LcpStatus::Infeasible);
                    }
                    break;
                }
                for (multiplier, r) in self.multiplier.iter_mut().zip(&self.dual_step) {
                    *multiplier -= step * r;
                }
                entering_multiplier += step;
                if !dependent {
                    for (u, z) in u.iter_mut().zip(&self.z) {
                        *u += step * z;
                    }
                }
                if full <= partial {
                    self.enter(entering, entering_multiplier, length_squared);
                    break;
                }
                self.leave(leaving, n);
            }
            if steps > limit {
                break;
            }
        }
        let residual = self.refine(rows, b, lambda, u);
        let rounding = (ACCEPTED * self.largest_push(rows)).min(SPOILED * scale);
        if status == LcpStatus::Solved && residual.worst() > rounding.max(ACCEPTED * scale) {
            status = LcpStatus::Inaccurate;
        }
        let step = rows.entries() + n * self.active.len();
        Outcome { status, iterations: steps, residual, operations: (steps + 1) * step as u64 }
    }

    /// Writes λ and u from the multipliers; two corrections with R of A_CC = RᵀR remove what
    /// rounding left on the active rows. Returns the residual.
    fn refine(
        &mut self,
        rows: &SparseJacobian,
        b: &[f64],
        lambda: &mut [f64],
        u: &mut Vec<f64>,
    ) -> KktResidual {
        let count = self.active.len();
        for pass in 0..=REFINEMENTS {
            for (&k, &l) in self.active.iter().zip(&self.multiplier) {
                lambda[k] = l.max(0.0);
            }
            rows.combine(lambda, u);
            if pass == REFINEMENTS {
                break;
            }
            self.dual_step.clear();
            for &k in &self.active {
                self.dual_step.push(-(rows.row(k).dot(u) + b[k]));
            }
            for j in 0..count {
                let mut sum = self.dual_step[j];
                for i in 0..j {
                    sum -= self.r[j][i] * self.dual_step[i];
                }
                self.dual_step[j] = sum / self.r[j][j];
            }
            self.solve_upper();
            for (multiplier, change) in self.multiplier.iter_mut().zip(&self.dual_step) {
                *multiplier += change;
            }
        }
        rows.residual(lambda, u, b)
    }

    /// The largest λₖaₖₖ: with nearly dependent rows it is far above |b|, and rounding grows with
    /// it.
    fn largest_push(&self, rows: &SparseJacobian) -> f64 {
        self.active.iter().zip(&self.multiplier).fold(0.0f64, |m, (&k, &l)| {
            let row = rows.row(k);
            m.max(l * row.delassus(&row))
        })
    }

    /// Solves R x = x in `dual_step`.
    fn solve_upper(&mut self) {
        for j in (0..self.active.len()).rev() {
            self.dual_step[j] /= self.r[j][j];
            let value = self.dual_step[j];
            for i in 0..j {
                self.dual_step[i] -= self.r[j][i] * value;
            }
        }
    }

    fn most_violated(&self, rows: &SparseJacobian, b: &[f64], u: &[f64], tolerance: f64) -> Option<usize> {
        let mut worst = -tolerance;
        let mut found = None;
        for k in 0..rows.len() {
            if self.set_aside[k] {
                continue;
            }
            let w = rows.row(k).dot(u) + b[k];
            if w < worst && !self.active.contains(&k) {
                worst = w;
                found = Some(k);
            }
        }
        found
    }

    /// Splits M⁻¹ηₚ into its part in the active span (coefficients) and z; returns |z|² in the norm
    /// of M.
    fn split(&mut self, rows: &SparseJacobian, p: usize) -> f64 {
        let n = rows.columns();
        let row = rows.row(p);
        self.z.clear();
        self.z.resize(n, 0.0);
        self.mz.clear();
        self.mz.resize(n, 0.0);
        for ((&c, &e), &s) in row.column.iter().zip(row.eta).zip(row.scaled) {
            self.z[c as usize] += s;
            self.mz[c as usize] += e;
        }
        let count = self.active.len();
        self.coefficient.clear();
        self.coefficient.resize(count, 0.0);
        for _pass in 0..2 {
            for j in 0..count {
                let span = j * n..(j + 1) * n;
                let along: f64 = self.basis[span.clone()].iter().zip(&self.mz).map(|(q, h)| q * h).sum();
                self.coefficient[j] += along;
                for (z, q) in self.z.iter_mut().zip(&self.basis[span.clone()]) {
                    *z -= along * q;
                }
                for (h, mq) in self.mz.iter_mut().zip(&self.image[span]) {
                    *h -= along * mq;
                }
            }
        }
        self.dual_step.clear();
        self.dual_step.extend_from_slice(&self.coefficient);
        self.solve_upper();
        self.z.iter().zip(&self.mz).map(|(z, h)| z * h).sum::<f64>().max(0.0)
    }

    fn is_dependent(&self, rows: &SparseJacobian, p: usize, length_squared: f64) -> bool {
        let row = rows.row(p);
        length_squared <= DEPENDENT * row.delassus(&row)
    }

    /// Of a dependent row M⁻¹ηₚ = Σ rⱼM⁻¹ηⱼ, parts that are rounding become 0: a step would be as
    /// long as they are small, and throw out a row that has nothing to do with p.
    fn drop_rounding(&mut self, rows: &SparseJacobian, p: usize) {
        let length = |k: usize| rows.row(k).delassus(&rows.row(k)).sqrt();
        let least = NO_PART * length(p);
        for (r, &k) in self.dual_step.iter_mut().zip(&self.active) {
            if r.abs() * length(k) <= least {
                *r = 0.0;
            }
        }
    }

    /// The longest step that keeps every multiplier non-negative, and who stops it; the first on
    /// ties.
    fn longest_dual_step(&self) -> (f64, usize) {
        let (mut step, mut leaving) = (f64::INFINITY, 0);
        for (j, (&l, &r)) in self.multiplier.iter().zip(&self.dual_step).enumerate() {
            if r > 0.0 && l.max(0.0) / r < step {
                step = l.max(0.0) / r;
                leaving = j;
            }
        }
        (step, leaving)
    }

    fn enter(&mut self, p: usize, multiplier: f64, length_squared: f64) {
        let count = self.active.len();
        let length = length_squared.sqrt();
        let n = self.z.len();
        self.basis.truncate(count * n);
        self.image.truncate(count * n);
        self.basis.extend(self.z.iter().map(|z| z / length));
        self.image.extend(self.mz.iter().map(|h| h / length));
        if self.r.len() == count {
            self.r.push(Vec::new());
        }
        self.r[count].clear();
        // Columns change places when a row leaves: room for the longest keeps later calls from
        // allocating.
        self.r[count].reserve(self.set_aside.len().min(n + 1));
        self.r[count].extend_from_slice(&self.coefficient);
        self.r[count].push(length);
        self.active.push(p);
        self.multiplier.push(multiplier);
    }

    /// Removes active row k: Givens rotations make R upper triangular again and turn the basis with
    /// it.
    fn leave(&mut self, k: usize, n: usize) {
        let count = self.active.len();
        self.active.remove(k);
        self.multiplier.remove(k);
        let gone = self.r.remove(k);
        for j in k..count - 1 {
            let (head, tail) = (self.r[j][j], self.r[j][j + 1]);
            let radius = (head * head + tail * tail).sqrt();
            let (c, s) = (head / radius, tail / radius);
            for column in &mut self.r[j..count - 1] {
                let (a, b) = (column[j], column[j + 1]);
                column[j] = c * a + s * b;
                column[j + 1] = c * b - s * a;
            }
            self.r[j].truncate(j + 1);
            for store in [&mut self.basis, &mut self.image] {
                let (first, second) = store.split_at_mut((j + 1) * n);
                for (a, b) in first[j * n..].iter_mut().zip(&mut second[..n]) {
                    (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
                }
            }
        }
        // Kept at the end so that its memory serves the next row.
        self.r.push(gone);
        self.basis.truncate((count - 1) * n);
        self.image.truncate((count - 1) * n);
    }
}
