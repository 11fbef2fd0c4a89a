//! Frames and trajectory files: write, read, resume, compare, hash. No physics.
//!
//! A run is written to a journal ([`journal`], Carom's own format); [`export`] makes the course's files, numpy's and
//! tables of it; [`open`] reads journals and course files alike. Files appear whole or not at all ([`atomic`]).
//! `docs/trajectory-format.md` has the layouts byte by byte.

pub mod atomic;
pub mod compare;
pub mod course;
pub mod error;
pub mod export;
pub mod frame;
pub mod journal;
pub mod trajectory;

pub use error::{CourseProblem, TrajectoryError};
pub use frame::{Contact, ContactKind, Diagnostics, Family, Frame, Intermediate, Quantities};
pub use journal::{Header, JournalReader, JournalWriter, Resumed, RunHash};
pub use trajectory::{Trajectory, open, open_bytes};
