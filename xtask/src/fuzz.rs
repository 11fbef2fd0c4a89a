//! Bounded fuzzing on stable Rust: the readers over a saved corpus and its mutations.

use crate::cargo;
use anyhow::Result;

/// Runs every target for about `seconds` each. A failing input is saved and named by the target
/// itself.
pub(crate) fn run(seconds: u64) -> Result<()> {
    let seconds = seconds.to_string();
    cargo(&[
        "run",
        "--release",
        "--quiet",
        "--package",
        "carom-fuzz",
        "--bin",
        "carom-fuzz",
        "--",
        "--seconds",
        &seconds,
    ])
}
