//! Planar problems on which Newton's method cycles: heaps of discs with more contacts than are
//! needed, on the verge of sliding. Every answer is judged by the certificate.

use carom_contact::coulomb::{Answer, Cone, Problem, Settings, Solver, SolverStatus, Triplet};

struct Random(u64);

impl Random {
    /// In −1..1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / ((1u64 << 53) as f64) * 2.0 - 1.0
    }
}

/// A heap: rows of unit discs in bond on a floor between two walls, moved a little by chance. Who
/// was a neighbour touches.
fn heap(seed: u64, (across, rows): (usize, usize), mu: f64, push: f64) -> Problem {
    let mut random = Random(seed);
    let mut centers = Vec::new();
    for row in 0..rows {
        for k in 0..across - row % 2 {
            let x = 1.0 + 2.0 * k as f64 + (row % 2) as f64;
            centers.push([x + 0.02 * random.next(), 1.0 + 3f64.sqrt() * row as f64 + 0.02 * random.next()]);
        }
    }
    let (mut jacobian, mut cones): (Vec<Triplet>, _) = (Vec::new(), Vec::new());
    let mut touch = |upper: usize, lower: Option<usize>, [x, y]: [f64; 2]| {
        let first = 2 * cones.len();
        let mut side = |body: usize, sign: f64| {
            jacobian.extend([(3 * body, first, sign * x), (3 * body + 1, first, sign * y)]);
            jacobian.extend([(3 * body, first + 1, -sign * y), (3 * body + 1, first + 1, sign * x)]);
            jacobian.push((3 * body + 2, first + 1, -1.0));
        };
        side(upper, 1.0);
        if let Some(lower) = lower {
            side(lower, -1.0);
        }
        cones.push(Cone::SecondOrder { dim: 2, mu });
    };
    for (i, a) in centers.iter().enumerate() {
        for (j, b) in centers[..i].iter().enumerate() {
            let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
            let distance = (dx * dx + dy * dy).sqrt();
            if distance < 2.1 {
                touch(i, Some(j), [dx / distance, dy / distance]);
            }
        }
        let from_walls = [(a[1], [0.0, 1.0]), (a[0], [1.0, 0.0]), (2.0 * across as f64 - a[0], [-1.0, 0.0])];
        for (distance, normal) in from_walls {
            if distance < 1.1 {
                touch(i, None, normal);
            }
        }
    }
    let (mut mass, mut momentum): (Vec<Triplet>, Vec<f64>) = (Vec::new(), Vec::new());
    for body in 0..centers.len() {
        let velocity = [push * random.next(), -0.1 + push * random.next(), push * random.next()];
        for (k, m) in [1.0, 1.0, 0.5].into_iter().enumerate() {
            mass.push((3 * body + k, 3 * body + k, m));
            momentum.push(m * velocity[k]);
        }
    }
    let w = vec![0.0; 2 * cones.len()];
    Problem::from_mass(cones, &mass, &jacobian, &momentum, &w).unwrap()
}

#[track_caller]
fn assert_solved(problem: &Problem, settings: Settings, what: &str) -> Answer {
    let mut r = vec![0.0; problem.rows()];
    let answer = Solver::new(settings).solve(problem, &mut r);
    assert_eq!(answer.status, SolverStatus::Solved, "{what}: {answer:?}");
    let mut u = vec![0.0; problem.rows()];
    let certificate = problem.certify(&r, &mut u);
    assert!(certificate.residual <= 1e-10, "{what}: {certificate:?}");
    assert!(certificate.work <= 1e-12, "friction and inelastic contacts create no energy: {certificate:?}");
    answer
}

/// Heaps from the verge of sliding to a push that scatters them.
#[test]
fn heaps_are_solved_by_paths_where_newtons_method_cycles() {
    let (mut pivots, mut newton) = (0, 0);
    for seed in 0..12 {
        for mu in [0.1, 0.5, 1.0] {
            for push in [1e-3, 0.03, 0.3] {
                let problem = heap(seed, (6, 6), mu, push);
                assert!(problem.len() > 80, "neighbours touch");
                let what = format!("heap {seed}, friction {mu}, push {push}");
                let effort = assert_solved(&problem, Settings::default(), &what).effort;
                assert_eq!(effort.interior, 0, "planar problems need no interior points");
                pivots += effort.pivots;
                newton += effort.newton;
            }
        }
    }
    assert!(pivots > 100, "paths were followed: {pivots} pivots, {newton} factorizations");
}

/// The same in one run, without Newton's method before the path, and without the path near the
/// guess: the path from far arrives.
#[test]
fn paths_from_far_arrive() {
    for seed in 0..6 {
        for mu in [0.3, 0.8] {
            let problem = heap(100 + seed, (5, 4), mu, 0.1);
            let settings = Settings { newton_iterations: 0, runs: 2, skipped_runs: 1, ..Settings::default() };
            let what = format!("heap {seed}, friction {mu}");
            let effort = assert_solved(&problem, settings, &what).effort;
            assert!(effort.pivots as usize > problem.len() / 2, "contacts closed one by one: {effort:?}");
        }
    }
}

/// A guess of the right size is far cheaper than none: the next step of a heap begins with the last
/// one's impulses.
#[test]
fn a_warm_start_takes_few_factorizations() {
    let problem = heap(7, (8, 8), 0.5, 1e-3);
    let mut r = vec![0.0; problem.rows()];
    let mut solver = Solver::new(Settings::default());
    assert_eq!(solver.solve(&problem, &mut r).status, SolverStatus::Solved);
    let mut next = problem.clone();
    let q: Vec<f64> = problem.q().iter().map(|q| q * (1.0 + 1e-6)).collect();
    next.set_q(&q);
    let answer = solver.solve(&next, &mut r);
    assert_eq!(answer.status, SolverStatus::Solved);
    assert!(answer.effort.newton <= 3, "{answer:?}");
}
