//! The lecture's loop over colliding contacts.
//!
//! Witkin and Baraff, "Physically based modeling", SIGGRAPH 2001 course notes, rigid body lecture, section 8: each colliding contact gets
//! j = −(1 + ε) v_rel / (1/Ma + 1/Mb + n·((Ia⁻¹(ra × n)) × ra) + n·((Ib⁻¹(rb × n)) × rb)), one contact at a time, until none collides.
//! A body that contact does not move has none of the terms. Friction, which the lecture leaves out, acts after each j against
//! the sliding at the same point, by what stops it but by no more than μ j.

use crate::contact_rows::apply_impulse;
use crate::detection::{Approach, Contact};
use crate::model::{BodyIndex, Model};
use crate::settings::{ContactSettings, ImpulseLoop};
use crate::state::BodyState;
use carom_contact::Status;
use glam::DVec3;

/// How the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopOutcome {
    pub(crate) status: Status,
    pub(crate) passes: u64,
    /// Whether some contact still approaches, more slowly than the threshold.
    pub(crate) resting: bool,
}

/// Passes over the contacts until none collides. Adds what each one got to `impulses`.
pub(crate) fn collide_until_done(
    (model, states): (&Model, &mut [BodyState]),
    contacts: &[Contact],
    contact_settings: &ContactSettings,
    settings: &ImpulseLoop,
    impulses: &mut Vec<DVec3>,
) -> LoopOutcome {
    impulses.clear();
    impulses.resize(contacts.len(), DVec3::ZERO);
    let mut outcome = LoopOutcome { status: Status::Solved, passes: 0, resting: false };
    loop {
        let mut had_collision = false;
        outcome.resting = false;
        for (contact, total) in contacts.iter().zip(impulses.iter_mut()) {
            let normal_velocity = contact.normal_velocity(model, states);
            let movable = stiffness(contact, contact.normal, model, states) > 0.0;
            if movable && Approach::of(normal_velocity, settings.threshold) == Approach::Colliding {
                *total += collide(contact, contact_settings, model, states);
                had_collision = true;
            } else {
                outcome.resting |= normal_velocity < 0.0;
            }
        }
        if !had_collision {
            return outcome;
        }
        outcome.passes += 1;
        if outcome.passes >= u64::from(settings.most_passes) {
            outcome.status = Status::LimitReached;
            outcome.resting = true;
            return outcome;
        }
    }
}

/// The lecture's `collision`: one contact's impulse, applied to both bodies.
fn collide(contact: &Contact, settings: &ContactSettings, model: &Model, states: &mut [BodyState]) -> DVec3 {
    let n = contact.normal;
    let j = -(1.0 + settings.restitution) * contact.normal_velocity(model, states)
        / stiffness(contact, n, model, states);
    apply_impulse(contact, j * n, model, states);
    if settings.friction == 0.0 {
        return j * n;
    }
    let velocity = contact.relative_velocity(model, states);
    let sliding = velocity - n.dot(velocity) * n;
    let along = sliding.normalize_or_zero();
    let resistance = stiffness(contact, along, model, states);
    if resistance <= 0.0 {
        return j * n;
    }
    let rub = -(sliding.length() / resistance).min(settings.friction * j) * along;
    apply_impulse(contact, rub, model, states);
    j * n + rub
}

/// The denominator of j: how much a unit impulse along `n` changes the relative velocity along it.
fn stiffness(contact: &Contact, n: DVec3, model: &Model, states: &[BodyState]) -> f64 {
    let terms = |index: BodyIndex| {
        let (body, state) = (&model.bodies[index.get()], &states[index.get()]);
        if !body.motion.is_free() {
            return 0.0;
        }
        let arm = contact.point - state.position;
        n.length_squared() / body.mass + n.dot((state.inverse_inertia(body) * arm.cross(n)).cross(arm))
    };
    terms(contact.first) + terms(contact.second)
}
