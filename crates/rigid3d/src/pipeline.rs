//! The step of a world.

use crate::force::{self, Load};
use crate::impact::Demand;
use crate::integrator::{self, Advanced, Integrator, ode};
use crate::projection::overlaps_beyond;
use crate::report::StepReport;
use crate::settings::{ContactSettings, Order, Overlap, TimeOfContact};
use crate::state::BodyState;
use crate::world::World;
use carom_contact::Status;

/// More touches than this in one step are bodies that come to rest: what is left of the step is done at once.
const MOST_IMPACTS: usize = 50;

impl World {
    /// Takes one step. Where numbers grow out of all bounds the status says `InvalidInput`, from then on.
    pub fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        let (start, end) = (self.time(), (self.state.step + 1) as f64 * self.settings.dt);
        integrator::aim_scripted(&self.model, &mut self.state.bodies, end, end - start);
        match self.settings.contact {
            None => {
                self.advance((start, end), &mut report);
                self.move_scripted(end);
            }
            Some(contact) if contact.time_of_contact.is_some() => {
                let stop = contact.time_of_contact.unwrap_or_default();
                let reached = self.move_from_touch_to_touch(&contact, stop, (start, end), &mut report);
                self.push_respond_then_move(&contact.without_bounce(), (reached, end), &mut report);
            }
            Some(contact) if contact.order == Order::RespondThenMove => {
                self.push_respond_then_move(&contact, (start, end), &mut report);
            }
            Some(contact) => {
                self.advance((start, end), &mut report);
                self.move_scripted(end);
                self.detect(&contact, &mut report);
                self.separate_once(&contact, &mut report);
                self.respond(&contact, None, &mut report);
            }
        }
        self.state.step += 1;
        self.applied.fill(Load::default());
        if !self.state.bodies.iter().all(BodyState::is_finite) {
            report.status = Status::InvalidInput;
        }
        report
    }

    /// Moves free bodies as if nothing touched.
    fn advance(&mut self, span: (f64, f64), report: &mut StepReport) {
        let Self { model, state, settings, applied, scratch, .. } = self;
        // every try for a time of contact would spend as much again
        let exhausted = report.own_steps >= ode::MOST_STEPS;
        report.integrator_inaccurate |= exhausted;
        let integrator = if exhausted { Integrator::RungeKutta4 } else { settings.integrator };
        let mut law = |_: f64, bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
        };
        let advanced = integrator.advance(model, &mut state.bodies, span, &mut law, scratch);
        describe_advance(advanced, report);
    }

    /// Pushes, responds to what may touch until the end of the span, then moves to it.
    fn push_respond_then_move(
        &mut self,
        contact: &ContactSettings,
        (start, end): (f64, f64),
        report: &mut StepReport,
    ) {
        let dt = end - start;
        if dt > 0.0 {
            let Self { model, state, applied, loads, .. } = self;
            loads.copy_from_slice(applied);
            force::accumulate(model, &state.bodies, loads);
            integrator::push(model, &mut state.bodies, dt, loads);
            self.detect_ahead(contact, dt, report);
            self.separate(contact, dt, report);
            self.respond_ahead(contact, dt, report);
            describe_advance(integrator::drift(&self.model, &mut self.state.bodies, dt), report);
        }
        self.move_scripted(end);
        self.look_at_what_turned(contact, dt, report);
    }

    /// Responds, moves to the next touch, and so on to the end of the span; returns the time that was reached when there are
    /// too many touches.
    fn move_from_touch_to_touch(
        &mut self,
        contact: &ContactSettings,
        stop: TimeOfContact,
        (start, end): (f64, f64),
        report: &mut StepReport,
    ) -> f64 {
        let mut time = start;
        for _ in 0..MOST_IMPACTS {
            self.detect(contact, report);
            self.respond(contact, None, report);
            let reached = self.advance_to_touch(contact, stop, (time, end), report);
            if reached == end || reached == time {
                return reached;
            }
            time = reached;
            report.impacts += 1;
        }
        time
    }

    /// Moves until bodies overlap by the depth that counts as touching, or to the end of the span. The last time without a
    /// deeper overlap is found by bisection; each try starts again from the state at the start of the span.
    fn advance_to_touch(
        &mut self,
        contact: &ContactSettings,
        stop: TimeOfContact,
        (start, end): (f64, f64),
        report: &mut StepReport,
    ) -> f64 {
        self.start.clone_from(&self.state.bodies);
        let mut overlaps_at = |world: &mut Self, time: f64| {
            world.state.bodies.copy_from_slice(&world.start);
            world.advance((start, time), report);
            world.move_scripted(time);
            world.impact.detect(&world.model, &world.state.bodies, contact.touching);
            overlaps_beyond(&world.impact.contacts, stop.depth)
        };
        if !overlaps_at(self, end) {
            return end;
        }
        let (mut free, mut deep) = (start, end);
        while deep - free > stop.time * self.settings.dt {
            let middle = free + 0.5 * (deep - free);
            if middle <= free || middle >= deep {
                break;
            }
            if overlaps_at(self, middle) {
                deep = middle;
            } else {
                free = middle;
            }
        }
        overlaps_at(self, free);
        free
    }

    fn move_scripted(&mut self, time: f64) {
        integrator::move_scripted(&self.model, &mut self.state.bodies, time);
    }

    fn detect(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        self.impact.detect(&self.model, &self.state.bodies, contact.touching);
        self.impact.describe(report);
    }

    fn detect_ahead(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        self.impact.detect_ahead(&self.model, &self.state.bodies, contact.touching, dt);
        self.impact.describe(report);
    }

    fn separate(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        if let Overlap::Project { beyond } = contact.overlap {
            let Self { model, state, impact, .. } = self;
            // A tolerance allows that much overlap in a step.
            if contact.tolerance.is_some_and(|speed| impact.relax(model, &mut state.bodies, speed * dt)) {
                return;
            }
            let status = impact.separate(model, &mut state.bodies, beyond, |impact, states| {
                impact.detect_ahead(model, states, contact.touching, dt);
            });
            report.status = report.status.max(status);
        }
    }

    fn separate_once(&mut self, contact: &ContactSettings, report: &mut StepReport) {
        if let Overlap::Project { beyond } = contact.overlap {
            let status = self.impact.separate_once(&self.model, &mut self.state.bodies, contact, beyond);
            report.status = report.status.max(status);
        }
    }

    pub(crate) fn respond(&mut self, contact: &ContactSettings, ahead: Option<f64>, report: &mut StepReport) {
        let demand = Demand { contact: *contact, ahead };
        self.impact.respond(&self.model, &mut self.state.bodies, demand, report);
    }
}

fn describe_advance(advanced: Advanced, report: &mut StepReport) {
    report.orientation_drift = report.orientation_drift.max(advanced.drift);
    report.own_steps += advanced.own_steps;
    report.integrator_inaccurate |= advanced.inaccurate;
}
