//! What can be wrong with a world before it runs.

use std::fmt;

/// Why a model, state or settings cannot make a world.
pub type ModelError = carom_stepping::rigid::ModelError<BodyFault>;

/// What is wrong with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFault {
    /// The mass is not a finite number above 0; so is that of a solid outline without area.
    Mass,
    /// The moment of inertia is not a finite number above 0: all vertices of the outline are at one
    /// place.
    Inertia,
    /// The radius is not a finite number above 0.
    Radius,
    /// Fewer vertices than the shape needs: two for a hollow outline, three for a solid one.
    TooFewVertices,
    /// A vertex is not finite.
    Vertex,
    /// Two vertices of a solid outline that follow each other are at the same place.
    RepeatedVertex,
    /// The outline of a solid body crosses or touches itself.
    SelfCrossing,
    /// The normal of a half-plane has no length of 1.
    Normal,
    /// A half-plane is free; it must be fixed or moved by a script.
    FreeHalfPlane,
    /// Position, angle or velocity is not finite.
    State,
    /// A script has a number that is not finite, or key frames that do not rise in time.
    Script,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mass => "the mass must be finite and above 0 (has a solid outline no area?)",
            Self::Inertia => {
                "the moment of inertia must be finite and above 0 (are all vertices at one place?)"
            }
            Self::Radius => "the radius must be finite and above 0",
            Self::TooFewVertices => "too few vertices: a hollow outline needs two, a solid one three",
            Self::Vertex => "a vertex is not finite",
            Self::RepeatedVertex => {
                "two vertices of the solid outline that follow each other are at the same place"
            }
            Self::SelfCrossing => "the solid outline crosses or touches itself",
            Self::Normal => "the normal of a half-plane must have length 1",
            Self::FreeHalfPlane => "a half-plane must be fixed or moved by a script",
            Self::State => "position, angle and velocity must be finite",
            Self::Script => "the script must have finite numbers and key frames that rise in time",
        })
    }
}
