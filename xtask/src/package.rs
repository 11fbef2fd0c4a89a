//! `cargo xtask package`: every library crate as it would be published, in order.

use crate::{cargo, root};
use anyhow::Result;
use std::process::{Command, Stdio};

/// Manifests, versions and files of every package, without compiling them: seconds.
pub(crate) fn check() -> Result<()> {
    cargo(&["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--quiet"])
}

/// The same, and compiles each package from what would be uploaded: minutes.
pub(crate) fn verify() -> Result<()> {
    cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"])?;
    compatible()
}

/// Whether the public items changed by more than the version says, against the last release. Runs
/// where `cargo-semver-checks` is installed and a release has a tag; otherwise it says what is
/// missing.
fn compatible() -> Result<()> {
    let release = output("git", &["describe", "--tags", "--abbrev=0", "--match", "v*"]);
    match (output("cargo", &["semver-checks", "--version"]), release) {
        (None, _) => println!("semver: not checked; `cargo install cargo-semver-checks` makes it so"),
        (_, None) => println!("semver: not checked; no release has a tag `v*` yet"),
        (Some(_), Some(tag)) => {
            return cargo(&["semver-checks", "--workspace", "--baseline-rev", &tag]);
        }
    }
    Ok(())
}

/// What a program prints; none where it fails or is not there.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(root()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
