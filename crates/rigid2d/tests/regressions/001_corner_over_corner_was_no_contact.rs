//! Blocks of equal width on each other lost all contact in some steps: rounding put a corner inside
//! an edge for one test and beyond it for the other, and each left the contact to the other. A
//! tower fell for one step.

use crate::build::{Build, FREE, v};
use carom_rigid2d::{Detector, Rules};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_block_on_an_equal_block_always_touches_at_both_ends(
        shift in -1e-13..1e-13f64,
        tilt in -1e-13..1e-13f64,
        x in -10.0..10.0f64,
        half in 0.3..2.0f64,
        exponent in 0..6i32,
    ) {
        let mut build = Build::new();
        build.block(v(x, 0.5), v(half, 0.4), 0.1, FREE);
        build.block(v(x, 1.5), v(half, 0.4), 0.1, FREE);
        build.state.bodies[1].position.x += shift * 10f64.powi(-exponent);
        build.state.bodies[1].angle += tilt * 10f64.powi(-exponent);
        let mut contacts = Vec::new();
        let rules = Rules { course: false, touching: 1e-9 };
        Detector::new(&build.model).detect(&build.model, &build.state.bodies, rules, &[], &mut contacts);
        let mut arms: Vec<_> = contacts.iter().map(|c| c.second_arm.x).collect();
        arms.sort_by(f64::total_cmp);
        prop_assert!(arms.len() >= 2, "{contacts:?}");
        prop_assert!((arms[0] + half).abs() < 1e-9 && (arms[arms.len() - 1] - half).abs() < 1e-9, "{arms:?}");
    }
}
