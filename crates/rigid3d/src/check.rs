//! Checks of a world before it runs. Whatever passes here is stepped without panic.

use crate::error::{BodyFault, ModelError};
use crate::force::Anchor;
use crate::integrator::Integrator;
use crate::model::{Body, BodyIndex, Model, Motion};
use crate::orientation::Orientation;
use crate::settings::SpatialSettings;
use crate::shape::Shape;
use crate::state::{BodyState, State};
use glam::{DMat3, DVec3};

/// How far an orientation that is given may be from a rotation: what hand-written numbers need. It
/// is normalized at the start.
const ROUGHLY_ROTATION: f64 = 1e-3;

/// How far lengths and symmetries that should be exact may be off by rounding.
const ROUNDED: f64 = 1e-9;

/// Bodies and forces.
pub(crate) fn model(model: &Model) -> Result<(), ModelError> {
    for (index, body) in model.bodies.iter().enumerate() {
        check_body(body).map_err(|fault| ModelError::Body { body: index, fault })?;
    }
    let forces = &model.forces;
    for gravity in &forces.gravities {
        finite("gravity", *gravity)?;
    }
    let count = model.bodies.len();
    for (index, spring) in forces.springs.iter().enumerate() {
        within("spring stiffness", spring.stiffness, spring.stiffness.is_finite(), "finite")?;
        within("spring rest length", spring.rest_length, spring.rest_length.is_finite(), "finite")?;
        for anchor in [spring.start, spring.end] {
            let offset = match anchor {
                Anchor::World(point) => point,
                Anchor::Body(body, offset) => {
                    there("spring", index, body, count)?;
                    offset
                }
            };
            finite("spring anchor", offset)?;
        }
    }
    for (index, damper) in forces.dampers.iter().enumerate() {
        within("damping", damper.coefficient, not_negative(damper.coefficient), "finite and at least 0")?;
        for anchor in [damper.start, damper.end] {
            let offset = match anchor {
                Anchor::World(point) => point,
                Anchor::Body(body, offset) => {
                    there("damper", index, body, count)?;
                    offset
                }
            };
            finite("damper anchor", offset)?;
        }
    }
    for drag in &forces.drags {
        within("linear drag", drag.linear, not_negative(drag.linear), "finite and at least 0")?;
        within("angular drag", drag.angular, not_negative(drag.angular), "finite and at least 0")?;
    }
    for (index, push) in forces.pushes.iter().enumerate() {
        there("push", index, push.body, count)?;
        finite("force of a push", push.load.force)?;
        finite("torque of a push", push.load.torque)?;
    }
    Ok(())
}

/// As many bodies as the model, every number finite.
pub(crate) fn state(model: &Model, state: &State) -> Result<(), ModelError> {
    if model.bodies.len() != state.bodies.len() {
        return Err(ModelError::BodyCount { model: model.bodies.len(), state: state.bodies.len() });
    }
    match state.bodies.iter().position(|body| !is_sound(body)) {
        Some(body) => Err(ModelError::Body { body, fault: BodyFault::State }),
        None => Ok(()),
    }
}

/// Every setting in its range.
pub(crate) fn settings(settings: &SpatialSettings) -> Result<(), ModelError> {
    within("dt", settings.dt, positive(settings.dt), "finite and above 0")?;
    if let Integrator::DormandPrince { tolerance } = settings.integrator {
        within("tolerance of the integrator", tolerance, positive(tolerance), "finite and above 0")?;
    }
    let Some(contact) = &settings.contact else { return Ok(()) };
    let (restitution, friction) = (contact.restitution, contact.friction);
    let touching = contact.contact_tolerance;
    within("restitution", restitution, (0.0..=1.0).contains(&restitution), "from 0 to 1")?;
    within("friction", friction, not_negative(friction), "finite and at least 0")?;
    if let Some(tolerance) = contact.tolerance {
        within("tolerance of contacts", tolerance, positive(tolerance), "finite and above 0")?;
    }
    within("contact tolerance", touching, (0.0..1.0).contains(&touching), "at least 0 and below 1")
}

fn check_body(body: &Body) -> Result<(), BodyFault> {
    match &body.shape {
        Shape::Sphere { radius } => require(positive(*radius), BodyFault::Radius)?,
        Shape::HalfSpace { normal } => {
            require((normal.length() - 1.0).abs() < ROUNDED, BodyFault::Normal)?;
            require(!body.motion.is_free(), BodyFault::FreeHalfSpace)?;
        }
        Shape::Polyhedron(shape) => {
            let inside = shape
                .faces()
                .iter()
                .all(|face| face.normal.dot(shape.vertices()[face.corners[0] as usize]) > 0.0);
            require(inside, BodyFault::Center)?;
        }
    }
    require(positive(body.mass), BodyFault::Mass)?;
    require(is_positive_definite(body.inertia()) && body.inverse_inertia().is_finite(), BodyFault::Inertia)?;
    match &body.motion {
        Motion::Free | Motion::Fixed => Ok(()),
        Motion::Kinematic(script) => require(script.is_sound(), BodyFault::Script),
    }
}

/// Symmetric, finite, and all leading minors above 0 (Sylvester).
fn is_positive_definite(m: &DMat3) -> bool {
    let scale = m.to_cols_array().iter().fold(0.0, |worst: f64, entry| worst.max(entry.abs()));
    let twist =
        (m.x_axis.y - m.y_axis.x).abs() + (m.x_axis.z - m.z_axis.x).abs() + (m.y_axis.z - m.z_axis.y).abs();
    let second = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    m.is_finite() && twist <= ROUNDED * scale && m.x_axis.x > 0.0 && second > 0.0 && m.determinant() > 0.0
}

fn is_sound(state: &BodyState) -> bool {
    state.is_finite()
        && state.orientation.normalized().1 <= ROUGHLY_ROTATION
        && match state.orientation {
            Orientation::Quaternion(_) => true,
            Orientation::Matrix(r) => r.determinant() > 0.0,
        }
}

fn there(name: &'static str, index: usize, body: BodyIndex, count: usize) -> Result<(), ModelError> {
    if body.get() < count { Ok(()) } else { Err(ModelError::NoSuchBody { name, index, body: body.get() }) }
}

fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

fn not_negative(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn require(holds: bool, fault: BodyFault) -> Result<(), BodyFault> {
    if holds { Ok(()) } else { Err(fault) }
}

fn finite(name: &'static str, value: DVec3) -> Result<(), ModelError> {
    let bad = value.to_array().into_iter().find(|x| !x.is_finite());
    bad.map_or(Ok(()), |value| within(name, value, false, "finite"))
}

fn within(name: &'static str, value: f64, holds: bool, expected: &'static str) -> Result<(), ModelError> {
    if holds { Ok(()) } else { Err(ModelError::Value { name, value, expected }) }
}
