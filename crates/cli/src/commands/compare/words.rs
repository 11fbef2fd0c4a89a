//! The verdict for people: "you" is who wrote the file.

use crate::examination::{self, Examination, Verdict};
use crate::table;
use anyhow::Result;
use carom::grading::{ContactAccount, Explanation, Grade};
use carom_trajectory::Family;
use carom_trajectory::compare::{
    CollisionDifference, CollisionDifferences, CollisionProblem, Comparison, Difference,
};
use std::io::Write;
use std::path::Path;

/// Prints everything that is worth knowing about an examined file.
pub(super) fn print(examination: &Examination, file: &Path) -> Result<()> {
    let mut out = crate::terminal::colored();
    writeln!(out, "{} against {}: {}", file.display(), examination.scene.name, headline(examination))?;
    print_grade(&mut out, &examination.grade)?;
    if let Some(explanation) = &examination.explanation {
        for line in why(explanation) {
            writeln!(out, "  {line}")?;
        }
    }
    let color = match examination.verdict() {
        Verdict::Pass => 32,
        Verdict::Incomplete => 33, // nothing in it is wrong
        Verdict::Fail => 31,
    };
    writeln!(out, "\u{1b}[1;{color}m{}\u{1b}[0m{}", examination.verdict().name(), ending(examination))?;
    Ok(())
}

/// Why a file is wrong, line by line.
pub(crate) fn why(explanation: &Explanation) -> Vec<String> {
    const SHOWN: usize = 8;
    let mut lines = Vec::new();
    let contacts = &explanation.contacts;
    if !contacts.is_empty() {
        let number = table::number;
        lines.push(format!(
            "first wrong step {} (to t = {} s): {}",
            explanation.step,
            number(explanation.time),
            table::counted(contacts.len() as u64, "contact")
        ));
        for account in contacts.iter().take(SHOWN) {
            lines.push(format!("  {}", contact_words(account)));
        }
        if contacts.len() > SHOWN {
            lines.push(format!("  and {} more", contacts.len() - SHOWN));
        }
    }
    let best = explanation.diagnoses.first().map_or(0, |d| d.explained);
    for (k, diagnosis) in explanation.diagnoses.iter().filter(|d| d.explained == best).enumerate() {
        let sure = if diagnosis.wrong > 1 {
            format!(" [{} of the {} wrong steps checked are explained]", diagnosis.explained, diagnosis.wrong)
        } else {
            String::new()
        };
        let lead = if k == 0 { "diagnosis" } else { "or" };
        lines.push(format!(
            "\u{1b}[1m{lead}\u{1b}[0m {}: {}{sure}",
            diagnosis.suspect.name(),
            diagnosis.words()
        ));
    }
    lines
}

/// A contact of the first wrong step, in a sentence.
fn contact_words(account: &ContactAccount) -> String {
    let number = table::number;
    let [x, y] = account.normal;
    let features =
        if account.features.is_empty() { String::new() } else { format!(" ({})", account.features) };
    let state = match (account.is_missed, account.is_superfluous) {
        (true, _) => "; you do not list it",
        (_, true) => "; you list it, it is none",
        _ => "",
    };
    format!(
        "{}{features}: normal ({}, {}), approach {} m/s, impulse: yours {}, right {}{state}",
        account.pair,
        number(x),
        number(y),
        number(account.approach),
        number(account.implied),
        number(account.expected)
    )
}

fn headline(examination: &Examination) -> String {
    let found = if examination.found { ", which fit it best" } else { "" };
    format!(
        "{}, every step from your frame before, by {}{found}",
        table::counted(examination.grade.frames, "frame"),
        examination.rules.words()
    )
}

/// What follows the verdict.
pub(crate) fn ending(examination: &Examination) -> String {
    let grade = &examination.grade;
    let (frames, planned) = (table::count(grade.frames), table::count(grade.planned_frames));
    match examination.verdict() {
        Verdict::Incomplete => {
            format!(
                ": right as far as it goes. All {frames} frames are right, the scene has {planned}: \
                 did your program end early, or was the file cut?"
            )
        }
        Verdict::Fail if examination.others_pass => {
            let other = examination.rules.other();
            format!(": by {} it would pass; use {}", other.words(), other.flag())
        }
        Verdict::Fail if grade.is_short() && grade.failure.is_none() => {
            format!(", and the file stops early, at {frames} of {planned} frames")
        }
        Verdict::Pass if grade.frames > grade.planned_frames => format!(
            ": right, but it goes on beyond the end of the scene, with {frames} frames for {planned}; \
             the course's grader does not look there"
        ),
        Verdict::Pass | Verdict::Fail => String::new(),
    }
}

fn print_grade(out: &mut impl Write, grade: &Grade) -> Result<()> {
    for residual in grade.grader.residuals.iter().chain(&grade.grader.quantities) {
        let sum = residual
            .sum_limit
            .map_or(String::new(), |limit| format!("sum {:.1e} (limit {limit:.0e}), ", residual.sum));
        let verdict = verdict(residual.passes());
        writeln!(
            out,
            "  {verdict}  {:10} {sum}largest {:.1e} (limit {:.0e})",
            residual.quantity, residual.largest, residual.largest_limit
        )?;
    }
    print_collisions(out, &grade.grader.collisions)?;
    if let Some(first) = &grade.grader.first {
        writeln!(out, "  first difference: {}", describe(first, noun(grade.grader.family)))?;
        // rounding is no other scene
        if first.frame == 0 && first.difference > 1e-6 && grade.failure.is_none() {
            writeln!(
                out,
                "  your first frame is not the start of the scene: is it the file of another one?"
            )?;
        }
    }
    print_free_run(out, &grade.free_run, noun(grade.grader.family))?;
    if let Some(failure) = &grade.failure {
        writeln!(out, "  {}: {failure}", verdict(false))?;
    }
    if let Some(damage) = examination::damage(grade) {
        writeln!(out, "  {}: {damage}", verdict(false))?;
    }
    Ok(())
}

fn print_free_run(out: &mut impl Write, free: &Comparison, noun: &str) -> Result<()> {
    if free.identical {
        writeln!(out, "  free run: the same bits over {}", table::counted(free.frames, "frame"))?;
        return Ok(());
    }
    let worst = free.largest.iter().max_by(|a, b| a.difference.total_cmp(&b.difference));
    if let Some(place) = worst.and_then(|w| w.place.as_ref()) {
        writeln!(
            out,
            "  free run: apart by {:.1e} at most over {}, at {}",
            place.difference,
            table::counted(free.frames, "frame"),
            describe(place, noun)
        )?;
    }
    if let Some(first) = &free.first {
        writeln!(out, "  free run: beyond {:.0e} first at {}", free.tolerance, describe(first, noun))?;
    }
    Ok(())
}

pub(super) fn print_collisions(out: &mut impl Write, collisions: &CollisionDifferences) -> Result<()> {
    const SHOWN: usize = 10;
    if collisions.passes() {
        writeln!(out, "  {}  collisions", verdict(true))?;
        return Ok(());
    }
    writeln!(
        out,
        "  {}  collisions: you miss {}, have {} too many, and {} with a wrong normal",
        verdict(false),
        collisions.missed,
        collisions.superfluous,
        collisions.wrong_normals
    )?;
    for difference in collisions.first.iter().take(SHOWN) {
        writeln!(out, "        frame {}: {}", difference.frame, describe_collision(difference))?;
    }
    if collisions.count() > SHOWN as u64 {
        writeln!(out, "        and {} more; --json lists them", collisions.count() - SHOWN as u64)?;
    }
    Ok(())
}

/// A collision that differs, in a sentence.
pub(crate) fn describe_collision(d: &CollisionDifference) -> String {
    let normal = |n: Option<[f64; 3]>| n.map_or(String::new(), table::vector);
    let (expected, got) = (normal(d.expected_normal), normal(d.got_normal));
    let pair = format!("{} {} – {}, time {}", d.kind.name(), d.first, d.second, table::number(d.time));
    match d.problem {
        CollisionProblem::Missed => format!("you miss {pair}, normal {expected}"),
        CollisionProblem::Superfluous => format!("you have one too many, {pair}, normal {got}"),
        CollisionProblem::WrongNormal => {
            let numbers =
                d.expected_normal.unwrap_or_default().into_iter().zip(d.got_normal.unwrap_or_default());
            let off = numbers.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            format!("wrong normal of {pair}: yours {got}, right {expected} (off by {off:.1e})")
        }
    }
}

/// What the bodies of a family are called.
pub(crate) fn noun(family: Family) -> &'static str {
    match family {
        Family::Particles => "particle",
        Family::RigidBodies | Family::SpatialBodies => "body",
    }
}

/// A number that differs, in a sentence; `noun` is what bodies are called.
pub(crate) fn describe(d: &Difference, noun: &str) -> String {
    let body = d.body.map_or(String::new(), |b| format!(", {noun} {b}"));
    format!(
        "frame {}{body}, {}: yours {}, right {} (off by {:.1e})",
        d.frame,
        d.quantity,
        every_digit(d.got),
        every_digit(d.expected),
        d.difference
    )
}

/// All digits of a number, with a power of ten where it would have many noughts.
fn every_digit(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-5..1e15).contains(&value.abs()) || !value.is_finite();
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

pub(super) fn verdict(pass: bool) -> &'static str {
    if pass { "\u{1b}[32mok  \u{1b}[0m" } else { "\u{1b}[31mFAIL\u{1b}[0m" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of random bytes used to be answered with three hundred digits.
    #[test]
    fn large_and_small_numbers_are_short() {
        let words = [0.0, 0.1 + 0.2, -1.9518e293, 7.5e-16, f64::NAN].map(every_digit);
        assert_eq!(words, ["0", "0.30000000000000004", "-1.9518e293", "7.5e-16", "NaN"]);
    }
}
