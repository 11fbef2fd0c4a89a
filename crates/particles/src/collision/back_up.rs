//! Collisions at their time, one after the other (collision lecture, "backing up time").
//!
//! The first contact on the straight paths of a step is found; everything goes back to that moment,
//! or rather to a little before it, so that rounding never puts a particle on the other side; the
//! two answer at the velocity of their paths; the rest of the step is gone through in the same way.
//! Events closer together than rounding happen in canonical order. A cap on events keeps a rattle
//! from lasting for ever; the later half of the events is inelastic, and after the cap come the
//! failsafes, on what is left of the step.

use super::hybrid::{closing_and_reach, detect, drop_negligible};
use super::impulse::{Law, pair_impulse};
use super::{CollisionReport, FallbackLevel, Handler, Step, failsafe};
use crate::State;
use crate::detection::{DetectedContact, Plane};

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>, max_events: u32) -> CollisionReport {
    let law = Law::of(step.context.collision());
    let mut report = CollisionReport::default();
    let mut now = std::mem::take(&mut handler.moment);
    now.copy_from(step.start);
    let mut planes = std::mem::take(&mut handler.moment_planes);
    planes.clear();
    planes.extend_from_slice(step.context.planes);
    let mut elapsed = 0.0;
    let mut clean = false;
    while !clean && report.passes < max_events {
        report.passes += 1;
        clean = elapsed >= 1.0;
        if clean {
            break;
        }
        let mut context = step.context;
        context.planes = &planes;
        let rest = Step { context, start: &now, end: step.end, before: None };
        detect(handler, &rest);
        drop_negligible(handler, &rest);
        let first = handler.hits.iter().copied().reduce(|a, b| if b.time < a.time { b } else { a });
        let Some(first) = first else {
            clean = true;
            continue;
        };
        let inelastic = 2 * report.passes > max_events;
        let restitution = if inelastic { 0.0 } else { law.restitution };
        if inelastic {
            report.fallback = FallbackLevel::Inelastic;
        }
        let remaining = (1.0 - elapsed) * step.context.settings.time_step;
        let inverse = 1.0 / remaining;
        let path = |k: usize| (rest.end.positions[k] - now.positions[k]) * inverse;
        let impulse = pair_impulse(&rest.context, &first, Law { restitution, ..law }, path);
        let time = just_before(&rest, &first);
        go_on(&mut now, step.end, &mut planes, time);
        // the change acts on what is left of the step after the contact
        step.note();
        impulse.apply_to_velocities(&mut step.end.velocities);
        impulse.apply_to_positions((1.0 - time) * remaining, &mut step.end.positions);
        let mut contact = first.contact(impulse.magnitude, impulse.friction);
        contact.time = elapsed + first.time * (1.0 - elapsed);
        handler.contacts.push(contact);
        elapsed += time * (1.0 - elapsed);
    }
    if !clean {
        let mut context = step.context;
        context.planes = &planes;
        step.note();
        let mut rest = Step { context, start: &now, end: step.end, before: step.before };
        report.fallback = failsafe::resolve(handler, &mut rest);
    }
    handler.moment = now;
    handler.moment_planes = planes;
    report
}

/// The time at which the two are still apart by far more than rounding, and by far less than anyone
/// sees.
fn just_before(rest: &Step<'_>, hit: &DetectedContact) -> f64 {
    const OF_PLACES: f64 = 1e-12;
    const OF_REACH: f64 = 1e-9;
    let (closing, reach) = closing_and_reach(rest, hit);
    let apart = OF_REACH * reach.abs() + OF_PLACES * hit.position.abs().max_element();
    if closing > 0.0 { (hit.time - apart / closing).max(0.0) } else { hit.time }
}

/// Moves the present along the paths to a time between now and the end.
fn go_on(now: &mut State, end: &State, planes: &mut [Plane], time: f64) {
    for (x, end) in now.positions.iter_mut().zip(&end.positions) {
        *x += time * (*end - *x);
    }
    for plane in planes {
        plane.start += time * (plane.end - plane.start);
    }
}
