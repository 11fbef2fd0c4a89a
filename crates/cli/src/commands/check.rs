//! `carom check`: only diagnose.

use crate::arguments::Check;
use crate::scene_file;
use crate::table;
use anyhow::Result;
use carom_scene::Severity;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(options: &Check) -> Result<ExitCode> {
    let (mut refused, mut unreadable) = (0, 0);
    let mut reports = Vec::new();
    for path in &options.scenes {
        let report = check(path, options)?;
        if !report.can_run {
            refused += 1;
        }
        unreadable += u64::from(report.unreadable);
        reports.push(report.json);
    }
    if options.json {
        let text = serde_json::to_string_pretty(&reports)?;
        crate::unless_unread(writeln!(crate::terminal::stdout(), "{text}").map_err(Into::into))?;
    }
    Ok(match (unreadable, refused) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

struct Checked {
    can_run: bool,
    /// There is no such file, or it cannot be read.
    unreadable: bool,
    json: Value,
}

fn check(path: &Path, options: &Check) -> Result<Checked> {
    let name = path.display().to_string();
    let text = match scene_file::read_text(path, options.reading) {
        Ok(text) => text,
        Err(error) => {
            if !options.json {
                anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m: {error:#}");
            }
            let json =
                json!({ "file": name, "can_run": false, "unreadable": format!("{error:#}"), "problems": [] });
            return Ok(Checked { can_run: false, unreadable: true, json });
        }
    };
    let reading = scene_file::read(path, &text, options.reading);
    // A scene that reads may still be refused by the world that it describes.
    let built = reading.scene.as_ref().map(|scene| {
        carom::Simulation::new(scene, carom::Options::course(options.reading.course)).map(|_| ())
    });
    let build_error = match &built {
        Some(Err(error)) => Some(error.to_string()),
        _ => None,
    };
    let can_run = matches!(built, Some(Ok(())));
    if !options.json {
        crate::unless_unread(show(&name, &text, &reading, build_error.as_deref()))?;
    }
    let problems: Vec<Value> = carom_scene::diagnostics(&reading.problems, &text)
        .iter()
        .map(|p| {
            json!({
                "severity": match p.severity { Severity::Error => "error", Severity::Warning => "warning" },
                "line": p.line, "column": p.column, "message": p.message, "tag": p.tag, "attribute": p.attribute, "help": p.help, "suggestion": p.suggestion,
            })
        })
        .collect();
    let json = json!({
        "file": name, "can_run": can_run, "errors": reading.problems.errors(), "warnings": reading.problems.warnings(),
        "build_error": build_error, "problems": problems,
    });
    Ok(Checked { can_run, unreadable: false, json })
}

fn show(name: &str, text: &str, reading: &carom_scene::Reading, build_error: Option<&str>) -> Result<()> {
    let mut out = crate::terminal::colored();
    if !reading.problems.is_empty() {
        writeln!(out, "{}", carom_scene::render(&reading.problems, name, text, true))?;
    }
    if let Some(error) = build_error {
        writeln!(out, "\u{1b}[1;31merror\u{1b}[0m: {name}: {error}")?;
    }
    let counted = |n: usize, word: &str| table::counted(n as u64, word);
    let (errors, warnings) = (reading.problems.errors(), reading.problems.warnings());
    if errors == 0 && warnings == 0 && build_error.is_none() {
        writeln!(out, "{name}: no problems found")?;
    } else {
        writeln!(out, "{name}: {}, {}", counted(errors, "error"), counted(warnings, "warning"))?;
    }
    Ok(())
}
