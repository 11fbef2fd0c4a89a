//! What planar and spatial rigid bodies share beside the step: springs, dampers, errors, and the
//! plain parts of a world.

mod error;
mod overlap;
mod shared;
mod spring;

pub use error::ModelError;
pub use overlap::OverlapSearch;
pub use spring::{Anchor, Carriers, Damper, Point, Spring};

/// Which body: its place in the bodies of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyIndex(pub u32);

impl BodyIndex {
    /// As a place in a slice.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}
