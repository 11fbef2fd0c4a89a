//! A world: bodies, where they are, how they are stepped, and what can be asked of it.

use crate::bodies::Bodies;
use crate::check;
use crate::course_order::CourseOrder;
use crate::detection::PlanarContact;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::Load;
use crate::model::{BodyIndex, Model};
use crate::settings::{ContactSettings, PlanarSettings};
use crate::state::State;
use carom_contact::ContactProblem;
use carom_stepping::{StepReport, Stepper, Touched};
use glam::DVec2;

/// Bodies, where they are, and how they are stepped.
#[derive(Debug, Clone)]
pub struct World {
    bodies: Bodies,
    stepper: Stepper<Bodies>,
    course_order: CourseOrder,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    pub fn new(model: Model, state: State, settings: PlanarSettings) -> Result<Self, ModelError> {
        check::model(&model, &settings)?;
        check::state(&model, &state)?;
        check::settings(&settings)?;
        let bodies = Bodies::new(model, state, settings);
        Ok(Self { bodies, stepper: Stepper::default(), course_order: CourseOrder::default() })
    }

    /// Takes one step.
    pub fn step(&mut self) -> StepReport {
        let dt = self.bodies.settings.dt;
        let report = match self.solved_contact() {
            Some(contact) => self.stepper.step(&mut self.bodies, &contact, dt),
            None => self.course_order.step(&mut self.bodies),
        };
        self.bodies.state.step += 1;
        self.bodies.applied.fill(Load::default());
        report
    }

    /// The settings of contact, unless the step is the course's.
    fn solved_contact(&self) -> Option<ContactSettings> {
        self.bodies.settings.contact.filter(|_| !self.bodies.settings.course)
    }

    carom_stepping::rigid_world!(PlanarSettings);

    /// Who touched in the last step, in order, and how hard: impacts at their instants, then
    /// contact that lasts.
    pub fn touched(&self) -> &[Touched<PlanarContact>] {
        match self.solved_contact() {
            Some(_) => self.stepper.touched(),
            None => &self.course_order.touched,
        }
    }

    /// The contact problem of the last step in which something touched: M, q̇ before, N; A by its
    /// rows.
    pub fn contact_problem(&self) -> &ContactProblem {
        match self.solved_contact() {
            Some(_) => self.stepper.problem(),
            None => &self.course_order.problem,
        }
    }

    /// Pushes and turns a body during the next step. Several pushes add up. A fixed or kinematic
    /// body does not feel it; neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec2, torque: f64) {
        if let Some(load) = self.bodies.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
    }

    /// Puts the world into another state, for comparison and for resuming. Warm starts are
    /// forgotten.
    pub fn set_state(&mut self, state: State) -> Result<(), ModelError> {
        check::state(&self.bodies.model, &state)?;
        self.bodies.state = state;
        self.stepper.workspace_mut().restore_memory(&[]);
        Ok(())
    }
}
