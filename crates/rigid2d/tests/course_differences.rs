//! Every difference between course mode and ours, both ways. The list is in
//! docs/course-compatibility.md.

use crate::build;

use build::{Build, FIXED, FREE, v};
use carom_rigid2d::{
    BodyFault, ContactSettings, DVec2, Integrator, ModelError, PlanarSettings, Response, World,
};

fn world(build: Build, course: bool, dt: f64, response: Response) -> World {
    try_world(build, course, dt, response).unwrap()
}

fn try_world(build: Build, course: bool, dt: f64, response: Response) -> Result<World, ModelError> {
    let contact = Some(ContactSettings::new(response));
    let settings = PlanarSettings { contact, course, ..PlanarSettings::new(dt, Integrator::SymplecticEuler) };
    World::new(build.model, build.state, settings)
}

#[test]
fn the_velocity_of_a_fixed_body_counts_under_the_courses_lcp_and_gr_lcp_only() {
    for response in [
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
    ] {
        for course in [true, false] {
            let mut build = Build::new();
            let lift = build.block(v(0.0, 0.0), v(2.0, 1.0), 0.1, FIXED);
            build.state.bodies[lift].velocity = v(0.0, 1.0);
            build.block(v(0.0, 2.15), v(1.0, 1.0), 0.1, FREE);
            let mut world = world(build, course, 0.01, response);
            world.step();
            let expected = match response {
                Response::Lcp if course => 1.0,
                Response::ReflectionLcp if course => 2.0,
                _ => 0.0,
            };
            let speed = world.state().bodies[1].velocity.y;
            assert!((speed - expected).abs() < 1e-12, "{response:?} {course}: {speed}");
        }
    }
}

/// Used to leave at 1 under the course's `gr-lcp`, as if the fixed body were at rest.
#[test]
fn a_body_that_falls_on_a_fixed_body_with_a_velocity_is_reflected_from_it() {
    for (course, expected) in [(true, 3.0), (false, 1.0)] {
        let mut build = Build::new();
        let lift = build.block(v(0.0, 0.0), v(2.0, 1.0), 0.1, FIXED);
        build.state.bodies[lift].velocity = v(0.0, 1.0);
        let falling = build.block(v(0.0, 2.15), v(1.0, 1.0), 0.1, FREE);
        build.state.bodies[falling].velocity = v(0.0, -1.0);
        let mut world = world(build, course, 0.01, Response::ReflectionLcp);
        world.step();
        let speed = world.state().bodies[1].velocity.y;
        assert!((speed - expected).abs() < 1e-12, "course {course}: {speed}");
    }
}

#[test]
fn exact_touch_is_a_contact_by_default_only() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(1.0, 1.0), 0.25, FREE);
        build.block(v(2.5, 0.0), v(1.0, 1.0), 0.25, FREE);
        let mut world = world(build, course, 0.01, Response::ReflectionLcp);
        assert_eq!(world.step().contacts > 0, !course);
    }
}

#[test]
fn the_course_moves_first_and_overlaps_where_we_meet_at_touch() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(2.0, 1.0), 0.25, FIXED);
        let falling = build.block(v(0.0, 3.0), v(1.0, 1.0), 0.25, FREE);
        build.state.bodies[falling].velocity = v(0.0, -40.0);
        let mut world = world(build, course, 0.02, Response::VelocityProjection);
        for _ in 0..3 {
            world.step();
        }
        let gap = world.state().bodies[1].position.y - 2.5;
        assert!((gap - if course { -0.3 } else { 0.0 }).abs() < 1e-12, "{gap}");
    }
}

#[test]
fn overlap_is_corrected_by_default_and_left_by_the_course() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(2.0, 1.0), 0.25, FIXED);
        build.block(v(0.0, 2.2), v(1.0, 1.0), 0.25, FREE);
        let mut world = world(build, course, 0.01, Response::VelocityProjection);
        world.step();
        let y = world.state().bodies[1].position.y;
        assert!((y - if course { 2.2 } else { 2.5 }).abs() < 1e-6, "{y}");
    }
}

#[test]
fn weightless_bodies_are_refused_by_default_only() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(1.0, 1.0), 0.1, FREE);
        build.model.bodies[0].mass = 0.0;
        let made = try_world(build, course, 0.01, Response::Lcp);
        match (course, made) {
            (true, made) => assert!(made.is_ok()),
            (false, made) => {
                assert_eq!(made.err(), Some(ModelError::Body { body: 0, fault: BodyFault::Mass }));
            }
        }
    }
}

/// Two corners that overlap: the course sees a slanted pair too, and is turned by it.
#[test]
fn a_slanted_pair_past_an_edge_turns_bodies_in_the_course_only() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(1.0, 1.0), 0.2, FIXED);
        let body = build.block(v(1.95, 2.1), v(1.0, 1.0), 0.2, FREE);
        build.state.bodies[body].velocity = v(1.0, 0.0);
        let mut world = world(build, course, 1e-9, Response::ReflectionLcp);
        world.step();
        let sideways = world.state().bodies[1].velocity.x;
        assert_eq!(sideways < 0.999, course, "moving along the surface hits nothing: {sideways}");
    }
}

#[test]
fn a_vertex_on_an_edge_is_a_contact_by_default_only() {
    for course in [true, false] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(4.0, 1.0), 0.1, FIXED);
        let dart = build.outline(&[v(0.0, 1.0), v(-1.0, 3.0), v(1.0, 3.0)], 0.1, FREE);
        build.state.bodies[dart].velocity = DVec2::ZERO;
        let mut world = world(build, course, 0.01, Response::ReflectionLcp);
        assert_eq!(world.step().contacts, usize::from(!course));
    }
}

/// A block whose outline begins at its right foot: by arms the left one comes first.
#[test]
fn contacts_come_by_vertex_by_default_and_by_arm_in_the_course() {
    for (course, first) in [(true, -1.0), (false, 1.0)] {
        let mut build = Build::new();
        build.block(v(0.0, 0.0), v(4.0, 1.0), 0.1, FIXED);
        build.outline(&[v(1.0, 1.15), v(-1.0, 1.15), v(-1.0, 4.0), v(1.0, 4.0)], 0.1, FREE);
        let mut world = world(build, course, 1e-9, Response::ReflectionLcp);
        world.step();
        let feet: Vec<f64> = world.touched().iter().map(|t| t.contact.point.x.round()).collect();
        assert_eq!(feet, [first, -first], "course {course}");
    }
}

#[test]
fn an_approach_within_rounding_of_a_large_velocity_is_reflected_in_the_course_only() {
    for response in [Response::ReflectionLcp, Response::ReflectionVelocityProjection] {
        for course in [true, false] {
            let mut build = Build::new();
            build.block(v(0.0, 0.0), v(8.0, 1.0), 0.1, FIXED);
            let sliding = build.block(v(0.0, 2.15), v(1.0, 1.0), 0.1, FREE);
            // 4 roundings of 1000 are 9e-13
            build.state.bodies[sliding].velocity = v(1000.0, -1e-13);
            let mut world = world(build, course, 1e-9, response);
            world.step();
            let rise = world.state().bodies[1].velocity.y;
            // Ours comes to rest there, as what lies does.
            assert_eq!(rise > 0.9e-13, course, "{response:?}: {rise:e}");
            assert!(course || rise.abs() <= 1e-13, "{response:?}: {rise:e}");
        }
    }
}
