//! The map is true: what ARCHITECTURE.md names is there, and the walk of a contact has few rooms.

use anyhow::{Context, Result};
use std::fs;

/// Rooms inside the engine on the walk of a contact, at most.
const MOST_ROOMS: usize = 5;

/// Folders at the root whose paths are looked up.
const FOLDERS: &[&str] = &["crates/", "docs/", "fuzz/", "python/", "scenes/", "web/", "xtask/"];

/// Adds a finding for each path that is not there, and for a walk that is too long.
pub(crate) fn check(findings: &mut Vec<String>) -> Result<()> {
    let root = crate::root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).context("cannot read ARCHITECTURE.md")?;
    for path in paths(&text).filter(|path| !root.join(path).exists()) {
        findings.push(format!("ARCHITECTURE.md: `{path}` is not there"));
    }
    let walk = rooms(&text);
    if walk.is_empty() || walk.len() > MOST_ROOMS {
        let count = walk.len();
        findings.push(format!("ARCHITECTURE.md: a contact walks {count} rooms, {MOST_ROOMS} are the limit"));
    }
    Ok(())
}

/// Words that are paths from the root; names with a placeholder are none.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "`(),;".contains(c));
    let named = words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)));
    named.filter(|word| !word.contains(['<', '*', '{'])).map(|word| word.trim_end_matches(['.', ':']))
}

/// Numbered lines of the block fenced as `text contact`.
fn rooms(text: &str) -> Vec<&str> {
    let block = text.split("```text contact\n").nth(1).and_then(|t| t.split("```").next()).unwrap_or("");
    let numbered = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    block.lines().filter(numbered).collect()
}
