//! Which of many boxes overlap.
//!
//! Two kinds of things are boxed: discs, which are tested against each other and against segments,
//! and segments, which are not tested against each other. A box may be that of a moment or that of
//! a whole path. Every method gives the same candidates in the same order: for each disc the discs
//! of higher index, ascending, and the segments, ascending. A box that is not finite overlaps
//! everything.
//!
//! What it does not do: look at shapes. A candidate is a pair of boxes that overlap or touch; the
//! caller tests the pair itself and skips what it knows never to touch, such as a segment and its
//! own ends.

mod aabb;
mod all_pairs;
mod candidates;
mod grid;
mod kept;
mod live;
mod sweep_and_prune;

pub use aabb::Aabb;
pub use candidates::{Candidates, PairList};
pub use kept::KeptCandidates;
pub use live::{LiveCandidates, Partner};

use grid::Grid;

/// How overlapping boxes are found. No choice changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BroadPhaseMethod {
    /// Every pair is checked: quadratic, for comparison and for a handful of boxes.
    AllPairs,
    /// Boxes sorted along x and swept: fast where few overlap in x.
    SweepAndPrune,
    /// A hashed grid with a level for every size of box: linear in what is near, at any mixture of
    /// sizes.
    #[default]
    Grid,
}

/// Pairs that anyone should look at in a step: more are a crowd on one spot, and memory that grows
/// with its square. Fewer where the caller is watched.
pub fn most_pairs() -> usize {
    carom_numerics::watch::most_pairs(4_000_000)
}

/// A broad phase with its buffers: after the first few calls it allocates nothing.
///
/// ```
/// use carom_geometry::plane::broad_phase::{Aabb, BroadPhase, Candidates, BroadPhaseMethod};
/// let discs = [[0.0, 0.0], [1.5, 0.0], [9.0, 9.0]].map(|c| Aabb::around(c.into(), 1.0));
/// let mut candidates = Candidates::default();
/// BroadPhase::new(BroadPhaseMethod::Grid).find(&discs, &[], &mut candidates);
/// assert_eq!(candidates.discs.of(0), &[1]);
/// assert!(candidates.discs.of(1).is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct BroadPhase {
    method: BroadPhaseMethod,
    disc_grid: Grid,
    segment_grid: Grid,
    order: Vec<u32>,
}

impl BroadPhase {
    /// A broad phase by the given method.
    pub fn new(method: BroadPhaseMethod) -> Self {
        Self { method, ..Self::default() }
    }

    /// Which method it uses.
    pub fn method(&self) -> BroadPhaseMethod {
        self.method
    }

    /// Finds all overlaps; what `candidates` held before is lost.
    pub fn find(&mut self, discs: &[Aabb], segments: &[Aabb], candidates: &mut Candidates) {
        self.find_at_most(discs, segments, usize::MAX, candidates);
    }

    /// The same with bounded memory: false, and no candidates, where there are more than `most`
    /// pairs.
    pub fn find_at_most(
        &mut self,
        discs: &[Aabb],
        segments: &[Aabb],
        most: usize,
        candidates: &mut Candidates,
    ) -> bool {
        candidates.clear();
        candidates.limit(most);
        match self.method {
            BroadPhaseMethod::AllPairs => all_pairs::find(discs, segments, candidates),
            BroadPhaseMethod::SweepAndPrune => {
                sweep_and_prune::find(discs, segments, &mut self.order, candidates)
            }
            BroadPhaseMethod::Grid => {
                self.disc_grid.build(discs);
                self.segment_grid.build(segments);
                grid::find(&self.disc_grid, &self.segment_grid, candidates);
            }
        }
        let complete = !candidates.is_full();
        if !complete {
            candidates.clear();
        }
        candidates.sort(discs.len());
        complete
    }
}

#[cfg(test)]
mod tests;
