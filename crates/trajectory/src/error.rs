//! What can go wrong with trajectory files, each with the file, what was expected and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// An error of reading or writing a trajectory.
#[derive(Debug, thiserror::Error)]
pub enum TrajectoryError {
    /// The operating system refused.
    #[error("cannot {action} {}: {}{}", path.display(), said(cause), hint(action, cause))]
    Io {
        /// What was tried, as a verb: `read`, `write to`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The name belongs to a folder or a device.
    #[error("cannot write {}: it exists and is not a regular file; give the name of a file", path.display())]
    NotAFile {
        /// The name that was given.
        path: PathBuf,
    },
    /// Another process is writing the same file.
    #[error("{} is being written by another run; wait for it, or choose another output name", path.display())]
    Busy {
        /// The file that is locked.
        path: PathBuf,
    },
    /// Somebody else cut, changed or removed a journal while it was written.
    #[error(
        "{} was changed by another program while the run went on: {reason}; what is whole of it can be gone on \
         with by --resume, else the run has to be made again",
        path.display()
    )]
    Disturbed {
        /// The journal.
        path: PathBuf,
        /// What was seen.
        reason: String,
    },
    /// The file does not begin as a Carom trajectory does, and nothing says that it is a course
    /// file.
    #[error(
        "{} is not a Carom trajectory (it does not begin with the eight bytes 89 43 41 52 4F 4D 0D 0A); \
         if it is a course file, give its scene as well: a course file cannot be read without one",
        path.display()
    )]
    NotATrajectory {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer Carom.
    #[error(
        "{} has trajectory format version {found}, this program reads versions up to {supported}; use a newer Carom",
        path.display()
    )]
    UnsupportedVersion {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The newest version that this program reads.
        supported: u32,
    },
    /// The file was begun by an older Carom, in a format that this one reads but does not write.
    #[error(
        "{} was begun in trajectory format version {found}, and this program writes version {written}: it can be read but not gone \
         on with; start over with --overwrite",
        path.display()
    )]
    OlderVersion {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The version that this program writes.
        written: u32,
    },
    /// The header is cut off or damaged: nothing can be read.
    #[error("the header of {} is damaged: {reason}; the run has to be made again", path.display())]
    DamagedHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The header that was to be written cannot be.
    #[error("this run cannot be stored: {reason}")]
    InvalidHeader {
        /// What is wrong.
        reason: String,
    },
    /// A frame is damaged.
    #[error("frame {frame} of {}, at byte {offset}, is damaged: {reason}; frames before it are whole", path.display())]
    DamagedFrame {
        /// The file.
        path: PathBuf,
        /// Number of the stored frame, from 0.
        frame: u64,
        /// Where its record begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A frame was asked for that is not there.
    #[error("{} has {frames} frames, numbered from 0: there is no frame {frame}", path.display())]
    NoSuchFrame {
        /// The file.
        path: PathBuf,
        /// The frame asked for.
        frame: u64,
        /// How many there are.
        frames: u64,
    },
    /// A frame does not fit the file it is to be written to.
    #[error("a frame does not fit the file {}: {reason}", path.display())]
    WrongFrame {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// The frames end with something else than what was stored.
    #[error("the frames of {} do not have the stored run hash {stored}, but {computed}", path.display())]
    WrongHash {
        /// The file.
        path: PathBuf,
        /// The hash in the file.
        stored: String,
        /// The hash of the frames in the file.
        computed: String,
    },
    /// A course file does not have the layout that its scene asks for.
    #[error(
        "{}, record {record}, byte {offset}: {problem}; is this the file of this scene, written by the same program?",
        path.display()
    )]
    Course {
        /// The file.
        path: PathBuf,
        /// Number of the record, from 0; the two records of a synced pair count as two.
        record: u64,
        /// Byte at which the problem shows.
        offset: u64,
        /// What is wrong.
        problem: CourseProblem,
    },
}

/// What is wrong with a course file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CourseProblem {
    /// The file ends inside a record.
    #[error("the file ends inside a record: {needed} more bytes expected, {left} left")]
    Truncated {
        /// Bytes that the record still needs.
        needed: u64,
        /// Bytes that are left in the file.
        left: u64,
    },
    /// Bytes where nothing should be.
    #[error("{bytes} bytes in the file of a scene without particles")]
    TrailingBytes {
        /// How many.
        bytes: u64,
    },
    /// A count below zero.
    #[error("the number of {what} is {count}, below zero")]
    NegativeCount {
        /// What is counted.
        what: &'static str,
        /// The count.
        count: i32,
    },
    /// The kind of a collision is not 0, 1 or 2.
    #[error("the kind of a collision is {code}; 0, 1 and 2 exist")]
    UnknownKind {
        /// The code in the file.
        code: i32,
    },
    /// An index below zero.
    #[error("a collision names the index {index}, below zero")]
    NegativeIndex {
        /// The index.
        index: i32,
    },
    /// A record would need more memory than the reader allows itself.
    #[error("a record of {bytes} bytes is larger than the limit of {limit}")]
    TooLarge {
        /// Size of the record.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
}

impl TrajectoryError {
    /// Wraps an error of the operating system: `map_err(TrajectoryError::io("read", path))`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TrajectoryError {
        let path = path.to_path_buf();
        move |cause| TrajectoryError::Io { action, path, cause }
    }
}

/// What the operating system said, without the temporary name that `tempfile` adds to it.
fn said(cause: &io::Error) -> String {
    let text = cause.to_string();
    text.split_once(" at path ").map_or(text.as_str(), |(said, _)| said).to_owned()
}

/// What is done to a journal: only a run can be gone on with.
pub(crate) const JOURNAL: &str = "write to";

fn hint(action: &str, cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded if action == JOURNAL => {
            "; free some space and go on with --resume: the frames written so far are kept"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space, or choose another folder"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; choose a folder that you may write to"
        }
        io::ErrorKind::NotFound => "; check the name, and that its folder exists",
        _ => "",
    }
}
