//! The table of a class: for the terminal, for a spreadsheet, for a browser, for a program.

use super::Row;
use crate::commands::report;
use crate::table;
use anyhow::Result;
use carom_render::report::{Page, Table};
use carom_trajectory::atomic;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// How many rows have each verdict.
fn counts(rows: &[Row]) -> String {
    let words = ["pass", "fail", "incomplete", "error", "missing"].map(|verdict| {
        let count = rows.iter().filter(|row| row.verdict == verdict).count();
        if count == 0 { String::new() } else { format!("{count} {verdict}") }
    });
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Students in their order, each once.
fn students(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = rows.iter().map(|row| row.student.as_str()).collect();
    names.dedup();
    names
}

pub(super) fn text(rows: &[Row]) -> String {
    let [student, scene] = [
        rows.iter().map(|row| row.student.chars().count()).max().unwrap_or(0),
        rows.iter().map(|row| row.scene.chars().count()).max().unwrap_or(0),
    ];
    let mut text = String::new();
    for row in rows {
        let color = if row.verdict == "pass" { 32 } else { 31 };
        let why = match (row.diagnosis.is_empty(), row.first_difference.is_empty()) {
            (false, _) => format!("{}: {}", row.diagnosis, row.words),
            // what is said of the file as a whole comes before one number of it
            (true, false) if row.words.is_empty() => row.first_difference.clone(),
            (true, _) => row.words.clone(),
        };
        let line = format!(
            "  {:student$}  {:scene$}  \u{1b}[{color}m{:10}\u{1b}[0m  {why}",
            row.student, row.scene, row.verdict
        );
        let _infallible = writeln!(text, "{}", line.trim_end());
    }
    let (files, people) = (rows.len() as u64, students(rows).len() as u64);
    let (files, people) = (table::counted(files, "file"), table::counted(people, "student"));
    let _infallible = writeln!(text, "{files} of {people}: {}", counts(rows));
    text
}

const COLUMNS: [&str; 9] =
    ["student", "scene", "verdict", "rules", "frames", "first_difference", "diagnosis", "words", "file"];

fn cells(row: &Row) -> [String; 9] {
    let frames = row.frames.map_or(String::new(), |[frames, planned]| format!("{frames} of {planned}"));
    [
        row.student.clone(),
        row.scene.clone(),
        row.verdict.to_owned(),
        row.rules.to_owned(),
        frames,
        row.first_difference.clone(),
        row.diagnosis.clone(),
        row.words.clone(),
        row.file.clone(),
    ]
}

pub(super) fn json(rows: &[Row]) -> Value {
    let object = |row: &Row| {
        let pairs =
            COLUMNS.iter().zip(cells(row)).map(|(name, cell)| ((*name).to_owned(), Value::String(cell)));
        Value::Object(pairs.collect())
    };
    json!({ "pass": rows.iter().all(|row| row.verdict == "pass"), "rows": rows.iter().map(object).collect::<Vec<_>>() })
}

pub(super) fn write_csv(target: &Path, rows: &[Row]) -> Result<()> {
    // A spreadsheet takes what begins with one of these for a formula.
    let quoted = |cell: &str| {
        let guard = if cell.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
        format!("\"{guard}{}\"", cell.replace('"', "\"\"").replace(['\n', '\r'], " "))
    };
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows {
        let line: Vec<String> = cells(row).iter().map(|cell| quoted(cell)).collect();
        text.push_str(&(line.join(",") + "\n"));
    }
    atomic::write_whole(target, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

pub(super) fn write_html(target: &Path, rows: &[Row]) -> Result<()> {
    let mut scenes: Vec<&str> = rows.iter().map(|row| row.scene.as_str()).collect();
    scenes.sort_unstable();
    scenes.dedup();
    let page = Page {
        title: "Grades".to_owned(),
        subtitle: format!(
            "{} of {}: {}",
            table::counted(rows.len() as u64, "file"),
            table::counted(students(rows).len() as u64, "student"),
            counts(rows)
        ),
        tables: vec![overview(rows, &scenes), details(rows)],
        footer: format!("Made by Carom {}.", env!("CARGO_PKG_VERSION")),
        ..Page::default()
    };
    report::write(target, &page)
}

/// A row for each student, a column for each scene.
fn overview(rows: &[Row], scenes: &[&str]) -> Table {
    let line = |student: &&str| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.student == **student).collect();
        let passed = own.iter().filter(|row| row.verdict == "pass").count();
        let mut cells = vec![(**student).to_owned(), format!("{passed} of {}", scenes.len())];
        cells.extend(scenes.iter().map(|scene| {
            let row = own.iter().find(|row| row.scene == *scene);
            row.map_or(String::new(), |row| row.verdict.to_owned())
        }));
        (if passed == scenes.len() { "pass" } else { "fail" }, cells)
    };
    let mut head = vec!["student".to_owned(), "pass".to_owned()];
    head.extend(scenes.iter().map(|scene| (*scene).to_owned()));
    Table { title: "The class".to_owned(), head, rows: students(rows).iter().map(line).collect() }
}

fn details(rows: &[Row]) -> Table {
    let line = |row: &Row| {
        let class = if row.verdict == "pass" { "pass" } else { "fail" };
        (class, cells(row)[..8].to_vec())
    };
    Table {
        title: "Every file".to_owned(),
        head: COLUMNS[..8].iter().map(|name| name.replace('_', " ")).collect(),
        rows: rows.iter().map(line).collect(),
    }
}
