//! One contact problem: warm starts, proofs, two-sided rows, tolerances, physics at rest.

use carom_contact::coulomb::{Cone, Problem, Proof, Settings, Solver, SolverStatus};

fn identity(rows: usize) -> Vec<(usize, usize, f64)> {
    (0..rows).map(|i| (i, i, 1.0)).collect()
}

#[test]
fn a_good_guess_costs_a_certificate_and_nothing_more() {
    let cones = vec![Cone::SecondOrder { dim: 3, mu: 0.5 }; 2];
    let mut w = identity(6);
    w.extend([(0, 3, 0.5), (3, 0, 0.5)]);
    let problem = Problem::from_delassus(cones, &w, vec![-1.0, 0.1, 0.0, -1.0, 2.0, 1.0]).unwrap();
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; 6];
    let first = solver.solve(&problem, &mut r);
    assert_eq!(first.status, SolverStatus::Solved);
    assert!(first.effort.islands > 0);
    let before = r.clone();
    let again = solver.solve(&problem, &mut r);
    assert_eq!(again.status, SolverStatus::Solved);
    assert_eq!(again.effort, Default::default());
    assert_eq!(r, before, "a good guess is returned as it is");
    let count = allocation_counter::measure(|| {
        solver.solve(&problem, &mut r);
    });
    assert_eq!(count.count_total, 0, "no allocation at rest");
}

#[test]
fn jammed_contacts_have_a_proof() {
    // A bar between two walls that both come nearer: W = [[1, −1], [−1, 1]], q = (−1, −1).
    let w = [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)];
    let problem = Problem::from_delassus(vec![Cone::NonNegative; 2], &w, vec![-1.0, -1.0]).unwrap();
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; 2];
    let answer = solver.solve(&problem, &mut r);
    assert_eq!(answer.status, SolverStatus::Infeasible, "{answer:?}");
    let proof = solver.proof().unwrap();
    assert!((proof.margin - 2.0).abs() < 1e-6 && proof.excluded_impulse > 1e8, "{proof:?}");
    // The proof is checked from its multipliers alone, and proves nothing of another problem.
    assert!(Proof::check(&problem, proof.multipliers.clone()).is_some());
    let free = Problem::from_delassus(vec![Cone::NonNegative; 2], &w, vec![-1.0, 1.5]).unwrap();
    assert!(Proof::check(&free, proof.multipliers.clone()).is_none());
    assert_eq!(solver.solve(&free, &mut r).status, SolverStatus::Solved);
}

#[test]
fn jammed_with_friction_has_a_proof_too() {
    // The same bar in 3D, with friction.
    let mut w = Vec::new();
    for k in 0..3 {
        w.extend([(k, k, 1.0), (3 + k, 3 + k, 1.0), (k, 3 + k, -1.0), (3 + k, k, -1.0)]);
    }
    let cones = vec![Cone::SecondOrder { dim: 3, mu: 0.5 }; 2];
    let problem = Problem::from_delassus(cones, &w, vec![-1.0, 0.2, 0.1, -0.5, 0.0, 0.3]).unwrap();
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; 6];
    let answer = solver.solve(&problem, &mut r);
    assert_eq!(answer.status, SolverStatus::Infeasible, "{answer:?}");
    assert!(solver.proof().is_some());
}

#[test]
fn two_sided_rows_do_not_move() {
    // Two unit masses on a line, joined; the left one is pushed against the ground row.
    let w = [(0, 0, 2.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)];
    let problem =
        Problem::from_delassus(vec![Cone::Free { dim: 1 }, Cone::NonNegative], &w, vec![0.5, -1.0]).unwrap();
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; 2];
    assert_eq!(solver.solve(&problem, &mut r).status, SolverStatus::Solved);
    let u = solver.velocity();
    assert!(u[0].abs() < 1e-14 && u[1].abs() < 1e-14, "{u:?}");
    assert!((r[0] - 0.5).abs() < 1e-13 && (r[1] - 1.5).abs() < 1e-13, "{r:?}");
}

#[test]
fn a_tolerance_is_kept_on_every_row() {
    // A chain of 40 masses pressed together: Gauss–Seidel is slow here.
    let n = 40;
    let mut w = Vec::new();
    for i in 0..n {
        w.push((i, i, 2.0));
        if i + 1 < n {
            w.extend([(i, i + 1, -1.0), (i + 1, i, -1.0)]);
        }
    }
    let problem = Problem::from_delassus(vec![Cone::NonNegative; n], &w, vec![-1.0; n]).unwrap();
    for tolerance in [1e-1, 1e-3, 1e-6] {
        let mut solver = Solver::new(Settings::to_tolerance(tolerance));
        let mut r = vec![0.0; n];
        let answer = solver.solve(&problem, &mut r);
        assert_eq!(answer.status, SolverStatus::Solved);
        assert!(answer.certificate.velocity_error <= tolerance);
    }
}

#[test]
fn units_change_nothing() {
    // The same problem in grams and millimetres has the same scaled solution.
    let w = [(0, 0, 1.3), (0, 1, 0.2), (1, 0, 0.2), (1, 1, 0.9), (2, 2, 1.0), (2, 0, 0.4), (0, 2, 0.4)];
    let cone = vec![Cone::SecondOrder { dim: 3, mu: 0.4 }];
    let q = vec![-1.0, 2.0, -0.5];
    let problem = Problem::from_delassus(cone.clone(), &w, q.clone()).unwrap();
    let mut r = vec![0.0; 3];
    let mut solver = Solver::new(Settings::default());
    assert_eq!(solver.solve(&problem, &mut r).status, SolverStatus::Solved);
    let small: Vec<_> = w.iter().map(|&(i, j, v)| (i, j, v * 1e-9)).collect();
    let scaled = Problem::from_delassus(cone, &small, q.iter().map(|q| q * 1e6).collect()).unwrap();
    let mut s = vec![0.0; 3];
    assert_eq!(solver.solve(&scaled, &mut s).status, SolverStatus::Solved);
    for (r, s) in r.iter().zip(&s) {
        assert!((r * 1e15 - s).abs() <= 1e-12 * s.abs(), "{r} {s}");
    }
}

#[test]
fn damaged_numbers_are_refused() {
    let one = vec![Cone::SecondOrder { dim: 3, mu: 0.5 }];
    let bad = |w: &[(usize, usize, f64)], q: Vec<f64>, cones: Vec<Cone>| {
        Problem::from_delassus(cones, w, q).unwrap_err().to_string()
    };
    assert!(bad(&identity(3), vec![0.0; 2], one.clone()).contains("q has 2"));
    assert!(bad(&[(0, 7, 1.0)], vec![0.0; 3], one.clone()).contains("index 7"));
    assert!(bad(&[(0, 0, f64::NAN)], vec![0.0; 3], one.clone()).contains("W"));
    assert!(bad(&identity(3), vec![f64::INFINITY; 3], one.clone()).contains("q"));
    assert!(bad(&[(0, 0, -1.0)], vec![0.0; 3], one).contains("negative diagonal"));
    assert!(
        bad(&identity(3), vec![0.0; 3], vec![Cone::SecondOrder { dim: 3, mu: -0.1 }]).contains("contact 0")
    );
    assert!(
        bad(&identity(3), vec![0.0; 3], vec![Cone::SecondOrder { dim: 3, mu: f64::NAN }])
            .contains("contact 0")
    );
}
