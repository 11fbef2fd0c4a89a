//! Pages that are made from the code.

use anyhow::{Context, Result};

/// Writes every generated page.
pub(crate) fn write() -> Result<()> {
    let path = crate::root().join("docs/scene-format.md");
    std::fs::write(&path, carom_scene::schema::reference_page())
        .with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote docs/scene-format.md");
    Ok(())
}
