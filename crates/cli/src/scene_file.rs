//! Scenes from files: read, diagnosed, and shown where they are wrong.

use crate::arguments::Reading;
use crate::piped;
use crate::trajectory_file;
use anyhow::{Context, Result, anyhow};
use carom::{Options, Simulation};
use carom_scene::{Change, ReadOptions, Scene, System};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// A scene with the text it came from.
#[derive(Clone)]
pub(crate) struct SceneFile {
    /// The checked description.
    pub(crate) scene: Scene,
    /// The whole text.
    pub(crate) text: String,
    /// Name of the file without its folder.
    pub(crate) name: String,
}

/// Whether diagnostics of a scene that can be run are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Warnings {
    Show,
    Hide,
}

/// Reads a scene. Problems are printed to standard error as they are; `None` when the scene cannot
/// be run.
pub(crate) fn load(path: &Path, reading: Reading, warnings: Warnings) -> Result<Option<SceneFile>> {
    load_changed(path, reading, warnings, &[])
}

/// As [`load`], with attributes changed.
pub(crate) fn load_changed(
    path: &Path,
    reading: Reading,
    warnings: Warnings,
    changes: &[Change],
) -> Result<Option<SceneFile>> {
    let (file, problems) = load_changed_quietly(path, reading, colored(), changes)?;
    if file.is_none() || warnings == Warnings::Show {
        anstream::eprint!("{problems}");
        if !problems.is_empty() && !problems.ends_with('\n') {
            anstream::eprintln!();
        }
    }
    Ok(file)
}

/// Reads a scene and gives its problems as text. No scene where it cannot be run.
pub(crate) fn load_quietly(
    path: &Path,
    reading: Reading,
    colored: bool,
) -> Result<(Option<SceneFile>, String)> {
    load_changed_quietly(path, reading, colored, &[])
}

fn load_changed_quietly(
    path: &Path,
    reading: Reading,
    colored: bool,
    changes: &[Change],
) -> Result<(Option<SceneFile>, String)> {
    anyhow::ensure!(
        path == Path::new("-")
            || !matches!(trajectory_file::kind_of(path), Ok(trajectory_file::Kind::Journal)),
        "{} is a stored run, not a scene: `info`, `render`, `plot`, `report` and `convert` take it",
        path.display()
    );
    let mut text = read_text(path, reading)?;
    anyhow::ensure!(
        !text.contains('\0'),
        "{} is no scene: it holds bytes that no text has. Is it the file of a run? The scene comes first (after -s)",
        path.display()
    );
    if !changes.is_empty() {
        text = carom_scene::change(&text, changes, &options(reading))?;
    }
    let name = display_name(path);
    let result = read(path, &text, reading);
    let problems = if result.problems.is_empty() {
        String::new()
    } else {
        carom_scene::render(&result.problems, &path.display().to_string(), &text, colored)
    };
    let named_files = {
        let map = &result.source_map;
        let polyhedra = 0..map.count("rigidbody3dpolyhedron");
        polyhedra.into_iter().any(|k| map.values("rigidbody3dpolyhedron", k, "file").next().is_some())
    };
    let file = result.scene.map(|scene| {
        // What runs are made of stands for itself: a scene that names files is kept with their
        // vertices in it.
        let text = if named_files { carom_scene::write(&scene) } else { text };
        SceneFile { scene, text, name }
    });
    Ok((file, problems))
}

/// Reads a scene, the files that it names, and tries whether its bodies can be what it says.
pub(crate) fn read(path: &Path, text: &str, reading: Reading) -> carom_scene::Reading {
    let mut result = carom_scene::read(text, &options(reading));
    let Some(scene) = &mut result.scene else { return result };
    // From the folder of the scene; a leading dot keeps a file called `-` from being standard
    // input.
    let folder = path.parent().unwrap_or(Path::new("")).join(".");
    let mut file_text =
        |name: &str| read_text(&folder.join(name), reading).map_err(|error| format!("{error:#}"));
    let refused = match carom::inline_meshes(scene, &mut file_text) {
        Err(error) => carom::mesh_problem(scene, &result.source_map, &error),
        Ok(_) if !matches!(scene.system, System::Particles(_)) => {
            Simulation::new(scene, Options::course(reading.course))
                .err()
                .and_then(|error| carom::build_problem(scene, &result.source_map, &error))
        }
        Ok(_) => None,
    };
    if let Some(problem) = refused {
        result.problems.push(problem);
        result.scene = None;
    }
    result
}

/// The choices of the command line, for the reader.
pub(crate) fn options(reading: Reading) -> ReadOptions {
    ReadOptions { course: reading.course, strict: reading.strict }
}

/// The text of a file, or of standard input for `-`. A file that is too large is refused before it
/// is read.
///
/// The course's program reads bytes: in course mode what is not UTF-8 is taken as Latin-1, byte for
/// character.
pub(crate) fn read_text(path: &Path, reading: Reading) -> Result<String> {
    let mut bytes = Vec::new();
    let limit = carom_scene::MAX_TEXT_BYTES;
    if piped::is_piped(path) {
        bytes.extend_from_slice(&piped::bytes(path)?);
    } else {
        let cannot_read = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(cannot_read)?;
        let metadata = file.metadata().with_context(cannot_read)?;
        anyhow::ensure!(!metadata.is_dir(), "{} is a folder, not a scene file", path.display());
        carom_scene::check_size(metadata.len()).with_context(cannot_read)?;
        file.take(limit + 1).read_to_end(&mut bytes).with_context(cannot_read)?;
    }
    carom_scene::check_size(bytes.len() as u64).with_context(|| format!("cannot read {}", path.display()))?;
    String::from_utf8(bytes).or_else(|error| {
        if reading.course {
            return Ok(error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
        }
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        Err(anyhow!(
            "{} is not UTF-8 text: byte {at}, in line {line}, belongs to no character; save it as UTF-8",
            path.display()
        ))
    })
}

/// Name of the file without its folder.
pub(crate) fn display_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

fn colored() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
