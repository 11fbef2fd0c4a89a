//! How deep bodies overlap where they are, apart from any step.

use crate::detection::{Detector, SpatialContact};
use crate::settings::CONTACT_TOLERANCE;
use crate::world::World;

carom_stepping::overlap_finder!(SpatialContact);

fn detect(world: &World, detector: &mut Detector, seen: &mut Vec<SpatialContact>) -> bool {
    if world.settings().contact.is_none() {
        seen.clear();
        return false;
    }
    detector.detect(world.model(), &world.state().bodies, CONTACT_TOLERANCE, &[], seen);
    detector.gave_up
}
