//! `carom methods`: one scene under every collision response of its family, side by side.

use super::run::last_step;
use crate::arguments::Methods;
use crate::scene_file::{self, Warnings};
use crate::{interrupt, progress, table};
use anyhow::Result;
use carom::{Frame, Options, Plan, RunEnd, Scene, Simulation, StepStatus, Summary};
use carom_scene::System;
use carom_scene::schema::{self, Kind};
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

pub(crate) fn run(options: &Methods) -> Result<ExitCode> {
    let warnings = if options.json { Warnings::Hide } else { Warnings::Show };
    let Some(file) = scene_file::load(&options.scene, options.reading, warnings)? else {
        return Ok(ExitCode::from(1));
    };
    let interrupt = interrupt::flag();
    let mut rows = Vec::new();
    for (name, scene) in carom::methods::responses(&file.scene) {
        if options.reading.course && !course_knows(&file.scene, name) {
            continue;
        }
        let row = attempt(name, &scene, options, interrupt)?;
        if interrupt.is_set() {
            anstream::eprintln!("stopped during {name}");
            return Ok(ExitCode::from(130));
        }
        rows.push(row);
    }
    if options.json {
        let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
        let value = json!({ "scene": file.name, "given": file.scene.response_name(), "methods": rows });
        writeln!(crate::terminal::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
    } else {
        print(&file.name, file.scene.response_name(), &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the course's program knows a response of the scene's family, by the schema.
fn course_knows(scene: &Scene, response: &str) -> bool {
    let (tag, attribute) = match scene.system {
        System::Particles(_) => ("collision", "type"),
        System::RigidBodies(_) => ("rigidbodycollisionhandling", "response"),
        System::SpatialBodies(_) => return false,
    };
    let kind = schema::tag(tag).and_then(|tag| tag.attribute(attribute)).map(|(_, attribute)| attribute.kind);
    match kind {
        Some(Kind::Choice(choices)) => {
            response == "none" || choices.iter().any(|choice| choice.course && choice.name == response)
        }
        _ => false,
    }
}

/// What became of one method.
struct Row {
    method: &'static str,
    summary: Summary,
    seconds: f64,
    /// Why it could not run the scene, or not to its end.
    reason: Option<String>,
}

fn attempt(
    method: &'static str,
    scene: &Scene,
    options: &Methods,
    interrupt: interrupt::Interrupt,
) -> Result<Row> {
    let mut row = Row { method, summary: Summary::default(), seconds: 0.0, reason: None };
    let mut simulation = match Simulation::new(scene, Options::course(options.reading.course)) {
        Ok(simulation) => simulation,
        Err(error) => {
            row.reason = Some(error.to_string());
            return Ok(row);
        }
    };
    let last_step = last_step(&simulation, options.steps, options.until)?;
    let bar = progress::steps(last_step, options.json);
    bar.set_prefix(method);
    let start = Instant::now();
    let mut observe = |frame: &Frame| -> Result<ControlFlow<()>, Infallible> {
        row.summary.add_step_of(frame);
        bar.set_position(frame.step);
        Ok(ControlFlow::Continue(()))
    };
    let plan = Plan { last_step, every: 1 };
    let mut stop = || interrupt.is_set();
    let Ok(end) = interrupt::during(|| carom::run(&mut simulation, plan, &mut observe, &mut stop));
    row.seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if let RunEnd::Failed(failure) = end {
        row.reason = Some(failure.to_string());
    }
    Ok(row)
}

impl Row {
    /// Steps that needed a fallback or did not converge.
    fn troubled_steps(&self) -> u64 {
        self.summary.troubles.iter().map(|trouble| trouble.count).sum()
    }

    /// Fallbacks of collisions, with the number of steps that needed each.
    fn fallbacks(&self) -> Vec<(&'static str, u64)> {
        let name = |status: StepStatus| match status {
            StepStatus::Inelastic => Some("inelastic"),
            StepStatus::ImpactZones => Some("impact zones"),
            StepStatus::Stopped => Some("stopped"),
            StepStatus::Repelled => Some("repelled"),
            _ => None,
        };
        let troubles = self.summary.troubles.iter();
        troubles.filter_map(|trouble| Some((name(trouble.status)?, trouble.count))).collect()
    }

    fn cells(&self) -> Vec<String> {
        let s = &self.summary;
        if s.frames == 0 {
            return std::iter::once(self.method.to_owned()).chain((0..9).map(|_| "–".to_owned())).collect();
        }
        vec![
            self.method.to_owned(),
            table::count(s.last_step),
            table::short(s.energy_end),
            table::short(s.energy_drift),
            table::short(s.momentum_drift),
            table::short(s.deepest_penetration),
            table::count(s.contacts),
            table::count(self.troubled_steps()),
            match self.fallbacks().as_slice() {
                [] => "none".to_owned(),
                some => {
                    let words = some.iter().map(|(name, count)| format!("{name} {}", table::count(*count)));
                    words.collect::<Vec<_>>().join(", ")
                }
            },
            format!("{:.3}", self.seconds),
        ]
    }

    fn to_json(&self) -> Value {
        let s = &self.summary;
        let troubles: Vec<Value> = s
            .troubles
            .iter()
            .map(|t| json!({ "what": t.status.describe(), "steps": t.count, "first_step": t.first_step }))
            .collect();
        let fallbacks: Map<String, Value> =
            self.fallbacks().into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
        json!({
            "method": self.method, "ran": s.frames > 0, "reason": self.reason, "steps": s.last_step, "time": s.time,
            "energy_start": s.energy_start, "energy_end": s.energy_end, "energy_drift": s.energy_drift,
            "momentum_drift": s.momentum_drift, "angular_momentum_drift": s.angular_momentum_drift,
            "deepest_penetration": s.deepest_penetration, "contacts": s.contacts, "iterations": s.iterations,
            "largest_residual": s.largest_residual, "troubled_steps": self.troubled_steps(), "fallbacks": fallbacks, "troubles": troubles,
            "seconds": self.seconds,
        })
    }
}

fn print(scene: &str, given: &str, rows: &[Row]) -> Result<()> {
    let mut out = crate::terminal::colored();
    let head = [
        "method",
        "steps",
        "energy at end [J]",
        "its drift",
        "momentum drift [kg m/s]",
        "deepest overlap [m]",
        "contacts",
        "troubled steps",
        "fallbacks used",
        "time [s]",
    ];
    writeln!(out, "{scene}, which asks for {given}")?;
    write!(out, "{}", table::columns(&head, &rows.iter().map(Row::cells).collect::<Vec<_>>()))?;
    for row in rows {
        if let Some(reason) = &row.reason {
            writeln!(out, "  {}: {reason}", row.method)?;
        }
        for trouble in &row.summary.troubles {
            writeln!(
                out,
                "  {}: {} step{} {}, the first at step {}",
                row.method,
                table::count(trouble.count),
                if trouble.count == 1 { "" } else { "s" },
                trouble.status.describe(),
                table::count(trouble.first_step)
            )?;
        }
    }
    Ok(())
}
