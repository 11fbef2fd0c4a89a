//! What a motion keeps: momentum under internal forces, energy as far as the method allows.

use carom_particles::energy::{Invariants, invariants};
use carom_particles::force::{Gravitation, SimpleGravity, Spring, Vortex};
use carom_particles::{Integrator, Model, Particle, ParticleIndex, ParticleSettings, State, World};
use glam::DVec2;
use proptest::prelude::*;

const ADAPTIVE: Integrator = Integrator::DormandPrince { relative_tolerance: 1e-8, absolute_tolerance: 1e-8 };

fn world(model: Model, state: State, integrator: Integrator, time_step: f64) -> World {
    World::new(model, state, ParticleSettings { integrator, ..ParticleSettings::with_time_step(time_step) })
        .unwrap()
}

fn pair(first: usize, second: usize) -> (ParticleIndex, ParticleIndex) {
    (ParticleIndex(first), ParticleIndex(second))
}

fn vector(limit: f64) -> impl Strategy<Value = DVec2> {
    (-limit..limit, -limit..limit).prop_map(|(x, y)| DVec2::new(x, y))
}

/// A triangle of three masses joined by a damped spring, gravitation and a vortex.
fn triangle(masses: [f64; 3]) -> Model {
    let particles = masses.map(|mass| Particle { mass, radius: 0.0, fixed: false }).to_vec();
    let mut model = Model { particles, ..Model::default() };
    let (first, second) = pair(0, 1);
    model.forces.springs.push(Spring { first, second, stiffness: 4.0, rest_length: 1.5, damping: 0.5 });
    let (first, second) = pair(1, 2);
    model.forces.gravitations.push(Gravitation { first, second, constant: 0.5 });
    let (first, second) = pair(2, 0);
    model.forces.vortices.push(Vortex { first, second, biot_savart: 1.0, viscosity: 0.3 });
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Opposite forces cancel in the sum, in every method, implicit ones with a Jacobian of all of
    /// them included.
    #[test]
    fn internal_forces_keep_linear_momentum(
        masses in proptest::array::uniform3(0.5..3.0f64),
        shifts in proptest::array::uniform3(vector(0.3)),
        velocities in proptest::array::uniform3(vector(1.0)),
    ) {
        let corners = [DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(1.0, 2.0)];
        let positions = (0..3).map(|i| corners[i] + shifts[i]).collect();
        let state = State::new(positions, velocities.to_vec());
        for integrator in [
            Integrator::ExplicitEuler,
            Integrator::SymplecticEuler,
            Integrator::LinearizedImplicitEuler,
            Integrator::ImplicitEuler,
            Integrator::VelocityVerlet,
            Integrator::RungeKutta4,
            ADAPTIVE,
        ] {
            let mut world = world(triangle(masses), state.clone(), integrator, 0.02);
            let before = invariants(world.model(), world.state());
            for _ in 0..5 {
                prop_assert!(world.step().status.is_completed());
            }
            let after = invariants(world.model(), world.state());
            let change = after.linear_momentum.distance(before.linear_momentum);
            prop_assert!(change < 1e-12, "{integrator:?}: {change}");
        }
    }
}

/// Total energy of an undamped oscillator, with its smallest and largest value over many periods.
fn energy_range(integrator: Integrator, steps: usize) -> (f64, f64, f64) {
    let particles = [true, false].map(|fixed| Particle { mass: 1.0, radius: 0.0, fixed }).to_vec();
    let mut model = Model { particles, ..Model::default() };
    let (first, second) = pair(0, 1);
    model.forces.springs.push(Spring { first, second, stiffness: 1.0, rest_length: 1.0, damping: 0.0 });
    let state = State::new(vec![DVec2::ZERO, DVec2::new(1.5, 0.0)], vec![DVec2::ZERO; 2]);
    let mut world = world(model, state, integrator, 0.1);
    let energy = |world: &World| invariants(world.model(), world.state()).total_energy();
    let start = energy(&world);
    let (mut smallest, mut largest) = (start, start);
    for _ in 0..steps {
        world.step();
        smallest = smallest.min(energy(&world));
        largest = largest.max(energy(&world));
    }
    (smallest / start, largest / start, energy(&world) / start)
}

#[test]
fn explicit_euler_gains_energy_and_implicit_euler_loses_it() {
    // Each step multiplies the energy by 1 ± h² exactly for a harmonic oscillator along its axis.
    let power = (0..100).fold(1.0, |product, _| product * 1.01);
    let (_, _, end) = energy_range(Integrator::ExplicitEuler, 100);
    assert!((end / power - 1.0).abs() < 1e-12, "{end}");
    for implicit in [Integrator::LinearizedImplicitEuler, Integrator::ImplicitEuler] {
        let (_, _, end) = energy_range(implicit, 100);
        assert!((end * power - 1.0).abs() < 1e-12, "{implicit:?}: {end}");
    }
}

#[test]
fn symplectic_methods_keep_energy_within_bounds_for_ever() {
    // The energy of symplectic Euler swings by about h/2, that of Verlet by h²/4, over sixteen
    // hundred periods.
    for (integrator, bound) in [(Integrator::SymplecticEuler, 0.06), (Integrator::VelocityVerlet, 0.003)] {
        let (smallest, largest, _) = energy_range(integrator, 100_000);
        assert!(smallest > 1.0 - bound && largest < 1.0 + bound, "{integrator:?}: {smallest} to {largest}");
    }
}

/// An ellipse under gravitation: energy and angular momentum are kept by the adaptive method to its
/// tolerance.
#[test]
fn an_orbit_keeps_energy_and_angular_momentum() {
    let particles = [3.0, 1.0].map(|mass| Particle { mass, radius: 0.0, fixed: false }).to_vec();
    let mut model = Model { particles, ..Model::default() };
    let (first, second) = pair(0, 1);
    model.forces.gravitations.push(Gravitation { first, second, constant: 1.0 });
    let state = State::new(vec![DVec2::ZERO, DVec2::X], vec![DVec2::ZERO, DVec2::new(0.2, 1.2)]);
    let mut world = world(model, state, ADAPTIVE, 0.25);
    let before = invariants(world.model(), world.state());
    for _ in 0..40 {
        assert!(world.step().status.is_completed());
    }
    let after = invariants(world.model(), world.state());
    assert!((after.total_energy() / before.total_energy() - 1.0).abs() < 1e-6, "{after:?}");
    assert!((after.angular_momentum / before.angular_momentum - 1.0).abs() < 1e-6, "{after:?}");
}

#[test]
fn invariants_by_hand() {
    let particles = vec![
        Particle { mass: 2.0, radius: 0.0, fixed: false },
        Particle { mass: 4.0, radius: 0.0, fixed: true },
    ];
    let mut model = Model { particles, ..Model::default() };
    let (first, second) = pair(0, 1);
    model.forces.springs.push(Spring { first, second, stiffness: 8.0, rest_length: 1.0, damping: 9.0 });
    model.forces.gravities.push(SimpleGravity { acceleration: DVec2::new(0.0, -10.0) });
    let state = State::new(
        vec![DVec2::new(0.0, 1.0), DVec2::new(3.0, 1.0)],
        vec![DVec2::new(1.0, 2.0), DVec2::new(0.0, 0.5)],
    );
    let expected = Invariants {
        kinetic_energy: 0.5 * 2.0 * 5.0 + 0.5 * 4.0 * 0.25,
        // What is fixed has no weight.
        potential_energy: 0.5 * 8.0 * 4.0 + 2.0 * 10.0,
        linear_momentum: DVec2::new(2.0, 6.0),
        angular_momentum: 2.0 * (0.0 * 2.0 - 1.0 * 1.0) + 4.0 * (3.0 * 0.5 - 0.0),
    };
    assert_eq!(invariants(&model, &state), expected);
    assert_eq!(expected.total_energy(), 41.5);
}
