//! Is it right? Cases whose answers are known in closed form, each under every response that should
//! meet it.
//!
//! A [`Case`] builds its scenes, runs them with default settings and writes down [`Finding`]s: a
//! quantity, its right value, ours, and how far they may be apart. The tolerance is part of the
//! promise and stands beside it.
//!
//! ```
//! let case = carom_validation::cases().into_iter().find(|case| case.name == "two-masses").unwrap();
//! let sheet = case.run();
//! assert!(sheet.findings.iter().all(|finding| finding.holds()));
//! ```
//!
//! This crate prints nothing and reads no clock: the same bits on every machine.

mod cases;
mod peer;
pub mod scenes;
mod sheet;
mod tags;
pub mod track;

pub use cases::{Case, cases};
pub use peer::Peer;
pub use sheet::{Finding, Picture, Sheet};
