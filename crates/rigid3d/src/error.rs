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
    /// A spring or a push acts on a body that is not there.
    NoSuchBody {
        /// What acts.
        name: &'static str,
        /// Which of them.
        index: usize,
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
    /// The mass is not a finite number above 0.
    Mass,
    /// The inertia is not a symmetric matrix with finite moments above 0, or its inverse is not finite.
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
    /// A script has a number that is not finite, an orientation that is no rotation, or key frames that do not rise in time.
    Script,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BodyCount { model, state } => {
                write!(f, "the model has {model} bodies and the state has {state}")
            }
            Self::Body { body, fault } => write!(f, "body {body}: {fault}"),
            Self::NoSuchBody { name, index, body } => {
                write!(f, "{name} {index} acts on body {body}, which is not there")
            }
            Self::Value { name, value, expected } => write!(f, "{name} is {value}; it must be {expected}"),
        }
    }
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mass => "the mass must be finite and above 0",
            Self::Inertia => "the inertia must be symmetric with finite moments above 0",
            Self::Radius => "the radius must be finite and above 0",
            Self::Normal => "the normal of a half-space must have length 1",
            Self::FreeHalfSpace => "a half-space must be fixed or scripted",
            Self::Center => "the centre of mass must be inside the polyhedron",
            Self::State => "position, orientation and momenta must be finite, and the orientation a rotation",
            Self::Script => {
                "the script must have finite numbers, a rotation, and key frames that rise in time"
            }
        })
    }
}

impl std::error::Error for ModelError {}
