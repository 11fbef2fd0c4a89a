//! `carom convert`: trajectories between formats, scenes to their normal form.

use crate::arguments::{Convert, Format};
use crate::output;
use crate::scene_file::{self, Warnings};
use crate::trajectory_file::{self, Kind};
use anyhow::{Result, ensure};
use carom_trajectory::{Header, atomic, export};
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn run(options: &Convert) -> Result<ExitCode> {
    match trajectory_file::kind_of(&options.input)? {
        Kind::Scene => scene(options),
        Kind::Journal => {
            let format = output::format_of(&options.output, options.format)?;
            output::export(&mut carom_trajectory::open(&options.input, None)?, &options.output, format)?;
            Ok(ExitCode::SUCCESS)
        }
        Kind::Unknown => course_file(options),
    }
}

fn scene(options: &Convert) -> Result<ExitCode> {
    ensure!(options.format.is_none(), "a scene has no --format; it becomes a scene in its normal form");
    let Some(file) = scene_file::load(&options.input, options.reading, Warnings::Show)? else {
        return Ok(ExitCode::from(1));
    };
    let text = carom_scene::write(&file.scene);
    atomic::write_whole(&options.output, |out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// A course file holds neither its scene nor its step: both come from the scene.
fn course_file(options: &Convert) -> Result<ExitCode> {
    let format = output::format_of(&options.output, options.format)?;
    let scene = trajectory_file::scene_for(&options.input, options.scene.as_deref(), options.reading)?;
    let Some(file) = scene else { return Ok(ExitCode::from(1)) };
    let layout = trajectory_file::layout_of(&file, options.reading)?;
    let mut trajectory = carom_trajectory::open(&options.input, Some(layout))?;
    if format != Format::Carom {
        output::export(&mut trajectory, &options.output, format)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut header =
        Header::new(trajectory.family(), trajectory.bodies(), trajectory.dt(), &file.name, &file.text);
    header.integrator = file.scene.integrator_name().to_owned();
    header.course_records = Some(layout.records);
    header.options.course = options.reading.course;
    let (masses, inertias) = trajectory.masses_and_inertias();
    (header.masses, header.inertias) = (masses.to_vec(), inertias.to_vec());
    export::write_journal(&mut trajectory, &header, &options.output)?;
    Ok(ExitCode::SUCCESS)
}
