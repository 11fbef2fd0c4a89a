//! Pictures to files.

pub mod png;
