//! The native part of the Python package `carom`: thin classes over the façade, arrays for numpy.
//!
//! What people call is in `python/carom`; this module hands it scenes, simulations, frames and
//! pictures. Errors are raised as the classes of `carom.errors`. Python's lock is released while
//! anything is computed, and every object may be used from several threads: who comes second waits.
//! So the module needs no lock of the interpreter, and free-threaded CPython keeps it off
//! (`gil_used = false`).

mod compare;
mod errors;
mod frames;
mod game;
mod moving;
mod pictures;
mod scene;
mod simulation;
mod solve;

/// The native part of carom. Use the package `carom` instead.
#[pyo3::pymodule(gil_used = false)]
mod _carom {
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::frames::FramesCore;
    #[pymodule_export]
    use crate::game::GamesCore;
    #[pymodule_export]
    use crate::pictures::{movie, plot, still};
    #[pymodule_export]
    use crate::scene::{SceneCore, change_scene, read_scene};
    #[pymodule_export]
    use crate::simulation::SimulationCore;
    #[pymodule_export]
    use crate::solve::solve;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
