//! `cargo xtask deny`: licences, bans and sources of what comes from outside, and known advisories
//! where their database can be had.

use crate::root;
use anyhow::{Context, Result, bail};
use std::process::{Command, Output};

/// `Cargo.lock` names crates that no target compiles; `cargo xtask tidy` asks a reason for those
/// too.
const UNUSED_REASONS: [&str; 4] = ["-A", "unmatched-skip", "-A", "unnecessary-skip"];

/// Runs `cargo deny` where it is installed, and prints a line where it is not.
pub(crate) fn run() -> Result<()> {
    println!("\n== cargo deny");
    if !asked(&["--version"])?.status.success() {
        println!(
            "cargo deny is not installed: licences, bans and sources were not checked (cargo install cargo-deny --locked)"
        );
        return Ok(());
    }
    let words = ["check", "licenses", "bans", "sources"];
    let checked = asked(&[&words[..], &UNUSED_REASONS].concat())?;
    show(&checked);
    if !checked.status.success() {
        bail!("`cargo deny check licenses bans sources` failed");
    }
    let advised = asked(&["check", "advisories"])?;
    if String::from_utf8_lossy(&advised.stderr).contains("failed to fetch advisory database") {
        println!("advisories were not checked: their database cannot be had here");
        return Ok(());
    }
    show(&advised);
    if !advised.status.success() {
        bail!("`cargo deny check advisories` failed");
    }
    Ok(())
}

fn asked(words: &[&str]) -> Result<Output> {
    let mut command = Command::new("cargo");
    command.arg("deny").args(words).current_dir(root()).output().context("cannot start cargo")
}

fn show(output: &Output) {
    print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}
