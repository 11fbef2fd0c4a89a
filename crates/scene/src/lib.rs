//! Scene files: XML text to checked description and back.
//!
//! This crate does no physics and touches no file system: text comes in as a string, and text goes out as one.

pub mod description;

pub use description::{General, ParticleScene, RigidScene, Scene, System};
