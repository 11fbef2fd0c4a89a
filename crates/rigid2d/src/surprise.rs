//! Bodies that contacts make faster than they were.
//!
//! Contacts of a step are looked for as far as bodies go at the velocities before the response, and a little further. One that the response throws, as a light body
//! squeezed out between heavy ones, goes further than that, into whatever was not looked at. Then contacts are looked for again, as far as bodies now
//! go; where one of them would end in an overlap, the response is taken back and asked again with all of them. What turns far in a step is looked at after it.

use crate::detection::{Contact, Depth};
use crate::impact::{Impact, ROOM_FOR_SURPRISE};
use crate::model::{Body, BodyIndex, Model, Motion, Shape};
use crate::report::StepReport;
use crate::rotation::cross;
use crate::settings::{ContactSettings, Overlap};
use crate::state::BodyState;
use crate::world::World;
use carom_contact::Status;
use glam::DVec2;

/// Times that a response is asked again.
const MOST_SURPRISES: usize = 4;
/// Radians in a step from which on the way of a corner is no line: it is off by 4 % of the extent.
const FAR_TURN: f64 = 0.3;
/// An overlap to come, as a part of the smaller body's extent, that is worth asking again.
const WORTH_ASKING: f64 = 0.01;

impl World {
    /// Responds to what may touch within `dt`, and to what may touch because of that. `LimitReached` where there is no end to it.
    pub(crate) fn respond_ahead(&mut self, contact: &ContactSettings, dt: f64, report: &mut StepReport) {
        let unanswered = *report;
        self.before.clone_from(&self.state.bodies);
        self.respond(contact, Some(dt), report);
        for time in 1.. {
            let rules = self.rules(contact);
            let Self { model, state, impact, .. } = self;
            let surprised = impact.reach_further(model, &state.bodies, dt)
                && impact.finds_overlap_to_come(model, &state.bodies, rules, dt);
            if !surprised {
                break;
            }
            if time > MOST_SURPRISES {
                report.status = report.status.max(Status::LimitReached);
                break;
            }
            state.bodies.copy_from_slice(&self.before);
            *report = unanswered;
            impact.take_further_contacts(report);
            self.respond(contact, Some(dt), report);
        }
    }
}

impl World {
    /// Turning is not linear: bodies that turned far in `dt` may have met what they were kept from. Then it is worth a look, and told.
    pub(crate) fn look_at_what_turned(
        &mut self,
        contact: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        let turns_far = |(body, state): (&Body, &BodyState)| {
            let is_round = matches!(body.shape, Shape::Disc { .. });
            body.motion.is_free() && !is_round && state.angular_velocity.abs() * dt > FAR_TURN
        };
        if self.impact.contacts.is_empty() || contact.overlap == Overlap::Leave {
            return;
        }
        if self.model.bodies.iter().zip(&self.state.bodies).any(turns_far) {
            let rules = self.rules(contact);
            let Self { model, state, impact, .. } = self;
            let depth = impact.detector.detect(model, &state.bodies, rules, &[], &mut impact.further);
            if depth.part > ROOM_FOR_SURPRISE {
                report.status = report.status.max(Status::LimitReached);
            }
        }
    }
}

impl Impact {
    /// Widens the margins of bodies that go beyond them within `dt`; true if there are any.
    fn reach_further(&mut self, model: &Model, states: &[BodyState], dt: f64) -> bool {
        let mut further = false;
        for (index, (body, state)) in model.bodies.iter().zip(states).enumerate() {
            let extent = self.detector.extent(index);
            let way = dt * (state.velocity.length() + state.angular_velocity.abs() * extent);
            if body.motion.is_free() && way > self.margins[index] {
                self.margins[index] = way + ROOM_FOR_SURPRISE * extent;
                further = true;
            }
        }
        further
    }

    /// Looks for contacts within the margins at hand, and whether one of them will be an overlap.
    fn finds_overlap_to_come(
        &mut self,
        model: &Model,
        states: &[BodyState],
        rules: crate::detection::Rules,
        dt: f64,
    ) -> bool {
        self.detector.detect(model, states, rules, &self.margins, &mut self.further);
        let speed_at = |index: BodyIndex, arm: DVec2, normal: DVec2| {
            let (body, state): (&Body, _) = (&model.bodies[index.get()], &states[index.get()]);
            let moves = !matches!(body.motion, Motion::Fixed);
            if moves { normal.dot(state.velocity) + state.angular_velocity * cross(arm, normal) } else { 0.0 }
        };
        self.further.iter().any(|contact: &Contact| {
            let speed = speed_at(contact.second, contact.second_arm, contact.normal)
                - speed_at(contact.first, contact.first_arm, contact.normal);
            contact.gap.max(0.0) + dt * speed < -WORTH_ASKING * contact.extent
        })
    }

    fn take_further_contacts(&mut self, report: &mut StepReport) {
        std::mem::swap(&mut self.contacts, &mut self.further);
        self.depth = Depth::of(&self.contacts);
        self.describe(report);
    }
}
