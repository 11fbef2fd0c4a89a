//! Coulomb friction against closed forms: blocks that hold and slip, a disc that starts to roll, a
//! stack.

use carom_contact::{
    ContactProblem, ContactRow, Dof, JacobianRow, Reflection, Resolution, Response, Status, Workspace,
    resolve,
};

fn solve(problem: &ContactProblem, response: &Response) -> Resolution {
    resolve(problem, response, &mut Workspace::new()).clone()
}

/// A particle of mass m on a slope of the given rise over run, one step of gravity; returns
/// velocity along the slope.
fn slide(mu: f64, slope: f64, response: &Response) -> (f64, f64, Resolution) {
    let length = (1.0 + slope * slope).sqrt();
    let (t, n) = ([-1.0 / length, -slope / length], [-slope / length, 1.0 / length]);
    let mut problem = ContactProblem::new();
    let (x, y) = (problem.push_dof(0.0, 2.0), problem.push_dof(-0.1, 2.0));
    let direction = |d: [f64; 2]| JacobianRow::new(&[(x, d[0], d[0] / 2.0), (y, d[1], d[1] / 2.0)]).unwrap();
    problem.push_contact(ContactRow { friction: mu, ..ContactRow::new(direction(n)) }, &[direction(t)]);
    let result = solve(&problem, response);
    let speed = |d: [f64; 2]| d[0] * result.velocity[0] + d[1] * result.velocity[1];
    (speed(t), speed(n), result)
}

/// tan(angle) = μ is the edge between holding and slipping.
#[test]
fn holds_below_and_slips_above_the_analytic_angle() {
    for response in [Response::LCP, Response::VELOCITY_PROJECTION] {
        for (mu, slope) in [(0.5, 0.499), (0.5, 0.25), (1.0, 0.999), (0.1, 0.05)] {
            let (along, across, result) = slide(mu, slope, &response);
            assert_eq!(result.status, Status::Solved, "mu {mu} slope {slope} {result:?}");
            assert!(along.abs() < 1e-13 && across.abs() < 1e-13, "mu {mu} slope {slope}: {along}");
        }
        for (mu, slope) in [(0.5, 0.501), (0.5, 1.0), (0.1, 0.2), (0.0, 0.3)] {
            let (along, across, result) = slide(mu, slope, &response);
            // Acceleration along the slope g (sin − μ cos), here as a speed with g dt = 0.1.
            let expected = 0.1 * (slope - mu) / (1.0 + slope * slope).sqrt();
            assert_eq!(result.status, Status::Solved);
            assert!(
                (along - expected).abs() < 1e-13 && across.abs() < 1e-13,
                "mu {mu} slope {slope}: {along} {expected}"
            );
            assert!(result.energy_change < 0.0);
        }
    }
}

/// A disc that slides onto the floor: friction spins it up to rolling if μ allows (v = 2/3 for a
/// solid disc).
#[test]
fn a_sliding_disc_starts_to_roll() {
    for (mu, rolls) in [(1.0, true), (0.2, false)] {
        let mut problem = ContactProblem::new();
        let dofs: Vec<Dof> =
            [(1.0, 1.0), (-1.0, 1.0), (0.0, 0.5)].iter().map(|&(v, m)| problem.push_dof(v, m)).collect();
        let normal = JacobianRow::new(&[(dofs[1], 1.0, 1.0)]).unwrap();
        let tangent = JacobianRow::new(&[(dofs[0], 1.0, 1.0), (dofs[2], 1.0, 2.0)]).unwrap();
        problem.push_contact(ContactRow { friction: mu, ..ContactRow::new(normal) }, &[tangent]);
        let result = solve(&problem, &Response::LCP);
        let (v, omega) = (result.velocity[0], result.velocity[2]);
        if rolls {
            assert!((v - 2.0 / 3.0).abs() < 1e-14 && (v + omega).abs() < 1e-14, "{:?}", result.velocity);
        } else {
            assert!((result.friction_impulses[0] + 0.2).abs() < 1e-14);
            assert!((v - 0.8).abs() < 1e-14 && (omega + 0.4).abs() < 1e-14);
        }
        let energy = |v: &[f64]| 0.5 * (v[0] * v[0] + v[1] * v[1] + 0.5 * v[2] * v[2]);
        let change = energy(&result.velocity) - energy(&problem.velocity);
        assert!((result.energy_change - change).abs() < 1e-14 && change < 0.0);
    }
}

/// A stack of blocks, each on two points of the one below; the bottom is pulled sideways less than
/// friction holds.
#[test]
fn a_stack_sticks_together() {
    let blocks = 8;
    let mut problem = ContactProblem::new();
    let dof: Vec<[Dof; 3]> = (0..blocks)
        .map(|i| {
            let push = if i == 0 { 0.3 } else { 0.0 };
            [problem.push_dof(push, 1.0), problem.push_dof(-1.0, 1.0), problem.push_dof(0.0, 1.0 / 6.0)]
        })
        .collect();
    for i in 0..blocks {
        for side in [-0.5, 0.5] {
            // At the bottom face of block i: velocity (vx − ω ry, vy + ω rx), r = (side, −0.5); at
            // the top of the one below r = (side, 0.5).
            let mut normal = vec![(dof[i][1], 1.0, 1.0), (dof[i][2], side, side * 6.0)];
            let mut tangent = vec![(dof[i][0], 1.0, 1.0), (dof[i][2], 0.5, 3.0)];
            if i > 0 {
                normal.extend([(dof[i - 1][1], -1.0, -1.0), (dof[i - 1][2], -side, -side * 6.0)]);
                tangent.extend([(dof[i - 1][0], -1.0, -1.0), (dof[i - 1][2], 0.5, 3.0)]);
            }
            let contact = ContactRow { friction: 0.8, ..ContactRow::new(JacobianRow::new(&normal).unwrap()) };
            problem.push_contact(contact, &[JacobianRow::new(&tangent).unwrap()]);
        }
    }
    let result = solve(&problem, &Response::LCP);
    assert_eq!(result.status, Status::Solved, "{:?}", result.residual);
    assert!(result.velocity.iter().all(|v| v.abs() < 1e-9), "{:?}", result.velocity);
    let total: f64 = result.impulses[..2].iter().sum();
    assert!((total - blocks as f64).abs() < 1e-9, "the floor carries everything: {total}");
    for (k, f) in result.friction_impulses.iter().enumerate() {
        assert!(f.abs() <= 0.8 * result.impulses[k] + 1e-10);
    }
}

/// An elastic bounce with friction: the normal speed is kept, friction takes at most μ times the
/// normal impulse.
#[test]
fn an_elastic_bounce_with_friction() {
    let mut problem = ContactProblem::new();
    let (x, y) = (problem.push_dof(1.0, 1.0), problem.push_dof(-1.0, 1.0));
    let normal = JacobianRow::new(&[(y, 1.0, 1.0)]).unwrap();
    let tangent = JacobianRow::new(&[(x, 1.0, 1.0)]).unwrap();
    problem
        .push_contact(ContactRow { friction: 0.1, restitution: 1.0, ..ContactRow::new(normal) }, &[tangent]);
    let result = solve(&problem, &Response::GeneralizedReflection(Reflection::COURSE));
    assert!((result.velocity[1] - 1.0).abs() < 1e-14);
    assert!((result.velocity[0] - 0.8).abs() < 1e-14, "{:?}", result.velocity);
    assert!((result.energy_change - (0.5 * (0.64 + 1.0) - 1.0)).abs() < 1e-14);
}
