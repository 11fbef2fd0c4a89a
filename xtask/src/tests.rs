//! `cargo xtask test`: every test there is. CI runs this and nothing else.

use crate::{cargo, deny, fuzz, package, python, tidy, web};
use anyhow::{Context, Result};
use std::process::Command;
use std::time::Instant;

/// Runs all stages in order and stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    install_missing()?;
    cargo(&["fmt", "--all", "--check"])?;
    tidy::run()?;
    deny::run()?;
    // First, because the program holds the page: built later, it would be compiled twice.
    web::build()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    // The heavy suites (conformance, kill and resume, scale) and the pinned hashes, with
    // optimization: the same numbers must come.
    cargo(&["build", "--release", "--quiet"])?;
    small_enough()?;
    cargo(&["test", "--release", "--quiet", "--package", "carom", "--package", "carom-cli"])?;
    package::check()?;
    cargo(&["doc", "--workspace", "--no-deps", "--quiet"])?;
    fuzz::run(10)?;
    web::test()?;
    python::test()?;
    println!("\nall stages passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Largest release program, in bytes, with the page inside.
const LARGEST_PROGRAM: u64 = 15_000_000;

/// The program that people install stays small.
fn small_enough() -> Result<()> {
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), Into::into);
    let program = folder.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let bytes = program.metadata().with_context(|| format!("cannot look at {}", program.display()))?.len();
    println!("the release program has {:.1} MB", bytes as f64 / 1e6);
    anyhow::ensure!(bytes <= LARGEST_PROGRAM, "the limit is {:.0} MB", LARGEST_PROGRAM as f64 / 1e6);
    Ok(())
}

/// rustfmt and clippy come with rustup's default profile; a minimal one lacks them.
fn install_missing() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let there =
            Command::new("cargo").args([tool, "--version"]).output().is_ok_and(|o| o.status.success());
        if !there {
            println!("installing the {component} component with rustup");
            let done = Command::new("rustup").args(["component", "add", component]).status();
            anyhow::ensure!(
                done.is_ok_and(|s| s.success()),
                "cannot install {component}; install it by hand: rustup component add {component}"
            );
        }
    }
    Ok(())
}
