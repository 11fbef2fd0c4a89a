//! Temporary files, and what becomes of those that a killed program left behind.
//!
//! A file in use is locked, and the system frees the lock of a program that ends in any way. So
//! what carries our name and can be locked belongs to nobody. No clock is asked.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{NamedTempFile, TempDir};

use super::folder_of;
use crate::error::TrajectoryError;

const PREFIX: &str = ".carom-";
const SUFFIX: &str = ".tmp";
/// The file that is locked for a whole folder.
const LOCK: &str = "lock";
/// Names that are tried when others remove what was just made.
const MOST_TRIES: usize = 16;

/// Folders that were looked through: once is enough for a program.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A new temporary file in the folder of `target`, with the permissions that `target` has or would
/// get. It is locked as long as it is open: one that nobody has open is taken for left behind, and
/// removed.
pub fn temporary_beside(target: &Path) -> Result<NamedTempFile, TrajectoryError> {
    let folder = folder_of(target);
    sweep_once(&folder);
    let mut temporary = made_in(&folder)?;
    for _ in 1..MOST_TRIES {
        if is_ours(&temporary) {
            break;
        }
        temporary = made_in(&folder)?;
    }
    if let Ok(data) = fs::metadata(target) {
        temporary
            .as_file()
            .set_permissions(data.permissions())
            .map_err(TrajectoryError::io("set the permissions of", target))?;
    }
    Ok(temporary)
}

/// Folders of this program that are there now.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the temporary folders of this program, which is about to end without coming back to
/// them.
pub fn remove_temporary_folders() {
    for folder in LIVING.lock().map(|mut living| std::mem::take(&mut *living)).unwrap_or_default() {
        let _the_next_program_removes_it = fs::remove_dir_all(folder);
    }
}

/// A folder for files that last as long as this value. What a killed program left behind is removed
/// by the next that writes beside it.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _lock: File,
}

impl TemporaryFolder {
    /// Makes one in a folder.
    pub fn new_in(folder: &Path) -> Result<TemporaryFolder, TrajectoryError> {
        sweep_once(folder);
        let cannot = || TrajectoryError::io("write in", folder);
        let made = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempdir_in(folder);
        let made = made.map_err(cannot())?;
        let lock = File::create(made.path().join(LOCK)).map_err(cannot())?;
        let _file_systems_without_locks_keep_it = lock.try_lock();
        if let Ok(mut living) = LIVING.lock() {
            living.insert(made.path().to_owned());
        }
        Ok(TemporaryFolder { folder: made, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if let Ok(mut living) = LIVING.lock() {
            living.remove(self.folder.path());
        }
    }
}

fn made_in(folder: &Path) -> Result<NamedTempFile, TrajectoryError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Readable and writable for all, less the umask: what any program's new file gets.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(TrajectoryError::io("write in", folder))
}

/// Locks a new file. False where another program swept the folder just then and took it for left
/// behind.
fn is_ours(temporary: &NamedTempFile) -> bool {
    let taken = matches!(temporary.as_file().try_lock(), Err(fs::TryLockError::WouldBlock));
    !taken && temporary.path().exists()
}

/// Removes temporary files of ours that no program has open. Only where locks work: elsewhere they
/// stay.
fn sweep_once(folder: &Path) {
    let known = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if !SWEPT.lock().is_ok_and(|mut swept| swept.insert(known)) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_named = name.to_str().is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX));
        let Ok(kind) = entry.file_type() else { continue };
        if !is_named || !(kind.is_file() || kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        let locked = if kind.is_dir() { path.join(LOCK) } else { path.clone() };
        let Ok(file) = File::open(&locked) else { continue };
        if file.try_lock().is_ok() {
            let _stays_where_it_may_not_be_removed =
                if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Temporary files of killed exports stayed for ever.
    #[test]
    fn what_nobody_has_open_is_removed_and_what_is_open_stays() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".carom-left.tmp");
        let open = folder.path().join(".carom-open.tmp");
        let foreign = folder.path().join("carom.tmp");
        for path in [&left, &open, &foreign] {
            fs::write(path, "frames").unwrap();
        }
        let frames = folder.path().join(".carom-frames.tmp");
        fs::create_dir(&frames).unwrap();
        fs::write(frames.join(LOCK), "").unwrap();
        fs::write(frames.join("frames.carom"), "").unwrap();
        let held = File::open(&open).unwrap();
        held.lock().unwrap();
        let fresh = temporary_beside(&folder.path().join("run.csv")).unwrap();
        assert!(!left.exists() && !frames.exists());
        assert!(open.exists() && foreign.exists() && fresh.path().exists());
    }

    #[test]
    fn folders_are_removed_in_the_end_or_when_the_program_has_to_end() {
        let beside = tempfile::tempdir().unwrap();
        let count = || fs::read_dir(beside.path()).unwrap().count();
        drop(TemporaryFolder::new_in(beside.path()).unwrap());
        assert_eq!(count(), 0);
        let _stays = TemporaryFolder::new_in(beside.path()).unwrap();
        assert_eq!(count(), 1);
        remove_temporary_folders();
        assert_eq!(count(), 0);
    }

    #[test]
    fn a_temporary_file_is_locked_while_it_lives() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = temporary_beside(&folder.path().join("run.csv")).unwrap();
        let other = File::open(fresh.path()).unwrap();
        assert!(other.try_lock().is_err());
    }
}
