//! `cargo xtask package`: every library crate as it would be published, in order.

use crate::cargo;
use anyhow::Result;

/// Manifests, versions and files of every package, without compiling them: seconds.
pub(crate) fn check() -> Result<()> {
    cargo(&["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"])
}

/// The same, and compiles each package from what would be uploaded: minutes.
pub(crate) fn verify() -> Result<()> {
    cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"])
}
