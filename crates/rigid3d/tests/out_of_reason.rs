//! Bodies deep inside each other, masses far apart, and what contacts throw: nothing leaves without
//! measure, and what could not be done is reported.

use crate::build;

use build::{Build, v};
use carom_rigid3d::{
    Body, ContactSettings, DVec3, Motion, Placed, Response, Shape, Status, StepReport, World,
};

/// Numbers from 0 to 1 that look random.
fn noise(k: usize) -> f64 {
    let mixed = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1u64 << 53) as f64
}

/// Balls and boxes in a well of half-spaces, so near each other that they overlap when `spacing` is
/// below half a metre.
fn well(count: usize, spacing: f64, mass: impl Fn(usize) -> f64) -> Build {
    let mut build = Build::on_floor();
    for normal in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y] {
        build.add(Placed::half_space(-0.9 * normal, normal, Motion::Fixed), DVec3::ZERO);
    }
    for k in 0..count {
        let place = v((k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0, (k / 9) as f64 + 0.6) * spacing
            + 0.02 * v(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2));
        let placed = if k % 2 == 0 {
            Placed::sphere(place, 0.25, 1.0, Motion::Free)
        } else {
            Placed::cuboid(place, v(0.2, 0.2, 0.24), 1.0, Motion::Free).unwrap()
        };
        let body = &placed.body;
        let inertia = *body.inertia() * (mass(k) / body.mass);
        let body = Body::new(mass(k), inertia, body.shape.clone(), Motion::Free);
        build.add(Placed { body, ..placed }, v(noise(5 * k) - 0.5, noise(7 * k) - 0.5, 0.0));
    }
    build
}

/// The furthest that a body goes in the next step.
fn furthest(world: &mut World) -> (StepReport, f64) {
    let before: Vec<DVec3> = world.state().bodies.iter().map(|body| body.position).collect();
    let report = world.step();
    let ways =
        world.state().bodies.iter().zip(&before).map(|(body, before)| (body.position - *before).length());
    (report, ways.fold(0.0, f64::max))
}

/// How deep the deepest body is below one of the half-spaces.
fn deepest_in_a_wall(world: &World) -> f64 {
    let walls: Vec<_> = world.model().bodies.iter().zip(&world.state().bodies).collect();
    let depth = |place: DVec3| {
        walls.iter().fold(0.0f64, |deepest, (body, state)| match body.shape {
            Shape::HalfSpace { normal } => deepest.max(normal.dot(state.position - place)),
            _ => deepest,
        })
    };
    walls
        .iter()
        .filter(|(body, _)| body.motion.is_free())
        .fold(0.0, |m: f64, (_, s)| m.max(depth(s.position)))
}

#[test]
fn bodies_deep_inside_each_other_are_not_thrown() {
    for spacing in [0.1, 0.25, 0.4] {
        for tolerance in [None, Some(0.05)] {
            let contact = ContactSettings { tolerance, ..ContactSettings::new(Response::VelocityProjection) };
            let mut world = well(18, spacing, |_| 1.0).with(0.01, contact);
            let mut reported = false;
            for step in 0..15 {
                let (report, way) = furthest(&mut world);
                assert!(way < 2.0, "{spacing} {tolerance:?}, step {step}: {way}");
                reported |= report.status != Status::Solved;
            }
            assert!(reported || deepest_in_a_wall(&world) == 0.0);
            assert!(deepest_in_a_wall(&world) < 0.3, "{spacing} {tolerance:?}");
        }
    }
}

#[test]
fn masses_far_apart_gain_nothing_and_stay_outside_of_walls() {
    for (decades, response, tolerance) in [
        (8, Response::Lcp, None),
        (12, Response::Lcp, Some(1e-9)),
        (12, Response::VelocityProjection, None),
        (12, Response::VelocityProjection, Some(0.05)),
    ] {
        let mass = |k: usize| 10f64.powi((f64::from(decades) * (noise(11 * k) - 0.5)).round() as i32);
        let contact = ContactSettings { tolerance, ..ContactSettings::new(response) };
        let mut world = well(27, 0.5, mass).with(0.01, contact);
        for step in 0..30 {
            let (report, _) = furthest(&mut world);
            let place = format!("{decades} {response:?} {tolerance:?}, step {step}");
            let gained = report.kinetic_after - report.kinetic_before;
            assert!(gained <= 1e-5 * report.kinetic_before, "{place}: {report:?}");
            let depth = deepest_in_a_wall(&world);
            assert!(depth < 0.3, "{place}: a centre {depth} inside a wall");
        }
    }
}

/// A heavy ball strikes a light one that stands still: at twice the speed it would be far inside
/// the wall before anyone looked.
#[test]
fn what_contacts_throw_does_not_end_inside_walls() {
    for response in [Response::Lcp, Response::VelocityProjection] {
        let mut build = Build::default();
        build.add(Placed::half_space(v(0.5, 0.0, 0.0), -DVec3::X, Motion::Fixed), DVec3::ZERO);
        build.add(Placed::sphere(v(-1.0, 0.0, 0.0), 1.0, 1e6, Motion::Free), v(1.0, 0.0, 0.0));
        let light = build.ball(v(0.1, 0.0, 0.0), 0.1, DVec3::ZERO);
        let contact = ContactSettings { restitution: 1.0, ..ContactSettings::new(response) };
        let mut world = build.with(0.25, contact);
        let report = world.step();
        assert_eq!(report.status, Status::Solved);
        let x = world.state().bodies[light].position.x;
        assert!(x < 0.4 + 1e-9, "{response:?}: {x}");
        assert!(report.contacts > 1, "the wall is a contact of this step");
    }
}

/// A hundred boxes and balls that turn by thirty radians in a step: looks after bodies were thrown
/// far had no limit, and a step took a minute.
#[test]
#[cfg_attr(debug_assertions, ignore = "half a minute without optimization")]
fn fast_spins_end_within_reason() {
    for response in [Response::Impulse, Response::VelocityProjection] {
        for friction in [0.0, 0.8] {
            let mut build = well(100, 0.55, |k| 10f64.powi((6.0 * noise(13 * k) - 3.0).round() as i32));
            for k in 5..build.state.bodies.len() {
                let spin = 600.0 * (v(noise(k), noise(17 * k), noise(19 * k)) - DVec3::splat(0.5));
                build.turn(k, v(noise(2 * k), noise(3 * k), noise(4 * k)), 50.0 * noise(k) * DVec3::Z, spin);
            }
            let contact = ContactSettings { friction, ..ContactSettings::with_restitution(response, 0.5) };
            let mut world = build.with(0.1, contact);
            for step in 0..3 {
                let report = world.step();
                let place = format!("{response:?} {friction}, step {step}: {report:?}");
                assert!(report.operations < 1_000_000_000, "{place}");
                let gained = report.kinetic_after - report.kinetic_before;
                assert!(gained <= 1e-6 * report.kinetic_before, "{place}");
            }
        }
    }
}
