//! Flights as text: the keys of every tick, and the hash of where they lead.
//!
//! A recording is `cf1.LEVEL.SEED.RUNS.HASH`: the format and its version, the level, the seed in
//! sixteen hexadecimal digits, the keys as runs, and the hash of the final state. A run is a letter
//! for the mask of keys (`a` to `z` are 0 to 25, `A` to `F` 26 to 31) and how many ticks it lasts,
//! left out for 1: `b60a120c` is 60 ticks of `w`, 120 of nothing, one of `a`. Only letters, digits
//! and dots, so that a recording fits into a link.

use crate::game::{Flight, Game, GameError};
use crate::keys::Keys;
use crate::rules::MOST_TICKS;
use std::fmt::Write;
use std::str::FromStr;

/// Format and version. After the first release, a change of rules, fields or physics that moves
/// bits needs a new version.
const MARK: &str = "cf1";
const HASH_DIGITS: usize = 16;

/// A flight that was flown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Which field.
    pub flight: Flight,
    /// The keys of every tick.
    pub keys: Vec<Keys>,
    /// Hash of the final state, sixteen hexadecimal digits.
    pub hash: String,
}

/// Why a text is no recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// Another format, or another version of it.
    #[error("this is no recording of a flight that this version can replay: it must start with `{MARK}.`")]
    Version,
    /// A part is missing or there are too many.
    #[error("a recording has five parts between dots, this has {0}")]
    Parts(usize),
    /// A part is not what it must be.
    #[error("the {part} of the recording is damaged")]
    Damaged {
        /// Which part.
        part: &'static str,
    },
    /// Longer than any flight.
    #[error("a flight has at most {MOST_TICKS} ticks, the recording has more")]
    TooLong,
}

/// Why a recording cannot be replayed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// There is no such field.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The keys lead elsewhere: the recording was altered, or made by other rules.
    #[error("the replay ends in state {found}, the recording says {recorded}")]
    Differs {
        /// Hash that the recording holds.
        recorded: String,
        /// Hash that the replay reached.
        found: String,
    },
}

/// Flies a recording again, to the bit.
pub fn replay(recording: &Recording) -> Result<Game, ReplayError> {
    let mut game = Game::new(recording.flight)?;
    for &keys in &recording.keys {
        game.tick(keys);
    }
    let found = game.hash();
    if found != recording.hash {
        return Err(ReplayError::Differs { recorded: recording.hash.clone(), found });
    }
    Ok(game)
}

impl Recording {
    /// As text.
    pub fn to_text(&self) -> String {
        let Flight { level, seed } = self.flight;
        let mut text = format!("{MARK}.{level}.{seed:016x}.");
        for run in self.keys.chunk_by(|a, b| a == b) {
            text.push(letter(run[0]));
            if run.len() > 1 {
                let _a_string_takes_all = write!(text, "{}", run.len());
            }
        }
        text.push('.');
        text.push_str(&self.hash);
        text
    }
}

impl FromStr for Recording {
    type Err = RecordingError;

    fn from_str(text: &str) -> Result<Recording, RecordingError> {
        let parts: Vec<&str> = text.trim().split('.').collect();
        if parts[0] != MARK {
            return Err(RecordingError::Version);
        }
        let &[_, level, seed, runs, hash] = parts.as_slice() else {
            return Err(RecordingError::Parts(parts.len()));
        };
        let damaged = |part| RecordingError::Damaged { part };
        let is_hex = |text: &str| text.len() == HASH_DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !level.bytes().all(|b| b.is_ascii_digit()) {
            return Err(damaged("level"));
        }
        let level = level.parse().map_err(|_| damaged("level"))?;
        let seed = u64::from_str_radix(seed, 16).ok().filter(|_| is_hex(seed)).ok_or(damaged("seed"))?;
        if !is_hex(hash) {
            return Err(damaged("hash"));
        }
        Ok(Recording {
            flight: Flight { level, seed },
            keys: read_runs(runs)?,
            hash: hash.to_ascii_lowercase(),
        })
    }
}

fn read_runs(text: &str) -> Result<Vec<Keys>, RecordingError> {
    let damaged = RecordingError::Damaged { part: "keys" };
    let mut keys: Vec<Keys> = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let mask = mask(first).ok_or(damaged.clone())?;
        let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
        // Lengths have no sign and no leading zeros, and nine digits are more than any flight.
        let length = match &after[..digits] {
            [] => 1,
            [b'0', ..] => return Err(damaged),
            number if number.len() > 9 => return Err(RecordingError::TooLong),
            number => number.iter().fold(0_usize, |sum, digit| 10 * sum + usize::from(digit - b'0')),
        };
        if keys.len() + length > MOST_TICKS as usize {
            return Err(RecordingError::TooLong);
        }
        keys.resize(keys.len() + length, mask);
        rest = &after[digits..];
    }
    Ok(keys)
}

fn letter(keys: Keys) -> char {
    match keys.bits() {
        low @ 0..26 => char::from(b'a' + low),
        high => char::from(b'A' + (high - 26)),
    }
}

fn mask(letter: u8) -> Option<Keys> {
    match letter {
        b'a'..=b'z' => Some(Keys::from_bits(letter - b'a')),
        b'A'..=b'F' => Some(Keys::from_bits(letter - b'A' + 26)),
        _ => None,
    }
}
