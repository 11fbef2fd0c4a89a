//! Steps that fail report it and leave a finite state; models that make no sense are refused; runs
//! resume exactly.

use carom_numerics::elementary::cbrt;
use carom_particles::force::{Drag, Gravitation, SimpleGravity, Spring, Vortex};
use carom_particles::{
    AdaptiveSettings, Edge, HalfPlane, IntegrationStatus, Integrator, Model, ModelError, NewtonSettings,
    Particle, ParticleIndex, ParticleSettings, State, World,
};
use glam::DVec2;

const FIRST: ParticleIndex = ParticleIndex(0);
const SECOND: ParticleIndex = ParticleIndex(1);

fn particles(masses: &[f64]) -> Model {
    let particle = |&mass: &f64| Particle { mass, radius: 0.1, fixed: false };
    Model { particles: masses.iter().map(particle).collect(), ..Model::default() }
}

fn settings(integrator: Integrator, time_step: f64) -> ParticleSettings {
    ParticleSettings { integrator, ..ParticleSettings::with_time_step(time_step) }
}

/// A light body falls straight at a heavy fixed one, predicted to be at distance `predicted` after
/// one step.
fn infall(predicted: f64) -> World {
    let mut model = particles(&[100.0, 1.0]);
    model.particles[0].fixed = true;
    model.forces.gravitations.push(Gravitation { first: FIRST, second: SECOND, constant: 0.01 });
    let start = DVec2::new(0.6, 0.8);
    let velocity = (predicted - 1.0) / 0.02 * start;
    let state = State::new(vec![DVec2::ZERO, start], vec![DVec2::ZERO, velocity]);
    World::new(model, state, settings(Integrator::ImplicitEuler, 0.02)).unwrap()
}

/// Implicit Euler asks for r with r + h² μ / r² = r*, where r* is the predicted distance and μ = G
/// M. The left side is never below 3 (h² μ / 4)^⅓: nearer than that there is no solution and plain
/// Newton cycles for ever.
#[test]
fn a_close_encounter_without_a_solution_is_reported_and_ends() {
    let nearest = 3.0 * cbrt(0.02 * 0.02 / 4.0);
    let mut world = infall(1.001 * nearest);
    let report = world.step();
    assert_eq!(report.status, IntegrationStatus::Completed);
    let r = world.state().positions[1].length();
    assert!((r + 0.02 * 0.02 / (r * r) - 1.001 * nearest).abs() < 1e-9, "the equation holds");

    for predicted in [0.999 * nearest, 0.5 * nearest, 0.1 * nearest] {
        let mut world = infall(predicted);
        let report = world.step();
        let IntegrationStatus::NotConverged { residual } = report.status else { panic!("{report:?}") };
        assert!(residual > 0.0 && residual == report.residual);
        assert!(report.taken && world.state().step == 1);
        assert_eq!(world.state().first_non_finite(), None);
        let NewtonSettings { plain_iterations, damped_iterations, .. } = NewtonSettings::default();
        assert!(report.iterations <= plain_iterations + 2 * damped_iterations);
    }
}

/// Three springs folding over: a thousand full Newton steps find nothing, the later attempts do.
/// The path of the full steps is chaotic, so the numbers are given to the last digit.
fn folding(newton: NewtonSettings) -> (World, IntegrationStatus) {
    let mut model = particles(&[1.0; 3]);
    model.particles[0].fixed = true;
    for (first, second) in [(0, 1), (1, 2), (0, 2)] {
        let (first, second) = (ParticleIndex(first), ParticleIndex(second));
        model.forces.springs.push(Spring { first, second, stiffness: 100.0, rest_length: 1.0, damping: 0.0 });
    }
    let state = State::new(
        vec![DVec2::ZERO, DVec2::new(1.0, 0.0), DVec2::new(0.5, 0.9)],
        vec![DVec2::ZERO, DVec2::new(-6.7, 1.5), DVec2::new(-0.3000000000000007, 1.8000000000000007)],
    );
    let settings = ParticleSettings { newton, ..settings(Integrator::ImplicitEuler, 0.1) };
    let mut world = World::new(model, state, settings).unwrap();
    let status = world.step().status;
    (world, status)
}

#[test]
fn the_line_search_rescues_newton() {
    let plain = NewtonSettings { plain_iterations: 1000, damped_iterations: 0, ..NewtonSettings::default() };
    let (_, status) = folding(plain);
    assert!(matches!(status, IntegrationStatus::NotConverged { .. }), "{status:?}");
    let (world, status) = folding(NewtonSettings::default());
    assert_eq!(status, IntegrationStatus::Completed);
    assert_eq!(world.state().first_non_finite(), None);
}

/// Two bodies at the same place attract each other with infinite force.
#[test]
fn a_state_that_is_not_finite_names_the_particle_and_is_not_kept() {
    let mut model = particles(&[1.0, 1.0, 1.0]);
    let (first, second) = (SECOND, ParticleIndex(2));
    model.forces.gravitations.push(Gravitation { first, second, constant: 1.0 });
    let state = State::new(vec![DVec2::ZERO, DVec2::ONE, DVec2::ONE], vec![DVec2::X; 3]);
    for integrator in
        [Integrator::ExplicitEuler, Integrator::VelocityVerlet, Integrator::LinearizedImplicitEuler]
    {
        let mut world = World::new(model.clone(), state.clone(), settings(integrator, 0.1)).unwrap();
        let report = world.step();
        assert!(matches!(report.status, IntegrationStatus::NonFinite { .. }), "{integrator:?}: {report:?}");
        assert!(!report.taken);
        assert_eq!(world.state(), &state, "{integrator:?}");
    }
    let course = ParticleSettings { course: true, ..settings(Integrator::ExplicitEuler, 0.1) };
    let mut world = World::new(model, state, course).unwrap();
    let report = world.step();
    assert_eq!(report.status, IntegrationStatus::NonFinite { particle: SECOND });
    assert!(report.taken && world.state().step == 1 && world.state().velocities[1].is_nan());
}

#[test]
fn an_adaptive_method_without_substeps_left_gives_up_and_stays() {
    let mut model = particles(&[1.0, 1.0]);
    model.forces.gravitations.push(Gravitation { first: FIRST, second: SECOND, constant: 1.0 });
    // They fall straight into each other.
    let state = State::new(vec![DVec2::ZERO, DVec2::X], vec![DVec2::ZERO; 2]);
    let integrator = Integrator::DormandPrince { relative_tolerance: 1e-10, absolute_tolerance: 1e-10 };
    let adaptive = AdaptiveSettings { max_substeps: 50 };
    let settings = ParticleSettings { adaptive, ..settings(integrator, 2.0) };
    let mut world = World::new(model, state.clone(), settings).unwrap();
    let report = world.step();
    let IntegrationStatus::SubstepsExhausted { elapsed } = report.status else { panic!("{report:?}") };
    assert!(elapsed > 0.0 && elapsed < 2.0 && !report.taken);
    assert_eq!(world.state(), &state);
}

/// A run that goes on from a stored state gives the same bits, also in another world.
#[test]
fn resuming_gives_the_same_bits() {
    let mut model = particles(&[1.0, 2.0, 0.5, 1.5]);
    for (first, second) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        let (first, second) = (ParticleIndex(first), ParticleIndex(second));
        model.forces.springs.push(Spring { first, second, stiffness: 50.0, rest_length: 0.7, damping: 0.3 });
    }
    model.forces.vortices.push(Vortex { first: FIRST, second: SECOND, biot_savart: 1.0, viscosity: 0.2 });
    model.forces.drags.push(Drag { coefficient: 0.1 });
    model.forces.gravities.push(SimpleGravity { acceleration: DVec2::NEG_Y });
    let corners = vec![DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
    let state = State::new(corners, vec![DVec2::new(0.1, 0.3); 4]);
    for integrator in [
        Integrator::SymplecticEuler,
        Integrator::LinearizedImplicitEuler,
        Integrator::ImplicitEuler,
        Integrator::VelocityVerlet,
        Integrator::RungeKutta4,
        Integrator::DormandPrince { relative_tolerance: 1e-9, absolute_tolerance: 1e-9 },
    ] {
        let start = || World::new(model.clone(), state.clone(), settings(integrator, 0.05)).unwrap();
        let mut unbroken = start();
        (0..5).for_each(|_| assert!(unbroken.step().status.is_completed()));
        let stored = unbroken.state().clone();
        (0..5).for_each(|_| assert!(unbroken.step().status.is_completed()));
        let mut resumed = start();
        resumed.set_state(&stored).unwrap();
        (0..5).for_each(|_| assert!(resumed.step().status.is_completed()));
        assert_eq!(resumed.state(), unbroken.state(), "{integrator:?}");
        assert_eq!(resumed.time(), 0.5);
    }
}

#[test]
fn the_course_has_no_implicit_vortex() {
    let mut model = particles(&[1.0, 1.0]);
    assert!(model.course_supports(Integrator::ImplicitEuler));
    model.forces.vortices.push(Vortex { first: FIRST, second: SECOND, biot_savart: 1.0, viscosity: 1.0 });
    assert!(!model.course_supports(Integrator::ImplicitEuler));
    assert!(!model.course_supports(Integrator::LinearizedImplicitEuler));
    assert!(model.course_supports(Integrator::SymplecticEuler));
}

#[test]
fn an_empty_world_steps() {
    for integrator in [Integrator::ExplicitEuler, Integrator::ImplicitEuler, Integrator::RungeKutta4] {
        let mut world = World::new(Model::default(), State::default(), settings(integrator, 0.1)).unwrap();
        assert!(world.step().status.is_completed());
        assert_eq!(world.state().step, 1);
    }
}

fn refusal(change: impl FnOnce(&mut Model, &mut State, &mut ParticleSettings)) -> ModelError {
    let mut model = particles(&[1.0, 1.0]);
    let mut state = State::new(vec![DVec2::ZERO, DVec2::X], vec![DVec2::ZERO; 2]);
    let mut settings = settings(Integrator::ExplicitEuler, 0.1);
    change(&mut model, &mut state, &mut settings);
    World::new(model, state, settings).expect_err("it makes no sense")
}

#[test]
fn indices_out_of_range_are_refused() {
    let far = ParticleIndex(2);
    let spring = Spring { first: FIRST, second: far, stiffness: 1.0, rest_length: 1.0, damping: 0.0 };
    let error = refusal(|model, _, _| model.forces.springs.push(spring));
    assert_eq!(error, ModelError::NoSuchParticle { item: "spring", index: 0, particle: far, count: 2 });
    assert_eq!(error.to_string(), "spring 0 names particle 2, but there are 2 particles");
    let edge = Edge { start: far, end: FIRST, radius: 0.1 };
    assert!(matches!(
        refusal(|model, _, _| model.edges.push(edge)),
        ModelError::NoSuchParticle { item: "edge", .. }
    ));
    let same = Spring { second: FIRST, ..spring };
    let error = refusal(|model, _, _| model.forces.springs.push(same));
    assert_eq!(error, ModelError::SameParticle { item: "spring", index: 0 });
}

#[test]
fn numbers_out_of_range_are_refused() {
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refusal(|model, _, _| model.particles[1].mass = mass);
        assert_eq!(error, ModelError::BadNumber { item: "particle", index: 1, quantity: "mass" });
    }
    let error = refusal(|_, state, _| state.velocities[1].y = f64::NAN);
    assert!(matches!(error, ModelError::BadNumber { index: 1, .. }));
    let error = refusal(|_, state, _| state.positions.push(DVec2::ZERO));
    assert_eq!(error, ModelError::WrongLength { quantity: "positions", found: 3, expected: 2 });
    for dt in [0.0, -0.1, f64::NAN] {
        let error = refusal(|_, _, settings| settings.time_step = dt);
        assert_eq!(error, ModelError::BadSetting { setting: "time step" });
    }
    for tolerance in [0.0, -1.0, f64::NAN] {
        let error = refusal(|_, _, settings| {
            settings.integrator =
                Integrator::DormandPrince { relative_tolerance: tolerance, absolute_tolerance: 0.0 };
        });
        assert_eq!(error, ModelError::BadSetting { setting: "tolerance" });
    }
    let flat = HalfPlane { point: DVec2::ZERO, normal: DVec2::ZERO, velocity: DVec2::ZERO };
    let error = refusal(|model, _, _| model.half_planes.push(flat));
    assert!(matches!(error, ModelError::BadNumber { item: "half-plane", .. }));
    let drag = Drag { coefficient: f64::INFINITY };
    assert!(matches!(refusal(|model, _, _| model.forces.drags.push(drag)), ModelError::BadNumber { .. }));
}
