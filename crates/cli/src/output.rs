//! Where a run's frames go: one journal while it runs, any format in the end. A course file of a
//! run that is over at once needs no journal.

use crate::arguments::Format;
use crate::scene_file::SceneFile;
use anyhow::{Context, Result, bail, ensure};
use carom::{CourseLists, Frame, Simulation};
use carom_trajectory::atomic::TemporaryFolder;
use carom_trajectory::course::Polynomials;
use carom_trajectory::{
    Header, JournalReader, JournalWriter, RunHash, Trajectory, TrajectoryError, atomic, export, journal,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Frames are handed to the operating system at least this often, so that a kill loses little.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);
/// Frames are on the disk at least this often, so that a loss of power loses little.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Frames a second of a glTF animation at most: that of film, and of Blender unless it is set
/// otherwise.
const GLB_RATE: f64 = 24.0;

/// Frames of a course file that are kept in memory before there is a journal take about this many
/// bytes at most.
const DRAFT_BYTES: usize = 1 << 25;

/// The journal of a run, and what becomes of it.
pub(crate) struct Output {
    kept: Kept,
    header: Header,
    part: PathBuf,
    /// Where `part` is of no run that could be gone on with.
    aside: Option<TemporaryFolder>,
    target: PathBuf,
    format: Format,
    flushed: Instant,
    synced: Instant,
    last_step: Option<u64>,
}

/// Frames so far.
enum Kept {
    /// No more than a journal would hold back anyway: [`FLUSH_INTERVAL`] and [`DRAFT_BYTES`] bound
    /// what a kill loses.
    Draft {
        frames: Vec<Frame>,
        bytes: usize,
    },
    Journal(JournalWriter),
}

/// The format that was asked for, or that the ending of the name means.
pub(crate) fn format_of(path: &Path, asked: Option<Format>) -> Result<Format> {
    if let Some(format) = asked {
        return Ok(format);
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("carom") => Ok(Format::Carom),
        Some("bin") => Ok(Format::Course),
        Some("npz") => Ok(Format::Npz),
        Some("csv") => Ok(Format::Csv),
        Some("glb") => Ok(Format::Glb),
        _ => bail!(
            "the ending of {} names no format: use .carom, .bin (course), .npz, .csv or .glb, or give --format",
            path.display()
        ),
    }
}

/// Refuses to write over what is read, and to take `-` for a file.
pub(crate) fn check_target(target: &Path, inputs: &[&Path]) -> Result<()> {
    ensure!(target != Path::new("-"), "results go to files, not to standard output: give a name");
    let same = |input: &&&Path| match (target.canonicalize(), input.canonicalize()) {
        (Ok(target), Ok(input)) => target == input,
        _ => false,
    };
    if let Some(input) = inputs.iter().find(same) {
        bail!("{} is what is read: give the result another name", input.display());
    }
    Ok(())
}

/// What a journal says about itself.
pub(crate) fn header(file: &SceneFile, simulation: &Simulation, course: bool, every: u64) -> Header {
    let count = simulation.body_count() as u64;
    let mut header = Header::new(simulation.family(), count, simulation.dt(), &file.name, &file.text);
    header.integrator = file.scene.integrator_name().to_owned();
    header.options.course = course;
    header.options.every = every;
    header.course_records = carom::grading::course_records(&file.scene);
    (header.masses, header.inertias) = simulation.mass_properties();
    header
}

/// The journal's name while a run goes on.
pub(crate) fn part_of(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(".part");
    PathBuf::from(name)
}

impl Output {
    /// A new output of a run.
    pub(crate) fn create(target: &Path, format: Format, header: Header) -> Result<Self> {
        Self::kept_in(part_of(target), None, target, format, header)
    }

    /// A new output of what cannot be gone on with: it leaves a journal that is there alone, and
    /// none of its own.
    pub(crate) fn aside(target: &Path, format: Format, header: Header) -> Result<Self> {
        let beside = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = TemporaryFolder::new_in(beside.unwrap_or(Path::new(".")))?;
        let journal = folder.path().join("journal");
        Self::kept_in(journal, Some(folder), target, format, header).map_err(|error| of_target(target, error))
    }

    fn kept_in(
        part: PathBuf,
        aside: Option<TemporaryFolder>,
        target: &Path,
        format: Format,
        header: Header,
    ) -> Result<Self> {
        let kept = if format == Format::Course && !part.exists() {
            atomic::check_writable(target)?;
            Kept::Draft { frames: Vec::new(), bytes: 0 }
        } else {
            Kept::Journal(JournalWriter::create(&part, &header)?)
        };
        Ok(Self {
            kept,
            header,
            part,
            aside,
            target: target.to_owned(),
            format,
            flushed: Instant::now(),
            synced: Instant::now(),
            last_step: None,
        })
    }

    /// Goes on with a journal.
    pub(crate) fn continued(target: &Path, format: Format, writer: JournalWriter, header: Header) -> Self {
        let (part, target) = (part_of(target), target.to_owned());
        Self {
            kept: Kept::Journal(writer),
            header,
            part,
            aside: None,
            target,
            format,
            flushed: Instant::now(),
            synced: Instant::now(),
            last_step: None,
        }
    }

    /// The format that it will have in the end.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The step of the last frame that was kept here.
    pub(crate) fn last_step(&self) -> Option<u64> {
        self.last_step
    }

    /// Keeps a frame.
    pub(crate) fn append(&mut self, frame: &Frame) -> Result<()> {
        let kept = self.keep(frame);
        if self.aside.is_some() { kept.map_err(|error| of_target(&self.target, error)) } else { kept }
    }

    fn keep(&mut self, frame: &Frame) -> Result<()> {
        self.last_step = Some(frame.step);
        let is_late = self.flushed.elapsed() > FLUSH_INTERVAL;
        match &mut self.kept {
            Kept::Draft { frames, bytes } => {
                frames.push(frame.clone());
                *bytes += size_of_val(&frame.positions[..]) + size_of_val(&frame.velocities[..]);
                *bytes += size_of_val(&frame.contacts[..]) + size_of_val(frame);
                if is_late || *bytes > DRAFT_BYTES {
                    self.journal()?;
                }
            }
            Kept::Journal(writer) => {
                writer.append(frame)?;
                if self.synced.elapsed() > SYNC_INTERVAL {
                    writer.sync()?;
                    (self.flushed, self.synced) = (Instant::now(), Instant::now());
                } else if is_late {
                    writer.flush()?;
                    self.flushed = Instant::now();
                }
            }
        }
        Ok(())
    }

    /// The journal, which is begun where there is none yet.
    fn journal(&mut self) -> Result<&mut JournalWriter> {
        if let Kept::Draft { frames, .. } = &mut self.kept {
            let mut writer = JournalWriter::create(&self.part, &self.header)?;
            frames.iter().try_for_each(|frame| writer.append(frame))?;
            writer.flush()?;
            self.flushed = Instant::now();
            self.kept = Kept::Journal(writer);
        }
        match &mut self.kept {
            Kept::Journal(writer) => Ok(writer),
            Kept::Draft { .. } => bail!("a journal was begun"),
        }
    }

    /// Leaves the journal as it is, to be resumed. Gives its name.
    pub(crate) fn pause(mut self) -> Result<PathBuf> {
        self.journal()?.sync()?;
        Ok(self.part)
    }

    /// Makes the output whole: it appears under its name, in its format. Gives the hash of the run
    /// where it is `wanted` or known.
    pub(crate) fn finish(self, wanted: bool) -> Result<Option<RunHash>> {
        if self.aside.is_none() {
            return self.published(wanted);
        }
        let target = self.target.clone();
        self.published(wanted).map_err(|error| of_target(&target, error))
    }

    fn published(self, wanted: bool) -> Result<Option<RunHash>> {
        let writer = match self.kept {
            Kept::Draft { frames, .. } => {
                let mut lists = CourseLists::of_run(&self.header);
                export::write_course_frames(
                    &self.header,
                    &frames,
                    &mut |frame| polynomials_of(&mut lists, frame),
                    &self.target,
                )?;
                let chain = |hash: RunHash, frame| hash.with_frame(frame);
                return Ok(wanted.then(|| frames.iter().fold(RunHash::default(), chain)));
            }
            Kept::Journal(writer) => writer,
        };
        let hash = writer.finish()?;
        if self.format == Format::Carom && self.aside.is_none() {
            atomic::publish(&self.part, &self.target)?;
        } else {
            let journal = JournalReader::reopen(&self.part, self.header)?;
            let mut journal = Trajectory::Journal(Box::new(journal));
            let exported = export(&mut journal, &self.target, self.format);
            if self.aside.is_some() {
                exported?;
            } else {
                exported.with_context(|| format!("the frames are kept in {}", self.part.display()))?;
                journal::remove(&self.part)?;
            }
        }
        Ok(Some(hash))
    }
}

/// An error of a journal that nobody can go on with: what cannot be written is the output.
fn of_target(target: &Path, error: anyhow::Error) -> anyhow::Error {
    match error.downcast() {
        Ok(TrajectoryError::Io { cause, .. }) => TrajectoryError::io("write", target)(cause).into(),
        Ok(other) => other.into(),
        Err(other) => other,
    }
}

/// The polynomials that a course file lists for the step that led to a frame.
fn polynomials_of(lists: &mut Option<CourseLists>, frame: &Frame) -> [Polynomials; 2] {
    lists.as_mut().map(|lists| lists.next(frame)).unwrap_or_default()
}

/// Writes a journal in another format; it appears whole or not at all.
pub(crate) fn export(trajectory: &mut Trajectory, target: &Path, format: Format) -> Result<()> {
    match format {
        Format::Course => {
            let every = trajectory.course_layout().map_or(1, |layout| layout.every);
            ensure!(
                every == 1,
                "the course's files hold every step, this run keeps every {every}th; choose another format"
            );
            let mut lists = trajectory.header().and_then(CourseLists::of_run);
            let mut polynomials = |frame: &Frame| polynomials_of(&mut lists, frame);
            export::write_course(trajectory, &mut polynomials, target).map(drop)?;
        }
        Format::Npz => export::write_npz(trajectory, target).map(drop)?,
        Format::Csv => export::write_csv(trajectory, target).map(drop)?,
        Format::Glb => {
            let text = trajectory.header().map_or("", |header| &header.scene);
            let scene = carom::read_scene(text)?;
            let solids = carom::solids(&scene)?;
            export::write_glb(trajectory, &solids, GLB_RATE, target).map(drop)?;
        }
        Format::Carom => {
            let header = trajectory
                .header()
                .cloned()
                .context("a course file needs its scene to become a .carom file")?;
            export::write_journal(trajectory, &header, target).map(drop)?;
        }
    }
    Ok(())
}
