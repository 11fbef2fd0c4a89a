//! Candidates that are kept from call to call while boxes move little (neighbour lists; Verlet
//! 1967, Computer "experiments" on classical fluids).
//!
//! The broad phase sees boxes that are a little larger. As long as every box lies in its larger
//! one, whatever overlaps is among the candidates, so they need not be looked for again. Faster
//! boxes get more room; where it would have to be too much, none is given: it would only add
//! candidates.

use super::{Aabb, BroadPhase, BroadPhaseMethod, Candidates};

/// Least room on every side of a box, in the extent of the usual one.
const ROOM: f64 = 0.08;

/// Room is for about this many calls at a box's own pace,
const CALLS: f64 = 8.0;

/// but the areas of boxes grow by no more than this in the mean: the candidates grow with them.
const MOST_AREA: f64 = 2.5;

/// A broad phase that remembers its answer.
///
/// ```
/// use carom_geometry::plane::broad_phase::{Aabb, KeptCandidates, BroadPhaseMethod};
/// let mut kept = KeptCandidates::new(BroadPhaseMethod::Grid);
/// let at = |x: f64| [Aabb::around([0.0, 0.0].into(), 1.0), Aabb::around([x, 0.0].into(), 1.0)];
/// assert_eq!(kept.find(&at(1.9), &[]).discs.of(0), &[1]);
/// // a candidate may have moved apart a little; nothing that overlaps is ever missing
/// assert_eq!(kept.find(&at(2.01), &[]).discs.of(0), &[1]);
/// assert!(kept.find(&at(9.0), &[]).discs.of(0).is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct KeptCandidates {
    broad_phase: BroadPhase,
    candidates: Candidates,
    /// Boxes when the candidates were found, as they were and as they were queried.
    discs: Boxes,
    segments: Boxes,
    calls: u32,
    most: usize,
    gave_up: bool,
}

#[derive(Debug, Clone, Default)]
struct Boxes {
    found: Vec<Aabb>,
    roomy: Vec<Aabb>,
}

impl KeptCandidates {
    /// Candidates by the given method.
    pub fn new(method: BroadPhaseMethod) -> Self {
        Self { broad_phase: BroadPhase::new(method), ..Self::default() }
    }

    /// Whether there were more than [`super::most_pairs`] when it was looked last, and so none was
    /// given.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// What was given last.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Everything that overlaps, in canonical order, and some pairs that nearly do.
    pub fn find(&mut self, discs: &[Aabb], segments: &[Aabb]) -> &Candidates {
        self.find_at_most(discs, segments, super::most_pairs());
        &self.candidates
    }

    /// The same with bounded memory; none, and no candidates, where there are more than `most`
    /// pairs.
    pub fn find_at_most(&mut self, discs: &[Aabb], segments: &[Aabb], most: usize) -> Option<&Candidates> {
        self.calls = self.calls.saturating_add(1);
        let known = self.most == most && self.discs.hold(discs) && self.segments.hold(segments);
        if !known {
            self.discs.keep(discs, Some(self.calls));
            self.segments.keep(segments, Some(self.calls));
            if !self.look(most) {
                self.discs.keep(discs, None);
                self.segments.keep(segments, None);
                self.gave_up = !self.look(most);
            }
            (self.calls, self.most) = (0, most);
        }
        (!self.gave_up).then_some(&self.candidates)
    }

    fn look(&mut self, most: usize) -> bool {
        let Self { broad_phase, candidates, discs, segments, gave_up, .. } = self;
        *gave_up = !broad_phase.find_at_most(&discs.roomy, &segments.roomy, most, candidates);
        !*gave_up
    }
}

impl Boxes {
    /// Whether every box lies in what was queried.
    fn hold(&self, boxes: &[Aabb]) -> bool {
        self.roomy.len() == boxes.len() && self.roomy.iter().zip(boxes).all(|(roomy, b)| roomy.contains(b))
    }

    /// Keeps boxes with room for some calls, from how far they came in the last `calls`; without
    /// room where none are given.
    fn keep(&mut self, boxes: &[Aabb], calls: Option<u32>) {
        let usual =
            boxes.iter().filter(|b| b.is_bounded()).map(Aabb::extent).sum::<f64>() / boxes.len() as f64;
        self.roomy.clear();
        let mut area = 0.0;
        if let Some(calls) = calls {
            let known = self.found.len() == boxes.len();
            let pace = CALLS / f64::from(calls);
            for (k, b) in boxes.iter().enumerate() {
                let way = if known { pace * travel(&self.found[k], b) } else { 0.0 };
                let grown = b.grown(way.max(ROOM * usual.min(b.extent())));
                area += if b.is_bounded() { (grown.extent() / b.extent()).powi(2) } else { 1.0 };
                self.roomy.push(grown);
            }
        }
        if calls.is_none() || area > MOST_AREA * boxes.len() as f64 || area.is_nan() {
            self.roomy.clear();
            self.roomy.extend_from_slice(boxes);
        }
        self.found.clear();
        self.found.extend_from_slice(boxes);
    }
}

/// How far the border of a box has come.
fn travel(old: &Aabb, new: &Aabb) -> f64 {
    (new.min - old.min).abs().max((new.max - old.max).abs()).max_element()
}
