//! What is wrong with a scene: the findings of `carom check`, with places that an editor
//! understands.

use crate::session::MOST_BODIES;
use carom::{BuildError, Options, Simulation, build_problem};
use carom_scene::{ReadOptions, Scene, Severity};
use serde_json::{Value, json};
use std::ops::Range;

/// A text that was read, checked and built.
#[derive(Debug)]
pub struct SceneReport {
    /// The scene, when it can be run.
    pub scene: Option<Scene>,
    /// The findings as JSON: `can_run`, `errors`, `warnings`, `build_error` and `problems` as
    /// `carom check --json` gives them, each problem with `start` and `end` in UTF-16 units
    /// besides, and with `replace` where a fix is known.
    pub findings: Value,
}

impl SceneReport {
    /// Reads a text and says all that is wrong with it.
    pub fn of(text: &str) -> SceneReport {
        let mut reading = carom_scene::read(text, &ReadOptions::default());
        let refused = reading.scene.as_ref().and_then(refusal);
        if let (Some(scene), Some((_, Some(error)))) = (&reading.scene, &refused)
            && let Some(problem) = build_problem(scene, &reading.source_map, error)
        {
            reading.problems.push(problem);
        }
        let build_error = refused.map(|(reason, _)| reason);
        let lines = carom_scene::diagnostics(&reading.problems, text);
        let places = Utf16::of(
            text,
            reading.problems.iter().flat_map(|problem| {
                let replaced =
                    problem.replacement.as_ref().map_or(0..0, |replacement| replacement.span.clone());
                [problem.span.start, problem.span.end, replaced.start, replaced.end]
            }),
        );
        let problems: Vec<Value> = reading
            .problems
            .iter()
            .zip(&lines)
            .map(|(problem, line)| {
                let replace = problem.replacement.as_ref().map(|replacement| {
                    let Range { start, end } = places.range(&replacement.span);
                    json!({ "start": start, "end": end, "text": replacement.text })
                });
                let Range { start, end } = places.range(&problem.span);
                json!({
                    "severity": match problem.severity { Severity::Error => "error", Severity::Warning => "warning" },
                    "line": line.line, "column": line.column, "start": start, "end": end,
                    "message": problem.message, "label": problem.label, "help": problem.help,
                    "suggestion": line.suggestion, "replace": replace,
                    "tag": problem.tag, "attribute": problem.attribute, "repeats": problem.repeats,
                })
            })
            .collect();
        let can_run = reading.scene.is_some() && build_error.is_none();
        let findings = json!({
            "can_run": can_run, "errors": reading.problems.errors(), "warnings": reading.problems.warnings(),
            "summary": reading.problems.summary(), "build_error": build_error, "problems": problems,
        });
        SceneReport { scene: reading.scene.filter(|_| can_run), findings }
    }
}

/// Why a scene that reads cannot be run: it has too many bodies for a page, or the world that it
/// describes refuses it.
fn refusal(scene: &Scene) -> Option<(String, Option<BuildError>)> {
    let bodies = scene.movable().len();
    if bodies > MOST_BODIES {
        let reason = format!(
            "the scene has {bodies} bodies; a page opens at most {MOST_BODIES}. The program has no such limit: carom run"
        );
        return Some((reason, None));
    }
    Simulation::new(scene, Options::default()).err().map(|error| (error.to_string(), Some(error)))
}

/// Byte positions of a text in the units that JavaScript counts.
struct Utf16 {
    bytes: Vec<usize>,
    units: Vec<usize>,
}

impl Utf16 {
    /// One pass over the text for all positions. A position inside a character or beyond the end is
    /// moved down.
    fn of(text: &str, positions: impl Iterator<Item = usize>) -> Utf16 {
        let mut bytes: Vec<usize> = positions.collect();
        bytes.sort_unstable();
        bytes.dedup();
        let mut units = Vec::with_capacity(bytes.len());
        let mut characters = text.char_indices().peekable();
        let mut passed = 0;
        for &position in &bytes {
            while let Some((_, character)) = characters.next_if(|(at, c)| at + c.len_utf8() <= position) {
                passed += character.len_utf16();
            }
            units.push(passed);
        }
        Utf16 { bytes, units }
    }

    fn range(&self, span: &Range<usize>) -> Range<usize> {
        let unit = |byte: usize| self.bytes.binary_search(&byte).map_or(0, |place| self.units[place]);
        unit(span.start)..unit(span.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_javascript_counts() {
        // ç is one unit and two bytes, the clef two units and four bytes.
        let text = "aç𝄞b";
        let places = Utf16::of(text, [0, 1, 3, 7, 8, 99, 2].into_iter());
        let units: Vec<usize> =
            [0, 1, 3, 7, 8, 99, 2].into_iter().map(|b| places.range(&(b..b)).start).collect();
        assert_eq!(units, [0, 1, 2, 4, 5, 5, 1]);
    }

    #[test]
    fn a_wrong_word_is_marked_where_it_stands_and_corrected_by_its_replacement() {
        let text = "<scene>\n  <!-- 𝄞 --> <duration tme=\"1\"/>\n  <integrator type=\"explicit-euler\" dt=\"0.1\"/>\n</scene>";
        let report = SceneReport::of(text);
        assert!(report.scene.is_none());
        assert_eq!(report.findings["can_run"], false);
        let units: Vec<u16> = text.encode_utf16().collect();
        let problem =
            report.findings["problems"].as_array().unwrap().iter().find(|p| !p["replace"].is_null()).unwrap();
        let place = |key: &str| problem["replace"][key].as_u64().unwrap() as usize;
        assert_eq!(String::from_utf16(&units[place("start")..place("end")]).unwrap(), "tme");
        let corrected: Vec<u16> = units[..place("start")]
            .iter()
            .copied()
            .chain(problem["replace"]["text"].as_str().unwrap().encode_utf16())
            .chain(units[place("end")..].iter().copied())
            .collect();
        let report = SceneReport::of(&String::from_utf16(&corrected).unwrap());
        assert_eq!(report.findings["can_run"], true, "{}", report.findings);
    }

    #[test]
    fn a_body_that_the_world_refuses_is_marked_where_it_stands() {
        let corners: String = ["0\" y=\"0", "3\" y=\"3", "3\" y=\"0", "0\" y=\"2"]
            .map(|place| format!("<rigidbodyvertex x=\"{place}\" m=\"1\"/>"))
            .concat();
        let text = format!(
            "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"explicit-euler\" dt=\"0.1\"/>{corners}\n\
             <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" solid=\"1\" density=\"1\"/></scene>"
        );
        let findings = SceneReport::of(&text).findings;
        assert_eq!(findings["can_run"], false);
        let problem = &findings["problems"][0];
        assert_eq!(
            (problem["line"].as_u64(), problem["tag"].as_str()),
            (Some(2), Some("rigidbody")),
            "{findings}"
        );
        assert!(problem["message"].as_str().unwrap().contains("crosses"), "{findings}");
    }

    #[test]
    fn a_scene_with_too_many_bodies_is_not_built() {
        let particle = r#"<particle m="1" px="0" py="0" vx="0" vy="0" fixed="0"/>"#;
        let text = format!(
            r#"<scene><duration time="1"/><integrator type="explicit-euler" dt="0.1"/>{}</scene>"#,
            particle.repeat(MOST_BODIES + 1)
        );
        let report = SceneReport::of(&text);
        assert!(report.scene.is_none());
        assert!(report.findings["build_error"].as_str().unwrap().contains("200001 bodies"));
    }
}
