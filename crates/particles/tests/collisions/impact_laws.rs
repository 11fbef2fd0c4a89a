//! The formulas of the hand-out, from their derivations.

use super::scenes::*;
use carom_particles::*;
use proptest::prelude::*;

const IMPULSES: [Response; 6] = [
    Response::Simple,
    Response::ContinuousTime,
    Response::Simultaneous { max_iterations: 20 },
    Response::BackUp { max_events: 50 },
    Response::Elastic { elastic_iterations: 3, max_iterations: 20 },
    Response::Hybrid { penalty: Penalty { stiffness: 0.0, thickness: 0.0 }, max_iterations: 10 },
];

fn momentum_and_energy(world: &World) -> (glam::DVec2, f64) {
    let all = world.invariants();
    (all.linear_momentum, all.kinetic_energy)
}

#[test]
fn head_on_closed_forms() {
    // masses 1 and 3 at speeds 1 and −1, restitution e: v1 = 1 − (1+e)·2·3/4, v2 = −1 + (1+e)·2·1/4
    for e in [0.0, 0.5, 1.0] {
        for response in IMPULSES {
            let scene = Scene::default().particle(1.0, 0.5, v(-0.5, 0.0), v(1.0, 0.0)).particle(
                3.0,
                0.5,
                v(0.5, 0.0),
                v(-1.0, 0.0),
            );
            let mut world = scene.world(response, e, steps_of(0.01));
            world.step();
            let [v1, v2] = [0, 1].map(|i| world.state().velocities[i].x);
            assert!((v1 - (1.0 - (1.0 + e) * 1.5)).abs() < 1e-12, "{response:?} e {e}: {v1}");
            assert!((v2 - (-1.0 + (1.0 + e) * 0.5)).abs() < 1e-12, "{response:?} e {e}: {v2}");
            assert_eq!(world.contacts().len(), 1, "{response:?}");
            let impulse = world.contacts()[0].impulse;
            assert!((impulse - (1.0 + e) * 1.5).abs() < 1e-12, "{response:?}: impulse {impulse}");
        }
    }
}

#[test]
fn a_particle_on_the_end_of_an_edge_is_a_particle_on_a_particle() {
    let striker = |scene: Scene| scene.particle(2.0, 0.3, v(0.0, 0.5), v(0.3, -1.0));
    let pair = striker(Scene::default()).particle(1.5, 0.3, v(0.0, 0.0), v(0.1, 0.2));
    // the edge hangs down from its start, so that the nearest point is that end; far apart from its
    // other end
    let edge = pair.clone().particle(9.0, 0.3, v(0.0, -9.0), v(0.0, 0.0)).edge(1, 2, 0.3);
    let mut alone = pair.world(Response::Simple, 0.7, steps_of(1e-9));
    let mut settings_edge = edge.clone();
    settings_edge.model.particles[1].radius = 0.0; // only the edge is there to be hit
    let mut with_edge = settings_edge.world(Response::Simple, 0.7, steps_of(1e-9));
    alone.step();
    with_edge.step();
    assert_eq!(with_edge.contacts().len(), 1);
    assert!(matches!(with_edge.contacts()[0].pair, Pair::ParticleEdge(..)));
    for i in 0..2 {
        assert_eq!(alone.state().velocities[i], with_edge.state().velocities[i]);
    }
}

#[test]
fn every_combination_of_fixed_and_free_stays_finite_and_moves_only_the_free() {
    for response in IMPULSES {
        for mask in 0..8_u32 {
            let mut scene = Scene::default()
                .particle(1.0, 0.2, v(0.0, 0.25), v(0.0, -1.0))
                .particle(2.0, 0.05, v(-1.0, 0.0), v(0.0, 0.0))
                .particle(3.0, 0.05, v(1.0, 0.0), v(0.0, 0.0))
                .edge(1, 2, 0.1);
            for i in 0..3 {
                scene.model.particles[i].fixed = mask >> i & 1 == 1;
            }
            let before = scene.velocities.clone();
            let mut world = scene.world(response, 0.5, steps_of(0.001));
            world.step();
            let reported = usize::from(mask != 7);
            assert_eq!(world.contacts().len(), reported, "{response:?} mask {mask}");
            for i in 0..3 {
                let after = world.state().velocities[i];
                assert!(after.is_finite());
                if mask >> i & 1 == 1 {
                    assert_eq!(after, before[i], "{response:?} mask {mask} particle {i}");
                } else {
                    assert_ne!(after, before[i], "{response:?} mask {mask} particle {i}");
                }
            }
        }
    }
}

#[test]
fn an_edge_is_not_hit_by_its_own_ends() {
    let scene = Scene::default()
        .particle(1.0, 0.6, v(0.0, 0.0), v(1.0, 0.0))
        .particle(1.0, 0.6, v(2.0, 0.0), v(0.5, 0.0))
        .edge(0, 1, 0.5);
    let mut world = scene.world(Response::Simple, 1.0, steps_of(0.001));
    world.step();
    assert!(world.contacts().is_empty());
}

#[test]
fn exact_touching_counts_by_default_and_not_for_the_course() {
    for (course, contacts) in [(false, 1), (true, 0)] {
        // 0.1 + 0.2 is a little more than 0.3 in binary; 0.25 + 0.5 is exact
        let scene = Scene::default()
            .particle(1.0, 0.25, v(0.0, 0.0), v(1.0, 0.0))
            .particle(1.0, 0.5, v(0.75, 0.0), v(1.0, 0.0))
            .half_plane(v(-9.0, 0.0), v(1.0, 0.0));
        let mut scene = scene;
        scene.velocities[1] = v(0.0, 0.0);
        let mut world = scene.world(
            Response::Simple,
            1.0,
            ParticleSettings { course, integrator: Integrator::ExplicitEuler, ..steps_of(1e-300) },
        );
        world.step();
        assert_eq!(world.contacts().len(), contacts, "course {course}");
    }
}

#[test]
fn coincident_particles_have_no_direction_and_do_not_collide() {
    for response in IMPULSES {
        let scene = Scene::default().particle(1.0, 0.5, v(1.0, 1.0), v(1.0, 0.0)).particle(
            1.0,
            0.5,
            v(1.0, 1.0),
            v(1.0, 0.0),
        );
        let mut world = scene.world(response, 1.0, steps_of(0.01));
        for _ in 0..3 {
            assert!(world.step().status.is_completed());
        }
        assert!(world.state().first_non_finite().is_none());
    }
}

#[test]
fn a_moving_half_plane_is_answered_by_relative_velocity() {
    for response in IMPULSES {
        let mut scene = Scene::default()
            .particle(1.0, 0.5, v(0.0, 0.5), v(0.0, -1.0))
            .half_plane(v(0.0, 0.0), v(0.0, 2.0));
        scene.model.half_planes[0].velocity = v(0.0, 3.0);
        let mut world = scene.world(response, 1.0, steps_of(0.01));
        world.step();
        let after = world.state().velocities[0].y;
        assert!((after - 7.0).abs() < 1e-9, "{response:?}: −1 against 3 leaves 7, not {after}");
    }
}

#[test]
fn a_fixed_particle_with_velocity_is_a_moving_wall() {
    for response in IMPULSES {
        let scene = Scene::default()
            .particle(1.0, 0.5, v(1.0, 0.0), v(0.0, 0.0))
            .particle(1.0, 0.5, v(0.0, 0.0), v(2.0, 0.0))
            .fixed();
        let mut world = scene.world(response, 0.5, steps_of(0.01));
        world.step();
        assert!(
            (world.state().velocities[0].x - 3.0).abs() < 1e-9,
            "{response:?}: {}",
            world.state().velocities[0]
        );
        assert_eq!(world.state().velocities[1].x, 2.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Momentum to rounding in every impulse; energy kept for COR 1 and never gained below; along
    /// an edge too.
    #[test]
    fn momentum_and_energy_of_random_impacts(
        method in 0_usize..6,
        masses in prop::array::uniform3(0.1_f64..10.0),
        speeds in prop::array::uniform6(-3.0_f64..3.0),
        where_on_edge in -1.1_f64..1.1,
        e in 0.0_f64..=1.0,
        friction in prop_oneof![Just(0.0), 0.0_f64..2.0],
    ) {
        let response = IMPULSES[method];
        let scene = Scene::default()
            .particle(masses[0], 0.2, v(where_on_edge, 0.29), v(speeds[0], speeds[1]))
            .particle(masses[1], 0.1, v(-1.0, 0.0), v(speeds[2], speeds[3]))
            .particle(masses[2], 0.1, v(1.0, 0.0), v(speeds[4], speeds[5]))
            .edge(1, 2, 0.1);
        let mut settings = steps_of(1e-4);
        settings.collision.friction = friction;
        let mut world = scene.world(response, e, settings);
        let (p0, t0) = momentum_and_energy(&world);
        let report = world.step();
        let (p1, t1) = momentum_and_energy(&world);
        prop_assert!((p1 - p0).length() < 1e-12 * (1.0 + p0.length() + 30.0), "{:?}: {} to {}", response, p0, p1);
        prop_assert!(t1 <= t0 * (1.0 + 1e-12), "{:?}: energy {} to {}", response, t0, t1);
        if e == 1.0 && friction == 0.0 && report.collisions.fallback == FallbackLevel::None && world.contacts().len() == 1 {
            prop_assert!((t1 - t0).abs() <= 1e-12 * t0);
        }
    }

    #[test]
    fn elastic_impacts_keep_the_energy(masses in prop::array::uniform2(0.1_f64..10.0), speeds in prop::array::uniform4(-3.0_f64..3.0), angle in 0.0_f64..6.0) {
        let n = v(carom_numerics::elementary::cos(angle), carom_numerics::elementary::sin(angle));
        let scene = Scene::default()
            .particle(masses[0], 0.5, v(0.0, 0.0), v(speeds[0], speeds[1]))
            .particle(masses[1], 0.5, 0.999 * n, v(speeds[2], speeds[3]));
        let mut world = scene.world(Response::Simple, 1.0, steps_of(1e-6));
        let (_, t0) = momentum_and_energy(&world);
        world.step();
        let (_, t1) = momentum_and_energy(&world);
        prop_assert!((t1 - t0).abs() <= 1e-12 * t0, "{} to {}", t0, t1);
    }
}

/// A fixed particle that reaches the fixed end of an edge has nothing to push, and close to it
/// hardly anything.
#[test]
fn a_fixed_particle_at_the_fixed_end_of_an_edge_moves_nothing() {
    let reflection = carom_contact::Response::GeneralizedReflection(carom_contact::Reflection::DEFAULT);
    let solved = [reflection, carom_contact::Response::LCP].map(Response::Contact);
    for response in CLEAN.into_iter().chain([Response::Simple]).chain(solved) {
        for (y, swapped) in [(0.0, false), (0.0, true), (1e-7, false)] {
            let mut scene = Scene::default()
                .particle(1.0, 0.3, v(0.0, y), v(1.0, 0.0))
                .fixed()
                .particle(1.0, 0.1, v(2.0, 0.0), v(0.0, 0.0))
                .particle(1.0, 0.01, v(0.5, 0.0), v(0.0, 0.0))
                .fixed();
            scene = if swapped { scene.edge(2, 1, 0.01) } else { scene.edge(1, 2, 0.01) };
            let mut world = scene.world(response, 1.0, steps_of(0.01));
            for step in 0..40 {
                let report = world.step();
                assert!(report.status.is_completed(), "{response:?}: step {step} {report:?}");
            }
            let speed = world.state().velocities[1].length();
            assert!(speed < 1e3, "{response:?} at {y}: {speed}");
        }
    }
}
