//! Bodies deep inside each other, masses sixteen powers of ten apart, presses without mercy, and
//! what contacts throw: nothing leaves without measure, and what could not be done is reported.

use crate::build;

use build::{Build, FIXED, deepest, v};
use carom_rigid2d::{
    ContactSettings, DVec2, Motion, Path, Placed, PointMass, Pose, Response, Script, Status, World,
};

/// Numbers from 0 to 1 that look random.
fn noise(k: usize) -> f64 {
    let mixed = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1u64 << 53) as f64
}

/// A case with a floor and two walls that are `wide` apart, and blocks in it, so near each other
/// that they overlap when `spacing` is below 0.48.
fn case_of_blocks(count: usize, spacing: f64, wide: f64, mass: impl Fn(usize) -> f64) -> Build {
    let mut build = Build::gravity(v(0.0, -9.81));
    for (from, to) in [((-1.0, 0.0), (1.0, 0.0)), ((-1.0, 0.0), (-1.0, 40.0)), ((1.0, 0.0), (1.0, 40.0))] {
        let [a, b] = [from, to].map(|(side, y)| v(side * (0.5 * wide + 0.1), y));
        build.outline(&[a, b], 0.1, FIXED);
    }
    for k in 0..count {
        let center = v((k % 5) as f64 - 2.0, (k / 5) as f64 + 0.8) * spacing
            + 0.02 * v(noise(2 * k), noise(2 * k + 1));
        let corners = [v(-0.2, -0.2), v(0.2, -0.2), v(0.2, 0.2), v(-0.2, 0.2)];
        let points = corners.map(|corner| PointMass { position: center + corner, mass: 0.25 * mass(k) });
        build.add(Placed::point_masses(&points, 0.04, Motion::Free), v(noise(3 * k) - 0.5, 0.0));
    }
    build
}

/// The furthest that a body goes in the next step.
fn furthest(world: &mut World) -> (carom_rigid2d::StepReport, f64) {
    let before: Vec<DVec2> = world.state().bodies.iter().map(|body| body.position).collect();
    let report = world.step();
    let ways =
        world.state().bodies.iter().zip(&before).map(|(body, before)| (body.position - *before).length());
    (report, ways.fold(0.0, f64::max))
}

#[test]
fn blocks_deep_inside_each_other_are_not_thrown() {
    for (spacing, wide) in [(0.2, 1.6), (0.3, 1.6), (0.35, 2.2), (0.44, 2.4)] {
        for response in [Response::Lcp, Response::VelocityProjection] {
            for tolerance in [None, Some(0.05)] {
                let contact = ContactSettings { tolerance, ..ContactSettings::new(response) };
                let mut world = case_of_blocks(15, spacing, wide, |_| 1.0).with(0.01, contact);
                let mut reported = false;
                for step in 0..12 {
                    let (report, way) = furthest(&mut world);
                    let place = format!("{spacing} {wide} {response:?} {tolerance:?}, step {step}: {way}");
                    // A body is a third of a metre across; exact moving apart once led a kilometre
                    // away.
                    assert!(way < 3.0, "{place}");
                    reported |= report.status != Status::Solved;
                    let gained = report.kinetic_after - report.kinetic_before;
                    assert!(gained <= 1e-6 * report.kinetic_before, "{place} {report:?}");
                }
                let left = deepest(&world);
                assert!(
                    reported || left < 0.01,
                    "{spacing} {wide} {response:?} {tolerance:?}: {left} left, unreported"
                );
            }
        }
    }
}

#[test]
fn masses_far_apart_gain_nothing_and_are_reported_where_they_are_too_much() {
    for decades in [8, 16] {
        for (response, tolerance) in [
            (Response::Lcp, None),
            (Response::Lcp, Some(1e-9)),
            (Response::VelocityProjection, None),
            (Response::VelocityProjection, Some(0.05)),
        ] {
            let mass = |k: usize| 10f64.powi((f64::from(decades) * (noise(7 * k) - 0.5)).round() as i32);
            let contact = ContactSettings { tolerance, ..ContactSettings::new(response) };
            let mut world = case_of_blocks(20, 0.49, 2.8, mass).with(0.01, contact);
            for step in 0..60 {
                let (report, way) = furthest(&mut world);
                let place = format!("{decades} {response:?} {tolerance:?}, step {step}");
                let gained = report.kinetic_after - report.kinetic_before;
                assert!(gained <= 1e-5 * report.kinetic_before, "{place}: {report:?}");
                // What is a hundred million times lighter may be thrown far: it takes no energy
                // that counts.
                assert!(way < 100.0, "{place}: {way}");
                if report.status == Status::Solved {
                    let left = report.residual.worst();
                    assert!(left <= tolerance.unwrap_or(0.0).max(1e-4), "{place}: residual {left}");
                }
            }
        }
    }
}

/// A press comes down on blocks that fill their case from wall to wall.
#[test]
fn a_press_does_not_throw_what_it_cannot_press() {
    for (tolerance, friction) in [(None, 0.0), (Some(0.05), 0.0), (None, 0.4)] {
        let mut build = case_of_blocks(10, 0.48, 2.4, |_| 1.0);
        let down = Script {
            start: Pose { position: v(0.0, 1.9), angle: 0.0 },
            path: Path::Uniform { velocity: v(0.0, -1.0), angular_velocity: 0.0 },
        };
        let k = build.block(v(0.0, 1.9), v(1.0, 0.2), 0.1, FIXED);
        build.model.bodies[k].motion = Motion::Kinematic(Box::new(down));
        let contact =
            ContactSettings { tolerance, friction, ..ContactSettings::new(Response::VelocityProjection) };
        let mut world = build.with(0.01, contact);
        let mut reported = false;
        for step in 0..120 {
            let (report, way) = furthest(&mut world);
            reported |= report.status != Status::Solved;
            // Ten blocks of mass 1 and a press at 1 m/s.
            let most = 1e6 * (report.kinetic_before + 0.5 * 10.0 * 3.0);
            assert!(report.kinetic_after <= most, "{tolerance:?} {friction}, step {step}: {report:?}");
            assert!(way < 12.0, "{tolerance:?} {friction}, step {step}: {way}");
        }
        assert!(reported, "{tolerance:?} {friction}: pressed through each other without a word");
    }
}

/// A heavy disc strikes a light one that stands still: at twice the speed it would be beyond the
/// wall before anyone looked.
#[test]
fn what_contacts_throw_does_not_pass_through_walls() {
    for response in [Response::Lcp, Response::VelocityProjection] {
        let mut build = Build::new();
        build.outline(&[v(0.5, -5.0), v(0.5, 5.0)], 0.01, FIXED);
        let mut heavy = Placed::disc(v(-1.0, 0.0), 1.0, 1.0, Motion::Free);
        heavy.body.mass = 1e6;
        heavy.body.inertia = 5e5;
        build.add(heavy, v(1.0, 0.0));
        let light = build.disc(v(0.1, 0.0), 0.1, DVec2::ZERO);
        let contact = ContactSettings { restitution: 1.0, ..ContactSettings::new(response) };
        let mut world = build.with(0.25, contact);
        let report = world.step();
        assert_eq!(report.status, Status::Solved);
        assert!(
            world.state().bodies[light].position.x < 0.4,
            "{response:?}: {:?}",
            world.state().bodies[light]
        );
        assert!(report.contacts > 1, "the wall is a contact of this step");
    }
}

/// Two discs that overlap by most of their size, under a method that stops at touches: they are
/// moved apart all the same.
#[test]
fn overlaps_are_moved_apart_with_times_of_contact_too() {
    for response in [Response::Lcp, Response::VelocityProjection] {
        let mut build = Build::new();
        build.disc(v(0.0, 0.0), 0.25, DVec2::ZERO);
        build.disc(v(0.1, 0.0), 0.25, DVec2::ZERO);
        let mut world = build.world(0.01, response);
        let report = world.step();
        let [a, b] = [0, 1].map(|k| world.state().bodies[k].position);
        assert!((b - a).length() > 0.5 - 1e-6, "{response:?}: {a} {b}");
        assert!((a + b - v(0.1, 0.0)).length() < 1e-12, "the centre of both stays");
        assert_eq!(report.status, Status::Solved);
    }
}

/// A light block on a heavy disc in a narrow case, with steps of a second: it turns by radians in a
/// step, and its corners end inside a wall. That is reported.
#[test]
fn corners_that_turn_far_are_looked_at() {
    let mut any = false;
    for k in 0..30 {
        let mut build = Build::gravity(v(0.0, -9.81));
        for (from, to) in
            [((-1.65, 0.0), (1.65, 0.0)), ((-0.65, 0.0), (-0.65, 20.0)), ((0.65, 0.0), (0.65, 20.0))]
        {
            build.outline(&[v(from.0, from.1), v(to.0, to.1)], 0.1, FIXED);
        }
        let disc = build.disc(v(0.0024, 0.4), 0.25, v(0.7556, -0.158));
        build.model.bodies[disc].mass = 794.8;
        build.model.bodies[disc].inertia = 24.8;
        build.state.bodies[disc].angular_velocity = -1.41;
        let block = build.block(v(-0.0148, 1.0), v(0.2, 0.2), 0.05, Motion::Free);
        build.state.bodies[block].velocity = v(-0.6275, -0.4833);
        build.state.bodies[block].angular_velocity = 0.3 * f64::from(k);
        let mut world = build.world(1.0, Response::Lcp);
        for _ in 0..8 {
            let report = world.step();
            let left = deepest(&world);
            assert!(left < 0.02 || report.status == Status::LimitReached, "{k}: {left} {:?}", report.status);
            any |= report.status == Status::LimitReached;
        }
    }
    assert!(any, "some of thirty spins turn a corner into a wall");
}

/// Boxes that stand on each other, the top one ten thousand times as heavy, bounce without end: a
/// step ends all the same.
#[test]
fn elastic_towers_end_within_reason() {
    let mut build = Build::gravity(v(0.0, -9.81));
    build.floor(0.0);
    for k in 0..6 {
        let center = v(0.0, 0.24 + 0.48 * f64::from(k));
        let corners = [v(-0.2, -0.2), v(0.2, -0.2), v(0.2, 0.2), v(-0.2, 0.2)];
        let mass = if k == 5 { 2_500.0 } else { 0.25 };
        let points = corners.map(|corner| PointMass { position: center + corner, mass });
        build.add(Placed::point_masses(&points, 0.04, Motion::Free), DVec2::ZERO);
    }
    let contact = ContactSettings { friction: 0.5, ..ContactSettings::new(Response::ReflectionLcp) };
    let mut world = build.with(0.01, contact);
    for step in 0..10 {
        let report = world.step();
        let gained = report.kinetic_after - report.kinetic_before;
        assert!(gained <= 1e-6 * report.kinetic_before, "step {step}: {report:?}");
    }
}
