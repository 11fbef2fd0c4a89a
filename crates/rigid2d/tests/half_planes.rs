//! Half-planes: floors, ramps and walls without ends.

use crate::build;

use build::{Build, FIXED, FREE, SOLVED, deepest, v};
use carom_numerics::elementary;
use carom_rigid2d::rotation::Rotation;
use carom_rigid2d::{
    BodyFault, ContactSettings, DVec2, Integrator, Model, ModelError, Motion, Path, Placed, PlanarSettings,
    Pose, Response, Script, State, World,
};

const GRAVITY: f64 = 9.81;

fn ground(build: &mut Build, normal: DVec2) -> usize {
    build.add(Placed::half_plane(DVec2::ZERO, normal, FIXED), DVec2::ZERO)
}

/// A ball and a box that fall by a metre come to rest where they must, whoever comes first in the
/// scene.
#[test]
fn what_falls_rests_on_it() {
    for response in SOLVED {
        for ground_first in [true, false] {
            let mut build = Build::gravity(v(0.0, -GRAVITY));
            if ground_first {
                ground(&mut build, v(0.0, 3.0));
            }
            let ball = build.disc(v(-3.0, 1.5), 0.5, DVec2::ZERO);
            let block = build.block(v(3.0, 1.5), v(0.4, 0.4), 0.1, FREE);
            if !ground_first {
                ground(&mut build, v(0.0, 3.0));
            }
            let mut world = build.with(0.01, ContactSettings::with_restitution(response, 0.0));
            for _ in 0..200 {
                let report = world.step();
                assert!(deepest(&world) < 1e-9, "{response:?}: {} deep, {report:?}", deepest(&world));
            }
            for body in [ball, block] {
                let state = world.state().bodies[body];
                assert!((state.position.y - 0.5).abs() < 1e-9, "{response:?}: at {}", state.position);
                assert!(state.velocity.length() < 1e-9 && state.angular_velocity.abs() < 1e-9);
            }
        }
    }
}

/// A rebound with restitution e reaches e² of the height.
#[test]
fn a_ball_bounces_to_its_height() {
    for response in SOLVED {
        for restitution in [0.5, 1.0] {
            let mut build = Build::gravity(v(0.0, -GRAVITY));
            ground(&mut build, DVec2::Y);
            let ball = build.disc(v(0.0, 1.5), 0.5, DVec2::ZERO);
            let mut world = build.with(1e-3, ContactSettings::with_restitution(response, restitution));
            let (mut top, mut met) = (0.0_f64, false);
            for _ in 0..900 {
                world.step();
                let state = world.state().bodies[ball];
                met |= state.velocity.y > 0.0;
                top = if met { top.max(state.position.y - 0.5) } else { 0.0 };
                if met && state.velocity.y < 0.0 {
                    break;
                }
            }
            let wanted = restitution * restitution;
            assert!((top - wanted).abs() < 5e-3, "{response:?}, {restitution}: {top} for {wanted}");
        }
    }
}

/// A box on a ramp: holds below the angle of friction, slides at g (sin − mu cos) above.
#[test]
fn a_ramp_holds_and_slides() {
    let friction = 0.5;
    let critical = elementary::atan(friction);
    for response in SOLVED {
        for (angle, holds) in [(critical - 0.02, true), (critical + 0.05, false)] {
            let turn = Rotation::by(angle);
            let mut build = Build::gravity(v(0.0, -GRAVITY));
            ground(&mut build, turn.apply(DVec2::Y));
            let block = build.block(v(0.0, 0.5), v(0.9, 0.4), 0.1, FREE);
            build.state.bodies[block].position = turn.apply(v(0.0, 0.5));
            build.state.bodies[block].angle = angle;
            let settings = ContactSettings { friction, ..ContactSettings::with_restitution(response, 0.0) };
            let mut world = build.with(0.002, settings);
            for _ in 0..500 {
                world.step();
            }
            let speed = world.state().bodies[block].velocity.dot(-turn.apply(DVec2::X));
            let (sin, cos) = elementary::sin_cos(angle);
            let wanted = if holds { 0.0 } else { GRAVITY * (sin - friction * cos) };
            assert!((speed - wanted).abs() < 1e-6, "{response:?}: {speed} for {wanted}");
        }
    }
}

/// A disc on a slope rolls at two thirds of g sin.
#[test]
fn a_disc_rolls_down() {
    let turn = Rotation::by(0.3);
    for response in SOLVED {
        let mut build = Build::gravity(v(0.0, -GRAVITY));
        ground(&mut build, turn.apply(DVec2::Y));
        let disc = build.disc(turn.apply(v(0.0, 0.5)), 0.5, DVec2::ZERO);
        let settings = ContactSettings { friction: 0.8, ..ContactSettings::with_restitution(response, 0.0) };
        let mut world = build.with(0.002, settings);
        for _ in 0..500 {
            world.step();
        }
        let (speed, wanted) = (world.state().bodies[disc].velocity.length(), GRAVITY * turn.sin * 2.0 / 3.0);
        assert!((speed - wanted).abs() < 1e-6, "{response:?}: {speed} for {wanted}");
    }
}

/// However fast, and however far the scene's middle: nothing passes.
#[test]
fn nothing_passes() {
    for response in SOLVED {
        for speed in [10.0, 1e3, 1e6] {
            let mut build = Build::new();
            build.add(Placed::half_plane(v(700.0, -0.25), DVec2::Y, FIXED), DVec2::ZERO);
            let ball = build.disc(v(0.0, 3.0), 0.5, v(0.0, -speed));
            let block = build.block(v(5.0, 3.0), v(0.4, 0.4), 0.1, FREE);
            build.state.bodies[block].velocity = v(0.0, -speed);
            build.state.bodies[block].angular_velocity = 0.1 * speed;
            let mut world = build.with(0.1, ContactSettings::with_restitution(response, 0.5));
            for _ in 0..20 {
                world.step();
                assert!(world.state().bodies[ball].position.y > 0.2, "{response:?} {speed}");
                assert!(world.state().bodies[block].position.y > 0.1, "{response:?} {speed}");
            }
        }
    }
}

/// Lifts carry what is on them; a ramp that turns tips it off to the left.
#[test]
fn scripts_move_it() {
    let kinematic = |velocity: DVec2, angular_velocity: f64| {
        let path = Path::Uniform { velocity, angular_velocity };
        Motion::Kinematic(Box::new(Script { start: Pose::default(), path }))
    };
    for response in SOLVED {
        let mut build = Build::gravity(v(0.0, -GRAVITY));
        let lift = Placed::half_plane(DVec2::ZERO, DVec2::Y, kinematic(v(0.0, 2.0), 0.0));
        build.add(lift, DVec2::ZERO);
        let ball = build.disc(v(0.0, 0.5), 0.5, DVec2::ZERO);
        let mut world = build.with(0.01, ContactSettings::with_restitution(response, 0.0));
        for _ in 0..100 {
            world.step();
        }
        let state = world.state().bodies[ball];
        assert!((state.position.y - 2.5).abs() < 1e-6, "{response:?}: {}", state.position);

        let mut build = Build::gravity(v(0.0, -GRAVITY));
        build.add(Placed::half_plane(DVec2::ZERO, DVec2::Y, kinematic(DVec2::ZERO, 0.2)), DVec2::ZERO);
        let ball = build.disc(v(0.0, 0.5), 0.5, DVec2::ZERO);
        let mut world = build.with(0.01, ContactSettings::with_restitution(response, 0.0));
        for _ in 0..100 {
            world.step();
        }
        let (state, ground) = (world.state().bodies[ball], world.state().bodies[0]);
        let height = Rotation::by(ground.angle).apply(DVec2::Y).dot(state.position - ground.position);
        assert!((ground.angle - 0.2).abs() < 1e-12);
        assert!(state.position.x < -0.1 && (height - 0.5).abs() < 1e-3, "{response:?}: {height}, {state:?}");
    }
}

#[test]
fn a_free_one_and_one_without_normal_are_refused() {
    let refused = |placed: Placed, fault: BodyFault| {
        let model = Model { bodies: vec![placed.body], ..Model::default() };
        let state = State { bodies: vec![carom_rigid2d::BodyState::at(placed.center)], step: 0 };
        let contact = Some(ContactSettings::new(Response::Lcp));
        let settings = PlanarSettings { contact, ..PlanarSettings::new(0.1, Integrator::SymplecticEuler) };
        let error = World::new(model, state, settings).unwrap_err();
        assert_eq!(error, ModelError::Body { body: 0, fault });
    };
    refused(Placed::half_plane(DVec2::ZERO, DVec2::Y, FREE), BodyFault::FreeHalfPlane);
    refused(Placed::half_plane(DVec2::ZERO, DVec2::ZERO, FIXED), BodyFault::Normal);
}
