//! How deep bodies overlap where they are, apart from any step.

use crate::detection::{Contact, Detector};
use crate::world::World;

/// Finds the deepest overlap of a world without changing the world. Keeps its memory from look to look.
#[derive(Debug, Clone)]
pub struct OverlapFinder {
    detector: Detector,
    seen: Vec<Contact>,
}

impl OverlapFinder {
    /// For worlds of the same bodies as this one.
    pub fn new(world: &World) -> Self {
        Self { detector: Detector::new(world.model()), seen: Vec::new() }
    }

    /// How deep the deepest overlap of two bodies is; 0 when none overlap, or when they pass through each other. This looks for contacts
    /// anew: a step that does so at its end has reported it, see [`crate::ContactSettings::looks_last`].
    pub fn deepest(&mut self, world: &World) -> f64 {
        let Some(contact) = world.settings().contact else { return 0.0 };
        let rules = world.rules(&contact);
        self.detector.detect(world.model(), &world.state().bodies, rules, &[], &mut self.seen);
        self.seen.iter().map(|contact| -contact.gap).fold(0.0, f64::max)
    }
}
