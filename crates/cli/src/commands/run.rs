//! `carom run`: a scene to a trajectory and a summary.

#[cfg(test)]
mod cuts;

use super::problems::Problems;
use crate::arguments::{Format, Run, Setting};
use crate::output::{self, Output};
use crate::report::{Outcome, RunReport};
use crate::scene_file::{self, SceneFile, Warnings};
use crate::{interrupt, progress};
use anyhow::{Context, Result, bail, ensure};
use carom::{Frame, Observer, Options, Plan, RunEnd, Simulation, Summary};
use carom_scene::Change;
use carom_trajectory::{Family, Header, JournalReader, JournalWriter};
use clap::ValueEnum;
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Instant;

pub(crate) fn run(options: &Run) -> Result<ExitCode> {
    let warnings = if options.quiet || options.json { Warnings::Hide } else { Warnings::Show };
    let changes: Vec<Change> = options.settings.iter().map(|setting| setting.0.clone()).collect();
    let Some(file) = scene_file::load_changed(&options.scene, options.reading, warnings, &changes)? else {
        return Ok(ExitCode::from(1));
    };
    let report = simulate(&file, options)?;
    if options.json {
        report.print_json()?;
    } else if !options.quiet {
        report.print_table()?;
    }
    report.print_trouble(options.quiet);
    Ok(report.exit_code())
}

/// Runs a scene that was read, as the options say.
pub(crate) fn simulate(file: &SceneFile, options: &Run) -> Result<RunReport> {
    if options.threads > 0 {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(options.threads))
            .build_global()
            .context("cannot start threads")?;
    }
    let mut simulation = Simulation::new(&file.scene, Options::course(options.reading.course))
        .with_context(|| format!("{} cannot be run", file.name))?;
    let every = options.every.unwrap_or(simulation.usual_every());
    let plan = Plan { last_step: last_step(&simulation, options.steps, options.until)?, every };
    let mut summary = Summary::default();
    let (output, resumed) = match &options.output {
        None => (None, None),
        Some(target) => match open_output((target, plan), file, &mut simulation, options, &mut summary)? {
            Some((output, resumed)) => (Some(output), resumed),
            None => return Ok(RunReport::already_whole(file, target)),
        },
    };
    if options.quiet && !options.json && output.as_ref().is_none_or(|o| o.format() == Format::Course) {
        simulation.show_states_only();
    }
    let bar = progress::steps(plan.last_step, options.quiet || options.json);
    bar.set_position(simulation.step_count());
    bar.reset_eta();
    let first_step = simulation.step_count();
    let start = Instant::now();
    let interrupted = interrupt::flag();
    let problems = Problems::new(options)?;
    let output = Arc::new(Mutex::new(output));
    end_inside_a_step(&output, first_step, again(options));
    let mut keeper = Keeper { summary, output: Arc::clone(&output), bar: &bar, problems, failure: None };
    let mut stop = || interrupted.is_set();
    let end = interrupt::during(|| carom::run(&mut simulation, plan, &mut keeper, &mut stop));
    interrupt::last_words(None);
    let end = end?;
    let (summary, failure) = (keeper.summary, keeper.failure);
    let output = output.lock().ok().and_then(|mut output| output.take());
    failure.map_or(Ok(()), Err)?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let outcome = close_output(end, output, options)?;
    Ok(RunReport {
        scene: file.name.clone(),
        output: options.output.clone(),
        bodies: simulation.body_count(),
        planned_steps: plan.last_step,
        steps_run: simulation.step_count() - first_step,
        resumed_from: resumed.map(|past| past.last_step),
        counted_from: resumed.filter(|past| !past.has_every_step).map(|past| past.last_step),
        seconds,
        summary,
        outcome,
    })
}

/// The output of a run, which is at rest while a step is taken.
type SharedOutput = Arc<Mutex<Option<Output>>>;

/// Where a step does not end soon after Ctrl-C, everything before it is kept all the same.
fn end_inside_a_step(output: &SharedOutput, first_step: u64, again: String) {
    let output = Arc::clone(output);
    interrupt::last_words(Some(Box::new(move || {
        let Ok(Some(output)) = output.lock().map(|mut output| output.take()) else {
            anstream::eprintln!("stopped inside a step; nothing was kept, as no output was named");
            return;
        };
        let last = output.last_step().unwrap_or(first_step);
        match output.pause() {
            Ok(part) => {
                let part = part.display();
                anstream::eprintln!("stopped inside a step; everything until step {last} is in {part}");
                anstream::eprintln!("to go on:  {again}");
            }
            Err(error) => {
                anstream::eprintln!("stopped inside a step, and the last frames are lost: {error:#}")
            }
        }
    })));
}

/// Sums up every step and keeps the frames of the plan.
struct Keeper<'a> {
    summary: Summary,
    output: SharedOutput,
    bar: &'a ProgressBar,
    problems: Problems<'a>,
    /// Why a contact problem could not be written.
    failure: Option<anyhow::Error>,
}

impl Observer<anyhow::Error> for Keeper<'_> {
    fn step(&mut self, simulation: &Simulation) {
        self.summary.add_step(simulation);
        self.bar.set_position(simulation.step_count());
        if let Err(error) = self.problems.show(simulation) {
            self.failure.get_or_insert(error);
        }
    }

    fn observe(&mut self, frame: &Frame) -> Result<ControlFlow<()>> {
        self.summary.add(frame);
        if self.failure.is_some() {
            return Ok(ControlFlow::Break(()));
        }
        if let Ok(mut output) = self.output.lock()
            && let Some(output) = &mut *output
        {
            output.append(frame)?;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// More steps than this cannot be counted exactly in the time of a frame; the reader refuses scenes
/// that ask for them.
const MOST_STEPS: u64 = 1 << 53;

/// The step to end at: so many steps, else up to a time, else as the scene says.
pub(super) fn last_step(simulation: &Simulation, steps: Option<u64>, until: Option<f64>) -> Result<u64> {
    let steps = match (steps, until) {
        (Some(steps), _) => steps,
        (None, Some(until)) => {
            ensure!(
                until >= 0.0 && until.is_finite(),
                "--until must be a time of at least 0 seconds, not {until}"
            );
            simulation.steps_until(until)
        }
        (None, None) => simulation.planned_steps(),
    };
    ensure!(
        steps <= MOST_STEPS,
        "{steps} steps are more than can be counted; at most {MOST_STEPS} are taken"
    );
    Ok(steps)
}

/// An open output with what it goes on from; `None` when it is whole already.
type Opened = Option<(Output, Option<Past>)>;

/// What a resumed run has behind it.
#[derive(Clone, Copy)]
struct Past {
    last_step: u64,
    /// Whether each step until then has a frame, so that nothing that is counted is lost.
    has_every_step: bool,
}

fn open_output(
    (target, plan): (&Path, Plan),
    file: &SceneFile,
    simulation: &mut Simulation,
    options: &Run,
    summary: &mut Summary,
) -> Result<Opened> {
    output::check_target(target, &[&options.scene])?;
    let format = output::format_of(target, options.format)?;
    if format == Format::Course {
        ensure!(
            carom::grading::course_records(&file.scene).is_some(),
            "the course's format has no layout for this kind of scene; use .carom, .npz or .csv"
        );
        ensure!(
            plan.every == 1,
            "the course's files hold every step; leave --every away or choose another format"
        );
    }
    ensure!(
        format != Format::Glb || simulation.family() == Family::SpatialBodies,
        "a .glb file is for spatial bodies; use .carom, .npz or .csv"
    );
    ensure!(
        !target.exists() || target.is_file(),
        "cannot write {}: it exists and is not a regular file; give the name of a file",
        target.display()
    );
    let header = output::header(file, simulation, options.reading.course, plan.every);
    let part = output::part_of(target);
    if options.resume && !part.exists() && format == Format::Carom && target.exists() {
        // A whole file that ends too early is gone on with as if it had been interrupted.
        let mut whole = JournalReader::open(target)?;
        check_same_run(target, whole.header(), &header)?;
        whole.check_resumable()?;
        let last = whole.frames().checked_sub(1).map(|k| whole.frame(k)).transpose()?;
        if last.is_some_and(|frame| frame.step < plan.last_step) {
            std::fs::rename(target, &part)
                .with_context(|| format!("cannot go on with {}", target.display()))?;
        }
    }
    if options.resume && part.exists() {
        check_resumable(&part, &header, plan)?;
        let mut resumed = JournalWriter::resume(&part)?;
        let Some(last) = resumed.last else {
            return Ok(Some((Output::continued(target, format, resumed.writer, header), None)));
        };
        simulation.restore(&last)?;
        if last.step == 0 || !plan.is_due(simulation, last.step) {
            // The run shows frame 0 again where it is at its start. Ctrl-C kept the state between
            // two frames of the plan; an unbroken run would not have it.
            resumed.writer.discard_last()?;
        }
        let has_every_step = sum_up_past(&mut JournalReader::open(&part)?, last.step, summary)?;
        let past = Past { last_step: last.step, has_every_step };
        return Ok(Some((Output::continued(target, format, resumed.writer, header), Some(past))));
    }
    if options.resume && target.exists() {
        return Ok(None);
    }
    ensure!(
        options.overwrite || !holds_something(&part),
        "{} is there, of an interrupted run: go on with it by --resume, or start over and discard it by --overwrite",
        part.display()
    );
    Ok(Some((Output::create(target, format, header)?, None)))
}

/// Looks before anything is changed: a journal that is not gone on with stays as it is, to the
/// byte.
fn check_resumable(part: &Path, header: &Header, plan: Plan) -> Result<()> {
    let advice = || format!("cannot go on with {}; start over with --overwrite", part.display());
    let mut found = JournalReader::open(part).with_context(advice)?;
    check_same_run(part, found.header(), header)?;
    let last = found.frames().checked_sub(1).map(|k| found.frame(k)).transpose()?;
    if let Some(last) = last {
        ensure!(
            last.step <= plan.last_step,
            "{} has step {} already, and the run should end at step {}; ask for more steps, or start over with --overwrite",
            part.display(),
            last.step,
            plan.last_step
        );
    }
    Ok(())
}

/// Whether a journal that is there has frames. What cannot be read may hold something too.
fn holds_something(part: &Path) -> bool {
    part.exists() && !JournalReader::open(part).is_ok_and(|journal| journal.frames() == 0)
}

/// Sums up the frames that are there already, and their steps where every step until the last has a
/// frame: says whether it has. That is so without `--every`, and for scenes whose frame rate is
/// that of their steps.
fn sum_up_past(past: &mut JournalReader, last_step: u64, summary: &mut Summary) -> Result<bool> {
    let mut with_steps = summary.clone();
    let mut frame = Frame::default();
    let mut steps = 0;
    for index in 0..past.frames() {
        past.read_frame(index, &mut frame)?;
        summary.add(&frame);
        if frame.step > 0 {
            with_steps.add_step_of(&frame);
            steps += 1;
        } else {
            with_steps.add(&frame);
        }
    }
    let has_every_step = steps == last_step;
    if has_every_step {
        *summary = with_steps;
    }
    Ok(has_every_step)
}

/// A journal is only gone on with when it belongs to the same scene and the same choices.
fn check_same_run(path: &Path, found: &Header, wanted: &Header) -> Result<()> {
    let difference = if found.scene != wanted.scene {
        "the text of the scene has changed".to_owned()
    } else if found.options != wanted.options {
        format!("it was made with {}, not with {}", describe(found), describe(wanted))
    } else if found.carom_version != wanted.carom_version {
        format!("it was made by version {}, this is {}", found.carom_version, wanted.carom_version)
    } else {
        return Ok(());
    };
    bail!("cannot go on with {}: {difference}; start over with --overwrite", path.display());
}

fn describe(header: &Header) -> String {
    let course = if header.options.course { "--course " } else { "" };
    match header.options.every {
        0 => format!("{course}the frame rate of the scene"),
        every => format!("{course}--every {every}"),
    }
}

fn close_output(end: RunEnd, output: Option<Output>, options: &Run) -> Result<Outcome> {
    match (end, output) {
        (RunEnd::Stopped, Some(output)) => {
            let part = output.pause()?;
            Ok(Outcome::Interrupted { part: Some(part), again: again(options) })
        }
        (RunEnd::Stopped, None) => Ok(Outcome::Interrupted { part: None, again: String::new() }),
        (RunEnd::Finished, output) => Ok(Outcome::Finished { hash: finish(output, options)? }),
        (RunEnd::Failed(failure), output) => Ok(Outcome::Failed { failure, hash: finish(output, options)? }),
    }
}

/// A word of a command line as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The command that goes on with an interrupted run.
fn again(options: &Run) -> String {
    let mut words = vec!["carom run".to_owned(), quoted(&options.scene.display().to_string())];
    let output = options.output.as_deref().map(|o| format!("-o {}", quoted(&o.display().to_string())));
    let format =
        options.format.and_then(|f| f.to_possible_value()).map(|f| format!("--format {}", f.get_name()));
    words.extend(
        [
            output,
            format,
            options.until.map(|t| format!("--until {t}")),
            options.steps.map(|n| format!("--steps {n}")),
        ]
        .into_iter()
        .flatten(),
    );
    words.extend(
        options
            .settings
            .iter()
            .map(|Setting(set)| format!("--set {}", quoted(&format!("{}={}", set.path, set.value)))),
    );
    words.extend(options.every.map(|every| format!("--every {every}")));
    words.extend(options.reading.course.then(|| "--course".to_owned()));
    words.extend(options.reading.strict.then(|| "--strict".to_owned()));
    words.push("--resume".to_owned());
    words.join(" ")
}

fn finish(output: Option<Output>, options: &Run) -> Result<Option<String>> {
    let reported = options.json || !options.quiet;
    let (part, again) = (options.output.as_deref().map(output::part_of), again(options));
    interrupt::last_words(Some(Box::new(move || match part.filter(|part| part.exists()) {
        Some(part) => {
            anstream::eprintln!("stopped while the output was written; every frame is in {}", part.display());
            anstream::eprintln!("to go on:  {again}");
        }
        None => anstream::eprintln!("stopped while the output was written"),
    })));
    let hash = output.map(|output| output.finish(reported)).transpose();
    interrupt::last_words(None);
    Ok(hash?.flatten().map(|hash| hash.to_string()))
}
