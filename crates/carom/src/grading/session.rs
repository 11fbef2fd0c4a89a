//! A comparison under way: one simulation that restarts from every frame of the file, one that runs
//! free.

use super::{ComparedStep, Grade, Sample, Scope, WrongStep};
use crate::course_lists::CourseLists;
use crate::{Scene, Simulation};
use carom_trajectory::compare::{Comparison, Grader};
use carom_trajectory::course::{BodyConstants, BodyQuantities, CourseRecord, CourseRecords};
use carom_trajectory::{Contact, Family, Frame, Trajectory, TrajectoryError};

/// What the file says about collisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    /// Nothing.
    None,
    /// Every collision of a step.
    Full,
    /// A list that is always empty, as the course's files of `hybrid` have it.
    Empty,
}

impl Lists {
    pub(super) fn of<R: std::io::Read + std::io::Seek>(file: &Trajectory<R>) -> Lists {
        match file {
            Trajectory::Course(course) if course.layout().records == CourseRecords::Hybrid => Lists::Empty,
            _ if file.has_contacts() => Lists::Full,
            _ => Lists::None,
        }
    }
}

/// A comparison under way.
pub(super) struct Session<'a> {
    grade: Grade,
    stepwise: Simulation,
    free: Simulation,
    lists: Lists,
    scope: Scope,
    /// Tells the polynomials of a step, where the file should hold them.
    polynomials: Option<CourseLists>,
    /// Buffer: what the simulation comes to.
    computed: Frame,
    /// Buffer: where the free run is.
    drifted: Frame,
    watch: &'a mut dyn FnMut(&ComparedStep<'_>),
    quantities: BodyQuantities,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        simulation: Simulation,
        (scope, tolerance): (Scope, f64),
        lists: Lists,
        watch: &'a mut dyn FnMut(&ComparedStep<'_>),
    ) -> Session<'a> {
        let grade = Grade {
            grader: Grader::new(simulation.family()),
            free_run: Comparison::new(simulation.family(), tolerance).of_states(),
            frames: 0,
            planned_frames: simulation.planned_steps().saturating_add(1),
            failure: None,
            damage: None,
            wrong_step: None,
            samples: Vec::new(),
            around: Vec::new(),
        };
        Session {
            grade,
            free: simulation.clone(),
            stepwise: simulation,
            lists,
            scope,
            polynomials: None,
            computed: Frame::default(),
            drifted: Frame::default(),
            watch,
            quantities: BodyQuantities::default(),
        }
    }

    /// The file should hold polynomials.
    pub(super) fn log_polynomials(&mut self, scene: &Scene) {
        self.polynomials = CourseLists::new(scene);
    }

    pub(super) fn family(&self) -> Family {
        self.stepwise.family()
    }

    pub(super) fn wants_more(&self) -> bool {
        let enough = self.scope == Scope::Course && self.grade.frames >= self.grade.planned_frames;
        self.grade.failure.is_none() && !enough
    }

    pub(super) fn add_constants(&mut self, got: &BodyConstants) {
        let expected = self.stepwise.body_constants();
        self.grade.grader.add_constants(&expected, got);
    }

    /// Takes the next frame of the file into account.
    pub(super) fn add(&mut self, previous: &Frame, frame: &Frame, record: Option<&CourseRecord>) {
        let is_first = self.grade.frames == 0;
        self.grade.frames += 1;
        if is_first {
            // the other one has been to the file's own state already, for its energies
            self.free.write_frame(&mut self.computed);
            if self.scope == Scope::Whole && frame.step == 0 {
                self.grade.grader.add_state(0, &self.computed, frame);
                self.grade.free_run.add(&self.computed, frame);
                if self.is_of_another_scene(frame) {
                    let words = "most of its first frame is not where the scene puts it: \
                                 it is the file of another scene, or its start is wrong";
                    self.grade.failure = Some(words.to_owned());
                }
            }
            return;
        }
        if let Err(failure) = self.step_from(previous, frame.step) {
            self.grade.failure = Some(failure);
            return;
        }
        self.stepwise.write_frame(&mut self.computed);
        let found = |grader: &Grader| grader.beyond + grader.collisions.count();
        let before = found(&self.grade.grader);
        self.compare(previous, frame, record);
        let is_right = found(&self.grade.grader) == before;
        self.sample(previous, frame, is_right);
        self.look_around(previous, frame, is_right);
        let follows = self.follow_freely(frame);
        let (expected, got) = (&self.computed, frame);
        let (free, has_collisions) = (follows.then_some(&self.drifted), self.lists == Lists::Full);
        (self.watch)(&ComparedStep { expected, got, free, has_collisions });
    }

    /// Whether most bodies do not start where they should. Steps of such a file say nothing, and
    /// nonsense takes long to compute.
    fn is_of_another_scene(&self, frame: &Frame) -> bool {
        let width = self.family().coordinates();
        let bodies = self.computed.positions.chunks_exact(width).zip(frame.positions.chunks_exact(width));
        let apart = |(right, got): &(&[f64], &[f64])| {
            right.iter().zip(*got).any(|(x, y)| (x - y).is_nan() || (x - y).abs() > 1e-6 * x.abs().max(1.0))
        };
        2 * bodies.filter(apart).count() > frame.positions.len() / width
    }

    /// Keeps the first steps that are wrong, and right ones in which something touches: the first
    /// of all, and the first after a wrong one.
    fn sample(&mut self, previous: &Frame, frame: &Frame, is_right: bool) {
        let kept = if is_right { 16 } else { 64 };
        let touches = !self.computed.contacts.is_empty();
        // of right steps as many after the first wrong one as before it: some errors differ only
        // there
        let first_wrong = self.grade.wrong_step.as_ref().map_or(u64::MAX, |wrong| wrong.got.step);
        let is_alike = |sample: &&Sample| {
            let is_later = sample.step.got.step > first_wrong;
            sample.is_right == is_right && (!is_right || is_later == (frame.step > first_wrong))
        };
        let known = self.grade.samples.iter().filter(is_alike).count();
        if known >= kept || is_right && !touches {
            return;
        }
        let step =
            WrongStep { before: previous.clone(), expected: self.computed.clone(), got: frame.clone() };
        if !is_right && self.grade.wrong_step.is_none() {
            self.grade.wrong_step = Some(step.clone());
        }
        self.grade.samples.push(Sample { step, is_right });
    }

    /// Keeps the step before the first wrong one, and three from there on.
    fn look_around(&mut self, previous: &Frame, frame: &Frame, is_right: bool) {
        const AFTER: u64 = 2;
        let around = &mut self.grade.around;
        match &self.grade.wrong_step {
            _ if self.scope == Scope::Course => return,
            None => around.clear(),
            Some(wrong) if frame.step > wrong.got.step + AFTER => return,
            Some(_) => {}
        }
        let step =
            WrongStep { before: previous.clone(), expected: self.computed.clone(), got: frame.clone() };
        around.push(Sample { step, is_right });
    }

    fn compare(&mut self, previous: &Frame, frame: &Frame, record: Option<&CourseRecord>) {
        let (expected, step) = (&self.computed, frame.step);
        let grader = &mut self.grade.grader;
        grader.add_state(step, expected, frame);
        grader.add_intermediate(step, expected, frame);
        let listed: &[Contact] = if self.lists == Lists::Empty { &[] } else { &expected.contacts };
        if self.lists != Lists::None {
            grader.add_collisions(step, listed, &frame.contacts);
        }
        if self.scope == Scope::Whole {
            grader.add_collision_times(step, listed, &frame.contacts);
        }
        let Some(record) = record else { return };
        // the two lists of a step are equal in the course's files; where they are, the second was
        // compared already
        if self.lists != Lists::None && record.early_differs(&frame.contacts, frame.intermediate.is_some()) {
            grader.add_collisions(step, listed, &record.early_contacts);
            if self.scope == Scope::Whole {
                grader.add_collision_times(step, listed, &record.early_contacts);
            }
        }
        if let Some(lists) = &mut self.polynomials {
            let [early, last] = lists.of_step(previous, step);
            if self.scope == Scope::Whole {
                grader.add_polynomials(step, &early, &record.polynomials[0]);
            }
            grader.add_polynomials(step, &last, &record.polynomials[1]);
        }
    }

    fn step_from(&mut self, previous: &Frame, step: u64) -> Result<(), String> {
        let restored = self.stepwise.restore(previous);
        restored.map_err(|e| format!("the file cannot be gone on from: {e}"))?;
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
        self.grade.free_run.add(&self.drifted, frame);
        true
    }

    /// Energies and momenta of rigid bodies, recomputed from the state in the file, as the course's
    /// grader does.
    pub(super) fn add_quantities(&mut self, record: &CourseRecord) {
        let frame = &record.frame;
        let is_last = self.grade.frames + 1 == self.grade.planned_frames;
        if self.stepwise.family() != Family::RigidBodies || (self.scope == Scope::Course && is_last) {
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
        self.grade.grader.add_quantities(frame.step, &self.quantities, &record.quantities);
    }

    /// Whether a step of the file was compared.
    pub(super) fn has_steps(&self) -> bool {
        self.grade.frames >= 1
    }

    /// The file cannot be read any further.
    pub(super) fn end_early(&mut self, damage: TrajectoryError) {
        self.grade.damage = Some(damage);
    }

    pub(super) fn finish(mut self) -> Grade {
        let grade = &mut self.grade;
        let unknown = grade.failure.is_none() && grade.damage.is_none();
        if grade.frames < 2 && grade.planned_frames > 1 && unknown {
            grade.failure = Some("the file holds no step to compare".to_owned());
        }
        self.grade
    }
}
