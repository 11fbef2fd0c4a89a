//! Fields: ordinary scenes, equal for equal seeds, with room for everybody.

use carom_game::{Field, LEVELS};
use carom_scene::{ReadOptions, check, read, write};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_field_is_a_scene_like_any_other(level in 0..LEVELS.len(), seed in any::<u64>()) {
        let field = Field::new(&LEVELS[level], seed);
        prop_assert_eq!(&field, &Field::new(&LEVELS[level], seed));
        prop_assert!(check(&field.scene, &ReadOptions::default()).is_ok());
        prop_assert_eq!(read(&write(&field.scene), &ReadOptions::default()).scene, Some(field.scene));
    }

    #[test]
    fn nothing_overlaps_at_the_start(level in 0..LEVELS.len(), seed in any::<u64>()) {
        let field = Field::new(&LEVELS[level], seed);
        let simulation = carom::Simulation::new(&field.scene, carom::Options::default()).unwrap();
        let places = simulation.frame().positions;
        for (a, first) in field.looks.iter().enumerate() {
            for (b, second) in field.looks.iter().enumerate().skip(a + 1) {
                let (x, y) = (places[3 * a] - places[3 * b], places[3 * a + 1] - places[3 * b + 1]);
                prop_assert!((x * x + y * y).sqrt() > first.extent + second.extent, "{a} {b}");
            }
        }
    }

    #[test]
    fn seeds_make_fields(level in 0..LEVELS.len(), seed in any::<u64>()) {
        prop_assert_ne!(Field::new(&LEVELS[level], seed), Field::new(&LEVELS[level], seed ^ 1));
    }
}

#[test]
fn every_level_has_its_asteroids() {
    for level in &LEVELS {
        let counts = (0..50).map(|seed| Field::new(level, seed).looks.len() as u32 - 2);
        let (wanted, fewest) = (level.discs + level.shards, counts.min().unwrap());
        assert!(fewest == wanted, "{}: {fewest} of {wanted}", level.name);
    }
}
