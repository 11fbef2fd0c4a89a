//! What is called solved is solved, whatever the masses; and nothing is thrown out of all
//! proportion.

use crate::scenes;

use carom_contact::{
    ContactProblem, ContactRow, Dof, JacobianRow, Reflection, Resolution, Response, Simultaneous, Status,
    ToTolerance, Workspace, resolve,
};

fn solve(problem: &ContactProblem, response: &Response) -> Resolution {
    resolve(problem, response, &mut Workspace::new()).clone()
}

fn energy(problem: &ContactProblem, velocity: &[f64]) -> f64 {
    problem.mass.diagonal.iter().zip(velocity).fold(0.0, |sum, (m, v)| sum + 0.5 * m * v * v)
}

/// Planar bodies with masses of up to `decades` powers of ten apart and contacts at random corners,
/// between neighbours and with the world: levers, wedges and copies.
fn bodies_of_all_masses(count: usize, decades: f64, seed: u64) -> ContactProblem {
    let mut random = scenes::Random::new(seed);
    let mut problem = ContactProblem::new();
    let mut inverse = Vec::new();
    for _ in 0..count {
        let mass = 10f64.powi((decades * 0.5 * random.signed()).round() as i32);
        let inertia = 0.03 * mass;
        for m in [mass, mass, inertia] {
            problem.push_dof(random.signed(), m);
            inverse.push(1.0 / m);
        }
    }
    for _ in 0..4 * count {
        let pick = |x: f64| ((0.5 + 0.4999 * x) * count as f64) as usize;
        let (a, b) = (pick(random.signed()), pick(random.signed()));
        let (x, y) = (random.signed(), random.signed());
        let length = (x * x + y * y).sqrt();
        if length < 0.1 {
            continue;
        }
        let (x, y) = (x / length, y / length);
        let mut entries = Vec::new();
        for (body, sign) in if a == b { vec![(a, 1.0)] } else { vec![(a, -1.0), (b, 1.0)] } {
            let lever = 0.2 * random.signed();
            for (axis, eta) in [x, y, lever].into_iter().enumerate() {
                let dof = 3 * body + axis;
                entries.push((Dof(dof as u32), sign * eta, sign * eta * inverse[dof]));
            }
        }
        problem.push_contact(ContactRow::new(JacobianRow::new(&entries).unwrap()), &[]);
    }
    problem
}

#[test]
fn what_is_called_solved_is_solved_whatever_the_masses() {
    let responses = [
        Response::LCP,
        Response::VELOCITY_PROJECTION,
        Response::ToTolerance(ToTolerance {
            method: Simultaneous::Lcp,
            tolerance: 1e-9,
            last_few_alone: true,
            landing: f64::INFINITY,
        }),
        Response::ToTolerance(ToTolerance {
            method: Simultaneous::VelocityProjection,
            tolerance: 0.05,
            last_few_alone: false,
            landing: f64::INFINITY,
        }),
        Response::GeneralizedReflection(Reflection { max_sweeps: 2_000, ..Reflection::DEFAULT }),
    ];
    let mut spoiled = 0;
    for seed in 0..60 {
        let count = [4, 8, 20][seed as usize % 3];
        let decades = [4.0, 12.0, 16.0][seed as usize / 3 % 3];
        let problem = bodies_of_all_masses(count, decades, seed);
        let before = energy(&problem, &problem.velocity);
        for response in &responses {
            let answer = solve(&problem, response);
            let after = energy(&problem, &answer.velocity);
            let name = format!("seed {seed}, {response:?}, {:?}", answer.status);
            assert!(answer.velocity.iter().all(|v| v.is_finite()), "{name}");
            // Elastic sweeps keep energy only as far as rounding lets them, and set the status; all
            // others never gain any.
            let elastic = matches!(response, Response::GeneralizedReflection(_));
            if !elastic || answer.status < Status::Inaccurate {
                assert!(after <= before * (1.0 + 2e-6), "{name}: energy {before:.3e} to {after:.3e}");
            }
            let tolerance = if let Response::ToTolerance(within) = response { within.tolerance } else { 0.0 };
            let approach = problem.contacts().map(|c| -c.gap_speed(&answer.velocity)).fold(0.0, f64::max);
            if answer.status == Status::Solved {
                assert!(approach <= 2e-6 + 1.001 * tolerance, "{name}: {approach:.1e} left");
            } else {
                spoiled += 1;
            }
        }
    }
    assert!(spoiled > 0, "masses sixteen powers of ten apart are too much for somebody");
}

/// A block between two jaws that close, slanted so that it can slip out: as fast as the slant is
/// small, but for nothing in the world a hundred times as fast as the jaws.
#[test]
fn a_wedge_does_not_throw_without_measure() {
    for (slant, status) in [
        (0.1, Status::Solved),
        (0.02, Status::Solved),
        (2e-3, Status::Infeasible),
        (1e-5, Status::Infeasible),
    ] {
        let mut problem = ContactProblem::new();
        let mass = 2.0;
        let [x, y] = [0, 1].map(|_| problem.push_dof(0.0, mass));
        for side in [1.0, -1.0] {
            let normal = JacobianRow::new(&[(x, side, side / mass), (y, slant, slant / mass)]).unwrap();
            problem.push_contact(ContactRow { kinematic_speed: -1.0, ..ContactRow::new(normal) }, &[]);
        }
        let responses = [Response::LCP, Response::VELOCITY_PROJECTION];
        for response in responses {
            let answer = solve(&problem, &response);
            assert_eq!(answer.status, status, "slant {slant}, {response:?}");
            assert!(answer.velocity[0].abs() < 1e-9, "nothing pushes to either side");
            if status == Status::Solved {
                assert!(
                    (answer.velocity[1] * slant - 1.0).abs() < 1e-9,
                    "it slips out: {:?}",
                    answer.velocity
                );
            } else {
                // min (slant v − 1)² + σ... of the regularized pair: v = s/(s² + σ/2) with σ = 1e-4
                // for 1 + slant² ≈ 1
                let soft = slant / (slant * slant + 0.5e-4);
                assert!((answer.velocity[1] / soft - 1.0).abs() < 1e-3, "{} {soft}", answer.velocity[1]);
            }
        }
    }
}
