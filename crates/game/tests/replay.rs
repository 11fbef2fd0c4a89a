//! A recorded game replays to the bit, and nothing that is typed or sent breaks the reader.

use carom_game::{
    Flight, Game, Keys, LEVELS, Phase, Recording, RecordingError, ReplayError, replay, rules::MOST_TICKS,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn play(flight: Flight, keys: &[Keys]) -> Game {
    let mut game = Game::new(flight).unwrap();
    keys.iter().for_each(|&keys| game.tick(keys));
    game
}

fn bits(game: &Game) -> Vec<u64> {
    game.positions().iter().chain(game.velocities()).map(|x| x.to_bits()).collect()
}

/// Runs of keys as a hand gives them, restarts included.
fn keys() -> impl Strategy<Value = Vec<Keys>> {
    vec((0..Keys::COUNT, 1..60_usize), 1..25).prop_map(|runs| {
        let run = |(mask, length)| std::iter::repeat_n(Keys::from_bits(mask), length);
        runs.into_iter().flat_map(run).collect()
    })
}

fn flights() -> impl Strategy<Value = Flight> {
    (1..=LEVELS.len() as u32, any::<u64>()).prop_map(|(level, seed)| Flight { level, seed })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_replay_is_the_original(flight in flights(), keys in keys()) {
        let original = play(flight, &keys);
        let text = original.recording().to_text();
        prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.'));
        let recording: Recording = text.parse().unwrap();
        prop_assert_eq!(&recording, &original.recording());
        let again = replay(&recording).unwrap();
        prop_assert_eq!(bits(&again), bits(&original));
        prop_assert_eq!(again.hash(), original.hash());
        prop_assert_eq!((again.phase(), again.score(), again.ticks(), again.restarts()),
            (original.phase(), original.score(), original.ticks(), original.restarts()));
    }

    #[test]
    fn every_number_stays_finite(flight in flights(), keys in keys()) {
        let mut game = Game::new(flight).unwrap();
        for keys in keys {
            game.tick(keys);
            prop_assert!(game.positions().iter().chain(game.velocities()).all(|x| x.is_finite()));
            prop_assert!(game.fuel() <= game.level().tank);
        }
    }

    /// One tick of other keys leads elsewhere, and the hash tells.
    #[test]
    fn an_altered_recording_is_found_out(flight in flights(), at in 0..60_usize) {
        let keys = vec![Keys::FORWARD; 60];
        let mut recording = play(flight, &keys).recording();
        recording.keys[at] = Keys::LEFT;
        let is_found_out = matches!(replay(&recording), Err(ReplayError::Differs { .. }));
        prop_assert!(is_found_out);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _refused_or_not: Result<Recording, RecordingError> = text.parse();
    }

    #[test]
    fn any_runs_are_read_or_refused(runs in "[a-zA-G0-9]{0,40}", level in any::<u32>()) {
        let text = format!("cf1.{level}.0123456789abcdef.{runs}.0123456789abcdef");
        if let Ok(recording) = text.parse::<Recording>() {
            prop_assert!(recording.keys.len() <= MOST_TICKS as usize);
            prop_assert_eq!(recording.to_text().parse::<Recording>(), Ok(recording));
        }
    }
}

#[test]
fn the_text_of_a_recording() {
    let mut keys = vec![Keys::FORWARD; 60];
    keys.extend(vec![Keys::NONE; 2]);
    keys.push(Keys::FORWARD | Keys::LEFT | Keys::BACKWARD | Keys::RIGHT | Keys::RESTART);
    let text = play(Flight { level: 2, seed: 255 }, &keys).recording().to_text();
    assert!(text.starts_with("cf1.2.00000000000000ff.b60a2F."), "{text}");
    assert_eq!(text.len(), "cf1.2.00000000000000ff.b60a2F.".len() + 16);
}

#[test]
fn damage_is_named() {
    let good = play(Flight { level: 1, seed: 1 }, &[Keys::FORWARD; 3]).recording().to_text();
    let damaged = |from: &str, to: &str| good.replacen(from, to, 1).parse::<Recording>().unwrap_err();
    assert_eq!(damaged("cf1", "cf2"), RecordingError::Version);
    assert_eq!("".parse::<Recording>(), Err(RecordingError::Version));
    assert_eq!(damaged(".b3", ""), RecordingError::Parts(4));
    assert_eq!(damaged(".1.", ".+1."), RecordingError::Damaged { part: "level" });
    assert_eq!(damaged("00000001", "0000000g"), RecordingError::Damaged { part: "seed" });
    assert_eq!(damaged("00000001", "+0000001"), RecordingError::Damaged { part: "seed" });
    assert_eq!(damaged("b3", "b03"), RecordingError::Damaged { part: "keys" });
    assert_eq!(damaged("b3", "G3"), RecordingError::Damaged { part: "keys" });
    assert_eq!(damaged("b3", "3b"), RecordingError::Damaged { part: "keys" });
    assert_eq!(damaged("b3", "b36000a"), RecordingError::TooLong);
    assert_eq!(damaged("b3", "b99999999999999999999"), RecordingError::TooLong);
    assert_eq!(format!("{good}0").parse::<Recording>(), Err(RecordingError::Damaged { part: "hash" }));
    assert!(good.parse::<Recording>().is_ok());
}

#[test]
fn levels_that_are_not_there_are_refused() {
    for level in [0, LEVELS.len() as u32 + 1, u32::MAX] {
        let error = Game::new(Flight { level, seed: 1 }).unwrap_err();
        assert!(error.to_string().contains("levels go from 1 to 8"), "{error}");
    }
}

/// Pinned: the same keys must reach the same state in debug, in release, in the browser and in a
/// year. A moved hash is a change of results: every recorded flight is lost, and the version in
/// `recording.rs` has to rise.
#[test]
fn pinned_flights() {
    let mut keys = Vec::new();
    for (mask, length) in [(1, 50), (2, 12), (0, 40), (8, 24), (1, 30), (2, 12), (0, 300), (4, 20), (0, 200)]
    {
        keys.extend(vec![Keys::from_bits(mask); length]);
    }
    let found: Vec<(String, Phase)> = (1..=LEVELS.len() as u32)
        .map(|level| play(Flight { level, seed: 2026 }, &keys))
        .map(|game| (game.hash(), game.phase()))
        .collect();
    let hashes: Vec<&str> = found.iter().map(|(hash, _)| hash.as_str()).collect();
    assert_eq!(hashes, PINNED, "{found:?}");
}

const PINNED: [&str; 8] = [
    "ed430db1ecba6bc9",
    "bb391d8d6d9c65f2",
    "c89011d8be241743",
    "6af047d96481dfb4",
    "1117cdf45763114b",
    "442e107e1dc70d0d",
    "76cde4e2049935f4",
    "eed6cae95d9c1dd7",
];
