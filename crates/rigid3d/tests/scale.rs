//! What contact costs in piles, in counted products instead of seconds. `docs/benchmarks.md` has
//! the time of whole steps.

use crate::piles;

use carom_rigid3d::Status;
use piles::{Parts, Pile};

/// Contacts and products of a step, on average, while the pile lands and after it.
fn cost(boxes: usize) -> [(f64, f64); 2] {
    let pile = Pile { boxes, in_bond: false, friction: 0.0, tolerance: None };
    let mut world = pile.world();
    let parts = Parts::of(&pile, world.settings().dt);
    for _ in 0..parts.fall {
        world.step();
    }
    [parts.landing, parts.after].map(|steps| {
        let (mut contacts, mut operations) = (0, 0);
        for _ in 0..steps {
            let report = world.step();
            assert_eq!(report.status, Status::Solved, "{boxes} boxes");
            contacts += report.contacts;
            operations += report.operations;
        }
        (contacts as f64 / steps as f64, operations as f64 / steps as f64)
    })
}

fn exponent(few: (f64, f64), many: (f64, f64)) -> f64 {
    (many.1 / few.1).log10() / (many.0 / few.0).log10()
}

#[test]
fn the_work_of_a_pile_that_lies_grows_with_its_contacts() {
    let ([landing, after], [landing_of_many, after_of_many]) = (cost(100), cost(1000));
    let lying = exponent(after, after_of_many);
    assert!(lying < 1.2, "{lying} from {after:?} to {after_of_many:?}");
    // The contacts that pushed are kept: towers of ten boxes need one factorization a step, or two.
    // Without that it was five times as much.
    assert!(after_of_many.1 < 600.0 * after_of_many.0, "{after_of_many:?}");
    // While it lands a pile of a hundred is towers of five, small enough for pivots, and a thousand
    // are towers of ten that also hit each other: the solver's own part grows faster than the whole
    // step, of which detection and rows are most.
    let falling = exponent(landing, landing_of_many);
    assert!(falling < 1.95, "{falling} from {landing:?} to {landing_of_many:?}");
    // Rows are looked for in rounds, and looks count.
    assert!(landing_of_many.1 < 4000.0 * landing_of_many.0, "{landing_of_many:?}");
}
