//! Impacts with a known answer: the hand-out's block, the cradle, Bernoulli's problem, heavy and
//! light against a wall.

use carom_contact::{
    ContactProblem, ContactRow, JacobianRow, Reflection, Resolution, Response, Simultaneous, Status,
    Workspace, resolve,
};

const SIMULTANEOUS: [Response; 2] = [Response::LCP, Response::VELOCITY_PROJECTION];

fn reflections() -> [Response; 2] {
    [Simultaneous::Lcp, Simultaneous::VelocityProjection]
        .map(|inner| Response::GeneralizedReflection(Reflection { inner, ..Reflection::COURSE }))
}

fn solve(problem: &ContactProblem, response: &Response) -> Resolution {
    resolve(problem, response, &mut Workspace::new()).clone()
}

/// Masses on a line, each touching the next; `wall` adds a fixed thing on the right.
fn line(masses: &[f64], speeds: &[f64], wall: bool) -> ContactProblem {
    let mut problem = ContactProblem::new();
    let dofs: Vec<_> = masses.iter().zip(speeds).map(|(&m, &v)| problem.push_dof(v, m)).collect();
    for i in 1..masses.len() {
        let normal =
            JacobianRow::new(&[(dofs[i - 1], -1.0, -1.0 / masses[i - 1]), (dofs[i], 1.0, 1.0 / masses[i])])
                .unwrap();
        problem.push_contact(ContactRow { restitution: 1.0, ..ContactRow::new(normal) }, &[]);
    }
    if wall {
        let last = masses.len() - 1;
        let normal = JacobianRow::new(&[(dofs[last], -1.0, -1.0 / masses[last])]).unwrap();
        problem.push_contact(ContactRow { restitution: 1.0, ..ContactRow::new(normal) }, &[]);
    }
    problem
}

/// The hand-out's section 3.3: a block of mass 4 half over the edge of a table. With inertia 10 it
/// prints A = [13 9; 9 7]/20, b = (−2, −2), λ = (0, 5.7143). The errata give the numbers for
/// inertia 20.
#[test]
fn block_on_the_table_edge() {
    for (inertia, a, lambda, speed) in [
        (10.0, [13.0 / 20.0, 9.0 / 20.0, 7.0 / 20.0], 40.0 / 7.0, -4.0 / 7.0),
        (20.0, [9.0 / 20.0, 7.0 / 20.0, 6.0 / 20.0], 20.0 / 3.0, -1.0 / 3.0),
    ] {
        let mut problem = ContactProblem::new();
        let y = problem.push_dof(-2.0, 4.0);
        let omega = problem.push_dof(0.0, inertia);
        for arm in [-2.0, -1.0] {
            let normal = JacobianRow::new(&[(y, 1.0, 0.25), (omega, arm, arm / inertia)]).unwrap();
            problem.push_contact(ContactRow::new(normal), &[]);
        }
        let normals: Vec<_> = problem.contacts().map(|c| c.normal).collect();
        assert!((normals[0].line().inverse_mass() - a[0]).abs() < 1e-15);
        assert!((normals[0].line().delassus(normals[1].line()) - a[1]).abs() < 1e-15);
        assert!((normals[1].line().delassus(normals[1].line()) - a[2]).abs() < 1e-15);
        for response in SIMULTANEOUS {
            let result = solve(&problem, &response);
            assert_eq!(result.status, Status::Solved);
            assert_eq!(result.impulses[0], 0.0);
            assert!((result.impulses[1] - lambda).abs() < 1e-14, "{response:?} {result:?}");
            assert!((result.velocity[0] - speed).abs() < 1e-14);
            assert!((result.velocity[1] - speed).abs() < 1e-14);
        }
    }
}

#[test]
fn cradle_passes_the_speed_to_the_last_balls() {
    for strikers in 1..5 {
        let speeds: Vec<f64> = (0..5).map(|i| if i < strikers { 1.0 } else { 0.0 }).collect();
        let problem = line(&[1.0; 5], &speeds, false);
        for response in reflections() {
            let result = solve(&problem, &response);
            for (i, v) in result.velocity.iter().enumerate() {
                let expected = if i >= 5 - strikers { 1.0 } else { 0.0 };
                assert!((v - expected).abs() < 1e-14, "{strikers} strikers: {:?}", result.velocity);
            }
            assert!(result.energy_change.abs() < 1e-14);
        }
    }
}

#[test]
fn bernoullis_problem() {
    let mut problem = ContactProblem::new();
    let velocities = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let dofs: Vec<_> = velocities.iter().map(|&v| problem.push_dof(v, 1.0)).collect();
    let (c, s) = (0.75f64.sqrt(), 0.5);
    for (target, side) in [(1, 1.0), (2, -1.0)] {
        let (nx, ny) = (c, side * s);
        let normal = JacobianRow::new(&[
            (dofs[0], -nx, -nx),
            (dofs[1], -ny, -ny),
            (dofs[2 * target], nx, nx),
            (dofs[2 * target + 1], ny, ny),
        ])
        .unwrap();
        problem.push_contact(ContactRow { restitution: 1.0, ..ContactRow::new(normal) }, &[]);
    }
    let t = 3f64.sqrt() / 5.0;
    for response in reflections() {
        let result = solve(&problem, &response);
        for (v, expected) in result.velocity.iter().zip([-0.2, 0.0, 0.6, t, 0.6, -t]) {
            assert!((v - expected).abs() < 1e-14, "{:?}", result.velocity);
        }
    }
}

/// Galperin's count of the digits of π: mass ratio 1, 1e2, 1e4, 1e6 takes 3, 31, 314, 3141 sweeps.
#[test]
fn heavy_and_light_against_a_wall() {
    for (ratio, sweeps) in [(1.0, 3), (1e2, 31), (1e4, 314), (1e6, 3141)] {
        let problem = line(&[ratio, 1.0], &[1.0, 0.0], true);
        for response in reflections() {
            let result = solve(&problem, &response);
            assert_eq!(result.sweeps, sweeps, "mass ratio {ratio}");
            assert!(result.energy_change.abs() < 1e-11 * ratio);
            assert_eq!(result.status, Status::Solved);
        }
    }
}

/// The course's program hangs here: the approach is above 1e-14 and below its solver's tolerance.
#[test]
fn tiny_approach_speeds_end() {
    for speed in [1.01e-14, 1e-13, 3e-13] {
        let problem = line(&[1.0, 2.0, 3.0], &[speed, 0.0, -speed], false);
        for response in reflections() {
            let result = solve(&problem, &response);
            assert!(result.status <= Status::Stalled);
            assert!(result.residual.penetration_speed < 2e-14);
        }
    }
    let still = solve(&line(&[1.0, 1.0], &[1e-14, 0.0], false), &reflections()[0]);
    assert_eq!((still.sweeps, still.velocity[0]), (0, 1e-14), "an approach of exactly 1e-14 is left alone");
}

#[test]
fn restitution_blends_between_sticking_and_bouncing() {
    let mut problem = line(&[1.0, 1.0], &[1.0, 0.0], false);
    let normal = problem.contact(0).normal;
    problem.clear_contacts();
    problem.push_contact(ContactRow { restitution: 0.5, ..ContactRow::new(normal) }, &[]);
    for response in
        [Response::GENERALIZED_REFLECTION, Response::LCP, Response::VELOCITY_PROJECTION, Response::Impulses]
    {
        let result = solve(&problem, &response);
        assert_eq!(result.velocity, [0.25, 0.75], "{response:?}");
        assert!((result.energy_change - (0.5 * (0.0625 + 0.5625) - 0.5)).abs() < 1e-15);
    }
}

/// A fixed body that moves under `lcp`: its velocity may stand in the vector or be prescribed.
#[test]
fn fixed_obstacles_count_and_do_not_move() {
    let mut written = ContactProblem::new();
    let body = written.push_dof(0.0, 2.0);
    let lift = written.push_dof(1.0, f64::INFINITY);
    written.push_contact(
        ContactRow::new(JacobianRow::new(&[(body, 1.0, 0.5), (lift, -1.0, 0.0)]).unwrap()),
        &[],
    );
    let mut prescribed = ContactProblem::new();
    let body = prescribed.push_dof(0.0, 2.0);
    let normal = JacobianRow::new(&[(body, 1.0, 0.5)]).unwrap();
    prescribed.push_contact(ContactRow { kinematic_speed: -1.0, ..ContactRow::new(normal) }, &[]);
    for response in SIMULTANEOUS {
        assert_eq!(solve(&written, &response).velocity, [1.0, 1.0]);
        assert_eq!(solve(&prescribed, &response).velocity, [1.0]);
    }
}

#[test]
fn contacts_among_fixed_bodies_are_left_alone() {
    let mut problem = ContactProblem::new();
    let a = problem.push_dof(1.0, f64::INFINITY);
    let b = problem.push_dof(-1.0, f64::INFINITY);
    problem.push_contact(ContactRow::new(JacobianRow::new(&[(a, -1.0, 0.0), (b, 1.0, 0.0)]).unwrap()), &[]);
    for response in SIMULTANEOUS.into_iter().chain(reflections()).chain([Response::Impulses]) {
        let result = solve(&problem, &response);
        assert_eq!((result.velocity.as_slice(), result.impulses[0]), ([1.0, -1.0].as_slice(), 0.0));
    }
}

#[test]
fn bad_input_is_reported_and_changes_nothing() {
    let good = line(&[1.0, 1.0], &[1.0, 0.0], false);
    let mut with_nan = good.clone();
    with_nan.velocity[0] = f64::NAN;
    let mut massless = good.clone();
    massless.mass.diagonal[1] = 0.0;
    let mut short = good.clone();
    short.velocity.pop();
    for response in SIMULTANEOUS.into_iter().chain(reflections()).chain([Response::Impulses]) {
        assert_eq!(solve(&with_nan, &response).status, Status::InvalidInput);
        assert_eq!(solve(&massless, &response).status, Status::InvalidInput);
        assert_eq!(solve(&short, &response).status, Status::InvalidInput);
        assert_eq!(solve(&ContactProblem::new(), &response).status, Status::Solved);
    }
}

/// Two walls closing on one mass: no velocity satisfies both.
#[test]
fn contradictory_kinematic_speeds_are_infeasible() {
    let mut problem = ContactProblem::new();
    let x = problem.push_dof(0.0, 1.0);
    for side in [1.0, -1.0] {
        let normal = JacobianRow::new(&[(x, side, side)]).unwrap();
        problem.push_contact(ContactRow { kinematic_speed: -1.0, ..ContactRow::new(normal) }, &[]);
    }
    for response in SIMULTANEOUS {
        let result = solve(&problem, &response);
        assert_eq!(result.status, Status::Infeasible);
        assert!(result.velocity[0].is_finite());
    }
}

/// A ball that just fits between two walls has no elastic answer. The residual used to be 0, as if
/// there were one.
#[test]
fn what_is_not_reflected_at_the_limit_is_in_the_residual() {
    for response in reflections() {
        let mut problem = ContactProblem::new();
        let x = problem.push_dof(1.5, 2.0);
        for sign in [-1.0, 1.0] {
            let normal = JacobianRow::new(&[(x, sign, sign / 2.0)]).unwrap();
            problem.push_contact(ContactRow { restitution: 1.0, ..ContactRow::new(normal) }, &[]);
        }
        let result = solve(&problem, &response);
        assert_eq!(result.status, Status::LimitReached, "{response:?}");
        assert!(result.velocity[0].abs() < 1e-14, "{response:?}");
        assert!((result.residual.worst() - 1.5).abs() < 1e-12, "{response:?}");
    }
}
