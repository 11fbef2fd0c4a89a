//! Impacts keep what they must keep, and give the closed forms.

use crate::build;

use build::{Build, rack, v};
use carom_rigid2d::{ContactSettings, DVec2, Response, StepReport, World};

const REFLECTIONS: [Response; 2] = [Response::ReflectionLcp, Response::ReflectionVelocityProjection];

/// Sum of |P| over the bodies: the size that momentum errors are measured by.
fn momentum_scale(world: &World) -> f64 {
    let bodies = world.model().bodies.iter().zip(&world.state().bodies);
    bodies.map(|(body, state)| body.mass * state.velocity.length()).sum::<f64>()
}

fn angular_scale(world: &World) -> f64 {
    let bodies = world.model().bodies.iter().zip(&world.state().bodies);
    bodies
        .map(|(body, state)| {
            body.mass * state.velocity.length() * state.position.length()
                + body.inertia * state.angular_velocity.abs()
        })
        .sum::<f64>()
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn assert_kept(world: &World, report: &StepReport) {
    let linear = length(report.momentum_change);
    assert!(linear <= 1e-12 * momentum_scale(world), "momentum changed by {linear:e}");
    let angular = length(report.angular_momentum_change);
    assert!(angular <= 1e-12 * angular_scale(world), "angular momentum changed by {angular:e}");
    let energy = (report.kinetic_after - report.kinetic_before).abs();
    assert!(energy <= 1e-10 * report.kinetic_before, "energy changed by {energy:e}");
}

#[test]
fn momentum_and_energy_are_kept_in_a_break_of_tilted_boxes() {
    for response in REFLECTIONS {
        let mut build = Build::new();
        for k in 0..12 {
            let (x, y) = (f64::from(k % 4) * 2.3, f64::from(k / 4) * 2.2);
            let body = build.block(v(x, y), v(0.9, 0.9), 0.1, build::FREE);
            build.state.bodies[body].angle = 0.13 * f64::from(k);
            build.state.bodies[body].angular_velocity = 0.5 - 0.1 * f64::from(k);
        }
        let striker = build.block(v(-4.0, 2.0), v(1.0, 0.5), 0.1, build::FREE);
        build.state.bodies[striker].velocity = v(9.0, 0.7);
        let mut world = build.world(0.01, response);
        let mut impacts = 0;
        for _ in 0..300 {
            let report = world.step();
            impacts += report.impacts;
            assert_kept(&world, &report);
        }
        assert!(impacts > 20, "only {impacts} impacts");
    }
}

#[test]
fn a_break_racked_at_exact_touch_stays_mirror_symmetric() {
    for (rows, steps) in [(5, 400), (45, 400)] {
        for response in REFLECTIONS {
            let mut world = rack(rows, 0.05, 10.0).world(0.01, response);
            let mut contacts = 0;
            for step in 0..steps {
                let report = world.step();
                contacts = contacts.max(report.contact_rows);
                assert_kept(&world, &report);
                let off = asymmetry(&world, rows);
                assert!(off <= 1e-12, "{rows} rows, {response:?}: off by {off:e} at step {step}");
            }
            // All three families of neighbours, and the striker: the rack really was in touch.
            assert_eq!(contacts, 3 * rows * (rows - 1) / 2 + 1);
            assert!(world.state().bodies.iter().all(|body| body.is_finite()));
        }
    }
}

/// Largest difference between a ball and the mirror image, y to −y, of its partner.
fn asymmetry(world: &World, rows: usize) -> f64 {
    let bodies = &world.state().bodies;
    let mut worst = bodies[0].position.y.abs().max(bodies[0].velocity.y.abs());
    let mut start = 1;
    for row in 0..rows {
        for k in 0..=row {
            let (a, b) = (&bodies[start + k], &bodies[start + row - k]);
            worst = worst
                .max((a.position.x - b.position.x).abs())
                .max((a.position.y + b.position.y).abs())
                .max((a.velocity.x - b.velocity.x).abs())
                .max((a.velocity.y + b.velocity.y).abs());
        }
        start += row + 1;
    }
    worst
}

#[test]
fn a_cradle_passes_the_full_speed_to_the_last_balls() {
    for response in REFLECTIONS {
        for strikers in 1..=3 {
            let mut build = Build::new();
            for k in 0..5 + strikers {
                let striking = k < strikers;
                let x = 0.2 * f64::from(k) - if striking { 0.01 } else { 0.0 };
                build.disc(v(x, 0.0), 0.1, if striking { v(3.0, 0.0) } else { DVec2::ZERO });
            }
            let mut world = build.world(0.001, response);
            for _ in 0..20 {
                assert_kept_or_nothing(&mut world);
            }
            for (k, body) in world.state().bodies.iter().enumerate() {
                let expected = if k as i32 >= 5 { 3.0 } else { 0.0 };
                assert!((body.velocity - v(expected, 0.0)).length() < 1e-10, "{strikers}: ball {k} {body:?}");
            }
        }
    }
}

fn assert_kept_or_nothing(world: &mut World) {
    let report = world.step();
    if report.contacts > 0 {
        assert_kept(world, &report);
    }
}

/// Bernoulli's problem: a ball on two that touch. With elastic impact the striker keeps −1/5 of its
/// speed and the others leave with (3/5, ±√3/5) of it. The striker starts at exact touch, so that
/// the impact happens in the geometry of the closed form.
#[test]
fn one_ball_on_two_gives_bernoullis_closed_form_and_they_part() {
    for response in REFLECTIONS {
        let mut build = Build::new();
        build.disc(DVec2::ZERO, 1.0, v(4.0, 0.0));
        build.disc(v(3f64.sqrt(), -1.0), 1.0, DVec2::ZERO);
        build.disc(v(3f64.sqrt(), 1.0), 1.0, DVec2::ZERO);
        let mut world = build.world(0.01, response);
        for _ in 0..20 {
            world.step();
        }
        let expected = [v(-0.2, 0.0), v(0.6, -(0.12f64.sqrt())), v(0.6, 0.12f64.sqrt())];
        for (body, expected) in world.state().bodies.iter().zip(expected) {
            assert!((body.velocity - 4.0 * expected).length() < 1e-9, "{body:?} for {expected}");
        }
        let [_, low, high] = [0, 1, 2].map(|k| world.state().bodies[k].position);
        assert!((high - low).length() > 2.1, "the two part");
    }
}

#[test]
fn restitution_between_none_and_all_never_gains_energy_and_keeps_momentum() {
    for response in REFLECTIONS {
        for percent in [0, 25, 50, 75, 100] {
            let restitution = f64::from(percent) / 100.0;
            let contact = ContactSettings { restitution, ..ContactSettings::new(response) };
            let mut world = rack(5, 0.05, 10.0).with(0.01, contact);
            for _ in 0..100 {
                let report = world.step();
                assert!(report.kinetic_after <= report.kinetic_before * (1.0 + 1e-12));
                assert!(length(report.momentum_change) <= 1e-12 * momentum_scale(&world).max(1e-3));
            }
        }
    }
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    for response in REFLECTIONS {
        let forward = rack(5, 0.05, 10.0);
        let mut backward = forward.clone();
        backward.model.bodies.reverse();
        backward.state.bodies.reverse();
        let (mut a, mut b) = (forward.world(0.01, response), backward.world(0.01, response));
        for _ in 0..100 {
            a.step();
            b.step();
        }
        for (x, y) in a.state().bodies.iter().zip(b.state().bodies.iter().rev()) {
            assert!((x.position - y.position).length() < 1e-12 && (x.velocity - y.velocity).length() < 1e-12);
        }
    }
}

/// A world put into the state of another, with its memory, goes on to the same bits; a large island
/// remembers impulses.
#[test]
fn resuming_equals_running() {
    for response in [Response::Lcp, Response::VelocityProjection, Response::ReflectionLcp, Response::Impulse]
    {
        let mut run = rack(20, 0.05, 10.0).world(0.01, response);
        for _ in 0..10 {
            run.step();
        }
        let mut resumed = rack(20, 0.05, 10.0).world(0.01, response);
        resumed.set_state(run.state().clone()).unwrap();
        resumed.restore_memory(&run.memory());
        for _ in 0..10 {
            run.step();
            resumed.step();
        }
        assert_eq!(run.state(), resumed.state(), "{response:?}");
    }
}
