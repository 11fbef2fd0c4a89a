//! Checks of a world before it runs. Whatever passes here is stepped without panic.

use crate::error::{BodyFault, ModelError};
use crate::force::{Anchor, Penalty};
use crate::model::{Body, Model, Motion, Polygon, Shape};
use crate::rotation::cross;
use crate::script::{Path, Pose, Script};
use crate::settings::PlanarSettings;
use crate::state::State;
use glam::DVec2;

/// Bodies and forces. The course accepts bodies without weight; their motion is then whatever
/// division by zero gives.
pub(crate) fn model(model: &Model, settings: &PlanarSettings) -> Result<(), ModelError> {
    for (index, body) in model.bodies.iter().enumerate() {
        check_body(body, settings.course).map_err(|fault| ModelError::Body { body: index, fault })?;
    }
    for gravity in &model.forces.gravities {
        finite("gravity", gravity.x)?;
        finite("gravity", gravity.y)?;
    }
    for (index, spring) in model.forces.springs.iter().enumerate() {
        finite("spring stiffness", spring.stiffness)?;
        finite("spring rest length", spring.rest_length)?;
        for anchor in [spring.start, spring.end] {
            check_anchor(anchor, ("spring", index), model.bodies.len())?;
        }
    }
    for (index, damper) in model.forces.dampers.iter().enumerate() {
        finite("damping", damper.coefficient)?;
        for anchor in [damper.start, damper.end] {
            check_anchor(anchor, ("damper", index), model.bodies.len())?;
        }
    }
    for drag in &model.forces.drags {
        finite("drag", drag.linear)?;
        finite("drag", drag.angular)?;
    }
    for wind in &model.forces.winds {
        finite("wind coefficient", wind.coefficient)?;
        finite("wind velocity", wind.velocity.x)?;
        finite("wind velocity", wind.velocity.y)?;
        let points = f64::from(wind.points_per_edge);
        within("wind points per edge", points, points >= 1.0, "at least 1")?;
    }
    Ok(())
}

/// As many bodies as the model, every number finite.
pub(crate) fn state(model: &Model, state: &State) -> Result<(), ModelError> {
    if model.bodies.len() != state.bodies.len() {
        return Err(ModelError::BodyCount { model: model.bodies.len(), state: state.bodies.len() });
    }
    match state.bodies.iter().position(|body| !body.is_finite()) {
        Some(body) => Err(ModelError::Body { body, fault: BodyFault::State }),
        None => Ok(()),
    }
}

/// Every setting in its range.
pub(crate) fn settings(settings: &PlanarSettings) -> Result<(), ModelError> {
    within("dt", settings.dt, positive(settings.dt), "finite and above 0")?;
    if let Some(Penalty { stiffness, thickness }) = settings.penalty {
        let fits = |value: f64| value.is_finite() && value >= 0.0;
        within("penalty stiffness", stiffness, fits(stiffness), "finite and at least 0")?;
        within("penalty thickness", thickness, fits(thickness), "finite and at least 0")?;
    }
    let Some(contact) = &settings.contact else { return Ok(()) };
    let (restitution, friction) = (contact.restitution, contact.friction);
    let touching = contact.contact_tolerance;
    within("restitution", restitution, (0.0..=1.0).contains(&restitution), "from 0 to 1")?;
    within("friction", friction, friction.is_finite() && friction >= 0.0, "finite and at least 0")?;
    if let Some(tolerance) = contact.tolerance {
        within("tolerance", tolerance, positive(tolerance), "finite and above 0")?;
    }
    within("contact tolerance", touching, (0.0..1.0).contains(&touching), "at least 0 and below 1")
}

fn check_body(body: &Body, course: bool) -> Result<(), BodyFault> {
    match &body.shape {
        Shape::Disc { radius } => require(positive(*radius), BodyFault::Radius)?,
        Shape::Polygon(outline) => check_outline(outline)?,
        Shape::HalfPlane { normal } => {
            require((normal.length() - 1.0).abs() < 1e-9, BodyFault::Normal)?;
            require(!body.motion.is_free(), BodyFault::FreeHalfPlane)?;
        }
    }
    require(course || positive(body.mass), BodyFault::Mass)?;
    require(course || positive(body.inertia), BodyFault::Inertia)?;
    match &body.motion {
        Motion::Free | Motion::Fixed => Ok(()),
        Motion::Kinematic(script) => require(script_is_sound(script), BodyFault::Script),
    }
}

fn check_outline(outline: &Polygon) -> Result<(), BodyFault> {
    let Polygon { vertices, radius, solid } = outline;
    require(positive(*radius), BodyFault::Radius)?;
    require(vertices.len() >= if *solid { 3 } else { 2 }, BodyFault::TooFewVertices)?;
    require(vertices.iter().all(|v| v.is_finite()), BodyFault::Vertex)?;
    if *solid {
        let next = |k: usize| vertices[(k + 1) % vertices.len()];
        let repeated = (0..vertices.len()).any(|k| vertices[k] == next(k));
        require(!repeated, BodyFault::RepeatedVertex)?;
        require(is_simple(vertices), BodyFault::SelfCrossing)?;
    }
    Ok(())
}

/// Whether no two edges that do not follow each other meet.
fn is_simple(vertices: &[DVec2]) -> bool {
    let count = vertices.len();
    let edge = |k: usize| (vertices[k], vertices[(k + 1) % count]);
    (0..count).all(|i| {
        (i + 1..count).all(|j| {
            let neighbours = j == i + 1 || (i == 0 && j == count - 1);
            neighbours || !segments_meet(edge(i), edge(j))
        })
    })
}

fn segments_meet((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    let side = |p: DVec2, q: DVec2, x: DVec2| cross(q - p, x - p);
    let on = |p: DVec2, q: DVec2, x: DVec2| {
        side(p, q, x) == 0.0 && x.cmpge(p.min(q)).all() && x.cmple(p.max(q)).all()
    };
    let crossing = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
    crossing || on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b)
}

fn script_is_sound(script: &Script) -> bool {
    let finite = |pose: &Pose| pose.position.is_finite() && pose.angle.is_finite();
    let path = match &script.path {
        Path::Uniform { velocity, angular_velocity } => velocity.is_finite() && angular_velocity.is_finite(),
        Path::Oscillation { amplitude, rate, phase } => {
            finite(amplitude) && rate.is_finite() && phase.is_finite()
        }
        Path::Keyframes(keys) => {
            keys.iter().all(|key| key.time.is_finite() && finite(&key.displacement))
                && keys.windows(2).all(|pair| pair[0].time < pair[1].time)
        }
    };
    finite(&script.start) && path
}

fn check_anchor(
    anchor: Anchor,
    (name, index): (&'static str, usize),
    bodies: usize,
) -> Result<(), ModelError> {
    let offset = match anchor {
        Anchor::World(point) => point,
        Anchor::Body(body, _) if body.get() >= bodies => {
            return Err(ModelError::NoSuchBody { name, index, body: body.get() });
        }
        Anchor::Body(_, offset) => offset,
    };
    finite("spring anchor", offset.x)?;
    finite("spring anchor", offset.y)
}

fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

fn require(holds: bool, fault: BodyFault) -> Result<(), BodyFault> {
    if holds { Ok(()) } else { Err(fault) }
}

fn finite(name: &'static str, value: f64) -> Result<(), ModelError> {
    within(name, value, value.is_finite(), "finite")
}

pub(crate) fn within(
    name: &'static str,
    value: f64,
    holds: bool,
    expected: &'static str,
) -> Result<(), ModelError> {
    if holds { Ok(()) } else { Err(ModelError::Value { name, value, expected }) }
}
