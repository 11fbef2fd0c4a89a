//! A scene in motion.

use crate::errors;
use crate::frames::{self, FramesCore, contact_bytes};
use crate::moving::{Halt, Moving, Pulse, Push, read_only};
use crate::scene::SceneCore;
use carom::{Plan, RunEnd, Simulation, StepStatus};
use carom_trajectory::Family;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What ended a run early: words, step, time, status.
type Failure = (String, u64, f64, String);
/// Kinetic and potential energy, momentum, angular momentum, deepest overlap.
type Quantities = (f64, f64, [f64; 3], [f64; 3], f64);

/// How many steps. A number that cannot be one is a wrong argument.
struct Steps(u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Steps {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Steps> {
        let py = given.py();
        let count = given.extract::<u64>().map_err(|error| {
            if !error.is_instance_of::<PyOverflowError>(py) {
                return error;
            }
            errors::argument(py, format!("{} is no number of steps", *given))
        });
        count.map(Steps)
    }
}

/// A scene in motion. Threads that use it at the same time wait for each other.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct SimulationCore {
    #[pyo3(get)]
    scene: Py<SceneCore>,
    /// Nothing once it is closed.
    moving: Mutex<Option<Box<Moving>>>,
}

impl SimulationCore {
    fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, Option<Box<Moving>>>> {
        let guard = self.moving.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if guard.is_some() { Ok(guard) } else { Err(errors::closed(py)) }
    }

    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Moving) -> PyResult<T>) -> PyResult<T> {
        match self.lock(py)?.as_deref_mut() {
            Some(moving) => work(moving),
            None => Err(errors::closed(py)),
        }
    }

    /// The present moment as a journal in memory.
    fn journal(&self, py: Python<'_>) -> PyResult<FramesCore> {
        let frame = self.with(py, |moving| Ok(moving.simulation.frame()))?;
        self.with(py, |moving| FramesCore::of_run(py, self.scene.get(), &moving.simulation, 1, vec![frame]))
    }
}

#[pymethods]
impl SimulationCore {
    #[new]
    fn new(py: Python<'_>, scene: Py<SceneCore>) -> PyResult<SimulationCore> {
        let core = scene.get();
        let simulation = py.detach(|| Simulation::new(&core.scene, core.options()));
        let simulation = simulation.map_err(|error| errors::argument(py, error))?;
        Ok(SimulationCore { scene, moving: Mutex::new(Some(Moving::new(simulation))) })
    }

    /// Takes steps.
    #[pyo3(signature = (count=Steps(1)), text_signature = "($self, count=1)")]
    fn step(&self, py: Python<'_>, count: Steps) -> PyResult<()> {
        self.with(py, |moving| {
            moving.forget();
            match py.detach(|| moving.step(count.0)) {
                Ok(()) => Ok(()),
                Err(Halt::Failed(failure)) => Err(errors::step(py, &failure)),
                Err(Halt::Interrupted(error)) => Err(error),
            }
        })
    }

    /// Runs to a step and keeps frames; gives the frames and what ended the run early.
    fn run(&self, py: Python<'_>, last_step: u64, every: u64) -> PyResult<(FramesCore, Option<Failure>)> {
        self.with(py, |moving| {
            moving.forget();
            let (kept, failure) = py.detach(|| moving.run(Plan { last_step, every }))?;
            let frames = FramesCore::of_run(py, self.scene.get(), &moving.simulation, every, kept)?;
            let failure = failure.map(|f| (f.to_string(), f.step, f.time, format!("{:?}", f.status)));
            Ok((frames, failure))
        })
    }

    /// Runs to a step and measures on the way: names and values of a row of a sweep.
    fn survey<'py>(
        &self,
        py: Python<'py>,
        last_step: u64,
        every: u64,
        rest_speed: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = self.with(py, |moving| {
            moving.forget();
            let plan = Plan { last_step, every };
            let (found, interrupted) = py.detach(|| {
                let mut interrupted = None;
                let mut pulse = Pulse::start();
                let found = carom::survey(&mut moving.simulation, plan, rest_speed, &mut || {
                    interrupted = pulse.check().err();
                    interrupted.is_some()
                });
                (found, interrupted)
            });
            moving.pushes.clear();
            interrupted.map_or(Ok(found), Err)
        })?;
        let (status, reason) = match &found.end {
            RunEnd::Failed(failure) => ("failed", Some(failure.to_string())),
            RunEnd::Finished | RunEnd::Stopped => ("finished", None),
        };
        let s = &found.summary;
        let row = PyDict::new(py);
        row.set_item("status", status)?;
        row.set_item("reason", reason)?;
        row.set_item("steps", found.last.step)?;
        row.set_item("time", found.last.time)?;
        row.set_item("hash", found.hash.to_string())?;
        row.set_item("troubles", s.troubles.iter().map(|t| t.count).sum::<u64>())?;
        row.set_item("energy_start", s.energy_start)?;
        row.set_item("energy_end", s.energy_end)?;
        row.set_item("energy_drift", s.energy_drift)?;
        row.set_item("momentum_drift", s.momentum_drift)?;
        row.set_item("angular_momentum_drift", s.angular_momentum_drift)?;
        row.set_item("penetration", s.deepest_penetration)?;
        row.set_item("contacts", s.contacts)?;
        row.set_item("first_contact", found.first_contact)?;
        row.set_item("rest", found.rest)?;
        row.set_item("residual", s.largest_residual)?;
        row.set_item("iterations", s.iterations)?;
        row.set_item("final_positions", found.last.positions)?;
        row.set_item("final_velocities", found.last.velocities)?;
        Ok(row)
    }

    /// Changes velocities at random by a seed, by at most so much.
    fn disturb(&self, py: Python<'_>, seed: u64, size: f64) -> PyResult<()> {
        let movable = self.scene.get().scene.movable();
        self.with(py, |moving| {
            moving.forget();
            carom::disturb(&mut moving.simulation, &movable, seed, size)
                .map_err(|error| errors::argument(py, error))
        })
    }

    #[getter]
    fn step_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |moving| Ok(moving.simulation.step_count()))
    }

    #[getter]
    fn planned_steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |moving| Ok(moving.simulation.planned_steps()))
    }

    /// Steps to a simulated time.
    fn steps_until(&self, py: Python<'_>, time: f64) -> PyResult<u64> {
        self.with(py, |moving| Ok(moving.simulation.steps_until(time)))
    }

    #[getter]
    fn usual_every(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |moving| Ok(moving.simulation.usual_every()))
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |moving| Ok(moving.simulation.time()))
    }

    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |moving| Ok(moving.simulation.dt()))
    }

    #[getter]
    fn body_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |moving| Ok(moving.simulation.body_count()))
    }

    /// Masses, and moments of inertia one after the other.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn mass_properties<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        self.with(py, |moving| {
            let (masses, inertias) = moving.simulation.mass_properties();
            Ok((PyArray1::from_vec(py, masses), PyArray1::from_vec(py, inertias)))
        })
    }

    /// Positions, written once into memory that numpy owns; read-only, and the same array until the
    /// next step.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.with(py, |moving| {
            if moving.positions.is_none() {
                let width = moving.simulation.family().coordinates();
                let numbers = std::mem::take(&mut moving.frame().positions);
                moving.positions = Some(read_only(py, numbers, width)?);
            }
            moving.positions.as_ref().map(|array| array.clone_ref(py)).ok_or_else(|| errors::closed(py))
        })
    }

    /// Velocities, as [`SimulationCore::positions`].
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.with(py, |moving| {
            if moving.velocities.is_none() {
                let width = moving.simulation.family().degrees_of_freedom();
                let numbers = std::mem::take(&mut moving.frame().velocities);
                moving.velocities = Some(read_only(py, numbers, width)?);
            }
            moving.velocities.as_ref().map(|array| array.clone_ref(py)).ok_or_else(|| errors::closed(py))
        })
    }

    /// Kinetic and potential energy, momentum, angular momentum, deepest overlap.
    #[getter]
    fn quantities(&self, py: Python<'_>) -> PyResult<Quantities> {
        self.with(py, |moving| {
            let q = &moving.frame().quantities;
            Ok((q.kinetic, q.potential, q.momentum, q.angular_momentum, q.deepest_penetration))
        })
    }

    /// How the last step went: status, its words, iterations, residual, active contacts, rows, rows
    /// of the largest island, kinetic energy that contact added.
    #[getter]
    #[expect(clippy::type_complexity, reason = "the fields of a named tuple")]
    fn diagnostics(
        &self,
        py: Python<'_>,
    ) -> PyResult<(String, &'static str, u32, f64, u32, Option<u32>, Option<u32>, f64)> {
        self.with(py, |moving| {
            let d = moving.frame().diagnostics;
            let status = StepStatus::from_code(d.status);
            let (rows, island) = (d.contact_rows, d.largest_island);
            let gained = d.impact.kinetic_change();
            let name = format!("{status:?}");
            Ok((name, status.describe(), d.iterations, d.residual, d.active_contacts, rows, island, gained))
        })
    }

    /// Contacts of the last step, as records of `carom.contact_dtype`.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |moving| Ok(contact_bytes(moving.frame(), 0)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Pushes and turns a body during the next step.
    fn push(&self, py: Python<'_>, body: usize, force: [f64; 3], torque: [f64; 3]) -> PyResult<()> {
        if !force.iter().chain(&torque).all(|number| number.is_finite()) {
            return Err(errors::argument(py, "force and torque must be finite numbers"));
        }
        self.with(py, |moving| {
            let count = moving.simulation.body_count();
            if body >= count {
                return Err(errors::argument(py, format!("there are {count} bodies, from 0; no {body}")));
            }
            let felt = match moving.simulation.family() {
                Family::Particles => (2, 0..0),
                Family::RigidBodies => (2, 2..3),
                Family::SpatialBodies => (3, 0..3),
            };
            let is_felt = |k: usize| k < felt.0 || force[k] == 0.0;
            let turns = |k: usize| felt.1.contains(&k) || torque[k] == 0.0;
            if !(0..3).all(|k| is_felt(k) && turns(k)) {
                let words = match moving.simulation.family() {
                    Family::Particles => "a particle feels two numbers of force, and no torque",
                    _ => "a planar body feels two numbers of force and one of torque",
                };
                return Err(errors::argument(py, words));
            }
            moving.simulation.push(body, force, torque);
            moving.pushes.push((body, force, torque));
            Ok(())
        })
    }

    /// Pushes that wait for the next step.
    #[getter]
    fn pushes(&self, py: Python<'_>) -> PyResult<Vec<Push>> {
        self.with(py, |moving| Ok(moving.pushes.clone()))
    }

    /// Sets positions, velocities and the step; what is not given stays. Warm starts are forgotten.
    #[pyo3(signature = (positions=None, velocities=None, step=None))]
    fn set_state(
        &self,
        py: Python<'_>,
        positions: Option<PyReadonlyArray2<'_, f64>>,
        velocities: Option<PyReadonlyArray2<'_, f64>>,
        step: Option<u64>,
    ) -> PyResult<()> {
        self.with(py, |moving| {
            let mut frame = moving.simulation.frame();
            frame.memory.clear();
            frame.contacts.clear();
            frame.step = step.unwrap_or(frame.step);
            let lists = [
                ("positions", positions, &mut frame.positions),
                ("velocities", velocities, &mut frame.velocities),
            ];
            for (name, given, list) in lists {
                let Some(given) = given else { continue };
                let numbers: Vec<f64> = given.as_array().iter().copied().collect();
                if numbers.len() != list.len() {
                    let words = format!("{name}: {} numbers, not {}", numbers.len(), list.len());
                    return Err(errors::argument(py, words));
                }
                if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
                    let words = format!("{name}: number {place} is {}, not finite", numbers[place]);
                    return Err(errors::argument(py, words));
                }
                *list = numbers;
            }
            moving.forget();
            moving.simulation.restore(&frame).map_err(|error| errors::argument(py, error))
        })
    }

    /// A second simulation that is where this one is.
    fn copy(&self, py: Python<'_>) -> PyResult<SimulationCore> {
        let copied = self.with(py, |moving| {
            let mut copied = Moving::new(moving.simulation.clone());
            copied.pushes.clone_from(&moving.pushes);
            Ok(copied)
        })?;
        Ok(SimulationCore { scene: self.scene.clone_ref(py), moving: Mutex::new(Some(copied)) })
    }

    /// The present moment as one frame of a trajectory.
    fn frame(&self, py: Python<'_>) -> PyResult<FramesCore> {
        self.journal(py)
    }

    /// Goes to a frame.
    fn restore(&self, py: Python<'_>, frames: &FramesCore, index: usize) -> PyResult<()> {
        self.with(py, |moving| {
            frames::check_shape(&moving.simulation, frames).map_err(|words| errors::argument(py, words))?;
            let frame = frames.frames.get(index).ok_or_else(|| errors::argument(py, "no such frame"))?;
            moving.forget();
            moving.pushes.clear();
            // pushes that wait belong to the state that is left behind
            let scene = self.scene.get();
            let fresh = Simulation::new(&scene.scene, scene.options());
            moving.simulation = fresh.map_err(|error| errors::argument(py, error))?;
            moving.simulation.restore(frame).map_err(|error| errors::argument(py, error))
        })
    }

    /// Lets go of the simulation.
    fn close(&self, py: Python<'_>) {
        *self.moving.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner) = None;
    }

    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        self.moving.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).is_none()
    }
}
