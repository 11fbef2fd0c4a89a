//! Sweeps to a tolerance: the promised residual, no energy gained however early they stop,
//! agreement with the exact solver.

use carom_numerics::lcp::sweeps::{SweepOutcome, SweepProblem, SweepSettings, Sweeper};
use carom_numerics::lcp::{LcpStatus, SparseJacobian};
use carom_numerics::qp::{BlockDiagonalMass, DualActiveSet};
use proptest::prelude::*;

/// Rows over bodies of `width` columns each, a mass for every column.
#[derive(Clone, Debug)]
struct Problem {
    rows: SparseJacobian,
    mass: BlockDiagonalMass,
    b: Vec<f64>,
}

impl Problem {
    fn task(&self) -> SweepProblem<'_> {
        SweepProblem { rows: &self.rows, mass: &self.mass, b: &self.b }
    }

    /// f = ½λᵀAλ + bᵀλ.
    fn energy(&self, lambda: &[f64]) -> f64 {
        let mut u = vec![];
        self.rows.combine(lambda, &mut u);
        lambda
            .iter()
            .enumerate()
            .fold(0.0, |sum, (k, l)| sum + l * (self.b[k] + 0.5 * self.rows.row(k).dot(&u)))
    }

    /// The natural residual, written down once more from its definition.
    fn residual(&self, lambda: &[f64]) -> f64 {
        let mut u = vec![];
        self.rows.combine(lambda, &mut u);
        (0..self.rows.len()).fold(0.0, |worst: f64, k| {
            let row = self.rows.row(k);
            let (a, w) = (row.delassus(&row), row.dot(&u) + self.b[k]);
            worst.max(((lambda[k] - w / a).max(0.0) - lambda[k]).abs() * a)
        })
    }
}

/// A chain of bodies with more rows than it needs; every row joins two bodies. b = Nᵀv for some v,
/// so that there is an answer.
fn problem(width: usize) -> impl Strategy<Value = Problem> {
    (4usize..30).prop_flat_map(move |bodies| {
        let columns = bodies * width;
        let count = 2 * bodies;
        let number = prop_oneof![0.2..1.0f64, -1.0..-0.2f64];
        let numbers = prop::collection::vec(number, columns + 4 * count * width);
        let masses = prop::collection::vec(0.2..5.0f64, columns);
        (numbers, masses).prop_map(move |(numbers, masses)| {
            let mut rows = SparseJacobian::default();
            rows.clear(columns);
            let mut next = columns;
            for k in 0..count {
                let first = k % (bodies - 1);
                let second = first + 1 + k / (bodies - 1) % 2;
                for body in [first, second.min(bodies - 1)] {
                    for axis in 0..width {
                        let (column, eta) = (body * width + axis, numbers[next]);
                        rows.push_entry(column as u32, eta, eta / masses[column]);
                        next += 1;
                    }
                    if second.min(bodies - 1) == first {
                        break;
                    }
                }
                rows.end_row();
            }
            let b = (0..count).map(|k| rows.row(k).dot(&numbers)).collect();
            let mass = BlockDiagonalMass { diagonal: masses, off_diagonal: vec![] };
            Problem { rows, mass, b }
        })
    })
}

fn sweep(problem: &Problem, settings: &SweepSettings, lambda: &mut Vec<f64>) -> (SweepOutcome, Vec<f64>) {
    let mut u = vec![];
    let outcome = Sweeper::default().solve(&problem.task(), settings, lambda, &mut u);
    (outcome, u)
}

fn pushes_of(lambda: &[f64]) -> f64 {
    lambda.iter().fold(0.0, |sum, l| sum + l.abs())
}

fn any_width() -> impl Strategy<Value = Problem> {
    prop_oneof![problem(1), problem(2), problem(3), problem(6)]
}

proptest! {
    /// The residual is what was promised, and what is reported; velocities approach those of the
    /// exact solver: with e the error of w and λ, the square of the distance in M is at most Σ e
    /// (λ + λ*), so it shrinks with the tolerance.
    #[test]
    fn the_promise_is_kept(problem in any_width(), digits in 1..7i32, last_few_alone in any::<bool>()) {
        let settings = SweepSettings { tolerance: 10f64.powi(-digits), max_sweeps: 5_000, last_few_alone };
        let mut lambda = vec![];
        let (outcome, u) = sweep(&problem, &settings, &mut lambda);
        let residual = problem.residual(&lambda);
        prop_assert!((residual - outcome.worst()).abs() < 1e-12 * (1.0 + pushes_of(&lambda)));
        if outcome.status == LcpStatus::LimitReached {
            // Rows that nearly depend on each other may need more sweeps than that; then it is
            // said.
            prop_assert!(residual > settings.tolerance - 1e-12);
            return Ok(());
        }
        prop_assert!(residual <= settings.tolerance + 1e-12, "{} of {}", residual, settings.tolerance);
        let (mut exact, mut best) = (vec![], vec![]);
        DualActiveSet::default().solve(&problem.rows, &problem.b, &mut exact, &mut best);
        let pushes = pushes_of(&lambda) + pushes_of(&exact);
        let stiffest = (0..problem.rows.len()).map(|k| problem.rows.row(k)).map(|r| 1.0 / r.delassus(&r)).fold(0.0, f64::max);
        let wrong = settings.tolerance * (pushes + problem.rows.len() as f64 * stiffest * 4.0);
        let far = u.iter().zip(&best).zip(&problem.mass.diagonal).fold(0.0, |sum, ((a, b), m)| sum + m * (a - b).powi(2));
        prop_assert!(far <= 4.0 * wrong + 1e-12, "{} with {} allowed", far, wrong);
    }

    /// However early it stops and wherever it starts: λ within its bounds and f ≤ 0.
    #[test]
    fn no_energy_is_gained(problem in any_width(), cap in 0..40u64, start in -1.0..50.0f64, last_few_alone in any::<bool>()) {
        let settings = SweepSettings { tolerance: 1e-12, max_sweeps: cap, last_few_alone };
        let mut lambda: Vec<f64> = (0..problem.rows.len()).map(|k| start * ((k * 7 % 5) as f64 - 1.0)).collect();
        let (outcome, _) = sweep(&problem, &settings, &mut lambda);
        prop_assert!(outcome.sweeps <= cap + 1);
        prop_assert!(lambda.iter().all(|&l| l >= 0.0));
        let scale = lambda.iter().zip(&problem.b).fold(1.0, |sum, (l, b)| sum + (l * b).abs());
        prop_assert!(problem.energy(&lambda) <= 1e-12 * scale, "{}", problem.energy(&lambda));
    }

    /// An answer that is given back needs no sweep.
    #[test]
    fn an_answer_needs_no_sweep(problem in any_width()) {
        let settings = SweepSettings { tolerance: 1e-6, max_sweeps: 2_000, last_few_alone: true };
        let mut lambda = vec![];
        let (outcome, _) = sweep(&problem, &settings, &mut lambda);
        if outcome.status == LcpStatus::Solved {
            let (again, _) = sweep(&problem, &settings, &mut lambda);
            prop_assert_eq!((again.status, again.sweeps), (LcpStatus::Solved, 0));
        }
    }
}

/// Rows that contradict each other, and a row longer than twelve: a status, and nothing that is not
/// a number.
#[test]
fn what_cannot_be_solved_is_said() {
    let mut rows = SparseJacobian::default();
    rows.clear(1);
    for eta in [1.0, -1.0] {
        rows.push_entry(0, eta, eta);
        rows.end_row();
    }
    let mass = BlockDiagonalMass { diagonal: vec![1.0], off_diagonal: vec![] };
    let wedge = Problem { rows, mass, b: vec![-1.0, -1.0] };
    let settings = SweepSettings { tolerance: 1e-6, max_sweeps: 100, last_few_alone: true };
    let mut lambda = vec![];
    let (outcome, _) = sweep(&wedge, &settings, &mut lambda);
    assert_eq!(outcome.status, LcpStatus::LimitReached);
    assert!(outcome.worst() >= 0.9 && lambda.iter().all(|l| l.is_finite()), "{outcome:?} {lambda:?}");

    let mut rows = SparseJacobian::default();
    rows.clear(26);
    (0..26).step_by(2).for_each(|column| rows.push_entry(column, 1.0, 1.0));
    rows.end_row();
    let mass = BlockDiagonalMass { diagonal: vec![1.0; 26], off_diagonal: vec![] };
    let long = Problem { rows, mass, b: vec![-1.0] };
    let (outcome, u) = sweep(&long, &settings, &mut lambda);
    assert_eq!(outcome.status, LcpStatus::LimitReached);
    assert!(lambda == [0.0] && u.iter().all(|&u| u == 0.0));
}

/// Two thousand bodies side by side, of which a few are pressed: after one round few rows are
/// wrong, and those are solved one by one, to any tolerance.
#[test]
fn the_last_few_rows_are_solved_one_by_one() {
    let mut rows = SparseJacobian::default();
    rows.clear(2000);
    for k in 0..1999 {
        rows.push_entry(k, -1.0, -1.0);
        rows.push_entry(k + 1, 1.0, 1.0);
        rows.end_row();
    }
    let mass = BlockDiagonalMass { diagonal: vec![1.0; 2000], off_diagonal: vec![] };
    let b = (0..1999).map(|k| if k % 700 == 350 { -1.0 } else { 0.3 }).collect();
    let problem = Problem { rows, mass, b };
    let (mut exact, mut best) = (vec![], vec![]);
    DualActiveSet::default().solve(&problem.rows, &problem.b, &mut exact, &mut best);
    for tolerance in [1e-2, 1e-4, 1e-9] {
        let mut lambda = vec![];
        let settings = SweepSettings { tolerance, max_sweeps: 5_000, last_few_alone: true };
        let (outcome, u) = sweep(&problem, &settings, &mut lambda);
        assert_eq!((outcome.status, outcome.sweeps), (LcpStatus::Solved, 2), "{tolerance}");
        assert!(problem.residual(&lambda) <= tolerance * (1.0 + 1e-9), "{}", problem.residual(&lambda));
        assert!(problem.energy(&lambda) < 0.0 && lambda.iter().all(|&l| l >= 0.0));
        let far = u.iter().zip(&best).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far <= 30.0 * tolerance, "{tolerance}: {far} off");
    }
}
