//! Bodies that contacts make faster than they were.
//!
//! Contacts of a step are looked for as far as bodies go at the velocities before the response, and a little further. One that the response throws, as a light body
//! squeezed out between heavy ones, goes further than that, into whatever was not looked at. Then contacts are looked for again, as far as bodies now
//! go; where one of them would end in an overlap, the response is taken back and asked again with all of them. What turns far in a step is looked at after it.

use crate::detection::Contact;
use crate::impact::{Impact, ROOM_FOR_SURPRISE};
use crate::model::{Body, BodyIndex, Model, Motion};
use crate::projection;
use crate::report::StepReport;
use crate::settings::{ContactSettings, Overlap};
use crate::shape::Shape;
use crate::state::BodyState;
use crate::world::World;
use carom_contact::Status;

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
        self.start.clone_from(&self.state.bodies);
        self.respond(contact, Some(dt), report);
        for time in 1.. {
            let Self { model, state, impact, .. } = self;
            let surprised = impact.reach_further(model, &state.bodies, dt)
                && impact.finds_overlap_to_come(model, &state.bodies, contact.touching, dt);
            if !surprised {
                break;
            }
            if time > MOST_SURPRISES {
                report.status = report.status.max(Status::LimitReached);
                break;
            }
            state.bodies.copy_from_slice(&self.start);
            *report = StepReport { operations: report.operations, ..unanswered };
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
            let is_round = matches!(body.shape, Shape::Sphere { .. });
            body.motion.is_free() && !is_round && state.angular_velocity(body).length() * dt > FAR_TURN
        };
        if self.impact.contacts.is_empty() || contact.overlap == Overlap::Leave {
            return;
        }
        if self.model.bodies.iter().zip(&self.state.bodies).any(turns_far) {
            let Self { model, state, impact, .. } = self;
            let (found, touching) = (&mut impact.further, contact.touching);
            impact.detector.detect(model, &state.bodies, touching, &[], found);
            if projection::overlaps_beyond(found, ROOM_FOR_SURPRISE) {
                report.status = report.status.max(Status::LimitReached);
            }
        }
    }
}

impl Impact {
    /// Gives bodies that go further than was looked within `dt`, or elsewhere, more room; true if there are any.
    fn reach_further(&mut self, model: &Model, states: &[BodyState], dt: f64) -> bool {
        let mut further = false;
        for (index, (body, state)) in model.bodies.iter().zip(states).enumerate() {
            let Motion::Free = body.motion else { continue };
            let (extent, reach) = (self.detector.extent(index), &mut self.reaches[index]);
            let turning = dt * state.angular_velocity(body).length() * extent;
            let astray = (dt * state.velocity(body) - reach.motion).length() + turning;
            if astray > reach.room {
                reach.room = astray + ROOM_FOR_SURPRISE * extent;
                further = true;
            }
        }
        further
    }

    /// Looks for contacts as far as is reached now, and whether one of them will be an overlap.
    fn finds_overlap_to_come(&mut self, model: &Model, states: &[BodyState], touching: f64, dt: f64) -> bool {
        self.detector.detect(model, states, touching, &self.reaches, &mut self.further);
        let speed = |index: BodyIndex, contact: &Contact| {
            let (body, state) = (&model.bodies[index.get()], &states[index.get()]);
            let turning = state.angular_velocity(body).cross(contact.point - state.position);
            if let Motion::Fixed = body.motion {
                0.0
            } else {
                contact.normal.dot(state.velocity(body) + turning)
            }
        };
        self.further.iter().any(|contact| {
            let opening = speed(contact.second, contact) - speed(contact.first, contact);
            contact.gap.max(0.0) + dt * opening < -WORTH_ASKING * contact.extent
        })
    }

    fn take_further_contacts(&mut self, report: &mut StepReport) {
        std::mem::swap(&mut self.contacts, &mut self.further);
        self.describe(report);
    }
}
