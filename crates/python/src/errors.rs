//! Errors of the engine as the exceptions of `carom.errors`.

use carom::StepFailure;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// An exception of `carom.errors`; another one where that cannot be made.
fn raise<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let errors = py.import("carom.errors");
    let made = errors.and_then(|errors| errors.getattr(class)).and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A wrong argument.
pub(crate) fn argument(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    raise(py, "ArgumentError", (message.to_string(),))
}

/// A file that cannot be read or written, or is not what was asked for.
pub(crate) fn file(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    raise(py, "FileError", (message.to_string(),))
}

/// A simulation that was closed.
pub(crate) fn closed(py: Python<'_>) -> PyErr {
    raise(py, "ClosedError", ("the simulation was closed",))
}

/// A step that could not be taken.
pub(crate) fn step(py: Python<'_>, failure: &StepFailure) -> PyErr {
    let status = format!("{:?}", failure.status);
    raise(py, "StepError", (failure.to_string(), failure.step, failure.time, status))
}
