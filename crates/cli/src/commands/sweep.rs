//! `carom sweep`: a scene under many settings, in parallel, to a table.

mod grid;
mod parquet;
mod rows;

use crate::arguments::{Reading, Sweep};
use crate::commands::run::last_step;
use crate::{interrupt, output, progress, scene_file, table};
use anyhow::{Context, Result, bail, ensure};
use carom::{Options, Plan, RunEnd, Scene, Simulation, Survey, disturb, survey};
use carom_scene::ReadOptions;
use carom_trajectory::journal::text_hash;
use grid::{Case, Cases, Grid, Measure};
use rows::{Row, Rows};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const READING: Reading = Reading { course: false, strict: false };

pub(crate) fn run(options: &Sweep) -> Result<ExitCode> {
    let (grid, text) = grid::read(&options.grid)?;
    let path = options.grid.parent().unwrap_or(Path::new("")).join(&grid.scene);
    output::check_target(&options.output, &[&options.grid, &path])?;
    rows::check_ending(&options.output)?;
    let scene = scene_file::read_text(&path, READING)?;
    let reading = carom_scene::read(&scene, &ReadOptions::default());
    let cases = Cases::of(&grid, &reading.scene.map_or_else(Vec::new, |scene| scene.general.knobs))?;
    let sweep = text_hash(&format!("{}\n{text}\n{scene}", env!("CARGO_PKG_VERSION")));
    let work = Work { grid: &grid, cases: &cases, text: &scene, path: &path };
    work.try_paths()?;
    if options.gather {
        return gather(options, &work, &sweep);
    }
    let part = match (options.index, options.of) {
        (Some(index), Some(of)) => {
            ensure!(index < of, "--index goes from 0 to {}, not {index}", of - 1);
            Some((index, of))
        }
        (None, Some(_)) => bail!("--of needs --index, or --gather"),
        _ => None,
    };
    let kept = rows::path_of(&options.output, part);
    let mut rows = Rows::open(&kept, &sweep, options.anew)?;
    let of_part = |number: &u64| part.is_none_or(|(index, of)| number % of == index);
    let (all, before): (Vec<u64>, usize) = ((0..cases.len()).filter(of_part).collect(), rows.done.len());
    let wanted: Vec<u64> = all.iter().copied().filter(|number| !rows.done.contains_key(number)).collect();
    if before > 0 && !options.quiet {
        anstream::eprintln!("{before} of {} runs were done already", all.len());
    }
    let whole = work.perform(&wanted, &mut rows, &kept, options)?;
    if !whole {
        tell_stopped(&format!("{} rows", rows.done.len()), &kept.display().to_string());
        return Ok(ExitCode::from(130));
    }
    if part.is_none() {
        rows::write_table(&options.output, &work.columns(), &rows.done)?;
        std::fs::remove_file(&kept).with_context(|| format!("cannot remove {}", kept.display()))?;
    }
    if !options.quiet {
        let target = if part.is_none() { &options.output } else { &kept };
        print_summary(&rows.done, target);
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what an interrupted sweep leaves.
fn tell_stopped(rows: &str, kept: &str) {
    anstream::eprintln!("stopped; {rows} are kept in {kept}, the same command goes on");
}

/// Says how many runs ended how.
fn print_summary(rows: &BTreeMap<u64, Row>, target: &Path) {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for status in rows.values().filter_map(|row| row.get("status").and_then(Value::as_str)) {
        *counts.entry(status).or_default() += 1;
    }
    let words: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    let runs = table::counted(rows.len() as u64, "run");
    println!("{runs}: {}\n  → {}", words.join(", "), target.display());
}

/// Puts the rows of all parts together.
fn gather(options: &Sweep, work: &Work<'_>, sweep: &str) -> Result<ExitCode> {
    let mut all: BTreeMap<u64, Row> = BTreeMap::new();
    let folder = options.output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or(PathBuf::from("."), Path::to_path_buf);
    let name = options.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            file.starts_with(&format!("{name}.")) && file.ends_with(".jsonl")
        })
        .collect();
    files.sort();
    for file in &files {
        all.append(&mut rows::read(file, sweep)?);
    }
    let missing: Vec<u64> = (0..work.cases.len()).filter(|number| !all.contains_key(number)).collect();
    if let Some(first) = missing.first() {
        let count = table::counted(missing.len() as u64, "run");
        bail!(
            "{count} of {} missing, the first is {first}; {} files of rows were read",
            work.cases.len(),
            files.len()
        );
    }
    rows::write_table(&options.output, &work.columns(), &all)?;
    if !options.quiet {
        print_summary(&all, &options.output);
    }
    Ok(ExitCode::SUCCESS)
}

/// What every run needs.
struct Work<'a> {
    grid: &'a Grid,
    cases: &'a Cases,
    text: &'a str,
    path: &'a Path,
}

impl Work<'_> {
    /// A path that names nothing is a mistake of the grid, not of a run.
    fn try_paths(&self) -> Result<()> {
        if self.cases.len() > 0 {
            carom_scene::change(self.text, &self.cases.get(0).changes(), &ReadOptions::default())?;
        }
        Ok(())
    }

    /// Runs what is wanted; says whether all of it was done.
    fn perform(&self, wanted: &[u64], rows: &mut Rows, part: &Path, options: &Sweep) -> Result<bool> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if options.jobs == 0 { cores } else { options.jobs }.min(wanted.len().max(1));
        // runs are side by side: threads inside of them would only be in each other's way
        let _started_already = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
        let bar = progress::files(wanted.len() as u64, options.quiet);
        let (next, kept) = (AtomicUsize::new(0), Mutex::new(rows));
        let interrupted = interrupt::flag();
        let stop = || interrupted.is_set_for_all();
        let work = || -> Result<()> {
            while let Some(number) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                let row = interrupt::during(|| self.row(*number, &mut stop.clone()));
                let Some(row) = row else { return Ok(()) };
                let mut rows = kept.lock().map_err(|_| anyhow::anyhow!("another run ended badly"))?;
                rows.add(*number, row)?;
                bar.inc(1);
            }
            Ok(())
        };
        let path = part.display().to_string();
        interrupt::last_words(Some(Box::new(move || tell_stopped("rows so far", &path))));
        let ended = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| bail!("a run ended badly; the rows before it are kept"))
            })
        });
        interrupt::last_words(None);
        bar.finish_and_clear();
        ended?;
        Ok(!interrupted.is_set())
    }

    /// One run as a row; nothing when it was interrupted.
    fn row(&self, number: u64, stop: &mut impl FnMut() -> bool) -> Option<Row> {
        let case = self.cases.get(number);
        let mut row = Row::new();
        row.insert("run".to_owned(), json!(number));
        for (axis, value) in &case.settings {
            row.insert(axis.name.clone(), serde_json::to_value(value).unwrap_or(Value::Null));
        }
        let outcome = self
            .start(&case)
            .map(|(mut simulation, plan)| survey(&mut simulation, plan, self.grid.rest_speed, stop));
        match outcome {
            Ok(found) if found.end == RunEnd::Stopped => return None,
            Ok(found) => self.measure(&found, &mut row),
            Err(error) => {
                row.insert("status".to_owned(), json!("invalid"));
                row.insert("reason".to_owned(), json!(format!("{error:#}")));
            }
        }
        Some(row)
    }

    fn start(&self, case: &Case) -> Result<(Simulation, Plan)> {
        let text = carom_scene::change(self.text, &case.changes(), &ReadOptions::default())?;
        let reading = scene_file::read(self.path, &text, READING);
        let words = || carom_scene::diagnostics(&reading.problems, &text).first().map(|d| d.message.clone());
        let scene: &Scene = match &reading.scene {
            Some(scene) => scene,
            None => bail!("{}", words().unwrap_or_default()),
        };
        let mut simulation = Simulation::new(scene, Options::default())?;
        if let Some(seed) = case.seed() {
            disturb(&mut simulation, &scene.movable(), seed, self.grid.jitter)?;
        }
        let last_step = last_step(&simulation, None, self.grid.until)?;
        let every = simulation.usual_every();
        Ok((simulation, Plan { last_step, every }))
    }

    fn measure(&self, found: &Survey, row: &mut Row) {
        let (status, reason) = match &found.end {
            RunEnd::Failed(failure) => ("failed", Some(failure.to_string())),
            _ => ("finished", None),
        };
        let s = &found.summary;
        let all = json!({
            "status": status, "reason": reason, "steps": found.last.step, "time": found.last.time,
            "hash": found.hash.to_string(), "troubles": s.troubles.iter().map(|t| t.count).sum::<u64>(),
            "energy_start": s.energy_start, "energy_end": s.energy_end, "energy_drift": s.energy_drift,
            "momentum_drift": s.momentum_drift, "angular_momentum_drift": s.angular_momentum_drift,
            "penetration": s.deepest_penetration, "contacts": s.contacts, "first_contact": found.first_contact,
            "rest": found.rest, "residual": s.largest_residual, "iterations": s.iterations,
            "final_positions": numbers(&found.last.positions),
            "final_velocities": numbers(&found.last.velocities),
        });
        let Value::Object(all) = all else { return };
        let columns = self.columns();
        row.extend(all.into_iter().filter(|(name, _)| columns.contains(name)));
    }

    /// Columns of the table, in their order.
    fn columns(&self) -> Vec<String> {
        let mut columns = vec!["run"];
        columns.extend(self.cases.names());
        columns.extend(["status", "reason", "steps", "time", "hash", "troubles"]);
        let usual = [
            Measure::Energy,
            Measure::Momentum,
            Measure::Penetration,
            Measure::Contacts,
            Measure::Rest,
            Measure::Solver,
        ];
        for measure in self.grid.measure.as_deref().unwrap_or(&usual) {
            let names: &[&str] = match measure {
                Measure::Energy => &["energy_start", "energy_end", "energy_drift"],
                Measure::Momentum => &["momentum_drift", "angular_momentum_drift"],
                Measure::Penetration => &["penetration"],
                Measure::Contacts => &["contacts", "first_contact"],
                Measure::Rest => &["rest"],
                Measure::Solver => &["residual", "iterations"],
                Measure::FinalState => &["final_positions", "final_velocities"],
            };
            columns.extend(names.iter().filter(|name| !columns.contains(name)).copied().collect::<Vec<_>>());
        }
        columns.into_iter().map(str::to_owned).collect()
    }
}

/// Numbers as one cell.
fn numbers(list: &[f64]) -> String {
    let words: Vec<String> = list.iter().map(|number| format!("{number:?}")).collect();
    words.join(" ")
}
