//! Whatever is wrong with a world is reported before it runs; whatever passes runs without panic.

use crate::build;

use build::{Build, body, tower, v};
use carom_rigid3d::{
    Anchor, Body, BodyFault, BodyIndex, ContactSettings, DMat3, DQuat, DVec3, Displacement, Drag, Integrator,
    Keyframe, Load, ModelError, Motion, Orientation, OrientationKind, Path, Placed, Push, Response, Script,
    Shape, SpatialSettings, Spring, Status, World,
};

fn settings() -> SpatialSettings {
    SpatialSettings {
        dt: 0.01,
        integrator: Integrator::SymplecticEuler,
        orientation: OrientationKind::Quaternion,
        contact: Some(ContactSettings::new(Response::Lcp)),
    }
}

fn error(build: Build) -> ModelError {
    World::new(build.model, build.state, settings()).unwrap_err()
}

fn fault_of(body: Body) -> BodyFault {
    let mut build = Build::default();
    build.add(Placed { body, center: DVec3::ZERO }, DVec3::ZERO);
    match error(build) {
        ModelError::Body { body: 0, fault } => fault,
        other => panic!("{other}"),
    }
}

#[test]
fn bodies() {
    let ball = |radius: f64| Shape::Sphere { radius };
    let unit = DMat3::IDENTITY;
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(fault_of(Body::new(mass, unit, ball(1.0), Motion::Free)), BodyFault::Mass);
    }
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(fault_of(Body::new(1.0, unit, ball(radius), Motion::Free)), BodyFault::Radius);
    }
    let zero = DMat3::ZERO;
    let flat = DMat3::from_diagonal(v(1.0, 0.0, 1.0));
    let negative = DMat3::from_diagonal(v(1.0, -1.0, -1.0));
    let twisted = DMat3::from_cols(DVec3::X, v(0.5, 1.0, 0.0), DVec3::Z);
    let huge = DMat3::from_diagonal(v(1.0, f64::INFINITY, 1.0));
    for inertia in [zero, flat, negative, twisted, huge, unit * f64::NAN] {
        assert_eq!(fault_of(Body::new(1.0, inertia, ball(1.0), Motion::Free)), BodyFault::Inertia);
    }
    let slab = |normal, motion| Body::new(1.0, unit, Shape::HalfSpace { normal }, motion);
    assert_eq!(fault_of(slab(v(0.0, 0.0, 2.0), Motion::Fixed)), BodyFault::Normal);
    assert_eq!(fault_of(slab(DVec3::ZERO, Motion::Fixed)), BodyFault::Normal);
    assert_eq!(fault_of(slab(DVec3::Z, Motion::Free)), BodyFault::FreeHalfSpace);
    let away = carom_rigid3d::Polyhedron::cuboid(DVec3::ONE).unwrap().moved(v(5.0, 0.0, 0.0));
    assert_eq!(fault_of(Body::new(1.0, unit, Shape::Polyhedron(away), Motion::Free)), BodyFault::Center);
}

#[test]
fn scripts() {
    let script = |path, orientation| Motion::Kinematic(Script { position: DVec3::ZERO, orientation, path });
    let bad = Displacement { translation: v(f64::NAN, 0.0, 0.0), rotation: DVec3::ZERO };
    let key = |time| Keyframe { time, displacement: Displacement::default() };
    let identity = DQuat::IDENTITY;
    for motion in [
        script(Path::Uniform(bad), identity),
        script(Path::Keyframes(vec![key(1.0), key(1.0)]), identity),
        script(Path::Uniform(Displacement::default()), identity * 2.0),
        script(Path::Oscillation { amplitude: bad, rate: 1.0, phase: 0.0 }, identity),
    ] {
        let body = Body::new(1.0, DMat3::IDENTITY, Shape::Sphere { radius: 1.0 }, motion);
        assert_eq!(fault_of(body), BodyFault::Script);
    }
}

#[test]
fn states() {
    let broken = |change: &dyn Fn(&mut carom_rigid3d::BodyState)| {
        let mut build = tower(1);
        change(&mut build.state.bodies[1]);
        error(build)
    };
    let expected = ModelError::Body { body: 1, fault: BodyFault::State };
    assert_eq!(broken(&|s| s.position.x = f64::NAN), expected);
    assert_eq!(broken(&|s| s.momentum.y = f64::INFINITY), expected);
    assert_eq!(broken(&|s| s.angular_momentum.z = f64::NAN), expected);
    assert_eq!(
        broken(&|s| s.orientation = Orientation::Quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))),
        expected
    );
    assert_eq!(broken(&|s| s.orientation = Orientation::Matrix(DMat3::ZERO)), expected);
    let mirror = DMat3::from_diagonal(v(-1.0, 1.0, 1.0));
    assert_eq!(broken(&|s| s.orientation = Orientation::Matrix(mirror)), expected);
    let mut build = tower(1);
    build.state.bodies.pop();
    assert_eq!(error(build), ModelError::BodyCount { model: 2, state: 1 });
}

#[test]
fn forces() {
    let with = |change: &dyn Fn(&mut carom_rigid3d::Forces)| {
        let mut build = tower(1);
        change(&mut build.model.forces);
        error(build)
    };
    let spring =
        |end, stiffness| Spring { start: Anchor::World(DVec3::ZERO), end, stiffness, rest_length: 1.0 };
    let there = Anchor::Body(BodyIndex(1), DVec3::ZERO);
    let nowhere = Anchor::Body(BodyIndex(7), DVec3::ZERO);
    assert!(matches!(
        with(&|f| f.gravities.push(v(0.0, f64::NAN, 0.0))),
        ModelError::Value { name: "gravity", .. }
    ));
    assert_eq!(
        with(&|f| f.springs.push(spring(nowhere, 1.0))),
        ModelError::NoSuchBody { name: "spring", index: 0, body: 7 }
    );
    assert!(matches!(with(&|f| f.springs.push(spring(there, f64::NAN))), ModelError::Value { .. }));
    assert!(matches!(with(&|f| f.drags.push(Drag { linear: -1.0, angular: 0.0 })), ModelError::Value { .. }));
    let push = Push { body: BodyIndex(2), load: Load::default() };
    assert_eq!(with(&|f| f.pushes.push(push)), ModelError::NoSuchBody { name: "push", index: 0, body: 2 });
}

#[test]
fn values_of_settings() {
    let with = |change: &dyn Fn(&mut SpatialSettings)| {
        let (build, mut settings) = (tower(1), settings());
        change(&mut settings);
        match World::new(build.model, build.state, settings).unwrap_err() {
            ModelError::Value { name, .. } => name,
            other => panic!("{other}"),
        }
    };
    let contact = |change: fn(&mut ContactSettings)| {
        with(&|s: &mut SpatialSettings| {
            let mut contact = ContactSettings::new(Response::Lcp);
            change(&mut contact);
            s.contact = Some(contact);
        })
    };
    assert_eq!(with(&|s| s.dt = 0.0), "dt");
    assert_eq!(with(&|s| s.dt = f64::INFINITY), "dt");
    assert_eq!(
        with(&|s| s.integrator = Integrator::DormandPrince { tolerance: 0.0 }),
        "tolerance of the integrator"
    );
    assert_eq!(contact(|c| c.restitution = 1.1), "restitution");
    assert_eq!(contact(|c| c.friction = f64::NAN), "friction");
    assert_eq!(contact(|c| c.contact_tolerance = 1.0), "contact tolerance");
    assert_eq!(contact(|c| c.contact_tolerance = -1.0), "contact tolerance");
    let message =
        World::new(tower(1).model, tower(1).state, SpatialSettings { dt: -1.0, ..settings() }).unwrap_err();
    assert_eq!(message.to_string(), "dt is -1; it must be finite and above 0");
}

/// A gram on a ton, a ton on a gram, deep overlap, and velocities that leave the numbers: a status
/// or a state, never a panic.
#[test]
fn hard_worlds_run() {
    for response in [Response::Lcp, Response::VelocityProjection, Response::ReflectionLcp] {
        let mut heavy_above = Build::on_floor();
        heavy_above.add(
            Placed::cuboid(v(0.0, 0.0, 0.5), v(0.5, 0.5, 0.5), 1e-3, Motion::Free).unwrap(),
            DVec3::ZERO,
        );
        heavy_above
            .add(Placed::cuboid(v(0.0, 0.0, 1.5), v(0.5, 0.5, 0.5), 1e3, Motion::Free).unwrap(), DVec3::ZERO);
        let mut world = heavy_above.world(0.01, response);
        for _ in 0..50 {
            world.step();
        }
        assert!(world.state().bodies.iter().all(|s| s.is_finite()));

        let mut deep = Build::on_floor();
        for k in 0..6 {
            let cube = deep.cuboid(v(0.1 * f64::from(k), 0.05, 0.3), v(0.5, 0.5, 0.5), Motion::Free);
            deep.turn(cube, v(0.1 * f64::from(k), 0.3, 0.0), DVec3::ZERO, DVec3::ZERO);
        }
        let mut world = deep.world(0.01, response);
        for _ in 0..50 {
            world.step();
        }
        assert!(world.state().bodies.iter().all(|s| s.is_finite()), "{response:?}");
    }
    let mut build = tower(2);
    build.turn(1, DVec3::ZERO, v(0.0, 0.0, 1e200), v(1e200, 1e200, 0.0));
    let mut world = build.world(0.01, Response::Lcp);
    let mut worst = Status::Solved;
    for _ in 0..5 {
        worst = worst.max(world.step().status);
    }
    assert!(worst > Status::Solved || world.state().bodies.iter().all(|s| s.is_finite()));
}

#[test]
fn empty_worlds_and_forces_on_nobody() {
    let mut world = Build::default().world(0.01, Response::Lcp);
    world.step();
    world.apply(body(3), DVec3::ONE, DVec3::ONE);
    world.step();
    assert_eq!(world.velocity(body(3)), DVec3::ZERO);
    assert_eq!(world.time(), 0.02);
}

#[test]
fn forces_from_outside_last_one_step() {
    let mut build = Build::default();
    build.ball(DVec3::ZERO, 1.0, DVec3::ZERO);
    let mut world = build.world(0.5, Response::Lcp);
    world.apply(body(0), v(2.0, 0.0, 0.0), v(0.0, 0.0, 4.0));
    world.apply(body(0), v(0.0, 4.0, 0.0), DVec3::ZERO);
    for _ in 0..2 {
        world.step();
        assert_eq!(world.velocity(body(0)), v(1.0, 2.0, 0.0));
        assert!((world.angular_velocity(body(0)) - v(0.0, 0.0, 5.0)).length() < 1e-14);
    }
}

/// A million steps of the adaptive method on what oscillates, again for each impact, would take
/// hours: the flight is taken once.
#[test]
fn a_step_of_the_adaptive_method_ends_whatever_oscillates() {
    let mut build = Build::on_floor();
    let stiff = build.ball(v(5.0, 0.0, 9.0), 0.5, DVec3::ZERO);
    build.ball(v(0.0, 0.0, 0.505), 0.5, v(0.0, 0.0, -1.0));
    let start = Anchor::Body(body(stiff), v(0.0, 0.0, 0.3));
    let end = Anchor::World(v(5.0, 1.0, 11.0));
    build.model.forces.springs.push(Spring { start, end, stiffness: 1e20, rest_length: 1.0 });
    let contact = ContactSettings::with_restitution(Response::Lcp, 0.5);
    let mut world = build.stepped_by(0.01, Integrator::DormandPrince { tolerance: 1e-9 }, contact);
    let report = world.step();
    assert!(world.advanced().inaccurate && report.impacts > 0, "{report:?}");
    let own_steps = world.advanced().own_steps;
    assert!(own_steps > 50_000 && own_steps < 250_000, "{own_steps}");
}
