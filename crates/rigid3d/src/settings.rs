//! How a world is stepped.

use crate::integrator::Integrator;
use crate::orientation::OrientationKind;
pub use carom_stepping::{CONTACT_TOLERANCE, ContactSettings, Response};

/// ε of the lecture's `FindAllCollisions`, for the response `Impulse`.
pub const LECTURE_RESTITUTION: f64 = 0.5;

/// Everything that is chosen, none of it part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialSettings {
    /// Step length in seconds, above 0.
    pub dt: f64,
    /// How free bodies are moved.
    pub integrator: Integrator,
    /// How orientations are kept.
    pub orientation: OrientationKind,
    /// What happens where bodies touch; they pass through each other when absent.
    pub contact: Option<ContactSettings>,
}
