//! Commands about files: checking, showing and converting them.

use super::{Format, Reading};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom check scene.xml
  carom check --strict scenes/*.xml
  carom check --json scene.xml | jq '.[].problems'

Exit code 0 when every scene can be run, 1 otherwise.")]
pub(crate) struct Check {
    /// Scene files
    #[arg(required = true)]
    pub(crate) scenes: Vec<PathBuf>,
    /// Print problems as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom info scene.xml
  carom info run.carom
  carom info run.carom.part        a run that was cut off is readable
  carom info reference.bin --scene scene.xml")]
pub(crate) struct Info {
    /// Scene or trajectory file
    pub(crate) file: PathBuf,
    /// The scene of a course binary file, which does not say itself what is in it
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom convert run.carom run.npz
  carom convert run.carom -o run.csv        the output named as `carom run` names it
  carom convert run.carom run.glb           spatial bodies with their motion, for Blender
  carom convert reference.bin run.carom --scene scene.xml
  carom convert scene.xml normal.xml        a scene in its normal form")]
pub(crate) struct Convert {
    /// Trajectory or scene to read
    pub(crate) input: PathBuf,
    /// File to write; `-o FILE` is another way to name it
    #[arg(value_name = "OUTPUT", required_unless_present = "output")]
    pub(crate) target: Option<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE", conflicts_with = "target")]
    pub(crate) output: Option<PathBuf>,
    /// Format of a trajectory; guessed from the ending of OUTPUT (.carom, .bin, .npz, .csv, .glb)
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// The scene of a course binary file
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
