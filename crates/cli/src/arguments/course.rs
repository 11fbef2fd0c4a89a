//! Commands of the course: comparing, grading, and its own program's way of being called.

use super::Reading;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom compare scene.xml mine.bin                  is my file right? every step from my frame before, as the course grades
  carom compare scene.xml mine.bin --render seen    pictures of what differs, in the folder `seen`
  carom compare scene.xml mine.bin --report why.html    verdict, reasons and pictures on one page
  carom compare --course scene.xml mine.bin         by the rules of the course's program alone
  carom compare mine.carom reference.carom          two trajectories, no scene needed
  carom compare scene.xml mine.bin --json | jq .pass

The file is yours, Carom's own run is the reference. Without --course or --default-rules Carom finds out which rules fit
and reports that. Exit code 0 on a pass, 1 on a difference or a file that stops early (with --json `complete` tells, and 0
means that everything there is is right), 2 when the files cannot be compared.")]
pub(crate) struct Compare {
    /// Scene, or the first of two trajectories
    pub(crate) subject: PathBuf,
    /// Your file (a course binary file, or Carom's own), or the trajectory that the first is
    /// compared with
    #[arg(value_name = "FILE")]
    pub(crate) reference: PathBuf,
    /// The scene of two course binary files
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    /// Largest difference allowed between two trajectories
    #[arg(long, value_name = "X", default_value_t = 1e-9)]
    pub(crate) tolerance: f64,
    /// Draw every frame that differs, and a plot of the differences, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) render: Option<PathBuf>,
    /// Write everything about the file on one page that can be sent by mail
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Print the verdict and every number as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Carom's own rules, even where the course's fit
    #[arg(long, conflicts_with = "course")]
    pub(crate) default_rules: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom grade scenes submissions                      folders: submissions/alice/test01.bin is of scenes/test01.xml
  carom grade 'scenes/t2m1/*.xml' 'handed-in/**/*.bin'    patterns
  carom grade scenes submissions --csv grades.csv --html grades.html --reports pages

A file belongs to the scene whose name its own path ends with (alice/test01.bin, alice_test01.bin); what comes before is
the student. Every file is examined as by `carom compare`. Exit code 0 when all pass, 1 otherwise, 2 when there is
nothing to grade.")]
pub(crate) struct Grade {
    /// Scenes, then submissions: folders, patterns or files
    #[arg(required = true, num_args = 2.., value_names = ["SCENES", "SUBMISSIONS"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Write the table for a spreadsheet
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the table as a page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a page about every file that does not pass into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) reports: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Files that are examined at the same time (0: as many as there are cores)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(crate) threads: u16,
    /// Carom's own rules, even where the course's fit
    #[arg(long, conflicts_with = "course")]
    pub(crate) default_rules: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom oracle -s scene.xml -o mine.bin -d 0 -p 0
  carom oracle -s scene.xml -i mine.bin -d 0 -p 0
  carom oracle -s scene.xml -d 0 -m svgs    one SVG a step

Carom opens no window: -d and -p are taken and have no effect.")]
pub(crate) struct Oracle {
    /// Scene file
    #[arg(short = 's', long = "scene", value_name = "FILE")]
    pub(crate) scene: PathBuf,
    /// Write the course's binary file
    #[arg(short = 'o', long = "outputfile", value_name = "FILE", conflicts_with = "input")]
    pub(crate) output: Option<PathBuf>,
    /// Grade this binary file
    #[arg(short = 'i', long = "inputfile", value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Display (no effect: there is no window)
    #[arg(short = 'd', long = "display", value_name = "0|1", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) display: u8,
    /// Start paused (no effect: there is no window)
    #[arg(short = 'p', long = "paused", value_name = "0|1", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) paused: u8,
    /// Write a PNG for each step into the folder ./pngs, which must be there
    #[arg(short = 'g', long = "generate", value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) generate: u8,
    /// Write an SVG for each step into this folder
    #[arg(short = 'm', long = "moviedir", value_name = "DIR")]
    pub(crate) movie_dir: Option<PathBuf>,
}
