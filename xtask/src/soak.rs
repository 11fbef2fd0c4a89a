//! `cargo xtask soak --hours N`: the fuzz targets for hours, each in turn with new seeds, and a table of what was run.
//!
//! Inputs with new outcomes are kept in `target/soak` from round to round and from soak to soak.

use crate::root;
use anyhow::{Context, Result, ensure};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Seconds that each target gets before the next seed is taken.
const ROUND: u64 = 60;

pub(crate) fn run(hours: f64) -> Result<()> {
    ensure!(hours > 0.0 && hours.is_finite(), "--hours must be a number above 0, not {hours}");
    crate::cargo(&["build", "--release", "--quiet", "--package", "carom-fuzz", "--bin", "carom-fuzz"])?;
    let program = root().join("target/release/carom-fuzz");
    let end = Instant::now() + Duration::from_secs_f64(hours * 3600.0);
    let mut seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |passed| passed.as_secs());
    let mut table: Vec<(String, u64, u64)> = Vec::new();
    let mut rounds = 0;
    let start = Instant::now();
    while Instant::now() < end {
        let left = end.saturating_duration_since(Instant::now()).as_secs();
        let seconds = ROUND.min(left / 6 + 1).to_string();
        let output = Command::new(&program)
            .args(["--seconds", &seconds, "--seed", &seed.to_string(), "--population"])
            .arg(root().join("target/soak"))
            .output()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        add(&mut table, &text);
        seed += 1;
        rounds += 1;
    }
    println!("\n| target | inputs | failures |\n|---|---|---|");
    for (name, inputs, failures) in &table {
        println!("| `{name}` | {inputs} | {failures} |");
    }
    println!("\n{rounds} rounds in {:.2} hours", start.elapsed().as_secs_f64() / 3600.0);
    ensure!(table.iter().all(|row| row.2 == 0), "inputs failed: they are saved in fuzz/corpus");
    Ok(())
}

/// Reads the lines of the fuzzer: `  name   123 inputs, none failed` or `  name   123 inputs, 2 FAILED: why`.
fn add(table: &mut Vec<(String, u64, u64)>, text: &str) {
    for line in text.lines().filter(|line| line.starts_with("  ")) {
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        let [name, inputs, _, failures, _] = words[..] else { continue };
        let Ok(inputs) = inputs.parse::<u64>() else { continue };
        let at = table.iter().position(|row| row.0 == name).unwrap_or_else(|| {
            table.push((name.to_owned(), 0, 0));
            table.len() - 1
        });
        table[at].1 += inputs;
        table[at].2 += failures.parse::<u64>().unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_the_fuzzer_are_added_up() {
        let mut table = Vec::new();
        super::add(&mut table, "fuzzing\n  step   12 inputs, none failed\n1 passed\n");
        super::add(&mut table, "  step   3 inputs, 2 FAILED: panicked\n");
        assert_eq!(table, [("step".to_owned(), 15, 2)]);
    }
}
