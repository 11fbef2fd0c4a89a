//! What can be wrong with a world before it runs.

use std::fmt;

/// Why a model, state or settings cannot make a world.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelError {
    /// The state has another number of bodies than the model.
    BodyCount {
        /// Bodies of the model.
        model: usize,
        /// Bodies of the state.
        state: usize,
    },
    /// Something is wrong with a body.
    Body {
        /// Which body.
        body: usize,
        /// What is wrong with it.
        fault: BodyFault,
    },
    /// A spring is held by a body that is not there.
    SpringBody {
        /// Which spring.
        spring: usize,
        /// The body that it names.
        body: usize,
    },
    /// A number of a force or a setting is not finite or out of its range.
    Value {
        /// What the number is called.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
}

/// What is wrong with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFault {
    /// The mass is not a finite number above 0; so is that of a solid outline without area.
    Mass,
    /// The moment of inertia is not a finite number above 0: all vertices of the outline are at one place.
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
    /// Position, angle or velocity is not finite.
    State,
    /// A script has a number that is not finite, or key frames that do not rise in time.
    Script,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BodyCount { model, state } => {
                write!(f, "the model has {model} bodies and the state has {state}")
            }
            Self::Body { body, fault } => write!(f, "body {body}: {fault}"),
            Self::SpringBody { spring, body } => {
                write!(f, "spring {spring} is held by body {body}, which is not there")
            }
            Self::Value { name, value, expected } => write!(f, "{name} is {value}; it must be {expected}"),
        }
    }
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
            Self::State => "position, angle and velocity must be finite",
            Self::Script => "the script must have finite numbers and key frames that rise in time",
        })
    }
}

impl std::error::Error for ModelError {}
