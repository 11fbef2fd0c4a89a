//! `carom render`: a movie, a GIF, a folder of frames, or one picture.

use crate::arguments::Render;
use crate::film::{self, Film, Setting};
use crate::footage::{self, Footage};
use crate::frame_folder::FrameFolder;
use crate::interrupt;
use crate::output;
use crate::picture_file;
use crate::scene_file::Warnings;
use crate::table;
use anyhow::{Context, Result, anyhow, bail, ensure};
use carom::RunEnd;
use carom_render::Timing;
use carom_render::movie::{Numbered, RecordError, Target};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Sides of a picture that the built-in encoder takes (H.264, level 5.2).
const SMALLEST_MOVIE: u32 = 16;
const LARGEST_MOVIE: [u32; 2] = [3840, 2160];

fn fits_encoder([width, height]: [u32; 2]) -> bool {
    let (long, short) = (width.max(height), width.min(height));
    short >= SMALLEST_MOVIE && long <= LARGEST_MOVIE[0] && short <= LARGEST_MOVIE[1]
}

/// What OUT asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mp4,
    Gif,
    Frames,
    Still,
}

pub(crate) fn run(options: &Render) -> Result<ExitCode> {
    output::check_target(&options.output, &[&options.input])?;
    let kind = kind_of(options)?;
    film::check_size(&options.look)?;
    ensure!(
        kind != Kind::Mp4 || options.ffmpeg.is_some() || options.look.size.is_none_or(fits_encoder),
        "the built-in encoder makes movies from {0}×{0} to {1}×{2} pixels; choose another --size, a .gif, a folder of frames, or --ffmpeg",
        SMALLEST_MOVIE,
        LARGEST_MOVIE[0],
        LARGEST_MOVIE[1]
    );
    let timing = timing(options, kind);
    timing.check()?;
    let quiet = options.quiet || options.json;
    let warnings = if quiet { Warnings::Hide } else { Warnings::Show };
    let Some(footage) = Footage::open(&options.input, options.scene.as_deref(), options.reading, warnings)?
    else {
        return Ok(ExitCode::from(1));
    };
    footage::check_not_empty(&footage.file)?;
    let beside = picture_file::folder_of(&options.output);
    ensure!(beside.is_dir(), "there is no folder {}", beside.display());
    let frames = if kind == Kind::Frames { Some(FrameFolder::new(&options.output)?) } else { None };
    let interrupt = interrupt::flag();
    // Pictures of several moments of a run are fitted alike: to all of it that is known.
    let fitted = if kind == Kind::Still {
        [0.0, options.to.unwrap_or(f64::INFINITY)]
    } else {
        [timing.from, timing.to]
    };
    let setting = Setting { timing, fitted, folder: &beside, hidden: quiet, interrupt };
    let start = Instant::now();
    let mut film = Film::shoot(footage, &setting, None)?;
    if film.is_stopped() {
        return Ok(stopped());
    }
    let (pictures, incomplete) = match (kind, frames) {
        (Kind::Still, _) => {
            let picture = film.still(&options.look, &setting)?;
            picture_file::write(&options.output, &picture)?;
            (1, u64::from(picture.left_out > 0))
        }
        (Kind::Frames, Some(folder)) => {
            let names = Numbered::course_png(folder.path());
            let target = if options.svg { Target::Svgs(names) } else { Target::Pngs(names) };
            let recorded = film.record(&options.look, &setting, target, options.jobs);
            let Some(recorded) = recorded.map_err(|error| under_its_name(error, &options.output))? else {
                return Ok(stopped());
            };
            folder.publish()?;
            (recorded.pictures, recorded.incomplete)
        }
        _ => {
            let target = movie_target(options, kind)?;
            let Some(recorded) = film.record(&options.look, &setting, target, options.jobs)? else {
                return Ok(stopped());
            };
            (recorded.pictures, recorded.incomplete)
        }
    };
    if incomplete > 0 && !options.quiet {
        let pictures = table::counted(incomplete, "picture");
        anstream::eprintln!(
            "\u{1b}[1;33mwarning\u{1b}[0m: {pictures} without some bodies: their positions are not numbers"
        );
    }
    let size = film.size(&options.look, kind == Kind::Gif);
    print_summary(options, (kind, size), [pictures, incomplete], start.elapsed().as_secs_f64())?;
    Ok(after(&film.end))
}

/// Frames are written to a hidden folder first: an error names the one that was asked for.
fn under_its_name(error: anyhow::Error, output: &Path) -> anyhow::Error {
    match error.downcast::<RecordError>() {
        Ok(RecordError::Write { source, .. }) => anyhow!("cannot write {}: {source}", output.display()),
        Ok(other) => other.into(),
        Err(other) => other,
    }
}

/// A run that stopped early was filmed as far as it went.
pub(crate) fn after(end: &RunEnd) -> ExitCode {
    match end {
        RunEnd::Failed(failure) => {
            anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m: {failure}");
            anstream::eprintln!("  everything before it is shown");
            ExitCode::from(1)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Ctrl-C.
pub(crate) fn stopped() -> ExitCode {
    anstream::eprintln!("stopped; nothing was written");
    ExitCode::from(130)
}

fn kind_of(options: &Render) -> Result<Kind> {
    let path = &options.output;
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    let kind = match ending.as_deref() {
        Some("mp4") => Kind::Mp4,
        Some("gif") => Kind::Gif,
        Some("png" | "svg") => Kind::Still,
        None => Kind::Frames,
        Some(_) if path.is_dir() => Kind::Frames,
        Some(other) => bail!(
            "unknown picture format `.{other}`: use .mp4 or .gif for a movie, a name without ending for a folder of frames, \
             .png or .svg for one picture"
        ),
    };
    ensure!(kind == Kind::Frames || !path.is_dir(), "{} is a folder", path.display());
    ensure!(
        kind == Kind::Frames || !options.svg,
        "--svg is for a folder of frames: name one without an ending"
    );
    ensure!(kind == Kind::Mp4 || options.ffmpeg.is_none(), "--ffmpeg makes .mp4 movies");
    Ok(kind)
}

fn timing(options: &Render, kind: Kind) -> Timing {
    let to = options.to.unwrap_or(f64::INFINITY);
    Timing {
        fps: options.look.fps,
        speed: options.speed,
        from: options.from,
        // One picture needs no more of the run than its moment.
        to: if kind == Kind::Still { options.from } else { to },
        every_frame: options.every_frame,
    }
}

fn movie_target(options: &Render, kind: Kind) -> Result<Target> {
    let path = options.output.clone();
    match (kind, &options.ffmpeg) {
        (Kind::Gif, _) => Ok(Target::Gif(path)),
        (_, Some(program)) => Ok(Target::Ffmpeg { program: program.clone(), path }),
        (_, None) => Ok(Target::Mp4(path)),
    }
}

fn print_summary(
    options: &Render,
    (kind, [width, height]): (Kind, [u32; 2]),
    [pictures, incomplete]: [u64; 2],
    seconds: f64,
) -> Result<()> {
    if options.quiet {
        return Ok(());
    }
    let mut out = crate::terminal::stdout();
    if options.json {
        let value = json!({ "output": options.output, "pictures": pictures, "incomplete": incomplete, "width": width, "height": height,
                            "fps": options.look.fps, "seconds": seconds });
        writeln!(out, "{}", serde_json::to_string_pretty(&value)?).context("cannot write the result")?;
        return Ok(());
    }
    let what = match (kind, pictures) {
        (Kind::Still, _) => "one picture".to_owned(),
        (Kind::Frames, count) => table::counted(count, "file"),
        (_, count) => {
            let length = count as f64 / options.look.fps;
            format!("{}, {length:.1} s", table::counted(count, "picture"))
        }
    };
    writeln!(out, "{what}, {width}×{height} ({seconds:.1} s of work)\n  → {}", options.output.display())?;
    Ok(())
}
