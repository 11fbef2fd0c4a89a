//! Responses through the contact problem.

use crate::scenes::*;
use carom_contact::{Reflection, Response as ContactResponse, Simultaneous};
use carom_particles::*;

fn reflections() -> [Response; 2] {
    [Simultaneous::Lcp, Simultaneous::VelocityProjection].map(|inner| {
        Response::Contact(ContactResponse::GeneralizedReflection(Reflection { inner, ..Reflection::DEFAULT }))
    })
}

/// A cradle of five equal particles in a row, the first of them moving.
fn cradle(response: Response, restitution: f64) -> Vec<f64> {
    let mut scene = Scene::default();
    for k in 0..5 {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        scene = scene.particle(1.0, 0.5, v(f64::from(k), 0.0), v(speed, 0.0));
    }
    let mut world = scene.world(
        response,
        restitution,
        Settings { integrator: Integrator::ExplicitEuler, ..steps_of(1e-9) },
    );
    world.step();
    world.state().velocities.iter().map(|v| v.x).collect()
}

#[test]
fn generalized_reflection_carries_the_shock_through_a_cradle() {
    for response in reflections() {
        let speeds = cradle(response, 1.0);
        for (k, speed) in speeds.iter().enumerate() {
            let expected = if k == 4 { 1.0 } else { 0.0 };
            assert!((speed - expected).abs() < 1e-9, "{response:?}: {speeds:?}");
        }
    }
}

#[test]
fn inelastic_solvers_share_the_motion() {
    for response in [ContactResponse::LCP, ContactResponse::VELOCITY_PROJECTION] {
        let speeds = cradle(Response::Contact(response), 0.0);
        assert!(speeds.iter().all(|s| (s - 0.2).abs() < 1e-9), "{response:?}: {speeds:?}");
    }
}

#[test]
fn a_particle_on_an_edge_agrees_with_the_formulas_of_the_hand_out() {
    let scene = Scene::default()
        .particle(1.3, 0.2, v(0.4, 0.29), v(0.2, -1.0))
        .particle(2.1, 0.1, v(-1.0, 0.0), v(0.1, 0.3))
        .particle(0.7, 0.1, v(1.0, 0.0), v(-0.2, 0.1))
        .edge(1, 2, 0.1);
    for e in [0.0, 0.5, 1.0] {
        let settings = steps_of(1e-9);
        let mut simple = scene.clone().world(Response::Simple, e, settings);
        let mut solved = scene.clone().world(Response::Contact(ContactResponse::LCP), e, settings);
        simple.step();
        let report = solved.step();
        assert_eq!(report.collisions.status, carom_contact::Status::Solved);
        for i in 0..3 {
            let (a, b) = (simple.state().velocities[i], solved.state().velocities[i]);
            assert!((a - b).length() < 1e-9, "e {e} particle {i}: {a} against {b}");
        }
        let (a, b) = (simple.contacts()[0].impulse, solved.contacts()[0].impulse);
        assert!((a - b).abs() < 1e-9, "impulse {a} against {b}");
    }
}

#[test]
fn a_stack_rests_on_a_half_plane_at_once() {
    for response in [ContactResponse::LCP, ContactResponse::VELOCITY_PROJECTION] {
        let mut scene = Scene::default().gravity(v(0.0, -10.0)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
        for k in 0..10 {
            scene = scene.particle(1.0, 0.5, v(0.0, 0.5 + f64::from(k)), v(0.0, 0.0));
        }
        let mut world = scene.world(Response::Contact(response), 0.0, steps_of(0.01));
        for _ in 0..1000 {
            world.step();
        }
        // and does not sink in ten seconds
        for (k, x) in world.state().positions.iter().enumerate() {
            assert!((*x - v(0.0, 0.5 + k as f64)).length() < 1e-7, "{response:?}: {k} lies at {x}");
        }
        assert!(world.state().velocities.iter().all(|v| v.length() < 1e-9), "{response:?}");
        // the lowest contact carries ten particles through every step
        let lowest = world.contacts().iter().find(|c| matches!(c.pair, Pair::ParticleHalfPlane(..)));
        assert!((lowest.expect("it touches").impulse - 10.0 * 10.0 * 0.01).abs() < 1e-9);
    }
}

/// Balls of different sizes fall into a cup of two edges and a floor: they come to lie in it, hardly deeper in each other than a touch.
#[test]
fn a_heap_settles_without_sinking() {
    for response in [ContactResponse::LCP, ContactResponse::VELOCITY_PROJECTION] {
        let mut scene = Scene::default().gravity(v(0.0, -10.0)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
        for post in [v(-1.0, -0.1), v(-1.2, 4.0), v(1.0, -0.1), v(1.2, 4.0)] {
            scene = scene.particle(1.0, 0.05, post, v(0.0, 0.0)).fixed();
        }
        scene = scene.edge(0, 1, 0.05).edge(2, 3, 0.05);
        for k in 0..24 {
            let x = v(-0.6 + 0.4 * f64::from(k % 4) + 0.01 * f64::from(k), 0.3 + 0.35 * f64::from(k / 4));
            scene =
                scene.particle(1.0 + 0.1 * f64::from(k % 3), 0.13 + 0.01 * f64::from(k % 5), x, v(0.0, 0.0));
        }
        let mut world = scene.world(Response::Contact(response), 0.0, steps_of(0.01));
        for _ in 0..1000 {
            let report = world.step();
            assert_eq!(report.collisions.status, carom_contact::Status::Solved, "{response:?}");
        }
        let deepest = world.deepest_penetration();
        assert!(deepest < 1e-4, "{response:?}: {deepest}");
        let fastest = world.state().velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(fastest < 0.05, "{response:?}: {fastest}");
        for x in &world.state().positions[4..] {
            assert!(x.y > 0.1 && x.y < 3.0 && x.x.abs() < 1.1, "{response:?}: out at {x}");
        }
    }
}

#[test]
fn a_moving_half_plane_lifts() {
    let mut scene =
        Scene::default().particle(1.0, 0.5, v(0.0, 0.5), v(0.0, 0.0)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
    scene.model.half_planes[0].velocity = v(0.0, 2.0);
    let mut world = scene.world(Response::Contact(ContactResponse::LCP), 0.0, steps_of(0.01));
    world.step();
    assert!((world.state().velocities[0].y - 2.0).abs() < 1e-9);
}
