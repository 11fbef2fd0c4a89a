//! Newton's method on normals and friction together, for islands of a few hundred degrees of freedom.
//!
//! Source: Alart, Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution methods", Comput. Methods
//! Appl. Mech. Eng. 92 (1991), section 4: λₙ = max(0, λₙ − wₙ/a) and λₜ = the number nearest to λₜ − wₜ/a within ±μλₙ are piecewise linear
//! equations, and Newton's method solves the piece at hand. A normal is *open* or *closed*, a tangent *sticks* (wₜ = 0), *slides*
//! (λₜ = ±μλₙ) or is off. Departures: the bound moves with λₙ within the step, each tangent has its own box as everywhere here, and
//! the step is solved for velocities: every row gives by w = −(λ⁺ − λ)/ρ, as in the method of multipliers, so that
//!     (M + Σ η̃ρηᵀ + Σ τρτᵀ) δu = Σ η̃ δλ⁰ₙ + Σ τ δλ⁰ₜ,   η̃ = η + Σ ±μτ over the sliding tangents of the contact,
//! sums over closed normals and sticking tangents; redundant rows do no harm. The matrix is not symmetric: dense elimination with row pivots.
//! Nothing guarantees an end. The best iterate is given, and whoever asked checks it.

use carom_numerics::lcp::GramRows;
use carom_numerics::qp::BlockDiagonalMass;

/// Islands with more degrees of freedom are left alone: elimination costs the cube of it.
pub(crate) const MOST_FREEDOMS: usize = 180;
/// Steps before it gives up...
const MOST_STEPS: u64 = 60;
/// ...and steps in a row without a better iterate.
const PATIENCE: u64 = 20;
/// How hard rows are, without unit: 1 is as soft as a single free row. At first; at least, where rows that contradict each other would
/// drive impulses out of all bounds; at most; and by how much it changes after a step that helps or does not.
const PENALTY: f64 = 1e3;
const SOFTEST: f64 = 1e2;
const HARDEST: f64 = 1e6;
const CHANGE: f64 = 10.0;
/// A step helps if it brings the residual down to this part of the smallest so far.
const HELPS: f64 = 0.5;

/// One problem: normals first, then tangents.
pub(crate) struct Coupled<'a> {
    pub(crate) rows: &'a GramRows,
    pub(crate) mass: &'a BlockDiagonalMass,
    pub(crate) b: &'a [f64],
    /// The normal that bounds each tangent, and its μ.
    pub(crate) owner: &'a [u32],
    pub(crate) mu: &'a [f64],
    /// The residual to reach, a speed.
    pub(crate) target: f64,
}

/// What a row does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// It does not push.
    Off,
    /// w = 0.
    Holds,
    /// λ is this much of its normal's.
    Slides(f64),
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrictionNewton {
    stiffness: Vec<f64>,
    w: Vec<f64>,
    u: Vec<f64>,
    part: Vec<Part>,
    change: Vec<f64>,
    matrix: Vec<f64>,
    step: Vec<f64>,
    best: Vec<f64>,
    penalty: f64,
    /// Steps of the last call.
    pub(crate) steps: u64,
}

impl FrictionNewton {
    /// Improves λ. True if it came to the target; then λ is within all bounds.
    pub(crate) fn solve(&mut self, problem: &Coupled<'_>, lambda: &mut Vec<f64>) -> bool {
        let rows = problem.rows;
        self.steps = 0;
        self.penalty = PENALTY;
        self.stiffness.clear();
        self.stiffness.extend((0..rows.len()).map(|k| rows.row(k).coupling(&rows.row(k))));
        let (mut smallest, mut since) = (self.measure(problem, lambda), 0);
        self.best.clone_from(lambda);
        while smallest > problem.target && since <= PATIENCE && self.steps < MOST_STEPS {
            if !self.advance(problem, lambda) {
                break;
            }
            let residual = self.measure(problem, lambda);
            self.penalty = if residual < HELPS * smallest {
                (self.penalty * CHANGE).min(HARDEST)
            } else {
                (self.penalty / CHANGE).max(SOFTEST)
            };
            since += 1;
            if residual < smallest {
                (smallest, since) = (residual, 0);
                self.best.clone_from(lambda);
            }
        }
        lambda.clone_from(&self.best);
        self.keep_within_bounds(problem, lambda);
        self.measure(problem, lambda) <= problem.target
    }

    /// Gaps w of λ, and its residual.
    fn measure(&mut self, problem: &Coupled<'_>, lambda: &[f64]) -> f64 {
        problem.rows.combine(lambda, &mut self.u);
        self.w.clear();
        self.w.extend(problem.b.iter().enumerate().map(|(k, b)| problem.rows.row(k).dot(&self.u) + b));
        self.residual(problem, lambda)
    }

    /// Removes what rounding leaves outside the bounds.
    fn keep_within_bounds(&self, problem: &Coupled<'_>, lambda: &mut [f64]) {
        let normals = problem.b.len() - problem.owner.len();
        let (normal, tangent) = lambda.split_at_mut(normals);
        normal.iter_mut().for_each(|l| *l = l.max(0.0));
        for (t, l) in tangent.iter_mut().enumerate() {
            let bound = (problem.mu[t] * normal[problem.owner[t] as usize]).max(0.0);
            *l = l.clamp(-bound, bound);
        }
    }

    /// Products in the last call, about.
    pub(crate) fn operations(&self) -> u64 {
        let n = self.step.len() as u64;
        self.steps * n * n * n / 3
    }

    /// The gaps that the last λ leaves: normals, then tangents.
    pub(crate) fn gaps(&self) -> &[f64] {
        &self.w
    }

    /// Their aₖₖ.
    pub(crate) fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    /// The largest difference between an impulse and what it should be, as a speed.
    fn residual(&self, problem: &Coupled<'_>, lambda: &[f64]) -> f64 {
        let normals = problem.b.len() - problem.owner.len();
        (0..problem.b.len()).filter(|&k| self.stiffness[k] > 0.0).fold(0.0, |worst: f64, k| {
            let next = lambda[k] - self.w[k] / self.stiffness[k];
            let should = if k < normals {
                next.max(0.0)
            } else {
                let t = k - normals;
                let bound = (problem.mu[t] * lambda[problem.owner[t] as usize]).max(0.0);
                next.clamp(-bound, bound)
            };
            let wrong = (should - lambda[k]).abs() * self.stiffness[k];
            if wrong.is_nan() { f64::INFINITY } else { worst.max(wrong) }
        })
    }

    /// One step. False if the matrix is singular or not finite.
    fn advance(&mut self, problem: &Coupled<'_>, lambda: &mut [f64]) -> bool {
        self.steps += 1;
        self.choose_parts(problem, lambda);
        self.assemble(problem, lambda);
        let n = problem.rows.columns();
        if !eliminate(&mut self.matrix, &mut self.step, n) {
            return false;
        }
        let normals = problem.b.len() - problem.owner.len();
        for k in 0..problem.b.len() {
            lambda[k] = match self.part[k] {
                Part::Off => 0.0,
                Part::Holds => {
                    let felt = problem.rows.row(k).dot(&self.step);
                    lambda[k] + self.change[k] - self.penalty / self.stiffness[k] * felt
                }
                Part::Slides(share) => share * lambda[problem.owner[k - normals] as usize],
            };
        }
        lambda.iter().all(|l| l.is_finite())
    }

    fn choose_parts(&mut self, problem: &Coupled<'_>, lambda: &[f64]) {
        let normals = problem.b.len() - problem.owner.len();
        self.part.clear();
        for k in 0..problem.b.len() {
            if self.stiffness[k] <= 0.0 {
                self.part.push(Part::Off);
                continue;
            }
            let next = lambda[k] - self.w[k] / self.stiffness[k];
            self.part.push(if k < normals {
                if next > 0.0 { Part::Holds } else { Part::Off }
            } else {
                let (owner, mu) = (problem.owner[k - normals] as usize, problem.mu[k - normals]);
                let normal = lambda[owner] - self.w[owner] / self.stiffness[owner].max(f64::MIN_POSITIVE);
                match self.part[owner] {
                    Part::Holds if next.abs() < mu * normal => Part::Holds,
                    Part::Holds => Part::Slides(if next > 0.0 { mu } else { -mu }),
                    _ => Part::Off,
                }
            });
        }
    }

    /// The matrix, by rows, and the right-hand side.
    fn assemble(&mut self, problem: &Coupled<'_>, lambda: &[f64]) {
        let (rows, n) = (problem.rows, problem.rows.columns());
        let normals = problem.b.len() - problem.owner.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for (i, m) in problem.mass.diagonal.iter().enumerate() {
            self.matrix[i * n + i] = *m;
        }
        for entry in &problem.mass.off_diagonal {
            let (row, column) = (entry.row as usize, entry.column as usize);
            self.matrix[row * n + column] += entry.value;
            self.matrix[column * n + row] += entry.value;
        }
        self.step.clear();
        self.step.resize(n, 0.0);
        self.change.clear();
        for k in 0..problem.b.len() {
            let (change, pusher, felt) = match self.part[k] {
                Part::Off => (-lambda[k], k, 0.0),
                Part::Holds => {
                    (-self.penalty / self.stiffness[k] * self.w[k], k, self.penalty / self.stiffness[k])
                }
                Part::Slides(share) => {
                    let owner = problem.owner[k - normals] as usize;
                    let to = share * (lambda[owner] + self.change[owner]);
                    (to - lambda[k], owner, share * self.penalty / self.stiffness[owner])
                }
            };
            self.change.push(change);
            let (row, felt_row) = (rows.row(k), rows.row(pusher));
            for (&i, &eta) in row.column.iter().zip(row.eta) {
                self.step[i as usize] += change * eta;
                if felt != 0.0 {
                    let line = &mut self.matrix[i as usize * n..(i as usize + 1) * n];
                    for (&j, &other) in felt_row.column.iter().zip(felt_row.eta) {
                        line[j as usize] += felt * eta * other;
                    }
                }
            }
        }
    }
}

/// Gauss elimination with row pivots of a matrix by rows; the right-hand side becomes the solution. False without a pivot.
fn eliminate(matrix: &mut [f64], right: &mut [f64], n: usize) -> bool {
    for column in 0..n {
        let size = |row: usize, matrix: &[f64]| matrix[row * n + column].abs();
        let pivot = (column..n).fold(
            column,
            |best, row| {
                if size(row, matrix) > size(best, matrix) { row } else { best }
            },
        );
        let value = matrix[pivot * n + column];
        if value == 0.0 || !value.is_finite() {
            return false;
        }
        if pivot != column {
            let (above, below) = matrix.split_at_mut(pivot * n);
            above[column * n..(column + 1) * n].swap_with_slice(&mut below[..n]);
            right.swap(pivot, column);
        }
        let (done, rest) = matrix.split_at_mut((column + 1) * n);
        let top = &done[column * n..];
        for (below, line) in rest.chunks_exact_mut(n).enumerate() {
            let factor = line[column] / value;
            if factor != 0.0 {
                for (x, t) in line[column + 1..].iter_mut().zip(&top[column + 1..]) {
                    *x -= factor * t;
                }
                right[column + 1 + below] -= factor * right[column];
            }
        }
    }
    for row in (0..n).rev() {
        let line = &matrix[row * n..(row + 1) * n];
        let known: f64 = line[row + 1..].iter().zip(&right[row + 1..]).map(|(a, x)| a * x).sum();
        right[row] = (right[row] - known) / line[row];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of `normals` contacts, then `tangents` each, with M = 1 so that η = M⁻¹η.
    fn rows_of(columns: usize, entries: &[&[(u32, f64)]]) -> GramRows {
        let mut rows = GramRows::default();
        rows.clear(columns);
        for row in entries {
            row.iter().for_each(|&(column, eta)| rows.push_entry(column, eta, eta));
            rows.end_row();
        }
        rows
    }

    fn solve(rows: &GramRows, b: &[f64], owner: &[u32], mu: &[f64]) -> (bool, Vec<f64>) {
        let mass = BlockDiagonalMass { diagonal: vec![1.0; rows.columns()], off_diagonal: vec![] };
        let mut lambda = vec![0.0; b.len()];
        let coupled = Coupled { rows, mass: &mass, b, owner, mu, target: 1e-12 };
        let solved = FrictionNewton::default().solve(&coupled, &mut lambda);
        (solved, lambda)
    }

    /// A unit mass that falls on a floor at 1 and slides at 0.2 and −0.9: along the first tangent it stops, along the second it slides on.
    #[test]
    fn a_mass_sticks_along_one_tangent_and_slides_along_the_other() {
        let rows = rows_of(3, &[&[(2, 1.0)], &[(0, 1.0)], &[(1, 1.0)]]);
        let (solved, lambda) = solve(&rows, &[-1.0, 0.2, -0.9], &[0, 0], &[0.5, 0.5]);
        assert!(solved && (lambda[0] - 1.0).abs() < 1e-12, "{lambda:?}");
        assert!((lambda[1] + 0.2).abs() < 1e-12 && (lambda[2] - 0.5).abs() < 1e-12, "{lambda:?}");
        let (solved, open) = solve(&rows, &[1.0, 0.2, -0.9], &[0, 0], &[0.5, 0.5]);
        assert!(solved && open == [0.0; 3], "what leaves is not rubbed");
    }

    /// Sliding that presses: the tangent has a part along the normal, wₙ = λₙ + cλₜ − 1 and wₜ = cλₙ + λₜ + s with λₜ = −μλₙ while it slides,
    /// so λₙ = 1 / (1 − cμ). Every contact is written twice: only sums are known.
    #[test]
    fn friction_that_presses_is_solved_with_redundant_rows() {
        let (c, mu, s) = (0.6, 0.5, 5.0);
        let normal: &[(u32, f64)] = &[(0, 1.0)];
        let across = (1.0f64 - c * c).sqrt();
        let tangent: &[(u32, f64)] = &[(0, c), (1, across)];
        let rows = rows_of(2, &[normal, normal, tangent, tangent]);
        let (solved, lambda) = solve(&rows, &[-1.0, -1.0, s, s], &[0, 1], &[mu, mu]);
        let push = lambda[0] + lambda[1];
        assert!(solved && (push - 1.0 / (1.0 - c * mu)).abs() < 1e-10, "{lambda:?}");
        assert!((lambda[2] + lambda[3] + mu * push).abs() < 1e-10, "{lambda:?}");
    }
}
