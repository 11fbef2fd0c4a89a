//! Bad input gives a clear error, or a documented result with a status.

use crate::build;

use build::{Build, FIXED, FREE, v};
use carom_rigid2d::{
    Anchor, BodyFault, BodyIndex, BodyState, ContactSettings, DVec2, Integrator, Model, ModelError, Motion,
    Path, Placed, PlanarSettings, Pose, Response, Script, Spring, Status, Wind, World,
};

fn settings() -> PlanarSettings {
    let contact = Some(ContactSettings::new(Response::Lcp));
    PlanarSettings { contact, ..PlanarSettings::new(0.01, Integrator::SymplecticEuler) }
}

fn fault(build: Build) -> Option<BodyFault> {
    match World::new(build.model, build.state, settings()) {
        Ok(_) => None,
        Err(ModelError::Body { fault, .. }) => Some(fault),
        Err(other) => panic!("{other}"),
    }
}

fn solid(corners: &[(f64, f64)]) -> Build {
    let corners: Vec<_> = corners.iter().map(|&(x, y)| v(x, y)).collect();
    let mut build = Build::new();
    build.add(Placed::solid(&corners, 1.0, 0.1, FREE), DVec2::ZERO);
    build
}

#[test]
fn degenerate_solid_outlines_are_refused() {
    assert_eq!(fault(solid(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])), None);
    assert_eq!(fault(solid(&[(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)])), None, "either winding is fine");
    assert_eq!(
        fault(solid(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])),
        Some(BodyFault::Mass),
        "collinear: no area"
    );
    assert_eq!(fault(solid(&[(0.0, 0.0), (1.0, 0.0)])), Some(BodyFault::TooFewVertices));
    assert_eq!(
        fault(solid(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)])),
        Some(BodyFault::RepeatedVertex)
    );
    assert_eq!(
        fault(solid(&[(0.0, 0.0), (3.0, 3.0), (3.0, 0.0), (0.0, 2.0)])),
        Some(BodyFault::SelfCrossing)
    );
    assert_eq!(
        fault(solid(&[(0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (1.0, 2.0)])),
        Some(BodyFault::SelfCrossing),
        "an edge that runs back along another"
    );
}

/// A hollow outline may be anything that has an inertia: collinear, self-crossing, with repeated
/// vertices, of either winding.
#[test]
fn hollow_outlines_may_be_degenerate_and_still_step() {
    let outlines: [&[DVec2]; 4] = [
        &[v(0.0, 2.0), v(1.0, 2.0), v(2.0, 2.0)],
        &[v(0.0, 2.0), v(2.0, 2.0)],
        &[v(0.0, 2.0), v(2.0, 4.0), v(2.0, 2.0), v(0.0, 4.0)],
        &[v(0.0, 2.0), v(0.0, 2.0), v(2.0, 2.0), v(2.0, 2.0), v(1.0, 3.0)],
    ];
    for outline in outlines {
        let mut build = Build::gravity(v(0.0, -10.0));
        build.floor(0.0);
        build.outline(outline, 0.1, FREE);
        let wind = Wind { coefficient: 0.1, velocity: v(1.0, 0.0), points_per_edge: 3 };
        build.model.forces.winds.push(wind);
        let mut world = World::new(build.model, build.state, settings()).unwrap();
        for _ in 0..200 {
            let report = world.step();
            assert!(world.state().bodies.iter().all(|b| b.is_finite()), "{outline:?}");
            assert!(report.status <= Status::Stalled, "{outline:?}: {report:?}");
        }
        assert!(world.state().bodies[1].position.y > 0.0, "it lies on the floor: {outline:?}");
    }
}

#[test]
fn every_other_bad_number_is_named() {
    let one = || {
        let mut build = Build::new();
        build.disc(DVec2::ZERO, 1.0, DVec2::ZERO);
        build
    };
    let with = |change: &dyn Fn(&mut Build)| {
        let mut build = one();
        change(&mut build);
        fault(build)
    };
    assert_eq!(with(&|_| ()), None);
    assert_eq!(with(&|b| b.model.bodies[0].mass = 0.0), Some(BodyFault::Mass));
    assert_eq!(with(&|b| b.model.bodies[0].mass = f64::NAN), Some(BodyFault::Mass));
    assert_eq!(with(&|b| b.model.bodies[0].inertia = -1.0), Some(BodyFault::Inertia));
    assert_eq!(with(&|b| b.state.bodies[0].angle = f64::INFINITY), Some(BodyFault::State));
    let nowhere = Script {
        start: Pose::default(),
        path: Path::Uniform { velocity: v(f64::NAN, 0.0), angular_velocity: 0.0 },
    };
    assert_eq!(
        with(&|b| b.model.bodies[0].motion = Motion::Kinematic(Box::new(nowhere.clone()))),
        Some(BodyFault::Script)
    );

    let mut one_place = Build::new();
    one_place.outline(&[v(1.0, 1.0), v(1.0, 1.0)], 0.1, FREE);
    assert_eq!(fault(one_place), Some(BodyFault::Inertia));

    let Build { model, state } = one();
    let no_state = World::new(model.clone(), carom_rigid2d::State::default(), settings()).err();
    assert_eq!(no_state, Some(ModelError::BodyCount { model: 1, state: 0 }));
    let spring = Spring {
        start: Anchor::World(DVec2::ZERO),
        end: Anchor::Body(BodyIndex(7), DVec2::ZERO),
        stiffness: 1.0,
        rest_length: 1.0,
    };
    let mut sprung = model.clone();
    sprung.forces.springs.push(spring);
    let error = World::new(sprung, state.clone(), settings()).err().unwrap();
    assert_eq!(error.to_string(), "spring 0 acts on body 7, which is not there");
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error =
            World::new(model.clone(), state.clone(), PlanarSettings { dt, ..settings() }).err().unwrap();
        assert!(error.to_string().starts_with("dt is"), "{error}");
    }
    for restitution in [-0.1, 1.1, f64::NAN] {
        let contact = Some(ContactSettings { restitution, ..ContactSettings::new(Response::Lcp) });
        assert!(World::new(model.clone(), state.clone(), PlanarSettings { contact, ..settings() }).is_err());
    }
}

#[test]
fn an_empty_world_steps() {
    let mut world = World::new(Model::default(), carom_rigid2d::State::default(), settings()).unwrap();
    assert_eq!(world.step().contacts, 0);
    assert_eq!(world.state().step, 1);
}

#[test]
fn a_fixed_body_feels_no_force_and_a_missing_one_is_no_panic() {
    let mut build = Build::gravity(v(0.0, -10.0));
    build.block(v(0.0, 0.0), v(1.0, 1.0), 0.1, FIXED);
    let before = build.state.bodies.clone();
    let mut world = World::new(build.model, build.state, settings()).unwrap();
    world.apply(BodyIndex(0), v(5.0, 5.0), 3.0);
    world.apply(BodyIndex(9), v(5.0, 5.0), 3.0);
    world.step();
    assert_eq!(world.state().bodies, before);
}

/// Two kinematic walls close on a block: no velocity satisfies both. The step reports it and stays
/// finite.
#[test]
fn contradictory_scripts_are_reported() {
    for response in [Response::Lcp, Response::VelocityProjection] {
        let mut build = Build::new();
        for side in [-1.0, 1.0] {
            let start = Pose { position: v(2.2 * side, 0.0), angle: 0.0 };
            let path = Path::Uniform { velocity: v(-side, 0.0), angular_velocity: 0.0 };
            build.block(
                start.position,
                v(1.0, 1.0),
                0.1,
                Motion::Kinematic(Box::new(Script { start, path })),
            );
        }
        build.block(v(0.0, 0.0), v(1.0, 1.0), 0.1, FREE);
        let contact = Some(ContactSettings::new(response));
        let mut world =
            World::new(build.model, build.state, PlanarSettings { contact, ..settings() }).unwrap();
        let statuses: Vec<_> = (0..20).map(|_| world.step().status).collect();
        assert!(statuses.contains(&Status::Infeasible), "{response:?}: {statuses:?}");
        assert!(world.state().bodies.iter().all(BodyState::is_finite));
    }
}

/// Numbers that run away become infinite and then no number; the step goes on and says that it
/// cannot answer.
#[test]
fn a_run_that_explodes_does_not_panic() {
    for response in [
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
        Response::Impulse,
    ] {
        for penalty in [None, Some(carom_rigid2d::Penalty { stiffness: 1e300, thickness: 1.0 })] {
            let mut build = Build::gravity(v(0.0, -1e305));
            build.floor(0.0);
            build.disc(v(0.0, 0.7), 0.5, DVec2::ZERO);
            build.block(v(0.5, 2.0), v(0.4, 0.4), 0.1, FREE);
            let spring = Spring {
                start: Anchor::Body(BodyIndex(1), v(0.1, 0.0)),
                end: Anchor::Body(BodyIndex(2), v(0.0, 0.3)),
                stiffness: 1e300,
                rest_length: 0.0,
            };
            build.model.forces.springs.push(spring);
            let contact = penalty.is_none().then(|| ContactSettings::new(response));
            let settings = PlanarSettings { contact, penalty, ..settings() };
            let mut world = World::new(build.model, build.state, settings).unwrap();
            for _ in 0..30 {
                world.step();
            }
            assert_eq!(world.state().step, 30);
        }
    }
}

/// The same between elastic walls: the ball would bounce without end at one instant.
#[test]
fn an_elastic_ball_between_closing_walls_ends() {
    let mut build = Build::new();
    for side in [-1.0, 1.0] {
        let start = Pose { position: v(2.1 * side, 0.0), angle: 0.0 };
        let path = Path::Uniform { velocity: v(-side, 0.0), angular_velocity: 0.0 };
        build.block(start.position, v(1.0, 1.0), 0.1, Motion::Kinematic(Box::new(Script { start, path })));
    }
    build.disc(v(0.0, 0.0), 1.0, DVec2::ZERO);
    let contact = Some(ContactSettings::new(Response::ReflectionLcp));
    let mut world = World::new(build.model, build.state, PlanarSettings { contact, ..settings() }).unwrap();
    let report = world.step();
    assert!(report.status >= Status::LimitReached, "{report:?}");
}
