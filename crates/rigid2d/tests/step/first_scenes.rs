//! The scenes that anyone tries first, with closed forms: rest, drop, stack, miss, fast, Galperin's
//! count.

use super::{INTEGRATORS, world};
use crate::build::{Build, FIXED, FREE, SOLVED, deepest, v};
use carom_rigid2d::{ContactSettings, DVec2, Integrator, Placed, PointMass, Response, Status, World};

const GRAVITY: f64 = 9.81;
const LEAPFROG: Integrator = Integrator::SymplecticEuler;

/// Sizes of the world in metres, from which times follow so that gravity looks alike.
const SCALES: [f64; 3] = [1e-3, 1.0, 1e3];

/// A floor with its surface at y = 0.
fn on_floor(scale: f64) -> Build {
    let mut build = Build::gravity(v(0.0, -GRAVITY));
    build.outline(&[v(-50.0 * scale, -0.1 * scale), v(50.0 * scale, -0.1 * scale)], 0.1 * scale, FIXED);
    build
}

fn bouncing(response: Response, restitution: f64) -> ContactSettings {
    ContactSettings::with_restitution(response, restitution)
}

/// A box by its centre and side, of a mass.
fn square(build: &mut Build, center: DVec2, side: f64, mass: f64) -> usize {
    let half = 0.48 * side;
    let corners = [v(-half, -half), v(half, -half), v(half, half), v(-half, half)];
    let points = corners.map(|corner| PointMass { position: center + corner, mass: 0.25 * mass });
    build.add(Placed::point_masses(&points, 0.02 * side, FREE), DVec2::ZERO)
}

/// What lies, lies, whatever the restitution: rest is not an impact.
#[test]
fn a_disc_and_a_box_laid_on_the_floor_stay_there() {
    for response in SOLVED {
        for restitution in [0.0, 0.5, 1.0] {
            for (integrator, scale) in INTEGRATORS.iter().flat_map(|&i| SCALES.map(|s| (i, s))) {
                let mut build = on_floor(scale);
                let disc = build.disc(v(0.0, 0.2 * scale), 0.2 * scale, DVec2::ZERO);
                let block = square(&mut build, v(scale, 0.25 * scale), 0.5 * scale, 1.0);
                let dt = 0.01 * scale.sqrt();
                let mut world = world(build, dt, integrator, bouncing(response, restitution));
                let start = world.state().clone();
                for _ in 0..1000 {
                    assert_eq!(world.step().status, Status::Solved);
                }
                for body in [disc, block] {
                    let (a, b) = (start.bodies[body], world.state().bodies[body]);
                    let moved = (a.position - b.position).length() / scale + (a.angle - b.angle).abs();
                    assert!(moved < 1e-8, "{response:?} {restitution} {integrator:?} {scale}: {moved:e}");
                }
            }
        }
    }
}

/// A disc dropped from height h bounces to e²h and comes to rest, or keeps its energy for ever.
#[test]
fn a_dropped_disc_bounces_to_the_height_that_it_must() {
    for response in SOLVED {
        for restitution in [0.0, 0.1, 0.5, 0.8, 1.0] {
            for (scale, steps) in [(1.0, 240.0), (1.0, 60.0), (1.0, 30.0), (1e-3, 60.0), (1e3, 60.0)] {
                for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
                    let dt = f64::sqrt(scale) / steps;
                    let place = format!("{response:?} {restitution} {scale} {steps} {integrator:?}");
                    drop(scale, dt, integrator, bouncing(response, restitution), &place);
                }
            }
        }
    }
}

fn drop(scale: f64, dt: f64, integrator: Integrator, contact: ContactSettings, place: &str) {
    let restitution = contact.restitution;
    let mut build = on_floor(scale);
    let disc = build.disc(v(0.0, 1.2 * scale), 0.2 * scale, DVec2::ZERO);
    let mut world = world(build, dt, integrator, contact);
    let height = |world: &World| world.state().bodies[disc].position.y / scale - 0.2;
    let fall = (2.0 * scale / GRAVITY).sqrt();
    let (mut rebound, mut lowest) = (0.0f64, f64::INFINITY);
    while world.time() < 20.0 * scale.sqrt() {
        world.step();
        lowest = lowest.min(height(&world));
        if world.time() > fall + 2.0 * dt && world.time() < fall * (1.0 + 2.1 * restitution) + 3.0 * dt {
            rebound = rebound.max(height(&world));
        }
    }
    assert!(lowest > -1e-6, "{place}: {lowest:e} below the floor");
    // The top of a sampled parabola is missed by at most g dt²/8; symplectic Euler starts half a
    // step late, which is worth g t dt / 2.
    let late = if integrator == LEAPFROG { 0.5 * GRAVITY * fall * dt / scale } else { 0.0 };
    let sampled = GRAVITY * dt * dt / scale;
    let wanted = restitution * restitution;
    assert!((rebound - wanted).abs() < 1e-3 + sampled + late * wanted, "{place}: {rebound} for {wanted}");
    let body = world.state().bodies[disc];
    if restitution < 1.0 {
        assert!(height(&world).abs() < 1e-6 && body.velocity.length() < 1e-9 * scale, "{place}: {body:?}");
    } else {
        // ½v² at the instant, from the ballistic path: half a step later than what is stored.
        let speed =
            if integrator == LEAPFROG { body.velocity.y - 0.5 * GRAVITY * dt } else { body.velocity.y };
        let energy = height(&world) + 0.5 * speed * speed / (GRAVITY * scale);
        assert!((energy - 1.0).abs() < 0.01, "{place}: energy {energy}");
    }
}

/// Five boxes on each other, and a heavy one on two light ones, stay where they are.
#[test]
fn stacks_stand_under_every_response() {
    for response in SOLVED {
        for (restitution, masses) in [
            (0.0, &[1.0; 5][..]),
            (0.3, &[1.0; 5]),
            (1.0, &[1.0; 5]),
            (0.3, &[1.0, 1.0, 1e3]),
            (0.0, &[1.0, 1e6]),
        ] {
            for scale in SCALES {
                let mut build = on_floor(scale);
                for (k, &mass) in masses.iter().enumerate() {
                    square(&mut build, v(0.0, (0.25 + 0.5 * k as f64) * scale), 0.5 * scale, mass);
                }
                let contact = ContactSettings { friction: 0.5, ..bouncing(response, restitution) };
                let mut world = world(build, f64::sqrt(scale) / 60.0, LEAPFROG, contact);
                let start = world.state().clone();
                for _ in 0..600 {
                    world.step();
                }
                let ends = start.bodies.iter().zip(&world.state().bodies);
                let moved = ends.map(|(a, b)| (a.position - b.position).length()).fold(0.0, f64::max);
                assert!(
                    moved < 1e-7 * scale,
                    "{response:?} {restitution} {masses:?} {scale}: moved {moved:e}"
                );
            }
        }
    }
}

/// What does not touch is not deflected, to the bit: a bar, a fixed disc, one that comes the other
/// way, corners and turning boxes.
#[test]
fn what_passes_by_is_left_alone() {
    for response in SOLVED {
        for restitution in [0.0, 1.0] {
            for (speed, dt) in [(5.0, 1.0 / 60.0), (8.0, 0.01), (20.0, 0.01), (500.0, 0.01)] {
                for shift in [0.0, 0.3, 0.55, 0.8] {
                    for kind in 0..4 {
                        let x = -1.0 - shift * speed * dt;
                        let mut build = Build::new();
                        let flier = build.disc(v(x, 0.1001), 0.05, v(speed, 0.0));
                        match kind {
                            0 => _ = build.outline(&[v(-0.5, 0.04), v(0.5, 0.04)], 0.01, FIXED),
                            1 => _ = build.add(Placed::disc(DVec2::ZERO, 0.05, 1.0, FIXED), DVec2::ZERO),
                            2 => _ = build.disc(v(-x, 0.0), 0.05, v(-speed, 0.0)),
                            _ => {
                                let turning = square(&mut build, v(0.0, 0.0), 0.068, 1.0);
                                build.state.bodies[turning].angular_velocity = speed;
                            }
                        }
                        let before = build.state.bodies.clone();
                        let mut world = world(build, dt, LEAPFROG, bouncing(response, restitution));
                        for _ in 0..(2.0 / (speed * dt) + shift).ceil() as usize {
                            let place = format!("{response:?} {restitution} {speed} {shift} {kind}");
                            assert_eq!(world.step().active_contacts, 0, "{place}");
                        }
                        let after = world.state().bodies[flier];
                        let place = format!("{response:?} {restitution} {speed} {shift} {kind}");
                        assert_eq!(after.velocity, before[flier].velocity, "{place}");
                        assert!(after.position.x > 0.9, "{place}: it has passed");
                    }
                }
            }
        }
    }
}

/// A disc and a spinning box shot at a thin bar do not come through it.
#[test]
fn nothing_is_too_fast_for_a_thin_bar() {
    for response in SOLVED {
        for restitution in [0.0, 0.5, 1.0] {
            for speed in [10.0, 30.0, 100.0, 1000.0] {
                for x in [0.013, 0.4] {
                    let mut build = Build::new();
                    build.outline(&[v(-3.0, 0.0), v(3.0, 0.0)], 0.01, FIXED);
                    build.disc(v(x, 1.03), 0.05, v(0.0, -speed));
                    let block = square(&mut build, v(x - 1.0, 1.03), 0.2, 1.0);
                    build.state.bodies[block].velocity = v(0.0, -speed);
                    build.state.bodies[block].angular_velocity = 3.0 * speed;
                    let mut world = world(build, 0.01, LEAPFROG, bouncing(response, restitution));
                    for step in 0..50 {
                        let report = world.step();
                        for body in &world.state().bodies[1..] {
                            let place = format!("{response:?} {restitution} {speed} {x}, step {step}");
                            assert!(body.position.y > 0.0, "{place}: through, {body:?} {report:?}");
                        }
                    }
                    assert!(deepest(&world) < 1e-3);
                }
            }
        }
    }
}

/// Galperin, "Playing pool with π", 2003: a heavy disc drives a light one against a wall; with
/// masses 100ⁿ to 1 they meet as often as π has digits, and the end follows from the angle
/// atan(10⁻ⁿ).
#[test]
fn a_heavy_disc_a_light_one_and_a_wall_count_the_digits_of_pi() {
    for response in SOLVED {
        for (power, count) in [(0, 3), (1, 31), (2, 314), (3, 3141)] {
            let mass = 100f64.powi(power);
            let mut build = Build::new();
            build.outline(&[v(-0.1, -50.0), v(-0.1, 50.0)], 0.1, FIXED);
            let light = build.disc(v(1.0, 0.5), 0.1, DVec2::ZERO);
            let heavy = build.add(Placed::disc(v(1.6, 0.5), 0.1, mass, FREE), v(-1.0, 0.0));
            let mut world = world(build, 0.001, LEAPFROG, bouncing(response, 1.0));
            let (mut met, mut early) = (0, 0);
            let energy = world.totals().kinetic;
            for _ in 0..20_000 {
                let report = world.step();
                met += world.touched().iter().filter(|touched| touched.impulse > 0.0).count();
                early += report.early_impacts;
                let kept = world.totals().kinetic / energy - 1.0;
                assert!(kept.abs() < 1e-9, "{response:?} {mass}: energy {kept:e}");
            }
            let [light, heavy] = [light, heavy].map(|k| world.state().bodies[k].velocity.x);
            assert!(heavy > light.abs() - 1e-9, "{response:?} {mass}: they part");
            if early == 0 {
                assert_eq!(met, count, "{response:?} {mass}");
                // Two reflections are a turn by twice the angle.
                let angle = carom_numerics::elementary::atan(1.0 / mass.sqrt());
                let turned = 2.0 * angle * count.div_ceil(2) as f64;
                let wanted = carom_numerics::elementary::cos(turned).abs();
                assert!((heavy - wanted).abs() < 1e-6, "{response:?} {mass}: {heavy} for {wanted}");
            }
            // Up to 200 impacts of a body in a step come at their instants; 3,141 do not all.
            assert!(early == 0 || power == 3, "{response:?} {mass}: {early} early");
        }
    }
}

/// A disc thrown flat with friction ends rolling at two thirds of its speed; a box holds on a slope
/// or slides at the right rate.
#[test]
fn friction_rolls_holds_and_slides() {
    for response in SOLVED {
        for restitution in [0.0, 0.5, 1.0] {
            let place = format!("{response:?} {restitution}");
            let contact = |friction| ContactSettings { friction, ..bouncing(response, restitution) };
            let mut build = on_floor(1.0);
            let disc = build.disc(v(0.0, 0.2), 0.2, v(2.0, 0.0));
            let mut rolling = world(build, 1.0 / 60.0, LEAPFROG, contact(0.3));
            for _ in 0..180 {
                rolling.step();
            }
            let body = rolling.state().bodies[disc];
            assert!((body.velocity.x - 4.0 / 3.0).abs() < 1e-6, "{place}: {body:?}");
            assert!((body.angular_velocity + body.velocity.x / 0.2).abs() < 1e-6, "{place}: {body:?}");
            for (friction, rate) in [(0.55, 0.0), (0.45, GRAVITY * (0.2 - 0.45 * 0.4) * 5f64.sqrt())] {
                let mut build = on_floor(1.0);
                // Gravity tilted by atan ½.
                build.model.forces.gravities[0] = GRAVITY * v(1.0, -2.0) / 5f64.sqrt();
                let block = square(&mut build, v(0.0, 0.25), 0.5, 1.0);
                let mut world = world(build, 1.0 / 60.0, LEAPFROG, contact(friction));
                for _ in 0..120 {
                    world.step();
                }
                let speed = world.state().bodies[block].velocity.x;
                assert!((speed - 2.0 * rate).abs() < 1e-9, "{place} {friction}: {speed} for {}", 2.0 * rate);
            }
        }
    }
}
