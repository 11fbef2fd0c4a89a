//! Files that can be read once only: pipes, and standard input. What comes from them is kept,
//! because a command looks at the beginning of a file before it reads the file.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

static KEPT: Mutex<BTreeMap<PathBuf, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// Whether a name stands for something that gives its bytes once: not a file, not a folder.
pub(crate) fn is_piped(path: &Path) -> bool {
    path == Path::new("-") || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// All bytes of a pipe, up to one more than a scene may have.
pub(crate) fn bytes(path: &Path) -> Result<Arc<[u8]>> {
    let mut kept = KEPT.lock().map_err(|_| anyhow::anyhow!("cannot read {}", path.display()))?;
    if let Some(bytes) = kept.get(path) {
        return Ok(Arc::clone(bytes));
    }
    let most = carom_scene::MAX_TEXT_BYTES + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        let cannot_read = || format!("cannot read {}", path.display());
        let pipe = File::open(path).with_context(cannot_read)?;
        pipe.take(most).read_to_end(&mut bytes).with_context(cannot_read)?;
    }
    let bytes: Arc<[u8]> = bytes.into();
    kept.insert(path.to_owned(), Arc::clone(&bytes));
    Ok(bytes)
}
