//! Pairs that are kept from step to step while boxes move little (neighbour lists; Verlet 1967,
//! Computer "experiments" on classical fluids).
//!
//! Boxes are queried a little larger than they are. As long as every box lies in its larger one,
//! whatever overlaps is among the pairs that were found, and they need not be looked for again.

use super::broad_phase::{Bounds, PairFinder};

/// Least room on every side of a box, in the side of the usual one.
const ROOM: f64 = 0.08;

/// Room is for about this many calls at a box's own pace,
const CALLS: f64 = 8.0;

/// but the volumes of boxes grow by no more than this in the mean: the pairs grow with them.
const MOST_VOLUME: f64 = 3.0;

/// Pairs of boxes and the memory that finds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptPairs {
    finder: PairFinder,
    pairs: Vec<(u32, u32)>,
    /// Boxes when the pairs were found, as they were and as they were queried.
    found: Vec<Bounds>,
    roomy: Vec<Bounds>,
    calls: u32,
    most: usize,
    complete: bool,
}

impl KeptPairs {
    /// Replaces `pairs` by all pairs of boxes that overlap, in rising order; false, and no pairs,
    /// where there are more than `most`.
    pub(crate) fn find_at_most(
        &mut self,
        boxes: &[Bounds],
        most: usize,
        pairs: &mut Vec<(u32, u32)>,
    ) -> bool {
        self.calls = self.calls.saturating_add(1);
        if self.most != most || !self.holds(boxes) {
            self.keep(boxes, true);
            self.complete = self.finder.find_at_most(&self.roomy, most, &mut self.pairs);
            if !self.complete {
                self.keep(boxes, false);
                self.complete = self.finder.find_at_most(&self.roomy, most, &mut self.pairs);
            }
            (self.calls, self.most) = (0, most);
        }
        pairs.clear();
        let overlap = |&&(a, b): &&(u32, u32)| boxes[a as usize].overlaps(&boxes[b as usize]);
        pairs.extend(self.pairs.iter().filter(overlap));
        self.complete
    }

    /// Whether every box lies in what was queried.
    fn holds(&self, boxes: &[Bounds]) -> bool {
        let inside =
            |roomy: &Bounds, b: &Bounds| roomy.low.cmple(b.low).all() && b.high.cmple(roomy.high).all();
        self.roomy.len() == boxes.len() && self.roomy.iter().zip(boxes).all(|(roomy, b)| inside(roomy, b))
    }

    /// Keeps boxes, with room for some calls or without.
    fn keep(&mut self, boxes: &[Bounds], roomy: bool) {
        let side = |b: &Bounds| (b.high - b.low).max_element();
        let usual = boxes.iter().map(side).filter(|side| side.is_finite()).sum::<f64>() / boxes.len() as f64;
        let (known, pace) = (self.found.len() == boxes.len(), CALLS / f64::from(self.calls));
        self.roomy.clear();
        let mut volume = 0.0;
        for (k, b) in boxes.iter().enumerate().filter(|_| roomy) {
            let way = if known { pace * travel(&self.found[k], b) } else { 0.0 };
            let grown = b.grown(way.max(ROOM * usual.min(side(b))));
            volume += if side(b).is_finite() { (side(&grown) / side(b)).powi(3) } else { 1.0 };
            self.roomy.push(grown);
        }
        if !roomy || volume > MOST_VOLUME * boxes.len() as f64 || volume.is_nan() {
            self.roomy.clear();
            self.roomy.extend_from_slice(boxes);
        }
        self.found.clear();
        self.found.extend_from_slice(boxes);
    }
}

/// How far the border of a box has come.
fn travel(old: &Bounds, new: &Bounds) -> f64 {
    (new.low - old.low).abs().max((new.high - old.high).abs()).max_element()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    /// Boxes that wander, some of them fast: the same pairs as without memory, in every call.
    #[test]
    fn the_same_pairs_as_without_memory() {
        let mut boxes: Vec<Bounds> = (0..90)
            .map(|k| {
                let low = DVec3::new(f64::from(k % 10), f64::from(k / 10), 0.3 * f64::from(k % 7));
                Bounds { low, high: low + 0.9 + 0.02 * f64::from(k % 9) }
            })
            .collect();
        boxes[40] = Bounds::NOWHERE;
        let (mut kept, mut finder) = (KeptPairs::default(), PairFinder::default());
        let (mut pairs, mut expected, mut again) = (Vec::new(), Vec::new(), 0);
        for step in 0..60 {
            for (k, b) in boxes.iter_mut().enumerate() {
                let pace = if k == 17 { 0.1 } else { 0.01 };
                let way = pace * DVec3::new((k % 5) as f64 - 2.0, (k % 3) as f64 - 1.0, 0.1);
                (b.low, b.high) = (b.low + way, b.high + way);
            }
            assert!(kept.find_at_most(&boxes, usize::MAX, &mut pairs));
            again += usize::from(kept.calls > 0);
            finder.find(&boxes, &mut expected);
            assert_eq!(pairs, expected, "step {step}");
        }
        assert!(again > 20, "kept in {again} calls of 60");
        assert!(!kept.find_at_most(&boxes, 3, &mut pairs) && pairs.is_empty());
    }
}
