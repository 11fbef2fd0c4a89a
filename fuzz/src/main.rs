//! Feeds the readers their saved corpus and then endless variations of it, for a bounded time.
//!
//! A target fails when it panics, takes longer than [`LONGEST`], or allocates more than
//! [`carom_fuzz::memory_bound`] allows. The input that did it is saved in the corpus, so it becomes
//! a regression test by being committed. Inputs with a new outcome (see `targets`) join the
//! population, which steers the search towards code that has not been reached: feedback without
//! instrumentation. With `--population FOLDER` the population is kept there from one run to the
//! next.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod clock;
mod mutation;

use carom_fuzz::{TARGETS, Target, examine, hash};
use clock::Worked;
use mutation::Mutator;
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Longest time of the processor that one input may take: a reader that needs this long hangs.
/// Steps of crowds take seconds.
const LONGEST: Duration = Duration::from_secs(20);
/// A target that has failed so often is left for this time.
const MOST_FAILURES: usize = 8;
/// Longest input that mutation makes.
const LONGEST_INPUT: usize = 1 << 16;
/// Most inputs kept in the population of a target.
const LARGEST_POPULATION: usize = 4096;

/// The input at work, for the watchdog: when it began, of which target, and its bytes.
static AT_WORK: Mutex<Option<(Worked, &'static str, Vec<u8>)>> = Mutex::new(None);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str| {
        let at = arguments.iter().position(|a| a == name)?;
        arguments.get(at + 1)?.parse::<u64>().ok()
    };
    let seconds = number("--seconds").unwrap_or(10);
    let seed = number("--seed").unwrap_or(1);
    let kept = arguments.iter().position(|a| a == "--population").and_then(|at| arguments.get(at + 1));
    let kept = kept.map(PathBuf::from);
    let only = arguments.iter().position(|a| a == "--target").and_then(|at| arguments.get(at + 1));
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| only.is_none_or(|name| name == target.name)).collect();
    println!("fuzzing {} targets for {seconds} s each, seed {seed}", targets.len());
    // A panic is reported by us with its input; the default message would repeat it for every
    // crash.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(watch);
    let mut failed = 0;
    for target in &targets {
        let kept = kept.as_ref().map(|folder| folder.join(target.name));
        match run(target, Duration::from_secs(seconds), seed, kept.as_deref()) {
            Ok((count, failures)) if failures.is_empty() => {
                println!("  {:24} {count} inputs, none failed", target.name);
            }
            Ok((count, failures)) => {
                failed += 1;
                let list = failures.join("; ");
                println!("  {:24} {count} inputs, {} FAILED: {list}", target.name, failures.len());
            }
            Err(problem) => {
                failed += 1;
                println!("  {:24} 0 inputs, 1 FAILED: {problem}", target.name);
            }
        }
    }
    println!("{} passed, {failed} failed", targets.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Ends the program when an input never returns, and saves it first.
fn watch() {
    loop {
        clock::look();
        std::thread::sleep(Duration::from_secs(1));
        let Ok(slot) = AT_WORK.lock() else { return };
        if let Some((start, name, input)) = slot.as_ref()
            && start.is_longer_ago_than(2 * LONGEST)
        {
            let path = corpus_folder(name).join(format!("hang-{:016x}", hash(input)));
            let saved = fs::write(&path, input).is_ok();
            println!(
                "  {name:24} 0 inputs, 1 FAILED: hangs; input {} {}",
                if saved { "saved as" } else { "not saved:" },
                path.display()
            );
            std::process::exit(1);
        }
    }
}

fn corpus_folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// Tries the corpus and what comes of it. Gives the number of inputs, and what failed.
fn run(
    target: &Target,
    time: Duration,
    seed: u64,
    kept: Option<&Path>,
) -> Result<(u64, Vec<String>), String> {
    let folder = corpus_folder(target.name);
    let mut population = read_corpus(&folder)?;
    if let Some(kept) = kept {
        fs::create_dir_all(kept).map_err(|e| format!("cannot make {}: {e}", kept.display()))?;
        population.extend(read_corpus(kept).unwrap_or_default());
        // What failed in an earlier round of the same soak is reported: to try it again would end
        // every round there.
        population.retain(|input| !is_known_failure(&folder, input));
    }
    let (mut outcomes, mut failures, mut count) = (BTreeSet::new(), Vec::new(), 0);
    population.retain(|input| {
        count += 1;
        match try_input(target, input, &folder) {
            Ok(outcome) => outcomes.insert(outcome) || kept.is_none(),
            Err(problem) => {
                failures.push(problem);
                false
            }
        }
    });
    let mut mutator = Mutator::new(seed, target.words);
    let start = Instant::now();
    while start.elapsed() < time && failures.len() < MOST_FAILURES && !population.is_empty() {
        let mut input = mutator.vary(&population);
        input.truncate(LONGEST_INPUT);
        count += 1;
        match try_input(target, &input, &folder) {
            Ok(outcome) if outcomes.insert(outcome) && population.len() < LARGEST_POPULATION => {
                if let Some(kept) = kept {
                    let path = kept.join(format!("{:016x}", hash(&input)));
                    fs::write(&path, &input).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
                }
                population.push(input);
            }
            Ok(_) => {}
            Err(problem) => failures.push(problem),
        }
    }
    Ok((count, failures))
}

fn is_known_failure(folder: &Path, input: &[u8]) -> bool {
    let name = format!("{:016x}", hash(input));
    ["failure", "hang"].iter().any(|kind| folder.join(format!("{kind}-{name}")).exists())
}

fn read_corpus(folder: &Path) -> Result<Vec<Vec<u8>>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("no corpus in {}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect();
    paths.sort();
    let inputs: Vec<Vec<u8>> = paths.iter().filter_map(|p| fs::read(p).ok()).collect();
    if inputs.is_empty() { Err(format!("the corpus in {} is empty", folder.display())) } else { Ok(inputs) }
}

/// Gives the outcome of one input, or what is wrong with it and where it was saved.
fn try_input(target: &Target, input: &[u8], folder: &Path) -> Result<u64, String> {
    let start = Worked::now();
    if let Ok(mut slot) = AT_WORK.lock() {
        *slot = Some((start, target.name, input.to_vec()));
    }
    let problem = match catch_unwind(AssertUnwindSafe(|| examine(target, input))) {
        Err(panic) => format!("panicked ({})", words(&*panic)),
        Ok(_) if start.is_longer_ago_than(LONGEST) => format!("took more than {LONGEST:?}"),
        Ok(outcome) => return Ok(outcome),
    };
    let path = folder.join(format!("failure-{:016x}", hash(input)));
    let saved = fs::write(&path, input)
        .map_or_else(|e| format!("could not be saved: {e}"), |()| format!("saved as {}", path.display()));
    Err(format!("{problem} on an input of {} bytes, {saved}", input.len()))
}

/// The first words of a panic.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no words").chars().take(120).collect()
}
