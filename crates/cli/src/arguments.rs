//! The command line, as data. Meaning is given to it in `commands`.

mod course;
mod files;
mod pictures;
mod sweep;
mod validate;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use course::{Compare, Grade, Oracle};
pub(crate) use files::{Check, Convert, Info};
pub(crate) use pictures::{CameraLook, Look, Methods, Plot, Render, ReportPage, Topics};
use std::path::PathBuf;
pub(crate) use sweep::{Setting, Sweep};
pub(crate) use validate::Validate;

/// Exact collision and contact simulation, from particles to rigid bodies.
#[derive(Debug, Parser)]
#[command(name = "carom", version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("CAROM_COMMIT"), ")"))]
#[command(max_term_width = 100, after_help = EXAMPLES, propagate_version = true)]
pub(crate) struct Arguments {
    /// What to do; without it, a built-in scene is run so that there is something to see.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  carom                                     run the built-in scene, results in ./carom-out
  carom run scene.xml -o scene.carom        run a scene and keep every frame
  carom run scene.xml -o scene.npz          the same, for numpy
  carom run scene.xml --set mu=0.3          the same scene with an attribute changed
  carom sweep grid.toml -o table.csv        a scene under many settings, in parallel, as a table
  carom check scenes/*.xml                  only diagnose
  carom render scene.xml -o scene.mp4       a movie (or .gif, or a folder of frames)
  carom plot scene.xml                      energies over time, in the terminal
  carom report scene.xml -o report.html     movie, plots and numbers on one page
  carom play scene.xml                      live in the browser; carom play alone: gallery and game
  carom methods scene.xml                   every collision response side by side
  carom solve problem.npz -o solution.npz   a contact problem of the field, with a certificate
  carom compare scene.xml mine.bin          the grader's job: is every step of my file right, and if not, why
  carom grade scenes submissions            a whole class: a table of verdicts and reasons
  carom validate -o validation.html         closed forms under every response: is it right?
  carom oracle -s scene.xml -i mine.bin -d 0    as the course's own program is called

Every command has its own help: carom help run";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene and write its trajectory
    Run(Run),
    /// Run a scene under many settings and write a table
    Sweep(Sweep),
    /// Check scenes and report every problem, without running them
    Check(Check),
    /// Show what is in a scene or trajectory file
    Info(Info),
    /// Convert a trajectory to another format, or a scene to its normal form
    Convert(Convert),
    /// Examine a file of a scene step by step and say why it differs, or compare two trajectories
    Compare(Compare),
    /// Examine the files of a whole class and give a table
    Grade(Grade),
    /// Make a movie, a GIF, frames or one picture of a scene or trajectory
    Render(Render),
    /// Plot energies, momenta, contacts and more over time
    Plot(Plot),
    /// Put movie, plots, summary and scene on one page that can be sent by mail
    Report(ReportPage),
    /// Run a scene under every collision response and lay the results side by side
    Methods(Methods),
    /// Open a scene, the gallery or the game in the browser
    #[cfg(feature = "play")]
    Play(Play),
    /// Solve a contact problem from a file, with a certificate
    Solve(Solve),
    /// Run the cases with closed forms and say whether they come out right
    Validate(Validate),
    /// Take the flags of the course's own program and print its result lines
    Oracle(Oracle),
    /// Print shell completions
    Completions(Completions),
    /// Print the manual page
    Man,
}

/// Formats of a trajectory file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Carom's own: self-describing, seekable, with contacts and energies
    Carom,
    /// The course's binary file, to the byte
    Course,
    /// A zip of numpy arrays
    Npz,
    /// Comma-separated values for spreadsheets
    Csv,
    /// Binary glTF with the motion of spatial bodies, for Blender and other viewers
    Glb,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom run scene.xml                               results beside the summary, nothing kept
  carom run scene.xml -o out.carom --every 10       keep every tenth frame
  carom run scene.xml -o out.bin --format course    the course's binary file
  carom run scene.xml -o out.carom --resume         go on where an interrupted run stopped
  carom run scene.xml --set mu=0.3 --set integrator.dt=1e-3
  carom run scene.xml --json | jq .energy_drift     the summary for a program

Ctrl-C stops after the current step and keeps everything done. While a run goes on its frames are in OUT.part;
OUT appears whole at the end.")]
pub(crate) struct Run {
    /// Scene file (`-` reads standard input)
    pub(crate) scene: PathBuf,
    /// Where the trajectory goes
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the trajectory; guessed from the ending of FILE (.carom, .bin, .npz, .csv, .glb)
    #[arg(long, value_enum, requires = "output")]
    pub(crate) format: Option<Format>,
    /// Stop at this simulated time instead of the scene's duration
    #[arg(long, value_name = "SECONDS", conflicts_with = "steps", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Stop after this many steps instead of the scene's duration
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) steps: Option<u64>,
    /// Keep every K-th step (the first and the last are always kept); without it every step, or the
    /// frame rate of a spatial scene
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Change an attribute of the scene, by name or path: mu=0.3, integrator.dt=1e-3,
    /// disc[2].radius=0.1
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) settings: Vec<Setting>,
    /// Threads for islands of contact; the result does not depend on it (0: all cores)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(crate) threads: u16,
    /// Go on with an interrupted or killed run; the bits are those of an unbroken one
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Start over and discard what an interrupted run kept in FILE.part
    #[arg(long, requires = "output", conflicts_with = "resume")]
    pub(crate) overwrite: bool,
    /// Write the contact problems of steps as DIR/step-N.npz, for `carom solve` and the tools of
    /// the field (docs/solver.md)
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_problems: Option<PathBuf>,
    /// Print A, b, M, -Mq' and N of steps with contacts
    #[arg(long, conflicts_with = "json")]
    pub(crate) print_matrices: bool,
    /// The steps of --dump-problems and --print-matrices; without it all that have contacts
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    pub(crate) problem_steps: Vec<u64>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How scenes are read.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Reading {
    /// Reproduce the known errors of the course's program (docs/course-compatibility.md)
    #[arg(long)]
    pub(crate) course: bool,
    /// Unknown tags and attributes are errors, not warnings
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom solve problem.npz -o solution.npz           impulses r and velocities u
  carom solve problem.npz --json | jq .residual     only the certificate

The file has the arrays dim, mu, q, W_row, W_col, W (or M, H, f, w); docs/solver.md has more.
Exit code 0 when solved, 1 when almost solved, infeasible or at a limit, 2 when the file cannot be read.")]
pub(crate) struct Solve {
    /// Contact problem, an .npz file
    pub(crate) problem: PathBuf,
    /// Solution to write, an .npz file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Largest error in velocity, in the problem's units (m/s); 0 solves exactly
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(crate) tolerance: f64,
    /// Print status, certificate and effort as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "play")]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom play                            the gallery and the game
  carom play scene.xml                  a scene of your own
  carom play big.xml --remote-engine    the engine of this program, for scenes too big for a tab
  carom play --port 8080 --no-open      at a fixed address, without opening a browser

Only this machine can open the page, unless --address says otherwise. Ctrl-C stops.")]
pub(crate) struct Play {
    /// Scene file (`-` reads standard input); the gallery when absent
    pub(crate) scene: Option<PathBuf>,
    /// Port to listen on; a free one when absent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Address to listen on; other machines can use the page, and the engine with --remote-engine,
    /// where it is not this one's own
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: std::net::IpAddr,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Simulate in this program instead of in the page
    #[arg(long)]
    pub(crate) remote_engine: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom")]
pub(crate) struct Completions {
    /// Shell to complete for
    pub(crate) shell: clap_complete::Shell,
}
