//! Frames and trajectory files: write, read, resume, compare, hash. No physics.

pub mod atomic;
pub mod course;
pub mod error;
pub mod frame;
pub mod journal;

pub use error::{CourseProblem, TrajectoryError};
pub use frame::{Contact, ContactKind, Diagnostics, Family, Frame, Intermediate, Quantities};
pub use journal::{Header, JournalReader, JournalWriter, Resumed, RunHash};
