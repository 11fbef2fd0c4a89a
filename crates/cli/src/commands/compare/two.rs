//! Two trajectories against each other, without a scene: the first is examined, the second
//! believed.

use super::pictures::Pictures;
use super::words::{describe, print_collisions};
use super::{exit_code, print_json, print_pictures};
use crate::arguments::Compare;
use crate::footage::Footage;
use crate::scene_file::{self, Warnings};
use crate::table;
use crate::trajectory_file::{self, Kind};
use anyhow::Result;
use carom::grading::ComparedStep;
use carom_trajectory::Trajectory;
use carom_trajectory::compare::Comparison;
use carom_trajectory::course::CourseLayout;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn run(options: &Compare) -> Result<ExitCode> {
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

/// Draws where two trajectories differ; a second pass over both. False when the scene has errors,
/// which were printed.
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
    let mut pictures = Pictures::new(&footage.file, Some(folder), reference)?;
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
    print_pictures(Some(pictures), options)?;
    Ok(true)
}

fn open_either(path: &Path, layout: Option<CourseLayout>) -> Result<Trajectory> {
    if trajectory_file::kind_of(path)? == Kind::Unknown && layout.is_none() {
        trajectory_file::scene_for(path, None, crate::arguments::Reading { course: false, strict: false })?;
    }
    Ok(carom_trajectory::open(path, layout)?)
}

fn print_comparison(comparison: &Comparison) -> Result<()> {
    let mut out = crate::terminal::colored();
    writeln!(out, "{} compared", table::counted(comparison.frames, "frame"))?;
    for (count, which) in [(comparison.only_expected, "second"), (comparison.only_got, "first")] {
        if count > 0 {
            let are = if count == 1 { "is" } else { "are" };
            writeln!(out, "  {} {are} only in the {which} file", table::counted(count, "more frame"))?;
        }
    }
    for largest in &comparison.largest {
        let place = largest.place.as_ref().map_or(String::new(), |p| format!(" at {}", describe(p, "body")));
        writeln!(out, "  {:20} differs by {:.1e} at most{place}", largest.quantity, largest.difference)?;
    }
    if let Some(collisions) = &comparison.collisions {
        print_collisions(&mut out, collisions)?;
    }
    if let Some(first) = &comparison.first {
        writeln!(out, "  first difference beyond {:.0e}: {}", comparison.tolerance, describe(first, "body"))?;
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
