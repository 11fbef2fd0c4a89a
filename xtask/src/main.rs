//! Housekeeping of the workspace, as Rust code: `cargo xtask <task>`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod comments;
mod deny;
mod docs;
mod figures;
mod fuzz;
mod gallery;
mod links;
mod lock;
mod map;
mod matrix;
mod package;
mod python;
mod soak;
mod tests;
mod tidy;
mod web;

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const HELP: &str = "\
Housekeeping of the Carom workspace.

Usage: cargo xtask <TASK>

Tasks:
  test             everything that CI runs: format, tidy, lints, docs, tests in debug and release, fuzzing,
                   the page in a browser, and the Python package
  tidy             the map in ARCHITECTURE.md against Cargo's graph, file sizes, names, stray marks,
                   no second major version of a crate without a reason, links of the pages
  deny             cargo deny, where it is installed: licences, bans, sources, advisories
  docs             write the generated pages (docs/scene-format.md)
  gallery          draw every scene into docs/gallery, with the page that shows them
  figures          draw the figures of the pages into docs/figures
  fuzz [SECONDS]   run every fuzz target over its saved corpus and beyond (default 10 seconds each)
  soak --hours N   the same for hours, steered by coverage, with new seeds, and a table of what was run
  matrix [WORD]    one hash for each scene and 200 random worlds: debug, release, threads, processors, browsers; with a
                   word, only the ways that have it in their name
  package          every library crate as it would be published, compiled from its package; semver where it can be checked
  bench            run every benchmark in release
  web              build the page into web/dist: the engine as WebAssembly, the front end around it
  web test         build the page and drive it in Chromium
  python           build the wheel of the Python package into target/python/wheels
  python test      build it, install it in a fresh virtual environment and test it there

Examples:
  cargo xtask test
  cargo xtask fuzz 120
";

fn main() -> ExitCode {
    match perform() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => tests::run(),
        ["tidy"] => tidy::run(),
        ["deny"] => deny::run(),
        ["docs"] => docs::write(),
        ["gallery"] => gallery::write(),
        ["figures"] => figures::write(),
        ["fuzz"] => fuzz::run(10),
        ["fuzz", seconds] => fuzz::run(seconds.parse().context("SECONDS must be a whole number")?),
        ["soak", "--hours", hours] => soak::run(hours.parse().context("N must be a number")?),
        ["matrix"] => matrix::run(""),
        ["matrix", word] => matrix::run(word),
        ["package"] => package::verify(),
        ["web"] => web::build(),
        ["web", "test"] => web::build().and_then(|()| web::test()),
        ["python"] => python::wheel().map(|wheel| println!("{}", wheel.display())),
        ["python", "test"] => python::test(),
        ["bench"] => cargo(&["bench", "--workspace", "--benches"]),
        [] | ["help" | "-h" | "--help"] => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("unknown task `{}`\n\n{HELP}", other.join(" ")),
    }
}

/// The folder that holds the workspace's Cargo.toml.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Seed of the property tests. Fixed here, so that the same commit passes or fails everywhere; set
/// it to look elsewhere.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs cargo in the root and fails when it fails.
pub(crate) fn cargo(arguments: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    println!("\n== cargo {}", arguments.join(" "));
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "20261115");
    }
    let status = command.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("`cargo {}` failed", arguments.join(" "));
    }
    Ok(())
}
