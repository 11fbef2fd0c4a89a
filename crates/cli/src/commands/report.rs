//! `carom report`: everything about a run on one page that can be sent by mail.

use super::plot::says_something;
use super::render::{after, stopped};
use crate::arguments::{Look, ReportPage};
use crate::film::{self, Film, Setting};
use crate::footage::{self, Footage};
use crate::picture_file::folder_of;
use crate::report::{Outcome, RunReport};
use crate::scene_file::{SceneFile, Warnings};
use crate::{interrupt, output, scene_file};
use anyhow::{Context, Result, ensure};
use carom::{Frame, RunEnd, Summary};
use carom_render::Timing;
use carom_render::movie::Target;
use carom_render::plot::history::{self, History, Topic};
use carom_render::report::{Diagnostic, Movie, MovieFormat, Page, Severity};
use carom_trajectory::atomic::{self, TemporaryFolder};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// A movie on a page lasts between these numbers of seconds, unless a speed is given.
const MOVIE_SECONDS: [f64; 2] = [4.0, 20.0];

pub(crate) fn run(options: &ReportPage) -> Result<ExitCode> {
    output::check_target(&options.output, &[&options.input])?;
    film::check_size(&options.look)?;
    let warnings = if options.quiet { Warnings::Hide } else { Warnings::Show };
    let Some(mut footage) =
        Footage::open(&options.input, options.scene.as_deref(), options.reading, warnings)?
    else {
        return Ok(ExitCode::from(1));
    };
    footage::check_not_empty(&footage.file)?;
    let beside = folder_of(&options.output);
    ensure!(beside.is_dir(), "there is no folder {}", beside.display());
    let simulation = footage.simulation()?;
    let (bodies, planned_steps) = (simulation.body_count(), simulation.planned_steps());
    let duration = match &mut footage.stored {
        Some(stored) => stored.last_time()?,
        None => planned_steps as f64 * simulation.dt(),
    };
    let timing = Timing {
        fps: options.look.fps,
        speed: options.speed.unwrap_or(speed_of(duration)),
        ..Timing::default()
    };
    let setting = Setting {
        timing,
        fitted: [timing.from, timing.to],
        folder: &beside,
        hidden: options.quiet,
        interrupt: interrupt::flag(),
    };
    let is_live = footage.stored.is_none();
    let course = footage.course;
    let (mut summary, mut history) = (Summary::default(), History::default());
    let start = Instant::now();
    let mut watch = |frame: &Frame| {
        summary.add_step_of(frame);
        history.push(frame);
    };
    let mut film = Film::shoot(footage, &setting, Some(&mut watch))?;
    let seconds = if is_live { start.elapsed().as_secs_f64() } else { 0.0 };
    if film.is_stopped() {
        return Ok(stopped());
    }
    let Some(movie) = movie(&mut film, &options.look, &setting)? else { return Ok(stopped()) };
    let hash = if is_live { None } else { film.stored.hash() };
    let outcome = match &film.end {
        RunEnd::Failed(failure) => Outcome::Failed { failure: failure.clone(), hash },
        _ => Outcome::Finished { hash },
    };
    let report = RunReport {
        scene: film.file.name.clone(),
        output: None,
        bodies,
        planned_steps: planned_steps.max(summary.last_step),
        steps_run: summary.last_step,
        resumed_from: None,
        counted_from: None,
        seconds,
        summary,
        outcome,
    };
    write(&options.output, &page(&film.file, course, &report, &history, Some(movie)))?;
    if !options.quiet {
        writeln!(crate::terminal::stdout(), "  → {}", options.output.display())?;
    }
    Ok(after(&film.end))
}

/// Seconds of the run in a second of the movie, so that it is neither over at once nor endless.
pub(crate) fn speed_of(duration: f64) -> f64 {
    let [shortest, longest] = MOVIE_SECONDS;
    if duration > 0.0 { duration / duration.clamp(shortest, longest) } else { 1.0 }
}

/// The movie of a film, in memory. `None` on Ctrl-C.
fn movie(film: &mut Film, look: &Look, setting: &Setting<'_>) -> Result<Option<Movie>> {
    let folder = TemporaryFolder::new_in(setting.folder)?;
    let path = folder.path().join("movie.mp4");
    if film.record(look, setting, Target::Mp4(path.clone()), 0)?.is_none() {
        return Ok(None);
    }
    movie_file(&path, film.size(look, false)).map(Some)
}

/// A movie that is in a file.
pub(crate) fn movie_file(path: &Path, size: [u32; 2]) -> Result<Movie> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Movie { format: MovieFormat::Mp4, bytes, size })
}

/// The page of a run.
pub(crate) fn page(
    file: &SceneFile,
    course: bool,
    report: &RunReport,
    history: &History,
    movie: Option<Movie>,
) -> Page {
    let charts = Topic::ALL.map(|topic| history::chart(topic, &[(file.name.as_str(), history)]));
    let course_note = if course { ", reproducing the errors of the course's program" } else { "" };
    Page {
        title: file.name.clone(),
        subtitle: file.scene.general.description.clone().unwrap_or_default(),
        movie,
        summary: report.rows(),
        figures: Vec::new(),
        tables: Vec::new(),
        charts: charts.into_iter().filter(says_something).collect(),
        diagnostics: diagnostics(file, course, report),
        scene: file.text.clone(),
        footer: format!(
            "Made by Carom {} ({} with {}{course_note}).",
            env!("CARGO_PKG_VERSION"),
            file.scene.integrator_name(),
            file.scene.response_name()
        ),
    }
}

/// Writes a page, whole or not at all.
pub(crate) fn write(path: &Path, page: &Page) -> Result<()> {
    let html = page.to_html();
    atomic::write_whole(path, |out| out.write_all(html.as_bytes()))?;
    Ok(())
}

/// What the run and the reader of the scene have to say.
fn diagnostics(file: &SceneFile, course: bool, report: &RunReport) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    if let Outcome::Failed { failure, .. } = &report.outcome {
        all.push(Diagnostic { severity: Severity::Error, text: failure.to_string() });
    }
    for text in report.troubles() {
        all.push(Diagnostic { severity: Severity::Warning, text });
    }
    let options = scene_file::options(crate::arguments::Reading { course, strict: false });
    let reading = carom_scene::read(&file.text, &options);
    for problem in carom_scene::diagnostics(&reading.problems, &file.text) {
        let text = format!("scene, line {}: {}", problem.line, problem.message);
        all.push(Diagnostic { severity: Severity::Warning, text });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movies_are_neither_over_at_once_nor_endless() {
        assert_eq!(speed_of(10.0), 1.0);
        assert_eq!(speed_of(200.0), 10.0);
        assert_eq!(speed_of(0.4), 0.1);
        assert_eq!(speed_of(0.0), 1.0);
    }
}
