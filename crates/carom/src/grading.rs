//! The grader's job: every step starts from the reference's previous frame, so that errors do not accumulate and chaos does not matter.
//!
//! The limits are those of the course's grader (`carom_trajectory::compare`). Beside them runs a free simulation, to tell how far it
//! drifts from the reference.

use crate::simulation::{Options, Simulation};
use crate::{BuildError, Scene};
use carom_scene::System;
use carom_scene::description::particles::Response;
use carom_trajectory::compare::{Comparison, Grader};
use carom_trajectory::course::{BodyQuantities, CourseLayout, CourseRecord, CourseRecords};
use carom_trajectory::{Family, Frame, Trajectory, TrajectoryError};
use std::io::{Read, Seek};

/// Which of the two is believed, and how far the course's grader looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// The file is right and the simulation is examined: `carom compare`.
    Reference,
    /// The simulation is right and the file is examined: `carom oracle -i`. As in the course's program, the initial frame is not compared with
    /// the scene, the energies of the last frame are not looked at, and frames beyond the scene's duration are ignored.
    Simulation,
}

/// The outcome of a comparison.
#[derive(Debug)]
pub struct Grade {
    /// Residuals, limits, the first difference, the collisions that differ.
    pub grader: Grader,
    /// How far a free run went from the reference.
    pub free_run: Comparison,
    /// Frames in the reference, as far as it was read.
    pub reference_frames: u64,
    /// Frames of a full run of the scene.
    pub planned_frames: u64,
    /// What ended the comparison before its time.
    pub failure: Option<String>,
}

impl Grade {
    /// Whether everything that was compared is within the limits.
    pub fn passes(&self) -> bool {
        self.failure.is_none() && self.grader.passes()
    }

    /// Whether the reference ends before the scene does.
    pub fn is_short(&self) -> bool {
        self.reference_frames < self.planned_frames
    }
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The scene cannot be run.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The reference cannot be read.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
    /// The reference belongs to another scene.
    #[error("the reference is of another scene: {0}")]
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
    /// Whether the reference holds collisions; otherwise those of the two frames cannot be compared.
    pub has_collisions: bool,
}

/// Compares a scene with a reference step by step.
///
/// Frames beyond `tolerance` in the free run are told of, but do not decide.
pub fn grade<R: Read + Seek>(
    scene: &Scene,
    options: Options,
    reference: &mut Trajectory<R>,
    truth: Truth,
    tolerance: f64,
) -> Result<Grade, GradeError> {
    grade_watched(scene, options, reference, (truth, tolerance), &mut |_| ())
}

/// As [`grade`], and shows every step that was compared.
pub fn grade_watched<R: Read + Seek>(
    scene: &Scene,
    options: Options,
    reference: &mut Trajectory<R>,
    (truth, tolerance): (Truth, f64),
    watch: &mut dyn FnMut(&ComparedStep<'_>),
) -> Result<Grade, GradeError> {
    let simulation = Simulation::new(scene, options)?;
    check_same_scene(&simulation, reference)?;
    let has_collisions = match reference.course_layout() {
        Some(CourseLayout { records: CourseRecords::Hybrid, .. }) => false,
        _ => reference.has_contacts(),
    };
    let mut session = Session {
        grade: Grade {
            grader: Grader::new(simulation.family()),
            free_run: Comparison::new(simulation.family(), tolerance).of_states(),
            reference_frames: 0,
            planned_frames: simulation.planned_steps().saturating_add(1),
            failure: None,
        },
        free: simulation.clone(),
        stepwise: simulation,
        has_collisions,
        truth,
        computed: Frame::default(),
        drifted: Frame::default(),
        watch,
        quantities: BodyQuantities::default(),
    };
    match reference {
        Trajectory::Course(course) => {
            if let (Some(expected), Family::RigidBodies) = (course.constants(), session.stepwise.family()) {
                let got = session.stepwise.body_constants();
                session.grade.grader.add_constants(expected, &got);
            }
            course.rewind()?;
            course.keep_polynomials(true);
            let (mut record, mut previous) = (CourseRecord::default(), Frame::default());
            while session.wants_more() && course.next_record(&mut record)? {
                session.add_quantities(&record);
                let logs = record.polynomials.iter().any(|list| !list.lengths.is_empty());
                session.stepwise.log_polynomials(logs);
                session.add(&previous, &record.frame);
                session.add_course_lists(&record);
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
                session.add(&previous, &frame);
                std::mem::swap(&mut previous, &mut frame);
            }
        }
    }
    let grade = &mut session.grade;
    if grade.reference_frames < 2 && grade.planned_frames > 1 && grade.failure.is_none() {
        grade.failure = Some("the reference holds no step to compare".to_owned());
    }
    Ok(session.grade)
}

fn check_same_scene<R: Read + Seek>(
    simulation: &Simulation,
    reference: &Trajectory<R>,
) -> Result<(), GradeError> {
    if simulation.family() != reference.family() {
        let (mine, theirs) = (simulation.family().name(), reference.family().name());
        return Err(GradeError::OtherScene(format!("the scene has {mine}, the reference has {theirs}")));
    }
    let (mine, theirs) = (simulation.body_count() as u64, reference.bodies());
    if mine != theirs {
        return Err(GradeError::OtherScene(format!("the scene has {mine} bodies, the reference {theirs}")));
    }
    Ok(())
}

/// A comparison under way.
struct Session<'a> {
    grade: Grade,
    stepwise: Simulation,
    free: Simulation,
    has_collisions: bool,
    truth: Truth,
    /// Room for what the simulation comes to.
    computed: Frame,
    /// Room for where the free run is.
    drifted: Frame,
    watch: &'a mut dyn FnMut(&ComparedStep<'_>),
    quantities: BodyQuantities,
}

impl Session<'_> {
    fn wants_more(&self) -> bool {
        let enough =
            self.truth == Truth::Simulation && self.grade.reference_frames >= self.grade.planned_frames;
        self.grade.failure.is_none() && !enough
    }

    /// Takes the next frame of the reference into account.
    fn add(&mut self, previous: &Frame, frame: &Frame) {
        let is_first = self.grade.reference_frames == 0;
        self.grade.reference_frames += 1;
        if is_first {
            self.stepwise.write_frame(&mut self.computed);
            if self.truth == Truth::Reference && frame.step == 0 {
                self.grade.grader.add_state(0, frame, &self.computed);
                self.grade.free_run.add(frame, &self.computed);
            }
            return;
        }
        if let Err(failure) = self.step_from(previous, frame.step) {
            self.grade.failure = Some(failure);
            return;
        }
        self.stepwise.write_frame(&mut self.computed);
        let (expected, got) = match self.truth {
            Truth::Reference => (frame, &self.computed),
            Truth::Simulation => (&self.computed, frame),
        };
        self.grade.grader.add_state(frame.step, expected, got);
        if self.has_collisions {
            self.grade.grader.add_collisions(frame.step, &expected.contacts, &got.contacts);
        }
        if self.truth == Truth::Reference {
            // beyond what the course's grader looks at
            self.grade.grader.add_intermediate(frame.step, expected, got);
            self.grade.grader.add_collision_times(frame.step, &expected.contacts, &got.contacts);
        }
        let follows = self.follow_freely(frame);
        let (expected, got) = match self.truth {
            Truth::Reference => (frame, &self.computed),
            Truth::Simulation => (&self.computed, frame),
        };
        let free = follows.then_some(&self.drifted);
        (self.watch)(&ComparedStep { expected, got, free, has_collisions: self.has_collisions });
    }

    /// The lists that only the course's files hold: polynomials, where the file has them, and the collisions of the record within a step.
    fn add_course_lists(&mut self, record: &CourseRecord) {
        if self.grade.reference_frames < 2 || self.grade.failure.is_some() {
            return;
        }
        let step = record.frame.step;
        if let Some([early, last]) = self.stepwise.polynomials() {
            let grader = &mut self.grade.grader;
            match self.truth {
                Truth::Reference => {
                    grader.add_polynomials(step, &record.polynomials[0], &early);
                    grader.add_polynomials(step, &record.polynomials[1], &last);
                }
                // the course's grader looks at those of the final record only
                Truth::Simulation => grader.add_polynomials(step, &last, &record.polynomials[1]),
            }
        }
        // the two lists of a step are equal in the course's files; where they are, the second was compared already
        if self.truth == Truth::Reference && self.has_collisions && record.has_two_lists() {
            let (expected, got) = (&record.early_contacts, &self.computed.contacts);
            self.grade.grader.add_collisions(step, expected, got);
            self.grade.grader.add_collision_times(step, expected, got);
        }
    }

    fn step_from(&mut self, previous: &Frame, step: u64) -> Result<(), String> {
        self.stepwise.restore(previous).map_err(|e| format!("the reference cannot be gone on from: {e}"))?;
        while self.stepwise.step_count() < step {
            self.stepwise.step().map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// The free run goes along; once it fails it is left behind, and this is false.
    fn follow_freely(&mut self, frame: &Frame) -> bool {
        while self.free.step_count() < frame.step {
            if self.free.step().is_err() {
                return false;
            }
        }
        self.free.write_frame(&mut self.drifted);
        self.grade.free_run.add(frame, &self.drifted);
        true
    }

    /// Energies and momenta of rigid bodies, recomputed from the state in the file, as the course's grader does.
    fn add_quantities(&mut self, record: &CourseRecord) {
        let frame = &record.frame;
        let is_last = self.grade.reference_frames + 1 == self.grade.planned_frames;
        if self.stepwise.family() != Family::RigidBodies || (self.truth == Truth::Simulation && is_last) {
            return;
        }
        let state = Frame {
            step: frame.step,
            positions: frame.positions.clone(),
            velocities: frame.velocities.clone(),
            ..Frame::default()
        };
        if self.stepwise.restore(&state).is_err() {
            return;
        }
        self.stepwise.write_frame(&mut self.computed);
        let potential = self.computed.quantities.potential;
        let (masses, inertias) = self.stepwise.mass_properties();
        self.quantities.derive(&frame.positions, &frame.velocities, &masses, &inertias, potential);
        let (expected, got) = match self.truth {
            Truth::Reference => (&record.quantities, &self.quantities),
            Truth::Simulation => (&self.quantities, &record.quantities),
        };
        self.grade.grader.add_quantities(frame.step, expected, got);
    }
}
