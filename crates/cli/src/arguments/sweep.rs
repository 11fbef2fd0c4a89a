//! The command line of sweeps.

use carom_scene::Change;
use clap::Args;
use std::path::PathBuf;

/// `PATH=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting(pub(crate) Change);

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let Some((path, value)) = text.split_once('=').filter(|(path, _)| !path.is_empty()) else {
            return Err("write it as PATH=VALUE, for example mu=0.3".to_owned());
        };
        Ok(Setting(Change { path: path.to_owned(), value: value.to_owned() }))
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
A grid is a TOML file:
  scene = \"dominoes.xml\"                 from the folder of the grid
  until = 2.0                             simulated seconds; that of the scene without it
  jitter = 1e-6                           velocities change by so much at random, by the axis `seed`
  rest_speed = 1e-3                       what counts as rest
  measure = [\"energy\", \"rest\"]            of energy, momentum, penetration, contacts, rest, solver, final_state
  [grid]                                  every combination; or [[list]] tables, one for each run
  mu = [0.1, 0.2, 0.4]
  \"integrator.dt\" = [0.01, 0.005]
  COR = { from = 0.0, to = 1.0, count = 5 }
  seed = { from = 0, to = 7, count = 8 }
  \"Slope\" = { count = 5 }                a <knob> of the scene by its label: values of its range; {} goes by its step

Examples:
  carom sweep grid.toml -o table.csv
  carom sweep grid.toml -o table.csv --index $SLURM_ARRAY_TASK_ID --of 100     one part of a hundred
  carom sweep grid.toml -o table.csv --gather                                  all parts to one table

Rows are kept in TABLE.part.jsonl as they come: an interrupted or killed sweep goes on where it was. A run
that fails is a row. The table does not depend on the number of threads or parts.")]
pub(crate) struct Sweep {
    /// The grid
    pub(crate) grid: PathBuf,
    /// The table (.csv or .parquet)
    #[arg(short, long, value_name = "TABLE")]
    pub(crate) output: PathBuf,
    /// Which part this is, from 0
    #[arg(long, value_name = "I", requires = "of")]
    pub(crate) index: Option<u64>,
    /// How many parts there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) of: Option<u64>,
    /// Make the table of the rows of all parts; nothing is run
    #[arg(long, conflicts_with = "index")]
    pub(crate) gather: bool,
    /// Forget the rows of an earlier sweep and begin anew
    #[arg(long, conflicts_with = "gather")]
    pub(crate) anew: bool,
    /// Runs at the same time (0: one for each core)
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
