//! Contact problems with friction that bytes describe: bodies of very different masses, rows that
//! depend on each other. The status is judged by the law itself, computed here once more from W, q
//! and the impulses.

use crate::bytes::Numbers;
use carom::coulomb::{Cone, Problem, Settings, Solver, SolverStatus, Triplet};

const MOST_CONTACTS: usize = 12;
const MOST_COORDINATES: usize = 12;
/// Solved promises a residual of 1e-10; this leaves room for another norm and its rounding.
const SOLVED: f64 = 1e-7;

/// Solves the problem of some bytes.
pub(crate) fn solve(input: &[u8]) -> u64 {
    let mut numbers = Numbers::new(input);
    let dim = 2 + numbers.below(2);
    let (contacts, coordinates) = (1 + numbers.below(MOST_CONTACTS), 1 + numbers.below(MOST_COORDINATES));
    let cones: Vec<Cone> = (0..contacts)
        .map(|_| Cone::SecondOrder { dim: dim as u8, mu: f64::from(numbers.byte() % 9) / 8.0 })
        .collect();
    let masses: Vec<Triplet> = (0..coordinates).map(|k| (k, k, numbers.scale())).collect();
    let rows = contacts * dim;
    let f: Vec<f64> = (0..coordinates).map(|_| numbers.signed()).collect();
    let w: Vec<f64> = (0..rows).map(|_| numbers.signed()).collect();
    let mut jacobian: Vec<Triplet> = Vec::new();
    for row in 0..rows {
        for coordinate in 0..coordinates {
            let value = numbers.signed();
            // Half of the entries are zero, as where contacts share few bodies.
            if value > 0.0 {
                jacobian.push((coordinate, row, 2.0 * value - 1.0));
            }
        }
    }
    let Ok(problem) = Problem::from_mass(cones, &masses, &jacobian, &f, &w) else { return 1 };
    let mut solver = Solver::new(Settings::default());
    let mut impulses = vec![0.0; rows];
    let answer = solver.solve(&problem, &mut impulses);
    assert!(impulses.iter().all(|r| r.is_finite()), "impulses that are not finite");
    if answer.status == SolverStatus::Solved {
        let error = error(&problem, &impulses, dim);
        assert!(error <= SOLVED, "solved, with an error of {error:.1e}");
    }
    if answer.status == SolverStatus::Infeasible {
        let proof = solver.proof().expect("infeasible, without a proof");
        assert!(proof.margin > 0.0, "a proof that proves nothing");
    }
    answer.status as u64 + 10 * contacts as u64
}

/// The largest |r − P(r − v/d)| √d of a contact, v = u + μ|u_T| e_N, over the largest impulse or
/// velocity in the same units.
fn error(problem: &Problem, r: &[f64], dim: usize) -> f64 {
    let mut u = problem.q().to_vec();
    let mut diagonal = vec![0.0; u.len()];
    for (row, column, value) in problem.triplets() {
        u[row] += value * r[column];
        diagonal[row] += if row == column { value } else { 0.0 };
    }
    let (mut worst, mut largest) = (0.0f64, f64::MIN_POSITIVE);
    for (k, cone) in problem.cones().iter().enumerate() {
        let Cone::SecondOrder { mu, .. } = *cone else { unreachable!("only friction is asked for") };
        let range = k * dim..(k + 1) * dim;
        let (r, u, q) = (&r[range.clone()], &u[range.clone()], &problem.q()[range.clone()]);
        let d = diagonal[range].iter().sum::<f64>() / dim as f64;
        let d = if d > 0.0 { d } else { 1.0 };
        let mut moved: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u / d).collect();
        moved[0] -= mu * length(&u[1..]) / d;
        let projected = projected(&moved, mu);
        let gap: Vec<f64> = r.iter().zip(&projected).map(|(r, p)| r - p).collect();
        worst = worst.max(d.sqrt() * length(&gap));
        largest = largest.max(d.sqrt() * length(r)).max(length(q) / d.sqrt());
    }
    worst / largest
}

/// The nearest point of the cone |x_T| ≤ μ x_N.
fn projected(x: &[f64], mu: f64) -> Vec<f64> {
    let tangent = length(&x[1..]);
    if tangent <= mu * x[0] {
        return x.to_vec();
    }
    let normal = ((x[0] + mu * tangent) / (1.0 + mu * mu)).max(0.0);
    let share = if tangent > 0.0 { mu * normal / tangent } else { 0.0 };
    std::iter::once(normal).chain(x[1..].iter().map(|t| t * share)).collect()
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
