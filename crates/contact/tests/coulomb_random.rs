//! Random contact problems of the kinds that are hard: deficient rank, redundant contacts, heavy
//! bodies on light ones. Every answer is judged by the certificate.

use carom_contact::coulomb::{Cone, Problem, Settings, Solver, SolverStatus, Triplet};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / ((1u64 << 53) as f64) * 2.0 - 1.0
    }
}

/// Bodies with a mass and a velocity; contacts are added one by one.
struct Scene {
    dofs: usize,
    mass: Vec<Triplet>,
    momentum: Vec<f64>,
    jacobian: Vec<Triplet>,
    cones: Vec<Cone>,
}

type Point = [f64; 3];

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Scene {
    fn new() -> Self {
        Self { dofs: 0, mass: Vec::new(), momentum: Vec::new(), jacobian: Vec::new(), cones: Vec::new() }
    }

    /// A body of three translations and three rotations.
    fn body(&mut self, mass: f64, inertia: f64, velocity: [f64; 6]) -> usize {
        let first = self.dofs;
        for k in 0..6 {
            let m = if k < 3 { mass } else { inertia };
            self.mass.push((first + k, first + k, m));
            self.momentum.push(m * velocity[k]);
        }
        self.dofs += 6;
        first
    }

    /// A contact with its normal along z: of body `above` at arm `a`, on `below` at arm `b` or on
    /// the ground.
    fn contact(&mut self, mu: f64, (above, a): (usize, Point), below: Option<(usize, Point)>) {
        let axes: [Point; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let first = 3 * self.cones.len();
        let mut side = |body: usize, arm: Point, sign: f64| {
            for (k, axis) in axes.iter().enumerate() {
                let turn = cross(arm, *axis);
                for c in 0..3 {
                    self.jacobian.push((body + c, first + k, sign * axis[c]));
                    self.jacobian.push((body + 3 + c, first + k, sign * turn[c]));
                }
            }
        };
        side(above, a, 1.0);
        if let Some((body, arm)) = below {
            side(body, arm, -1.0);
        }
        self.cones.push(Cone::SecondOrder { dim: 3, mu });
    }

    fn problem(&self) -> Problem {
        let w = vec![0.0; 3 * self.cones.len()];
        Problem::from_mass(self.cones.clone(), &self.mass, &self.jacobian, &self.momentum, &w).unwrap()
    }
}

/// A tower of boxes with `corners` contacts between neighbours: more rows than degrees of freedom.
fn tower(random: &mut Random, levels: usize, corners: usize, (mu, ratio): (f64, f64)) -> Problem {
    let mut scene = Scene::new();
    let mut bodies = Vec::new();
    for level in 0..levels {
        // Only the highest has another mass.
        let mass = if level > 0 && level + 1 == levels { ratio } else { 1.0 };
        let push = 0.3;
        let velocity = std::array::from_fn(|k| if k == 2 { -0.1 } else { push * 0.1 * random.next() });
        bodies.push(scene.body(mass, mass / 6.0, velocity));
    }
    for level in 0..levels {
        for corner in 0..corners {
            // Points of a square, and of its sides where there are more than four.
            let (s, c) = match corner % 4 {
                0 => (0.5, 0.5),
                1 => (-0.5, 0.5),
                2 => (-0.5, -0.5),
                _ => (0.5, -0.5),
            };
            let shrink = 1.0 - 0.5 * (corner / 4) as f64 / corners as f64;
            let below = (level > 0).then(|| (bodies[level - 1], [shrink * s, shrink * c, 0.5]));
            scene.contact(mu, (bodies[level], [shrink * s, shrink * c, -0.5]), below);
        }
    }
    scene.problem()
}

fn solve(problem: &Problem) -> (Solver, Vec<f64>, carom_contact::coulomb::Answer) {
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; problem.rows()];
    let answer = solver.solve(problem, &mut r);
    (solver, r, answer)
}

#[track_caller]
fn assert_solved(problem: &Problem, what: &str) {
    let (_, r, answer) = solve(problem);
    assert_eq!(answer.status, SolverStatus::Solved, "{what}: {answer:?}");
    // The certificate again, from nothing but problem and impulses.
    let mut u = vec![0.0; problem.rows()];
    let certificate = problem.certify(&r, &mut u);
    assert!(certificate.residual <= 1e-10, "{what}: {certificate:?}");
    assert!(certificate.work <= 1e-12, "friction and inelastic contacts create no energy: {certificate:?}");
}

#[test]
fn towers_of_deficient_rank() {
    let mut random = Random(3);
    for levels in [1, 2, 3, 5, 8, 12] {
        for corners in [3, 4, 8] {
            for mu in [0.05, 0.3, 0.8] {
                assert_solved(
                    &tower(&mut random, levels, corners, (mu, 1.0)),
                    &format!("{levels} boxes, {corners} corners, friction {mu}"),
                );
            }
        }
    }
}

#[test]
fn heavy_on_light_and_light_on_heavy() {
    let mut random = Random(5);
    for ratio in [1e-6, 1e-3, 1e3, 1e6] {
        for levels in [2, 4, 6] {
            assert_solved(
                &tower(&mut random, levels, 4, (0.5, ratio)),
                &format!("{levels} boxes to {ratio:e}"),
            );
        }
    }
}

#[test]
fn contacts_that_repeat() {
    // Every contact of a tower three times: the same rows again.
    let mut random = Random(9);
    for case in 0..10 {
        let problem = tower(&mut random, 1 + case % 4, 4, (0.4, 1.0));
        let n = problem.rows();
        let mut w = Vec::new();
        for (row, column, value) in problem.triplets() {
            for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
                w.push((a * n + row, b * n + column, value));
            }
        }
        let repeated = Problem::from_delassus(problem.cones().repeat(3), &w, problem.q().repeat(3)).unwrap();
        assert_solved(&repeated, &format!("case {case}, three times"));
    }
}

/// Dense random problems W = G Gᵀ of low rank, q in the range of what can be opened.
#[test]
fn dense_problems_of_low_rank() {
    let mut random = Random(11);
    let mut solved = 0;
    for case in 0..200 {
        let dim = 2 + case % 2;
        let contacts = 1 + case % 15;
        let rows = dim * contacts;
        let rank = 1 + (rows * (1 + case % 3)) / 3;
        let g: Vec<f64> = (0..rows * rank).map(|_| random.next()).collect();
        let mut w = Vec::new();
        for i in 0..rows {
            for j in 0..rows {
                let value = (0..rank).map(|k| g[i * rank + k] * g[j * rank + k]).sum::<f64>();
                w.push((i, j, value));
            }
        }
        // Some impulse opens every contact: a solution exists.
        let open: Vec<f64> =
            (0..rows).map(|i| if i % dim == 0 { 0.2 + random.next().abs() } else { random.next() }).collect();
        let push: Vec<f64> = (0..rank).map(|_| random.next()).collect();
        let q = (0..rows)
            .map(|i| open[i] - 3.0 * (0..rank).map(|k| g[i * rank + k] * push[k]).sum::<f64>())
            .collect();
        let mu = [0.1, 0.5, 1.0][case % 3];
        let cones = vec![Cone::SecondOrder { dim: dim as u8, mu }; contacts];
        let problem = Problem::from_delassus(cones, &w, q).unwrap();
        let (_, _, answer) = solve(&problem);
        solved += usize::from(answer.status == SolverStatus::Solved);
        assert!(
            answer.status == SolverStatus::Solved,
            "case {case}: {contacts} contacts, rank {rank}: {answer:?}"
        );
    }
    assert_eq!(solved, 200);
}
