//! `carom` alone: something to see at once.

use super::render::{after, stopped};
use super::report::{self, movie_file, speed_of};
use crate::arguments::{Look, Reading, Run};
use crate::commands::run;
use crate::film::{Film, Setting};
use crate::footage::Footage;
use crate::interrupt;
use crate::scene_file::{SceneFile, Warnings};
use anyhow::{Context, Result};
use carom::Frame;
use carom_render::Timing;
use carom_render::movie::Target;
use carom_render::plot::history::History;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The gallery's, in the folder of the package so that it can be published.
const SCENE: &str = include_str!("../../assets/break.xml");
const FOLDER: &str = "carom-out";
const READING: Reading = Reading { course: false, strict: false };
/// Pictures a second of the movie.
const FPS: f64 = 30.0;

pub(crate) fn run() -> Result<ExitCode> {
    let folder = Path::new(FOLDER);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {FOLDER}"))?;
    let scene_path = folder.join("break.xml");
    if std::fs::read(&scene_path).is_ok_and(|there| there != SCENE.as_bytes()) {
        let path = scene_path.display();
        anstream::eprintln!(
            "note: {path} was changed and is left as it is; this run is of the built-in scene"
        );
    } else {
        carom_trajectory::atomic::write_whole(&scene_path, |w| w.write_all(SCENE.as_bytes()))?;
    }
    let file =
        SceneFile { scene: carom::read_scene(SCENE)?, text: SCENE.to_owned(), name: "break.xml".to_owned() };
    let trajectory = folder.join("break.carom");
    let report = run::simulate(&file, &options(scene_path, trajectory.clone()))?;
    report.print_table()?;
    report.print_trouble(false);
    let interrupt = interrupt::flag();
    if interrupt.is_set() {
        return Ok(report.exit_code());
    }
    let footage = Footage::open(&trajectory, None, READING, Warnings::Hide)?
        .context("the built-in scene can be read")?;
    let timing = Timing { fps: FPS, speed: speed_of(report.summary.time), ..Timing::default() };
    let setting = Setting { timing, fitted: [timing.from, timing.to], folder, hidden: false, interrupt };
    let mut history = History::default();
    let mut film = Film::shoot(footage, &setting, Some(&mut |frame: &Frame| history.push(frame)))?;
    let movie = folder.join("break.mp4");
    let look = Look::plain(None, FPS);
    if film.is_stopped() || film.record(&look, &setting, Target::Mp4(movie.clone()), 0)?.is_none() {
        return Ok(stopped());
    }
    let movie = movie_file(&movie, film.size(&look, false))?;
    report::write(&folder.join("report.html"), &report::page(&file, false, &report, &history, Some(movie)))?;
    print_folder(folder)?;
    Ok(after(&film.end))
}

fn options(scene: PathBuf, output: PathBuf) -> Run {
    Run {
        scene,
        output: Some(output),
        format: None,
        until: None,
        steps: None,
        every: None,
        threads: 0,
        settings: Vec::new(),
        resume: false,
        // A second or two of the built-in scene: nothing to keep.
        overwrite: true,
        dump_problems: None,
        print_matrices: false,
        problem_steps: Vec::new(),
        json: false,
        quiet: false,
        reading: READING,
    }
}

fn print_folder(folder: &Path) -> Result<()> {
    let mut out = crate::terminal::stdout();
    let full = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    writeln!(
        out,
        "\nOpen {} in a browser: movie, plots and numbers on one page.",
        full.join("report.html").display()
    )?;
    writeln!(out, "Beside it, in {FOLDER}:")?;
    writeln!(out, "  break.mp4    the movie:     carom render {FOLDER}/break.xml -o break.mp4")?;
    writeln!(out, "  break.xml    the scene:     change it, then carom report {FOLDER}/break.xml")?;
    writeln!(out, "  break.carom  every frame:   carom info {FOLDER}/break.carom")?;
    writeln!(out, "Next: carom methods {FOLDER}/break.xml, and carom --help")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_scene_is_that_of_the_gallery() {
        assert_eq!(
            super::SCENE,
            include_str!("../../../../scenes/break.xml"),
            "copy it to crates/cli/assets"
        );
    }
}
