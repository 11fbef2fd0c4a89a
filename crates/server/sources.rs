// What the page is made of, as one number: written beside the page by `cargo xtask web`, compared
// by a test.

use std::path::{Path, PathBuf};

/// Crates that are no part of the engine in the page.
const APART: [&str; 7] = ["bench", "cli", "python", "render", "server", "testkit", "validation"];

/// FNV-1a over the names and contents of all sources, in the order of their names. Line ends do not
/// count.
pub(crate) fn hash_of_sources(root: &Path) -> std::io::Result<String> {
    let mut files = vec![root.join("Cargo.lock"), root.join("web/package-lock.json")];
    for name in ["build.mjs", "notebook.mjs", "tsconfig.json"] {
        files.push(root.join("web").join(name));
    }
    collect(&root.join("web/src"), &mut files)?;
    collect(&root.join("scenes"), &mut files)?;
    for entry in std::fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        if !APART.contains(&&*entry.file_name().to_string_lossy()) {
            collect(&entry.path().join("src"), &mut files)?;
        }
    }
    let name = |path: &PathBuf| {
        let parts = path.strip_prefix(root).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
    };
    files.sort_by_key(name);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |bytes: &[u8]| {
        for &byte in bytes.iter().filter(|byte| **byte != b'\r') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in &files {
        eat(name(file).as_bytes());
        eat(&[0]);
        eat(&std::fs::read(file)?);
        eat(&[0]);
    }
    Ok(format!("{hash:016x}\n"))
}

/// All files of a folder, if there is one, and of those in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
