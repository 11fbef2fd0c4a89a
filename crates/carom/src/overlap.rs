//! The deepest overlap of planar bodies, looked for when somebody asks: looking costs up to a fifth of a step of bodies at rest.

use carom_rigid2d::{OverlapFinder, World};
use std::sync::{Mutex, OnceLock, PoisonError};

#[derive(Debug)]
pub(crate) struct Overlap {
    /// Room for looking; behind a lock, because who asks only reads the world.
    finder: Mutex<OverlapFinder>,
    deepest: OnceLock<f64>,
}

impl Overlap {
    /// Of a world that nobody has looked at.
    pub(crate) fn new(world: &World) -> Self {
        Self { finder: Mutex::new(OverlapFinder::new(world)), deepest: OnceLock::new() }
    }

    /// The bodies are elsewhere now, and overlap by this much where it is known.
    pub(crate) fn moved(&mut self, known: Option<f64>) {
        self.deepest = known.map_or_else(OnceLock::new, OnceLock::from);
    }

    /// How deep the deepest overlap is.
    pub(crate) fn of(&self, world: &World) -> f64 {
        let look = || self.finder.lock().unwrap_or_else(PoisonError::into_inner).deepest(world);
        *self.deepest.get_or_init(look)
    }
}

impl Clone for Overlap {
    fn clone(&self) -> Self {
        let finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { finder: Mutex::new(finder), deepest: self.deepest.clone() }
    }
}
