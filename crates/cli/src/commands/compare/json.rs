//! The verdict for programs.

use crate::examination::{self, Examination, Rules};
use carom::grading::suspects::Diagnosis;
use carom::grading::{ContactAccount, Explanation};
use carom_trajectory::compare::Residual;
use serde_json::{Value, json};

/// Everything that is known about an examined file. `pass` reports what was compared, `complete`
/// whether that was the whole run.
pub(crate) fn of(examination: &Examination) -> Value {
    let residual = |r: &Residual| {
        json!({ "quantity": r.quantity, "sum": r.sum, "sum_limit": r.sum_limit, "largest": r.largest,
                "largest_limit": r.largest_limit, "pass": r.passes() })
    };
    let grade = &examination.grade;
    let grader = &grade.grader;
    json!({
        "pass": grade.passes(),
        "verdict": examination.verdict().name(),
        "complete": !grade.is_short(),
        "rules": examination.rules.name(),
        "rules_found": examination.found,
        "course_rules_pass": examination.others_pass && examination.rules == Rules::Default,
        "default_rules_pass": examination.others_pass && examination.rules == Rules::Course,
        "failure": grade.failure,
        "damage": examination::damage(grade),
        "frames": grade.frames,
        "planned_frames": grade.planned_frames,
        "residuals": grader.residuals.iter().map(residual).collect::<Vec<_>>(),
        "quantities": grader.quantities.iter().map(residual).collect::<Vec<_>>(),
        "collisions": grader.collisions,
        "collisions_pass": grader.collisions.passes(),
        "first_wrong_step": examination.explanation.as_ref().map(explanation),
        "first_difference": grader.first,
        "worst_difference": grader.worst,
        "free_run": { "frames": grade.free_run.frames, "identical": grade.free_run.identical, "largest": grade.free_run.largest,
                      "tolerance": grade.free_run.tolerance, "first_beyond_tolerance": grade.free_run.first },
    })
}

fn explanation(explanation: &Explanation) -> Value {
    let contact = |account: &ContactAccount| {
        json!({ "pair": account.pair, "features": account.features, "kind": account.contact.kind,
                "first": account.contact.first, "second": account.contact.second, "normal": account.normal,
                "approach": account.approach, "expected_impulse": account.expected,
                "implied_impulse": account.implied, "missed": account.is_missed,
                "superfluous": account.is_superfluous })
    };
    let diagnosis = |d: &Diagnosis| json!({ "name": d.suspect.name(), "words": d.words(), "explained": d.explained, "wrong": d.wrong });
    json!({
        "step": explanation.step,
        "time": explanation.time,
        "contacts": explanation.contacts.iter().map(contact).collect::<Vec<_>>(),
        "diagnoses": explanation.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
    })
}
