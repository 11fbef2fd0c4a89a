//! `carom compare`: a student's file against what its scene should give, or one trajectory against
//! another.

mod around;
mod json;
mod marks;
pub(crate) mod page;
pub(crate) mod pictures;
mod two;
pub(crate) mod words;

use crate::arguments::Compare;
use crate::examination::{self, Examination, Question, Refusal, Rules, Verdict};
use crate::trajectory_file::{self, Kind};
use anyhow::{Result, bail};
use pictures::Pictures;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(options: &Compare) -> Result<ExitCode> {
    anyhow::ensure!(
        options.tolerance >= 0.0,
        "--tolerance must be a number of at least 0, not {}",
        options.tolerance
    );
    let (first, second) = (options.subject.as_path(), options.reference.as_path());
    match [first, second].map(trajectory_file::kind_of) {
        [Ok(Kind::Scene), Ok(Kind::Scene)] => bail!(
            "{} and {} are both scenes; the second must be the file that your program wrote",
            first.display(),
            second.display()
        ),
        [Ok(Kind::Scene), second_kind] => {
            second_kind?;
            with_scene(first, second, options)
        }
        [first_kind, Ok(Kind::Scene)] => {
            first_kind?;
            if !options.json {
                anstream::eprintln!("note: taken the other way round: the scene is {}", second.display());
            }
            with_scene(second, first, options)
        }
        [first_kind, second_kind] => {
            first_kind?;
            second_kind?;
            two::run(options)
        }
    }
}

/// The rules that the command line asks for.
fn asked(options: &Compare, scene: &Path) -> Option<Rules> {
    match (options.reading.course, options.default_rules) {
        (true, _) => Some(Rules::Course),
        (false, true) => Some(Rules::Default),
        // standard input can be read once only
        (false, false) => (scene == Path::new("-")).then_some(Rules::Default),
    }
}

fn with_scene(scene: &Path, file: &Path, options: &Compare) -> Result<ExitCode> {
    let question = Question {
        scene,
        file,
        rules: asked(options, scene),
        strict: options.reading.strict,
        tolerance: options.tolerance,
    };
    let examination = match examination::examine(&question) {
        Ok(examination) => examination,
        Err(Refusal::Scene(problems)) => {
            anstream::eprint!("{problems}");
            return Ok(ExitCode::from(1));
        }
        Err(Refusal::Other(error)) => return Err(error),
    };
    crate::unless_unread(if options.json {
        print_json(&json::of(&examination))
    } else {
        words::print(&examination, file)
    })?;
    if options.render.is_some() || options.report.is_some() {
        let pictures = draw(&examination, &question, options.render.as_deref())?;
        if let Some(target) = &options.report {
            crate::output::check_target(target, &[scene, file])?;
            page::write(target, &examination, file, Some(&pictures))?;
            if !options.json {
                crate::unless_unread(
                    writeln!(crate::terminal::stdout(), "  → {}", target.display()).map_err(Into::into),
                )?;
            }
        }
        crate::unless_unread(print_pictures(options.render.as_ref().map(|_| pictures), options))?;
    }
    // A program may well compare the beginning of a long file, and reads from `complete` that it
    // did.
    let is_fine = match examination.verdict() {
        Verdict::Pass => true,
        Verdict::Fail => false,
        Verdict::Incomplete => options.json,
    };
    Ok(exit_code(is_fine))
}

/// Draws what differs; a second pass over the file.
fn draw<'a>(
    examination: &'a Examination,
    question: &Question<'_>,
    folder: Option<&Path>,
) -> Result<Pictures<'a>> {
    let (scene, rules) = (&examination.scene, examination.rules);
    let layout = examination::layout_for(scene, question.file, rules)?;
    let mut trajectory = carom_trajectory::open(question.file, layout)?;
    let mut pictures = Pictures::new(scene, folder, &mut trajectory)?;
    examination::grade(scene, question, rules, &mut |step| pictures.add(step))?;
    Ok(pictures)
}

/// Says where the pictures are.
fn print_pictures(pictures: Option<Pictures<'_>>, options: &Compare) -> Result<()> {
    let Some(pictures) = pictures else { return Ok(()) };
    let words = pictures.finish()?;
    if !options.json {
        writeln!(crate::terminal::stdout(), "  → {words}")?;
    }
    Ok(())
}

fn exit_code(pass: bool) -> ExitCode {
    if pass { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn print_json(value: &Value) -> Result<()> {
    writeln!(crate::terminal::stdout(), "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}
