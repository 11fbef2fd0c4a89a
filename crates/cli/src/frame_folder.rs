//! A folder of numbered frames that appears whole: the frames of an earlier movie never mix with
//! those of a new one.

use crate::picture_file::folder_of;
use anyhow::{Context, Result, ensure};
use carom_trajectory::atomic::TemporaryFolder;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder under a temporary name.
pub(crate) struct FrameFolder {
    temporary: TemporaryFolder,
    target: PathBuf,
}

impl FrameFolder {
    /// Refuses a folder that holds anything but frames: nothing of somebody else's is touched.
    pub(crate) fn new(target: &Path) -> Result<FrameFolder> {
        if target.exists() {
            ensure!(target.is_dir(), "{} is a file; frames need a folder", target.display());
            for file in files(target)? {
                ensure!(
                    is_frame(&file),
                    "{} holds {}, which is no frame; name another folder, so that nothing is mixed up",
                    target.display(),
                    file.file_name().unwrap_or_default().to_string_lossy()
                );
            }
        }
        let temporary = TemporaryFolder::new_in(&folder_of(target))?;
        Ok(FrameFolder { temporary, target: target.to_owned() })
    }

    /// Where the frames go until all are there.
    pub(crate) fn path(&self) -> PathBuf {
        self.temporary.path().join("frames")
    }

    /// Lets the folder appear, in the place of one with older frames.
    pub(crate) fn publish(self) -> Result<()> {
        let cannot_write = || format!("cannot write {}", self.target.display());
        let Ok(before) = fs::metadata(&self.target) else {
            return fs::rename(self.path(), &self.target).with_context(cannot_write);
        };
        // The older folder goes as a whole: a kill leaves one movie or none, never half of one.
        let aside = self.temporary.path().join("older");
        let foreign = files(&self.target)?.iter().any(|file| !is_frame(file));
        if foreign || self.target.is_symlink() || fs::rename(&self.target, &aside).is_err() {
            return self.fill();
        }
        let _less_is_no_harm = fs::set_permissions(self.path(), before.permissions());
        fs::rename(self.path(), &self.target)
            .inspect_err(|_| drop(fs::rename(&aside, &self.target)))
            .with_context(cannot_write)
    }

    /// File by file, where the folder itself cannot be replaced: a link, a mounted disk, the one
    /// that the program is in, or one that somebody has put a file of his own into meanwhile.
    fn fill(self) -> Result<()> {
        for old in files(&self.target)?.iter().filter(|file| is_frame(file)) {
            fs::remove_file(old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
        for new in files(&self.path())? {
            let name = new.file_name().unwrap_or_default();
            fs::rename(&new, self.target.join(name))
                .with_context(|| format!("cannot write {}", self.target.display()))?;
        }
        Ok(())
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot_read = || format!("cannot read the folder {}", folder.display());
    let entries = fs::read_dir(folder).with_context(cannot_read)?;
    entries.map(|entry| Ok(entry.with_context(cannot_read)?.path())).collect()
}

/// `frame`, digits, and `.png` or `.svg`.
fn is_frame(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_prefix("frame").and_then(|n| n.strip_suffix(".png").or(n.strip_suffix(".svg")));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames were moved one by one into an older folder: a kill left half of each.
    #[test]
    fn an_older_folder_is_replaced_and_a_link_is_filled() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("frames");
        fs::create_dir(&target).unwrap();
        let publish = |target: &Path, name: &str| {
            let new = FrameFolder::new(target).unwrap();
            fs::create_dir(new.path()).unwrap();
            fs::write(new.path().join(name), "new").unwrap();
            new.publish().unwrap();
            let names: Vec<PathBuf> = files(target).unwrap();
            assert_eq!(names, [target.join(name)]);
            fs::read_dir(folder.path()).unwrap().count()
        };
        fs::write(target.join("frame00007.png"), "old").unwrap();
        let seen = fs::metadata(&target).unwrap();
        assert_eq!(publish(&target, "frame00000.png"), 1, "something is left beside it");
        assert_eq!(fs::metadata(&target).unwrap().permissions(), seen.permissions());
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&target, &link).unwrap();
            assert_eq!(publish(&link, "frame00001.png"), 2);
            assert!(link.is_symlink() && target.join("frame00001.png").exists());
        }
        // Files that came while the movie was made were removed with the older frames.
        let new = FrameFolder::new(&target).unwrap();
        fs::create_dir(new.path()).unwrap();
        fs::write(target.join("notes.txt"), "mine").unwrap();
        new.publish().unwrap();
        assert_eq!(files(&target).unwrap(), [target.join("notes.txt")]);
    }

    #[test]
    fn frames_are_known_by_their_names() {
        for yes in ["frame00000.png", "a/frame00012.svg"] {
            assert!(is_frame(Path::new(yes)), "{yes}");
        }
        for no in ["frame.png", "frame1.txt", "frames1.png", "holiday.png", "frame1a.png"] {
            assert!(!is_frame(Path::new(no)), "{no}");
        }
    }
}
