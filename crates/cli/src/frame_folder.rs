//! A folder of numbered frames that appears whole: the frames of an earlier movie never mix with
//! those of a new one.

use crate::picture_file::folder_of;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder under a temporary name.
pub(crate) struct FrameFolder {
    temporary: TempDir,
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
        let beside = folder_of(target);
        let temporary = tempfile::Builder::new()
            .prefix(".carom-")
            .tempdir_in(&beside)
            .with_context(|| format!("cannot write in {}", beside.display()))?;
        Ok(FrameFolder { temporary, target: target.to_owned() })
    }

    /// Where the frames go until all are there.
    pub(crate) fn path(&self) -> PathBuf {
        self.temporary.path().join("frames")
    }

    /// Lets the folder appear, in the place of one with older frames.
    pub(crate) fn publish(self) -> Result<()> {
        let cannot_write = || format!("cannot write {}", self.target.display());
        if self.target.exists() {
            for old in files(&self.target)? {
                fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
            }
            for new in files(&self.path())? {
                let name = new.file_name().unwrap_or_default();
                fs::rename(&new, self.target.join(name)).with_context(cannot_write)?;
            }
            return Ok(());
        }
        fs::rename(self.path(), &self.target).with_context(cannot_write)
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
