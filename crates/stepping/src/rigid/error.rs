//! What can be wrong with a world of rigid bodies before it runs.

use std::fmt;

/// Why a model, state or settings cannot make a world; `F` is what can be wrong with a body.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelError<F> {
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
        fault: F,
    },
    /// A spring, a damper or a push acts on a body that is not there.
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

impl<F: fmt::Display> fmt::Display for ModelError<F> {
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

impl<F: fmt::Debug + fmt::Display> std::error::Error for ModelError<F> {}
