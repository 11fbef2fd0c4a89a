//! A student's file examined: by the course's rules or by Carom's own, whichever fit.

use crate::arguments::Reading;
use crate::scene_file::{self, SceneFile};
use crate::trajectory_file::{self, Kind};
use anyhow::{Context, Result, anyhow};
use carom::Options;
use carom::grading::{self, ComparedStep, Explanation, Grade, GradeError, Scope};
use carom_trajectory::course::CourseLayout;
use carom_trajectory::{CourseProblem, TrajectoryError};
use std::io::Read;
use std::path::Path;

/// By whose rules a file is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Those of the course's program, its known errors included.
    Course,
    /// Carom's own.
    Default,
}

impl Rules {
    /// The name in reports and tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rules::Course => "course",
            Rules::Default => "default",
        }
    }

    /// In a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Rules::Course => "the course's rules",
            Rules::Default => "Carom's default rules",
        }
    }

    /// The other ones.
    pub(crate) fn other(self) -> Rules {
        match self {
            Rules::Course => Rules::Default,
            Rules::Default => Rules::Course,
        }
    }

    /// The flag that asks for them.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Rules::Course => "--course",
            Rules::Default => "--default-rules",
        }
    }

    pub(crate) fn options(self) -> Options {
        Options::course(self == Rules::Course)
    }
}

/// What is to be examined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) scene: &'a Path,
    pub(crate) file: &'a Path,
    /// The rules that were asked for; none where they are to be found.
    pub(crate) rules: Option<Rules>,
    pub(crate) strict: bool,
    /// Of the free run.
    pub(crate) tolerance: f64,
}

/// What came of it.
pub(crate) struct Examination {
    /// The scene, as it was read by the rules.
    pub(crate) scene: SceneFile,
    pub(crate) rules: Rules,
    /// Whether the rules were found, not asked for.
    pub(crate) found: bool,
    /// Whether the other rules would do, where these do not.
    pub(crate) others_pass: bool,
    pub(crate) grade: Grade,
    /// Why it is wrong.
    pub(crate) explanation: Option<Explanation>,
}

/// The answer in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pass,
    Fail,
    /// Right as far as it goes, and it stops early.
    Incomplete,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Incomplete => "incomplete",
        }
    }
}

impl Examination {
    pub(crate) fn verdict(&self) -> Verdict {
        match (self.grade.passes(), self.grade.is_short()) {
            (false, _) => Verdict::Fail,
            (true, true) => Verdict::Incomplete,
            (true, false) => Verdict::Pass,
        }
    }

    /// How good a fit the rules are: the verdict, and how many frames are right before the first
    /// wrong one.
    fn fit(&self) -> (u8, u64) {
        let right = self.grade.wrong_step.as_ref().map_or(self.grade.frames, |wrong| wrong.got.step);
        match self.verdict() {
            Verdict::Pass => (2, right),
            Verdict::Incomplete => (1, right),
            Verdict::Fail => (0, right),
        }
    }
}

/// Why nothing could be examined.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The scene has errors: all of them as text.
    Scene(String),
    /// The file cannot be compared with the scene.
    Other(anyhow::Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::Other(error)
    }
}

/// Examines a file by the rules that were asked for, or by those that fit.
pub(crate) fn examine(question: &Question<'_>) -> Result<Examination, Refusal> {
    let mut examination = find(question)?;
    if examination.verdict() == Verdict::Fail {
        let Examination { scene, rules, grade, .. } = &examination;
        examination.explanation = grading::explain(&scene.scene, rules.options(), grade);
    }
    Ok(examination)
}

fn find(question: &Question<'_>) -> Result<Examination, Refusal> {
    if let Some(rules) = question.rules {
        let mut examination = examine_by(question, rules)?;
        if examination.verdict() == Verdict::Fail && question.scene != Path::new("-") {
            let other = examine_by(question, rules.other());
            examination.others_pass = other.is_ok_and(|other| other.verdict() == Verdict::Pass);
        }
        return Ok(examination);
    }
    let order = if written_by_default_rules(question.file) {
        [Rules::Default, Rules::Course]
    } else {
        [Rules::Course, Rules::Default]
    };
    let mut best: Option<Examination> = None;
    let mut refusal = None;
    for rules in order {
        match examine_by(question, rules) {
            Ok(mut examination) => {
                examination.found = true;
                let better = best.as_ref().is_none_or(|best| examination.fit() > best.fit());
                if better {
                    best = Some(examination);
                }
            }
            // of two refusals that of the default rules, which are more helpful
            Err(error) => {
                if refusal.is_none() || rules == Rules::Default {
                    refusal = Some(error);
                }
            }
        }
        if best.as_ref().is_some_and(|best| best.verdict() == Verdict::Pass) {
            break;
        }
    }
    best.ok_or_else(|| refusal.unwrap_or_else(|| Refusal::Other(anyhow!("nothing was examined"))))
}

/// A file of Carom's own says by which rules it was made.
fn written_by_default_rules(file: &Path) -> bool {
    let header = carom_trajectory::open(file, None).ok();
    header.and_then(|file| file.header().map(|header| !header.options.course)).unwrap_or(false)
}

/// Examines a file by these rules.
pub(crate) fn examine_by(question: &Question<'_>, rules: Rules) -> Result<Examination, Refusal> {
    let reading = Reading { course: rules == Rules::Course, strict: question.strict };
    let (scene, problems) = scene_file::load_quietly(question.scene, reading, false)?;
    let Some(scene) = scene else { return Err(Refusal::Scene(problems)) };
    let mut grade = grade(&scene, question, rules, &mut |_| ())?;
    if grade.frames <= 1
        && grade.failure.is_some()
        && let Some(words) = beginning(&scene, question.file, rules)
    {
        grade.failure = Some(words.to_owned());
    }
    Ok(Examination { scene, rules, found: false, others_pass: false, grade, explanation: None })
}

/// Grades a file by these rules and shows every step.
pub(crate) fn grade(
    scene: &SceneFile,
    question: &Question<'_>,
    rules: Rules,
    watch: &mut dyn FnMut(&ComparedStep<'_>),
) -> Result<Grade> {
    let file = question.file;
    let layout = layout_for(scene, file, rules)?;
    let mut trajectory = match carom_trajectory::open(file, layout) {
        Err(error @ TrajectoryError::Course { .. }) => {
            return Err(not_of_this_scene((scene, rules), file, &error));
        }
        other => other?,
    };
    let scope = (Scope::Whole, question.tolerance);
    let grade = grading::grade_watched(&scene.scene, rules.options(), &mut trajectory, scope, watch);
    match grade {
        Err(GradeError::Trajectory(error @ TrajectoryError::Course { .. })) => {
            Err(not_of_this_scene((scene, rules), file, &error))
        }
        other => other.with_context(|| format!("cannot compare {} with {}", file.display(), scene.name)),
    }
}

/// How a course file is laid out; nothing for Carom's own.
pub(crate) fn layout_for(scene: &SceneFile, file: &Path, rules: Rules) -> Result<Option<CourseLayout>> {
    if trajectory_file::kind_of(file)? == Kind::Journal {
        return Ok(None);
    }
    let reading = Reading { course: rules == Rules::Course, strict: false };
    trajectory_file::layout_of(scene, reading).map(Some)
}

/// What the program that wrote a course file did wrongly from its first bytes on, where these tell.
fn beginning(scene: &SceneFile, file: &Path, rules: Rules) -> Option<&'static str> {
    // the start and the first step of any scene that a person would look at
    const ENOUGH: u64 = 1 << 20;
    let layout = layout_for(scene, file, rules).ok()??;
    let mut bytes = Vec::new();
    std::fs::File::open(file).ok()?.take(ENOUGH).read_to_end(&mut bytes).ok()?;
    grading::what_begins_so(&scene.scene, rules.options(), layout, &bytes)
}

/// A file of which not even the first record fits the scene.
fn not_of_this_scene(
    (scene, rules): (&SceneFile, Rules),
    file: &Path,
    error: &TrajectoryError,
) -> anyhow::Error {
    if let Some(words) = beginning(scene, file, rules) {
        return anyhow!("{} cannot be read as a file of {}: {words}", file.display(), scene.name);
    }
    let bytes = std::fs::metadata(file).map(|data| data.len()).unwrap_or(0);
    let name = file.display();
    match error {
        TrajectoryError::Course { problem: CourseProblem::Truncated { .. }, .. } if bytes == 0 => {
            anyhow!("{name} is empty: the program that was to write it did not get to its first record")
        }
        TrajectoryError::Course { problem: CourseProblem::Truncated { .. }, record: 0, .. } => {
            anyhow!("{name} is no file of {}: its {bytes} bytes are not even one record", scene.name)
        }
        _ => anyhow!("{name} is no file of {}: {}", scene.name, damage_words(error)),
    }
}

/// Why a file could not be read to its end, where that is so.
pub(crate) fn damage(grade: &Grade) -> Option<String> {
    let damage = grade.damage.as_ref()?;
    Some(match damage {
        TrajectoryError::Course { .. } if grade.frames >= grade.planned_frames => {
            "after its last frame there are more bytes, which are no frame: what else does your program write?"
                .to_owned()
        }
        other => damage_words(other),
    })
}

/// What is wrong with a file that cannot be read to its end.
fn damage_words(error: &TrajectoryError) -> String {
    let TrajectoryError::Course { record, offset, problem, .. } = error else { return error.to_string() };
    match problem {
        // A count that was never one asks for more than any file has.
        CourseProblem::Truncated { needed, left } if *needed < (1 << 24) => format!(
            "it is cut off at byte {} inside record {record}: the program that wrote it was stopped or crashed",
            offset + left
        ),
        CourseProblem::Truncated { .. } => format!(
            "record {record} claims more than the whole file holds: it is the file of another scene or milestone, or no trajectory at all"
        ),
        other => format!("record {record}: {other}: it is the file of another scene or milestone"),
    }
}
