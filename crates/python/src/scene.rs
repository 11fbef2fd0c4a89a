//! Scenes: text to checked description.

use crate::errors;
use carom::{Options, Simulation};
use carom_scene::schema;
use carom_scene::{Change, ReadOptions, Reading, Scene, Severity, System};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// A scene without errors, and its text.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct SceneCore {
    pub(crate) scene: Scene,
    #[pyo3(get)]
    pub(crate) text: String,
    #[pyo3(get)]
    pub(crate) name: String,
    #[pyo3(get)]
    pub(crate) course: bool,
}

impl SceneCore {
    pub(crate) fn options(&self) -> Options {
        Options::course(self.course)
    }
}

#[pymethods]
impl SceneCore {
    /// `particles`, `rigid-bodies` or `spatial-bodies`.
    #[getter]
    fn family(&self) -> &'static str {
        carom_render::picture::family(&self.scene).name()
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.scene.general.duration
    }

    #[getter]
    fn dt(&self) -> f64 {
        match &self.scene.system {
            System::Particles(system) => system.integrator.dt,
            System::RigidBodies(system) => system.integrator.dt,
            System::SpatialBodies(system) => system.integrator.dt,
        }
    }

    #[getter]
    fn integrator(&self) -> &'static str {
        self.scene.integrator_name()
    }

    #[getter]
    fn response(&self) -> &'static str {
        self.scene.response_name()
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.scene.general.description.as_deref()
    }

    /// For each body whether forces can move it.
    #[getter]
    fn movable(&self) -> Vec<bool> {
        self.scene.movable()
    }

    /// Label, path, least and greatest value, and step of every knob.
    #[getter]
    fn knobs(&self) -> Vec<(String, String, f64, f64, Option<f64>)> {
        let knobs = self.scene.general.knobs.iter();
        knobs.map(|k| (k.label.clone(), k.target.to_string(), k.min, k.max, k.step)).collect()
    }

    /// The text of a scene file.
    #[staticmethod]
    fn read_file(py: Python<'_>, path: PathBuf, course: bool) -> PyResult<String> {
        py.detach(|| read_text(&path, course)).map_err(|error| errors::file(py, error))
    }

    /// How many of each tag the text has.
    fn counts(&self, py: Python<'_>) -> Vec<(&'static str, usize)> {
        let options = ReadOptions { course: self.course, strict: false };
        py.detach(|| {
            let map = carom_scene::read(&self.text, &options).source_map;
            schema::tags().map(|tag| (tag.name, map.count(tag.name))).collect()
        })
    }

    /// The scene written anew, in the order and with the numbers that Carom chooses.
    fn canonical(&self) -> String {
        carom_scene::write(&self.scene)
    }
}

/// Severity, line, column, message, label, help, suggestion, tag, attribute, repeats.
type Finding = (
    &'static str,
    usize,
    usize,
    String,
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    usize,
);

/// Reads a scene: the scene where there are no errors, every finding, and all findings as text.
/// `folder` is where files that the scene names are looked for; without it there are none.
#[pyfunction]
#[pyo3(signature = (text, name, course=false, strict=false, folder=None))]
pub(crate) fn read_scene(
    py: Python<'_>,
    text: String,
    name: String,
    course: bool,
    strict: bool,
    folder: Option<PathBuf>,
) -> (Option<SceneCore>, Vec<Finding>, String) {
    py.detach(|| {
        let mut reading = carom_scene::read(&text, &ReadOptions { course, strict });
        let has_meshes = check_bodies(&mut reading, course, folder.as_deref());
        let findings = carom_scene::diagnostics(&reading.problems, &text).into_iter().map(|d| {
            let severity = if d.severity == Severity::Error { "error" } else { "warning" };
            let places = (d.line, d.column);
            let meant = (d.help, d.suggestion, d.tag, d.attribute);
            let (help, suggestion, tag, attribute) = meant;
            (severity, places.0, places.1, d.message, d.label, help, suggestion, tag, attribute, d.repeats)
        });
        let findings = findings.collect();
        let rendered = if reading.problems.is_empty() {
            String::new()
        } else {
            carom_scene::render(&reading.problems, &name, &text, false)
        };
        let core = reading.scene.map(|scene| {
            // a scene that names files is kept with their vertices in it
            let text = if has_meshes { carom_scene::write(&scene) } else { text };
            SceneCore { scene, text, name, course }
        });
        (core, findings, rendered)
    })
}

/// Reads the files that a scene names, and tries whether its bodies can be what it says. Says
/// whether it names files.
fn check_bodies(reading: &mut Reading, course: bool, folder: Option<&Path>) -> bool {
    let Some(scene) = &mut reading.scene else { return false };
    let mut has_meshes = false;
    let mut file_text = |name: &str| {
        has_meshes = true;
        let folder = folder.ok_or("a scene from text has no folder; load it from a file")?;
        read_text(&folder.join(name), false)
    };
    let refused = match carom::inline_meshes(scene, &mut file_text) {
        Err(error) => carom::mesh_problem(scene, &reading.source_map, &error),
        Ok(_) if !matches!(scene.system, System::Particles(_)) => {
            Simulation::new(scene, Options::course(course))
                .err()
                .and_then(|error| carom::build_problem(scene, &reading.source_map, &error))
        }
        Ok(_) => None,
    };
    if let Some(problem) = refused {
        reading.problems.push(problem);
        reading.scene = None;
    }
    has_meshes
}

/// The text of a file that is not too large.
fn read_text(path: &Path, course: bool) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    carom_scene::check_size(size).map_err(|error| error.to_string())?;
    let bytes = std::fs::read(path).map_err(cannot)?;
    String::from_utf8(bytes).or_else(|error| {
        if course {
            // the course's program reads bytes
            return Ok(error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
        }
        Err(format!("{} is not UTF-8 text: {}", path.display(), error.utf8_error()))
    })
}

/// The text of a scene with attributes changed, by name or path.
#[pyfunction]
pub(crate) fn change_scene(
    py: Python<'_>,
    scene: &SceneCore,
    changes: Vec<(String, String)>,
) -> PyResult<String> {
    let changes: Vec<Change> = changes.into_iter().map(|(path, value)| Change { path, value }).collect();
    let options = ReadOptions { course: scene.course, strict: false };
    py.detach(|| carom_scene::change(&scene.text, &changes, &options))
        .map_err(|error| errors::argument(py, error))
}
