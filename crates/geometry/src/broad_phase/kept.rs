//! Candidates that are kept from call to call while boxes move little (neighbour lists; Verlet 1967, Computer "experiments" on classical fluids).
//!
//! The broad phase sees boxes that are a little larger. As long as every box lies in its larger one, whatever overlaps is among the candidates, so
//! they need not be looked for again. Faster boxes get more room; where it would have to be too much, none is given: it would only add candidates.

use super::{Aabb, BroadPhase, Candidates, Method};

/// Least room on every side of a box, in its extent.
const ROOM: f64 = 0.08;

/// Room is for about this many calls at the pace of the fastest box,
const CALLS: f64 = 3.5;

/// but not beyond this: the candidates grow with its square.
const MOST_ROOM: f64 = 0.35;

/// A broad phase that remembers its answer.
///
/// ```
/// use carom_geometry::broad_phase::{Aabb, KeptCandidates, Method};
/// let mut kept = KeptCandidates::new(Method::Grid);
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
    /// Boxes when the candidates were found, as they were and as they were looked at.
    discs: Boxes,
    segments: Boxes,
    calls: u32,
    gave_up: bool,
}

#[derive(Debug, Clone, Default)]
struct Boxes {
    found: Vec<Aabb>,
    roomy: Vec<Aabb>,
}

impl KeptCandidates {
    /// Candidates by the given method.
    pub fn new(method: Method) -> Self {
        Self { broad_phase: BroadPhase::new(method), ..Self::default() }
    }

    /// Whether there were more than [`super::most_pairs`] when it was looked last, and so none was given.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Everything that overlaps, in canonical order, and some pairs that nearly do.
    pub fn find(&mut self, discs: &[Aabb], segments: &[Aabb]) -> &Candidates {
        self.calls = self.calls.saturating_add(1);
        if !(self.discs.hold(discs) && self.segments.hold(segments)) {
            let pace = self.discs.travel(discs).max(self.segments.travel(segments)) / f64::from(self.calls);
            let room = room_for(pace);
            self.discs.keep(discs, room);
            self.segments.keep(segments, room);
            let (discs, segments, most) = (&self.discs.roomy, &self.segments.roomy, super::most_pairs());
            self.gave_up = !self.broad_phase.find_at_most(discs, segments, most, &mut self.candidates);
            self.calls = 0;
        }
        &self.candidates
    }
}

/// Room for boxes of which the fastest comes this far in a call, in extents: enough for a few calls, or none.
fn room_for(pace: f64) -> f64 {
    let wanted = CALLS * pace;
    // also false for what is not a number
    if wanted <= MOST_ROOM { wanted.max(ROOM) } else { 0.0 }
}

impl Boxes {
    fn hold(&self, boxes: &[Aabb]) -> bool {
        self.roomy.len() == boxes.len() && self.roomy.iter().zip(boxes).all(|(roomy, b)| roomy.contains(b))
    }

    /// How far a box has come since it was kept, in its extent; none when there are other boxes.
    fn travel(&self, boxes: &[Aabb]) -> f64 {
        if self.found.len() != boxes.len() {
            return 0.0;
        }
        let ways =
            self.found.iter().zip(boxes).map(|(old, new)| {
                (new.min - old.min).abs().max_element() / old.extent().max(f64::MIN_POSITIVE)
            });
        ways.fold(0.0, f64::max)
    }

    fn keep(&mut self, boxes: &[Aabb], room: f64) {
        self.found.clear();
        self.found.extend_from_slice(boxes);
        self.roomy.clear();
        self.roomy.extend(boxes.iter().map(|b| b.grown(room * b.extent())));
    }
}
