//! Dantzig's principal pivoting for 0 ≤ λ ⊥ Aλ + b ≥ 0, A symmetric positive semidefinite, dense.
//!
//! Source: Cottle, Pang, Stone, *The Linear Complementarity Problem*, section 4.2 (principal
//! pivoting with a driving variable), in the form of Baraff, "Fast contact force computation for
//! nonpenetrating rigid bodies", SIGGRAPH 1994, section 4: indices are taken one at a time; λᵢ
//! grows from 0 until wᵢ = 0 while the conditions of all earlier indices are kept, and an index
//! that blocks changes sides. Symbols: C the indices with w = 0, r = A_CC⁻¹A_Ci, s = A_ii − A_iC r
//! the Schur complement, by which wᵢ grows for each unit of λᵢ.
//!
//! Order as in the course's program: index order, the first found among equal steps. Departures: A
//! may be singular. An index i that depends on C has s = 0, so wᵢ does not move and only an index
//! of C can block; for exact numbers no blocking index can depend on C (a zero on the diagonal of a
//! semidefinite Schur complement has a zero row), so A_CC stays regular. Where rounding breaks
//! this, or the answer misses the tolerance, the status shows it and the caller turns to the dual
//! active set, which is exact for singular A.

use super::cholesky::GrowingCholesky;
use super::{KktResidual, LcpStatus, Outcome};
use crate::watch;

/// A Schur complement below this part of A_ii counts as zero: the rounding of a dense
/// factorization.
const DEPENDENT: f64 = 1e-12;
/// A solution is accepted when its residual is below this part of the largest |b|.
const ACCEPTED: f64 = 1e-12;
/// A violation below this part of the largest |b| is rounding: a copy of an earlier row shows it.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Pivots allowed per row, and some, before cycling is assumed.
const PIVOTS_PER_ROW: u64 = 10;
const AND_SOME: u64 = 100;

/// Memory of the solver, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Pivoting {
    factor: GrowingCholesky,
    clamped: Vec<usize>,
    is_clamped: Vec<bool>,
    w: Vec<f64>,
    half: Vec<f64>,
    step: Vec<f64>,
    diagonal: Vec<f64>,
}

/// What ends a step of the driving variable.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    None,
    Driver,
    LeavesClamped(usize),
    EntersClamped(usize),
}

impl Pivoting {
    /// Solves the problem with the n × n matrix `a` (by rows); writes λ.
    pub fn solve(&mut self, a: &[f64], b: &[f64], lambda: &mut Vec<f64>) -> Outcome {
        let n = b.len();
        debug_assert_eq!(a.len(), n * n, "A has as many rows and columns as b has entries");
        lambda.clear();
        lambda.resize(n, 0.0);
        self.start(a, b);
        let scale = b.iter().fold(0.0f64, |m, &x| m.max(x.abs()));
        let rounding = ROUNDING * scale;
        let mut pivots = 0;
        let mut status = LcpStatus::Solved;
        for driver in 0..n {
            self.w[driver] = row_times(a, n, driver, lambda) + b[driver];
            // Once it pushes, the driver must end in C, even if rounding has already lifted w to
            // zero.
            while !self.is_clamped[driver] && (self.w[driver] < -rounding || lambda[driver] > 0.0) {
                pivots += 1;
                if pivots > PIVOTS_PER_ROW * n as u64 + AND_SOME || watch::is_over() {
                    status = LcpStatus::LimitReached;
                    break;
                }
                if !self.pivot(a, driver, lambda) {
                    status = status.max(LcpStatus::Infeasible);
                    break;
                }
            }
        }
        self.polish(b, lambda);
        let residual = self.residual(a, b, lambda);
        let accurate = residual.worst() <= ACCEPTED * scale;
        if status == LcpStatus::Solved && !accurate {
            status = LcpStatus::Inaccurate;
        }
        Outcome { status, iterations: pivots, residual, operations: (pivots + 1) * (n * n) as u64 }
    }

    fn start(&mut self, a: &[f64], b: &[f64]) {
        let n = b.len();
        self.factor.clear();
        self.clamped.clear();
        self.is_clamped.clear();
        self.is_clamped.resize(n, false);
        self.w.clear();
        self.w.extend_from_slice(b);
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| a[i * n + i]));
    }

    /// One step of the driving variable; false if nothing limits it.
    fn pivot(&mut self, a: &[f64], driver: usize, lambda: &mut [f64]) -> bool {
        let n = lambda.len();
        let schur = self.direction(a, driver);
        let mut size = f64::INFINITY;
        let mut block = Block::None;
        if schur > DEPENDENT * self.diagonal[driver] {
            size = (-self.w[driver] / schur).max(0.0);
            block = Block::Driver;
        }
        for (at, &j) in self.clamped.iter().enumerate() {
            if self.step[at] > 0.0 && lambda[j] / self.step[at] < size {
                size = lambda[j] / self.step[at];
                block = Block::LeavesClamped(at);
            }
        }
        for j in 0..driver {
            if self.is_clamped[j] {
                continue;
            }
            let mut gain = a[j * n + driver];
            for (at, &c) in self.clamped.iter().enumerate() {
                gain -= a[j * n + c] * self.step[at];
            }
            self.half[j] = gain;
            let noise = DEPENDENT * (self.diagonal[j] * self.diagonal[driver]).sqrt();
            if gain < -noise && self.w[j].max(0.0) / -gain < size {
                size = self.w[j].max(0.0) / -gain;
                block = Block::EntersClamped(j);
            }
        }
        if block == Block::None {
            return false;
        }
        lambda[driver] += size;
        self.w[driver] += size * schur;
        for (at, &c) in self.clamped.iter().enumerate() {
            lambda[c] -= size * self.step[at];
        }
        for j in 0..driver {
            if !self.is_clamped[j] {
                self.w[j] += size * self.half[j];
            }
        }
        self.change_sides(a, driver, block, lambda)
    }

    fn change_sides(&mut self, a: &[f64], driver: usize, block: Block, lambda: &mut [f64]) -> bool {
        match block {
            Block::Driver => {
                self.w[driver] = 0.0;
                self.clamp(a, driver)
            }
            Block::EntersClamped(j) => {
                self.w[j] = 0.0;
                self.clamp(a, j)
            }
            Block::LeavesClamped(at) => {
                let j = self.clamped.remove(at);
                self.factor.remove(at);
                self.is_clamped[j] = false;
                lambda[j] = 0.0;
                self.w[j] = 0.0;
                true
            }
            Block::None => false,
        }
    }

    /// Writes r = A_CC⁻¹A_Ci to `step`; returns the Schur complement.
    fn direction(&mut self, a: &[f64], i: usize) -> f64 {
        let n = self.w.len();
        self.step.clear();
        self.step.extend(self.clamped.iter().map(|&c| a[c * n + i]));
        self.factor.forward(&mut self.step);
        let schur = self.diagonal[i] - self.step.iter().map(|y| y * y).sum::<f64>();
        self.factor.backward(&mut self.step);
        self.half.clear();
        self.half.resize(n, 0.0);
        schur
    }

    fn clamp(&mut self, a: &[f64], i: usize) -> bool {
        let n = self.w.len();
        self.half.clear();
        self.half.extend(self.clamped.iter().map(|&c| a[c * n + i]));
        self.factor.forward(&mut self.half);
        let schur = self.diagonal[i] - self.half.iter().map(|y| y * y).sum::<f64>();
        if schur <= 0.0 {
            return false;
        }
        self.factor.push(&self.half, schur);
        self.clamped.push(i);
        self.is_clamped[i] = true;
        true
    }

    /// Solves once more on the final set, so that the steps on the way leave no rounding behind.
    fn polish(&mut self, b: &[f64], lambda: &mut [f64]) {
        self.step.clear();
        self.step.extend(self.clamped.iter().map(|&c| -b[c]));
        self.factor.forward(&mut self.step);
        self.factor.backward(&mut self.step);
        lambda.fill(0.0);
        for (&c, &l) in self.clamped.iter().zip(&self.step) {
            lambda[c] = l.max(0.0);
        }
    }

    fn residual(&self, a: &[f64], b: &[f64], lambda: &[f64]) -> KktResidual {
        let n = b.len();
        (0..n).fold(KktResidual::default(), |worst, i| {
            let w = row_times(a, n, i, lambda) + b[i];
            worst.max(KktResidual::of_row(lambda[i], w, self.diagonal[i]))
        })
    }
}

fn row_times(a: &[f64], n: usize, i: usize, x: &[f64]) -> f64 {
    a[i * n..(i + 1) * n].iter().zip(x).map(|(a, x)| a * x).sum()
}
