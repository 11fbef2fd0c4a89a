//! What can be wrong with a world before it runs.

use std::fmt;

/// Why a model, state or settings cannot make a world.
pub type ModelError = carom_stepping::rigid::ModelError<BodyFault>;

/// What is wrong with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFault {
    /// The mass is not a finite number above 0.
    Mass,
    /// The inertia is not a symmetric matrix with finite moments above 0, or its inverse is not
    /// finite.
    Inertia,
    /// The radius is not a finite number above 0.
    Radius,
    /// The normal of a half-space is not of length 1.
    Normal,
    /// A half-space is free to move.
    FreeHalfSpace,
    /// The centre of mass of a polyhedron is not inside it.
    Center,
    /// Position, orientation or momentum is not finite, or the orientation is far from a rotation.
    State,
    /// A script has a number that is not finite, an orientation that is no rotation, or key frames
    /// that do not rise in time.
    Script,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mass => "the mass must be finite and above 0",
            Self::Inertia => "the inertia must be symmetric with finite moments above 0",
            Self::Radius => "the radius must be finite and above 0",
            Self::Normal => "the normal of a half-space must have length 1",
            Self::FreeHalfSpace => "a half-space must be fixed or kinematic",
            Self::Center => "the centre of mass must be inside the polyhedron",
            Self::State => "position, orientation and momenta must be finite, and the orientation a rotation",
            Self::Script => {
                "the script must have finite numbers, a rotation, and key frames that rise in time"
            }
        })
    }
}
