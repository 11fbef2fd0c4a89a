//! `carom convert`: trajectories between formats, scenes to their normal form.

use crate::arguments::{Convert, Format};
use crate::output::{self, Output, header};
use crate::scene_file::{self, SceneFile, Warnings};
use crate::table;
use crate::trajectory_file::{self, Completion, Kind};
use anyhow::{Context, Result, ensure};
use carom_trajectory::{Header, Trajectory, atomic};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(options: &Convert) -> Result<ExitCode> {
    // clap asks for one of the two
    let target = options.output.as_deref().or(options.target.as_deref()).context("no output was named")?;
    let inputs = [Some(options.input.as_path()), options.scene.as_deref()];
    output::check_target(target, &inputs.into_iter().flatten().collect::<Vec<_>>())?;
    match trajectory_file::kind_of(&options.input)? {
        Kind::Scene => scene(options, target),
        Kind::Journal => {
            let format = output::format_of(target, options.format)?;
            let mut trajectory = carom_trajectory::open(&options.input, None)?;
            tell_if_cut_off(&mut trajectory, options)?;
            output::export(&mut trajectory, target, format)?;
            Ok(ExitCode::SUCCESS)
        }
        Kind::Unknown => course_file(options, target),
    }
}

/// What is missing at the end of a file is missing in what is made of it.
fn tell_if_cut_off(trajectory: &mut Trajectory, options: &Convert) -> Result<()> {
    let what = match (trajectory.torn(), trajectory.header().is_some() && trajectory.run_hash().is_none()) {
        (Some(_), _) => "is cut off",
        (None, true) => "is of a run that has not ended",
        (None, false) => return Ok(()),
    };
    let frames = table::counted(trajectory.frame_count()?, "frame");
    anstream::eprintln!("note: {} {what}; its {frames} are converted", options.input.display());
    Ok(())
}

fn scene(options: &Convert, target: &Path) -> Result<ExitCode> {
    ensure!(
        options.format.is_none() && target.extension().is_none_or(|e| e == "xml"),
        "a scene becomes a scene in its normal form: give a name that ends in .xml; `carom run` makes trajectories"
    );
    let Some(file) = scene_file::load(&options.input, options.reading, Warnings::Show)? else {
        return Ok(ExitCode::from(1));
    };
    let text = carom_scene::write(&file.scene);
    atomic::write_whole(target, |out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// A course file holds neither its scene nor its step: both come from the scene.
fn course_file(options: &Convert, target: &Path) -> Result<ExitCode> {
    let format = output::format_of(target, options.format)?;
    let scene = trajectory_file::scene_for(&options.input, options.scene.as_deref(), options.reading)?;
    let Some(file) = scene else { return Ok(ExitCode::from(1)) };
    let layout = trajectory_file::layout_of(&file, options.reading)?;
    let mut trajectory = carom_trajectory::open(&options.input, Some(layout))?;
    tell_if_cut_off(&mut trajectory, options)?;
    if format == Format::Course {
        output::export(&mut trajectory, target, format)?;
    } else {
        completed(
            &file,
            &mut trajectory,
            Output::aside(target, format, header_of(&file, options)?)?,
            options,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn header_of(file: &SceneFile, options: &Convert) -> Result<Header> {
    let simulation = carom::Simulation::new(&file.scene, carom::Options::course(options.reading.course))?;
    Ok(header(file, &simulation, options.reading.course, 1))
}

/// The frames of a course file with the energies that it leaves out.
fn completed(
    file: &SceneFile,
    trajectory: &mut Trajectory,
    mut output: Output,
    options: &Convert,
) -> Result<()> {
    let mut completion = Completion::new(file, options.reading)?;
    let mut frames = trajectory.frames();
    while let Some(frame) = frames.next_frame()? {
        output.append(completion.whole(frame))?;
    }
    output.finish(false)?;
    Ok(())
}
