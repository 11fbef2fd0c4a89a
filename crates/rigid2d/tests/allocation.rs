//! A step of a scene that has settled allocates nothing.

use crate::build;

use build::{Build, FREE, rack, v};
use carom_rigid2d::{ContactSettings, Response, World};

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
        let mut build = Build::gravity(v(0.0, -9.81));
        build.floor(0.0);
        for k in 0..10 {
            build.block(v(0.0, 0.5 + f64::from(k)), v(0.9, 0.4), 0.1, FREE);
        }
        let mut world = build.world(0.01, response);
        allocations(&mut world, 20);
        assert_eq!(allocations(&mut world, 100), 0, "{response:?}");
    }
    for response in [Response::ReflectionLcp, Response::ReflectionVelocityProjection, Response::Impulse] {
        let mut world = rack(8, 0.05, 5.0).world(0.01, response);
        // While discs part, the parts of a problem still come in new sizes.
        allocations(&mut world, 150);
        assert_eq!(allocations(&mut world, 50), 0, "{response:?}");
    }
}

/// Two hundred discs in a box, more contacts than degrees of freedom: the sparse solver, warm.
#[test]
fn a_pile_that_lies_allocates_nothing() {
    let mut build = Build::gravity(v(0.0, -9.81));
    build.floor(0.0);
    for x in [-1.1, 21.1 + 20.0] {
        build.block(v(x, 20.0), v(1.0, 19.0), 0.1, build::FIXED);
    }
    for k in 0..200 {
        let (row, column) = (f64::from(k / 20), f64::from(k % 20));
        let shift = if k / 20 % 2 == 0 { 1.0 } else { 2.0 };
        if k % 20 < 19 || k / 20 % 2 == 0 {
            build.disc(v(shift + 2.0 * column, 1.0 + 3f64.sqrt() * row), 1.0, v(0.0, 0.0));
        }
    }
    let mut world = build.clone().world(0.01, Response::VelocityProjection);
    allocations(&mut world, 20);
    assert!(world.step().contacts > 400);
    assert_eq!(allocations(&mut world, 50), 0);
    let rough = ContactSettings {
        friction: 0.5,
        tolerance: Some(0.1),
        ..ContactSettings::new(Response::VelocityProjection)
    };
    let mut world = build.with(0.01, rough);
    allocations(&mut world, 100);
    assert_eq!(allocations(&mut world, 50), 0, "with friction");
}

/// With friction, exactly.
#[test]
fn a_rough_tower_allocates_nothing() {
    for response in [Response::Lcp, Response::VelocityProjection, Response::Impulse] {
        let mut build = Build::gravity(v(0.0, -9.81));
        build.floor(0.0);
        for k in 0..10 {
            build.block(v(0.0, 0.5 + f64::from(k)), v(0.9, 0.4), 0.1, FREE);
        }
        let rough = ContactSettings { friction: 0.5, ..ContactSettings::with_restitution(response, 0.0) };
        let mut world = build.with(0.01, rough);
        allocations(&mut world, 100);
        assert_eq!(allocations(&mut world, 100), 0, "{response:?}");
    }
}
