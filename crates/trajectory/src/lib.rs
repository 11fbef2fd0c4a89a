//! Frames and trajectory files: write, read, resume, compare, hash. No physics.

pub mod frame;

pub use frame::{Contact, ContactKind, Diagnostics, Family, Frame, Intermediate, Quantities};
