//! A step of a scene that has settled allocates nothing.

mod build;

use build::{Build, FREE, rack, v};
use carom_rigid2d::{Response, World};

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
        allocations(&mut world, 50);
        assert_eq!(allocations(&mut world, 50), 0, "{response:?}");
    }
}
