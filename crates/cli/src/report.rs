//! What a run came to, for people and for programs.

use crate::scene_file::SceneFile;
use crate::table;
use anyhow::Result;
use carom::{Impacts, StepFailure, Summary, Trouble};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The end of a run.
pub(crate) struct RunReport {
    pub(crate) scene: String,
    pub(crate) output: Option<PathBuf>,
    pub(crate) bodies: usize,
    pub(crate) planned_steps: u64,
    pub(crate) steps_run: u64,
    pub(crate) resumed_from: Option<u64>,
    /// The step after which steps were counted, where those before it are not known: frames of a
    /// resumed run report their own steps only.
    pub(crate) counted_from: Option<u64>,
    pub(crate) seconds: f64,
    pub(crate) summary: Summary,
    pub(crate) outcome: Outcome,
}

/// How a run ended.
pub(crate) enum Outcome {
    /// All planned steps were taken.
    Finished { hash: Option<String> },
    /// There was nothing left to do.
    AlreadyWhole,
    /// Ctrl-C.
    Interrupted {
        /// The journal, where there is one.
        part: Option<PathBuf>,
        /// The command that goes on.
        again: String,
    },
    /// A step could not be taken; the output ends before it.
    Failed { failure: StepFailure, hash: Option<String> },
}

impl RunReport {
    pub(crate) fn already_whole(file: &SceneFile, target: &Path) -> Self {
        Self {
            scene: file.name.clone(),
            output: Some(target.to_owned()),
            bodies: 0,
            planned_steps: 0,
            steps_run: 0,
            resumed_from: None,
            counted_from: None,
            seconds: 0.0,
            summary: Summary::default(),
            outcome: Outcome::AlreadyWhole,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.outcome {
            Outcome::Finished { .. } | Outcome::AlreadyWhole => ExitCode::SUCCESS,
            Outcome::Failed { .. } => ExitCode::from(1),
            Outcome::Interrupted { .. } => ExitCode::from(130),
        }
    }

    fn hash(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Finished { hash } | Outcome::Failed { hash, .. } => hash.as_deref(),
            _ => None,
        }
    }

    /// What a person looks at first, row by row.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let s = &self.summary;
        let mut rows = Vec::new();
        let mut row = |label: &str, value: String| rows.push((label.to_owned(), value));
        row("bodies", table::count(self.bodies as u64));
        let after = |words: &str, step: Option<u64>| {
            step.map_or(String::new(), |step| format!(", {words} step {}", table::count(step)))
        };
        let from = after("resumed from", self.resumed_from);
        row("steps", format!("{} of {}{from}", table::count(s.last_step), table::count(self.planned_steps)));
        let since = after("since", self.counted_from);
        row("simulated time", format!("{} s", table::number(s.time)));
        row(
            "contacts",
            format!(
                "{} in all, {} at most in a step{since}",
                table::count(s.contacts),
                table::count(s.most_contacts)
            ),
        );
        row(
            "energy",
            format!(
                "{} → {} J, largest drift {}",
                table::number(s.energy_start),
                table::number(s.energy_end),
                table::number(s.energy_drift)
            ),
        );
        row(
            "momentum",
            format!(
                "{} → {} kg m/s, largest drift {}",
                table::vector(s.momentum_start),
                table::vector(s.momentum_end),
                table::number(s.momentum_drift)
            ),
        );
        row(
            "angular momentum",
            format!(
                "{} → {} kg m²/s, largest drift {}",
                turning(s.angular_momentum_start),
                turning(s.angular_momentum_end),
                table::number(s.angular_momentum_drift)
            ),
        );
        if let Some(change) = s.impacts.energy_change.filter(|_| s.impacts.steps > Some(0)) {
            row(
                "impacts",
                format!(
                    "{} J of energy in all, momentum by {} kg m/s at most in a step{since}",
                    table::number(change),
                    table::number(s.impacts.largest_momentum_change.unwrap_or(f64::NAN))
                ),
            );
        }
        row("deepest overlap", format!("{} m", table::number(s.deepest_penetration)));
        if s.orientation_drift > 0.0 {
            // frames do not hold it
            let since = after("since", self.resumed_from);
            let drift = table::number(s.orientation_drift);
            row("orientation drift", format!("{drift} at most in a step, corrected{since}"));
        }
        if self.seconds > 0.0 {
            row(
                "speed",
                format!("{} steps/s ({:.3} s)", table::count(self.steps_per_second() as u64), self.seconds),
            );
        }
        if let Some(hash) = self.hash() {
            row("hash", hash.get(..16).unwrap_or(hash).to_owned());
        }
        rows
    }

    /// What did not go well, a sentence each.
    pub(crate) fn troubles(&self) -> Vec<String> {
        let sentence = |trouble: &Trouble| {
            format!(
                "{} step{} {}; the first at step {}, t = {} s, residual {}",
                trouble.count,
                if trouble.count == 1 { "" } else { "s" },
                trouble.status.describe(),
                trouble.first_step,
                trouble.first_time,
                table::number(trouble.first_residual)
            )
        };
        self.summary.troubles.iter().map(sentence).collect()
    }

    /// The table for people, on standard output.
    pub(crate) fn print_table(&self) -> Result<()> {
        let mut out = crate::terminal::colored();
        if let Outcome::AlreadyWhole = self.outcome {
            return Ok(());
        }
        writeln!(out, "{}", self.scene)?;
        write!(out, "{}", table::two_columns(&self.rows()))?;
        if let (Some(output), Outcome::Finished { .. } | Outcome::Failed { .. }) =
            (&self.output, &self.outcome)
        {
            writeln!(out, "  → {}", output.display())?;
        }
        Ok(())
    }

    /// What did not go well, on standard error; also when quiet, but for mere notes.
    pub(crate) fn print_trouble(&self, quiet: bool) {
        if !quiet {
            for trouble in self.troubles() {
                anstream::eprintln!("\u{1b}[1;33mwarning\u{1b}[0m: {trouble}");
            }
        }
        match &self.outcome {
            Outcome::Failed { failure, .. } => {
                anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m: {failure}");
                if let Some(output) = &self.output {
                    anstream::eprintln!("  {} holds every frame before it", output.display());
                }
            }
            Outcome::Interrupted { part: Some(part), again } => {
                anstream::eprintln!(
                    "stopped after step {}; everything until then is in {}",
                    self.summary.last_step,
                    part.display()
                );
                anstream::eprintln!("to go on:  {again}");
            }
            Outcome::Interrupted { part: None, .. } => {
                anstream::eprintln!(
                    "stopped after step {}; nothing was kept, as no output was named",
                    self.summary.last_step
                );
            }
            Outcome::AlreadyWhole if !quiet => {
                let output = self.output.as_deref().unwrap_or(Path::new("OUT"));
                anstream::eprintln!(
                    "nothing to do: {} is there already; run without --resume to make it anew",
                    output.display()
                );
            }
            _ => {}
        }
    }

    /// Every number, on standard output.
    pub(crate) fn print_json(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.to_json())?;
        writeln!(crate::terminal::stdout(), "{text}")?;
        Ok(())
    }

    fn to_json(&self) -> Value {
        let s = &self.summary;
        let troubles: Vec<Value> = s
            .troubles
            .iter()
            .map(|t| {
                json!({ "what": t.status.describe(), "code": t.status.code(), "steps": t.count, "first_step": t.first_step,
                        "first_time": t.first_time, "first_residual": t.first_residual })
            })
            .collect();
        let (end, failure) = match &self.outcome {
            Outcome::Finished { .. } => ("finished", None),
            Outcome::AlreadyWhole => ("already whole", None),
            Outcome::Interrupted { .. } => ("interrupted", None),
            Outcome::Failed { failure, .. } => ("failed", Some(failure.to_string())),
        };
        json!({
            "scene": self.scene, "output": self.output, "end": end, "failure": failure, "hash": self.hash(),
            "bodies": self.bodies, "planned_steps": self.planned_steps, "steps": s.last_step, "steps_run": self.steps_run,
            "resumed_from": self.resumed_from, "counted_from": self.counted_from, "time": s.time, "frames": s.frames,
            "contacts": s.contacts, "most_contacts": s.most_contacts,
            "energy_start": s.energy_start, "energy_end": s.energy_end, "energy_drift": s.energy_drift,
            "momentum_start": s.momentum_start, "momentum_end": s.momentum_end, "momentum_drift": s.momentum_drift,
            "angular_momentum_start": s.angular_momentum_start, "angular_momentum_end": s.angular_momentum_end,
            "angular_momentum_drift": s.angular_momentum_drift,
            "orientation_drift": s.orientation_drift,
            "deepest_penetration": s.deepest_penetration, "largest_residual": s.largest_residual, "iterations": s.iterations,
            "impacts": impacts_json(&s.impacts),
            "troubles": troubles, "seconds": self.seconds, "steps_per_second": self.steps_per_second(),
        })
    }

    fn steps_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.steps_run as f64 / self.seconds } else { 0.0 }
    }
}

/// What contacts did, `null` where no step reports.
pub(crate) fn impacts_json(impacts: &Impacts) -> Value {
    json!({
        "steps": impacts.steps, "energy_change": impacts.energy_change,
        "largest_momentum_change": impacts.largest_momentum_change,
        "largest_angular_momentum_change": impacts.largest_angular_momentum_change,
        "most_contact_rows": impacts.most_contact_rows, "largest_island": impacts.largest_island,
    })
}

/// Angular momentum: one number in 2D, three in 3D.
fn turning(momentum: [f64; 3]) -> String {
    match momentum {
        [0.0, 0.0, z] => table::number(z),
        _ => table::vector(momentum),
    }
}
