//! How deep bodies overlap where they are, apart from any step.

use crate::detection::{Detector, PlanarContact, Rules};
use crate::world::World;

carom_stepping::overlap_finder!(PlanarContact);

fn detect(world: &World, detector: &mut Detector, seen: &mut Vec<PlanarContact>) -> bool {
    let settings = world.settings();
    if settings.contact.is_none() && settings.penalty.is_none() {
        seen.clear();
        return false;
    }
    detector.detect(world.model(), &world.state().bodies, Rules::of(settings), &[], seen);
    detector.gave_up
}
