//! Inputs on which the course's program hangs, crashes or writes NaN.

use crate::build;

use build::{Build, FIXED, FREE, v};
use carom_rigid2d::{
    Anchor, BodyIndex, ContactSettings, DVec2, Integrator, Motion, Path, PlanarSettings, Pose, Response,
    Script, Spring, Status, World,
};

const ALL: [Response; 4] = [
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];

fn course_world(build: Build, dt: f64, response: Response) -> World {
    let contact = Some(ContactSettings::new(response));
    let settings =
        PlanarSettings { contact, course: true, ..PlanarSettings::new(dt, Integrator::SymplecticEuler) };
    World::new(build.model, build.state, settings).unwrap()
}

fn is_finite(world: &World) -> bool {
    world.state().bodies.iter().all(|body| body.is_finite())
}

/// Flat bodies with more feet than they need: NaN or no return in the course's `lcp`.
#[test]
fn redundant_feet_under_lcp_rest_as_under_velocity_projection() {
    for feet in [5, 9, 17] {
        for uneven in [0.0, 0.11] {
            let build = || {
                let mut build = Build::gravity(v(0.0, -9.81));
                build.floor(0.0);
                let mut outline: Vec<_> = (0..feet)
                    .map(|k| {
                        let k = f64::from(k);
                        v(k + uneven * k * k / f64::from(feet), 0.15)
                    })
                    .collect();
                outline.push(v(f64::from(feet) / 2.0, 2.0));
                build.outline(&outline, 0.1, FREE);
                build
            };
            let mut by_lcp = course_world(build(), 0.01, Response::Lcp);
            let mut by_projection = course_world(build(), 0.01, Response::VelocityProjection);
            for step in 0..200 {
                let report = by_lcp.step();
                assert_eq!(report.status, Status::Solved, "step {step}: {report:?}");
                by_projection.step();
                let [a, b] = [&by_lcp, &by_projection].map(|world| world.state().bodies[1]);
                assert!((a.velocity - b.velocity).length() < 1e-9, "{feet} feet, step {step}: {a:?} {b:?}");
                assert!((a.angular_velocity - b.angular_velocity).abs() < 1e-9);
            }
        }
    }
}

/// Approach below the quadratic program's own tolerance: the course's `gr-velocity-projection`
/// never returns.
#[test]
fn approach_of_a_ten_billionth_of_a_millimetre_a_second_ends() {
    for response in [Response::ReflectionLcp, Response::ReflectionVelocityProjection] {
        for approach in [1e-15, 1.01e-14, 1e-13, 3e-13, 1e-10] {
            for course in [false, true] {
                let mut build = Build::new();
                build.outline(&[v(-1.0, 1.15), v(1.0, 1.15), v(0.0, 3.0)], 0.1, FREE);
                build.block(v(0.0, 0.0), v(2.0, 1.0), 0.1, FIXED);
                build.state.bodies[0].velocity = v(0.0, -approach);
                let mut world =
                    if course { course_world(build, 0.01, response) } else { build.world(0.01, response) };
                let report = world.step();
                // Ours reports an impact and the contact that may last after it.
                assert!(report.contacts == 2 || !course && report.contacts == 4, "{report:?}");
                assert!(
                    matches!(report.status, Status::Solved | Status::Stalled),
                    "{approach:e}: {report:?}"
                );
                let speed = world.state().bodies[0].velocity.y;
                let expected = if approach > 1e-14 { approach } else { -approach };
                assert!((speed - expected).abs() < 1e-14, "{approach:e} became {speed:e}");
            }
        }
    }
}

/// A vertex exactly on an edge has no direction in the course: NaN under `lcp`. We hold it on the
/// side of its body.
#[test]
fn a_vertex_exactly_on_an_edge_stops() {
    for response in ALL {
        let build = || {
            let mut build = Build::new();
            build.block(v(0.0, 0.0), v(4.0, 1.0), 0.1, FIXED);
            let dart = build.outline(&[v(0.0, 1.0), v(-1.0, 3.0), v(1.0, 3.0)], 0.1, FREE);
            build.state.bodies[dart].velocity = v(0.0, -1.0);
            build
        };
        let mut world = build().world(1e-12, response);
        world.step();
        assert!(world.state().bodies[1].velocity.y > -1e-9, "{response:?}");
        let mut course = course_world(build(), 1e-12, response);
        course.step();
        assert!(is_finite(&course), "{response:?}");
    }
}

/// Contact among fixed bodies only: the course's `velocity-projection` crashes.
#[test]
fn fixed_bodies_that_overlap_are_left_alone() {
    for response in ALL {
        for course in [false, true] {
            let mut build = Build::new();
            build.block(v(0.0, 0.0), v(1.0, 1.0), 0.1, FIXED);
            build.block(v(1.5, 0.5), v(1.0, 1.0), 0.1, FIXED);
            build.state.bodies[0].velocity = v(1.0, 0.0);
            let before = build.state.clone();
            let mut world =
                if course { course_world(build, 0.01, response) } else { build.world(0.01, response) };
            let report = world.step();
            assert_eq!((report.contacts, report.status), (0, Status::Solved));
            assert_eq!(world.state().bodies, before.bodies);
        }
    }
}

/// A cluster squeezed by springs: hangs in the course's `gr-velocity-projection` and `lcp`.
#[test]
fn spring_loaded_clusters_go_on() {
    for response in ALL {
        for course in [false, true] {
            let mut build = Build::new();
            for (x, y) in hexagon(2) {
                twelve_gon(&mut build, v(x, y));
            }
            let count = build.model.bodies.len() as u32;
            build.model.forces.springs.extend((1..count).map(|k| Spring {
                start: Anchor::Body(BodyIndex(0), DVec2::ZERO),
                end: Anchor::Body(BodyIndex(k), DVec2::ZERO),
                stiffness: 50.0,
                rest_length: 0.0,
            }));
            let mut world =
                if course { course_world(build, 0.005, response) } else { build.world(0.005, response) };
            for step in 0..100 {
                let report = world.step();
                assert!(is_finite(&world), "{response:?} step {step}");
                assert!(report.status <= Status::Stalled, "{response:?} step {step}: {report:?}");
            }
        }
    }
}

fn hexagon(rings: i32) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0)];
    for q in -rings..=rings {
        for r in -rings..=rings {
            if (q, r) != (0, 0) && (q + r).abs() <= rings {
                places.push((2.0 * (f64::from(q) + 0.5 * f64::from(r)), 3f64.sqrt() * f64::from(r)));
            }
        }
    }
    places
}

fn twelve_gon(build: &mut Build, center: DVec2) -> usize {
    let corners: Vec<_> = (0..12)
        .map(|k| {
            let (sin, cos) =
                carom_numerics::elementary::sin_cos(std::f64::consts::PI * (f64::from(k) + 0.5) / 6.0);
            center + 0.91 * v(cos, sin)
        })
        .collect();
    build.outline(&corners, 0.12, FREE)
}

/// A spring without length but with a rest length has no direction: NaN in the course, no pull
/// here.
#[test]
fn a_spring_without_length_pulls_nothing() {
    let mut build = Build::new();
    build.disc(v(1.0, 2.0), 0.5, DVec2::ZERO);
    build.model.forces.springs.push(Spring {
        start: Anchor::World(v(1.0, 2.0)),
        end: Anchor::Body(BodyIndex(0), DVec2::ZERO),
        stiffness: 10.0,
        rest_length: 1.0,
    });
    let mut world = build.world(0.01, Response::Lcp);
    world.step();
    assert_eq!(world.state().bodies[0].velocity, DVec2::ZERO);
}

/// Three boxes on a ramp: the course's `lcp` does not return.
#[test]
fn boxes_on_a_ramp_slide_on() {
    let mut build = Build::gravity(v(0.0, -9.81));
    build.floor(-0.4);
    let turn = carom_rigid2d::rotation::Rotation::by(-0.4);
    for k in 0..3 {
        let body = build.block(v(0.0, 0.0), v(0.4, 0.4), 0.1, FREE);
        build.state.bodies[body].position = turn.apply(v(0.0, 0.55 + 1.05 * f64::from(k)));
        build.state.bodies[body].angle = -0.4;
    }
    let mut world = course_world(build, 0.01, Response::Lcp);
    for step in 0..600 {
        let report = world.step();
        assert!(report.status == Status::Solved && is_finite(&world), "step {step}: {report:?}");
    }
}

/// A ball that just fits between two walls and moves towards one: elastically it is thrown from
/// wall to wall without end. This used to take ten million sweeps and then leave the ball moving
/// into a wall. The contacts across answer without bounce; what is along the walls is kept.
#[test]
fn a_ball_that_just_fits_between_two_walls_ends() {
    for response in ALL {
        let mut build = Build::new();
        build.block(v(0.0, 2.0), v(100.0, 0.9), 0.1, FIXED);
        build.block(v(0.0, -2.0), v(100.0, 0.9), 0.1, FIXED);
        build.disc(v(0.0, 0.0), 1.0, v(3.0, 1.0));
        build.disc(v(2.5, 0.0), 1.0, DVec2::ZERO);
        let contact = ContactSettings::with_restitution(response, 1.0);
        let mut world = build.with(0.01, contact);
        for step in 0..40 {
            let report = world.step();
            assert!(
                report.status <= Status::LimitReached && report.sweeps < 10_000,
                "{response:?}: {report:?}"
            );
            assert!(report.residual.penetration_speed < 1e-9, "{response:?}, step {step}: {report:?}");
        }
        // The first ball hit the second one in the meantime: elastically, along the walls.
        let [first, second] = [2, 3].map(|k| world.state().bodies[k].velocity);
        assert!(
            first.length() < 1e-9 && (second - v(3.0, 0.0)).length() < 1e-9,
            "{response:?}: {first} {second}"
        );
    }
}

/// Two walls close on a ball: no velocity satisfies both. Generalized Reflection used to end at ten
/// million metres a second.
#[test]
fn walls_that_close_on_an_elastic_ball_leave_it_slow() {
    for response in [Response::ReflectionLcp, Response::ReflectionVelocityProjection] {
        let mut build = Build::new();
        for side in [-1.0, 1.0] {
            let start = Pose { position: v(0.0, 2.0 * side), angle: 0.0 };
            let path = Path::Uniform { velocity: v(0.0, -side), angular_velocity: 0.0 };
            build.block(
                start.position,
                v(100.0, 0.9),
                0.1,
                Motion::Kinematic(Box::new(Script { start, path })),
            );
        }
        build.disc(v(0.0, 0.0), 1.0, v(3.0, 0.5));
        let mut world = build.with(0.01, ContactSettings::new(response));
        let report = world.step();
        assert_eq!(report.status, Status::Infeasible, "{response:?}: {report:?}");
        assert!(report.sweeps < 10_000, "{response:?}: {report:?}");
        assert!(
            world.state().bodies[2].velocity.length() < 5.0,
            "{response:?}: {:?}",
            world.state().bodies[2]
        );
    }
}
