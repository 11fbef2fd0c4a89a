//! A world and its step.

use crate::check;
use crate::detection::Rules;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::{self, Load, Penalty};
use crate::impact::Impact;
use crate::integrator;
use crate::model::{BodyIndex, Model};
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, Order, Response, Settings};
use crate::state::{BodyState, State};
use glam::DVec2;

/// Bodies, where they are, and how they are stepped.
#[derive(Debug, Clone)]
pub struct World {
    model: Model,
    state: State,
    settings: Settings,
    /// Forces from outside, for the next step only.
    applied: Vec<Load>,
    /// Room for the forces of a step.
    loads: Vec<Load>,
    /// Room for the contacts of a step.
    impact: Impact,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    ///
    /// In course mode the order and the treatment of overlap are the course's, whatever the settings say.
    pub fn new(model: Model, state: State, settings: Settings) -> Result<Self, ModelError> {
        check::model(&model, &settings)?;
        check::state(&model, &state)?;
        check::settings(&settings)?;
        let nothing = vec![Load::default(); model.bodies.len()];
        let impact = Impact::new(&model);
        let settings = settings.as_followed();
        Ok(Self { model, state, settings, applied: nothing.clone(), loads: nothing, impact })
    }

    /// Takes one step.
    pub fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        match self.settings.contact {
            None => self.advance(),
            Some(contact) if contact.order == Order::RespondThenMove => {
                self.push();
                self.detect_ahead(&contact, &mut report);
                self.respond(&mut report);
                self.drift();
            }
            Some(contact) => {
                self.advance();
                self.detect(&contact, &mut report);
                self.respond(&mut report);
            }
        }
        self.state.step += 1;
        self.applied.fill(Load::default());
        report
    }

    /// Moves everything by one step as if nothing touched, but for penalty forces.
    fn advance(&mut self) {
        let penalty = self.penalty();
        let Self { model, state, settings, applied, loads, impact } = self;
        let mut law = |bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
            if let Some((penalty, rules)) = penalty {
                impact.detect_within(model, bodies, rules, penalty.thickness);
                penalty.accumulate(&impact.contacts, loads);
            }
        };
        settings.integrator.advance(model, state, settings.dt, &mut law, loads);
    }

    /// Velocities at the end of the step as if nothing touched; nothing moves yet.
    fn push(&mut self) {
        let Self { model, state, settings, applied, loads, .. } = self;
        loads.copy_from_slice(applied);
        force::accumulate(model, &state.bodies, loads);
        integrator::push(model, state, settings.dt, loads);
        integrator::aim_scripted(model, state, settings.dt);
    }

    /// Moves everything with the velocities it has.
    fn drift(&mut self) {
        integrator::move_scripted(&self.model, &mut self.state, self.settings.dt);
        integrator::drift(&self.model, &mut self.state, self.settings.dt);
    }

    fn detect(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        self.impact.detect(&self.model, &self.state.bodies, self.rules(contact));
        report.deepest_penetration = self.impact.deepest_penetration();
    }

    fn detect_ahead(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        let rules = self.rules(contact);
        self.impact.detect_ahead(&self.model, &self.state.bodies, rules, self.settings.dt);
        report.deepest_penetration = self.impact.deepest_penetration();
    }

    fn respond(&mut self, report: &mut StepReport) {
        self.impact.respond(&self.model, &mut self.state, &self.settings, report);
    }

    /// The penalty force, and what counts as near it, where it is the response.
    fn penalty(&self) -> Option<(Penalty, Rules)> {
        let contact = self.settings.contact?;
        match contact.response {
            Response::Penalty(penalty) => Some((penalty, self.rules(&contact))),
            _ => None,
        }
    }

    fn rules(&self, contact: &ContactSettings) -> Rules {
        Rules { course: self.settings.course, touching: contact.touching }
    }
}

/// What can be asked of a world, and told to it.
impl World {
    /// What the world is made of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where everything is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How it is stepped.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.state.step as f64 * self.settings.dt
    }

    /// Energy and momentum of the free bodies.
    pub fn totals(&self) -> Totals {
        Totals::of(&self.model, &self.state.bodies)
    }

    /// Who touched in the last step, in order.
    pub fn touched(&self) -> impl Iterator<Item = Touched> + '_ {
        self.impact.touched(&self.model)
    }

    /// Pushes and turns a body during the next step. Several pushes add up. A fixed or scripted body does not feel it;
    /// neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec2, torque: f64) {
        if let Some(load) = self.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
    }

    /// Puts the world into another state, for comparison and for resuming.
    pub fn set_state(&mut self, state: State) -> Result<(), ModelError> {
        check::state(&self.model, &state)?;
        self.state = state;
        Ok(())
    }
}
