//! Motions with a known formula, and the measured order of every method.

use carom_numerics::elementary::{cos, exp, ln, sin};
use carom_particles::force::{Constant, Drag, Gravitation, SimpleGravity, Spring};
use carom_particles::{Integrator, Model, Particle, ParticleIndex, ParticleSettings, State, World};
use glam::DVec2;

const FIRST: ParticleIndex = ParticleIndex(0);
const SECOND: ParticleIndex = ParticleIndex(1);

/// Tight enough that its error is far below the others'; loose enough to be reached.
const ADAPTIVE: Integrator =
    Integrator::DormandPrince { relative_tolerance: 1e-12, absolute_tolerance: 1e-12 };

const ALL: [Integrator; 7] = [
    Integrator::ExplicitEuler,
    Integrator::SymplecticEuler,
    Integrator::LinearizedImplicitEuler,
    Integrator::ImplicitEuler,
    Integrator::VelocityVerlet,
    Integrator::RungeKutta4,
    ADAPTIVE,
];

fn particle(mass: f64, fixed: bool) -> Particle {
    Particle { mass, radius: 0.0, fixed }
}

fn world(model: &Model, state: &State, integrator: Integrator, time_step: f64) -> World {
    let settings = ParticleSettings { integrator, ..ParticleSettings::with_time_step(time_step) };
    World::new(model.clone(), state.clone(), settings).unwrap()
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        let report = world.step();
        assert!(report.status.is_completed(), "{report:?}");
    }
}

/// A mass on a spring with a fixed end, moving along the spring: x″ = −k (x − 1) − b x′, with k =
/// m.
fn oscillator(damping: f64) -> (Model, State) {
    let mut model = Model { particles: vec![particle(1.0, true), particle(2.0, false)], ..Model::default() };
    let stiffness = 2.0;
    model.forces.springs.push(Spring { first: FIRST, second: SECOND, stiffness, rest_length: 1.0, damping });
    (model, State::new(vec![DVec2::ZERO, DVec2::new(1.5, 0.0)], vec![DVec2::ZERO; 2]))
}

/// Distance from rest of [`oscillator`] at time t: ½ e^{−γt} (cos ωt + γ/ω sin ωt), with γ = b /
/// 2m.
fn oscillation(damping: f64, t: f64) -> f64 {
    let gamma = damping / 4.0;
    let omega = (1.0 - gamma * gamma).sqrt();
    0.5 * exp(-gamma * t) * (cos(omega * t) + gamma / omega * sin(omega * t))
}

/// Error of the damped oscillator's position at t = 2 with the given number of steps.
fn oscillator_error(integrator: Integrator, damping: f64, steps: usize) -> f64 {
    let (model, state) = oscillator(damping);
    let mut world = world(&model, &state, integrator, 2.0 / steps as f64);
    run(&mut world, steps);
    (world.state().positions[1].x - 1.0 - oscillation(damping, 2.0)).abs()
}

#[test]
fn orders_of_convergence() {
    for damping in [0.0, 1.0] {
        for (integrator, order) in [
            (Integrator::ExplicitEuler, 1.0),
            (Integrator::SymplecticEuler, 1.0),
            (Integrator::LinearizedImplicitEuler, 1.0),
            (Integrator::ImplicitEuler, 1.0),
            (Integrator::VelocityVerlet, 2.0),
            (Integrator::RungeKutta4, 4.0),
        ] {
            let (coarse, fine) =
                (oscillator_error(integrator, damping, 64), oscillator_error(integrator, damping, 256));
            let measured = ln(coarse / fine) / ln(4.0);
            assert!((measured - order).abs() < 0.15, "{integrator:?}, damping {damping}: order {measured}");
        }
    }
}

/// With tolerances so loose that every substep is a whole time step, the fifth order shows.
#[test]
fn dormand_prince_is_of_order_five() {
    let loose = Integrator::DormandPrince { relative_tolerance: 0.0, absolute_tolerance: 1e9 };
    let measured = ln(oscillator_error(loose, 1.0, 8) / oscillator_error(loose, 1.0, 32)) / ln(4.0);
    assert!((measured - 5.0).abs() < 0.3, "order {measured}");
}

#[test]
fn dormand_prince_keeps_its_tolerance_whatever_the_time_step() {
    for steps in [1, 3, 20] {
        for tolerance in [1e-6, 1e-9] {
            let integrator =
                Integrator::DormandPrince { relative_tolerance: tolerance, absolute_tolerance: tolerance };
            let error = oscillator_error(integrator, 1.0, steps);
            assert!(error < 20.0 * tolerance, "{steps} steps, tolerance {tolerance}: error {error}");
        }
    }
}

#[test]
fn a_projectile_is_exact_for_methods_of_second_order() {
    let mut model = Model { particles: vec![particle(3.0, false)], ..Model::default() };
    model.forces.gravities.push(SimpleGravity { acceleration: DVec2::new(0.0, -10.0) });
    model.forces.constants.push(Constant { force: DVec2::new(6.0, 0.0) });
    let state = State::new(vec![DVec2::new(0.0, 1.0)], vec![DVec2::new(3.0, 4.0)]);
    for integrator in [Integrator::VelocityVerlet, Integrator::RungeKutta4, ADAPTIVE] {
        let mut world = world(&model, &state, integrator, 0.125);
        run(&mut world, 8);
        // x = x0 + v0 t + ½ a t² at t = 1, with a = g + f / m = (2, −10).
        assert!(world.state().positions[0].distance(DVec2::new(4.0, 0.0)) < 1e-14, "{integrator:?}");
        assert!(world.state().velocities[0].distance(DVec2::new(5.0, -6.0)) < 1e-14, "{integrator:?}");
    }
    // Euler's methods are off by half a step of acceleration: x(t) ∓ ½ a h t.
    for (integrator, sign) in [(Integrator::ExplicitEuler, -1.0), (Integrator::SymplecticEuler, 1.0)] {
        let mut world = world(&model, &state, integrator, 0.125);
        run(&mut world, 8);
        let expected = DVec2::new(4.0, 0.0) + sign * 0.5 * 0.125 * DVec2::new(2.0, -10.0);
        assert!(world.state().positions[0].distance(expected) < 1e-14, "{integrator:?}");
    }
}

#[test]
fn drag_decays_exponentially() {
    let mut model = Model { particles: vec![particle(2.0, false)], ..Model::default() };
    model.forces.drags.push(Drag { coefficient: 1.0 });
    let state = State::new(vec![DVec2::ZERO], vec![DVec2::new(1.0, -2.0)]);
    let h = 0.1;
    let decay = |integrator| {
        let mut world = world(&model, &state, integrator, h);
        run(&mut world, 10);
        let v = world.state().velocities[0];
        assert!((v.y + 2.0 * v.x).abs() < 1e-14, "both axes decay alike");
        v.x
    };
    // v′ = −v/2: the exact decay, and what each of Euler's methods makes of it, to rounding.
    assert!((decay(ADAPTIVE) - exp(-0.5)).abs() < 1e-11);
    let power = |factor: f64| (0..10).fold(1.0, |product, _| product * factor);
    for explicit in [Integrator::ExplicitEuler, Integrator::SymplecticEuler] {
        assert!((decay(explicit) - power(1.0 - 0.5 * h)).abs() < 1e-14);
    }
    for implicit in [Integrator::LinearizedImplicitEuler, Integrator::ImplicitEuler] {
        assert!((decay(implicit) - power(1.0 / (1.0 + 0.5 * h))).abs() < 1e-14);
    }
}

/// Two bodies on circles about their centre of mass: distance d, angular speed √(G (m₁ + m₂) / d³).
#[test]
fn a_circular_orbit_closes() {
    let (m1, m2, distance, constant) = (3.0, 1.0, 2.0, 0.5);
    let mut model = Model { particles: vec![particle(m1, false), particle(m2, false)], ..Model::default() };
    model.forces.gravitations.push(Gravitation { first: FIRST, second: SECOND, constant });
    let (r1, r2) = (distance * m2 / (m1 + m2), distance * m1 / (m1 + m2));
    let omega = (constant * (m1 + m2) / (distance * distance * distance)).sqrt();
    let state = State::new(
        vec![DVec2::new(-r1, 0.0), DVec2::new(r2, 0.0)],
        vec![DVec2::new(0.0, -omega * r1), DVec2::new(0.0, omega * r2)],
    );
    let period = std::f64::consts::TAU / omega;
    for (integrator, steps, tolerance) in
        [(ADAPTIVE, 10, 1e-9), (Integrator::RungeKutta4, 400, 1e-6), (Integrator::VelocityVerlet, 2000, 1e-4)]
    {
        let mut world = world(&model, &state, integrator, period / steps as f64);
        run(&mut world, steps);
        for (found, start) in world.state().positions.iter().zip(&state.positions) {
            assert!(found.distance(*start) < tolerance, "{integrator:?}: off by {}", found.distance(*start));
        }
    }
}

/// Fixed particles feel nothing, keep their velocity and move along at it, whatever the method.
#[test]
fn fixed_particles_move_along_at_their_velocity() {
    let mut model = Model { particles: vec![particle(1.0, true), particle(1.0, false)], ..Model::default() };
    let (stiffness, damping) = (5.0, 0.3);
    model.forces.springs.push(Spring { first: FIRST, second: SECOND, stiffness, rest_length: 0.5, damping });
    model.forces.gravities.push(SimpleGravity { acceleration: DVec2::NEG_Y });
    model.forces.drags.push(Drag { coefficient: 0.2 });
    let velocity = DVec2::new(0.25, -1.0);
    let state = State::new(vec![DVec2::ZERO, DVec2::X], vec![velocity, DVec2::ZERO]);
    for integrator in ALL {
        let mut world = world(&model, &state, integrator, 0.125);
        run(&mut world, 8);
        assert_eq!(world.state().velocities[0], velocity, "{integrator:?}");
        assert!(world.state().positions[0].distance(velocity) < 1e-14, "{integrator:?}");
        assert_ne!(world.state().positions[1], DVec2::X, "{integrator:?}");
    }
}
