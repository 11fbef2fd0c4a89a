//! A problem in dense rows, all solvers over it, and the enumeration of all bases.

use carom_numerics::lcp::pivoting::Pivoting;
use carom_numerics::lcp::sparse::{SparseProblem, SparseSettings, SparseSolver};
use carom_numerics::lcp::{Outcome, SparseJacobian};
use carom_numerics::qp::{BlockDiagonalMass, DualActiveSet};

/// A problem by dense rows: η, the diagonal of M, b.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) eta: Vec<Vec<f64>>,
    pub(super) mass: Vec<f64>,
    pub(super) b: Vec<f64>,
}

impl Problem {
    /// b = Nᵀq: feasible, because u = −q makes every w zero.
    pub(super) fn from_velocity(eta: Vec<Vec<f64>>, mass: Vec<f64>, q: &[f64]) -> Problem {
        let b = eta.iter().map(|row| row.iter().zip(q).map(|(e, q)| e * q).sum()).collect();
        Problem { eta, mass, b }
    }

    pub(super) fn rows(&self) -> SparseJacobian {
        let mut rows = SparseJacobian::default();
        rows.clear(self.mass.len());
        for eta in &self.eta {
            for (c, &e) in eta.iter().enumerate().filter(|(_, e)| **e != 0.0) {
                rows.push_entry(c as u32, e, e / self.mass[c]);
            }
            rows.end_row();
        }
        rows
    }

    pub(super) fn mass(&self) -> BlockDiagonalMass {
        BlockDiagonalMass { diagonal: self.mass.clone(), off_diagonal: vec![] }
    }

    pub(super) fn w(&self, u: &[f64]) -> Vec<f64> {
        let rows = self.rows();
        (0..self.b.len()).map(|k| rows.row(k).dot(u) + self.b[k]).collect()
    }

    /// False if rows are so nearly dependent that pushes are far larger than what they answer.
    pub(super) fn is_tame(&self) -> bool {
        let rows = self.rows();
        let (mut lambda, mut u) = (vec![], vec![]);
        DualActiveSet::default().solve(&rows, &self.b, &mut lambda, &mut u);
        let push =
            (0..rows.len()).map(|k| lambda[k] * rows.row(k).delassus(&rows.row(k))).fold(0.0, f64::max);
        let scale = self.b.iter().fold(0.0f64, |m, b| m.max(b.abs()));
        push < 100.0 * scale
    }

    pub(super) fn is_singular(&self) -> bool {
        let n = self.b.len();
        let mut a = vec![];
        self.rows().dense(&mut a);
        solve_dense(a.chunks(n).map(<[f64]>::to_vec).collect(), self.b.clone()).is_none()
    }

    /// All solvers: name, outcome, λ, u.
    pub(super) fn solve_all(&self) -> Vec<(&'static str, Outcome, Vec<f64>, Vec<f64>)> {
        let rows = self.rows();
        let mut results = vec![];
        let (mut a, mut lambda, mut u) = (vec![], vec![], vec![]);
        rows.dense(&mut a);
        let outcome = Pivoting::default().solve(&a, &self.b, &mut lambda);
        rows.combine(&lambda, &mut u);
        results.push(("pivoting", outcome, lambda.clone(), u.clone()));
        let outcome = DualActiveSet::default().solve(&rows, &self.b, &mut lambda, &mut u);
        results.push(("dual active set", outcome, lambda.clone(), u.clone()));
        lambda.clear();
        let settings = SparseSettings::default();
        let outcome = SparseSolver::default().solve(
            &sparse(&rows, &self.mass(), &self.b),
            &settings,
            &mut lambda,
            &mut u,
        );
        results.push(("sparse", outcome, lambda, u));
        results
    }
}

pub(super) fn sparse<'a>(
    rows: &'a SparseJacobian,
    mass: &'a BlockDiagonalMass,
    b: &'a [f64],
) -> SparseProblem<'a> {
    SparseProblem { rows, mass, b, bounds: None }
}

/// Gaussian elimination with pivoting; None if singular.
pub(super) fn solve_dense(mut a: Vec<Vec<f64>>, mut x: Vec<f64>) -> Option<Vec<f64>> {
    let n = x.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs()))?;
        if a[pivot][i].abs() < 1e-9 {
            return None;
        }
        a.swap(i, pivot);
        x.swap(i, pivot);
        for r in i + 1..n {
            let f = a[r][i] / a[i][i];
            for c in i..n {
                a[r][c] -= f * a[i][c];
            }
            x[r] -= f * x[i];
        }
    }
    for i in (0..n).rev() {
        for c in i + 1..n {
            x[i] -= a[i][c] * x[c];
        }
        x[i] /= a[i][i];
    }
    Some(x)
}

/// w of the solution, by trying every set of pushing rows; None if there is none.
pub(super) fn enumerate(problem: &Problem) -> Option<Vec<f64>> {
    let rows = problem.rows();
    let n = problem.b.len();
    let mut a = vec![];
    rows.dense(&mut a);
    (0..1usize << n).find_map(|set| {
        let members: Vec<usize> = (0..n).filter(|k| set >> k & 1 == 1).collect();
        let block = members.iter().map(|&i| members.iter().map(|&j| a[i * n + j]).collect()).collect();
        let lambda = solve_dense(block, members.iter().map(|&i| -problem.b[i]).collect())?;
        let w: Vec<f64> = (0..n)
            .map(|i| problem.b[i] + members.iter().zip(&lambda).map(|(&j, l)| a[i * n + j] * l).sum::<f64>())
            .collect();
        (lambda.iter().all(|&l| l >= -1e-9) && w.iter().all(|&w| w >= -1e-9)).then_some(w)
    })
}
