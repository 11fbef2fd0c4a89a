//! Contacts as rows of the contact problem.
//!
//! Generalized velocities are (v, ω) for each body in turn, both in world axes. A unit push along d at a contact point acts on them as the column
//! (−d, −(ra × d)) for the lower body and (+d, +(rb × d)) for the higher one. With d the normal this is η, and ηᵀv is the speed at which
//! the gap opens: the lecture's v_rel. The mass block of a body is M for v and R I Rᵀ for ω.

use crate::detection::Contact;
use crate::model::{Body, BodyIndex, Model, Motion};
use crate::state::BodyState;
use carom_contact::{ContactKey, ContactProblem, Direction, Dof, Resolution};
use carom_numerics::qp::mass::OffDiagonal;
use glam::{DMat3, DVec3};

/// What every row of a problem shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowRules {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    /// What a gap means.
    pub(crate) gaps: Gaps,
    /// Whether bodies are taken as at rest: rows are then about displacements.
    pub(crate) still: bool,
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

/// Sliding slower than this part of the relative velocity has no direction worth following.
const SLIDING: f64 = 1e-9;

/// How bodies answer to pushes where they are now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mobility {
    bodies: Vec<Mobile>,
}

#[derive(Debug, Clone, Copy)]
struct Mobile {
    position: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
    /// Whether the body appears in rows at all: not if it neither moves nor can be moved.
    counts: bool,
}

/// Writes the problem: velocities and masses of all bodies, then a row for each contact.
pub(crate) fn fill(
    problem: &mut ContactProblem,
    mobility: &mut Mobility,
    (model, states): (&Model, &[BodyState]),
    contacts: &[Contact],
    rules: &RowRules,
) {
    problem.clear();
    mobility.bodies.clear();
    for (body, state) in model.bodies.iter().zip(states) {
        mobility.bodies.push(Mobile::of(body, state));
        push_body(problem, body, state, rules.still);
    }
    for contact in contacts {
        let sliding =
            if rules.friction > 0.0 { contact.relative_velocity(model, states) } else { DVec3::ZERO };
        push_contact(problem, mobility, contact, sliding, rules);
    }
}

/// Applies the impulses of a resolution to the momenta, each at its point: total momentum is kept to rounding.
pub(crate) fn apply_impulses(
    (problem, resolution): (&ContactProblem, &Resolution),
    contacts: &[Contact],
    model: &Model,
    states: &mut [BodyState],
) {
    for (k, contact) in contacts.iter().enumerate() {
        let impulse = impulse_of((problem, resolution), k, contact);
        if impulse != DVec3::ZERO {
            apply_impulse(contact, impulse, model, states);
        }
    }
}

/// Impulse on the second body at a contact, along the normal and of friction.
pub(crate) fn impulse_of(
    (problem, resolution): (&ContactProblem, &Resolution),
    k: usize,
    contact: &Contact,
) -> DVec3 {
    let mut impulse = resolution.impulses.get(k).copied().unwrap_or(0.0) * contact.normal;
    if k >= problem.contact_count() {
        return impulse;
    }
    let tangents = problem.tangent_range(k);
    if !tangents.is_empty() {
        let axes = tangents_along(contact.normal, tangent_of(problem, &tangents, contact));
        for (axis, t) in axes.into_iter().zip(tangents) {
            impulse += resolution.friction_impulses.get(t).copied().unwrap_or(0.0) * axis;
        }
    }
    impulse
}

/// Pushes both bodies of a contact at its point: the second by the impulse, the first by its opposite.
pub(crate) fn apply_impulse(contact: &Contact, impulse: DVec3, model: &Model, states: &mut [BodyState]) {
    for (index, push) in [(contact.first, -impulse), (contact.second, impulse)] {
        if model.bodies[index.get()].motion.is_free() {
            let state = &mut states[index.get()];
            state.momentum += push;
            state.angular_momentum += (contact.point - state.position).cross(push);
        }
    }
}

/// The first tangent of a contact, read back from its row: the linear part of a column is the direction itself.
fn tangent_of(problem: &ContactProblem, tangents: &std::ops::Range<usize>, contact: &Contact) -> DVec3 {
    let mut first = DVec3::ZERO;
    for (dof, eta, _) in problem.tangent(tangents.start).entries() {
        let (body, axis) = (dof.0 / 6, (dof.0 % 6) as usize);
        if axis < 3 && body == contact.second.0 {
            first[axis] = eta;
        } else if axis < 3 && first[axis] == 0.0 {
            first[axis] = -eta;
        }
    }
    first
}

impl Mobile {
    fn of(body: &Body, state: &BodyState) -> Self {
        let free = body.motion.is_free();
        Self {
            position: state.position,
            inverse_mass: if free { 1.0 / body.mass } else { 0.0 },
            inverse_inertia: if free { state.inverse_inertia(body) } else { DMat3::ZERO },
            counts: !matches!(body.motion, Motion::Fixed),
        }
    }
}

impl Mobility {
    /// The column of a unit push along `along` at a contact: −along on the first body, +along on the second.
    fn column(&self, contact: &Contact, along: DVec3) -> Direction {
        let mut direction = Direction::EMPTY;
        let mut push = |index: BodyIndex, sign: f64| {
            let mobile = &self.bodies[index.get()];
            if !mobile.counts {
                return;
            }
            let turning = sign * (contact.point - mobile.position).cross(along);
            let moving = sign * along;
            let (fast, spun) = (mobile.inverse_mass * moving, mobile.inverse_inertia * turning);
            for axis in 0..6 {
                let (eta, scaled) = match axis {
                    0..3 => (moving[axis], fast[axis]),
                    _ => (turning[axis - 3], spun[axis - 3]),
                };
                direction
                    .push(Dof(6 * index.0 + axis as u32), eta, scaled)
                    .expect("two spatial bodies have the twelve degrees of freedom that a direction holds");
            }
        };
        push(contact.first, -1.0);
        push(contact.second, 1.0);
        direction
    }
}

fn push_body(problem: &mut ContactProblem, body: &Body, state: &BodyState, still: bool) {
    let at_rest = still || matches!(body.motion, Motion::Fixed);
    let (velocity, spin) = if at_rest {
        (DVec3::ZERO, DVec3::ZERO)
    } else {
        (state.velocity(body), state.angular_velocity(body))
    };
    let free = body.motion.is_free();
    let mass = if free { body.mass } else { f64::INFINITY };
    for axis in 0..3 {
        problem.push_dof(velocity[axis], mass);
    }
    let inertia = if free { state.inertia(body) } else { DMat3::IDENTITY };
    let base = problem.dof_count() as u32;
    for axis in 0..3 {
        problem.push_dof(spin[axis], if free { inertia.col(axis)[axis] } else { f64::INFINITY });
    }
    for (row, column) in [(1, 0), (2, 0), (2, 1)] {
        let value = inertia.col(column)[row];
        if free && value != 0.0 {
            let (row, column) = (base + row as u32, base + column as u32);
            problem.mass.off_diagonal.push(OffDiagonal { row, column, value });
        }
    }
}

fn push_contact(
    problem: &mut ContactProblem,
    mobility: &Mobility,
    contact: &Contact,
    sliding: DVec3,
    rules: &RowRules,
) {
    let (allowance, prescribed_speed) = match rules.gaps {
        Gaps::Ignore => (0.0, 0.0),
        Gaps::Allow { dt } => (if contact.is_closed() { 0.0 } else { contact.gap / dt }, 0.0),
        Gaps::Demand => (contact.gap.max(0.0), contact.gap.min(0.0)),
    };
    let [first, second] = contact.features;
    let row = carom_contact::Contact {
        restitution: rules.restitution,
        friction: rules.friction,
        allowance,
        prescribed_speed,
        key: ContactKey([contact.first.0, contact.second.0, first.code(), second.code()]),
        ..carom_contact::Contact::new(mobility.column(contact, contact.normal))
    };
    if rules.friction > 0.0 {
        let tangents = tangents_along(contact.normal, sliding);
        problem.push_contact(row, &tangents.map(|along| mobility.column(contact, along)));
    } else {
        problem.push_contact(row, &[]);
    }
}

/// Two tangents at right angles, the first along the sliding velocity where there is one.
fn tangents_along(normal: DVec3, sliding: DVec3) -> [DVec3; 2] {
    let across = sliding - normal.dot(sliding) * normal;
    let speed = across.length();
    let first = if speed > SLIDING * sliding.length() && speed > f64::MIN_POSITIVE {
        across / speed
    } else {
        normal.any_orthonormal_vector()
    };
    [first, normal.cross(first)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::{Detector, Reach};
    use crate::integrator;
    use crate::mass::Placed;
    use crate::orientation::{Orientation, exponential};

    /// ηᵀv is the rate at which the gap changes, by finite differences of the detector.
    #[test]
    fn the_normal_column_is_the_rate_of_the_gap() {
        let floor = Placed::half_space(DVec3::ZERO, DVec3::new(0.1, 0.2, 1.0), Motion::Fixed);
        let cuboid =
            Placed::cuboid(DVec3::new(0.1, 0.3, 0.9), DVec3::new(0.5, 0.4, 0.3), 1.0, Motion::Free).unwrap();
        let ball = Placed::sphere(DVec3::new(0.7, 0.3, 1.4), 0.4, 2.0, Motion::Free);
        let model = Model { bodies: vec![floor.body, cuboid.body, ball.body], ..Model::default() };
        let turned = Orientation::Quaternion(exponential(DVec3::new(0.5, -0.3, 0.8)));
        let spin = DVec3::new(0.7, -1.1, 0.4);
        let states = [
            BodyState::at(floor.center),
            BodyState { orientation: turned, ..BodyState::at(cuboid.center) }.moving(
                &model.bodies[1],
                DVec3::new(0.3, -0.2, 0.5),
                spin,
            ),
            BodyState::at(ball.center).moving(&model.bodies[2], DVec3::new(-0.4, 0.1, 0.2), -spin),
        ];
        let mut detector = Detector::new(&model);
        let mut contacts_at = |dt: f64| {
            let mut moved = states;
            integrator::drift(&model, &mut moved, dt);
            let mut contacts = Vec::new();
            detector.detect(&model, &moved, 1e-9, &[Reach::within(2.0); 3], &mut contacts);
            contacts
        };
        let h = 1e-6;
        let (before, now, after) = (contacts_at(-h), contacts_at(0.0), contacts_at(h));
        let rules = RowRules { restitution: 0.0, friction: 0.5, gaps: Gaps::Ignore, still: false };
        let (mut problem, mut mobility) = (ContactProblem::new(), Mobility::default());
        fill(&mut problem, &mut mobility, (&model, &states), &now, &rules);
        assert!(problem.is_valid() && now.len() == 10 && before.len() == 10 && after.len() == 10);
        for (k, contact) in now.iter().enumerate() {
            let rate = (after[k].gap - before[k].gap) / (2.0 * h);
            assert!(
                (problem.gap_speed(k, &problem.velocity) - rate).abs() < 1e-8,
                "contact {k}: {contact:?}"
            );
            assert!((contact.normal_velocity(&model, &states) - rate).abs() < 1e-8);
            // All sliding is along the first tangent.
            let [along, across] = [0, 1]
                .map(|t| problem.tangent(problem.tangent_range(k).start + t).gap_speed(&problem.velocity));
            let slide = contact.relative_velocity(&model, &states) - rate * contact.normal;
            assert!((along - slide.length()).abs() < 1e-7 && across.abs() < 1e-7);
        }
    }
}
