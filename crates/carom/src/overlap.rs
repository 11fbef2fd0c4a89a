//! The deepest overlap of rigid bodies, found when somebody asks: it costs up to a fifth of a step
//! of bodies at rest.

use std::sync::{Mutex, OnceLock, PoisonError};

/// An overlap that is known, or can be found by an `F`.
#[derive(Debug)]
pub(crate) struct Overlap<F> {
    /// Scratch of the search; behind a lock, because who asks only reads the world.
    finder: Mutex<F>,
    deepest: OnceLock<f64>,
}

impl<F> Overlap<F> {
    /// Of a world that was not checked.
    pub(crate) fn new(finder: F) -> Self {
        Self { finder: Mutex::new(finder), deepest: OnceLock::new() }
    }

    /// The bodies are elsewhere now, and overlap by this much where it is known.
    pub(crate) fn moved(&mut self, known: Option<f64>) {
        self.deepest = known.map_or_else(OnceLock::new, OnceLock::from);
    }

    /// How deep the deepest overlap is.
    pub(crate) fn find(&self, find: impl FnOnce(&mut F) -> f64) -> f64 {
        let look = || find(&mut self.finder.lock().unwrap_or_else(PoisonError::into_inner));
        *self.deepest.get_or_init(look)
    }
}

impl<F: Clone> Clone for Overlap<F> {
    fn clone(&self) -> Self {
        let finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { finder: Mutex::new(finder), deepest: self.deepest.clone() }
    }
}
