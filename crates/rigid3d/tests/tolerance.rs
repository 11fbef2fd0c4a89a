//! Contacts to a tolerance: piles of boxes keep what the tolerance promises, in every step, with
//! and without friction.

use crate::piles;

use carom_rigid3d::{OverlapFinder, Response, Status, World};
use piles::{Parts, Pile};

/// Half of what gravity adds to a speed in a step.
const TOLERANCE: f64 = 0.05;

/// Steps through the fall, the landing and what comes after; every step is checked. Some group has
/// at least `group` contacts.
fn settle(pile: &Pile, group: usize) -> World {
    let mut world = pile.world();
    let parts = Parts::of(pile, world.settings().dt);
    let mut overlaps = OverlapFinder::new(&world);
    let mut largest = 0;
    for step in 0..parts.fall + parts.landing + parts.after {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "step {step}: {:?}", report.residual);
        let worst = report.residual.worst().max(report.residual.friction);
        assert!(worst <= TOLERANCE, "step {step}: {:?}", report.residual);
        let deepest = overlaps.deepest(&world);
        assert!(deepest < 0.03, "step {step}: {deepest}");
        assert!(report.kinetic_after <= report.kinetic_before * (1.0 + 1e-12), "step {step}");
        largest = largest.max(report.largest_island);
    }
    assert!(largest >= group, "{largest} contacts in the largest group");
    world
}

#[test]
fn a_pile_in_bond_keeps_its_promise() {
    settle(&Pile { boxes: 100, in_bond: true, friction: 0.0, tolerance: Some(TOLERANCE) }, 40);
}

#[test]
fn a_rough_pile_in_bond_keeps_its_promise() {
    settle(&Pile { boxes: 100, in_bond: true, friction: 0.3, tolerance: Some(TOLERANCE) }, 40);
}

/// Towers of four boxes, four corners on each other: towers that do not touch are not one group.
#[test]
fn rough_towers_keep_their_promise() {
    settle(&Pile { boxes: 100, in_bond: false, friction: 0.3, tolerance: Some(TOLERANCE) }, 16);
}

/// The same bits for any number of threads, and from a state and a memory.
#[test]
fn stops_and_threads_change_no_bit() {
    let pile = Pile { boxes: 60, in_bond: true, friction: 0.3, tolerance: Some(TOLERANCE) };
    let run = |threads: usize, stop: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = pile.world();
            for _ in 0..45 {
                world.step();
            }
            if stop {
                let (state, memory) = (world.state().clone(), world.memory());
                world = pile.world();
                world.set_state(state).unwrap();
                world.restore_memory(&memory);
            }
            for _ in 0..10 {
                world.step();
            }
            let place = |body: &carom_rigid3d::BodyState| body.position.to_array().map(f64::to_bits);
            world.state().bodies.iter().map(place).collect::<Vec<_>>()
        })
    };
    let straight = run(1, false);
    assert!(straight == run(1, true), "stopped");
    assert!(straight == run(2, false) && straight == run(8, true), "threads");
}

/// Contact is solved to the tolerance whatever answers impacts; what is not above 0 is refused.
#[test]
fn a_tolerance_is_checked() {
    let pile = Pile { boxes: 2, in_bond: false, friction: 0.0, tolerance: Some(TOLERANCE) };
    let world = pile.world();
    let with = |response: Response, tolerance: f64| {
        let mut settings = *world.settings();
        let contact = settings.contact.as_mut().unwrap();
        (contact.response, contact.tolerance) = (response, Some(tolerance));
        World::new(world.model().clone(), world.state().clone(), settings)
    };
    for response in [Response::Lcp, Response::ReflectionLcp, Response::Impulse] {
        assert!(with(response, 0.1).is_ok());
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(with(response, tolerance).is_err(), "{response:?} {tolerance}");
        }
    }
}
