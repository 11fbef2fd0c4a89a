//! Bodies at rest stay at rest, and come to rest where they touch.

use crate::build;

use build::{Build, FIXED, FREE, deepest, v};
use carom_rigid2d::{DVec2, Response, Status, World};

const INELASTIC: [Response; 2] = [Response::Lcp, Response::VelocityProjection];
const GRAVITY: f64 = 9.81;

fn fastest(world: &World) -> f64 {
    let moving = world.model().bodies.iter().zip(&world.state().bodies).filter(|(b, _)| b.motion.is_free());
    moving.map(|(_, s)| s.velocity.length().max(s.angular_velocity.abs())).fold(0.0, f64::max)
}

fn assert_rests(world: &mut World, steps: usize, tolerance: f64) {
    let start = world.state().clone();
    for step in 0..steps {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "step {step}: {report:?}");
        let speed = fastest(world);
        assert!(speed <= tolerance, "step {step}: something moves at {speed:e}");
    }
    for (k, (a, b)) in start.bodies.iter().zip(&world.state().bodies).enumerate() {
        let moved = (a.position - b.position).length() + (a.angle - b.angle).abs();
        assert!(moved <= tolerance, "body {k} moved by {moved:e}");
    }
}

/// A table with legs at uneven places: more feet than a rigid body needs, so A is singular.
fn table(feet: &[f64]) -> Build {
    let mut build = Build::gravity(v(0.0, -GRAVITY));
    build.floor(0.0);
    let mut outline = vec![v(feet[0] - 1.0, 2.0)];
    for &x in feet {
        outline.extend([v(x - 0.2, 2.0), v(x, 0.1), v(x + 0.2, 2.0)]);
    }
    outline.extend([v(feet[feet.len() - 1] + 1.0, 2.0), v(0.0, 3.0)]);
    build.outline(&outline, 0.1, FREE);
    build
}

#[test]
fn tables_with_redundant_legs_stand_still() {
    for response in INELASTIC {
        for feet in [&[-3.0, 0.4, 2.5][..], &[-5.0, -3.2, -1.0, 0.1, 2.0, 3.3, 4.1, 4.8, 5.5]] {
            assert_rests(&mut table(feet).world(0.01, response), 500, 1e-10);
        }
    }
}

/// Without friction nothing takes back what a step leaves: twenty seconds. Rounding of heights,
/// over the length of a step, is 4e-13.
#[test]
fn a_tower_of_twenty_blocks_stands_still() {
    for response in INELASTIC {
        let mut build = Build::gravity(v(0.0, -GRAVITY));
        build.floor(0.0);
        for k in 0..20 {
            build.block(v(0.0, 0.5 + f64::from(k)), v(0.9, 0.4), 0.1, FREE);
        }
        assert_rests(&mut build.world(0.01, response), 2000, 3e-12);
    }
}

/// Nothing holds blocks without friction sideways, so what the solver leaves adds up there. Gaps of
/// a metre beside the blocks, speeds of 100 m/s to the solver, must not make it content with less.
#[test]
fn a_pyramid_with_overhanging_blocks_stands_still() {
    for response in INELASTIC {
        let mut build = Build::gravity(v(0.0, -GRAVITY));
        build.floor(0.0);
        for row in 0..8 {
            for k in 0..8 - row {
                let x = 2.1 * (f64::from(k) + 0.5 * f64::from(row));
                build.block(v(x, 0.5 + f64::from(row)), v(0.9, 0.4), 0.1, FREE);
            }
        }
        assert_rests(&mut build.world(0.01, response), 500, 3e-12);
    }
}

/// A falling block meets the floor at touch, not v·dt inside it, and stops there.
#[test]
fn a_falling_block_stops_at_touch() {
    for response in INELASTIC {
        let mut build = Build::gravity(v(0.0, -GRAVITY));
        build.floor(0.0);
        let block = build.block(v(0.0, 5.0), v(0.9, 0.4), 0.1, FREE);
        let mut world = build.world(0.01, response);
        let mut depth: f64 = 0.0;
        for _ in 0..200 {
            world.step();
            depth = depth.max(deepest(&world));
        }
        let state = world.state().bodies[block];
        assert!((state.position.y - 0.5).abs() < 1e-9, "at {}", state.position.y);
        assert!(state.velocity.length() < 1e-9);
        assert!(depth < 1e-9, "{depth:e} deep");
    }
}

#[test]
fn overlapping_starts_are_moved_apart_without_a_kick() {
    for response in INELASTIC {
        let mut build = Build::new();
        build.disc(v(0.0, 0.0), 1.0, DVec2::ZERO);
        build.disc(v(1.0, 0.0), 1.0, DVec2::ZERO);
        build.block(v(1.0, 1.4), v(0.9, 0.4), 0.1, FIXED);
        let mut world = build.world(0.01, response);
        assert!(deepest(&world) > 0.9);
        for _ in 0..5 {
            world.step();
        }
        assert!(deepest(&world) < 1e-5);
        assert!(fastest(&world) < 1e-12, "positions are corrected, velocities are not");
    }
}
