//! Steps that could not be taken and frames that cannot be gone back to.

use crate::status::StepStatus;
use std::fmt;

/// A step that was not taken: the simulation is where it was before.
#[derive(Debug, Clone, PartialEq)]
pub struct StepFailure {
    /// The step that failed, counted from 1.
    pub step: u64,
    /// Simulated time before it.
    pub time: f64,
    /// How it would have ended.
    pub status: StepStatus,
    /// What went wrong and what helps.
    pub reason: String,
    /// Whether it was ended from outside ([`crate::watch`]).
    pub interrupted: bool,
}

/// What a step says that was ended from outside.
pub(crate) const INTERRUPTED: &str = "it was interrupted";

/// What a step says that would have to look at too much.
pub(crate) fn too_many(pairs: usize) -> String {
    format!(
        "more than {pairs} pairs of bodies overlap, or come near each other within the step; do many bodies start in \
         one place? A smaller dt helps where they are only fast"
    )
}

/// What a step says that led out of the finite numbers.
pub(crate) fn left_the_numbers(body: usize) -> String {
    format!("body {body} became non-finite; a smaller dt, softer springs or numbers of a usual size may help")
}

/// Why a frame cannot be gone back to.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoreError {
    /// Step of the frame.
    pub step: u64,
    /// What does not fit.
    pub reason: String,
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} at t = {} s was not taken: {}", self.step, self.time, self.reason)
    }
}

impl std::error::Error for StepFailure {}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} is no state of this scene: {}", self.step, self.reason)
    }
}

impl std::error::Error for RestoreError {}
