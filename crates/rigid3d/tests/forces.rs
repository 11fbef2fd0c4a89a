//! Forces: gradients of their energies by finite differences, closed forms, and conservation.

use crate::build;

use build::{Build, body, v};
use carom_numerics::elementary::exp;
use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{
    Anchor, BodyIndex, BodyState, DVec3, Drag, Integrator, Load, Motion, OrientationKind, Push,
    SpatialSettings, Spring, World, force,
};

fn sprung() -> Build {
    let mut build = Build::default();
    build.cuboid(v(0.0, 0.0, 0.0), v(0.5, 0.4, 0.3), Motion::Free);
    build.turn(0, v(0.3, -0.2, 0.5), v(0.1, 0.0, 0.2), v(0.5, 0.7, -0.3));
    build.cuboid(v(2.0, 0.5, -0.3), v(0.4, 0.6, 0.2), Motion::Free);
    build.turn(1, v(-0.4, 0.1, 0.9), v(0.0, 0.3, 0.0), v(-0.2, 0.1, 0.4));
    let held = |k, x, y, z| Anchor::Body(BodyIndex(k), v(x, y, z));
    let spring = |start, end| Spring { start, end, stiffness: 7.0, rest_length: 0.9 };
    build.model.forces.springs = vec![
        spring(held(0, 0.5, 0.4, 0.3), held(1, -0.4, 0.6, -0.2)),
        spring(Anchor::World(v(0.0, 3.0, 0.0)), held(1, 0.4, -0.6, 0.2)),
    ];
    build.model.forces.gravities.push(v(0.3, -0.2, -1.0));
    build
}

fn free(build: Build, dt: f64, integrator: Integrator) -> World {
    let settings =
        SpatialSettings { dt, integrator, orientation: OrientationKind::Quaternion, contact: None };
    World::new(build.model, build.state, settings).unwrap()
}

/// Force and torque are minus the gradient of the potential energy, for moving and for turning.
#[test]
fn forces_are_gradients_of_their_energy() {
    let build = sprung();
    let mut loads = vec![Load::default(); 2];
    force::accumulate(&build.model, &build.state.bodies, &mut loads);
    let energy = |k: usize, change: &dyn Fn(&mut BodyState)| {
        let mut bodies = build.state.bodies.clone();
        change(&mut bodies[k]);
        force::potential_energy(&build.model, &bodies)
    };
    let h = 1e-6;
    for (k, load) in loads.iter().enumerate() {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let moved = |s: f64| energy(k, &|state| state.position += s * axis);
            let turned = |s: f64| {
                energy(k, &|state| state.orientation = state.orientation.turned_by(exponential(s * axis)))
            };
            assert!((load.force.dot(axis) + (moved(h) - moved(-h)) / (2.0 * h)).abs() < 1e-8);
            assert!((load.torque.dot(axis) + (turned(h) - turned(-h)) / (2.0 * h)).abs() < 1e-8);
        }
    }
}

#[test]
fn energy_on_springs_is_kept() {
    for (integrator, tolerance) in [
        (Integrator::RungeKutta4, 1e-6),
        (Integrator::DormandPrince { tolerance: 1e-12 }, 1e-9),
        (Integrator::LieMidpoint, 2e-3),
        (Integrator::SymplecticEuler, 0.2),
    ] {
        let mut world = free(sprung(), 0.002, integrator);
        let total = |world: &World| world.totals().kinetic + world.totals().potential;
        let start = total(&world);
        for _ in 0..1000 {
            world.step();
        }
        let off = (total(&world) - start).abs();
        assert!(off < tolerance, "{integrator:?}: {off:e}");
    }
}

/// Drag stops motion exponentially; a push speeds up evenly; a spring of no length does nothing.
#[test]
fn drag_pushes_and_springs_of_no_length() {
    let mut build = Build::default();
    build.ball(DVec3::ZERO, 1.0, v(3.0, 0.0, 0.0));
    build.turn(0, DVec3::ZERO, v(3.0, 0.0, 0.0), v(0.0, 2.0, 0.0));
    build.model.forces.drags.push(Drag { linear: 0.5, angular: 0.2 });
    let load = Load { force: v(0.0, 0.0, 2.0), torque: DVec3::ZERO };
    build.ball(v(9.0, 0.0, 0.0), 1.0, DVec3::ZERO);
    build.model.forces.pushes.push(Push { body: BodyIndex(1), load });
    let here = Anchor::Body(BodyIndex(0), DVec3::ZERO);
    build.model.forces.springs.push(Spring { start: here, end: here, stiffness: 9.0, rest_length: 1.0 });
    let mut world = free(build, 0.01, Integrator::RungeKutta4);
    for _ in 0..100 {
        world.step();
    }
    assert!((world.velocity(body(0)) - v(3.0 * exp(-0.5), 0.0, 0.0)).length() < 1e-9);
    // A ball of mass 1 and radius 1 has I = 2/5.
    assert!((world.angular_velocity(body(0)) - v(0.0, 2.0 * exp(-0.5), 0.0)).length() < 1e-9);
    assert!((world.velocity(body(1)).z - 2.0 / 0.5 * (1.0 - exp(-0.5))).abs() < 1e-9, "pushed against drag");
}

#[test]
fn both_kinds_of_orientation_give_the_same_motion() {
    let run = |orientation| {
        let build = sprung();
        let settings =
            SpatialSettings { dt: 0.002, integrator: Integrator::RungeKutta4, orientation, contact: None };
        let mut world = World::new(build.model, build.state, settings).unwrap();
        for _ in 0..300 {
            world.step();
            assert!(world.advanced().drift < 1e-6);
        }
        world
    };
    let (a, b) = (run(OrientationKind::Quaternion), run(OrientationKind::Matrix));
    for (x, y) in a.state().bodies.iter().zip(&b.state().bodies) {
        assert!((x.position - y.position).length() < 1e-6 && (x.momentum - y.momentum).length() < 1e-6);
    }
}
