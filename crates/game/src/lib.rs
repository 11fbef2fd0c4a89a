//! The asteroid game: a Carom scene plus rules, under the same determinism.
//!
//! A [`Flight`] (level and seed) makes a [`Field`]: an ordinary scene of planar rigid bodies,
//! stepped by symplectic Euler, whose asteroids bounce with restitution 0.9 and never overlap. A
//! [`Game`] steps it tick by tick under the [`Keys`] of the player, wraps asteroids around the
//! screen and judges the ship by [`rules`]. The same flight and the same keys give the same bits
//! everywhere, so a [`Recording`] is the keys and nothing more.
//!
//! ```
//! use carom_game::{Flight, Game, Keys, Phase, replay};
//!
//! let mut game = Game::new(Flight { level: 1, seed: 7 })?;
//! // Straight on for a second, coast, brake in time.
//! for tick in 0..2000 {
//!     game.tick(match tick {
//!         0..60 => Keys::FORWARD,
//!         _ if game.ship().position[0] > 7.2 && game.ship().velocity[0] > 0.4 => Keys::BACKWARD,
//!         _ => Keys::NONE,
//!     });
//! }
//! assert_eq!(game.phase(), Phase::Won);
//! let again = replay(&game.recording().to_text().parse()?)?;
//! assert_eq!(again.hash(), game.hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate draws nothing, makes no sound and reads no clock: whoever shows the game asks for
//! what it needs.

mod event;
mod field;
mod game;
mod keys;
mod level;
mod random;
mod recording;
pub mod rules;

pub use event::{Crash, Event, Phase, Restart};
pub use field::{Field, Look};
pub use game::{Flight, Game, GameError, Moving};
pub use keys::Keys;
pub use level::{LEVELS, Level};
pub use random::Random;
pub use recording::{Recording, RecordingError, ReplayError, replay};
