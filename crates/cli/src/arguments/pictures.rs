//! The commands that show something.

use super::Reading;
use carom_render::plot::history::Topic;
use carom_render::spatial::camera::FIELD_OF_VIEW;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom render scene.xml -o scene.mp4                     run a scene and film it
  carom render run.carom -o run.gif --size 320 --fps 20   a stored run as a small GIF
  carom render scene.xml -o frames                        a folder of PNG files (--svg: of SVG files)
  carom render scene.xml -o still.png --from 2.5          one picture of one moment (.png or .svg)
  carom render reference.bin --scene scene.xml -o ref.mp4 --contacts --time
  carom render dice.xml -o dice.mp4 --camera 2,-4,1.5:0,0,0.2    a spatial scene, seen from there
  carom render scene.xml -o slow.mp4 --speed 0.1 --to 1   the first second, ten times slower

Without a viewport in the scene, the picture is fitted to wherever the bodies go: those of a movie to the stretch that it
shows, one picture to the whole stored run (to the run until that moment when it is live). Ctrl-C leaves nothing behind.")]
pub(crate) struct Render {
    /// Scene to run, or stored trajectory
    #[arg(value_name = "SCENE|TRAJECTORY")]
    pub(crate) input: PathBuf,
    /// Movie (.mp4, .gif), folder of frames (no ending), or one picture (.png, .svg)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The scene of a course binary file, which does not carry it
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    /// Frames of a folder as SVG instead of PNG
    #[arg(long)]
    pub(crate) svg: bool,
    /// Show every step of a live run, or every stored frame, once; --fps only says how fast they
    /// play
    #[arg(long, conflicts_with = "speed")]
    pub(crate) every_frame: bool,
    /// Seconds of the run in a second of the movie
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// First moment shown, in seconds of the run
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) from: f64,
    /// Last moment shown, in seconds of the run
    #[arg(long, value_name = "SECONDS")]
    pub(crate) to: Option<f64>,
    /// Threads that draw (0: all cores); the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,
    /// Encode .mp4 with an installed ffmpeg instead of the built-in encoder
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "ffmpeg")]
    pub(crate) ffmpeg: Option<PathBuf>,
    /// Print what was made as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How pictures look.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Look {
    /// Size in pixels: 640x480, or 640 for a square
    /// [default: as the run is shaped, about 720 (GIF: 480)]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(crate) size: Option<[u32; 2]>,
    /// Pictures a second
    #[arg(long, value_name = "N", default_value_t = 30.0)]
    pub(crate) fps: f64,
    /// Camera of a spatial scene: where it stands, where it looks, and its angle in degrees
    /// [default: the scene's, or fitted]
    #[arg(long, value_name = "X,Y,Z[:X,Y,Z[:ANGLE]]", value_parser = parse_camera, allow_hyphen_values = true)]
    pub(crate) camera: Option<CameraLook>,
    /// Draw velocities as arrows
    #[arg(long)]
    pub(crate) velocities: bool,
    /// Draw contacts with their normals and impulses
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Colour bodies that influence each other through contacts, island by island
    #[arg(long)]
    pub(crate) islands: bool,
    /// Draw the boxes of the broad phase and the pairs that overlap
    #[arg(long)]
    pub(crate) broad_phase: bool,
    /// Write the energies into the picture
    #[arg(long)]
    pub(crate) energy: bool,
    /// Write step and time into the picture
    #[arg(long)]
    pub(crate) time: bool,
    /// Leave away the trails that the scene asks for
    #[arg(long)]
    pub(crate) no_paths: bool,
    /// Draw bodies as outlines only
    #[arg(long)]
    pub(crate) no_fills: bool,
    /// Leave out bodies whose position is not a number, instead of refusing to draw
    #[arg(long)]
    pub(crate) skip_nan: bool,
}

impl Look {
    /// What the scene asks for, and nothing else, of whatever can be drawn.
    pub(crate) fn plain(size: Option<[u32; 2]>, fps: f64) -> Look {
        Look {
            size,
            fps,
            camera: None,
            velocities: false,
            contacts: false,
            islands: false,
            broad_phase: false,
            energy: false,
            time: false,
            no_paths: false,
            no_fills: false,
            skip_nan: true,
        }
    }
}

/// What `--camera` says; the scene knows what is up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CameraLook {
    pub(crate) eye: [f64; 3],
    pub(crate) target: [f64; 3],
    pub(crate) angle: f64,
}

fn parse_camera(text: &str) -> Result<CameraLook, String> {
    let number = |word: &str| match word.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{word}` is no number")),
    };
    let point = |words: &str| -> Result<[f64; 3], String> {
        let numbers = words.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
        numbers.try_into().map_err(|_| format!("`{words}` is no point: it needs three numbers, as in 3,-5,2"))
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (eye, target, angle) = match parts.as_slice() {
        [eye] => (point(eye)?, [0.0; 3], FIELD_OF_VIEW),
        [eye, target] => (point(eye)?, point(target)?, FIELD_OF_VIEW),
        [eye, target, angle] => (point(eye)?, point(target)?, number(angle)?),
        _ => return Err("a camera is X,Y,Z or X,Y,Z:X,Y,Z or X,Y,Z:X,Y,Z:ANGLE".to_owned()),
    };
    if eye == target {
        return Err("a camera cannot look at the place where it stands".to_owned());
    }
    if !(angle > 0.0 && angle < 180.0) {
        return Err(format!("the angle of a camera is above 0 and below 180 degrees, not {angle}"));
    }
    Ok(CameraLook { eye, target, angle })
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |word: &str| {
        let number = word.trim().parse::<u32>().map_err(|_| format!("`{word}` is no number of pixels"))?;
        let largest = carom_render::raster::LARGEST_SIDE;
        if (1..=largest).contains(&number) {
            Ok(number)
        } else {
            Err(format!("a side has from 1 to {largest} pixels"))
        }
    };
    match text.split_once(['x', 'X', '×']) {
        Some((width, height)) => Ok([side(width)?, side(height)?]),
        None => side(text).map(|n| [n, n]),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom plot scene.xml                                    energies over time, in the terminal
  carom plot run.carom -o run.svg                         everything that is not zero throughout
  carom plot rk4=a.carom euler=b.carom -o both.png --topic energy,momentum
  carom plot reference.bin --scene scene.xml --terminal --topic contacts

Several runs share one plot, each named by its file or by LABEL=FILE.")]
pub(crate) struct Plot {
    /// Trajectories or scenes, each with a label in front if you like
    #[arg(required = true, value_name = "[LABEL=]FILE")]
    pub(crate) inputs: Vec<String>,
    /// Picture to write (.svg or .png)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Draw in the terminal; this is also done when no OUT is given
    #[arg(long)]
    pub(crate) terminal: bool,
    /// What to plot: energy, momentum, angular-momentum, contacts, penetration, residual,
    /// iterations, impact-energy, momentum-change, angular-momentum-change, problem-size, all
    #[arg(long, value_name = "TOPICS", value_delimiter = ',', value_parser = parse_topics)]
    pub(crate) topic: Vec<Topics>,
    /// Size of one plot in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size, default_value = "960x400")]
    pub(crate) size: [u32; 2],
    /// Light curves on dark paper
    #[arg(long)]
    pub(crate) dark: bool,
    /// Break curves where positions are not numbers, instead of refusing to plot
    #[arg(long)]
    pub(crate) skip_nan: bool,
    /// The scene of course binary files
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// One topic, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topics {
    All,
    One(Topic),
}

fn parse_topics(text: &str) -> Result<Topics, String> {
    if text == "all" {
        return Ok(Topics::All);
    }
    let names: Vec<&str> = Topic::ALL.iter().map(|topic| topic.name()).collect();
    Topic::ALL
        .into_iter()
        .find(|topic| topic.name() == text)
        .map(Topics::One)
        .ok_or_else(|| format!("topics are {}, all", names.join(", ")))
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom report scene.xml -o report.html
  carom report run.carom -o report.html --contacts --time

The page holds the movie, the plots, the summary, the diagnostics and the scene, and loads nothing from anywhere: it can be sent
by mail. Without --speed the movie lasts between 4 and 20 seconds.")]
pub(crate) struct ReportPage {
    /// Scene to run, or stored trajectory
    #[arg(value_name = "SCENE|TRAJECTORY")]
    pub(crate) input: PathBuf,
    /// The page to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,
    /// The scene of a course binary file
    #[arg(long, value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,
    /// Seconds of the run in a second of the movie
    #[arg(long, value_name = "X")]
    pub(crate) speed: Option<f64>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  carom methods scene.xml                  every response of the scene's family, from the same start
  carom methods scene.xml --until 2 --json

Each row is a run of its own. A method that cannot run the scene says why.")]
pub(crate) struct Methods {
    /// Scene file (`-` reads standard input)
    pub(crate) scene: PathBuf,
    /// Stop at this simulated time instead of the scene's duration
    #[arg(long, value_name = "SECONDS", conflicts_with = "steps", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Stop after this many steps instead of the scene's duration
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) steps: Option<u64>,
    /// Print the table as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_one_number_or_two() {
        assert_eq!(parse_size("640"), Ok([640, 640]));
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        for wrong in ["", "0", "0x5", "x", "5x", "-3", "99999", "1e2"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn topics_are_known_by_name() {
        assert_eq!(parse_topics("energy"), Ok(Topics::One(Topic::Energy)));
        assert_eq!(parse_topics("all"), Ok(Topics::All));
        assert!(parse_topics("colour").unwrap_err().contains("angular-momentum"));
    }
}
