//! Friction cones in 3D are round, whatever answers impacts: closed forms at every azimuth,
//! heavy on light, towers to a tolerance.

use crate::build;

use build::{Build, GRAVITY, body, tower, v};
use carom_numerics::elementary::{cos, sin};
use carom_rigid3d::{ContactSettings, DVec3, Motion, Placed, Polyhedron, Response, Status, World};
use std::f64::consts::PI;

const ALL: [Response; 5] = [
    Response::Impulse,
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];
const MU: f64 = 0.5;

fn rubbing(response: Response, friction: f64) -> ContactSettings {
    ContactSettings { friction, ..ContactSettings::with_restitution(response, 0.0) }
}

/// Gravity that pulls along an azimuth with the given part of μ times its normal part.
fn pulled(part: f64, azimuth: f64) -> DVec3 {
    GRAVITY * v(MU * part * cos(azimuth), MU * part * sin(azimuth), -1.0)
}

/// A small box on a plate that two walls hold in a corner, pulled at an azimuth: the plate stays,
/// the box slides along the pull at g (tan − μ). A pyramid for a cone would turn it aside, by as
/// much as 45°.
#[test]
fn a_box_on_a_plate_in_a_corner_slides_along_the_pull() {
    for degrees in [0.0, 10.0, 20.0, 45.0, 60.0, 75.0, 90.0] {
        for (part, dt) in [(1.01, 4e-3), (1.01, 2.5e-4), (1.1, 1e-3), (1.5, 4e-3), (1.5, 2.5e-4)] {
            for response in ALL {
                slides_along_the_pull(degrees * PI / 180.0, part, dt, response);
            }
        }
    }
}

fn slides_along_the_pull(azimuth: f64, part: f64, dt: f64, response: Response) {
    let mut build = Build::on_floor();
    build.model.forces.gravities[0] = pulled(part, azimuth);
    build.add(Placed::half_space(v(1.0, 0.0, 0.0), -DVec3::X, Motion::Fixed), DVec3::ZERO);
    build.add(Placed::half_space(v(0.0, 1.0, 0.0), -DVec3::Y, Motion::Fixed), DVec3::ZERO);
    let plate = build.cuboid(v(0.0, 0.0, 0.1), v(1.0, 1.0, 0.1), Motion::Free);
    let small = build.cuboid(v(0.0, 0.0, 0.25), v(0.05, 0.05, 0.05), Motion::Free);
    let mut world = build.with(dt, rubbing(response, MU));
    let steps = 60;
    let place = format!("{response:?}, azimuth {azimuth}, {part}, dt {dt}");
    for step in 0..steps {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "{place}, step {step}: {report:?}");
    }
    let direction = v(cos(azimuth), sin(azimuth), 0.0);
    let acceleration = GRAVITY * MU * (part - 1.0);
    let speed = acceleration * f64::from(steps) * dt;
    let off = (world.velocity(body(small)) - speed * direction).length();
    assert!(off < 1e-6 * speed, "{place}: {} for {speed}", world.velocity(body(small)));
    // symplectic Euler: a dt² (1 + 2 + … + n)
    let way = acceleration * dt * dt * f64::from(steps * (steps + 1)) / 2.0;
    let went = world.state().bodies[small].position - v(0.0, 0.0, 0.25);
    assert!((went - way * direction).length() < 1e-6 * way, "{place}: {went} for {way}");
    assert!(world.velocity(body(plate)).length() < 1e-9, "{place}: the plate moves");
}

/// A thin disc that slides and spins stops both at once, however it was thrown: where one of them
/// is slow, friction turns against the other (Farkas, Bartels, Unger and Wolf 2003). Both go
/// towards v = ωR on the way, where the rim carries the disc.
#[test]
fn a_disc_that_slides_and_spins_stops_both_at_once() {
    let rim = |z: f64| {
        (0..12).map(move |k| {
            let angle = PI * f64::from(k) / 6.0;
            v(cos(angle), sin(angle), z)
        })
    };
    for (speed, spin) in [(1.0, 1.0), (1.0, 3.0), (1.0, 0.2), (0.2, 3.0)] {
        let mut build = Build::on_floor();
        let points: Vec<DVec3> = rim(0.0).chain(rim(0.002)).collect();
        let disc = Placed::polyhedron(Polyhedron::hull(&points).unwrap(), 1.0, Motion::Free);
        let disc = build.add(disc, DVec3::ZERO);
        build.turn(disc, DVec3::ZERO, v(speed, 0.0, 0.0), v(0.0, 0.0, spin));
        let mut world = build.with(2e-3, rubbing(Response::VelocityProjection, 0.3));
        let place = format!("thrown at {speed} m/s and {spin} rad/s");
        let mut last = [0; 2];
        let mut ratio = 0.0;
        for step in 1..=450 {
            assert_eq!(world.step().status, Status::Solved, "{place}, step {step}");
            let rates = [world.velocity(body(disc)).length(), world.angular_velocity(body(disc)).length()];
            for (last, rate) in last.iter_mut().zip(rates) {
                *last = if rate > 1e-9 { step } else { *last };
            }
            if rates[1] > 0.05 {
                ratio = rates[0] / rates[1];
            }
        }
        assert!(last[0] == last[1] && (100..450).contains(&last[0]), "{place}: {last:?}");
        assert!((0.5..4.0).contains(&ratio), "{place}: v/ωR ends at {ratio}");
    }
}

/// A box on a slope holds below tan θ = μ and slides down it above, at every azimuth of the slope
/// to its sides.
#[test]
fn a_ramp_is_the_same_at_every_azimuth() {
    for (k, degrees) in (0..360).step_by(15).enumerate() {
        let azimuth = f64::from(degrees) * PI / 180.0;
        let response = ALL[k % ALL.len()];
        for part in [0.99, 1.01] {
            let mut build = Build::on_floor();
            build.model.forces.gravities[0] = pulled(part, azimuth);
            let cuboid = build.cuboid(v(0.0, 0.0, 0.25), v(0.5, 0.5, 0.25), Motion::Free);
            let mut world = build.with(0.01, rubbing(response, MU));
            (0..50).for_each(|_| {
                world.step();
            });
            let speed = (GRAVITY * MU * (part - 1.0) * 0.5).max(0.0);
            let off = (world.velocity(body(cuboid)) - speed * v(cos(azimuth), sin(azimuth), 0.0)).length();
            assert!(off < 1e-9, "{response:?} {degrees}° {part}: {}", world.velocity(body(cuboid)));
        }
    }
}

fn sunk(world: &World, from: usize, heights: impl Fn(usize) -> f64) -> f64 {
    let bodies = world.state().bodies.iter().enumerate().skip(from);
    bodies.map(|(k, state)| (state.position.z - heights(k)).abs()).fold(0.0, f64::max)
}

/// A light box carries one that is a million times as heavy for a minute.
#[test]
fn a_light_box_carries_a_heavy_one() {
    for ratio in [1e3f64, 1e6] {
        let mut build = Build::on_floor();
        build.cuboid(v(0.0, 0.0, 0.5), v(0.5, 0.5, 0.5), Motion::Free);
        let heavy = Placed::cuboid(v(0.0, 0.0, 1.5), v(0.5, 0.5, 0.5), ratio, Motion::Free).unwrap();
        build.add(heavy, DVec3::ZERO);
        let mut world = build.with(1.0 / 60.0, rubbing(Response::VelocityProjection, MU));
        (0..3600).for_each(|_| {
            world.step();
        });
        let off = sunk(&world, 1, |k| k as f64 - 0.5);
        assert!(off < 1e-6, "{ratio:e}: moved by {off:e}");
    }
}

/// Ten boxes stand for a minute at a tolerance of a sixteenth of what gravity adds in a step.
#[test]
fn a_tower_stands_to_a_tolerance() {
    let dt = 0.01;
    let tolerance = Some(GRAVITY * dt / 16.0);
    let contact = ContactSettings { tolerance, ..rubbing(Response::VelocityProjection, MU) };
    let mut world = tower(10).with(dt, contact);
    for step in 0..6000 {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "step {step}: {report:?}");
    }
    let off = sunk(&world, 1, |k| k as f64 - 0.5);
    let aside =
        world.state().bodies.iter().map(|state| state.position.truncate().length()).fold(0.0, f64::max);
    assert!(off < 0.01 && aside < 0.01, "sunk by {off:e}, aside by {aside:e}");
}
