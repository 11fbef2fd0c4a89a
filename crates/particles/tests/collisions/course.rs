//! Every difference from the course's program, both ways.

use super::scenes::*;
use carom_particles::*;
use glam::DVec2;

fn settings(course: bool, time_step: f64) -> ParticleSettings {
    ParticleSettings { course, integrator: Integrator::ExplicitEuler, ..steps_of(time_step) }
}

#[test]
fn deep_inside_a_half_plane() {
    for (response, time_step) in [(Response::Simple, 1e-6), (Response::ContinuousTime, 1e-6)] {
        for (course, contacts) in [(true, 0), (false, 1)] {
            let scene = Scene::default()
                .particle(1.0, 0.1, v(0.0, -3.0), v(0.0, -1.0))
                .half_plane(v(0.0, 0.0), v(0.0, 1.0));
            let mut world = scene.world(response, 1.0, settings(course, time_step));
            world.step();
            assert_eq!(world.contacts().len().min(1), contacts, "{response:?} course {course}");
            let expected = if course { -1.0 } else { 1.0 };
            assert!((world.state().velocities[0].y - expected).abs() < 1e-9, "{response:?} course {course}");
        }
    }
}

#[test]
fn coming_out_of_a_half_plane() {
    for (course, after) in [(true, -1.0), (false, 1.0)] {
        let scene = Scene::default()
            .particle(1.0, 0.1, v(0.0, -0.05), v(0.0, 1.0))
            .half_plane(v(0.0, 0.0), v(0.0, 1.0));
        let mut world = scene.world(Response::Simple, 1.0, settings(course, 1e-6));
        world.step();
        assert_eq!(
            world.state().velocities[0].y,
            after,
            "course {course}: the line reflects, the half-plane lets out"
        );
    }
}

#[test]
fn a_fixed_particle_and_a_half_plane() {
    for (course, after) in [(true, 1.0), (false, -1.0)] {
        for response in [Response::Simple, Response::ContinuousTime] {
            let scene = Scene::default()
                .particle(1.0, 0.1, v(0.0, 0.05), v(0.0, -1.0))
                .fixed()
                .half_plane(v(0.0, 0.0), v(0.0, 1.0));
            let mut world = scene.world(response, 1.0, settings(course, 1e-3));
            world.step();
            let v = world.state().velocities[0].y;
            assert!((v - after).abs() < 1e-12, "{response:?} course {course}: {v}");
        }
    }
}

#[test]
fn the_round_end_of_an_edge_in_continuous_time() {
    for (course, contacts) in [(true, 0), (false, 1)] {
        let mut scene = Scene::default()
            .particle(1.0, 0.1, v(-0.05, 1.0), v(0.0, -2.0))
            .particle(1.0, 0.1, v(0.0, 0.0), v(0.0, 0.0))
            .fixed()
            .particle(1.0, 0.1, v(3.0, 0.0), v(0.0, 0.0))
            .fixed()
            .edge(1, 2, 0.1);
        // an end without a disc of its own
        scene.model.particles[1].radius = 0.0;
        scene.model.particles[0].radius = 0.04;
        let mut world = scene.world(Response::ContinuousTime, 1.0, settings(course, 1.0));
        world.step();
        assert_eq!(world.contacts().len(), contacts, "course {course}");
    }
}

#[test]
fn one_pass_of_the_course_misses_what_a_later_answer_brings_about() {
    // the last ball throws the middle one into the first, whose pair was checked before
    for (course, passes, apart) in [(true, 1, false), (false, 2, true)] {
        let scene = Scene::default()
            .particle(1.0, 0.5, v(0.0, 0.0), v(0.0, 0.0))
            .particle(1.0, 0.5, v(1.2, 0.0), v(0.0, 0.0))
            .particle(1.0, 0.5, v(2.4, 0.0), v(-4.0, 0.0));
        let mut world = scene.world(Response::ContinuousTime, 1.0, settings(course, 0.25));
        let report = world.step();
        assert_eq!(report.collisions.passes, passes, "course {course}");
        let [first, middle] = [0, 1].map(|k| world.state().positions[k].x);
        assert_eq!(middle - first > 1.0 - 1e-9, apart, "course {course}: {first} and {middle}");
        assert_eq!(
            world.state().velocities[0].x < 0.0,
            apart,
            "course {course}: the first ball is on its way"
        );
    }
}

#[test]
fn a_vice_of_fixed_particles_goes_through_in_the_course_and_has_a_status_by_default() {
    for course in [true, false] {
        let scene = Scene::default()
            .particle(1.0, 0.5, v(0.0, 0.0), v(0.0, 0.0))
            .particle(1.0, 0.5, v(-1.1, 0.0), v(1.0, 0.0))
            .fixed()
            .particle(1.0, 0.5, v(1.1, 0.0), v(-1.0, 0.0))
            .fixed();
        let mut world = scene.world(Response::ContinuousTime, 1.0, settings(course, 0.5));
        let report = world.step();
        let solved = report.collisions.status == carom_contact::Status::Solved;
        assert_eq!(solved, course, "course {course}: {report:?}");
        assert!(world.state().first_non_finite().is_none(), "course {course}");
    }
}

#[test]
fn a_fixed_particle_of_an_impact_zone_goes_back_in_the_course_and_on_by_default() {
    for (course, end) in [(true, 0.0), (false, 0.5)] {
        let scene = Scene::default().particle(1.0, 0.5, v(0.0, 0.0), v(1.0, 0.0)).fixed().particle(
            1.0,
            0.5,
            v(1.2, 0.0),
            v(0.0, 0.0),
        );
        let penalty = Penalty { stiffness: 0.0, thickness: 0.0 };
        let hybrid = Response::Hybrid { penalty, max_iterations: 0 };
        let mut world = scene.world(hybrid, 1.0, settings(course, 0.5));
        let report = world.step();
        assert_eq!(report.collisions.fallback >= FallbackLevel::ImpactZones, course, "course {course}");
        assert_eq!(world.state().positions[0], v(end, 0.0), "course {course}");
        let apart = world.state().positions[1].x - end;
        assert!(apart > 1.0 - 1e-9, "course {course}: {apart}");
    }
}

#[test]
fn answers_of_hybrid_add_up_in_the_course_and_see_each_other_by_default() {
    // two fixed particles in one place report one impact twice; the course lists no collision, we
    // list the impulse
    for (course, after, contacts) in [(true, 12.0, 0), (false, 4.0, 1)] {
        let mut scene = Scene::default().particle(1.0, 0.5, v(0.0, 2.0), v(0.0, -4.0));
        for _ in 0..2 {
            scene = scene.particle(1.0, 0.5, v(0.0, 0.0), v(0.0, 0.0)).fixed();
        }
        let penalty = Penalty { stiffness: 0.0, thickness: 0.0 };
        let hybrid = Response::Hybrid { penalty, max_iterations: 5 };
        let mut world = scene.world(hybrid, 1.0, settings(course, 0.5));
        world.step();
        let speed = world.state().velocities[0].y;
        assert!((speed - after).abs() < 1e-9, "course {course}: {speed}");
        assert_eq!(world.contacts().len(), contacts, "course {course}");
    }
}

#[test]
fn thin_edges_are_lost_by_the_course_and_never_by_default() {
    for radius in [0.0, 1e-10] {
        for course in [true, false] {
            let lost = (0..100).filter(|k| passes_a_thin_edge(0.01 * f64::from(*k), radius, course)).count();
            assert_eq!(lost > 0, course, "radius {radius}: {lost} of 100 lost");
        }
    }
}

/// Whether a fast point of no size ends on the other side of a slanted edge.
fn passes_a_thin_edge(slant: f64, radius: f64, course: bool) -> bool {
    let scene = Scene::default()
        .particle(1.0, 0.0, v(0.1, 0.7), v(300.0, -1400.0))
        .particle(1.0, 0.1, v(-1.0, 0.1), v(0.0, 0.0))
        .fixed()
        .particle(1.0, 0.1, v(2.0, -0.3 + slant), v(0.0, 0.0))
        .fixed()
        .edge(1, 2, radius);
    let mut world = scene.world(Response::ContinuousTime, 1.0, settings(course, 1e-3));
    world.step();
    let [p, a, b] = [0, 1, 2].map(|k| world.state().positions[k]);
    assert_eq!(world.contacts().is_empty(), (b - a).perp_dot(p - a) < 0.0, "a contact turns it back");
    world.contacts().is_empty()
}

#[test]
fn fixed_pairs_are_recorded_by_the_course_alone() {
    for (course, contacts) in [(true, 1), (false, 0)] {
        let scene = Scene::default()
            .particle(1.0, 0.5, v(0.0, 0.0), v(1.0, 0.0))
            .fixed()
            .particle(1.0, 0.5, v(0.5, 0.0), v(0.0, 0.0))
            .fixed();
        let mut world = scene.world(Response::Simple, 1.0, settings(course, 1e-6));
        world.step();
        assert_eq!(world.contacts().len(), contacts, "course {course}");
        assert_eq!(world.state().velocities[0].x, 1.0);
    }
}

#[test]
fn penalty_pushes_out_of_a_half_plane_by_default_and_further_in_for_the_course() {
    for (course, sign) in [(true, -1.0), (false, 1.0)] {
        let scene = Scene::default()
            .particle(1.0, 0.1, v(0.0, -0.05), v(0.0, 0.0))
            .half_plane(v(0.0, 0.0), v(0.0, 1.0));
        let penalty = Penalty { stiffness: 10.0, thickness: 0.01 };
        let mut world = scene.world(Response::Penalty(penalty), 1.0, settings(course, 0.01));
        world.step();
        assert!(
            world.state().velocities[0].y * sign > 0.0,
            "course {course}: {}",
            world.state().velocities[0]
        );
    }
}

#[test]
fn penalty_between_coincident_particles() {
    for course in [true, false] {
        let scene = Scene::default().particle(1.0, 0.1, v(0.0, 0.0), v(0.0, 0.0)).particle(
            1.0,
            0.1,
            v(0.0, 0.0),
            v(0.0, 0.0),
        );
        let penalty = Penalty { stiffness: 10.0, thickness: 0.01 };
        let mut world = scene.world(Response::Penalty(penalty), 1.0, settings(course, 0.01));
        let report = world.step();
        assert_eq!(report.status.is_completed(), !course, "the course's program gets NaN");
    }
}

#[test]
fn the_penalty_force_is_the_slope_of_its_energy() {
    // total energy of a head-on bounce is kept to the order of the step
    let scene = Scene::default()
        .particle(1.0, 0.1, v(-0.3, 0.01), v(1.0, 0.0))
        .particle(2.0, 0.1, v(0.3, -0.02), v(-0.5, 0.0))
        .particle(1.0, 0.1, v(0.05, 0.4), v(0.0, 0.0))
        .edge(1, 2, 0.05);
    let penalty = Penalty { stiffness: 500.0, thickness: 0.05 };
    let mut world = scene.world(
        Response::Penalty(penalty),
        1.0,
        ParticleSettings { integrator: Integrator::VelocityVerlet, ..steps_of(1e-5) },
    );
    let before = world.invariants();
    let mut deepest: f64 = 0.0;
    for _ in 0..60_000 {
        world.step();
        let (invariants, overlap) = world.invariants_and_penetration();
        deepest = deepest.max(invariants.potential_energy);
        assert!((overlap - world.deepest_penetration()).abs() < 1e-12, "{overlap}");
    }
    let after = world.invariants();
    assert!(deepest > 0.01, "they did meet: {deepest}");
    assert!(
        (after.total_energy() - before.total_energy()).abs() < 1e-5,
        "{} to {}",
        before.total_energy(),
        after.total_energy()
    );
}

/// The velocity of the nearest point used to be a weighted sum; without bounce, whole scenes differ
/// by that.
#[test]
fn the_impulse_at_an_edge_is_rounded_as_the_hand_out_writes_it() {
    let mut differing = 0;
    for k in 0..20 {
        let shift = 0.01 * f64::from(k);
        let (x1, x2, x3) = (v(0.1 + shift, 0.2), v(-0.7, 0.0), v(0.9, 0.1));
        let (v1, v2, v3) = (v(0.3, -1.7), v(0.37, 700.1 + shift), v(-0.53, -300.7));
        let scene = Scene::default()
            .particle(1.3, 0.2, x1, v1)
            .particle(0.7, 0.2, x2, v2)
            .particle(2.9, 0.2, x3, v3)
            .edge(1, 2, 0.1);
        let time_step = 1e-300; // positions stay where they are
        let mut world = scene.world(Response::Simple, 0.0, settings(true, time_step));
        world.step();
        assert_eq!(world.contacts().len(), 1);
        let alpha = (x1 - x2).dot(x3 - x2) / (x3 - x2).length_squared();
        let n = x2 + alpha * (x3 - x2) - x1;
        let unit = n * (1.0 / n.length());
        let after = |edge: DVec2| {
            let w = 2.0 * 0.5 * (edge - v1).dot(unit);
            let p = 1.0 - alpha;
            v1 + (w / (1.0 + p * p * 1.3 / 0.7 + alpha * alpha * 1.3 / 2.9)) * unit
        };
        let written = after(v2 + alpha * (v3 - v2));
        differing += u32::from(written != after((1.0 - alpha) * v2 + alpha * v3));
        assert_eq!(world.state().velocities[0], written, "{k}");
    }
    assert!(differing > 0, "numbers that tell the two apart");
}

/// The forces on the ends of an edge used to be weighted last.
#[test]
fn the_penalty_force_on_the_ends_of_an_edge_is_rounded_as_in_the_course() {
    let (x1, x2, x3) = (v(0.1, 0.2), v(-0.7, 0.0), v(0.9, 0.1));
    let scene = Scene::default()
        .particle(1.0, 0.2, x1, v(0.0, 0.0))
        .particle(1.0, 0.01, x2, v(0.0, 0.0))
        .particle(1.0, 0.01, x3, v(0.0, 0.0))
        .edge(1, 2, 0.1);
    let (k, thickness) = (37.0, 0.013);
    let response = Response::Penalty(Penalty { stiffness: k, thickness });
    let mut world = scene.world(response, 1.0, settings(true, 1.0));
    world.step();
    let alpha = (x1 - x2).dot(x3 - x2) / (x3 - x2).length_squared();
    let n = x2 + alpha * (x3 - x2) - x1;
    let unit = n * (1.0 / n.length());
    let stretch = n.length() - 0.2 - 0.1 - thickness;
    let force = -(k * (1.0 - alpha) * stretch * unit);
    assert_ne!(force, -((1.0 - alpha) * (k * stretch * unit)), "numbers that tell the two apart");
    assert_eq!(world.state().velocities[1], force);
}

/// Both used to be refused, although the page on compatibility said that they are accepted.
#[test]
fn no_mass_and_no_normal_are_accepted_as_the_course_accepts_them() {
    for response in [Response::Simple, Response::ContinuousTime] {
        let scene = Scene::default()
            .particle(1.0, 0.1, v(0.0, 0.05), v(0.0, -1.0))
            .half_plane(v(0.0, 0.0), v(0.0, 0.0));
        let mut world = scene.world(response, 1.0, settings(true, 0.01));
        world.step();
        // of its formulas, 0/0 is below nothing and an empty polynomial never positive: it touches
        // nothing
        assert_eq!(world.contacts().len(), 0, "{response:?}");
        assert_eq!(world.state().velocities[0], v(0.0, -1.0), "{response:?}");
        assert_eq!(world.deepest_penetration(), 0.0, "{response:?}");
    }
    for fixed in [false, true] {
        let mut scene = Scene::default().particle(0.0, 0.1, v(0.0, 0.0), v(1.0, 0.0));
        scene.model.particles[0].fixed = fixed;
        let mut world = scene.world(Response::None, 1.0, settings(true, 0.01));
        assert!(world.step().taken);
        assert_eq!(world.state().positions[0], v(0.01, 0.0), "explicit Euler moves by the velocity before");
        assert!(world.state().velocities[0].x.is_nan(), "no force over no mass");
    }
    // what has no place is near nothing: its penalty used to spread to everything
    let scene = Scene::default()
        .particle(0.0, 0.1, v(0.0, 0.0), v(1.0, 0.0))
        .particle(1.0, 0.1, v(3.0, 0.0), v(1.0, 0.0))
        .particle(1.0, 0.1, v(4.0, 0.0), v(1.0, 0.0))
        .edge(1, 2, 0.1);
    let response = Response::Penalty(Penalty { stiffness: 10.0, thickness: 0.1 });
    let mut world = scene.world(response, 1.0, settings(true, 0.01));
    (0..10).for_each(|_| assert!(world.step().taken));
    assert!(world.state().positions[0].x.is_nan() && world.state().velocities[1..] == [v(1.0, 0.0); 2]);
}
