//! Friction holds, slips and rolls as it should.

use crate::build;

use build::{Build, FREE, v};
use carom_rigid2d::{ContactSettings, DVec2, Response, World};

const INELASTIC: [Response; 2] = [Response::Lcp, Response::VelocityProjection];
const GRAVITY: f64 = 9.81;

fn on_slope(angle: f64, friction: f64, disc: bool, response: Response) -> World {
    let mut build = Build::gravity(v(0.0, -GRAVITY));
    build.floor(angle);
    let turn = carom_rigid2d::rotation::Rotation::by(angle);
    let body = if disc {
        build.disc(turn.apply(v(0.0, 0.5)), 0.5, DVec2::ZERO)
    } else {
        let body = build.block(v(0.0, 0.5), v(0.9, 0.4), 0.1, FREE);
        build.state.bodies[body].position = turn.apply(v(0.0, 0.5));
        build.state.bodies[body].angle = angle;
        body
    };
    assert_eq!(body, 1);
    build.with(0.002, ContactSettings { friction, ..ContactSettings::new(response) })
}

/// Speed down the slope after a second.
fn speed_after_a_second(mut world: World, angle: f64) -> f64 {
    for _ in 0..500 {
        world.step();
    }
    let down = -carom_rigid2d::rotation::Rotation::by(angle).apply(DVec2::X);
    world.state().bodies[1].velocity.dot(down)
}

#[test]
fn friction_holds_below_its_angle_and_slips_above() {
    let friction = 0.5;
    let critical = carom_numerics::elementary::atan(friction);
    for response in INELASTIC {
        let held =
            speed_after_a_second(on_slope(critical - 0.01, friction, false, response), critical - 0.01);
        assert!(held.abs() < 1e-9, "{response:?}: slips at {held:e}");
        let angle = critical + 0.05;
        let (sin, cos) = carom_numerics::elementary::sin_cos(angle);
        let slipped = speed_after_a_second(on_slope(angle, friction, false, response), angle);
        let expected = GRAVITY * (sin - friction * cos);
        assert!((slipped - expected).abs() < 1e-6 * expected, "{response:?}: {slipped} for {expected}");
    }
}

#[test]
fn a_disc_rolls_at_two_thirds_of_the_slope() {
    let angle: f64 = 0.3;
    let sin = carom_numerics::elementary::sin(angle);
    for response in INELASTIC {
        let mut world = on_slope(angle, 0.8, true, response);
        for _ in 0..500 {
            world.step();
        }
        let body = world.state().bodies[1];
        let expected = GRAVITY * sin * 2.0 / 3.0;
        assert!(
            (body.velocity.length() - expected).abs() < 1e-6,
            "{} for {expected}",
            body.velocity.length()
        );
        assert!((body.angular_velocity - body.velocity.length() / 0.5).abs() < 1e-6, "it rolls without slip");
    }
}

#[test]
fn without_friction_a_disc_slides_without_turning() {
    let angle: f64 = 0.3;
    let mut world = on_slope(angle, 0.0, true, Response::VelocityProjection);
    for _ in 0..500 {
        world.step();
    }
    let body = world.state().bodies[1];
    assert_eq!(body.angular_velocity, 0.0);
    let expected = GRAVITY * carom_numerics::elementary::sin(angle);
    assert!((body.velocity.length() - expected).abs() < 1e-6);
}

/// Impacts at their instants and contacts that touch or overlap make no angular momentum. An
/// inelastic meeting within a step has no instant: its push acts from the start of the step, with
/// the normal and at the point of the meeting, so that the couple is off by the push times the way
/// until then. That vanishes with the step length.
#[test]
fn friction_across_a_gap_or_an_overlap_makes_no_angular_momentum() {
    for response in build::SOLVED {
        for restitution in [0.0, 0.5, 1.0] {
            // the surfaces are 0.1 apart and meet within a step, or overlap by 0.05
            for (distance, dt) in [(1.1, 0.1), (1.1, 0.01), (1.1, 0.001), (0.95, 0.1)] {
                for discs in [true, false] {
                    let mut build = Build::new();
                    for (x, velocity) in [(0.0, v(2.0, 1.0)), (distance, v(-2.0, 0.0))] {
                        let body = if discs {
                            build.disc(v(x, 0.1 * x), 0.5, velocity)
                        } else {
                            build.block(v(x, 0.3 * x), v(0.4, 0.4), 0.1, FREE)
                        };
                        build.state.bodies[body].velocity = velocity;
                    }
                    let contact = ContactSettings::with_restitution(response, restitution);
                    let mut world = build.with(dt, ContactSettings { friction: 0.5, ..contact });
                    let place = format!("{response:?} {restitution} at {distance}, {dt}, discs {discs}");
                    let mut rubbed = false;
                    for _ in 0..(0.1 / dt).round() as usize + 2 {
                        let report = world.step();
                        let change = report.angular_momentum_change[2];
                        let pushed: f64 = world.touched().iter().map(|t| t.impulse).sum();
                        let across = distance > 1.0 && restitution == 0.0;
                        let most = if across { 5.0 * pushed * dt } else { 0.0 };
                        assert!(change.abs() <= most + 1e-13, "{place}: {change:e}");
                        rubbed |= world.state().bodies[1].velocity.y > 0.01;
                    }
                    assert!(rubbed, "{place}: nothing rubbed");
                }
            }
        }
    }
}
