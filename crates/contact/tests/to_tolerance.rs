//! Simultaneous answers to a tolerance: the promise is kept, nothing is gained, nothing depends on
//! threads, and a run can be resumed.

use crate::scenes;

use carom_contact::{
    ContactProblem, ContactRow, Dof, JacobianRow, Resolution, Response, Simultaneous, Status, ToTolerance,
    Workspace, resolve,
};
use proptest::prelude::*;

fn within(tolerance: f64) -> Response {
    Response::ToTolerance(ToTolerance {
        method: Simultaneous::VelocityProjection,
        tolerance,
        last_few_alone: true,
        landing: f64::INFINITY,
    })
}

fn solve(problem: &ContactProblem, response: &Response) -> Resolution {
    resolve(problem, response, &mut Workspace::new()).clone()
}

/// A pile with random velocities; with a coefficient every contact rubs.
fn shaken(contacts: usize, seed: u64, speed: f64, (restitution, friction): (f64, f64)) -> ContactProblem {
    let calm = scenes::pile(contacts, 0.05);
    let mut problem = calm.clone();
    let mut random = scenes::Random::new(seed);
    problem.velocity.iter_mut().for_each(|v| *v += speed * random.signed());
    problem.clear_contacts();
    for contact in calm.contacts() {
        let contact = ContactRow { restitution, friction, ..contact };
        if friction > 0.0 {
            problem.push_contact(contact, &[turned(&contact.normal)]);
        } else {
            problem.push_contact(contact, &[]);
        }
    }
    problem
}

/// The tangent of a normal over pairs of degrees of freedom.
fn turned(normal: &JacobianRow) -> JacobianRow {
    let entries: Vec<_> = normal.line().entries().collect();
    let turn =
        |pair: &[(Dof, f64, f64)]| [(pair[0].0, -pair[1].1, -pair[1].2), (pair[1].0, pair[0].1, pair[0].2)];
    JacobianRow::new(&entries.chunks_exact(2).flat_map(turn).collect::<Vec<_>>()).unwrap()
}

fn energy(problem: &ContactProblem, velocity: &[f64]) -> f64 {
    problem.mass.diagonal.iter().zip(velocity).fold(0.0, |sum, (m, v)| sum + 0.5 * m * v * v)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_promise_is_kept_and_nothing_is_gained(
        contacts in 60usize..900,
        seed in any::<u64>(),
        digits in 1..5i32,
        restitution in prop_oneof![Just(0.0), 0.0..=1.0f64],
        friction in prop_oneof![Just(0.0), 0.0..1.0f64],
    ) {
        let tolerance = 10f64.powi(-digits);
        let problem = shaken(contacts, seed, 0.3, (restitution, friction));
        let result = solve(&problem, &within(tolerance));
        let worst = result.residual.worst().max(result.residual.friction);
        prop_assert!(worst <= tolerance || result.status != Status::Solved, "{:?} {:?}", result.status, result.residual);
        // Friction may wedge what must bounce; all else has an answer.
        prop_assert!(friction * restitution > 0.0 || result.status == Status::Solved, "{:?} {:?}", result.status, result.residual);
        let (before, after) = (energy(&problem, &problem.velocity), energy(&problem, &result.velocity));
        prop_assert!(after <= before * (1.0 + 1e-12), "{} to {}", before, after);
        prop_assert!((result.energy_change - (after - before)).abs() < 1e-11 * before);
        // What the impulses do is what the velocity did; so momentum is kept.
        let mut velocity = problem.velocity_after(&result.impulses);
        for (tangent, impulse) in (0..problem.tangent_count()).map(|t| problem.tangent(t)).zip(&result.friction_impulses) {
            tangent.apply_impulse(&mut velocity, *impulse);
        }
        for (a, b) in velocity.iter().zip(&result.velocity) {
            prop_assert!((a - b).abs() < 1e-12, "{} {}", a, b);
        }
        for (k, contact) in problem.contacts().enumerate() {
            prop_assert!(result.impulses[k] >= 0.0);
            prop_assert!(friction > 0.0 || contact.gap_speed(&result.velocity) >= -tolerance * 1.000001);
            for t in problem.tangent_range(k) {
                prop_assert!(result.friction_impulses[t].abs() <= friction * result.impulses[k] * (1.0 + 1e-12));
            }
        }
    }
}

/// Momentum inside a cluster that touches nothing else, to 1e-12.
#[test]
fn momentum_is_kept() {
    let problem = scenes::closing(900);
    for tolerance in [1e-2, 1e-3, 1e-4] {
        let result = solve(&problem, &within(tolerance));
        assert!(result.iterations > 0 && result.fallbacks == 0, "{} sweeps", result.iterations);
        for axis in 0..2 {
            let of = |v: &[f64]| v.iter().skip(axis).step_by(2).sum::<f64>();
            let scale = problem.velocity.iter().map(|v| v.abs()).sum::<f64>();
            assert!((of(&problem.velocity) - of(&result.velocity)).abs() < 1e-12 * scale);
        }
    }
}

/// The tighter the tolerance, the nearer to the exact answer.
#[test]
fn a_small_tolerance_gives_the_exact_answer() {
    let problem = shaken(800, 5, 0.3, (0.0, 0.0));
    let exact = solve(&problem, &Response::VELOCITY_PROJECTION);
    for (tolerance, near) in [(1e-2, 2e-1), (1e-4, 1e-2), (1e-6, 1e-4)] {
        let result = solve(&problem, &within(tolerance));
        assert!(
            result.residual.worst() <= tolerance && result.residual.worst() > 1e-12,
            "{:?}",
            result.residual
        );
        let far =
            exact.velocity.iter().zip(&result.velocity).fold(0.0f64, |far, (a, b)| far.max((a - b).abs()));
        assert!(far < near, "{tolerance}: {far}");
    }
}

/// Two walls that close on a row of balls: sweeps have no answer, the exact solver reports that.
#[test]
fn contradictions_are_left_to_the_exact_solver() {
    let mut problem = ContactProblem::new();
    let balls: Vec<Dof> = (0..60).map(|_| problem.push_dof(0.0, 1.0)).collect();
    let wall = |dof: Dof, sign: f64| ContactRow {
        kinematic_speed: -1.0,
        ..ContactRow::new(JacobianRow::new(&[(dof, sign, sign)]).unwrap())
    };
    problem.push_contact(wall(balls[0], 1.0), &[]);
    for pair in balls.windows(2) {
        let normal = JacobianRow::new(&[(pair[0], -1.0, -1.0), (pair[1], 1.0, 1.0)]).unwrap();
        problem.push_contact(ContactRow::new(normal), &[]);
    }
    problem.push_contact(wall(balls[59], -1.0), &[]);
    let result = solve(&problem, &within(0.01));
    assert_eq!((result.status, result.fallbacks), (Status::Infeasible, 1));
    assert!(result.velocity.iter().all(|v| v.is_finite()));
}

#[test]
fn threads_and_stops_change_no_bit() {
    let mut all = ContactProblem::new();
    for seed in 0..6 {
        let part = shaken(300, seed, 0.3, (0.0, if seed % 2 == 0 { 0.4 } else { 0.0 }));
        let first = all.dof_count() as u32;
        part.velocity.iter().zip(&part.mass.diagonal).for_each(|(&v, &m)| {
            all.push_dof(v, m);
        });
        let moved = |direction: &JacobianRow| {
            let entries: Vec<_> =
                direction.line().entries().map(|(d, e, s)| (Dof(d.0 + first), e, s)).collect();
            JacobianRow::new(&entries).unwrap()
        };
        for (k, contact) in part.contacts().enumerate() {
            let tangents: Vec<_> =
                part.tangent_range(k).map(|t| moved(&part.tangent(t).to_direction())).collect();
            let mut key = contact.key;
            key.0[0] += first;
            all.push_contact(ContactRow { normal: moved(&contact.normal), key, ..contact }, &tangents);
        }
    }
    let mut softer = all.clone();
    softer.velocity.iter_mut().for_each(|v| *v *= 0.9);
    let response = within(1e-3);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut workspace = Workspace::new();
            let first = resolve(&all, &response, &mut workspace).clone();
            let memory = workspace.memory();
            let second = resolve(&softer, &response, &mut workspace).clone();
            (first, memory, second)
        })
    };
    let (first, memory, second) = run(1);
    assert_eq!((first.islands, first.fallbacks), (6, 0));
    assert!((first.clone(), memory.clone(), second.clone()) == run(2));
    assert!((first, memory.clone(), second.clone()) == run(8));
    let mut resumed = Workspace::new();
    resumed.restore_memory(&memory);
    assert_eq!(resolve(&softer, &response, &mut resumed), &second);
}

/// The next step of a pile that rests starts from the impulses of the last, and costs less.
#[test]
fn warm_starts_save_sweeps() {
    let problem = scenes::pile(2_000, 0.02);
    let mut workspace = Workspace::new();
    let cold = resolve(&problem, &within(1e-3), &mut workspace).clone();
    let warm = resolve(&problem, &within(1e-3), &mut workspace).clone();
    assert!(cold.iterations > 10 && warm.iterations == 0, "{} {}", cold.iterations, warm.iterations);
    let count = allocation_counter::measure(|| {
        resolve(&problem, &within(1e-5), &mut workspace);
        workspace.restore_memory(&[]);
        resolve(&problem, &within(1e-3), &mut workspace);
    });
    assert_eq!(count.count_total, 0);
}

/// Nobody solves better than rounding: what was asked for beyond that has a status.
#[test]
fn a_tolerance_below_rounding_is_not_met_silently() {
    for contacts in [30, 800] {
        let problem = shaken(contacts, 5, 0.3, (0.0, 0.0));
        let result = solve(&problem, &within(1e-18));
        assert!(result.residual.worst() > 1e-18 && result.residual.worst() < 1e-5, "{:?}", result.residual);
        assert_eq!(result.status, Status::Inaccurate, "{contacts} contacts");
    }
}
