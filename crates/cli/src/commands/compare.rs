//! `carom compare`: a scene against a reference, or one trajectory against another.

mod pictures;

use crate::arguments::Compare;
use crate::footage::Footage;
use crate::scene_file::{self, SceneFile, Warnings};
use crate::table;
use crate::trajectory_file::{self, Kind};
use anyhow::{Context, Result};
use carom::Options;
use carom::grading::{self, ComparedStep, Grade, Truth};
use carom_trajectory::Trajectory;
use carom_trajectory::compare::{
    CollisionDifference, CollisionDifferences, CollisionProblem, Comparison, Difference, Residual,
};
use carom_trajectory::course::CourseLayout;
use pictures::Pictures;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(options: &Compare) -> Result<ExitCode> {
    anyhow::ensure!(
        options.tolerance >= 0.0,
        "--tolerance must be a number of at least 0, not {}",
        options.tolerance
    );
    if trajectory_file::kind_of(&options.subject)? == Kind::Scene {
        let warnings = if options.json { Warnings::Hide } else { Warnings::Show };
        let Some(file) = scene_file::load(&options.subject, options.reading, warnings)? else {
            return Ok(ExitCode::from(1));
        };
        with_scene(&file, options)
    } else {
        two_trajectories(options)
    }
}

fn with_scene(file: &SceneFile, options: &Compare) -> Result<ExitCode> {
    let layout = match trajectory_file::kind_of(&options.reference)? {
        Kind::Journal => None,
        _ => Some(trajectory_file::layout_of(file, options.reading)?),
    };
    let mut reference = carom_trajectory::open(&options.reference, layout)?;
    let mut pictures = match &options.render {
        Some(folder) => Some(Pictures::new(file, folder, &mut reference)?),
        None => None,
    };
    let grade = grading::grade_watched(
        &file.scene,
        Options { course: options.reading.course },
        &mut reference,
        (Truth::Reference, options.tolerance),
        &mut |step| {
            if let Some(pictures) = &mut pictures {
                pictures.add(step);
            }
        },
    )
    .with_context(|| format!("cannot compare {} with {}", file.name, options.reference.display()))?;
    crate::unless_unread(if options.json { print_json(&grade_json(&grade)) } else { print_grade(&grade) })?;
    crate::unless_unread(tell(pictures, options))?;
    Ok(exit_code(grade.passes()))
}

/// Says where the pictures are.
fn tell(pictures: Option<Pictures<'_>>, options: &Compare) -> Result<()> {
    let Some(pictures) = pictures else { return Ok(()) };
    let words = pictures.finish()?;
    if !options.json {
        writeln!(std::io::stdout(), "  → {words}")?;
    }
    Ok(())
}

fn two_trajectories(options: &Compare) -> Result<ExitCode> {
    let given = match &options.scene {
        Some(scene) => match scene_file::load(scene, options.reading, Warnings::Hide)? {
            Some(file) => Some(trajectory_file::layout_of(&file, options.reading)?),
            None => return Ok(ExitCode::from(1)),
        },
        None => None,
    };
    // A course file says nothing about itself; the other file's header may say it.
    let layout = [&options.subject, &options.reference]
        .into_iter()
        .find_map(|path| carom_trajectory::open(path, None).ok().and_then(|t| t.course_layout()))
        .or(given);
    let open = |path: &Path| open_either(path, layout);
    let (mut subject, mut reference) = (open(&options.subject)?, open(&options.reference)?);
    anyhow::ensure!(
        subject.family() == reference.family() && subject.bodies() == reference.bodies(),
        "the two trajectories are of different scenes: {} and {} bodies",
        subject.bodies(),
        reference.bodies()
    );
    let comparison =
        carom_trajectory::compare::compare_trajectories(&mut reference, &mut subject, options.tolerance)?;
    crate::unless_unread(if options.json {
        print_json(
            &json!({ "pass": comparison.passes(), "comparison": comparison, "first_difference": comparison.first }),
        )
    } else {
        print_comparison(&comparison)
    })?;
    if let Some(folder) = &options.render
        && !draw_two(&mut subject, &mut reference, folder, options)?
    {
        return Ok(ExitCode::from(1));
    }
    Ok(exit_code(comparison.passes()))
}

/// Draws where two trajectories differ; a second pass over both. False when the scene has errors, which were printed.
fn draw_two(
    subject: &mut Trajectory,
    reference: &mut Trajectory,
    folder: &Path,
    options: &Compare,
) -> Result<bool> {
    let carries_scene = |path: &Path| trajectory_file::kind_of(path).is_ok_and(|kind| kind == Kind::Journal);
    let path = if carries_scene(&options.reference) { &options.reference } else { &options.subject };
    let footage = Footage::open(path, options.scene.as_deref(), options.reading, Warnings::Hide)?;
    let Some(footage) = footage else { return Ok(false) };
    let mut pictures = Pictures::new(&footage.file, folder, reference)?;
    let has_collisions = subject.has_contacts() && reference.has_contacts();
    let (mut wanted, mut found) = (reference.frames(), subject.frames());
    let (mut a, mut b) = (wanted.next().transpose()?, found.next().transpose()?);
    while let (Some(expected), Some(got)) = (&a, &b) {
        let order = expected.step.cmp(&got.step);
        if order.is_eq() {
            pictures.add(&ComparedStep { expected, got, free: None, has_collisions });
        }
        if order.is_le() {
            a = wanted.next().transpose()?;
        }
        if order.is_ge() {
            b = found.next().transpose()?;
        }
    }
    tell(Some(pictures), options)?;
    Ok(true)
}

fn open_either(path: &Path, layout: Option<CourseLayout>) -> Result<Trajectory> {
    if trajectory_file::kind_of(path)? == Kind::Unknown && layout.is_none() {
        trajectory_file::scene_for(path, None, crate::arguments::Reading { course: false, strict: false })?;
    }
    Ok(carom_trajectory::open(path, layout)?)
}

fn exit_code(pass: bool) -> ExitCode {
    if pass { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn print_json(value: &Value) -> Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}

fn grade_json(grade: &Grade) -> Value {
    let residual = |r: &Residual| {
        json!({ "quantity": r.quantity, "sum": r.sum, "sum_limit": r.sum_limit, "largest": r.largest,
                "largest_limit": r.largest_limit, "pass": r.passes() })
    };
    let grader = &grade.grader;
    json!({
        "pass": grade.passes(),
        "failure": grade.failure,
        "frames": grade.reference_frames,
        "planned_frames": grade.planned_frames,
        "residuals": grader.residuals.iter().map(residual).collect::<Vec<_>>(),
        "quantities": grader.quantities.iter().map(residual).collect::<Vec<_>>(),
        "collisions": grader.collisions,
        "collisions_pass": grader.collisions.passes(),
        "first_difference": grader.first,
        "worst_difference": grader.worst,
        "free_run": { "frames": grade.free_run.frames, "identical": grade.free_run.identical, "largest": grade.free_run.largest,
                      "tolerance": grade.free_run.tolerance, "first_beyond_tolerance": grade.free_run.first },
    })
}

fn print_grade(grade: &Grade) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let short = if grade.is_short() {
        format!(" (the scene has {})", table::count(grade.planned_frames))
    } else {
        String::new()
    };
    writeln!(
        out,
        "{} compared, every step from the reference's previous frame{short}",
        table::counted(grade.reference_frames, "frame")
    )?;
    for residual in grade.grader.residuals.iter().chain(&grade.grader.quantities) {
        let sum = residual
            .sum_limit
            .map_or(String::new(), |limit| format!("sum {:.1e} (limit {limit:.0e}), ", residual.sum));
        let verdict = verdict(residual.passes());
        writeln!(
            out,
            "  {verdict}  {:10} {sum}largest {:.1e} (limit {:.0e})",
            residual.quantity, residual.largest, residual.largest_limit
        )?;
    }
    print_collisions(&mut out, &grade.grader.collisions)?;
    if let Some(first) = &grade.grader.first {
        writeln!(out, "  first difference: {}", describe(first))?;
    }
    print_free_run(&mut out, &grade.free_run)?;
    if let Some(failure) = &grade.failure {
        writeln!(out, "  {}: {failure}", verdict(false))?;
    }
    writeln!(
        out,
        "{}",
        if grade.passes() { "\u{1b}[1;32mpass\u{1b}[0m" } else { "\u{1b}[1;31mfail\u{1b}[0m" }
    )?;
    Ok(())
}

fn print_free_run(out: &mut impl Write, free: &Comparison) -> Result<()> {
    if free.identical {
        writeln!(out, "  free run: the same bits over {}", table::counted(free.frames, "frame"))?;
        return Ok(());
    }
    let worst = free.largest.iter().max_by(|a, b| a.difference.total_cmp(&b.difference));
    if let Some(place) = worst.and_then(|w| w.place.as_ref()) {
        writeln!(
            out,
            "  free run: drifts by {:.1e} at most over {}, at {}",
            place.difference,
            table::counted(free.frames, "frame"),
            describe(place)
        )?;
    }
    if let Some(first) = &free.first {
        writeln!(out, "  free run: beyond {:.0e} first at {}", free.tolerance, describe(first))?;
    }
    Ok(())
}

fn print_collisions(out: &mut impl Write, collisions: &CollisionDifferences) -> Result<()> {
    const SHOWN: usize = 10;
    if collisions.passes() {
        writeln!(out, "  {}  collisions", verdict(true))?;
        return Ok(());
    }
    writeln!(
        out,
        "  {}  collisions: {} missed, {} superfluous, {} with a wrong normal",
        verdict(false),
        collisions.missed,
        collisions.superfluous,
        collisions.wrong_normals
    )?;
    for difference in collisions.first.iter().take(SHOWN) {
        writeln!(out, "        frame {}: {}", difference.frame, describe_collision(difference))?;
    }
    let all = collisions.missed + collisions.superfluous + collisions.wrong_normals;
    if all > SHOWN as u64 {
        writeln!(out, "        and {} more; --json lists them", all - SHOWN as u64)?;
    }
    Ok(())
}

fn describe_collision(d: &CollisionDifference) -> String {
    let normal = |n: Option<[f64; 3]>| n.map_or(String::new(), table::vector);
    let (expected, got) = (normal(d.expected_normal), normal(d.got_normal));
    let pair = format!("{} {} – {}, time {}", d.kind.name(), d.first, d.second, table::number(d.time));
    match d.problem {
        CollisionProblem::Missed => format!("missed {pair}, normal {expected}"),
        CollisionProblem::Superfluous => format!("superfluous {pair}, normal {got}"),
        CollisionProblem::WrongNormal => format!("wrong normal of {pair}: {got}, should be {expected}"),
    }
}

fn print_comparison(comparison: &Comparison) -> Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{} compared", table::counted(comparison.frames, "frame"))?;
    for (count, which) in [(comparison.only_expected, "second"), (comparison.only_got, "first")] {
        if count > 0 {
            let are = if count == 1 { "is" } else { "are" };
            writeln!(out, "  {} {are} only in the {which} file", table::counted(count, "more frame"))?;
        }
    }
    for largest in &comparison.largest {
        let place = largest.place.as_ref().map_or(String::new(), |p| format!(" at {}", describe(p)));
        writeln!(out, "  {:20} differs by {:.1e} at most{place}", largest.quantity, largest.difference)?;
    }
    if let Some(collisions) = &comparison.collisions {
        print_collisions(&mut out, collisions)?;
    }
    if let Some(first) = &comparison.first {
        writeln!(out, "  first difference beyond {:.0e}: {}", comparison.tolerance, describe(first))?;
    }
    let same = match (comparison.identical, comparison.only_expected + comparison.only_got) {
        (true, 0) => ", the same bits",
        (true, _) => ": one is longer, and the same bits as far as both go",
        (false, _) => "",
    };
    writeln!(
        out,
        "{}{same}",
        if comparison.passes() { "\u{1b}[1;32mpass\u{1b}[0m" } else { "\u{1b}[1;31mfail\u{1b}[0m" }
    )?;
    Ok(())
}

fn describe(d: &Difference) -> String {
    let body = d.body.map_or(String::new(), |b| format!(", body {b}"));
    format!(
        "frame {}{body}, {}: {} instead of {} (off by {:.1e})",
        d.frame, d.quantity, d.got, d.expected, d.difference
    )
}

fn verdict(pass: bool) -> &'static str {
    if pass { "\u{1b}[32mok  \u{1b}[0m" } else { "\u{1b}[31mFAIL\u{1b}[0m" }
}
