//! Contacts as rows of the contact problem.
//!
//! Generalized velocities are (Vx, Vy, ω) for each body in turn. A unit push along d at a contact
//! acts on them as the column (−d, −(r0 × d)) for the lower body and (+d, +(r1 × d)) for the higher
//! one (hand-out, section 5.1, with the sign that makes the gap open). With d the normal this is η,
//! and ηᵀv is the speed at which the gap opens.

use crate::detection::PlanarContact;
use crate::model::{Body, BodyIndex, Model, Motion, Shape};
use crate::rotation::cross;
use crate::state::BodyState;
use carom_contact::{ContactKey, ContactProblem, Dof, JacobianRow};
use carom_stepping::Material;
use glam::DVec2;

/// Writes the problem of the course's order: velocities and masses of all bodies, then a closed row
/// for each contact. The course's `lcp` and `gr-lcp` count the velocity that a scene gives a fixed
/// body; everyone else takes it as at rest.
pub(crate) fn fill(
    problem: &mut ContactProblem,
    (model, states): (&Model, &[BodyState]),
    contacts: &[PlanarContact],
    material: &Material,
    fixed_bodies_move: bool,
) {
    problem.clear();
    for (body, state) in model.bodies.iter().zip(states) {
        let at_rest = matches!(body.motion, Motion::Fixed) && !fixed_bodies_move;
        let velocity = [state.velocity.x, state.velocity.y, state.angular_velocity];
        push_body(problem, body, if at_rest { &[0.0; 3] } else { &velocity });
    }
    for contact in contacts {
        push_contact(problem, model, contact, |body| body, material);
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

/// The column of a unit push along `along` at a contact: −along on the first body, +along on the
/// second. A push along the normal goes through the centre of a disc: it has no entry for the spin,
/// which rounding would make one of. `place` numbers bodies in the problem.
fn column(model: &Model, contact: &PlanarContact, along: DVec2, place: &impl Fn(u32) -> u32) -> JacobianRow {
    let mut direction = JacobianRow::EMPTY;
    let mut push = |index: BodyIndex, arm: DVec2, sign: f64| {
        let body = &model.bodies[index.get()];
        let (mass, inertia) = (body.inverse_mass(), body.inverse_inertia());
        let eta = [sign * along.x, sign * along.y, sign * cross(arm, along)];
        let central = along == contact.normal && matches!(body.shape, Shape::Disc { .. });
        let axes = if central { 2 } else { 3 };
        let first = 3 * place(index.0);
        for (axis, (eta, inverse)) in eta.into_iter().zip([mass, mass, inertia]).enumerate().take(axes) {
            direction
                .push(Dof(first + axis as u32), eta, inverse * eta)
                .expect("two planar bodies have six degrees of freedom of twelve");
        }
    };
    push(contact.first, contact.first_arm, -1.0);
    push(contact.second, contact.second_arm, 1.0);
    direction
}

/// Adds the degrees of freedom of a body.
pub(crate) fn push_body(problem: &mut ContactProblem, body: &Body, velocity: &[f64]) {
    let (mass, inertia) =
        if body.motion.is_free() { (body.mass, body.inertia) } else { (f64::INFINITY, f64::INFINITY) };
    for (&velocity, mass) in velocity.iter().zip([mass, mass, inertia]) {
        problem.push_dof(velocity, mass);
    }
    problem.end_body();
}

/// Adds a contact.
pub(crate) fn push_contact(
    problem: &mut ContactProblem,
    model: &Model,
    contact: &PlanarContact,
    place: impl Fn(u32) -> u32,
    material: &Material,
) {
    let row = carom_contact::ContactRow {
        restitution: material.restitution,
        friction: material.friction,
        speculative_bias: material.bias.max(0.0),
        kinematic_speed: material.bias.min(0.0),
        key: ContactKey([
            contact.first.0,
            contact.second.0,
            contact.features[0].code(),
            contact.features[1].code(),
        ]),
        point: [contact.point.x, contact.point.y, 0.0],
        ..carom_contact::ContactRow::new(column(model, contact, contact.normal, &place))
    };
    if material.friction > 0.0 {
        let rubbing = at_one_point(model, contact);
        problem.push_contact(row, &[column(model, &rubbing, contact.tangent(), &place)]);
    } else {
        problem.push_contact(row, &[]);
    }
}

/// The contact with the arms of both bodies to the same point, where both can move: friction that
/// acted across a gap or an overlap would turn the pair and make angular momentum. Normals need
/// none of it: they act along the line of both points.
fn at_one_point(model: &Model, contact: &PlanarContact) -> PlanarContact {
    let is_free = |index: BodyIndex| model.bodies[index.get()].motion.is_free();
    if !(is_free(contact.first) && is_free(contact.second)) {
        return *contact;
    }
    let half = 0.5 * contact.gap * contact.normal;
    PlanarContact { first_arm: contact.first_arm + half, second_arm: contact.second_arm - half, ..*contact }
}
