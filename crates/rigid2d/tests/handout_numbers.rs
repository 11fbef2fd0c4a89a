//! The numbers that the hand-out and its scenes print: A, b, M, −Mq̇ and N.
#![allow(clippy::print_stderr, reason = "tests say what they skipped")]

use crate::build;
use crate::course;

use build::{Build, FIXED, FREE, v};
use carom_contact::ContactProblem;
use carom_rigid2d::{ContactSettings, Integrator, PlanarSettings, Response, World};

fn matrix(problem: &ContactProblem) -> Vec<Vec<f64>> {
    let normals = || (0..problem.contact_count()).map(|k| problem.normal(k));
    normals().map(|a| normals().map(|b| a.delassus(b)).collect()).collect()
}

fn gap_speeds(problem: &ContactProblem) -> Vec<f64> {
    problem.contacts().map(|c| c.gap_speed(&problem.velocity)).collect()
}

/// Steps a scene of the corpus to its first contact.
fn to_first_contact(name: &str) -> Option<World> {
    let entry = course::corpus::entries(name).into_iter().next()?;
    let mut world = course::world(&entry.scene);
    (0..entry.frames.len()).any(|_| world.step().contacts > 0).then_some(world)
}

fn assert_close(ours: &[f64], printed: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), printed.len());
    for (a, b) in ours.iter().zip(printed) {
        assert!((a - b).abs() <= tolerance, "{ours:?} for {printed:?}");
    }
}

#[test]
fn lcp_test01_and_test03_print_a_and_b() {
    if let Some(world) = to_first_contact("t3m2/lcp/test01") {
        assert_close(&matrix(world.contact_problem())[0], &[0.666667], 1e-6);
        assert_close(&gap_speeds(world.contact_problem()), &[-1.0], 1e-6);
    }
    if let Some(world) = to_first_contact("t3m2/lcp/test03") {
        let printed = [
            [0.828869, 0.337798, -0.28125, -0.21875],
            [0.337798, 0.828869, -0.21875, -0.28125],
            [-0.28125, -0.21875, 0.828869, 0.337798],
            [-0.21875, -0.28125, 0.337798, 0.828869],
        ];
        for (ours, printed) in matrix(world.contact_problem()).iter().zip(&printed) {
            assert_close(ours, printed, 1e-6);
        }
        assert_close(&gap_speeds(world.contact_problem()), &[-1.0; 4], 1e-6);
    }
}

#[test]
fn velocity_projection_test01_prints_mass_momentum_and_n() {
    let Some(world) = to_first_contact("t3m2/velocityprojection/test01") else { return };
    let problem = world.contact_problem();
    assert_close(&problem.mass.diagonal[3..], &[16.0, 16.0, 289.75], 1e-12);
    let momentum: Vec<_> = (3..6).map(|k| -problem.mass.diagonal[k] * problem.velocity[k]).collect();
    assert_close(&momentum, &[0.0, 139.52, 0.0], 1e-2);
    let mut turning: Vec<f64> = problem
        .contacts()
        .map(|contact| {
            let free: Vec<_> =
                contact.normal.line().entries().filter(|(dof, ..)| dof.0 >= 3).map(|e| e.1).collect();
            assert_close(&free[..2], &[0.0, 1.0], 1e-12);
            free[2]
        })
        .collect();
    turning.sort_by(f64::total_cmp);
    assert_close(&turning, &[-5.0, -4.0, -3.0, -2.0, 2.0, 3.0, 4.0, 5.0], 1e-9);
}

/// Section 3.3: the block over the table's edge. With I = 20, as the text says, A = [9 7; 7 6]/20
/// and the block turns with vy = ω = −1/3; the printed [13 9; 9 7]/20 and λ = 5.7143 belong to I =
/// 10.
#[test]
fn the_block_on_the_table_edge() {
    for (inertia, a, impulse, after) in [
        (20.0, [9.0, 7.0, 7.0, 6.0], 20.0 / 3.0, -1.0 / 3.0),
        (10.0, [13.0, 9.0, 9.0, 7.0], 40.0 / 7.0, -4.0 / 7.0),
    ] {
        for course in [false, true] {
            let mut build = Build::new();
            // Feet at (−2, −1) and (−1, −1) from the centre of mass, on a table that ends below the
            // second.
            let block = build.outline(&[v(-2.0, -0.9), v(-1.0, -0.9), v(2.0, 0.9), v(1.0, 0.9)], 0.1, FREE);
            let center = build.state.bodies[block].position;
            build.model.bodies[block].mass = 4.0;
            build.model.bodies[block].inertia = inertia;
            build.state.bodies[block].velocity = v(0.0, -2.0);
            let table = center + v(-5.5, -2.1 + 1e-9);
            build.block(table, v(4.5, 1.0), 0.1, FIXED);
            let contact = Some(ContactSettings::new(Response::Lcp));
            let settings =
                PlanarSettings { contact, course, ..PlanarSettings::new(1e-9, Integrator::SymplecticEuler) };
            let mut world = World::new(build.model, build.state, settings).unwrap();
            world.step();
            let matrix: Vec<_> = matrix(world.contact_problem()).concat();
            assert_close(&matrix, &a.map(|x| x / 20.0), 1e-8);
            assert_close(&gap_speeds(world.contact_problem()), &[-2.0, -2.0], 1e-12);
            let impulses: Vec<_> = world.touched().iter().map(|t| t.impulse).collect();
            assert_close(&impulses, &[0.0, impulse], 1e-7);
            let state = world.state().bodies[block];
            assert_close(&[state.velocity.y, state.angular_velocity], &[after, after], 1e-7);
        }
    }
}
