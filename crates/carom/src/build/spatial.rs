//! Scenes of spatial bodies to worlds of them.

use super::BuildError;
use carom_rigid3d::orientation::exponential;
use carom_rigid3d::settings::LECTURE_RESTITUTION;
use carom_rigid3d::{
    Body, BodyIndex, BodyState, ContactSettings, DMat3, DVec3, Displacement, Drag, Forces, Integrator,
    Keyframe, Load, Model, Motion, Orientation, OrientationKind, Path, Placed, Polyhedron, Push, Response,
    Script, ShapeError, SpatialSettings, State, World,
};
use carom_scene::description::spatial::{self, Shape, SpatialScene, Weight};

/// Density of bodies that are not free and do not say what they weigh: it changes nothing.
const ANY_DENSITY: f64 = 1.0;

/// A world at the start of the scene.
pub(crate) fn spatial_world(scene: &SpatialScene) -> Result<World, BuildError> {
    let mut model = Model { bodies: Vec::with_capacity(scene.bodies.len()), forces: forces(scene) };
    let mut state = State::default();
    for (index, described) in scene.bodies.iter().enumerate() {
        let placed = placed(scene, index, described)?;
        let turn = exponential(described.rotation.into());
        let at = BodyState {
            position: DVec3::from(described.position) + turn * placed.center,
            orientation: Orientation::Quaternion(turn),
            ..BodyState::default()
        };
        let (velocity, spin) = (described.velocity.into(), described.angular_velocity.into());
        state.bodies.push(at.moving(&placed.body, velocity, spin));
        model.bodies.push(placed.body);
    }
    follow_scripts(scene, &mut model, &state);
    let settings = SpatialSettings {
        dt: scene.integrator.dt,
        integrator: integrator(scene.integrator.method),
        orientation: match scene.integrator.orientation {
            spatial::Orientation::Quaternion => OrientationKind::Quaternion,
            spatial::Orientation::Matrix => OrientationKind::Matrix,
        },
        contact: scene.contact.map(contact_settings),
    };
    let mut world = World::new(model, state, settings)?;
    if !scene.surfaces.is_empty() {
        world.set_surfaces(super::surfaces(&scene.surfaces, scene.bodies.len()));
    }
    Ok(world)
}

/// The body in the coordinates of its shape.
fn placed(scene: &SpatialScene, index: usize, body: &spatial::Body) -> Result<Placed, BuildError> {
    let motion = if body.fixed { Motion::Fixed } else { Motion::Free };
    let density = match body.weight {
        Some(Weight::Density(density)) => density,
        _ => ANY_DENSITY,
    };
    let refuse = |error: ShapeError| BuildError::Shape { body: index, error };
    let placed = match &body.shape {
        Shape::Sphere { radius } => Placed::sphere(DVec3::ZERO, *radius, density, motion),
        Shape::Box { sides } => {
            Placed::cuboid(DVec3::ZERO, 0.5 * DVec3::from(*sides), density, motion).map_err(refuse)?
        }
        Shape::Polyhedron { corners } => {
            let points: Vec<DVec3> = corners.iter().map(|&corner| scene.vertices[corner].into()).collect();
            Placed::polyhedron(Polyhedron::hull(&points).map_err(refuse)?, density, motion)
        }
        Shape::File { name } => return Err(BuildError::MeshFile { body: index, name: name.clone() }),
        Shape::HalfSpace { normal } => {
            return Ok(Placed::half_space(DVec3::ZERO, of_fair_length(DVec3::from(*normal)), motion));
        }
    };
    Ok(Placed { body: weighed(placed.body, body.weight), center: placed.center })
}

fn weighed(body: Body, weight: Option<Weight>) -> Body {
    match weight {
        None | Some(Weight::Density(_)) => body,
        Some(Weight::Mass(mass)) => {
            let inertia = *body.inertia() * (mass / body.mass);
            Body::new(mass, inertia, body.shape, body.motion)
        }
        Some(Weight::Given { mass, inertia: [ixx, iyy, izz, ixy, iyz, izx] }) => {
            let inertia = DMat3::from_cols(
                DVec3::new(ixx, ixy, izx),
                DVec3::new(ixy, iyy, iyz),
                DVec3::new(izx, iyz, izz),
            );
            Body::new(mass, inertia, body.shape, body.motion)
        }
    }
}

/// Bodies with keys or a motion follow them, from where they start at time 0.
fn follow_scripts(scene: &SpatialScene, model: &mut Model, state: &State) {
    let script = |body: usize, path: Path| {
        let BodyState { position, orientation, .. } = &state.bodies[body];
        Motion::Kinematic(Script { position: *position, orientation: orientation.quaternion(), path })
    };
    for motion in &scene.motions {
        let path = match motion.path {
            spatial::Path::Uniform { velocity, angular_velocity } => {
                Path::Uniform(displaced(velocity, angular_velocity))
            }
            spatial::Path::Oscillation { displacement, rotation, rate, phase } => {
                Path::Oscillation { amplitude: displaced(displacement, rotation), rate, phase }
            }
        };
        model.bodies[motion.body].motion = script(motion.body, path);
    }
    for key in &scene.keys {
        let displacement = displaced(key.displacement, key.rotation);
        let keyframe = Keyframe { time: key.time, displacement };
        let motion = &mut model.bodies[key.body].motion;
        if let Motion::Kinematic(Script { path: Path::Keyframes(keys), .. }) = motion {
            keys.push(keyframe);
        } else {
            let first = Keyframe { time: 0.0, displacement: Displacement::default() };
            *motion = script(key.body, Path::Keyframes(vec![first, keyframe]));
        }
    }
}

fn displaced(translation: [f64; 3], rotation: [f64; 3]) -> Displacement {
    Displacement { translation: translation.into(), rotation: rotation.into() }
}

fn integrator(method: spatial::SpatialMethod) -> Integrator {
    match method {
        spatial::SpatialMethod::ExplicitEuler => Integrator::ExplicitEuler,
        spatial::SpatialMethod::SymplecticEuler => Integrator::SymplecticEuler,
        spatial::SpatialMethod::Midpoint => Integrator::Midpoint,
        spatial::SpatialMethod::RungeKutta4 => Integrator::RungeKutta4,
        spatial::SpatialMethod::DormandPrince { tolerance } => Integrator::DormandPrince { tolerance },
        spatial::SpatialMethod::LieMidpoint => Integrator::LieMidpoint,
    }
}

/// The same direction; where the square of the length is no ordinary number, the largest entry
/// becomes 1.
fn of_fair_length(direction: DVec3) -> DVec3 {
    let largest = direction.abs().max_element();
    if direction.length_squared().is_normal() || largest == 0.0 {
        return direction;
    }
    DVec3::from_array(direction.to_array().map(|x| x / largest))
}

fn contact_settings(contact: spatial::CollisionHandling) -> ContactSettings {
    let (response, usual) = match contact.response {
        spatial::Response::Lcp => (Response::Lcp, 0.0),
        spatial::Response::VelocityProjection => (Response::VelocityProjection, 0.0),
        spatial::Response::ReflectionLcp => (Response::ReflectionLcp, 1.0),
        spatial::Response::ReflectionVelocityProjection => (Response::ReflectionVelocityProjection, 1.0),
        spatial::Response::Impulse => (Response::Impulse, LECTURE_RESTITUTION),
    };
    let restitution = contact.restitution.unwrap_or(usual);
    let (friction, tolerance) = (contact.friction, contact.tolerance);
    ContactSettings { friction, tolerance, ..ContactSettings::with_restitution(response, restitution) }
}

fn forces(scene: &SpatialScene) -> Forces {
    let (springs, dampers) = super::springs(&scene.springs);
    Forces {
        gravities: scene.gravities.iter().map(|&g| g.into()).collect(),
        springs,
        dampers,
        drags: scene.drags.iter().map(|d| Drag { linear: d.linear, angular: d.angular }).collect(),
        pushes: scene
            .pushes
            .iter()
            .map(|p| Push {
                body: BodyIndex(p.body as u32),
                load: Load { force: p.force.into(), torque: p.torque.into() },
            })
            .collect(),
    }
}
