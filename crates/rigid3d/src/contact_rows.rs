//! Contacts as rows of the contact problem.
//!
//! Generalized velocities are (v, ω) for each body in turn, both in world axes. A unit push along d
//! at a contact point acts on them as the column (−d, −(ra × d)) for the lower body and (+d, +(rb ×
//! d)) for the higher one. With d the normal this is η, and ηᵀv is the speed at which the gap
//! opens: the lecture's v_rel. The mass block of a body is M for v and R I Rᵀ for ω.

use crate::bodies::Pose;
use crate::detection::SpatialContact;
use crate::model::{Body, Model, Motion};
use carom_contact::{ContactKey, ContactProblem, Dof, JacobianRow};
use carom_numerics::qp::mass::OffDiagonal;
use carom_stepping::{Material, Vector};
use glam::{DMat3, DVec3};

/// Adds the degrees of freedom of a body at a pose.
pub(crate) fn push_body(problem: &mut ContactProblem, body: &Body, pose: &Pose, velocity: &Vector) {
    let free = body.motion.is_free();
    let mass = if free { body.mass } else { f64::INFINITY };
    for &speed in &velocity[..3] {
        problem.push_dof(speed, mass);
    }
    let inertia = if free { turned(body.inertia(), pose) } else { DMat3::IDENTITY };
    let base = problem.dof_count() as u32;
    for axis in 0..3 {
        let inertia = if free { inertia.col(axis)[axis] } else { f64::INFINITY };
        problem.push_dof(velocity[3 + axis], inertia);
    }
    problem.end_body();
    for (row, column) in [(1, 0), (2, 0), (2, 1)] {
        let value = inertia.col(column)[row];
        if free && value != 0.0 {
            let (row, column) = (base + row as u32, base + column as u32);
            problem.mass.off_diagonal.push(OffDiagonal { row, column, value });
        }
    }
}

/// Adds a contact between bodies at poses. `place` numbers bodies in the problem.
pub(crate) fn push_contact(
    problem: &mut ContactProblem,
    model: &Model,
    contact: &SpatialContact,
    poses: [Pose; 2],
    place: impl Fn(u32) -> u32,
    material: &Material,
) {
    let sides = [0, 1].map(|side| {
        let index = [contact.first, contact.second][side];
        Side::of(&model.bodies[index.get()], &poses[side], contact.arms[side], place(index.0))
    });
    let [first, second] = contact.features;
    let row = carom_contact::ContactRow {
        restitution: material.restitution,
        friction: material.friction,
        speculative_bias: material.bias.max(0.0),
        kinematic_speed: material.bias.min(0.0),
        key: ContactKey([contact.first.0, contact.second.0, first.code(), second.code()]),
        point: contact.point.to_array(),
        ..carom_contact::ContactRow::new(column(&sides, contact.normal))
    };
    if material.friction > 0.0 {
        let tangents = contact.tangents();
        problem.push_contact(row, &tangents.map(|along| column(&sides, along)));
    } else {
        problem.push_contact(row, &[]);
    }
}

/// How one body of a contact answers to pushes there.
struct Side {
    arm: DVec3,
    inverse_mass: f64,
    inverse_inertia: DMat3,
    /// Its first degree of freedom.
    first: u32,
    /// Whether it appears in rows at all: not if it neither moves nor can be moved.
    counts: bool,
}

impl Side {
    fn of(body: &Body, pose: &Pose, arm: DVec3, place: u32) -> Self {
        let free = body.motion.is_free();
        Self {
            arm,
            inverse_mass: if free { 1.0 / body.mass } else { 0.0 },
            inverse_inertia: if free { turned(body.inverse_inertia(), pose) } else { DMat3::ZERO },
            first: 6 * place,
            counts: !matches!(body.motion, Motion::Fixed),
        }
    }
}

/// The column of a unit push along `along`: −along on the first body, +along on the second.
fn column(sides: &[Side; 2], along: DVec3) -> JacobianRow {
    let mut direction = JacobianRow::EMPTY;
    for (side, sign) in sides.iter().zip([-1.0, 1.0]).filter(|(side, _)| side.counts) {
        let turning = sign * side.arm.cross(along);
        let moving = sign * along;
        let (fast, spun) = (side.inverse_mass * moving, side.inverse_inertia * turning);
        for axis in 0..6 {
            let (eta, scaled) = match axis {
                0..3 => (moving[axis], fast[axis]),
                _ => (turning[axis - 3], spun[axis - 3]),
            };
            direction
                .push(Dof(side.first + axis as u32), eta, scaled)
                .expect("two spatial bodies have the twelve degrees of freedom that a direction holds");
        }
    }
    direction
}

/// A matrix in body axes, in world axes: R I Rᵀ.
fn turned(body_axes: &DMat3, pose: &Pose) -> DMat3 {
    let r = pose.orientation.matrix();
    r * *body_axes * r.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::{Detector, SpeculativeMargin};
    use crate::integrator;
    use crate::mass::Placed;
    use crate::orientation::{Orientation, exponential};
    use crate::state::BodyState;

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
            detector.detect(&model, &moved, 1e-9, &[SpeculativeMargin::within(2.0); 3], &mut contacts);
            contacts
        };
        let h = 1e-6;
        let (before, now, after) = (contacts_at(-h), contacts_at(0.0), contacts_at(h));
        let material = Material { friction: 0.5, ..Material::default() };
        let mut problem = ContactProblem::new();
        let pose = |k: usize| Pose { position: states[k].position, orientation: states[k].orientation };
        for (k, body) in model.bodies.iter().enumerate() {
            let (v, w) = (states[k].velocity(body), states[k].angular_velocity(body));
            push_body(&mut problem, body, &pose(k), &[v.x, v.y, v.z, w.x, w.y, w.z]);
        }
        for contact in &now {
            let poses = [pose(contact.first.get()), pose(contact.second.get())];
            push_contact(&mut problem, &model, contact, poses, |body| body, &material);
        }
        assert!(problem.is_valid() && now.len() == 10 && before.len() == 10 && after.len() == 10);
        for (k, contact) in now.iter().enumerate() {
            let rate = (after[k].gap - before[k].gap) / (2.0 * h);
            assert!(
                (problem.gap_speed(k, &problem.velocity) - rate).abs() < 1e-8,
                "contact {k}: {contact:?}"
            );
            assert!((contact.normal_velocity(&model, &states) - rate).abs() < 1e-8);
            // Tangents see all sliding.
            let [along, across] = [0, 1]
                .map(|t| problem.tangent(problem.tangent_range(k).start + t).gap_speed(&problem.velocity));
            let slide = contact.relative_velocity(&model, &states) - rate * contact.normal;
            assert!((along * along + across * across - slide.length_squared()).abs() < 1e-7);
        }
    }
}
