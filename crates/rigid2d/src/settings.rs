//! How a world is stepped.

use crate::integrator::Integrator;

/// Everything that is chosen, none of it part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Step length in seconds, above 0.
    pub dt: f64,
    /// How free bodies are moved.
    pub integrator: Integrator,
    /// Follow the course's program to the letter where it differs from what is right; see docs/course-compatibility.md.
    pub course: bool,
}
