//! One way in: opens any trajectory file and gives its frames.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use crate::course::{CourseLayout, CourseReader, CourseRecord};
use crate::error::TrajectoryError;
use crate::frame::{Family, Frame};
use crate::journal::{Header, JournalReader, MAGIC, RunHash, TornTail};

/// An open trajectory file: a journal of Carom, finished or not, or a course file.
#[derive(Debug)]
pub enum Trajectory<R = BufReader<File>> {
    /// Carom's own format.
    Journal(Box<JournalReader<R>>),
    /// A file of the course's program.
    Course(CourseReader<R>),
}

/// Opens a trajectory file. Its first bytes say whether it is Carom's; any other file is taken for
/// a course file, which cannot be read without its layout.
pub fn open(path: &Path, layout: Option<CourseLayout>) -> Result<Trajectory, TrajectoryError> {
    let file = File::open(path).map_err(TrajectoryError::io("open", path))?;
    let data = file.metadata().map_err(TrajectoryError::io("open", path))?;
    if !data.is_file() {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a regular file");
        return Err(TrajectoryError::io("read", path)(error));
    }
    // A file that is named as Carom's is never taken for another: a damaged one is reported as
    // such.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let layout = layout.filter(|_| !name.ends_with(".carom") && !name.ends_with(".part"));
    open_source(BufReader::new(file), path, layout)
}

/// As [`open`], for bytes in memory.
pub fn open_bytes(
    bytes: &[u8],
    layout: Option<CourseLayout>,
) -> Result<Trajectory<Cursor<&[u8]>>, TrajectoryError> {
    open_source(Cursor::new(bytes), Path::new("(bytes in memory)"), layout)
}

fn open_source<R: Read + Seek>(
    mut source: R,
    path: &Path,
    layout: Option<CourseLayout>,
) -> Result<Trajectory<R>, TrajectoryError> {
    let mut start = Vec::with_capacity(MAGIC.len());
    let read = TrajectoryError::io;
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start).map_err(read("read", path))?;
    source.seek(SeekFrom::Start(0)).map_err(read("read", path))?;
    match layout {
        Some(layout) if start != MAGIC => {
            Ok(Trajectory::Course(CourseReader::from_source(source, path, layout)?))
        }
        _ => Ok(Trajectory::Journal(Box::new(JournalReader::from_source(source, path)?))),
    }
}

impl<R: Read + Seek> Trajectory<R> {
    /// What the file says about itself; course files say nothing.
    pub fn header(&self) -> Option<&Header> {
        match self {
            Trajectory::Journal(journal) => Some(journal.header()),
            Trajectory::Course(_) => None,
        }
    }

    /// The kind of system.
    pub fn family(&self) -> Family {
        match self {
            Trajectory::Journal(journal) => journal.header().family,
            Trajectory::Course(course) => course.layout().records.family(),
        }
    }

    /// Number of particles or bodies.
    pub fn bodies(&self) -> u64 {
        match self {
            Trajectory::Journal(journal) => journal.header().bodies,
            Trajectory::Course(course) => course.layout().bodies,
        }
    }

    /// Time step in seconds.
    pub fn dt(&self) -> f64 {
        match self {
            Trajectory::Journal(journal) => journal.header().dt,
            Trajectory::Course(course) => course.layout().dt,
        }
    }

    /// How the course's program lays this run out; nothing for a run that it cannot make.
    pub fn course_layout(&self) -> Option<CourseLayout> {
        match self {
            Trajectory::Journal(journal) => CourseLayout::of_header(journal.header()),
            Trajectory::Course(course) => Some(*course.layout()),
        }
    }

    /// Masses and moments of inertia, as far as the file holds them.
    pub fn masses_and_inertias(&self) -> (&[f64], &[f64]) {
        match self {
            Trajectory::Journal(journal) => (&journal.header().masses, &journal.header().inertias),
            Trajectory::Course(course) => course.constants().map_or((&[], &[]), |c| (&c.masses, &c.inertias)),
        }
    }

    /// Whether frames hold energies and momenta: those of particles in course files do not.
    pub fn has_quantities(&self) -> bool {
        matches!(self, Trajectory::Journal(_)) || self.family() == Family::RigidBodies
    }

    /// Whether frames hold contacts: course files of rigid bodies and those without collision
    /// handler do not.
    pub fn has_contacts(&self) -> bool {
        match self {
            Trajectory::Journal(_) => true,
            Trajectory::Course(course) => course.layout().records.has_collisions(),
        }
    }

    /// The hash that a finished run of Carom carries.
    pub fn run_hash(&self) -> Option<RunHash> {
        match self {
            Trajectory::Journal(journal) => journal.finished(),
            Trajectory::Course(_) => None,
        }
    }

    /// What follows the last whole frame of a journal that was cut off.
    pub fn torn(&self) -> Option<&TornTail> {
        match self {
            Trajectory::Journal(journal) => journal.torn(),
            Trajectory::Course(_) => None,
        }
    }

    /// Number of frames. Course files with collisions are gone through once.
    pub fn frame_count(&mut self) -> Result<u64, TrajectoryError> {
        match self {
            Trajectory::Journal(journal) => Ok(journal.frames()),
            Trajectory::Course(course) => course.frames(),
        }
    }

    /// Reads one frame by its number, from 0.
    pub fn frame(&mut self, index: u64) -> Result<Frame, TrajectoryError> {
        match self {
            Trajectory::Journal(journal) => journal.frame(index),
            Trajectory::Course(course) => {
                let mut record = CourseRecord::default();
                course.record(index, &mut record)?;
                Ok(record.frame)
            }
        }
    }

    /// The frames in order from the first, one at a time.
    pub fn frames(&mut self) -> Frames<'_, R> {
        Frames { trajectory: self, next: 0, record: CourseRecord::default(), ended: false }
    }
}

/// Goes through the frames of a trajectory; ends after the first error.
#[derive(Debug)]
pub struct Frames<'a, R> {
    trajectory: &'a mut Trajectory<R>,
    next: u64,
    record: CourseRecord,
    ended: bool,
}

impl<R: Read + Seek> Frames<'_, R> {
    /// The next frame in memory that is used again; nothing at the end.
    pub fn next_frame(&mut self) -> Result<Option<&Frame>, TrajectoryError> {
        if self.ended {
            return Ok(None);
        }
        // Until the frame is there, an error ends the iteration.
        self.ended = true;
        match self.trajectory {
            Trajectory::Journal(journal) if self.next >= journal.frames() => return Ok(None),
            Trajectory::Journal(journal) => journal.read_frame(self.next, &mut self.record.frame)?,
            Trajectory::Course(course) => {
                if self.next == 0 {
                    course.rewind()?;
                }
                if !course.next_record(&mut self.record)? {
                    return Ok(None);
                }
            }
        }
        self.ended = false;
        self.next += 1;
        Ok(Some(&self.record.frame))
    }
}

impl<R: Read + Seek> Iterator for Frames<'_, R> {
    type Item = Result<Frame, TrajectoryError>;

    fn next(&mut self) -> Option<Result<Frame, TrajectoryError>> {
        self.next_frame().map(|frame| frame.cloned()).transpose()
    }
}
