//! How a world is stepped.

use crate::force::Penalty;
use crate::integrator::Integrator;
pub use carom_stepping::{CONTACT_TOLERANCE, ContactSettings, Response};

/// Everything that is chosen, none of it part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarSettings {
    /// Step length in seconds, above 0.
    pub dt: f64,
    /// How free bodies are moved.
    pub integrator: Integrator,
    /// What happens where bodies touch; they pass through each other when absent, unless a penalty
    /// force pushes them apart.
    pub contact: Option<ContactSettings>,
    /// A spring that pushes what is nearer than a thickness apart: a force, not an impulse. Not
    /// used with `contact`.
    pub penalty: Option<Penalty>,
    /// Follow the course's program to the letter where it differs from what is right; see
    /// docs/course-compatibility.md.
    pub course: bool,
}

impl PlanarSettings {
    /// Bodies that pass through each other.
    pub fn new(dt: f64, integrator: Integrator) -> Self {
        Self { dt, integrator, contact: None, penalty: None, course: false }
    }
}
