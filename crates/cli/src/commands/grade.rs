//! `carom grade`: a whole class at once. Every file is examined as `carom compare` does it, in
//! parallel; one broken file spoils nothing.

mod find;
mod table;

use crate::arguments::Grade;
use crate::commands::compare::{page, words};
use crate::examination::{self, Examination, Question, Refusal, Rules, Verdict};
use crate::{output, progress};
use anyhow::{Context, Result, ensure};
use carom::grading::Explanation;
use find::Submission;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of one submission.
pub(super) struct Row {
    student: String,
    scene: String,
    /// `pass`, `fail`, `incomplete`, `error` or `missing`.
    verdict: &'static str,
    rules: &'static str,
    frames: Option<[u64; 2]>,
    first_difference: String,
    diagnosis: String,
    /// The diagnosis in full, or why nothing could be examined.
    words: String,
    file: String,
}

pub(crate) fn run(options: &Grade) -> Result<ExitCode> {
    for target in [&options.csv, &options.html].into_iter().flatten() {
        output::check_target(target, &[])?;
    }
    let submissions = find::submissions(&options.paths)?;
    ensure!(!submissions.is_empty(), "there is nothing to grade: no file belongs to one of the scenes");
    if let Some(folder) = &options.reports {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let rows = grade_all(&submissions, options);
    crate::unless_unread(print(&rows, options))?;
    if let Some(target) = &options.csv {
        table::write_csv(target, &rows)?;
    }
    if let Some(target) = &options.html {
        table::write_html(target, &rows)?;
    }
    let all_pass = rows.iter().all(|row| row.verdict == Verdict::Pass.name());
    Ok(if all_pass { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print(rows: &[Row], options: &Grade) -> Result<()> {
    let mut out = crate::terminal::colored();
    if options.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&table::json(rows))?)?;
        return Ok(());
    }
    write!(out, "{}", table::text(rows))?;
    for target in [&options.csv, &options.html, &options.reports].into_iter().flatten() {
        writeln!(out, "  → {}", target.display())?;
    }
    Ok(())
}

/// Examines all submissions on as many threads as there are cores; the rows come in the order of
/// the submissions.
fn grade_all(submissions: &[Submission], options: &Grade) -> Vec<Row> {
    let bar = progress::files(submissions.len() as u64, options.json);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if options.threads == 0 { cores } else { usize::from(options.threads) };
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<Option<Row>>> = Mutex::new(submissions.iter().map(|_| None).collect());
    let work = || loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(submission) = submissions.get(index) else { return };
        let graded = catch_unwind(AssertUnwindSafe(|| grade_one(submission, options)));
        let row =
            graded.unwrap_or_else(|_| failed(submission, "Carom itself failed on this file".to_owned()));
        if let Ok(mut rows) = rows.lock() {
            rows[index] = Some(row);
        }
        bar.inc(1);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(submissions.len()) {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let rows = rows.into_inner().unwrap_or_default();
    rows.into_iter().flatten().collect()
}

fn failed(submission: &Submission, words: String) -> Row {
    Row {
        student: submission.student.clone(),
        scene: submission.scene_name.clone(),
        verdict: "error",
        rules: "",
        frames: None,
        first_difference: String::new(),
        diagnosis: String::new(),
        words,
        file: submission.file.as_ref().map_or(String::new(), |file| file.display().to_string()),
    }
}

fn grade_one(submission: &Submission, options: &Grade) -> Row {
    let Some(file) = &submission.file else {
        return Row { verdict: "missing", ..failed(submission, "there is no file".to_owned()) };
    };
    if submission.scene.as_os_str().is_empty() {
        let words = if file.is_dir() {
            format!("cannot read the folder {}", file.display())
        } else {
            "it belongs to no scene: its name must end with the name of one".to_owned()
        };
        return failed(submission, words);
    }
    let rules = match (options.reading.course, options.default_rules) {
        (true, _) => Some(Rules::Course),
        (false, true) => Some(Rules::Default),
        (false, false) => None,
    };
    let strict = options.reading.strict;
    let question = Question { scene: &submission.scene, file, rules, strict, tolerance: f64::INFINITY };
    match examination::examine(&question) {
        Ok(examination) => {
            let mut row = row_of(submission, &examination);
            if let (Some(folder), true) = (&options.reports, examination.verdict() != Verdict::Pass)
                && let Err(error) = write_page(folder, submission, &examination, file)
            {
                row.words = format!("{} (its page could not be written: {error:#})", row.words);
            }
            row
        }
        Err(Refusal::Scene(problems)) => {
            let first = problems.lines().next().unwrap_or_default().to_owned();
            failed(submission, format!("the scene has errors: {first}"))
        }
        Err(Refusal::Other(error)) => failed(submission, format!("{error:#}")),
    }
}

fn write_page(folder: &Path, submission: &Submission, examination: &Examination, file: &Path) -> Result<()> {
    let plain = |name: &str| name.replace(['/', '\\'], "-");
    let name = format!("{}-{}.html", plain(&submission.student), plain(&submission.scene_name));
    page::write(&folder.join(name), examination, file, None)
}

fn row_of(submission: &Submission, examination: &Examination) -> Row {
    let grade = &examination.grade;
    let collision = grade.grader.collisions.first.first();
    let number = grade.grader.first.as_ref();
    let first_difference = match (number, collision) {
        (Some(number), Some(collision)) if collision.frame < number.frame => {
            format!("frame {}: {}", collision.frame, words::describe_collision(collision))
        }
        (Some(number), _) => words::describe(number, words::noun(grade.grader.family)),
        (None, Some(collision)) => {
            format!("frame {}: {}", collision.frame, words::describe_collision(collision))
        }
        (None, None) => String::new(),
    };
    let diagnosis = examination.explanation.as_ref().and_then(|e| e.diagnoses.first());
    let other = grade.failure.clone().or_else(|| examination::damage(grade));
    let ending = words::ending(examination);
    let words = examination.explanation.as_ref().and_then(all_words).or(other);
    Row {
        verdict: examination.verdict().name(),
        rules: examination.rules.name(),
        frames: Some([grade.frames, grade.planned_frames]),
        first_difference,
        diagnosis: diagnosis.map_or(String::new(), |d| d.suspect.name().to_owned()),
        words: words.unwrap_or_else(|| ending.trim_start_matches([':', ',', ' ']).to_owned()),
        ..failed(submission, String::new())
    }
}

/// The diagnosis in full, with the names of those that fit as well.
fn all_words(explanation: &Explanation) -> Option<String> {
    let (first, rest) = explanation.diagnoses.split_first()?;
    let equal = rest.iter().filter(|d| d.explained == first.explained);
    let names: Vec<&str> = equal.map(|d| d.suspect.name()).collect();
    Some(match names.is_empty() {
        true => first.words(),
        false => format!("{} [or {}]", first.words(), names.join(", ")),
    })
}
