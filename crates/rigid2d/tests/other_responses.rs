//! Impulses pair by pair, penalty forces, thin walls, kinematic bodies, forces from outside, other
//! integrators.

use crate::build;

use build::{Build, FIXED, FREE, SOLVED, deepest, v};
use carom_rigid2d::{
    BodyIndex, ContactSettings, DVec2, Integrator, Motion, Path, Penalty, Placed, PlanarSettings, Pose,
    Response, Script, World,
};

/// The asteroid rules: J = −(1 + ε)(va − vb)·n / (1/ma + 1/mb), and the overlap taken apart along
/// the normal.
#[test]
fn asteroids_bounce_by_the_exercises_formula_and_are_moved_apart() {
    let mut build = Build::new();
    build.add(Placed::disc(v(0.0, 0.0), 1.0, 2.0, FREE), v(3.0, 1.0));
    build.add(Placed::disc(v(1.5, 0.8), 1.0, 5.0, FREE), v(-1.0, 0.5));
    let mut world = build.clone().world(1e-9, Response::Impulse);
    world.step();
    let normal = v(1.5, 0.8).normalize();
    let [before_a, before_b] = [0, 1].map(|k| build.state.bodies[k].velocity);
    let impulse = 1.9 * (before_a - before_b).dot(normal) / (1.0 / 2.0 + 1.0 / 5.0);
    let [a, b] = [0, 1].map(|k| world.state().bodies[k]);
    assert!((a.velocity - (before_a - impulse / 2.0 * normal)).length() < 1e-7);
    assert!((b.velocity - (before_b + impulse / 5.0 * normal)).length() < 1e-7);
    let distance = (b.position - a.position).length();
    assert!((distance - 2.0).abs() < 1e-7, "they touch at one point: {distance}");
    let moved = [0, 1].map(|k| (world.state().bodies[k].position - build.state.bodies[k].position).length());
    assert!((moved[0] / moved[1] - 2.5).abs() < 1e-6, "the lighter one gives way more");
}

#[test]
fn impulses_with_friction_make_a_spinning_disc_run() {
    let mut build = Build::new();
    build.floor(0.0);
    let disc = build.disc(v(0.0, 0.5), 0.5, v(0.0, -1.0));
    build.state.bodies[disc].angular_velocity = -8.0;
    let contact =
        ContactSettings { restitution: 0.0, friction: 10.0, ..ContactSettings::new(Response::Impulse) };
    let mut world = build.with(1e-6, contact);
    world.step();
    let body = world.state().bodies[disc];
    // It grips: v = −ω r, with the spin's angular momentum about the ground kept.
    assert!((body.velocity.x + 0.5 * body.angular_velocity).abs() < 1e-6, "{body:?}");
    assert!((body.velocity.x - 8.0 * 0.5 / 3.0).abs() < 1e-6, "{body:?}");
}

#[test]
fn a_penalty_spring_holds_a_block_where_it_weighs_as_much() {
    let mut build = Build::gravity(v(0.0, -10.0));
    build.floor(0.0);
    let block = build.block(v(0.0, 0.5), v(0.4, 0.4), 0.1, FREE);
    let (stiffness, thickness) = (1000.0, 0.05);
    // Two corners carry 4 kg: k (thickness − gap) · 2 = 40.
    let gap = thickness - 40.0 / (2.0 * stiffness);
    build.state.bodies[block].position.y += gap;
    let penalty = Some(Penalty { stiffness, thickness });
    let settings = PlanarSettings { penalty, ..PlanarSettings::new(0.001, Integrator::SymplecticEuler) };
    let mut world = World::new(build.model, build.state, settings).unwrap();
    for _ in 0..1000 {
        world.step();
    }
    let body = world.state().bodies[block];
    assert!((body.position.y - (0.5 + gap)).abs() < 1e-9, "{body:?}");
    assert!(body.velocity.length() < 1e-9);
}

#[test]
fn nothing_passes_through_a_thin_wall() {
    for response in SOLVED {
        let mut build = Build::new();
        build.outline(&[v(5.0, -5.0), v(5.0, 5.0)], 0.01, FIXED);
        let bullet = build.disc(v(0.0, 0.0), 0.1, v(1000.0, 0.0));
        let spinner = build.block(v(0.0, 2.0), v(0.3, 0.05), 0.01, FREE);
        build.state.bodies[spinner].velocity = v(700.0, 0.0);
        build.state.bodies[spinner].angular_velocity = 300.0;
        let mut world = build.with(0.02, ContactSettings::with_restitution(response, 1.0));
        let energy = world.totals().kinetic;
        let report = world.step();
        let through = [bullet, spinner].map(|k| world.state().bodies[k].position.x > 5.0);
        assert_eq!(through, [false; 2], "{response:?}");
        assert!(report.impacts >= 2);
        assert!(deepest(&world) < 1e-8);
        assert!((world.totals().kinetic / energy - 1.0).abs() < 1e-12, "{response:?}: elastic");
        let bullet = world.state().bodies[bullet];
        assert!((bullet.velocity - v(-1000.0, 0.0)).length() < 1e-9);
        // There at 4.89 m, and back for the rest of 20 m.
        assert!((bullet.position.x - (4.89 - (20.0 - 4.89))).abs() < 1e-6, "{}", bullet.position.x);
    }
}

/// A ball that bounces with loss comes to rest in infinitely many bounces; the step still ends,
/// above the floor.
#[test]
fn infinitely_many_bounces_in_one_step_end() {
    let mut build = Build::gravity(v(0.0, -10.0));
    build.floor(0.0);
    let ball = build.disc(v(0.0, 0.6), 0.5, DVec2::ZERO);
    let contact = ContactSettings::with_restitution(Response::ReflectionLcp, 0.3);
    let mut world = build.with(0.05, contact);
    for _ in 0..100 {
        let report = world.step();
        assert!(deepest(&world) < 1e-8, "{report:?}");
    }
    let body = world.state().bodies[ball];
    assert!((body.position.y - 0.5).abs() < 1e-8 && body.velocity.length() < 1e-12, "{body:?}");
}

fn piston(response: Response) -> (World, usize) {
    let mut build = Build::new();
    let start = Pose { position: v(0.0, -1.1), angle: 0.0 };
    let path = Path::Uniform { velocity: v(0.0, 2.0), angular_velocity: 0.0 };
    build.block(start.position, v(3.0, 1.0), 0.1, Motion::Kinematic(Box::new(Script { start, path })));
    let load = build.block(v(0.0, 0.505), v(0.4, 0.4), 0.1, FREE);
    (build.with(0.01, ContactSettings::with_restitution(response, 0.0)), load)
}

#[test]
fn a_kinematic_piston_lifts_and_is_not_held_back() {
    for response in SOLVED {
        let (mut world, load) = piston(response);
        for _ in 0..100 {
            world.step();
        }
        assert!((world.state().bodies[0].position.y - (-1.1 + 2.0)).abs() < 1e-12);
        let body = world.state().bodies[load];
        assert!((body.velocity - v(0.0, 2.0)).length() < 1e-9, "{body:?}");
        let gap = body.position.y - 0.5 - 2.0;
        assert!(gap.abs() < 1e-9, "{response:?}: {gap}");
    }
}

#[test]
fn forces_from_outside_last_one_step() {
    let mut build = Build::new();
    build.disc(DVec2::ZERO, 1.0, DVec2::ZERO);
    let mut world = build.world(0.5, Response::Lcp);
    world.apply(BodyIndex(0), v(2.0, 0.0), 3.0);
    world.apply(BodyIndex(0), v(0.0, 4.0), 0.0);
    for _ in 0..2 {
        world.step();
        let body = world.state().bodies[0];
        assert_eq!((body.velocity, body.angular_velocity), (v(1.0, 2.0), 3.0));
    }
}

/// A body on a spring: the energy error of Verlet falls with the square of the step.
#[test]
fn verlet_is_of_second_order() {
    let error = |dt: f64| {
        let mut build = Build::new();
        build.disc(v(1.0, 0.0), 0.1, DVec2::ZERO);
        build.model.forces.springs.push(carom_rigid2d::Spring {
            start: carom_rigid2d::Anchor::World(DVec2::ZERO),
            end: carom_rigid2d::Anchor::Body(BodyIndex(0), DVec2::ZERO),
            stiffness: 1.0,
            rest_length: 0.0,
        });
        let settings = PlanarSettings::new(dt, Integrator::VelocityVerlet);
        let mut world = World::new(build.model, build.state, settings).unwrap();
        for _ in 0..(2.0 / dt).round() as usize {
            world.step();
        }
        (world.state().bodies[0].position.x - carom_numerics::elementary::cos(2.0)).abs()
    };
    let ratio = error(0.02) / error(0.01);
    assert!((3.9..4.1).contains(&ratio), "{ratio}");
}

/// Explicit Euler moves with the old velocity; contact changes the way and the velocity alike.
#[test]
fn explicit_euler_lands_at_touch() {
    let mut build = Build::new();
    build.floor(0.0);
    let ball = build.disc(v(0.0, 0.6), 0.5, v(0.0, -20.0));
    let contact = Some(ContactSettings::new(Response::Lcp));
    let settings = PlanarSettings { contact, ..PlanarSettings::new(0.01, Integrator::ExplicitEuler) };
    let mut world = World::new(build.model, build.state, settings).unwrap();
    world.step();
    // In one step 0.2 m would be gone and the floor is 0.1 m away.
    let body = world.state().bodies[ball];
    assert!((body.position.y - 0.5).abs() < 1e-8, "{body:?}");
    world.step();
    let body = world.state().bodies[ball];
    assert!((body.position.y - 0.5).abs() < 1e-8 && body.velocity.y.abs() < 1e-12, "{body:?}");
}
