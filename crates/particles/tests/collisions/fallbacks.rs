//! What methods do when they do not end by themselves, and that they report it.

use super::scenes::*;
use carom_particles::*;

#[test]
fn the_bouncing_block_comes_to_rest() {
    // two particles joined by a stiff spring, dropped on a floor, restitution 0.5
    for response in [
        Response::Elastic { elastic_iterations: 3, max_iterations: 30 },
        Response::Simultaneous { max_iterations: 30 },
        Response::ContinuousTime,
        Response::BackUp { max_events: 50 },
    ] {
        let mut scene = Scene::default()
            .gravity(v(0.0, -10.0))
            .particle(1.0, 0.1, v(-0.5, 1.0), v(0.0, 0.0))
            .particle(1.0, 0.1, v(0.5, 1.0), v(0.0, 0.0))
            .edge(0, 1, 0.1)
            .half_plane(v(0.0, 0.0), v(0.0, 1.0));
        scene.model.forces.springs.push(force::Spring {
            first: ParticleIndex(0),
            second: ParticleIndex(1),
            stiffness: 200.0,
            rest_length: 1.0,
            damping: 5.0,
        });
        let mut world = scene.world(response, 0.5, steps_of(0.005));
        for _ in 0..4000 {
            world.step();
        }
        let speed = world.state().velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(speed < 0.06, "{response:?}: still at {speed}, one step of gravity gives 0.05");
        let height = world.state().positions[0].y;
        assert!((height - 0.1).abs() < 1e-3, "{response:?}: at {height}");
    }
}

#[test]
fn a_closing_vice_is_reported_and_stays_finite() {
    // two walls that close on a particle: there is no way out
    for response in CLEAN {
        let mut scene = Scene::default()
            .particle(1.0, 0.5, v(0.0, 0.0), v(0.0, 0.0))
            .half_plane(v(-0.6, 0.0), v(1.0, 0.0))
            .half_plane(v(0.6, 0.0), v(-1.0, 0.0));
        scene.model.half_planes[0].velocity = v(1.0, 0.0);
        scene.model.half_planes[1].velocity = v(-1.0, 0.0);
        let mut world = scene.world(response, 1.0, steps_of(0.05));
        let mut worst = carom_contact::Status::Solved;
        for _ in 0..10 {
            let report = world.step();
            worst = worst.max(report.collisions.status);
            assert!(world.state().first_non_finite().is_none());
        }
        assert!(worst > carom_contact::Status::Solved, "{response:?}");
    }
}

#[test]
fn a_turning_obstacle_carries_what_it_meets() {
    // a paddle of fixed ends that sweeps over a particle at rest in one step
    let scene = Scene::default()
        .particle(1.0, 0.05, v(0.0, 0.5), v(0.0, 0.0))
        .particle(1.0, 0.05, v(-1.0, -0.2), v(0.0, 2.0))
        .fixed()
        .particle(1.0, 0.05, v(1.0, -0.2), v(0.0, 3.0))
        .fixed()
        .edge(1, 2, 0.05);
    for response in CLEAN {
        let mut world = scene.clone().world(response, 0.0, steps_of(1.0));
        world.step();
        let [p, a, b] = [0, 1, 2].map(|k| world.state().positions[k]);
        assert!((b - a).perp_dot(p - a) > 0.0, "{response:?}: left behind at {p}");
    }
}

#[test]
fn hybrid_of_the_course_reports_its_zones_and_keeps_the_state_between() {
    let scene = Scene::default().particle(1.0, 0.5, v(0.0, 0.0), v(1.0, 0.0)).particle(
        1.0,
        0.5,
        v(1.5, 0.0),
        v(-1.0, 0.0),
    );
    let penalty = Penalty { stiffness: 0.0, thickness: 0.0 };
    let settings = ParticleSettings { course: true, ..steps_of(1.0) };
    let mut world = scene.world(Response::Hybrid { penalty, max_iterations: 0 }, 1.0, settings);
    let report = world.step();
    assert_eq!(report.collisions.fallback, FallbackLevel::ImpactZones);
    let middle = world.intermediate().expect("hybrid has a state between");
    assert_eq!(middle.positions[0], v(1.0, 0.0), "before the zones it passed through");
    assert_eq!(world.state().positions[0], v(0.0, 0.0), "equal masses at opposite speeds stay");
}

#[test]
fn huge_coordinates_and_speeds_never_give_nan_without_saying_so() {
    for response in
        [Response::Simple, Response::Contact(carom_contact::Response::LCP)].into_iter().chain(CLEAN)
    {
        for scale in [1e100, 1e150, 1e200, 1e300] {
            let scene = Scene::default()
                .particle(1.0, 0.5, v(scale, 0.0), v(-scale, 0.0))
                .particle(1.0, 0.5, v(-scale, 0.0), v(scale, 0.0))
                .particle(1.0, 0.5, v(0.0, 1.0), v(0.0, -scale))
                .edge(0, 1, 0.1)
                .half_plane(v(0.0, -1.0), v(1e-200, 1e-200));
            let mut world = scene.world(response, 1.0, steps_of(1.0));
            for _ in 0..3 {
                let report = world.step();
                let finite = world.state().first_non_finite().is_none();
                assert!(finite || !report.status.is_completed(), "{response:?} at {scale}");
                assert!(
                    world.contacts().iter().all(|c| c.vector.is_finite() && c.impulse.is_finite()),
                    "{response:?} at {scale}"
                );
            }
        }
    }
}

#[test]
fn an_edge_whose_ends_meet_acts_as_a_point() {
    // the ends of the edge are in one place, with no size of their own; the ball bounces off as off
    // a fixed particle
    let ways = [Response::Simple, Response::Contact(carom_contact::Response::GENERALIZED_REFLECTION)];
    for response in ways.into_iter().chain(CLEAN) {
        let scene = Scene::default()
            .particle(1.0, 0.3, v(0.0, 0.5), v(0.0, -1.0))
            .particle(1.0, 0.0, v(0.0, 0.0), v(0.0, 0.0))
            .fixed()
            .particle(1.0, 0.0, v(0.0, 0.0), v(0.0, 0.0))
            .fixed()
            .edge(1, 2, 0.1);
        let mut world = scene.world(response, 1.0, steps_of(0.01));
        for _ in 0..30 {
            assert!(world.step().status.is_completed(), "{response:?}");
        }
        let speed = world.state().velocities[0];
        assert!((speed - v(0.0, 1.0)).length() < 1e-9, "{response:?}: {speed}");
    }
}
