//! What keeps a settling pile cheap, counted instead of timed.

use crate::scenes;

use carom_rigid2d::{ContactSettings, OverlapFinder, Response, Status};

/// Steps of time.
const STEPS: u64 = 120;

/// 600 discs that fall and pile up, at last more contacts than degrees of freedom.
#[test]
fn a_settling_pile_is_solved_a_few_times_a_step() {
    let mut world = scenes::falling_pile(600).world(0.01, ContactSettings::new(Response::VelocityProjection));
    let mut overlaps = OverlapFinder::new(&world);
    let (mut solved, mut deepest, mut contacts) = (0, 0.0f64, 0);
    for step in 0..STEPS {
        let report = world.step();
        assert_eq!(report.status, Status::Solved, "step {step}: residual {:.1e}", report.residual.worst());
        solved += report.responses as u64;
        deepest = deepest.max(overlaps.deepest(&world));
        contacts = report.contacts;
    }
    assert!(contacts > 1_200, "{contacts} contacts at rest");
    assert!(deepest < 1e-6, "deepest overlap {deepest:.1e}");
    assert!(solved < STEPS * 8, "{solved} problems, most of them rough");
}
