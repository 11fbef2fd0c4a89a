//! Coulomb's law for velocities, against closed forms.

use super::scenes::*;
use carom_particles::*;

/// A particle on a slope of the given tangent under gravity 10, friction 0.5, inelastic.
fn slope(tangent: f64, response: Response) -> World {
    let normal = v(-tangent, 1.0).normalize();
    let scene = Scene::default()
        .gravity(v(0.0, -10.0))
        .particle(1.0, 0.5, 0.5 * normal, v(0.0, 0.0))
        .half_plane(v(0.0, 0.0), normal);
    let mut settings = steps_of(1e-3);
    settings.collision.friction = 0.5;
    scene.world(response, 0.0, settings)
}

const METHODS: [Response; 10] = [
    Response::Hybrid { penalty: Penalty { stiffness: 10.0, thickness: 0.1 }, max_iterations: 10 },
    Response::Simple,
    Response::ContinuousTime,
    Response::Simultaneous { max_iterations: 20 },
    Response::BackUp { max_events: 20 },
    Response::Elastic { elastic_iterations: 2, max_iterations: 20 },
    Response::Hybrid { penalty: Penalty { stiffness: 0.0, thickness: 0.1 }, max_iterations: 10 },
    Response::Contact(carom_contact::Response::LCP),
    Response::Contact(carom_contact::Response::VELOCITY_PROJECTION),
    Response::Contact(carom_contact::Response::GENERALIZED_REFLECTION),
];

#[test]
fn sticks_below_and_slides_above_the_angle_of_friction() {
    for response in METHODS {
        let mut below = slope(0.49, response);
        let mut above = slope(0.6, response);
        for _ in 0..1000 {
            below.step();
            above.step();
        }
        let moved = (below.state().positions[0] - below.model().half_planes[0].normal * 0.5).length();
        // methods that answer after the motion fall by g dt² in every step, and no more
        assert!(moved < 1.001e-2, "{response:?}: crept by {moved}");
        let speed = below.state().velocities[0].length();
        assert!(speed < 1e-9, "{response:?}: slides at {speed}");
        // a = g (sin θ − μ cos θ)
        let cos = 1.0 / (1.0_f64 + 0.36).sqrt();
        let expected = 10.0 * (0.6 * cos - 0.5 * cos);
        let speed = above.state().velocities[0].length();
        assert!(
            (speed - expected).abs() < 0.02 * expected,
            "{response:?}: {speed} after one second, expected {expected}"
        );
    }
}

#[test]
fn a_sliding_ball_stops_at_its_stopping_distance() {
    for response in METHODS {
        let scene = Scene::default()
            .gravity(v(0.0, -10.0))
            .particle(2.0, 0.5, v(0.0, 0.5), v(3.0, 0.0))
            .half_plane(v(0.0, 0.0), v(0.0, 1.0));
        let mut settings = steps_of(1e-3);
        settings.collision.friction = 0.3;
        let mut world = scene.world(response, 0.0, settings);
        for _ in 0..2000 {
            world.step();
        }
        // v²/(2 μ g) = 9/6
        let x = world.state().positions[0].x;
        assert!((x - 1.5).abs() < 0.01, "{response:?}: stopped at {x}");
        assert!(world.state().velocities[0].x.abs() < 1e-9, "{response:?}: still sliding");
    }
}

#[test]
fn friction_between_particles_keeps_momentum_and_slows_sliding() {
    let scene = Scene::default().particle(1.0, 0.5, v(0.0, 0.0), v(1.0, 1.0)).particle(
        2.0,
        0.5,
        v(0.999, 0.0),
        v(0.0, 0.0),
    );
    let mut settings = steps_of(1e-6);
    settings.collision.friction = 0.25;
    let mut world = scene.world(Response::Simple, 0.0, settings);
    world.step();
    let [a, b] = [world.state().velocities[0], world.state().velocities[1]];
    // normal change of the relative velocity 1, so the tangential part 1 shrinks by 0.25
    assert!(((a - b).y - 0.75).abs() < 1e-5, "{}", a - b);
    assert!((a + 2.0 * b - v(1.0, 1.0)).length() < 1e-12);
}

#[test]
fn a_belt_takes_a_ball_along() {
    // from rest at μg until it has the speed of the belt, after 1.5 / 3 seconds and 0.375 metres
    for response in METHODS {
        let mut scene = Scene::default()
            .gravity(v(0.0, -10.0))
            .particle(2.0, 0.5, v(0.0, 0.5), v(0.0, 0.0))
            .half_plane(v(0.0, 0.0), v(0.0, 1.0));
        scene.model.half_planes[0].velocity = v(1.5, 0.0);
        let mut settings = steps_of(1e-3);
        settings.collision.friction = 0.3;
        let mut world = scene.world(response, 0.0, settings);
        for _ in 0..1000 {
            world.step();
        }
        let (x, speed) = (world.state().positions[0].x, world.state().velocities[0].x);
        assert!((speed - 1.5).abs() < 1e-9, "{response:?}: at {speed}");
        assert!((x - (0.375 + 0.5 * 1.5)).abs() < 0.01, "{response:?}: came to {x}");
    }
}

#[test]
fn a_block_of_particles_sticks_below_and_slides_above_the_angle_of_friction() {
    // two feet joined by a stiff, damped spring
    for response in METHODS {
        for (tangent, acceleration) in [(0.45_f64, 0.0), (0.6, 0.1)] {
            let normal = v(-tangent, 1.0).normalize();
            let along = -normal.perp();
            let feet = [0.5 * normal - along, 0.5 * normal + along];
            let mut scene = Scene::default()
                .gravity(v(0.0, -10.0))
                .particle(1.0, 0.5, feet[0], v(0.0, 0.0))
                .particle(3.0, 0.5, feet[1], v(0.0, 0.0))
                .half_plane(v(0.0, 0.0), normal);
            scene.model.forces.springs.push(force::Spring {
                first: ParticleIndex(0),
                second: ParticleIndex(1),
                stiffness: 100.0,
                rest_length: 2.0,
                damping: 5.0,
            });
            let mut settings = steps_of(1e-3);
            settings.collision.friction = 0.5;
            let mut world = scene.world(response, 0.0, settings);
            for _ in 0..1000 {
                world.step();
            }
            // a = g (tan θ − μ) cos θ, downhill
            let expected = 10.0 * acceleration * normal.y;
            for velocity in &world.state().velocities {
                let speed = velocity.length();
                assert!((speed - expected).abs() < 0.02 * expected + 1e-9, "{response:?} {tangent}: {speed}");
            }
        }
    }
}
