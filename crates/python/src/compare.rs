//! A student's frames against what the scene should give.

use crate::errors;
use crate::frames::{self, FramesCore};
use carom::grading::{self, ContactAccount, Grade, suspects::Diagnosis};
use carom::{Options, Scene, Simulation};
use carom_scene::ReadOptions;
use carom_trajectory::compare::Residual;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Compares frames with a scene, every step from the step before; the answer is JSON, with the keys
/// of `carom compare --json`. `course`: by the course's rules or by Carom's own; whichever fit
/// where it is not given.
#[pyfunction]
#[pyo3(signature = (text, frames, course=None, tolerance=1e-9))]
pub(crate) fn compare(
    py: Python<'_>,
    text: &str,
    frames: &FramesCore,
    course: Option<bool>,
    tolerance: f64,
) -> PyResult<String> {
    let rules: &[bool] = match course {
        Some(true) => &[true],
        Some(false) => &[false],
        None => &[true, false],
    };
    let examined = py.detach(|| {
        let mut best: Option<Examined> = None;
        let mut refused = String::new();
        for &course in rules {
            match examine(text, frames, course, tolerance) {
                Ok(examined) => {
                    if best.as_ref().is_none_or(|best| examined.fit() > best.fit()) {
                        best = Some(examined);
                    }
                }
                Err(words) => refused = words,
            }
            if best.as_ref().is_some_and(|best| best.grade.passes() && !best.grade.is_short()) {
                break;
            }
        }
        best.map(|best| best.answer()).ok_or(refused)
    });
    examined.map(|answer| answer.to_string()).map_err(|words| errors::argument(py, words))
}

struct Examined {
    scene: Scene,
    options: Options,
    grade: Grade,
    has_contacts: bool,
}

fn examine(text: &str, frames: &FramesCore, course: bool, tolerance: f64) -> Result<Examined, String> {
    let reading = carom_scene::read(text, &ReadOptions { course, strict: false });
    let scene = reading.scene.ok_or_else(|| format!("the scene has {}", reading.problems.summary()))?;
    let options = Options::course(course);
    let simulation = Simulation::new(&scene, options).map_err(|error| error.to_string())?;
    frames::check_shape(&simulation, frames)?;
    let has_contacts = frames.has_contacts;
    let grade = grading::grade_frames(&scene, options, &frames.frames, has_contacts, tolerance);
    let grade = grade.map_err(|error| error.to_string())?;
    Ok(Examined { scene, options, grade, has_contacts })
}

impl Examined {
    /// How good a fit the rules are: the verdict, and how many frames are right before the first
    /// wrong one.
    fn fit(&self) -> (bool, u64) {
        let right = self.grade.wrong_step.as_ref().map_or(self.grade.frames, |wrong| wrong.got.step);
        (self.grade.passes(), right)
    }

    fn answer(&self) -> Value {
        let residual = |r: &Residual| {
            json!({ "quantity": r.quantity, "sum": r.sum, "sum_limit": r.sum_limit, "largest": r.largest,
                    "largest_limit": r.largest_limit, "pass": r.passes() })
        };
        let contact = |account: &ContactAccount| {
            json!({ "pair": account.pair, "features": account.features, "kind": account.contact.kind,
                    "first": account.contact.first, "second": account.contact.second, "normal": account.normal,
                    "approach": account.approach, "expected_impulse": account.expected,
                    "implied_impulse": account.implied, "missed": account.is_missed,
                    "superfluous": account.is_superfluous })
        };
        let diagnosis = |d: &Diagnosis| json!({ "name": d.suspect.name(), "words": d.words(), "explained": d.explained, "wrong": d.wrong });
        let (grade, grader) = (&self.grade, &self.grade.grader);
        let verdict = match (grade.passes(), grade.is_short()) {
            (false, _) => "fail",
            (true, true) => "incomplete",
            (true, false) => "pass",
        };
        let explanation = if grade.passes() {
            None
        } else {
            grading::explain(&self.scene, self.options, grade).map(|explanation| {
                json!({
                    "step": explanation.step,
                    "time": explanation.time,
                    "contacts": explanation.contacts.iter().map(contact).collect::<Vec<_>>(),
                    "diagnoses": explanation.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
                })
            })
        };
        json!({
            "pass": grade.passes(),
            "verdict": verdict,
            "complete": !grade.is_short(),
            "rules": if self.options.course { "course" } else { "default" },
            "failure": grade.failure,
            "frames": grade.frames,
            "planned_frames": grade.planned_frames,
            "has_contacts": self.has_contacts,
            "residuals": grader.residuals.iter().map(residual).collect::<Vec<_>>(),
            "collisions": grader.collisions,
            "first_wrong_step": explanation,
            "first_difference": grader.first,
            "worst_difference": grader.worst,
            "free_run": { "frames": grade.free_run.frames, "identical": grade.free_run.identical,
                          "largest": grade.free_run.largest, "tolerance": grade.free_run.tolerance,
                          "first_beyond_tolerance": grade.free_run.first },
        })
    }
}
