//! One picture in one file, whole or not at all.

use anyhow::{Context, Result, bail};
use carom_render::output::png;
use carom_render::{Canvas, DisplayList, svg};
use carom_trajectory::atomic;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a picture as SVG or PNG, as the ending says.
pub(crate) fn write(path: &Path, picture: &DisplayList) -> Result<()> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_lowercase).as_deref() {
        Some("svg") => {
            let text = svg::document(picture);
            atomic::write_whole(path, |out| out.write_all(text.as_bytes()))?;
        }
        Some("png") => {
            let canvas = Canvas::of(picture).context("no such picture can be made")?;
            atomic::write_whole(path, |out| png::write(&canvas, png::Effort::Small, out))?;
        }
        _ => bail!("unknown picture format of {}: use .svg or .png", path.display()),
    }
    Ok(())
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
