//! Stored runs: frames in memory, from runs, files and arrays, to arrays and files.

use crate::errors;
use crate::scene::SceneCore;
use carom::{CourseLists, Frame, Simulation};
use carom_scene::System;
use carom_trajectory::course::{CourseLayout, Polynomials};
use carom_trajectory::{
    Contact, ContactKind, Header, JournalBytes, RunHash, Trajectory, TrajectoryError, export,
};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// Frames of one run, and what is known about the run.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct FramesCore {
    pub(crate) header: Header,
    pub(crate) frames: Vec<Frame>,
    /// Whether the frames report contacts.
    #[pyo3(get)]
    pub(crate) has_contacts: bool,
}

impl FramesCore {
    /// The frames of a run of a scene.
    pub(crate) fn of_run(
        py: Python<'_>,
        scene: &SceneCore,
        simulation: &Simulation,
        every: u64,
        frames: Vec<Frame>,
    ) -> PyResult<FramesCore> {
        let header = header(scene, simulation, every);
        if !header.dt.is_finite() {
            return Err(errors::argument(py, "the time step is not a finite number"));
        }
        Ok(FramesCore { header, frames, has_contacts: true })
    }

    /// The frames as a whole file.
    pub(crate) fn journal(&self) -> Result<Vec<u8>, TrajectoryError> {
        let mut journal = JournalBytes::new(&self.header)?;
        self.frames.iter().try_for_each(|frame| journal.append(frame))?;
        Ok(journal.finish())
    }

    fn of_trajectory<R: Read + Seek>(
        trajectory: &mut Trajectory<R>,
        scene: Option<&SceneCore>,
    ) -> Result<FramesCore, String> {
        let words = |error: TrajectoryError| error.to_string();
        let frames: Vec<Frame> = trajectory.frames().collect::<Result<_, _>>().map_err(words)?;
        let has_contacts = trajectory.has_contacts();
        match (trajectory.header().cloned(), scene) {
            (Some(header), _) => Ok(FramesCore { header, frames, has_contacts }),
            (None, Some(scene)) => completed(scene, frames, has_contacts),
            (None, None) => Err("a course file needs its scene".to_owned()),
        }
    }

    fn rows<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        width: &[usize],
        row: impl Fn(&Frame) -> Vec<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers: Vec<T> = self.frames.iter().flat_map(row).collect();
        let mut shape = vec![self.frames.len()];
        shape.extend_from_slice(width);
        Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
    }
}

/// A contact of a student's: number of its frame, code of its kind, the two things, their normal.
type ContactRecord = (usize, u64, u32, u32, [f64; 3]);

/// What a journal of a run says about itself.
pub(crate) fn header(scene: &SceneCore, simulation: &Simulation, every: u64) -> Header {
    let count = simulation.body_count() as u64;
    let mut header = Header::new(simulation.family(), count, simulation.dt(), &scene.name, &scene.text);
    header.integrator = scene.scene.integrator_name().to_owned();
    header.options.course = scene.course;
    header.options.every = every;
    header.course_records = carom::grading::course_records(&scene.scene);
    (header.masses, header.inertias) = simulation.mass_properties();
    header
}

/// Frames with the energies that their states tell. A state that is not finite has none.
fn completed(scene: &SceneCore, frames: Vec<Frame>, has_contacts: bool) -> Result<FramesCore, String> {
    let mut simulation = Simulation::new(&scene.scene, scene.options()).map_err(|e| e.to_string())?;
    let every = match frames.as_slice() {
        [first, second, ..] => second.step.saturating_sub(first.step).max(1),
        _ => 1,
    };
    let header = header(scene, &simulation, every);
    let whole = |frame: Frame| {
        if simulation.restore(&frame).is_err() {
            return frame;
        }
        let mut whole = simulation.frame();
        (whole.contacts, whole.intermediate) = (frame.contacts, frame.intermediate);
        (whole.step, whole.time) = (frame.step, frame.time);
        whole
    };
    let frames = frames.into_iter().map(whole).collect();
    Ok(FramesCore { header, frames, has_contacts })
}

/// Whether frames can be states of a simulation.
pub(crate) fn check_shape(simulation: &Simulation, frames: &FramesCore) -> Result<(), String> {
    let (mine, theirs) = (simulation.family(), frames.header.family);
    if mine != theirs {
        return Err(format!("the scene has {}, the frames have {}", mine.name(), theirs.name()));
    }
    let (mine, theirs) = (simulation.body_count() as u64, frames.header.bodies);
    if mine == theirs { Ok(()) } else { Err(format!("the scene has {mine} bodies, the frames {theirs}")) }
}

#[pymethods]
impl FramesCore {
    fn __len__(&self) -> usize {
        self.frames.len()
    }

    #[getter]
    fn family(&self) -> &'static str {
        self.header.family.name()
    }

    #[getter]
    fn bodies(&self) -> u64 {
        self.header.bodies
    }

    #[getter]
    fn dt(&self) -> f64 {
        self.header.dt
    }

    #[getter]
    fn scene_text(&self) -> &str {
        &self.header.scene
    }

    #[getter]
    fn scene_name(&self) -> &str {
        &self.header.scene_name
    }

    #[getter]
    fn course(&self) -> bool {
        self.header.options.course
    }

    #[getter]
    fn masses(&self) -> Vec<f64> {
        self.header.masses.clone()
    }

    /// The hash of the run: equal for the same steps, positions and velocities, bit for bit.
    #[getter]
    fn hash(&self, py: Python<'_>) -> String {
        let chain = |hash: RunHash, frame| hash.with_frame(frame);
        py.detach(|| self.frames.iter().fold(RunHash::default(), chain).to_string())
    }

    /// One array with a row for each frame.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (family, bodies) = (self.header.family, self.header.bodies as usize);
        let number = |of: fn(&Frame) -> f64| self.rows(py, &[], move |frame| vec![of(frame)]);
        let count = |of: fn(&Frame) -> u32| self.rows(py, &[], move |frame| vec![of(frame)]);
        let triple = |of: fn(&Frame) -> [f64; 3]| self.rows(py, &[3], move |frame| of(frame).to_vec());
        match name {
            "positions" => self.rows(py, &[bodies, family.coordinates()], |f| f.positions.clone()),
            "velocities" => self.rows(py, &[bodies, family.degrees_of_freedom()], |f| f.velocities.clone()),
            "step" => self.rows(py, &[], |frame| vec![frame.step]),
            "time" => number(|f| f.time),
            "kinetic" => number(|f| f.quantities.kinetic),
            "potential" => number(|f| f.quantities.potential),
            "penetration" => number(|f| f.quantities.deepest_penetration),
            "residual" => number(|f| f.diagnostics.residual),
            "momentum" => triple(|f| f.quantities.momentum),
            "angular_momentum" => triple(|f| f.quantities.angular_momentum),
            "status" => count(|f| f.diagnostics.status),
            "iterations" => count(|f| f.diagnostics.iterations),
            "active_contacts" => count(|f| f.diagnostics.active_contacts),
            "contact_count" => count(|f| f.contacts.len() as u32),
            _ => Err(errors::argument(py, format!("frames have no array `{name}`"))),
        }
    }

    /// Contacts of all frames, as records of `carom.contact_dtype`.
    fn contacts<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let frames = self.frames.iter().enumerate();
        let bytes: Vec<u8> = frames.flat_map(|(k, frame)| contact_bytes(frame, k as u32)).collect();
        PyBytes::new(py, &bytes)
    }

    /// The frames of these numbers.
    fn select(&self, py: Python<'_>, numbers: Vec<usize>) -> PyResult<FramesCore> {
        let frame = |k: &usize| {
            self.frames.get(*k).cloned().ok_or_else(|| errors::argument(py, format!("no frame {k}")))
        };
        let frames = numbers.iter().map(frame).collect::<PyResult<_>>()?;
        Ok(FramesCore { header: self.header.clone(), frames, has_contacts: self.has_contacts })
    }

    /// The same frames, which do not report contacts.
    fn without_contacts(&self) -> FramesCore {
        FramesCore { header: self.header.clone(), frames: self.frames.clone(), has_contacts: false }
    }

    /// A whole `.carom` file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.journal()).map_err(|error| errors::file(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Reads a `.carom` file, or with its scene a course file or an archive of numpy, from bytes.
    #[staticmethod]
    #[pyo3(signature = (data, scene=None))]
    fn from_bytes(py: Python<'_>, data: &[u8], scene: Option<&SceneCore>) -> PyResult<FramesCore> {
        py.detach(|| {
            if data.starts_with(b"PK") {
                let scene = scene.ok_or("an archive of numpy needs its scene")?;
                let family = carom_render::picture::family(&scene.scene);
                let simulation = Simulation::new(&scene.scene, scene.options()).map_err(|e| e.to_string())?;
                let read = carom_trajectory::npz_frames(data, family, simulation.dt());
                let (frames, has_contacts) = read.map_err(|error| error.to_string())?;
                return completed(scene, frames, has_contacts);
            }
            let layout = scene.map(layout).transpose()?.flatten();
            let mut trajectory =
                carom_trajectory::open_bytes(data, layout).map_err(|error| error.to_string())?;
            FramesCore::of_trajectory(&mut trajectory, scene)
        })
        .map_err(|error: String| errors::file(py, error))
    }

    /// Makes frames of arrays; times and steps follow each other where they are not given.
    #[staticmethod]
    #[pyo3(signature = (scene, positions, velocities, steps, contacts=None))]
    fn from_arrays(
        py: Python<'_>,
        scene: &SceneCore,
        positions: PyReadonlyArray3<'_, f64>,
        velocities: PyReadonlyArray3<'_, f64>,
        steps: PyReadonlyArray1<'_, u64>,
        contacts: Option<Vec<ContactRecord>>,
    ) -> PyResult<FramesCore> {
        let family = carom_render::picture::family(&scene.scene);
        let bodies = scene.scene.movable().len();
        let wrong = |words: String| errors::argument(py, words);
        let widths = [family.coordinates(), family.degrees_of_freedom()];
        for (name, shape, width) in
            [("positions", positions.shape(), widths[0]), ("velocities", velocities.shape(), widths[1])]
        {
            let wanted = [steps.len(), bodies, width];
            if shape != wanted {
                return Err(wrong(format!("{name} have the shape {shape:?}, not {wanted:?}")));
            }
        }
        let dt = match &scene.scene.system {
            System::Particles(system) => system.integrator.dt,
            System::RigidBodies(system) => system.integrator.dt,
            System::SpatialBodies(system) => system.integrator.dt,
        };
        let (x, v) = (positions.as_array(), velocities.as_array());
        let mut frames: Vec<Frame> = (0..steps.len())
            .zip(steps.as_array().iter())
            .map(|(k, &step)| Frame {
                step,
                time: step as f64 * dt,
                positions: x.index_axis(numpy::ndarray::Axis(0), k).iter().copied().collect(),
                velocities: v.index_axis(numpy::ndarray::Axis(0), k).iter().copied().collect(),
                ..Frame::default()
            })
            .collect();
        let has_contacts = contacts.is_some();
        for (frame, kind, first, second, normal) in contacts.unwrap_or_default() {
            let kind = ContactKind::from_code(kind);
            let kind = kind.ok_or_else(|| wrong("a contact has an unknown kind".to_owned()))?;
            let frame = frames.get_mut(frame);
            let frame = frame.ok_or_else(|| wrong("a contact is of a frame that is not there".to_owned()))?;
            let point = [f64::NAN; 3];
            frame.contacts.push(Contact {
                kind,
                first,
                second,
                point,
                normal,
                gap: f64::NAN,
                time: 0.0,
                impulse: 0.0,
                friction: [f64::NAN; 3],
            });
        }
        py.detach(|| completed(scene, frames, has_contacts)).map_err(wrong)
    }

    /// Writes a file: `carom`, `npz`, `csv`, `course` or `glb`.
    fn save(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        py.detach(|| self.write(&path, format)).map_err(|error| errors::file(py, error))
    }
}

/// Frames a second of a glTF animation at most.
const GLB_RATE: f64 = 24.0;

impl FramesCore {
    fn write(&self, path: &Path, format: &str) -> Result<(), String> {
        let words = |error: TrajectoryError| error.to_string();
        let bytes = self.journal().map_err(words)?;
        let mut trajectory = carom_trajectory::open_bytes(&bytes, None).map_err(words)?;
        match format {
            "carom" => export::write_journal(&mut trajectory, &self.header, path).map(drop),
            "npz" => export::write_npz(&mut trajectory, path).map(drop),
            "csv" => export::write_csv(&mut trajectory, path).map(drop),
            "glb" => {
                let scene = carom::read_scene(&self.header.scene).map_err(|error| error.to_string())?;
                let solids = carom::solids(&scene).map_err(|error| error.to_string())?;
                export::write_glb(&mut trajectory, &solids, GLB_RATE, path).map(drop)
            }
            "course" => {
                let steps = self.frames.iter().map(|frame| frame.step);
                if !steps.eq(0..self.frames.len() as u64) {
                    return Err("the course's files hold every step from the start; run with every=1".into());
                }
                let mut lists = CourseLists::of_run(&self.header);
                let mut polynomials = |frame: &Frame| -> [Polynomials; 2] {
                    lists.as_mut().map(|lists| lists.next(frame)).unwrap_or_default()
                };
                export::write_course(&mut trajectory, &mut polynomials, path).map(drop)
            }
            other => return Err(format!("no format `{other}`; carom, npz, csv, course and glb are written")),
        }
        .map_err(words)
    }
}

/// How the course's program lays out files of a scene.
fn layout(scene: &SceneCore) -> Result<Option<CourseLayout>, String> {
    let simulation = Simulation::new(&scene.scene, scene.options()).map_err(|error| error.to_string())?;
    let layout = |records| CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
    Ok(carom::grading::course_records(&scene.scene).map(layout))
}

/// Contacts as packed records: frame, kind, two bodies, point, unit normal, gap, impulse, time,
/// friction.
pub(crate) fn contact_bytes(frame: &Frame, number: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(112 * frame.contacts.len());
    for contact in &frame.contacts {
        for whole in [number, contact.kind.code(), contact.first, contact.second] {
            bytes.extend(whole.to_le_bytes());
        }
        // the course's files and its way of running have vectors of some length
        let length = contact.normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        let is_unit = (length - 1.0).abs() < 1e-12;
        let normal =
            if length > 0.0 && !is_unit { contact.normal.map(|x| x / length) } else { contact.normal };
        let rest = [contact.gap, contact.impulse, contact.time];
        for number in contact.point.iter().chain(&normal).chain(&rest).chain(&contact.friction) {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}
