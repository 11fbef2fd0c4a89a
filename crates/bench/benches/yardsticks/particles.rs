//! Collisions of particles: a box at equal density, a third of the particles touching a neighbour.

use crate::places::Random;
use carom_bench::clock::{exponent, milliseconds, timed};
use carom_particles::{
    CollisionSettings, HalfPlane, Model, Particle, ParticleSettings, Response, State, World,
};
use glam::DVec2;

const STEPS: usize = 20;

/// Methods of the lecture, with the default step and with the course's.
pub(crate) fn collisions() {
    let methods = [
        ("continuous-time", Response::ContinuousTime, false),
        ("continuous-time, course", Response::ContinuousTime, true),
        ("simple, course", Response::Simple, true),
        ("lcp", Response::Contact(carom_contact::Response::LCP), false),
        (
            "gr-lcp",
            Response::Contact(carom_contact::Response::GeneralizedReflection(
                carom_contact::Reflection::DEFAULT,
            )),
            false,
        ),
    ];
    for (name, response, course) in methods {
        let mut points = Vec::new();
        for count in [1_000, 10_000] {
            let mut world = crowd(count, response, course);
            world.step();
            let spent = timed(|| (0..STEPS).for_each(|_| _ = world.step())).1;
            points.push((count as f64, milliseconds(spent) / STEPS as f64));
        }
        println!(
            "particles, {name}: {:.3} ms a step for 1,000, {:.3} for 10,000, exponent {:.2}",
            points[0].1,
            points[1].1,
            exponent(&points)
        );
    }
}

/// A lattice with random offsets, radii and velocities between four half-planes.
fn crowd(count: usize, response: Response, course: bool) -> World {
    let side = (1..).find(|s| s * s >= count).expect("there is a square");
    let mut seed = Random(12_345);
    let mut random = move || seed.next() - 0.5;
    let (mut model, mut state) = (Model::default(), State::default());
    for k in 0..count {
        model.particles.push(Particle { mass: 1.0, radius: 0.4 + 0.2 * random(), fixed: false });
        let cell = DVec2::new((k % side) as f64, (k / side) as f64);
        state.positions.push(cell + 0.3 * DVec2::new(random(), random()));
        state.velocities.push(4.0 * DVec2::new(random(), random()));
    }
    let (low, high) = (DVec2::splat(-1.0), DVec2::splat(side as f64));
    for (point, normal) in [(low, DVec2::X), (low, DVec2::Y), (high, -DVec2::X), (high, -DVec2::Y)] {
        model.half_planes.push(HalfPlane::at_rest(point, normal));
    }
    let collision = CollisionSettings { response, restitution: 0.8, ..CollisionSettings::default() };
    let settings = ParticleSettings { course, collision, ..ParticleSettings::with_time_step(0.01) };
    World::new(model, state, settings).expect("the scene is sound")
}
