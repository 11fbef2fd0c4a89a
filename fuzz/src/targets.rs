//! What is fuzzed: every reader of bytes that come from outside.

use crate::{hash, problems, worlds};
use carom::coulomb::{Settings, Solver, SolverStatus};
use carom_scene::ReadOptions;
use carom_trajectory::course::{CourseLayout, CourseRecords, read_course_bytes};
use carom_trajectory::journal::read_journal_bytes;

/// A reader, its name (which is also the folder of its corpus) and words that its inputs are made
/// of.
#[derive(Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Pieces of inputs.
    pub words: &'static [&'static str],
    /// Megabytes that it may hold at once beside a multiple of its input.
    pub megabytes: u64,
    /// Reads the input and gives a number that stands for what came of it: inputs with a new number
    /// are worth keeping.
    pub run: fn(&[u8]) -> u64,
}

/// Buffers of readers, and small problems.
const READING: u64 = 16;
/// 24 bodies that overlap have up to 500 contacts: some dense matrices of 1,000 rows, 8 MB each.
const CROWDED: u64 = 64;

/// Everything that is fuzzed.
pub const TARGETS: &[Target] = &[
    Target { name: "scene_reader", words: SCENE_WORDS, megabytes: READING, run: scene_reader },
    Target { name: "journal_reader", words: &[], megabytes: READING, run: journal_reader },
    Target { name: "course_reader", words: &[], megabytes: READING, run: course_reader },
    Target { name: "page_request", words: REQUEST_WORDS, megabytes: READING, run: page_request },
    Target { name: "contact_problem", words: &[], megabytes: READING, run: contact_problem },
    Target { name: "solver", words: &[], megabytes: READING, run: problems::solve },
    Target { name: "step", words: &[], megabytes: CROWDED, run: worlds::step },
];

const SCENE_WORDS: &[&str] = &[
    "<scene>",
    "</scene>",
    "<particle ",
    "<edge ",
    "<springforce ",
    "<halfplane ",
    "<collision ",
    "<integrator ",
    "<rigidbody ",
    "<rigidbodyvertex ",
    "<simtype type=\"rigid-body\"/>",
    "/>",
    "\"",
    "'",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml ?>",
    "&amp;",
    "&#x10FFFF;",
    "&unknown;",
    " m=\"1\"",
    " px=\"0\"",
    " fixed=\"1\"",
    " p=\"0\"",
    "i=\"0\"j=\"1\"",
    "\n",
    "\r\n",
    "\u{feff}",
    "\u{0}",
];

const REQUEST_WORDS: &[&str] = &[
    "\"do\":",
    "\"open\"",
    "\"advance\"",
    "\"seek\"",
    "\"hold\"",
    "\"push\"",
    "\"place\"",
    "\"record\"",
    "\"inspect\"",
    "\"to\":3",
    "\"body\":0",
    "\"velocity\":[1e308,0,0]",
    "1e999",
    "-1",
    "null",
    "\n",
];

/// A conversation with a page, a request a line. No answer may be a panic, and each says whether it
/// went well.
fn page_request(input: &[u8]) -> u64 {
    let mut session = carom_web::Session::new();
    let mut outcome = String::new();
    for request in String::from_utf8_lossy(input).lines().take(8) {
        let mut turns = 0;
        let answer = session.handle(request, &mut || {
            turns += 1;
            turns > 20
        });
        let length = answer.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let head: serde_json::Value = answer
            .get(4..4 + length)
            .and_then(|head| serde_json::from_slice(head).ok())
            .expect("an answer begins with its head");
        assert!(head["ok"].is_boolean());
        let message = head["message"].as_str().unwrap_or("ok");
        outcome.extend(message.chars().filter(|c| c.is_alphabetic()).take(40));
    }
    hash(outcome.as_bytes())
}

/// What `carom solve` reads, and solves where it is small.
fn contact_problem(input: &[u8]) -> u64 {
    let arrays = match carom_trajectory::arrays::read_arrays_bytes(input) {
        Ok(arrays) => arrays,
        Err(error) => return shape_of(&error.to_string()),
    };
    let problem = match carom::contact_problem::problem_from_arrays(&arrays) {
        Ok(problem) => problem,
        Err(error) => return shape_of(&error.to_string()),
    };
    if problem.rows() > 60 {
        return 3;
    }
    let mut impulses = vec![0.0; problem.rows()];
    let answer = Solver::new(Settings::to_tolerance(1e-8)).solve(&problem, &mut impulses);
    assert!(answer.status != SolverStatus::Solved || answer.certificate.residual.is_finite());
    answer.status as u64
}

/// Reads in both modes, renders every problem, and writes what was read: it must read back as the
/// same scene.
fn scene_reader(input: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(input);
    let mut outcome = String::new();
    for course in [false, true] {
        let reading = carom_scene::read(&text, &ReadOptions { course, strict: false });
        let rendered = carom_scene::render(&reading.problems, "fuzz.xml", &text, false);
        assert!(reading.scene.is_some() || !rendered.is_empty(), "no scene and nothing said");
        for problem in carom_scene::diagnostics(&reading.problems, &text) {
            outcome.extend(problem.message.chars().filter(|c| c.is_alphabetic()).take(24));
        }
        if let Some(scene) = reading.scene.filter(|_| !course) {
            let written = carom_scene::write(&scene);
            let again = carom_scene::read(&written, &ReadOptions::default());
            assert_eq!(again.scene.as_ref(), Some(&scene), "what was written reads back differently");
            outcome.push_str(scene.integrator_name());
            outcome.push_str(scene.response_name());
        }
    }
    hash(outcome.as_bytes())
}

fn journal_reader(input: &[u8]) -> u64 {
    match read_journal_bytes(input) {
        Ok(frames) => frames,
        Err(error) => shape_of(&error.to_string()),
    }
}

/// The first byte chooses the layout, the second the number of bodies.
fn course_reader(input: &[u8]) -> u64 {
    let [kind, bodies, rest @ ..] = input else { return 0 };
    let records = [
        CourseRecords::Plain,
        CourseRecords::Simple,
        CourseRecords::ContinuousTime,
        CourseRecords::Hybrid,
        CourseRecords::RigidBodies,
    ][*kind as usize % 5];
    match read_course_bytes(rest, CourseLayout::new(records, u64::from(*bodies), 0.01)) {
        Ok(frames) => u64::from(*kind % 5) << 32 | frames,
        Err(error) => shape_of(&error.to_string()),
    }
}

/// A message without its numbers.
fn shape_of(message: &str) -> u64 {
    let letters: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
    hash(letters.as_bytes())
}
