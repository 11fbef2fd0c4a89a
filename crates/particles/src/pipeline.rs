//! One time step of a particle system, from start to end.

use crate::bodies::Bodies;
use crate::collision::Handler;
use crate::integrator::LinearWork;
use crate::{
    CollisionReport, ConditionsLog, Integrator, Model, ModelError, ParticleContact, ParticleIndex,
    ParticleSettings, State,
};
use carom_geometry::plane::broad_phase::most_pairs;
use carom_stepping::{ContactSettings, Stepper, Surface, Surfaces};
use glam::DVec2;

/// A particle system in motion.
#[derive(Debug, Clone)]
pub struct World {
    bodies: Bodies,
    stepper: Stepper<Bodies>,
    /// The state before the step.
    start: State,
    /// The course's methods, and those that are warnings.
    collisions: Handler,
    /// What touched in the last step.
    contacts: Vec<ParticleContact>,
}

impl World {
    /// Advances by one time step.
    pub fn step(&mut self) -> StepReport {
        self.start.copy_from(&self.bodies.state);
        let mut collisions = match self.bodies.settings.contact_settings() {
            Some(contact) => self.bounce_and_hold(&contact),
            None => self.move_then_respond(),
        };
        if self.bodies.forces.gave_up() || self.collisions.gave_up() {
            collisions.refused_pairs = most_pairs();
        }
        self.report(collisions)
    }

    /// The step of all families.
    fn bounce_and_hold(&mut self, contact: &ContactSettings) -> CollisionReport {
        let dt = self.bodies.settings.time_step;
        let report = self.stepper.step(&mut self.bodies, contact, dt);
        self.contacts.clear();
        self.contacts.extend(self.stepper.touched().iter().map(|touched| ParticleContact {
            pair: touched.contact.pair,
            vector: touched.contact.unit,
            point: touched.contact.point,
            gap: touched.contact.gap,
            time: touched.time / dt,
            impulse: touched.impulse,
            friction: touched.friction[0] * touched.contact.unit.perp(),
        }));
        CollisionReport::of(&report)
    }

    /// The course's order: motion as if nothing touched, then an answer to what did.
    fn move_then_respond(&mut self) -> CollisionReport {
        self.bodies.fly_to_end();
        let Bodies { model, settings, state, end, .. } = &mut self.bodies;
        state.copy_from(end);
        let report = self.collisions.resolve(model, settings, &self.start, state);
        self.contacts.clone_from(&self.collisions.contacts);
        for contact in &mut self.contacts {
            contact.gap = self.bodies.gap(contact);
        }
        report
    }

    /// Counts the step if it was taken, and goes back to its start if not. A state that is not
    /// finite is not taken, except under [`ParticleSettings::course`], where it is carried on as
    /// the course's program does.
    fn report(&mut self, collisions: CollisionReport) -> StepReport {
        let advance = self.bodies.advance;
        let mut status = advance.status;
        if let Some(particle) = self.bodies.state.first_non_finite() {
            status = IntegrationStatus::NonFinite { particle: ParticleIndex(particle) };
        }
        let taken = match status {
            IntegrationStatus::Completed | IntegrationStatus::NotConverged { .. } => true,
            IntegrationStatus::NonFinite { .. } => self.bodies.settings.course,
            IntegrationStatus::SubstepsExhausted { .. } => false,
        };
        if !taken {
            self.bodies.state.copy_from(&self.start);
        }
        self.bodies.state.step = self.start.step + u64::from(taken);
        self.bodies.forces.forget_pushes();
        StepReport {
            status,
            taken,
            iterations: advance.iterations,
            residual: advance.residual,
            force_evaluations: self.bodies.forces.evaluations(),
            collisions,
            linear_work: advance.linear_work,
        }
    }
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// The outcome.
    pub status: IntegrationStatus,
    /// Whether the state moved on. If not, it is the state before the step.
    pub taken: bool,
    /// Newton iterations, or substeps of an adaptive method (refused ones included); 1 for other
    /// methods.
    pub iterations: u32,
    /// For implicit methods the 2-norm of what is left of the equation of motion, h F − M Δv, in
    /// newton seconds; if Newton's method converged, before its last update. For adaptive methods
    /// the largest error of a substep, where 1 is what the tolerances allow. Zero for others.
    pub residual: f64,
    /// How often the forces on all particles were evaluated.
    pub force_evaluations: u64,
    /// What the linear systems of an implicit method took.
    pub linear_work: LinearWork,
    /// How collisions were resolved.
    pub collisions: CollisionReport,
}

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IntegrationStatus {
    /// The step was taken and every equation solved.
    Completed,
    /// The equation of an implicit method was not solved. The step was taken with the best
    /// velocities found, which are finite.
    NotConverged {
        /// What is left of the equation: see [`StepReport::residual`].
        residual: f64,
    },
    /// A position or velocity came out infinite or not a number.
    NonFinite {
        /// The first such particle.
        particle: ParticleIndex,
    },
    /// An adaptive method ran out of substeps. The step was not taken.
    SubstepsExhausted {
        /// How many seconds of the time step it had covered.
        elapsed: f64,
    },
}

impl IntegrationStatus {
    /// Whether the step was taken and every equation solved.
    pub fn is_completed(self) -> bool {
        self == Self::Completed
    }
}

impl World {
    /// A world ready to step, after checking that indices, numbers and lengths fit.
    pub fn new(model: Model, state: State, settings: ParticleSettings) -> Result<Self, ModelError> {
        check_settings(&settings)?;
        model.check(&settings)?;
        model.check_state(&state)?;
        let collisions = Handler::new(&model, &settings);
        let start = state.clone();
        let bodies = Bodies::new(model, state, settings)?;
        Ok(Self { start, bodies, stepper: Stepper::default(), collisions, contacts: Vec::new() })
    }

    /// Gives single particles surfaces of their own, in their order: restitution, friction and the
    /// groups that they pass through. Half-planes and edges are in group 0. The settings of
    /// collisions become the greatest of all. The methods that are warnings (`simple`, penalty
    /// forces) and the course's do not look at them.
    pub fn set_surfaces(&mut self, surfaces: Vec<Surface>) {
        let Some(mut greatest) = self.bodies.settings.contact_settings() else { return };
        self.bodies.surfaces = Surfaces::new(surfaces, Some(&mut greatest));
        self.bodies.settings.collision.restitution = greatest.restitution;
        self.bodies.settings.collision.friction = greatest.friction;
    }

    pub(crate) fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Masses, shapes and forces.
    pub fn model(&self) -> &Model {
        &self.bodies.model
    }

    /// Positions, velocities and number of steps.
    pub fn state(&self) -> &State {
        &self.bodies.state
    }

    /// How it is stepped.
    pub fn settings(&self) -> &ParticleSettings {
        &self.bodies.settings
    }

    /// What touched in the last step, in the order in which it was answered.
    pub fn contacts(&self) -> &[ParticleContact] {
        &self.contacts
    }

    /// The state between the stages of the last step, where the collision response has stages
    /// (hybrid: after the impulses).
    pub fn intermediate(&self) -> Option<&State> {
        self.collisions.intermediate.as_ref()
    }

    /// Writes down the polynomials of all pairs in the steps from now on, or stops doing so. Only
    /// `continuous-time` and `hybrid` under [`ParticleSettings::course`] have any; results stay the
    /// same, at a cost of the square of the number of particles.
    pub fn log_conditions(&mut self, wanted: bool) {
        let wanted = wanted && self.bodies.settings.course;
        let log = &mut self.collisions.log;
        *log = if wanted { Some(log.take().unwrap_or_default()) } else { None };
    }

    /// The polynomials of the last step, if they were wanted.
    pub fn conditions(&self) -> Option<&ConditionsLog> {
        self.collisions.log.as_ref()
    }

    /// Time in seconds.
    pub fn time(&self) -> f64 {
        self.bodies.state.time(self.bodies.settings.time_step)
    }

    /// Pushes a particle during the next step, with a constant force. Several pushes add up. A
    /// fixed particle does not feel it; neither does one that is not there.
    pub fn apply(&mut self, particle: ParticleIndex, force: DVec2) {
        self.bodies.forces.push(self.bodies.model.particles.len(), particle, force);
    }

    /// Goes to another state of the same model, for example a stored frame. The next step is then
    /// the same, to the bit, as in a run that came there by itself.
    pub fn set_state(&mut self, state: &State) -> Result<(), ModelError> {
        self.bodies.model.check_state(state)?;
        self.bodies.state.copy_from(state);
        self.restore_memory(&[]);
        Ok(())
    }

    /// The contact problem of the last step in which something touched; none for responses without
    /// one.
    pub fn contact_problem(&self) -> Option<&carom_contact::ContactProblem> {
        self.bodies.settings.contact_settings().map(|_| self.stepper.problem())
    }

    /// What the contact solver remembers from step to step, as plain numbers; empty for most
    /// methods. A world with the same state and memory goes on to the same bits.
    pub fn memory(&self) -> Vec<f64> {
        match self.bodies.settings.contact_settings() {
            Some(_) => self.stepper.workspace().memory(),
            None => self.collisions.memory(),
        }
    }

    /// Puts back what [`World::memory`] gave, after [`World::set_state`].
    pub fn restore_memory(&mut self, memory: &[f64]) {
        self.stepper.workspace_mut().restore_memory(memory);
        self.collisions.restore_memory(memory);
    }
}

fn check_settings(settings: &ParticleSettings) -> Result<(), ModelError> {
    if !(settings.time_step.is_finite() && settings.time_step > 0.0) {
        return Err(ModelError::BadSetting { setting: "time step" });
    }
    if let Integrator::DormandPrince { relative_tolerance, absolute_tolerance } = settings.integrator {
        let fits = |tolerance: f64| tolerance.is_finite() && tolerance >= 0.0;
        if !fits(relative_tolerance)
            || !fits(absolute_tolerance)
            || relative_tolerance + absolute_tolerance == 0.0
        {
            return Err(ModelError::BadSetting { setting: "tolerance" });
        }
    }
    if !(settings.newton.update_tolerance.is_finite() && settings.newton.update_tolerance > 0.0) {
        return Err(ModelError::BadSetting { setting: "Newton tolerance" });
    }
    Ok(())
}
