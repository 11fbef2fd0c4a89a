//! Random scenes without mercy: overlaps, masses twelve powers of ten apart, fast spins, crushers,
//! steps of up to a second. A step ends, in a bounded number of operations, and none that is called
//! solved gains energy.

use super::world;
use crate::build::{Build, FIXED, FREE, SOLVED, v};
use carom_rigid2d::rotation::{Rotation, cross, perp};
use carom_rigid2d::{
    ContactSettings, Integrator, Motion, Path, Placed, PointMass, Pose, Response, Script, Status, StepReport,
    World,
};

/// Numbers from 0 to 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn chance(&mut self, part: f64) -> bool {
        self.next() < part
    }
}

/// A case with a hundred bodies in it.
fn scene(random: &mut Random) -> Build {
    let mut build = Build::gravity(v(0.0, if random.chance(0.8) { -9.81 } else { 0.0 }));
    let crowding = random.between(0.5, 1.6);
    let decades = if random.chance(0.5) { 0.0 } else { random.between(0.0, 12.0) };
    let spin = if random.chance(0.5) { 1.0 } else { 300.0 };
    let (wide, columns) = (6.0 * crowding, 10);
    for (a, b) in
        [(v(-wide, 0.0), v(wide, 0.0)), (v(-wide, 0.0), v(-wide, 30.0)), (v(wide, 0.0), v(wide, 30.0))]
    {
        build.outline(&[a, b], 0.1, FIXED);
    }
    for k in 0..100 {
        let place = v((k % columns) as f64 - 4.5, (k / columns) as f64 + 0.8) * crowding;
        let center = place + v(random.between(-0.2, 0.2), random.between(-0.2, 0.2));
        let mass = carom_numerics::elementary::pow(10.0, random.between(-0.5, 0.5) * decades);
        let size = random.between(0.3, 0.5);
        let placed = match (random.next() * 6.0) as usize {
            corners @ 2..6 => {
                let turn = random.between(0.0, 6.0);
                let points: Vec<_> = (0..corners)
                    .map(|i| {
                        let at = turn + std::f64::consts::TAU * i as f64 / corners as f64;
                        let arm = Rotation::by(at).apply(v(size, 0.0));
                        PointMass { position: center + arm, mass: mass / corners as f64 }
                    })
                    .collect();
                Placed::point_masses(&points, 0.05, FREE)
            }
            _ => Placed::disc(center, size, mass, FREE),
        };
        let velocity = v(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        let body = build.add(Placed { center, ..placed }, velocity);
        build.state.bodies[body].angular_velocity = random.between(-spin, spin);
    }
    if random.chance(0.5) {
        let start = Pose { position: v(0.0, 12.0 * crowding), angle: 0.0 };
        let path = Path::Uniform { velocity: v(0.0, -random.between(0.1, 30.0)), angular_velocity: 0.0 };
        let press = build.block(start.position, v(wide - 0.3, 0.5), 0.1, FIXED);
        build.model.bodies[press].motion = Motion::Kinematic(Box::new(Script { start, path }));
    }
    build
}

/// Work that the press did in the last step, and its size.
fn work_of_obstacles(world: &World) -> (f64, f64) {
    let (mut work, mut scale) = (0.0, 0.0);
    for touched in world.touched() {
        let contact = &touched.contact;
        let push = touched.impulse * contact.normal + touched.friction[0] * perp(contact.normal);
        for (index, arm, sign) in
            [(contact.first, contact.first_arm, 1.0), (contact.second, contact.second_arm, -1.0)]
        {
            if let Motion::Kinematic(_) = world.model().bodies[index.get()].motion {
                let state = &world.state().bodies[index.get()];
                let done = sign * (push.dot(state.velocity) + cross(arm, push) * state.angular_velocity);
                work += done;
                scale += done.abs();
            }
        }
    }
    (work, scale)
}

fn check(world: &World, report: &StepReport, place: &str) {
    assert!(world.state().bodies.iter().all(|body| body.is_finite()), "{place}: {report:?}");
    // About a second of a processor, with what is done beside the solvers.
    assert!(report.operations < 2_000_000_000, "{place}: {} operations, {report:?}", report.operations);
    if report.status == Status::Solved {
        let (work, scale) = work_of_obstacles(world);
        let gained = report.kinetic_after - report.kinetic_before;
        let rounding = 1e-9 * (report.kinetic_before + report.kinetic_after + scale);
        assert!(gained <= work + rounding, "{place}: gained {gained:e}, work {work:e}: {report:?}");
    }
}

fn torture(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed);
        let build = scene(&mut random);
        let dt = [1.0 / 240.0, 1.0 / 60.0, 0.1, 1.0][(random.next() * 4.0) as usize];
        let restitution = [0.0, 0.5, 1.0][(random.next() * 3.0) as usize];
        let friction = if random.chance(0.5) { 0.0 } else { random.between(0.0, 1.5) };
        let tolerance = random.chance(0.2).then_some(0.05);
        for response in SOLVED {
            let contact = ContactSettings {
                friction,
                tolerance: tolerance.filter(|_| response != Response::Impulse),
                ..ContactSettings::with_restitution(response, restitution)
            };
            let mut world = world(build.clone(), dt, Integrator::SymplecticEuler, contact);
            for step in 0..6 {
                let place = format!("seed {seed}, {contact:?}, dt {dt}, step {step}");
                let report = world.step();
                check(&world, &report, &place);
            }
        }
    }
}

#[test]
fn a_hundred_bodies_are_never_too_much() {
    torture(0..12);
}
