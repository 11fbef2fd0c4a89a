//! Contacts as rows of the contact problem.
//!
//! Generalized velocities are (Vx, Vy, ω) for each body in turn. A unit push along d at a contact acts on them as the column
//! (−d, −(r0 × d)) for the lower body and (+d, +(r1 × d)) for the higher one (hand-out, section 5.1, with the sign that makes
//! the gap open). With d the normal this is η, and ηᵀv is the speed at which the gap opens.

use crate::detection::Contact;
use crate::model::{Body, BodyIndex, Model, Motion, Shape};
use crate::rotation::{cross, perp};
use crate::state::BodyState;
use carom_contact::{ContactKey, ContactProblem, Direction, Dof};
use glam::DVec2;

/// What every row of a problem shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowRules {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    /// The course's `lcp` and `gr-lcp` count the velocity that a scene gives a fixed body; everyone else takes it as at rest.
    pub(crate) fixed_bodies_move: bool,
    /// What a gap means.
    pub(crate) gaps: Gaps,
}

/// What the gap of a contact means for its row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Gaps {
    /// Nothing: every contact is closed.
    Ignore,
    /// A contact that is still open may close within the step: gap/dt + ηᵀv ≥ 0.
    Allow { dt: f64 },
    /// Velocities are displacements: gap + ηᵀΔ ≥ 0, overlaps included.
    Demand,
}

/// Writes the problem: velocities and masses of all bodies, then a row for each contact.
pub(crate) fn fill(
    problem: &mut ContactProblem,
    model: &Model,
    states: &[BodyState],
    contacts: &[Contact],
    rules: &RowRules,
) {
    problem.clear();
    for (body, state) in model.bodies.iter().zip(states) {
        push_body(problem, body, state, rules.fixed_bodies_move);
    }
    for contact in contacts {
        push_contact(problem, model, contact, rules);
    }
}

/// Takes velocities back from a solution.
pub(crate) fn read_velocities(velocity: &[f64], model: &Model, states: &mut [BodyState]) {
    for ((body, state), v) in model.bodies.iter().zip(states).zip(velocity.chunks_exact(3)) {
        if body.motion.is_free() {
            state.velocity = DVec2::new(v[0], v[1]);
            state.angular_velocity = v[2];
        }
    }
}

/// The column of a unit push along `along` at a contact: −along on the first body, +along on the second. A push along the normal goes
/// through the centre of a disc: it has no entry for the spin, which rounding would make one of.
pub(crate) fn column(model: &Model, contact: &Contact, along: DVec2) -> Direction {
    let mut direction = Direction::EMPTY;
    let mut push = |index: BodyIndex, arm: DVec2, sign: f64| {
        let body = &model.bodies[index.get()];
        let (mass, inertia) = (body.inverse_mass(), body.inverse_inertia());
        let eta = [sign * along.x, sign * along.y, sign * cross(arm, along)];
        let central = along == contact.normal && matches!(body.shape, Shape::Disc { .. });
        let axes = if central { 2 } else { 3 };
        for (axis, (eta, inverse)) in eta.into_iter().zip([mass, mass, inertia]).enumerate().take(axes) {
            let dof = Dof(3 * index.0 + axis as u32);
            direction
                .push(dof, eta, inverse * eta)
                .expect("two planar bodies have six degrees of freedom of twelve");
        }
    };
    push(contact.first, contact.first_arm, -1.0);
    push(contact.second, contact.second_arm, 1.0);
    direction
}

fn push_body(problem: &mut ContactProblem, body: &Body, state: &BodyState, fixed_bodies_move: bool) {
    let at_rest = matches!(body.motion, Motion::Fixed) && !fixed_bodies_move;
    let (velocity, spin) =
        if at_rest { (DVec2::ZERO, 0.0) } else { (state.velocity, state.angular_velocity) };
    let (mass, inertia) =
        if body.motion.is_free() { (body.mass, body.inertia) } else { (f64::INFINITY, f64::INFINITY) };
    problem.push_dof(velocity.x, mass);
    problem.push_dof(velocity.y, mass);
    problem.push_dof(spin, inertia);
}

fn push_contact(problem: &mut ContactProblem, model: &Model, contact: &Contact, rules: &RowRules) {
    let (allowance, prescribed_speed) = match rules.gaps {
        Gaps::Ignore => (0.0, 0.0),
        Gaps::Allow { dt } => (if contact.is_closed() { 0.0 } else { contact.gap / dt }, 0.0),
        Gaps::Demand => (contact.gap.max(0.0), contact.gap.min(0.0)),
    };
    let row = carom_contact::Contact {
        restitution: rules.restitution,
        friction: rules.friction,
        allowance,
        prescribed_speed,
        key: ContactKey([
            contact.first.0,
            contact.second.0,
            contact.features[0].code(),
            contact.features[1].code(),
        ]),
        ..carom_contact::Contact::new(column(model, contact, contact.normal))
    };
    if rules.friction > 0.0 {
        let rubbing = at_one_point(model, contact);
        problem.push_contact(row, &[column(model, &rubbing, perp(contact.normal))]);
    } else {
        problem.push_contact(row, &[]);
    }
}

/// The contact with the arms of both bodies to the same point, where both can move: friction that acted across a gap or an overlap would turn the pair
/// and make angular momentum. Normals need none of it: they act along the line of both points.
fn at_one_point(model: &Model, contact: &Contact) -> Contact {
    let is_free = |index: BodyIndex| model.bodies[index.get()].motion.is_free();
    if !(is_free(contact.first) && is_free(contact.second)) {
        return *contact;
    }
    let half = 0.5 * contact.gap * contact.normal;
    Contact { first_arm: contact.first_arm + half, second_arm: contact.second_arm - half, ..*contact }
}
