//! Bodies come to rest where they touch, stay there, and slide and roll as they should.

use crate::build;

use build::{Build, GRAVITY, body, deepest, tower, v};
use carom_numerics::elementary::{atan, cos, sin};
use carom_rigid3d::{
    ContactSettings, DVec3, Displacement, Motion, Path, Placed, Response, Script, Status, World,
};

const INELASTIC: [Response; 2] = [Response::Lcp, Response::VelocityProjection];
const FREE: Motion = Motion::Free;

fn rubbing(response: Response, friction: f64) -> ContactSettings {
    ContactSettings { friction, ..ContactSettings::new(response) }
}

fn fastest(world: &World) -> f64 {
    let free = (0..world.model().bodies.len()).filter(|&k| world.model().bodies[k].motion.is_free());
    free.map(|k| world.velocity(body(k)).length().max(world.angular_velocity(body(k)).length()))
        .fold(0.0, f64::max)
}

/// Farthest any body is from where and how it was.
fn moved(world: &World, start: &carom_rigid3d::State) -> f64 {
    let off = |(a, b): (&carom_rigid3d::BodyState, &carom_rigid3d::BodyState)| {
        let turned = (0..3).map(|k| (a.orientation.matrix().col(k) - b.orientation.matrix().col(k)).length());
        (a.position - b.position).length() + turned.fold(0.0, f64::max)
    };
    start.bodies.iter().zip(&world.state().bodies).map(off).fold(0.0, f64::max)
}

/// A minute of simulated time.
#[test]
fn a_tower_of_ten_boxes_stands_for_a_minute() {
    let mut world = tower(10).world(0.01, Response::Lcp);
    let start = world.state().clone();
    for step in 0..6000 {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "step {step}: {report:?}");
    }
    let drift = moved(&world, &start);
    assert!(drift <= 1e-9, "moved by {drift:e}");
}

#[test]
fn towers_with_friction_and_with_either_solver_stand() {
    for response in INELASTIC {
        for friction in [0.0, 0.5] {
            let mut world = tower(6).with(0.01, rubbing(response, friction));
            let start = world.state().clone();
            for _ in 0..100 {
                world.step();
            }
            let drift = moved(&world, &start);
            assert!(drift <= 1e-9, "{response:?} {friction}: moved by {drift:e}");
        }
    }
}

#[test]
fn a_pyramid_of_boxes_stands_still() {
    let mut build = Build::on_floor();
    for row in 0..4 {
        for k in 0..4 - row {
            let x = 1.1 * (f64::from(k) + 0.5 * f64::from(row));
            build.cuboid(v(x, 0.0, 0.5 + f64::from(row)), v(0.5, 0.6, 0.5), FREE);
        }
    }
    let mut world = build.world(0.01, Response::VelocityProjection);
    let start = world.state().clone();
    for _ in 0..200 {
        world.step();
    }
    let drift = moved(&world, &start);
    assert!(drift <= 1e-8, "moved by {drift:e}");
}

/// A world with the state and the memory of another goes on to the same bits, islands large enough
/// for warm starts included.
#[test]
fn resuming_equals_running() {
    for (response, friction) in [(Response::Lcp, 0.0), (Response::VelocityProjection, 0.4)] {
        let make = || {
            let mut build = tower(12);
            build.cuboid(v(0.3, 0.2, 13.0), v(0.5, 0.5, 0.5), FREE);
            build.with(0.01, rubbing(response, friction))
        };
        let mut run = make();
        for _ in 0..30 {
            run.step();
        }
        let mut resumed = make();
        resumed.set_state(run.state().clone()).unwrap();
        resumed.restore_memory(&run.memory());
        for _ in 0..10 {
            run.step();
            resumed.step();
        }
        assert_eq!(run.state(), resumed.state(), "{response:?}");
    }
}

/// Dropped flat, on an edge and on a corner: the box ends at rest on a face.
#[test]
fn a_dropped_box_comes_to_rest() {
    let half = v(0.5, 0.4, 0.3);
    for response in INELASTIC {
        for (name, turn) in [
            ("flat", DVec3::ZERO),
            ("edge", v(0.0, 0.6, 0.0)),
            ("corner", v(0.5, 0.6, 0.2)),
            ("balanced edge", v(0.0, std::f64::consts::FRAC_PI_4, 0.0)),
        ] {
            let mut build = Build::on_floor();
            let cuboid = build.cuboid(v(0.0, 0.0, 1.5), half, FREE);
            build.turn(cuboid, turn, DVec3::ZERO, DVec3::ZERO);
            let mut world = build.with(0.005, rubbing(response, 0.5));
            let mut depth: f64 = 0.0;
            for _ in 0..1200 {
                world.step();
                depth = depth.max(deepest(&world));
            }
            let speed = fastest(&world);
            assert!(speed < 1e-6, "{response:?} {name}: still moves at {speed:e}");
            let up = world.state().bodies[cuboid].orientation.matrix().transpose() * DVec3::Z;
            let height = (half * up.abs()).element_sum();
            let off = (world.state().bodies[cuboid].position.z - height).abs();
            assert!(up.abs().max_element() > 1.0 - 1e-6, "{name}: rests on a face, up is {up}");
            assert!(off < 1e-6, "{response:?} {name}: {off:e} off the floor");
            assert!(depth < 2e-3, "{response:?} {name}: {depth:e} deep");
        }
    }
}

#[test]
fn the_lectures_loop_brings_a_box_to_rest_too() {
    let mut build = Build::on_floor();
    let cuboid = build.cuboid(v(0.0, 0.0, 1.0), v(0.5, 0.4, 0.3), FREE);
    build.turn(cuboid, v(0.2, 0.1, 0.0), DVec3::ZERO, DVec3::ZERO);
    let mut world = build.with(0.005, rubbing(Response::Impulse, 0.5));
    for _ in 0..2000 {
        world.step();
    }
    let speed = fastest(&world);
    assert!(speed < 0.05, "still moves at {speed:e}");
    assert!((world.state().bodies[cuboid].position.z - 0.3).abs() < 1e-3);
}

/// A full ball that rolls without slipping: 5/7 g sin θ. Friction of 2/7 tan θ is enough.
#[test]
fn a_ball_rolls_down_a_slope() {
    let theta: f64 = 0.4;
    for response in INELASTIC {
        let mut build = Build::on_slope(theta);
        build.ball(v(0.0, 0.0, 0.5), 0.5, DVec3::ZERO);
        let mut world = build.with(0.01, rubbing(response, 0.2));
        for _ in 0..200 {
            world.step();
        }
        let expected = 5.0 / 7.0 * GRAVITY * sin(theta) * 2.0;
        let speed = world.velocity(body(1));
        assert!((speed - v(expected, 0.0, 0.0)).length() < 1e-6, "{response:?}: {speed} for {expected}");
        assert!((world.angular_velocity(body(1)) - v(0.0, 2.0 * expected, 0.0)).length() < 1e-6);
        assert!((world.state().bodies[1].position.z - 0.5).abs() < 1e-9);
    }
}

/// Too little friction: the ball slides and rolls, g (sin θ − μ cos θ).
#[test]
fn a_ball_slips_on_a_steep_slope() {
    let (theta, friction): (f64, f64) = (1.0, 0.2);
    let mut build = Build::on_slope(theta);
    build.ball(v(0.0, 0.0, 0.5), 0.5, DVec3::ZERO);
    let mut world = build.with(0.01, rubbing(Response::Lcp, friction));
    for _ in 0..100 {
        world.step();
    }
    let expected = GRAVITY * (sin(theta) - friction * cos(theta));
    assert!((world.velocity(body(1)).x - expected).abs() < 1e-6);
    assert!((world.angular_velocity(body(1)).y - 2.5 * friction * GRAVITY * cos(theta) / 0.5).abs() < 1e-6);
}

/// A box sticks below tan θ = μ and slides at g (sin θ − μ cos θ) above.
#[test]
fn a_box_slips_at_the_angle_of_friction() {
    let friction: f64 = 0.5;
    for response in INELASTIC {
        for part in [0.98, 1.02] {
            let theta = atan(friction * part);
            let mut build = Build::on_slope(theta);
            let cuboid = build.cuboid(v(0.0, 0.0, 0.25), v(0.5, 0.5, 0.25), FREE);
            build.turn(cuboid, v(0.0, 0.0, 0.3), DVec3::ZERO, DVec3::ZERO);
            let mut world = build.with(0.01, rubbing(response, friction));
            for _ in 0..100 {
                world.step();
            }
            let expected = (GRAVITY * (sin(theta) - friction * cos(theta))).max(0.0);
            let speed = world.velocity(body(1));
            assert!(
                (speed - v(expected, 0.0, 0.0)).length() < 1e-6,
                "{response:?} {part}: {speed} for {expected}"
            );
        }
    }
}

#[test]
fn overlapping_starts_are_moved_apart_without_a_kick() {
    for response in INELASTIC {
        let mut build = Build::default();
        build.cuboid(DVec3::ZERO, DVec3::ONE, FREE);
        build.cuboid(v(1.5, 0.2, 0.3), DVec3::ONE, FREE);
        build.ball(v(0.3, 0.1, 1.7), 1.0, DVec3::ZERO);
        let mut world = build.world(0.01, response);
        assert!(deepest(&world) > 0.25);
        world.step();
        for _ in 0..5 {
            world.step();
        }
        world.step();
        assert!(deepest(&world) < 1e-5);
        assert!(fastest(&world) < 1e-12, "positions are corrected, velocities are not");
    }
}

#[test]
fn a_kinematic_lift_carries_a_box_and_is_not_held_back() {
    let mut build = Build::on_floor();
    let rate = Displacement { translation: v(0.0, 0.0, 2.0), rotation: v(0.0, 0.0, 0.5) };
    let script =
        Script { position: v(0.0, 0.0, 1.0), orientation: glam_identity(), path: Path::Uniform(rate) };
    let lift = Placed::cuboid(v(0.0, 0.0, 1.0), v(2.0, 2.0, 0.1), 1.0, Motion::Kinematic(script)).unwrap();
    let lift = build.add(lift, DVec3::ZERO);
    let load = build.cuboid(v(0.0, 0.0, 1.6), v(0.3, 0.3, 0.5), FREE);
    let mut world = build.with(0.01, rubbing(Response::Lcp, 0.8));
    for _ in 0..100 {
        world.step();
    }
    assert!((world.state().bodies[lift].position.z - 3.0).abs() < 1e-12);
    assert!((world.velocity(body(load)) - v(0.0, 0.0, 2.0)).length() < 1e-9);
    assert!(
        (world.angular_velocity(body(load)) - v(0.0, 0.0, 0.5)).length() < 1e-6,
        "friction turns it along"
    );
    assert!((world.state().bodies[load].position.z - 3.6).abs() < 1e-9);
}

fn glam_identity() -> carom_rigid3d::DQuat {
    carom_rigid3d::DQuat::IDENTITY
}
