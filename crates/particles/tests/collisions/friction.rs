//! Coulomb's law for velocities, against closed forms.

use crate::scenes::*;
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

const METHODS: [Response; 6] = [
    Response::Simple,
    Response::ContinuousTime,
    Response::Simultaneous { max_iterations: 20 },
    Response::BackUp { max_events: 20 },
    Response::Elastic { elastic_iterations: 2, max_iterations: 20 },
    Response::Contact(carom_contact::Response::LCP),
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
