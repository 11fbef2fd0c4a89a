//! `cargo xtask soak --hours N`: the fuzz targets for hours, each in turn with new seeds, and a
//! table of what was run.
//!
//! libFuzzer steers by coverage where it can be built (a C++ compiler is all that it needs: the
//! instrumentation is a pass of LLVM that stable Rust has); else the loop of `carom-fuzz` runs,
//! steered by outcomes. Inputs that reach new code are kept in `target/soak` from round to round
//! and from soak to soak, the table in `target/soak/table.md`.

use crate::root;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Seconds that each target gets before the next seed is taken, where there is time for three
/// rounds: what was kept is run again at the start of each, which takes half a minute of worlds.
const ROUND: std::ops::RangeInclusive<f64> = 60.0..=300.0;
/// Coverage of edges and of compared numbers, as cargo-fuzz sets it.
const INSTRUMENTED: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0";
/// libFuzzer's own limits: seconds for an input, which instrumented code needs more of, and
/// megabytes.
const LIMITS: [&str; 4] =
    ["-timeout=600", "-rss_limit_mb=4096", "-report_slow_units=100000", "-print_final_stats=1"];

/// What was run of a target.
#[derive(Debug, Default, PartialEq)]
struct Row {
    name: String,
    inputs: u64,
    failures: u64,
    /// Edges of code that were reached, and inputs that reach them all; not known of the loop.
    edges: u64,
    corpus: u64,
    /// Of the processor.
    seconds: f64,
}

pub(crate) fn run(hours: f64) -> Result<()> {
    ensure!(hours > 0.0 && hours.is_finite(), "--hours must be a number above 0, not {hours}");
    let names = targets()?;
    let instrumented = instrumented(&names)?;
    let mut table: Vec<Row> = names.into_iter().map(|name| Row { name, ..Row::default() }).collect();
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(hours * 3600.0);
    let mut seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |passed| passed.as_secs());
    let each = (hours * 3600.0 / (3 * table.len()) as f64).clamp(*ROUND.start(), *ROUND.end()) as u64;
    let mut rounds = 0;
    while Instant::now() < end {
        for row in &mut table {
            let left = end.saturating_duration_since(Instant::now()).as_secs();
            if left == 0 {
                break;
            }
            round(row, instrumented.as_deref(), each.min(left), seed)?;
        }
        seed += 1;
        rounds += 1;
        let text = written(&table, rounds, start.elapsed(), instrumented.is_some());
        fs::write(kept("table.md"), &text)?;
        println!("{text}");
    }
    ensure!(table.iter().all(|row| row.failures == 0), "inputs failed: they are saved in fuzz/corpus");
    Ok(())
}

/// Every target has a corpus of its name.
fn targets() -> Result<Vec<String>> {
    let entries = fs::read_dir(root().join("fuzz/corpus")).context("no corpus")?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

fn kept(name: &str) -> PathBuf {
    root().join("target/soak").join(name)
}

/// The folder of the programs that libFuzzer steers, or nothing where they cannot be built and the
/// loop was.
fn instrumented(names: &[String]) -> Result<Option<PathBuf>> {
    // Named, so that build scripts and procedural macros are not instrumented.
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "--package", "carom-fuzz", "--features", "coverage"]);
    build.args(["--target", &target, "--target-dir", "target/coverage"]);
    names.iter().for_each(|name| {
        build.args(["--bin", name]);
    });
    let built = build.env("RUSTFLAGS", INSTRUMENTED).current_dir(root()).status();
    if built.is_ok_and(|status| status.success()) {
        return Ok(Some(root().join("target/coverage").join(target).join("release")));
    }
    println!(
        "libFuzzer cannot be built here (it needs Linux and a C++ compiler): the loop runs, without coverage"
    );
    crate::cargo(&["build", "--release", "--quiet", "--package", "carom-fuzz", "--bin", "carom-fuzz"])?;
    Ok(None)
}

/// One target for some seconds.
fn round(row: &mut Row, instrumented: Option<&Path>, seconds: u64, seed: u64) -> Result<()> {
    let saved = root().join("fuzz/corpus").join(&row.name);
    let population = kept(&row.name);
    fs::create_dir_all(&population)?;
    let mut command = match instrumented {
        Some(folder) => {
            for entry in fs::read_dir(&saved)?.flatten() {
                // What failed before would end every round at its start.
                if !is_failure(&entry.file_name().to_string_lossy()) {
                    fs::copy(entry.path(), population.join(entry.file_name()))?;
                }
            }
            let mut command = Command::new(folder.join(&row.name));
            command.arg(&population).args(LIMITS);
            command.args([format!("-max_total_time={seconds}"), format!("-seed={}", seed as u32)]);
            command.arg(format!("-artifact_prefix={}/failure-", saved.display()));
            command
        }
        None => {
            let mut command = Command::new(root().join("target/release/carom-fuzz"));
            command.args(["--target", &row.name, "--seconds", &seconds.to_string()]);
            command.args(["--seed", &seed.to_string(), "--population"]).arg(kept(""));
            command
        }
    };
    let before = processor_seconds();
    let output = command.output().with_context(|| format!("cannot start the fuzzer of {}", row.name))?;
    row.seconds += processor_seconds() - before;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    if !output.status.success() {
        row.failures += 1;
        let words = text.lines().filter(|line| line.contains("panicked") || line.contains("ERROR"));
        words.for_each(|line| println!("{}: {}", row.name, line.chars().take(400).collect::<String>()));
    }
    row.add(&text);
    Ok(())
}

fn is_failure(name: &str) -> bool {
    name.starts_with("failure-") || name.starts_with("hang-")
}

/// Time of the processor that children which have ended have had: fields 16 and 17 of
/// `/proc/self/stat`; 0 elsewhere.
fn processor_seconds() -> f64 {
    let ticks = || {
        let text = fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    ticks().unwrap_or(0) as f64 / 100.0
}

impl Row {
    /// Reads what libFuzzer or the loop printed.
    fn add(&mut self, text: &str) {
        let after = |line: &str, word: &str| {
            let rest = line.split_once(word)?.1.trim_start();
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
        };
        for line in text.lines() {
            self.inputs += after(line, "stat::number_of_executed_units:").unwrap_or(0);
            self.edges = self.edges.max(after(line, " cov:").unwrap_or(0));
            self.corpus = after(line, " corp:").unwrap_or(self.corpus);
            if let Some((name, rest)) = line.trim_start().split_once(' ')
                && name == self.name
                && rest.contains("inputs,")
            {
                self.inputs += after(rest, "").unwrap_or(0);
            }
        }
    }
}

fn written(table: &[Row], rounds: u64, wall: Duration, steered: bool) -> String {
    let mut text = String::from(
        "| target | inputs | edges reached | inputs kept | processor | failures |\n|---|---|---|---|---|---|\n",
    );
    let mut all = 0.0;
    for row in table {
        let known = |number: u64| if steered { number.to_string() } else { "–".to_owned() };
        let (edges, corpus, minutes) = (known(row.edges), known(row.corpus), row.seconds / 60.0);
        all += row.seconds / 3600.0;
        text += &format!(
            "| `{}` | {} | {edges} | {corpus} | {minutes:.1} min | {} |\n",
            row.name, row.inputs, row.failures
        );
    }
    let hours = wall.as_secs_f64() / 3600.0;
    text + &format!("\n{rounds} rounds in {hours:.2} hours of the clock, {all:.2} hours of the processor\n")
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn what_fuzzers_print_is_added_up() {
        let mut row = Row { name: "step".into(), ..Row::default() };
        row.add("fuzzing\n  step   12 inputs, none failed\n1 passed\n");
        row.add("  step   3 inputs, 2 FAILED: panicked\n  solver 7 inputs, none failed\n");
        assert_eq!(row.inputs, 15);
        row.add("#2209\tDONE   cov: 4711 ft: 9 corp: 770/18Kb lim: 4 exec/s: 200 rss: 41Mb\nstat::number_of_executed_units: 2209\n");
        assert_eq!((row.inputs, row.edges, row.corpus), (2224, 4711, 770));
    }
}
