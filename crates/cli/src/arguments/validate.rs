//! The command line of `carom validate`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom validate                              every case, as a table
  carom validate -o validation.html           the same as a page with pictures
  carom validate --case cradle-touching       one case; a part of a name will do
  carom validate --peers -o peers.html        other engines under the same cases
  carom validate --json | jq '.[] | select(.holds | not)'

Exit code 0 when every promise holds, 1 otherwise.")]
pub(crate) struct Validate {
    /// Only the cases whose name contains this (may be given more than once)
    #[arg(long = "case", value_name = "NAME")]
    pub(crate) cases: Vec<String>,
    /// Only list the cases
    #[arg(long)]
    pub(crate) list: bool,
    /// Write one HTML page with all numbers and pictures
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print every number, not only the worst of each case
    #[arg(long)]
    pub(crate) all: bool,
    /// Lay other engines beside ours: Rapier (through `carom-peers`), pymunk, Box2D and MuJoCo
    /// (where python3 finds them), with their own defaults. What they do decides no exit code
    #[arg(long)]
    pub(crate) peers: bool,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
