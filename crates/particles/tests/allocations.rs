//! A step in its steady state allocates nothing.

use crate::meshes;

use carom_particles::Integrator;

/// Allocations of two steps after the first.
fn allocations(side: usize, integrator: Integrator) -> u64 {
    let mut world = meshes::cloth_world(side, integrator);
    assert!(world.step().status.is_completed());
    let info = allocation_counter::measure(|| {
        for _ in 0..2 {
            assert!(world.step().status.is_completed());
        }
    });
    info.count_total
}

#[test]
fn explicit_steps_of_a_hundred_thousand_particles_allocate_nothing() {
    for integrator in [
        Integrator::ExplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::VelocityVerlet,
        Integrator::RungeKutta4,
        Integrator::DormandPrince { relative_tolerance: 1e-4, absolute_tolerance: 1e-4 },
    ] {
        assert_eq!(allocations(316, integrator), 0, "{integrator:?}");
    }
}

/// One size for each way of solving: dense, direct and iterative.
#[test]
fn implicit_steps_allocate_nothing_after_the_first() {
    for side in [3, 20, 60] {
        for integrator in [Integrator::LinearizedImplicitEuler, Integrator::ImplicitEuler] {
            assert_eq!(allocations(side, integrator), 0, "{side} {integrator:?}");
        }
    }
}
