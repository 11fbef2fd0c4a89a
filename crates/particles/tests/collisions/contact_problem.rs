//! Responses through the contact problem.

use super::scenes::*;
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
        ParticleSettings { integrator: Integrator::ExplicitEuler, ..steps_of(1e-9) },
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
        .particle(1.3, 0.2, v(0.4, 0.3 - 1e-10), v(0.2, -1.0))
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

/// Balls of different sizes fall into a cup of two edges and a floor: they come to lie in it,
/// hardly deeper in each other than a touch.
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

const RESTING: [ContactResponse; 2] = [ContactResponse::LCP, ContactResponse::VELOCITY_PROJECTION];

/// A column that falls comes to rest in its order, whatever the spacing, the step and the
/// integrator.
#[test]
fn a_falling_column_keeps_its_order() {
    for response in RESTING {
        for (spacing, dt) in
            [(0.2, 0.01), (0.2099, 0.01), (0.211, 0.01), (0.22, 0.02), (0.3, 0.03), (0.5, 0.1)]
        {
            for integrator in
                [Integrator::SymplecticEuler, Integrator::ExplicitEuler, Integrator::VelocityVerlet]
            {
                let mut scene = Scene::default().gravity(v(0.0, -9.81)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
                for k in 0..8 {
                    scene = scene.particle(1.0, 0.1, v(0.0, 1.2 + spacing * f64::from(k)), v(0.0, 0.0));
                }
                let settings = ParticleSettings { integrator, ..steps_of(dt) };
                let mut world = scene.world(Response::Contact(response), 0.0, settings);
                let mut deepest = 0.0_f64;
                for _ in 0..(3.0 / dt) as usize {
                    world.step();
                    deepest = deepest.max(world.deepest_penetration());
                }
                let name = format!("{response:?} {integrator:?} spacing {spacing} dt {dt}");
                assert!(deepest < 1e-3, "{name}: overlap {deepest}");
                for (k, x) in world.state().positions.iter().enumerate() {
                    assert!((x.y - 0.1 - 0.2 * k as f64).abs() < 2e-3, "{name}: {k} lies at {x}");
                }
            }
        }
    }
}

/// One ball on two others stands when there is friction, and a ball on a slope stays where it is.
#[test]
fn friction_holds_what_lies() {
    for response in RESTING {
        for integrator in [Integrator::SymplecticEuler, Integrator::ExplicitEuler, Integrator::VelocityVerlet]
        {
            let settings = ParticleSettings { integrator, ..steps_of(0.01) };
            let world = |scene: Scene, mu: f64| {
                let mut settings = settings;
                settings.collision.friction = mu;
                let mut world = scene.world(Response::Contact(response), 0.0, settings);
                for _ in 0..500 {
                    world.step();
                }
                world.state().positions.clone()
            };
            let name = format!("{response:?} {integrator:?}");
            let three = Scene::default()
                .gravity(v(0.0, -9.81))
                .half_plane(v(0.0, 0.0), v(0.0, 1.0))
                .particle(1.0, 0.1, v(-0.1, 0.1), v(0.0, 0.0))
                .particle(1.0, 0.1, v(0.1, 0.1), v(0.0, 0.0))
                .particle(1.0, 0.1, v(0.0, 0.1 + 0.03_f64.sqrt()), v(0.0, 0.0));
            let top = world(three, 1.0)[2];
            assert!((top - v(0.0, 0.1 + 0.03_f64.sqrt())).length() < 1e-6, "{name}: the top is at {top}");
            let (sin, cos) = carom_numerics::elementary::sin_cos(20.0_f64.to_radians());
            let slope = Scene::default()
                .gravity(9.81 * v(-sin, -cos))
                .half_plane(v(0.0, 0.0), v(0.0, 1.0))
                .particle(1.0, 0.1, v(0.0, 0.1), v(0.0, 0.0));
            let ball = world(slope, 1.0)[0];
            assert!((ball - v(0.0, 0.1)).length() < 1e-9, "{name}: the ball on the slope is at {ball}");
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

#[test]
fn what_stays_wedged_has_a_status_and_a_long_row_is_met() {
    for response in [ContactResponse::LCP, ContactResponse::VELOCITY_PROJECTION] {
        let response = Response::Contact(response);
        // a ball wider than the slit that it sits in
        let wedged = Scene::default()
            .particle(1.0, 0.6, v(0.0, 0.0), v(0.0, -1.0))
            .half_plane(v(-0.5, 0.0), v(1.0, 0.0))
            .half_plane(v(0.5, 0.0), v(-1.0, 0.0));
        let status = wedged.world(response, 0.0, steps_of(0.01)).step().collisions.status;
        assert!(status > carom_contact::Status::Solved, "{response:?}: {status:?}");
        // a heavy ball that closes the gaps of a row: it meets a few, and then each round meets one
        // more
        for (balls, speed) in [(5, 1.5), (14, 1.5), (80, 5.0)] {
            let mut row = Scene::default().particle(1e9, 0.1, v(0.0, 0.0), v(speed, 0.0));
            for k in 0..balls {
                row = row.particle(1.0, 0.1, v(1.0 + 0.25 * f64::from(k), 0.0), v(0.0, 0.0));
            }
            let mut world = row.world(response, 0.0, steps_of(1.0));
            let status = world.step().collisions.status;
            assert_eq!(status, carom_contact::Status::Solved, "{response:?}, {balls} balls");
            for pair in world.state().positions.windows(2) {
                let apart = pair[1].x - pair[0].x;
                assert!(apart > 0.2 - 1e-6, "{response:?}, {balls} balls: {apart}");
            }
        }
    }
}
