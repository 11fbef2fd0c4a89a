//! Trajectories from files: distinguished from scenes, and opened with what a course file needs.

use crate::arguments::Reading;
use crate::piped;
use crate::scene_file::{self, SceneFile, Warnings};
use anyhow::{Context, Result, bail, ensure};
use carom::{Frame, Options, Simulation};
use carom_trajectory::course::CourseLayout;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What a file is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// XML text.
    Scene,
    /// Carom's own trajectory, whole or cut off.
    Journal,
    /// Bytes that say nothing about themselves: perhaps a course file.
    Unknown,
}

/// Looks at the beginning of a file.
pub(crate) fn kind_of(path: &Path) -> Result<Kind> {
    if path == Path::new("-") {
        return Ok(Kind::Scene);
    }
    let start = beginning(path)?;
    if start.starts_with(&carom_trajectory::journal::MAGIC) {
        ensure!(
            !piped::is_piped(path),
            "{} is a stored run that comes from a pipe; runs are read in any order: give the file itself",
            path.display()
        );
        return Ok(Kind::Journal);
    }
    let named = |ending: &str| path.extension().is_some_and(|e| e == ending);
    if named("npz") || named("csv") || named("glb") {
        bail!(
            "{} is an export for other programs; give the .carom file that it was made from",
            path.display()
        );
    }
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    let first = text.iter().find(|b| !b.is_ascii_whitespace());
    let named_xml = path.extension().is_some_and(|e| e == "xml");
    Ok(if first == Some(&b'<') || named_xml { Kind::Scene } else { Kind::Unknown })
}

/// Enough of a file to tell what it is.
fn beginning(path: &Path) -> Result<Vec<u8>> {
    const ENOUGH: usize = 4096;
    if piped::is_piped(path) {
        let bytes = piped::bytes(path)?;
        return Ok(bytes[..bytes.len().min(ENOUGH)].to_vec());
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let mut start = Vec::new();
    let file = File::open(path).with_context(cannot_read)?;
    file.take(ENOUGH as u64).read_to_end(&mut start).with_context(cannot_read)?;
    Ok(start)
}

/// The scene that tells how a course file is laid out. `None` when it has errors, which were
/// printed.
pub(crate) fn scene_for(
    course_file: &Path,
    scene: Option<&Path>,
    reading: Reading,
) -> Result<Option<SceneFile>> {
    match scene {
        Some(scene) => scene_file::load(scene, reading, Warnings::Hide),
        None => bail!(
            "{} is neither a scene nor a Carom trajectory; if it is a course file, name its scene as well with --scene SCENE, \
             because a course file does not say what is in it",
            course_file.display()
        ),
    }
}

/// How the course's program lays out the file of a scene.
pub(crate) fn layout_of(file: &SceneFile, reading: Reading) -> Result<CourseLayout> {
    let simulation = Simulation::new(&file.scene, Options::course(reading.course))
        .with_context(|| format!("{} cannot be run", file.name))?;
    let records = carom::grading::course_records(&file.scene).with_context(|| {
        format!("the course's program cannot run {}: it has no file of that scene", file.name)
    })?;
    Ok(CourseLayout::new(records, simulation.body_count() as u64, simulation.dt()))
}

/// Computes what a course file leaves out (energies, momenta) from its states, so that plots of it
/// work.
pub(crate) struct Completion {
    simulation: Simulation,
    whole: Frame,
}

impl Completion {
    /// For the files of a scene.
    pub(crate) fn new(file: &SceneFile, reading: Reading) -> Result<Completion> {
        let simulation = Simulation::new(&file.scene, Options::course(reading.course))
            .with_context(|| format!("{} cannot be run", file.name))?;
        Ok(Completion { simulation, whole: Frame::default() })
    }

    /// The frame with all that its state tells. A state that is not finite has no energy and stays
    /// as it is.
    pub(crate) fn whole(&mut self, frame: &Frame) -> &Frame {
        if self.simulation.restore(frame).is_ok() {
            self.simulation.write_frame(&mut self.whole);
            self.whole.contacts.clone_from(&frame.contacts);
            self.whole.intermediate.clone_from(&frame.intermediate);
        } else {
            self.whole.clone_from(frame);
        }
        &self.whole
    }
}
