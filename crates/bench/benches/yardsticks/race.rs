//! Our world and Rapier's of the same scene, step by step by turns, with the errors of both.

use carom_bench::clock::{milliseconds, timed};
use carom_rigid2d::{Status, StepReport};
use std::time::Duration;

/// A world of ours and a peer's.
pub(crate) trait Race {
    fn ours(&mut self) -> StepReport;
    /// Deepest overlap of any two of our bodies now, in metres.
    fn our_overlap(&mut self) -> f64;
    fn theirs(&mut self);
    /// The same of the peer's, and the approach that its step left, in metres a second.
    fn their_errors(&self) -> (f64, f64);
}

pub(crate) struct Planar {
    pub(crate) world: carom_rigid2d::World,
    overlaps: carom_rigid2d::OverlapFinder,
    #[cfg(feature = "peers")]
    pub(crate) peer: rapier2d_f64::prelude::PhysicsWorld,
}

impl Planar {
    pub(crate) fn new(world: carom_rigid2d::World, _restitution: f64, _friction: f64) -> Self {
        Self {
            overlaps: carom_rigid2d::OverlapFinder::new(&world),
            #[cfg(feature = "peers")]
            peer: carom_bench::planar_peer::world(&world, _restitution, _friction),
            world,
        }
    }
}

impl Race for Planar {
    fn ours(&mut self) -> StepReport {
        self.world.step()
    }
    fn our_overlap(&mut self) -> f64 {
        self.overlaps.deepest(&self.world)
    }
    fn theirs(&mut self) {
        #[cfg(feature = "peers")]
        self.peer.step();
    }
    fn their_errors(&self) -> (f64, f64) {
        #[cfg(feature = "peers")]
        return carom_bench::planar_peer::errors(&self.peer);
        #[cfg(not(feature = "peers"))]
        (f64::NAN, f64::NAN)
    }
}

pub(crate) struct Spatial {
    pub(crate) world: carom_rigid3d::World,
    overlaps: carom_rigid3d::OverlapFinder,
    #[cfg(feature = "peers")]
    pub(crate) peer: rapier3d_f64::prelude::PhysicsWorld,
}

impl Spatial {
    pub(crate) fn new(world: carom_rigid3d::World, _restitution: f64, _friction: f64) -> Self {
        Self {
            overlaps: carom_rigid3d::OverlapFinder::new(&world),
            #[cfg(feature = "peers")]
            peer: carom_bench::spatial_peer::world(&world, _restitution, _friction),
            world,
        }
    }
}

impl Race for Spatial {
    fn ours(&mut self) -> StepReport {
        self.world.step()
    }
    fn our_overlap(&mut self) -> f64 {
        self.overlaps.deepest(&self.world)
    }
    fn theirs(&mut self) {
        #[cfg(feature = "peers")]
        self.peer.step();
    }
    fn their_errors(&self) -> (f64, f64) {
        #[cfg(feature = "peers")]
        return carom_bench::spatial_peer::errors(&self.peer);
        #[cfg(not(feature = "peers"))]
        (f64::NAN, f64::NAN)
    }
}

/// What some steps cost, and how good they were.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) steps: usize,
    pub(crate) ours: Duration,
    pub(crate) theirs: Duration,
    slowest: Duration,
    contacts: usize,
    operations: u64,
    solves: usize,
    unsolved: usize,
    overlap: f64,
    residual: f64,
    their_overlap: f64,
    their_approach: f64,
}

impl Cost {
    /// Milliseconds of a step of ours.
    pub(crate) fn each(&self) -> f64 {
        milliseconds(self.ours) / self.steps as f64
    }

    /// One line; overlaps as parts of `size`.
    pub(crate) fn print(&self, name: &str, size: f64) {
        let steps = self.steps as f64;
        println!(
            "{name}: ours {:.3} ms a step (slowest {:.1}), {} contacts at the end, {:.1} solves and {:.2e} products a step, {} of {} steps not solved, residual {:.1e} m/s, overlap {:.1e}",
            self.each(),
            milliseconds(self.slowest),
            self.contacts,
            self.solves as f64 / steps,
            self.operations as f64 / steps,
            self.unsolved,
            self.steps,
            self.residual,
            self.overlap / size
        );
        if cfg!(feature = "peers") {
            println!(
                "    rapier {:.3} ms a step, approach left {:.1e} m/s, overlap {:.1e}; ours over Rapier's {:.2}",
                milliseconds(self.theirs) / steps,
                self.their_approach,
                self.their_overlap / size,
                self.ours.as_secs_f64() / self.theirs.as_secs_f64()
            );
        }
    }

    pub(crate) fn with(self, later: &Cost) -> Cost {
        Cost {
            steps: self.steps + later.steps,
            ours: self.ours + later.ours,
            theirs: self.theirs + later.theirs,
            slowest: self.slowest.max(later.slowest),
            contacts: later.contacts,
            operations: self.operations + later.operations,
            solves: self.solves + later.solves,
            unsolved: self.unsolved + later.unsolved,
            overlap: self.overlap.max(later.overlap),
            residual: self.residual.max(later.residual),
            their_overlap: self.their_overlap.max(later.their_overlap),
            their_approach: self.their_approach.max(later.their_approach),
        }
    }
}

/// Some steps, by turns of ten, so that both sides see the same machine.
pub(crate) fn run(race: &mut impl Race, steps: usize) -> Cost {
    let mut cost = Cost { steps, ..Cost::default() };
    let mut done = 0;
    while done < steps {
        let turn = (steps - done).min(10);
        for _ in 0..turn {
            let (report, spent) = timed(|| race.ours());
            cost.ours += spent;
            cost.slowest = cost.slowest.max(spent);
            cost.contacts = report.contacts;
            cost.operations += report.operations;
            cost.solves += report.responses;
            cost.unsolved += usize::from(report.status != Status::Solved);
            cost.residual = cost.residual.max(report.residual.worst()).max(report.residual.friction);
            cost.overlap = cost.overlap.max(race.our_overlap());
        }
        for _ in 0..turn {
            cost.theirs += timed(|| race.theirs()).1;
            let (overlap, approach) = race.their_errors();
            cost.their_overlap = cost.their_overlap.max(overlap);
            cost.their_approach = cost.their_approach.max(approach);
        }
        done += turn;
    }
    cost
}
