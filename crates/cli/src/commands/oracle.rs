//! `carom oracle`: the flags, the result lines and the files of the course's own program.

use crate::arguments::{Format, Look, Oracle, Reading};
use crate::film::{Film, Setting};
use crate::footage::Footage;
use crate::interrupt;
use crate::output::{self, Output};
use crate::scene_file::{self, SceneFile, Warnings};
use crate::trajectory_file;
use anyhow::{Context, Result, bail};
use carom::grading::{self, Grade, Scope};
use carom::{Frame, Options, Plan, Simulation};
use carom_render::Timing;
use carom_render::movie::{Numbered, Target};
use carom_trajectory::compare::{
    CollisionProblem, POLYNOMIAL_COEFFICIENT, POLYNOMIAL_COUNT, POLYNOMIAL_DEGREE, Residual,
};
use carom_trajectory::{ContactKind, Family, TrajectoryError, atomic};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The course's program reads and does everything as the course's program does.
const READING: Reading = Reading { course: true, strict: false };
/// The size of its window.
const WINDOW: [u32; 2] = [512, 512];
/// Only for movies; pictures in a folder have no pace.
const PLAYED_FPS: f64 = 30.0;

pub(crate) fn run(options: &Oracle) -> Result<ExitCode> {
    // Whatever goes wrong before a verdict ends the course's program with 1.
    match perform(options) {
        Ok(code) => Ok(code),
        Err(error) => {
            anstream::eprintln!("{error:#}");
            Ok(ExitCode::from(1))
        }
    }
}

fn perform(options: &Oracle) -> Result<ExitCode> {
    let Some(file) = scene_file::load(&options.scene, READING, Warnings::Hide)? else {
        return Ok(ExitCode::from(1));
    };
    let pngs = Path::new("pngs");
    if options.generate == 1 && !pngs.is_dir() {
        bail!(
            "-g writes into the folder `pngs` of the working folder, which is not there: make it first (mkdir pngs)"
        );
    }
    writeln!(crate::terminal::stdout(), "Scene: {}", options.scene.display())?;
    if let Some(description) = &file.scene.general.description {
        writeln!(crate::terminal::stdout(), "{description}")?;
    }
    let code = match &options.input {
        Some(input) => grade(&file, input)?,
        None => simulate(&file, options.output.as_deref())?,
    };
    if options.generate == 1 {
        draw(&file, Target::Pngs(Numbered::course_png(pngs)))?;
    }
    if let Some(folder) = &options.movie_dir {
        draw(&file, Target::Svgs(Numbered::course_svg(folder)))?;
    }
    Ok(code)
}

/// One picture a step, of a run of its own: as the course's program, it shows what the scene does,
/// not what a file holds.
fn draw(file: &SceneFile, target: Target) -> Result<()> {
    let footage = Footage { file: file.clone(), course: true, stored: None };
    let folder = match &target {
        Target::Pngs(names) | Target::Svgs(names) => names.folder.clone(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let setting = Setting {
        timing: Timing::every_frame(PLAYED_FPS),
        fitted: [0.0, f64::INFINITY],
        folder: &folder,
        hidden: true,
        interrupt: interrupt::flag(),
    };
    let look = Look::plain(Some(WINDOW), PLAYED_FPS);
    let mut film = Film::shoot(footage, &setting, None)?;
    if film.is_stopped() || film.record(&look, &setting, target, 0)?.is_none() {
        bail!("stopped");
    }
    Ok(())
}

fn simulate(file: &SceneFile, target: Option<&Path>) -> Result<ExitCode> {
    let mut simulation = Simulation::new(&file.scene, Options::course(true))?;
    let plan = Plan { last_step: simulation.planned_steps(), every: 1 };
    let mut output = match target {
        None => None,
        Some(target) => {
            let header = output::header(file, &simulation, true, 1);
            Some(Output::aside(target, Format::Course, header)?)
        }
    };
    let mut keep = |frame: &Frame| -> Result<ControlFlow<()>> {
        if let Some(output) = &mut output {
            output.append(frame)?;
        }
        Ok(ControlFlow::Continue(()))
    };
    let end = carom::run(&mut simulation, plan, &mut keep, &mut || false)?;
    if let Some(output) = output {
        output.finish(false)?;
    }
    match end {
        carom::RunEnd::Failed(failure) => Err(failure.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Grades a file: the last lines on standard output, and `residual.txt` in the working folder.
fn grade(file: &SceneFile, input: &Path) -> Result<ExitCode> {
    let layout = trajectory_file::layout_of(file, READING)?;
    let mut submission = carom_trajectory::open(input, Some(layout))?;
    let options = Options::course(true);
    let grade = grading::grade(&file.scene, options, &mut submission, Scope::Course, f64::INFINITY);
    let grade = match grade {
        Err(grading::GradeError::Trajectory(error @ TrajectoryError::Course { .. })) => {
            return Err(error).context("the file ends too early or is of another scene");
        }
        other => other?,
    };
    let short = grade.is_short() && grade.failure.is_none();
    if short && grade.grader.family == Family::Particles {
        bail!("{} has {} frames, the scene has {}", input.display(), grade.frames, grade.planned_frames);
    }
    let mut out = crate::terminal::stdout();
    if let Some(failure) = &grade.failure {
        writeln!(out, "{failure}")?;
    }
    print_collisions(&mut out, &grade)?;
    print_polynomials(&mut out, &grade)?;
    match grade.grader.family {
        Family::Particles => print_particles(&mut out, &grade)?,
        Family::RigidBodies => print_bodies(&mut out, &grade, short)?,
        Family::SpatialBodies => bail!("the course's program has no spatial bodies"),
    }
    Ok(ExitCode::SUCCESS)
}

fn print_collisions(out: &mut impl Write, grade: &Grade) -> Result<()> {
    let mut frame = None;
    for d in &grade.grader.collisions.first {
        if frame != Some(d.frame) {
            frame = Some(d.frame);
            writeln!(out, "Collision Detection Error: (step {})", d.frame)?;
        }
        let other = match d.kind {
            ContactKind::ParticleParticle => "Particle",
            ContactKind::ParticleEdge => "Edge",
            _ => "Halfplane",
        };
        let pair = format!("Particle {} - {other} {}", d.first, d.second);
        let normal = |n: Option<[f64; 3]>| n.map_or(String::new(), |n| format!("{} {}", n[0], n[1]));
        let (expected, got) = (normal(d.expected_normal), normal(d.got_normal));
        match d.problem {
            CollisionProblem::Missed => writeln!(out, "Missed collision: {pair} with normal = {expected}")?,
            CollisionProblem::Superfluous => {
                writeln!(out, "Superfluous collision: {pair} with normal = {got}")?
            }
            CollisionProblem::WrongNormal => {
                writeln!(out, "Collision with wrong normal: {pair} has normal = {got} should be {expected}")?;
            }
        }
    }
    Ok(())
}

/// The words of the course's program about the polynomials of collision tests.
fn print_polynomials(out: &mut impl Write, grade: &Grade) -> Result<()> {
    let words = [
        (POLYNOMIAL_COUNT, "Wrong number of polynomials!"),
        (POLYNOMIAL_DEGREE, "Wrong polynomial degree!"),
        (POLYNOMIAL_COEFFICIENT, "Wrong polynomial coefficients!"),
    ];
    let wrong = |name: &str| grade.grader.quantities.iter().any(|r| r.quantity == name && !r.passes());
    for (_, message) in words.iter().filter(|(name, _)| wrong(name)) {
        writeln!(out, "{message}")?;
    }
    Ok(())
}

/// A number as a C++ stream prints it: six significant digits, scientific below 1e-4 and from 1e6
/// on.
fn stream_number(value: f64) -> String {
    if !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    let scientific = format!("{value:.5e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if value == 0.0 || (-4..6).contains(&exponent) {
        let places = usize::try_from(5 - exponent).unwrap_or(0);
        let text = format!("{value:.places$}");
        return if text.contains('.') { trimmed(&text) } else { text };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

/// `value   Passed.` or `value   Failed.`
fn line(out: &mut impl Write, label: &str, value: f64, pass: bool) -> Result<()> {
    writeln!(out, "{label}: {}   {}", stream_number(value), if pass { "Passed." } else { "Failed." })?;
    Ok(())
}

fn print_particles(out: &mut impl Write, grade: &Grade) -> Result<()> {
    let [positions, velocities] = grade.grader.residuals.as_slice() else {
        bail!("a particle grade has two residuals")
    };
    let broken = grade.failure.is_some();
    let rows = [
        ("Accumulated Position Residual", positions.sum, positions.sum_passes()),
        ("Accumulated Velocity Residual", velocities.sum, velocities.sum_passes()),
        ("Maximum Position Residual", positions.largest, positions.largest_passes()),
        ("Maximum Velocity Residual", velocities.largest, velocities.largest_passes()),
    ];
    for (label, value, pass) in rows {
        line(out, label, value, pass && !broken)?;
    }
    let polynomials = grade.grader.quantities.iter().all(Residual::passes);
    let collisions = grade.grader.collisions.passes() && polynomials;
    writeln!(out, "Collisions Passed: {}", if collisions { "Yes." } else { "No." })?;
    finish(out, &rows.map(|(_, value, pass)| (value, pass && !broken)), None, grade.passes())
}

fn print_bodies(out: &mut impl Write, grade: &Grade, short: bool) -> Result<()> {
    let [x, theta, v, omega] = grade.grader.residuals.as_slice() else {
        bail!("a rigid body grade has four residuals")
    };
    let broken = short || grade.failure.is_some();
    for residual in &grade.grader.residuals {
        line(
            out,
            &format!("Accumulated {} Residual", residual.quantity),
            residual.sum,
            residual.sum_passes() && !broken,
        )?;
        line(
            out,
            &format!("Maximum {} Residual", residual.quantity),
            residual.largest,
            residual.largest_passes() && !broken,
        )?;
    }
    for residual in &grade.grader.quantities {
        // "X(0)" is the name of a number here, "X" that of a computation there
        let name = residual.quantity.trim_end_matches("(0)");
        let word = if residual.passes() { "correct" } else { "incorrect" };
        writeln!(out, "{name} Computation(s): {word}")?;
    }
    let sum = |a: &Residual, b: &Residual| (a.sum + b.sum, a.sum_passes() && b.sum_passes() && !broken);
    let largest = |a: &Residual, b: &Residual| {
        (a.largest.max(b.largest), a.largest_passes() && b.largest_passes() && !broken)
    };
    let rows = [sum(x, theta), sum(v, omega), largest(x, theta), largest(v, omega)];
    let quantities = grade.grader.quantities.iter().all(Residual::passes);
    finish(out, &rows, Some(quantities), grade.passes() && !short)
}

fn finish(out: &mut impl Write, rows: &[(f64, bool)], quantities: Option<bool>, pass: bool) -> Result<()> {
    writeln!(out, "Overall success: {}", if pass { "Passed." } else { "Failed." })?;
    atomic::write_whole(Path::new("residual.txt"), |file| {
        for (value, pass) in rows {
            writeln!(file, "{}   {}", u8::from(*pass), stream_number(*value))?;
        }
        match quantities {
            Some(pass) => writeln!(file, "{}", u8::from(pass)),
            None => Ok(()),
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::stream_number;

    #[test]
    fn numbers_look_as_from_a_stream() {
        let cases = [
            (0.0, "0"),
            (2e-6, "2e-06"),
            (1.5, "1.5"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (-0.00001234, "-1.234e-05"),
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (1e-300, "1e-300"),
        ];
        for (value, text) in cases {
            assert_eq!(stream_number(value), text);
        }
    }
}
