//! Files that appear whole or not at all: written under a temporary name in the same folder, then
//! renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

mod temporary;

pub use temporary::{TemporaryFolder, remove_temporary_folders, temporary_beside};

use crate::error::TrajectoryError;

/// Symbolic links followed before giving up, as in Linux.
const MAX_LINKS: usize = 40;

/// Writes a file that appears whole or not at all.
///
/// `write` fills a temporary file in the same folder; it is then flushed to the disk and renamed to
/// `path`, so that a file of that name is replaced only at the end. A symbolic link stays and the
/// file it points to is replaced; an existing file passes its permissions on. An error from `write`
/// removes the temporary file.
///
/// ```
/// # use std::io::Write;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("notes.txt");
/// carom_trajectory::atomic::write_whole(&path, |out| out.write_all(b"all of it"))?;
/// # assert_eq!(std::fs::read(&path).unwrap(), b"all of it");
/// # Ok::<(), carom_trajectory::TrajectoryError>(())
/// ```
pub fn write_whole<T, E: WriteError>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, TrajectoryError> {
    let target = resolve(path)?;
    let (file, name) = temporary_beside(&target)?.into_parts();
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    let value = write(&mut writer).map_err(|error| error.about(path))?;
    let file = writer.into_inner().map_err(|e| e.into_error()).map_err(TrajectoryError::io("write", path))?;
    file.sync_all().map_err(TrajectoryError::io("write", path))?;
    name.persist(&target).map_err(|e| e.error).map_err(TrajectoryError::io("write", path))?;
    // Open, and so locked, until it has its name: nobody takes it for one that was left behind.
    drop(file);
    sync_folder(&target);
    Ok(value)
}

/// An error that filling a file may end in.
pub trait WriteError {
    /// The error with the name of the file.
    fn about(self, path: &Path) -> TrajectoryError;
}

impl WriteError for io::Error {
    fn about(self, path: &Path) -> TrajectoryError {
        TrajectoryError::io("write", path)(self)
    }
}

impl WriteError for TrajectoryError {
    fn about(self, _: &Path) -> TrajectoryError {
        self
    }
}

/// Renames a finished file to its final name, replacing what is there.
pub fn publish(finished: &Path, path: &Path) -> Result<(), TrajectoryError> {
    let target = resolve(path)?;
    fs::rename(finished, &target).map_err(TrajectoryError::io("write", path))?;
    sync_folder(&target);
    Ok(())
}

/// Finds out whether a file of this name can be made, before there is anything to put into it.
pub fn check_writable(path: &Path) -> Result<(), TrajectoryError> {
    let target = resolve(path)?;
    temporary_beside(&target).map(drop)
}

/// The file that a name stands for, links followed; refuses folders and devices.
pub(crate) fn resolve(path: &Path) -> Result<PathBuf, TrajectoryError> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(data) if data.file_type().is_symlink() => {
                let next = fs::read_link(&target).map_err(TrajectoryError::io("read the link", path))?;
                target = folder_of(&target).join(next);
            }
            Ok(data) if data.is_file() => return Ok(target),
            Ok(_) => return Err(TrajectoryError::NotAFile { path: path.to_path_buf() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            Err(error) => return Err(TrajectoryError::io("write", path)(error)),
        }
    }
    let error = io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links");
    Err(TrajectoryError::io("write", path)(error))
}

/// The folder a file is in; `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Makes a rename survive a loss of power where the system can; where it cannot, the file is still
/// whole.
pub(crate) fn sync_folder(target: &Path) {
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
}
