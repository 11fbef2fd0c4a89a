//! The number of threads changes no bit of a world.

use crate::build;

use build::{Build, v};
use carom_rigid2d::{ContactSettings, Response};

/// Twelve racks far from each other, one ball into each, and a floor under none: many islands, more
/// contacts than are solved on one thread.
fn racks() -> Build {
    let mut all = Build::new();
    for place in 0..12 {
        let rack = build::rack(6, 0.01, 5.0 + f64::from(place));
        for (body, state) in rack.model.bodies.into_iter().zip(rack.state.bodies) {
            let mut state = state;
            state.position += v(0.0, 100.0 * f64::from(place));
            all.model.bodies.push(body);
            all.state.bodies.push(state);
        }
    }
    all
}

#[test]
fn one_two_and_eight_threads_give_the_same_bits() {
    for response in [Response::Lcp, Response::VelocityProjection, Response::ReflectionLcp] {
        for friction in [0.0, 0.3] {
            let run = |threads: usize| {
                let contact = ContactSettings { friction, ..ContactSettings::new(response) };
                let mut world = racks().with(0.01, contact);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let most = pool.install(|| (0..60).map(|_| world.step().contacts).max());
                // Elastic impacts tell only of those that pushed.
                assert!(most > Some(300), "{most:?} contacts");
                let bits = |body: &carom_rigid2d::BodyState| {
                    let (x, y) = (body.position, body.velocity);
                    [x.x, x.y, y.x, y.y, body.angle, body.angular_velocity].map(f64::to_bits)
                };
                world.state().bodies.iter().map(bits).collect::<Vec<_>>()
            };
            let one = run(1);
            assert!(one == run(2) && one == run(8), "{response:?} with friction {friction}");
        }
    }
}
