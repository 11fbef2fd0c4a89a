//! `carom info`: what is in a scene or trajectory.

use crate::arguments::Info;
use crate::report::impacts_json;
use crate::scene_file::{self, SceneFile, Warnings};
use crate::table;
use crate::trajectory_file::{self, Kind};
use anyhow::{Context, Result};
use carom::Impacts;
use carom_scene::System;
use carom_scene::description::spatial::{Shape, SpatialScene};
use carom_trajectory::{Family, JournalReader, Trajectory};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(options: &Info) -> Result<ExitCode> {
    let facts = match trajectory_file::kind_of(&options.file)? {
        Kind::Scene => {
            let warnings = if options.json { Warnings::Hide } else { Warnings::Show };
            let Some(file) = scene_file::load(&options.file, options.reading, warnings)? else {
                return Ok(ExitCode::from(1));
            };
            of_scene(&file, options)?
        }
        Kind::Journal => {
            // every frame is checked: an index says nothing about the frames that it points to
            let mut journal = JournalReader::open(&options.file)?;
            journal.verify()?;
            of_trajectory(&options.file, Trajectory::Journal(Box::new(journal)))?
        }
        Kind::Unknown => {
            let scene = trajectory_file::scene_for(&options.file, options.scene.as_deref(), options.reading)?;
            let Some(scene) = scene else { return Ok(ExitCode::from(1)) };
            let layout = trajectory_file::layout_of(&scene, options.reading)?;
            of_trajectory(&options.file, carom_trajectory::open(&options.file, Some(layout))?)?
        }
    };
    print(&options.file, &facts, options.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Named facts in the order in which a person reads them.
type Facts = Vec<(&'static str, Value)>;

fn print(path: &Path, facts: &Facts, as_json: bool) -> Result<()> {
    let mut out = crate::terminal::stdout();
    if as_json {
        let object: serde_json::Map<String, Value> =
            facts.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    let rows: Vec<(String, String)> =
        facts.iter().filter_map(|(label, value)| Some((label.replace('_', " "), words(value)?))).collect();
    writeln!(out, "{}", path.display())?;
    write!(out, "{}", table::two_columns(&rows))?;
    Ok(())
}

/// A value for people; nothing for what is not there.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Number(n) => {
            Some(n.as_u64().map_or_else(|| table::number(n.as_f64().unwrap_or(f64::NAN)), table::count))
        }
        Value::Array(list) => Some(list.iter().filter_map(words).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => Some(
            map.iter()
                .filter_map(|(k, v)| Some(format!("{} {}", k.replace('_', " "), words(v)?)))
                .collect::<Vec<_>>()
                .join(", "),
        ),
    }
}

fn of_scene(file: &SceneFile, options: &Info) -> Result<Facts> {
    let scene = &file.scene;
    let simulation = carom::Simulation::new(scene, carom::Options::course(options.reading.course))
        .with_context(|| format!("{} cannot be run", file.name))?;
    let mut facts: Facts = vec![
        ("kind", json!("scene")),
        ("description", json!(scene.general.description)),
        ("tag", json!(scene.general.tag)),
        ("integrator", json!(scene.integrator_name())),
        ("collision_response", json!(scene.response_name())),
        ("dt", json!(simulation.dt())),
        ("duration", json!(scene.general.duration)),
        ("steps", json!(simulation.planned_steps())),
    ];
    match &scene.system {
        System::Particles(s) => {
            facts.insert(1, ("system", json!("particles")));
            facts.push(("particles", json!(s.particles.len())));
            facts.push(("fixed_particles", json!(s.particles.iter().filter(|p| p.fixed).count())));
            facts.push(("edges", json!(s.edges.len())));
            facts.push(("half_planes", json!(s.half_planes.len())));
            let f = &s.forces;
            facts.push((
                "forces",
                present(&[
                    ("springs", f.springs.len()),
                    ("gravities", f.gravities.len()),
                    ("gravitations", f.gravitations.len()),
                    ("constant forces", f.constants.len()),
                    ("drags", f.drags.len()),
                    ("vortices", f.vortices.len()),
                ]),
            ));
        }
        System::RigidBodies(s) => {
            facts.insert(1, ("system", json!("rigid bodies")));
            facts.push(("bodies", json!(s.bodies.len())));
            facts.push(("fixed_bodies", json!(s.bodies.iter().filter(|b| b.fixed).count())));
            facts.push(("vertices", json!(s.vertices.len())));
            facts.push((
                "forces",
                present(&[
                    ("gravities", s.gravities.len()),
                    ("springs", s.springs.len()),
                    ("winds", s.winds.len()),
                ]),
            ));
        }
        System::SpatialBodies(s) => {
            facts.insert(1, ("system", json!("spatial rigid bodies")));
            facts.push(("orientation", json!(s.integrator.orientation.name())));
            facts.push(("frames_per_second", json!(s.frame_rate)));
            facts.push(("bodies", json!(s.bodies.len())));
            facts.push(("fixed_bodies", json!(s.bodies.iter().filter(|b| b.fixed).count())));
            facts.push(("shapes", shapes(s)));
            facts.push((
                "forces",
                present(&[
                    ("gravities", s.gravities.len()),
                    ("springs", s.springs.len()),
                    ("drags", s.drags.len()),
                    ("pushes", s.pushes.len()),
                ]),
            ));
        }
    }
    let frame = simulation.frame();
    facts.push(("energy_at_start", json!(frame.quantities.kinetic + frame.quantities.potential)));
    facts.push(("scene_sha256", json!(carom_trajectory::journal::text_hash(&file.text))));
    Ok(facts)
}

/// How many bodies there are of each shape.
fn shapes(scene: &SpatialScene) -> Value {
    let count = |is: &dyn Fn(&Shape) -> bool| scene.bodies.iter().filter(|body| is(&body.shape)).count();
    present(&[
        ("spheres", count(&|shape| matches!(shape, Shape::Sphere { .. }))),
        ("boxes", count(&|shape| matches!(shape, Shape::Box { .. }))),
        ("polyhedra", count(&|shape| matches!(shape, Shape::Polyhedron { .. } | Shape::File { .. }))),
        ("half-spaces", count(&|shape| matches!(shape, Shape::HalfSpace { .. }))),
    ])
}

/// The kinds that there are any of.
fn present(counts: &[(&str, usize)]) -> Value {
    let map: serde_json::Map<String, Value> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(k, n)| ((*k).to_owned(), json!(n))).collect();
    Value::Object(map)
}

fn of_trajectory(path: &Path, mut trajectory: Trajectory) -> Result<Facts> {
    let frames = trajectory.frame_count()?;
    let last = if frames > 0 { Some(trajectory.frame(frames - 1)?) } else { None };
    let impacts = impacts(&mut trajectory)?;
    let header = trajectory.header().cloned();
    let torn =
        trajectory.torn().map(|t| format!("{} bytes after the last whole frame: {}", t.bytes, t.reason));
    let kind = match (&header, trajectory.run_hash()) {
        (None, _) => "course trajectory",
        (Some(_), Some(_)) => "Carom trajectory, whole",
        (Some(_), None) => "Carom trajectory of a run that has not ended; --resume goes on with it",
    };
    let family = match trajectory.family() {
        Family::Particles => "particles",
        Family::RigidBodies => "rigid bodies",
        Family::SpatialBodies => "spatial rigid bodies",
    };
    let bytes = std::fs::metadata(path).map(|m| m.len()).ok();
    let from_header =
        |get: &dyn Fn(&carom_trajectory::Header) -> Value| header.as_ref().map_or(Value::Null, get);
    Ok(vec![
        ("kind", json!(kind)),
        ("system", json!(family)),
        ("scene", from_header(&|h| json!(h.scene_name))),
        ("bodies", json!(trajectory.bodies())),
        ("frames", json!(frames)),
        ("last_step", json!(last.as_ref().map(|f| f.step))),
        ("last_time", json!(last.as_ref().map(|f| f.time))),
        ("dt", json!(trajectory.dt())),
        ("integrator", from_header(&|h| json!(h.integrator))),
        ("course_errors_reproduced", from_header(&|h| json!(h.options.course))),
        ("every", from_header(&|h| json!(h.options.every))),
        ("made_by", from_header(&|h| json!(format!("carom {}", h.carom_version)))),
        ("impacts", impacts),
        ("bytes", json!(bytes)),
        ("cut_off", json!(torn)),
        ("scene_sha256", from_header(&|h| json!(h.scene_sha256()))),
        ("run_hash", json!(trajectory.run_hash().map(|h| h.to_string()))),
    ])
}

/// What the impacts in the stored frames came to; nothing where none reports.
fn impacts(trajectory: &mut Trajectory) -> Result<Value> {
    let mut impacts = Impacts::default();
    if trajectory.header().is_none() {
        return Ok(Value::Null);
    }
    let mut frames = trajectory.frames();
    while let Some(frame) = frames.next_frame()? {
        impacts.add(&frame.diagnostics);
    }
    Ok(if impacts == Impacts::default() { Value::Null } else { impacts_json(&impacts) })
}
