//! The step of a world.

use crate::detection::Rules;
use crate::force::{self, Load, Penalty};
use crate::impact::Demand;
use crate::integrator;
use crate::report::StepReport;
use crate::settings::{ContactSettings, Order, Overlap, Response};
use crate::state::BodyState;
use crate::world::World;

/// More touches than this in one step are a body that comes to rest: what is left of the step is done at once.
const MOST_IMPACTS: usize = 200;

impl World {
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
                self.separate_once(&contact, &mut report);
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
        let Self { model, state, settings, applied, loads, impact, .. } = self;
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
            self.separate(contact, dt, report);
            self.respond_ahead(contact, dt, report);
            integrator::drift(&self.model, &mut self.state, dt);
        }
        integrator::move_scripted(&self.model, &mut self.state, self.settings.dt);
        self.look_at_what_turned(contact, dt, report);
    }

    /// Moves to the first touch, responds, and so on to the end of the step; returns what is left of it when there are too
    /// many touches.
    fn move_from_touch_to_touch(&mut self, contact: &ContactSettings, report: &mut StepReport) -> f64 {
        let mut left = self.settings.dt;
        for time in 0..MOST_IMPACTS {
            self.detect(contact, report);
            if time == 0 {
                self.separate_at_touch(contact, report);
            }
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
        self.impact.describe(report);
    }

    fn detect_ahead(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        self.impact.detect_ahead(&self.model, &self.state.bodies, self.rules(contact), dt);
        self.impact.describe(report);
    }

    fn separate(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        if let Overlap::Project { beyond } = contact.overlap {
            let rules = self.rules(contact);
            let Self { model, state, impact, .. } = self;
            // A tolerance allows that much overlap in a step.
            if contact.tolerance.is_some_and(|speed| impact.relax(model, state, speed * dt)) {
                return;
            }
            let status = impact.separate(model, state, beyond, |impact, state| {
                impact.detect_ahead(model, &state.bodies, rules, dt);
            });
            report.status = report.status.max(status);
        }
    }

    /// The same at the start of a step that stops at touches, where what moves later is not near yet.
    fn separate_at_touch(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        if let Overlap::Project { beyond } = contact.overlap {
            let rules = self.rules(contact);
            let Self { model, state, impact, .. } = self;
            let status = impact.separate(model, state, beyond, |impact, state| {
                impact.detect(model, &state.bodies, rules);
            });
            report.status = report.status.max(status);
        }
    }

    fn separate_once(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        if let Overlap::Project { beyond } = contact.overlap {
            let rules = (contact, self.rules(contact));
            let status = self.impact.separate_once(&self.model, &mut self.state, rules, beyond);
            report.status = report.status.max(status);
        }
    }

    pub(crate) fn respond(&mut self, contact: &ContactSettings, ahead: Option<f64>, report: &mut StepReport) {
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

    pub(crate) fn rules(&self, contact: &ContactSettings) -> Rules {
        Rules { course: self.settings.course, touching: contact.touching }
    }
}
