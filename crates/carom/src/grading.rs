//! The grader's job: a file is examined and the simulation is believed. Every step starts from the
//! file's previous frame, so that errors do not accumulate and chaos does not matter.
//!
//! The limits are those of the course's grader (`carom_trajectory::compare`). Beside them runs a
//! free simulation, to tell how far it drifts from the file.

mod beginning;
mod explanation;
mod session;
pub mod suspects;

pub use beginning::what_begins_so;
pub use explanation::{ContactAccount, Explanation, explain};

use crate::simulation::{Options, Simulation};
use crate::{BuildError, Scene};
use carom_scene::System;
use carom_scene::description::particles::Response;
use carom_trajectory::compare::{Comparison, Grader};
use carom_trajectory::course::{CourseRecord, CourseRecords};
use carom_trajectory::{Family, Frame, Trajectory, TrajectoryError};
use session::{Lists, Session};
use std::io::{Read, Seek};

/// How much of a file is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of it: `carom compare`.
    Whole,
    /// What the course's grader looks at: `carom oracle -i`. The initial frame is not compared with
    /// the scene, times of collisions, the polynomials of the first record of a step and the
    /// energies of the last frame are not checked, and frames beyond the scene's duration are
    /// ignored.
    Course,
}

/// The outcome of a comparison.
#[derive(Debug)]
pub struct Grade {
    /// Residuals, limits, the first difference, the collisions that differ.
    pub grader: Grader,
    /// How far a free run went from the file.
    pub free_run: Comparison,
    /// Frames in the file, as far as it was read.
    pub frames: u64,
    /// Frames of a full run of the scene.
    pub planned_frames: u64,
    /// What ended the comparison before its time.
    pub failure: Option<String>,
    /// Why the file could not be read to its end.
    pub damage: Option<TrajectoryError>,
    /// The first step beyond a limit.
    pub wrong_step: Option<WrongStep>,
    /// Further steps of the file, right and wrong ones, for a diagnosis: the first few of either.
    pub samples: Vec<Sample>,
    /// The step before the first wrong one, that one and the next two, for those who look at them.
    pub around: Vec<Sample>,
}

/// A step of the file, and whether it is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The step.
    pub step: WrongStep,
    /// Whether it is within all limits.
    pub is_right: bool,
}

/// A step of the file that differs from what it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct WrongStep {
    /// Where the file says that the step began.
    pub before: Frame,
    /// Where it should have ended.
    pub expected: Frame,
    /// Where it ended in the file.
    pub got: Frame,
}

impl Grade {
    /// Whether everything that was compared is within the limits.
    pub fn passes(&self) -> bool {
        self.failure.is_none() && self.damage.is_none() && self.grader.passes()
    }

    /// Whether the file ends before the scene does.
    pub fn is_short(&self) -> bool {
        self.frames < self.planned_frames
    }
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The scene cannot be run.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file cannot be read.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
    /// The file belongs to another scene.
    #[error("the file is of another scene: {0}")]
    OtherScene(String),
}

/// How the course's program lays out the file of a scene; `None` for scenes that it cannot run.
pub fn course_records(scene: &Scene) -> Option<CourseRecords> {
    match &scene.system {
        System::RigidBodies(_) => Some(CourseRecords::RigidBodies),
        System::SpatialBodies(_) => None,
        System::Particles(system) => match system.collision.response {
            Response::None | Response::Penalty(_) => Some(CourseRecords::Plain),
            Response::Simple => Some(CourseRecords::Simple),
            Response::ContinuousTime => Some(CourseRecords::ContinuousTime),
            Response::Hybrid { .. } => Some(CourseRecords::Hybrid),
            Response::BackUp { .. }
            | Response::Simultaneous { .. }
            | Response::Elastic { .. }
            | Response::Lcp
            | Response::VelocityProjection
            | Response::ReflectionLcp
            | Response::ReflectionVelocityProjection => None,
        },
    }
}

/// One step of a comparison, for those who want to see more than the sums.
#[derive(Debug, Clone, Copy)]
pub struct ComparedStep<'a> {
    /// What is believed.
    pub expected: &'a Frame,
    /// What is examined.
    pub got: &'a Frame,
    /// Where the free run is at this step; `None` once it has failed.
    pub free: Option<&'a Frame>,
    /// Whether the file holds collisions; otherwise those of the two frames cannot be compared.
    pub has_collisions: bool,
}

/// Grades a file of a scene step by step.
///
/// Frames beyond `tolerance` in the free run are reported, but do not decide.
pub fn grade<R: Read + Seek>(
    scene: &Scene,
    options: Options,
    file: &mut Trajectory<R>,
    scope: Scope,
    tolerance: f64,
) -> Result<Grade, GradeError> {
    grade_watched(scene, options, file, (scope, tolerance), &mut |_| ())
}

/// As [`grade`], and shows every step that was compared.
pub fn grade_watched<R: Read + Seek>(
    scene: &Scene,
    options: Options,
    file: &mut Trajectory<R>,
    (scope, tolerance): (Scope, f64),
    watch: &mut dyn FnMut(&ComparedStep<'_>),
) -> Result<Grade, GradeError> {
    let simulation = Simulation::new(scene, options)?;
    check_same_scene(&simulation, file)?;
    let mut session = Session::new(simulation, (scope, tolerance), Lists::of(file), watch);
    match file {
        Trajectory::Course(course) => {
            if course.layout().records.synced_pairs() {
                session.log_polynomials(scene);
            }
            if let (Some(got), Family::RigidBodies) = (course.constants(), session.family()) {
                session.add_constants(got);
            }
            course.rewind()?;
            course.keep_polynomials(true);
            let (mut record, mut previous) = (CourseRecord::default(), Frame::default());
            while session.wants_more() {
                match course.next_record(&mut record) {
                    Ok(true) => {}
                    Ok(false) => break,
                    // what was read before is worth reporting; the course's program gives no
                    // verdict
                    Err(error) if scope == Scope::Whole && session.has_steps() => {
                        session.end_early(error);
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
                session.add_quantities(&record);
                session.add(&previous, &record.frame, Some(&record));
                std::mem::swap(&mut previous, &mut record.frame);
            }
        }
        Trajectory::Journal(journal) => {
            let (mut frame, mut previous) = (Frame::default(), Frame::default());
            for index in 0..journal.frames() {
                if !session.wants_more() {
                    break;
                }
                journal.read_frame(index, &mut frame)?;
                session.add(&previous, &frame, None);
                std::mem::swap(&mut previous, &mut frame);
            }
        }
    }
    Ok(session.finish())
}

/// As [`grade`], for frames in memory. `has_contacts` says whether they report contacts; where
/// they do not, none is missed.
pub fn grade_frames(
    scene: &Scene,
    options: Options,
    frames: &[Frame],
    has_contacts: bool,
    tolerance: f64,
) -> Result<Grade, GradeError> {
    let simulation = Simulation::new(scene, options)?;
    let lists = if has_contacts { Lists::Full } else { Lists::None };
    let mut watch = |_: &ComparedStep<'_>| ();
    let mut session = Session::new(simulation, (Scope::Whole, tolerance), lists, &mut watch);
    let nothing = Frame::default();
    let mut previous = &nothing;
    for frame in frames {
        if !session.wants_more() {
            break;
        }
        session.add(previous, frame, None);
        previous = frame;
    }
    Ok(session.finish())
}

fn check_same_scene<R: Read + Seek>(simulation: &Simulation, file: &Trajectory<R>) -> Result<(), GradeError> {
    if simulation.family() != file.family() {
        let (mine, theirs) = (simulation.family().name(), file.family().name());
        return Err(GradeError::OtherScene(format!("the scene has {mine}, the file has {theirs}")));
    }
    let (mine, theirs) = (simulation.body_count() as u64, file.bodies());
    if mine != theirs {
        return Err(GradeError::OtherScene(format!("the scene has {mine} bodies, the file {theirs}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DROP: &str = r#"<scene><duration time="0.5"/><integrator type="symplectic-euler" dt="0.01"/>
        <particle m="1" px="0" py="0.6" vx="0" vy="0" fixed="0" radius="0.5"/>
        <halfplane px="0" py="0" nx="0" ny="1"/>
        <simplegravity fx="0" fy="-10"/><collision type="simple" COR="0.5"/></scene>"#;

    #[test]
    fn frames_in_memory_are_graded_like_files() {
        let scene = crate::read_scene(DROP).unwrap();
        let options = Options::default();
        let mut simulation = Simulation::new(&scene, options).unwrap();
        let mut frames = vec![simulation.frame()];
        while simulation.step_count() < simulation.planned_steps() {
            simulation.step().unwrap();
            frames.push(simulation.frame());
        }
        let graded = |frames: &[Frame], has_contacts| {
            grade_frames(&scene, options, frames, has_contacts, 1e-9).unwrap()
        };
        assert!(graded(&frames, true).passes() && !graded(&frames, true).is_short());
        assert!(graded(&frames[..20], true).is_short());
        // frames without lists miss nothing; with lists that are empty they miss every collision
        let mut silent = frames.clone();
        silent.iter_mut().for_each(|frame| frame.contacts.clear());
        assert!(graded(&silent, false).passes());
        assert!(!graded(&silent, true).passes());
        silent[30].velocities[1] += 0.25;
        assert_eq!(graded(&silent, false).wrong_step.map(|wrong| wrong.got.step), Some(30));
    }
}
