//! The page about an examined file: verdict, reasons, the first wrong step drawn, all differences,
//! the scene. It loads nothing and can be mailed.

use super::pictures::Pictures;
use super::{around, words};
use crate::commands::report;
use crate::examination::{self, Examination, Verdict};
use crate::scene_file;
use crate::table;
use anyhow::Result;
use carom::grading::ContactAccount;
use carom_render::report::{Diagnostic, Page, Severity, Table};
use carom_trajectory::compare::Residual;
use std::path::Path;

/// Writes the page. `curves` are the differences over time, where they were kept.
pub(crate) fn write(
    target: &Path,
    examination: &Examination,
    file: &Path,
    curves: Option<&Pictures<'_>>,
) -> Result<()> {
    let mut tables = vec![residuals(examination)];
    tables.extend(collisions(examination));
    let mut figures = around::figures(examination)?;
    match (contacts(examination), figures.first_mut()) {
        (contacts, Some(first)) => first.table = contacts,
        (contacts, None) => tables.extend(contacts),
    }
    let page = Page {
        title: format!("{}: {}", scene_file::display_name(file), examination.verdict().name()),
        subtitle: subtitle(examination),
        summary: summary(examination, file),
        figures,
        tables,
        charts: curves.map(Pictures::chart).into_iter().collect(),
        diagnostics: diagnostics(examination),
        scene: examination.scene.text.clone(),
        footer: format!("Made by Carom {}.", env!("CARGO_PKG_VERSION")),
        movie: None,
    };
    report::write(target, &page)
}

fn subtitle(examination: &Examination) -> String {
    let description = examination.scene.scene.general.description.clone().unwrap_or_default();
    if description.is_empty() { examination.scene.name.clone() } else { description }
}

fn summary(examination: &Examination, file: &Path) -> Vec<(String, String)> {
    let grade = &examination.grade;
    let mut rows = vec![
        ("file".to_owned(), file.display().to_string()),
        ("scene".to_owned(), examination.scene.name.clone()),
        ("verdict".to_owned(), format!("{}{}", examination.verdict().name(), words::ending(examination))),
        ("rules".to_owned(), examination.rules.words().to_owned()),
        (
            "frames".to_owned(),
            format!("{} of {}", table::count(grade.frames), table::count(grade.planned_frames)),
        ),
    ];
    if let Some(first) = &grade.grader.first {
        rows.push(("first difference".to_owned(), words::describe(first, words::noun(grade.grader.family))));
    }
    rows
}

fn diagnostics(examination: &Examination) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let mut add = |severity, text: String| all.push(Diagnostic { severity, text });
    let grade = &examination.grade;
    if let Some(failure) = &grade.failure {
        add(Severity::Error, failure.clone());
    }
    if let Some(damage) = examination::damage(grade) {
        add(Severity::Error, damage);
    }
    if examination.verdict() == Verdict::Incomplete {
        add(Severity::Warning, "the file stops early".to_owned());
    }
    if let Some(explanation) = &examination.explanation {
        let best = explanation.diagnoses.first().map_or(0, |d| d.explained);
        for diagnosis in explanation.diagnoses.iter().filter(|d| d.explained == best) {
            let text = format!(
                "{}: {} ({} of the {} wrong steps checked are explained)",
                diagnosis.suspect.name(),
                diagnosis.words(),
                diagnosis.explained,
                diagnosis.wrong
            );
            add(Severity::Error, text);
        }
        if explanation.diagnoses.is_empty() {
            add(Severity::Note, "no known error explains the difference".to_owned());
        }
    }
    all
}

fn residuals(examination: &Examination) -> Table {
    let grader = &examination.grade.grader;
    let row = |r: &Residual| {
        let sum = r.sum_limit.map_or(String::new(), |limit| format!("{:.1e} (limit {limit:.0e})", r.sum));
        let largest = format!("{:.1e} (limit {:.0e})", r.largest, r.largest_limit);
        let word = if r.passes() { "pass" } else { "fail" };
        (word, vec![r.quantity.to_owned(), word.to_owned(), sum, largest])
    };
    Table {
        title: "Checks".to_owned(),
        head: ["quantity", "", "sum", "largest"].map(str::to_owned).to_vec(),
        rows: grader.residuals.iter().chain(&grader.quantities).map(row).collect(),
    }
}

fn contacts(examination: &Examination) -> Option<Table> {
    let explanation = examination.explanation.as_ref().filter(|e| !e.contacts.is_empty())?;
    let row = |account: &ContactAccount| {
        let [x, y] = account.normal;
        let state = match (account.is_missed, account.is_superfluous) {
            (true, _) => "not in your list",
            (_, true) => "in your list only",
            _ => "",
        };
        let number = table::number;
        let off = (account.implied - account.expected).abs();
        let class = if off > 1e-8 * account.expected.abs().max(1.0) { "fail" } else { "pass" };
        let cells = vec![
            account.pair.clone(),
            account.features.clone(),
            format!("({}, {})", number(x), number(y)),
            number(account.approach),
            number(account.implied),
            number(account.expected),
            state.to_owned(),
        ];
        (class, cells)
    };
    let head =
        ["contact", "where", "normal", "approach (m/s)", "your impulse (N s)", "right impulse (N s)", ""];
    Some(Table {
        title: format!("Contacts of step {}", explanation.step),
        head: head.map(str::to_owned).to_vec(),
        rows: explanation.contacts.iter().map(row).collect(),
    })
}

fn collisions(examination: &Examination) -> Option<Table> {
    let differences = &examination.grade.grader.collisions;
    if differences.passes() {
        return None;
    }
    let rows =
        differences.first.iter().map(|d| ("fail", vec![d.frame.to_string(), words::describe_collision(d)]));
    Some(Table {
        title: format!(
            "Collisions: {} missed, {} too many, {} with a wrong normal",
            differences.missed, differences.superfluous, differences.wrong_normals
        ),
        head: ["frame", "what differs"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}
