//! Steps allocate nothing once they have settled, and give the same bits on any number of threads.

use crate::build;

use build::{Build, rack, tower, v};
use carom_rigid3d::{
    ContactSettings, DVec3, Integrator, Motion, OrientationKind, Response, SpatialSettings, State, World,
};

fn allocations(world: &mut World, steps: usize) -> u64 {
    allocation_counter::measure(|| {
        for _ in 0..steps {
            world.step();
        }
    })
    .count_total
}

#[test]
fn a_settled_tower_and_a_break_in_flight_allocate_nothing() {
    for response in [Response::Lcp, Response::VelocityProjection] {
        for boxes in [8, 12] {
            let mut world = tower(boxes).world(0.01, response);
            // Rounding decides which of the redundant corners carry; the solver grows until it has
            // seen most choices.
            allocations(&mut world, 1000);
            assert_eq!(allocations(&mut world, 100), 0, "{response:?} {boxes}");
        }
    }
    for response in [Response::ReflectionLcp, Response::ReflectionVelocityProjection, Response::Impulse] {
        let mut world = rack(6, 0.05, 5.0).world(0.01, response);
        allocations(&mut world, 50);
        assert_eq!(allocations(&mut world, 50), 0, "{response:?}");
    }
}

/// With friction, exactly.
#[test]
fn a_rough_tower_allocates_nothing() {
    let mut world = tower(8).with(0.01, rough(None));
    // As above: the solver grows until it has seen most choices.
    allocations(&mut world, 1000);
    assert_eq!(allocations(&mut world, 100), 0);
}

fn rough(tolerance: Option<f64>) -> ContactSettings {
    ContactSettings { friction: 0.5, tolerance, ..ContactSettings::new(Response::VelocityProjection) }
}

#[test]
fn every_integrator_allocates_nothing() {
    for integrator in [
        Integrator::ExplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::Midpoint,
        Integrator::RungeKutta4,
        Integrator::DormandPrince { tolerance: 1e-8 },
        Integrator::LieMidpoint,
    ] {
        for orientation in [OrientationKind::Quaternion, OrientationKind::Matrix] {
            let mut build = Build::default();
            let cube = build.cuboid(DVec3::ZERO, v(0.5, 1.0, 2.0), Motion::Free);
            build.turn(cube, DVec3::ZERO, DVec3::X, v(1.0, 2.0, 3.0));
            let settings = SpatialSettings { dt: 0.01, integrator, orientation, contact: None };
            let mut world = World::new(build.model, build.state, settings).unwrap();
            allocations(&mut world, 2);
            assert_eq!(allocations(&mut world, 20), 0, "{integrator:?} {orientation:?}");
        }
    }
}

/// Many towers, leaning and falling: islands enough to be shared among threads.
fn falling_towers() -> Build {
    let mut build = Build::on_floor();
    for k in 0..40 {
        for level in 0..4 {
            let place = v(3.0 * f64::from(k % 7), 3.0 * f64::from(k / 7), 0.52 + 1.03 * f64::from(level));
            let cube = build.cuboid(place, v(0.5, 0.5, 0.5), Motion::Free);
            let turn = v(0.01 * f64::from(k), 0.02 * f64::from(level), 0.1 * f64::from(k + level));
            build.turn(cube, turn, v(0.3 * f64::from(level), 0.0, 0.0), DVec3::ZERO);
        }
    }
    build
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    same_bits(ContactSettings::new(Response::VelocityProjection));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a minute without optimization")]
fn the_same_bits_with_friction_on_any_number_of_threads() {
    same_bits(rough(Some(0.05)));
}

fn same_bits(contact: ContactSettings) {
    let run = |threads: usize| -> State {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = falling_towers().with(0.01, contact);
            let mut most = 0;
            for _ in 0..25 {
                most = most.max(world.step().contacts);
            }
            assert!(most >= 256, "{most} contacts are too few for more than one thread");
            world.state().clone()
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(one, run(threads), "{threads} threads, {contact:?}");
    }
}
