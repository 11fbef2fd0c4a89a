//! Scene files: XML text to checked description and back.
//!
//! [`read`] takes text and gives a [`Scene`], every problem of the text, and a [`SourceMap`] that
//! tells where each value stands. [`render`] shows problems to people, [`diagnostics`] to programs.
//! [`write()`] is the way back, and [`check()`] does for scenes that were made in code what reading
//! does for files. The format itself is the table in [`schema`].
//!
//! This crate does no physics and touches no file system: text comes in as a string, and text goes
//! out as one.

mod change;
mod check;
pub mod description;
mod diagnostic;
mod foreign;
mod number;
mod problem;
mod reader;
mod render;
pub mod schema;
mod source;
mod suggestion;
mod writer;

pub use change::{Change, ChangeError, change, change_in};
pub use check::{Refusal, check};
pub use description::{General, ParticleScene, RigidScene, Scene, SpatialScene, System};
pub use diagnostic::{Diagnostic, diagnostics};
pub use problem::{MAX_PROBLEMS, Problem, Problems, Related, Replacement, Severity};
pub use reader::{MAX_DEPTH, MEMORY_PER_BYTE, ReadOptions, Reading, read};
pub use render::{render, render_problem};
pub use source::{MAX_TEXT_BYTES, SourceMap, TooLarge, check_size};
pub use writer::write;
