//! Trajectory files: write, read, resume, compare, hash. No physics. Frames are those of
//! `carom-frames`.
//!
//! A run is written to a journal ([`journal`], Carom's own format); [`export`] makes the course's
//! files, numpy's and tables of it; [`open`] reads journals and course files alike. Files appear
//! whole or not at all ([`atomic`]). [`compare`] grades frames against a reference.
//! `docs/trajectory-format.md` has the layouts byte by byte.
//!
//! ```
//! use carom_trajectory::{Family, Frame, Header, JournalWriter, open};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("fall.carom");
//!
//! let mut journal = JournalWriter::create(&path, &Header::new(Family::Particles, 1, 0.1, "fall.xml", "<scene/>"))?;
//! for step in 0..10 {
//!     let time = 0.1 * step as f64;
//!     let (positions, velocities) = (vec![0.0, -5.0 * time * time], vec![0.0, -10.0 * time]);
//!     journal.append(&Frame { step, time, positions, velocities, ..Frame::default() })?;
//! }
//! println!("{}", journal.finish()?);
//!
//! let mut run = open(&path, None)?;
//! assert_eq!(run.frame_count()?, 10);
//! assert_eq!(run.frame(9)?.velocities[1], -9.0);
//! for frame in run.frames() {
//!     assert!(frame?.positions[1] <= 0.0);
//! }
//! # Ok::<(), carom_trajectory::TrajectoryError>(())
//! ```
//!
//! What it does not do: simulate, or know what a scene says.

pub mod arrays;
pub mod atomic;
pub mod compare;
pub mod course;
pub mod error;
pub mod export;
pub mod journal;
mod npz;
pub mod trajectory;

pub use carom_frames as frame;
pub use carom_frames::{
    Contact, ContactKind, Diagnostics, Family, Frame, Impact, Intermediate, Quantities, islands,
};
pub use error::{CourseProblem, TrajectoryError};
pub use journal::{Header, JournalBytes, JournalReader, JournalWriter, Resumed, RunHash};
pub use npz::npz_frames;
pub use trajectory::{Trajectory, open, open_bytes};
