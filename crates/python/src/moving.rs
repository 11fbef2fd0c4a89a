//! The engine's side of a simulation: steps, runs, and arrays that numpy owns.

use carom::{Frame, Plan, RunEnd, Simulation, StepFailure};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A body, a force and a torque.
pub(crate) type Push = (usize, [f64; 3], [f64; 3]);

/// What moves in a simulation, and what was asked about its present moment.
pub(crate) struct Moving {
    pub(crate) simulation: Simulation,
    /// For the next step; the engine has them too.
    pub(crate) pushes: Vec<Push>,
    /// The present moment, where it was asked for; its positions and velocities may be numpy's by
    /// now.
    frame: Option<Frame>,
    pub(crate) positions: Option<Py<PyArray2<f64>>>,
    pub(crate) velocities: Option<Py<PyArray2<f64>>>,
}

/// Why steps ended early.
pub(crate) enum Halt {
    Failed(StepFailure),
    Interrupted(PyErr),
}

/// Signals (Ctrl-C) are looked for this often.
const SIGNALS: Duration = Duration::from_millis(50);

/// Looks for signals from time to time.
pub(crate) struct Pulse(Instant);

impl Pulse {
    /// Starts to look.
    pub(crate) fn start() -> Pulse {
        Pulse(Instant::now())
    }

    /// An error where a signal asks to stop.
    pub(crate) fn check(&mut self) -> Result<(), PyErr> {
        if self.0.elapsed() < SIGNALS {
            return Ok(());
        }
        self.0 = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

impl Moving {
    pub(crate) fn new(simulation: Simulation) -> Box<Moving> {
        Box::new(Moving { simulation, pushes: Vec::new(), frame: None, positions: None, velocities: None })
    }

    /// Nothing of the present moment holds any more.
    pub(crate) fn forget(&mut self) {
        self.frame = None;
        self.positions = None;
        self.velocities = None;
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        let simulation = &self.simulation;
        self.frame.get_or_insert_with(|| simulation.frame())
    }

    pub(crate) fn step(&mut self, count: u64) -> Result<(), Halt> {
        let mut pulse = (count > 1).then(Pulse::start);
        for _ in 0..count {
            self.simulation.step().map_err(Halt::Failed)?;
            self.pushes.clear();
            if let Some(pulse) = &mut pulse {
                pulse.check().map_err(Halt::Interrupted)?;
            }
        }
        Ok(())
    }

    pub(crate) fn run(&mut self, plan: Plan) -> Result<(Vec<Frame>, Option<StepFailure>), PyErr> {
        let mut kept = Vec::new();
        let mut interrupted = None;
        let mut pulse = Pulse::start();
        if self.simulation.step_count() > 0 {
            // a run that goes on begins with where it is
            kept.push(self.simulation.frame());
        }
        let end = carom::run(
            &mut self.simulation,
            plan,
            &mut |frame: &Frame| {
                kept.push(frame.clone());
                Ok::<_, std::convert::Infallible>(ControlFlow::Continue(()))
            },
            &mut || {
                interrupted = pulse.check().err();
                interrupted.is_some()
            },
        );
        self.pushes.clear();
        if let Some(error) = interrupted {
            return Err(error);
        }
        match end {
            Ok(RunEnd::Failed(failure)) => Ok((kept, Some(failure))),
            Ok(RunEnd::Finished | RunEnd::Stopped) => Ok((kept, None)),
            Err(never) => match never {},
        }
    }
}

/// An array of rows that nobody can write to.
pub(crate) fn read_only(py: Python<'_>, numbers: Vec<f64>, width: usize) -> PyResult<Py<PyArray2<f64>>> {
    let rows = numbers.len() / width.max(1);
    let array = PyArray1::from_vec(py, numbers).reshape([rows, width])?;
    drop(array.readwrite().make_nonwriteable());
    Ok(array.unbind())
}
