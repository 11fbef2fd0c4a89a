//! How deep bodies overlap where they are, apart from any step.

use crate::detection::{Detector, PlanarContact, Rules};
use crate::world::World;
use carom_stepping::rigid::OverlapSearch;

type Search = OverlapSearch<Detector, PlanarContact>;

/// Finds the deepest overlap of a world without changing the world. Keeps its memory from look to
/// look.
#[derive(Debug, Clone)]
pub struct OverlapFinder(Search);

impl OverlapFinder {
    /// For worlds of the same bodies as this one.
    pub fn new(world: &World) -> Self {
        let mut detector = Detector::new(world.model()).limited(Search::MOST_PAIRS);
        detector.surfaces.clone_from(world.surfaces());
        Self(Search::new(detector))
    }

    /// How deep the deepest overlap of two bodies is; 0 when none overlap, or when they pass
    /// through each other; NaN where too many pairs are near to be checked.
    pub fn deepest(&mut self, world: &World) -> f64 {
        let settings = world.settings();
        if settings.contact.is_none() && settings.penalty.is_none() {
            return 0.0;
        }
        let detect = |detector: &mut Detector, seen: &mut Vec<PlanarContact>| {
            detector.detect(world.model(), &world.state().bodies, Rules::of(settings), &[], seen);
            detector.gave_up
        };
        self.0.deepest(detect, |contact| contact.gap)
    }
}
