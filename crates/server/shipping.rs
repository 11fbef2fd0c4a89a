// What of the built page the program holds, copied to the folder of the crate. Shared by `build.rs`
// and `cargo xtask web`.

use std::path::Path;

/// The number of the sources that the page was made of.
pub(crate) const STAMP: &str = "sources.fnv";

/// Replaces the shipped page by the packed files of the built one, and its stamp.
pub(crate) fn ship(built: &Path, shipped: &Path) -> std::io::Result<()> {
    if shipped.exists() {
        std::fs::remove_dir_all(shipped)?;
    }
    copy(built, shipped)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else if ["gz", "gif", "webp", "png"].contains(&&*ending) || name == STAMP {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
