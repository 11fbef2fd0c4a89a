//! `cargo run` in the folder of a library, which has no program of its own: runs the program of the workspace, with its arguments.
//!
//! Every package but the program's names this file as a binary, because Cargo looks no further than the package of the folder it is in.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "carom-cli", "--bin", "carom"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    match cargo.arg("--").args(std::env::args_os().skip(1)).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(_) => ExitCode::FAILURE,
    }
}
