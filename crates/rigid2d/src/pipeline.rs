//! A world and its step.

use crate::check;
use crate::detection::Rules;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::{self, Load, Penalty};
use crate::impact::{Demand, Impact};
use crate::integrator;
use crate::model::{BodyIndex, Model};
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, Order, Overlap, Response, Settings};
use crate::state::{BodyState, State};
use carom_contact::ContactProblem;
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

/// More touches than this in one step are a body that comes to rest: what is left of the step is done at once.
const MOST_IMPACTS: usize = 200;

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
            Some(contact) if contact.time_of_contact => {
                self.push();
                let left = self.move_from_touch_to_touch(&contact, &mut report);
                self.respond_then_move(&contact.without_bounce(), left, &mut report);
            }
            Some(contact) if contact.order == Order::RespondThenMove => {
                self.push();
                self.respond_then_move(&contact, self.settings.dt, &mut report);
            }
            Some(contact) => {
                self.advance();
                self.detect(&contact, &mut report);
                self.separate_pairs(&contact);
                self.respond(&contact, None, &mut report);
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

    /// Responds to what may touch within `dt`, then moves by it.
    fn respond_then_move(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        if dt > 0.0 {
            self.detect_ahead(contact, dt, report);
            self.separate(contact, dt);
            self.respond(contact, Some(dt), report);
            integrator::drift(&self.model, &mut self.state, dt);
        }
        integrator::move_scripted(&self.model, &mut self.state, self.settings.dt);
    }

    /// Moves to the first touch, responds, and so on to the end of the step; returns what is left of it when there are too
    /// many touches.
    fn move_from_touch_to_touch(&mut self, contact: &ContactSettings, report: &mut StepReport) -> f64 {
        let mut left = self.settings.dt;
        for _ in 0..MOST_IMPACTS {
            self.detect(contact, report);
            self.respond(contact, None, report);
            let Self { model, state, impact, .. } = self;
            let touch = impact.detector.first_touch(model, &state.bodies, contact.touching, left);
            let moved = touch.unwrap_or(left);
            integrator::drift_all(model, state, moved);
            left -= moved;
            if touch.is_none() {
                return 0.0;
            }
            report.impacts += 1;
        }
        left
    }

    fn detect(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        self.impact.detect(&self.model, &self.state.bodies, self.rules(contact));
        report.deepest_penetration = report.deepest_penetration.max(self.impact.deepest_penetration());
    }

    fn detect_ahead(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        self.impact.detect_ahead(&self.model, &self.state.bodies, self.rules(contact), dt);
        report.deepest_penetration = report.deepest_penetration.max(self.impact.deepest_penetration());
    }

    fn separate(&mut self, contact: &ContactSettings, dt: f64) {
        if let Overlap::Project { beyond } = contact.overlap {
            let rules = self.rules(contact);
            let Self { model, state, impact, .. } = self;
            impact.separate(model, state, beyond, |impact, state| {
                impact.detect_ahead(model, &state.bodies, rules, dt);
            });
        }
    }

    fn separate_pairs(&mut self, contact: &ContactSettings) {
        if let Overlap::Project { beyond } = contact.overlap {
            self.impact.separate_pairs(&self.model, &mut self.state, beyond);
        }
    }

    fn respond(&mut self, contact: &ContactSettings, ahead: Option<f64>, report: &mut StepReport) {
        let demand = Demand { contact: *contact, course: self.settings.course, ahead };
        self.impact.respond(&self.model, &mut self.state, demand, report);
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

    /// Who touched in the last step, in order: pairs whose gap was closed, and pairs that were kept from closing it too far.
    pub fn touched(&self) -> impl Iterator<Item = Touched> + '_ {
        let touching = self.settings.contact.map_or(0.0, |contact| contact.touching);
        self.impact.touched(&self.model, touching)
    }

    /// The contact problem of the last step in which something touched: M, q̇ before, N; A by its directions.
    pub fn contact_problem(&self) -> &ContactProblem {
        &self.impact.problem
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
