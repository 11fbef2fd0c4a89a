//! Contacts to a tolerance: a settling pile keeps what the tolerance promises, in every step, and
//! threads change no bit.

use crate::scenes;

use carom_rigid2d::{ContactSettings, ModelError, OverlapFinder, Response, Status, World};

/// Half of what gravity adds to a speed in a step.
const TOLERANCE: f64 = 0.05;

fn pile(friction: f64) -> World {
    let contact = ContactSettings {
        tolerance: Some(TOLERANCE),
        friction,
        ..ContactSettings::new(Response::VelocityProjection)
    };
    scenes::falling_pile(500).world(0.01, contact)
}

/// From the fall until it lies.
#[test]
fn a_settling_pile_keeps_its_promise() {
    let mut world = pile(0.0);
    let mut overlaps = OverlapFinder::new(&world);
    let (mut sweeps, mut allowed) = (0, 0);
    for step in 0..220 {
        let report = world.step();
        assert_eq!((report.status, report.fallbacks), (Status::Solved, 0), "step {step}");
        assert!(report.residual.worst() <= TOLERANCE, "step {step}: {:?}", report.residual);
        let deepest = overlaps.deepest(&world);
        assert!(deepest < 0.01, "step {step}: {deepest} of 2");
        assert!(report.kinetic_after <= report.kinetic_before * (1.0 + 1e-12), "step {step}");
        sweeps += report.iterations;
        allowed += 60 + report.responses as u64 * (report.islands as u64 + 40);
    }
    assert!(sweeps > 100 && sweeps < allowed, "{sweeps} sweeps, {allowed} allowed");
    let fastest = world.state().bodies.iter().map(|body| body.velocity.length()).fold(0.0, f64::max);
    assert!(fastest < 1.0, "{fastest} at rest");
}

/// With friction it need not come to the tolerance; what is left is said, and nothing sinks.
#[test]
fn a_rough_pile_says_what_is_left() {
    let mut world = pile(0.4);
    let mut overlaps = OverlapFinder::new(&world);
    for step in 0..120 {
        let report = world.step();
        let worst = report.residual.worst().max(report.residual.friction);
        assert!(report.status != Status::Solved || worst <= TOLERANCE, "step {step}: {:?}", report.residual);
        assert!(report.status <= Status::FrictionNotConverged, "step {step}: {:?}", report.status);
        let deepest = overlaps.deepest(&world);
        assert!(deepest < 0.02, "step {step}: {deepest}");
        assert!(report.kinetic_after <= report.kinetic_before * (1.0 + 1e-12), "step {step}");
    }
}

/// A world that is put together again from a state and a memory goes on to the same bits, on any
/// number of threads.
#[test]
fn stops_and_threads_change_no_bit() {
    let run = |threads: usize, stop: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = pile(0.0);
            for _ in 0..60 {
                world.step();
            }
            if stop {
                let (state, memory) = (world.state().clone(), world.memory());
                world = pile(0.0);
                world.set_state(state).unwrap();
                world.restore_memory(&memory);
            }
            for _ in 0..20 {
                world.step();
            }
            world
                .state()
                .bodies
                .iter()
                .map(|b| [b.position.x, b.position.y].map(f64::to_bits))
                .collect::<Vec<_>>()
        })
    };
    let straight = run(1, false);
    assert!(straight == run(1, true), "stopped");
    assert!(straight == run(2, false) && straight == run(8, true), "threads");
}

#[test]
fn a_tolerance_is_above_zero() {
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let contact = ContactSettings { tolerance: Some(tolerance), ..ContactSettings::new(Response::Lcp) };
        let settings = carom_rigid2d::PlanarSettings { contact: Some(contact), ..*pile(0.0).settings() };
        let refused = World::new(pile(0.0).model().clone(), pile(0.0).state().clone(), settings);
        assert!(matches!(refused, Err(ModelError::Value { name: "tolerance", .. })), "{tolerance}");
    }
}
