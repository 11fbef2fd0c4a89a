//! Rigid body scenes to worlds of planar bodies.

use super::BuildError;
use crate::Options;
use carom_rigid2d::force::{Drag, Forces, Penalty, Wind};
use carom_rigid2d::mass::{Placed, PointMass};
use carom_rigid2d::settings::{ContactSettings, Response};
use carom_rigid2d::{
    BodyState, DVec2, Integrator, Keyframe, Model, Motion, Path, PlanarSettings, Pose, Script, State, World,
};
use carom_scene::description::rigid::{self, RigidScene};

/// A world at the start of the scene.
pub(crate) fn rigid_world(scene: &RigidScene, options: Options) -> Result<World, BuildError> {
    let mut model = Model { bodies: Vec::with_capacity(scene.bodies.len()), forces: forces(scene) };
    let mut state = State::default();
    for body in &scene.bodies {
        let placed = placed(scene, body);
        state.bodies.push(BodyState {
            position: placed.center,
            angle: 0.0,
            velocity: body.velocity.into(),
            angular_velocity: body.angular_velocity,
        });
        model.bodies.push(placed.body);
    }
    follow_scripts(scene, &mut model, &state);
    let (contact, penalty) = scene.contact.map_or((None, None), |contact| contact_settings(contact, options));
    let settings = PlanarSettings {
        dt: super::time_step(scene.integrator.dt, options),
        integrator: match scene.integrator.method {
            rigid::PlanarMethod::ExplicitEuler => Integrator::ExplicitEuler,
            rigid::PlanarMethod::SymplecticEuler => Integrator::SymplecticEuler,
            rigid::PlanarMethod::VelocityVerlet => Integrator::VelocityVerlet,
        },
        contact,
        penalty,
        course: options.course,
    };
    let mut world = World::new(model, state, settings)?;
    if !options.course && !scene.surfaces.is_empty() {
        world.set_surfaces(super::surfaces(&scene.surfaces, scene.bodies.len()));
    }
    Ok(world)
}

fn placed(scene: &RigidScene, body: &rigid::Body) -> Placed {
    let motion = if body.fixed { Motion::Fixed } else { Motion::Free };
    let vertices = body.outline().iter().map(|&index| scene.vertices[index]);
    match body.shape {
        rigid::Shape::Hollow { .. } => {
            let points: Vec<PointMass> =
                vertices.map(|v| PointMass { position: v.position.into(), mass: v.mass }).collect();
            Placed::point_masses(&points, body.radius, motion)
        }
        rigid::Shape::Solid { density, .. } => {
            let points: Vec<DVec2> = vertices.map(|v| v.position.into()).collect();
            Placed::solid(&points, density, body.radius, motion)
        }
        rigid::Shape::Disc { center, weight: rigid::Weight::Mass(mass) } => {
            Placed::disc(center.into(), body.radius, mass, motion)
        }
        rigid::Shape::HalfPlane { point, normal } => {
            // Before it is normalized: squares of numbers that are too small or too large would not
            // be finite.
            let normal = DVec2::from(normal);
            let largest = normal.abs().max_element();
            let fair = if largest > 0.0 && largest.is_finite() { normal / largest } else { normal };
            Placed::half_plane(point.into(), fair, motion)
        }
        rigid::Shape::Disc { center, weight: rigid::Weight::Density(density) } => {
            Placed::disc_of_density(center.into(), body.radius, density, motion)
        }
    }
}

/// Bodies with keys or a motion follow them, from where they start at time 0.
fn follow_scripts(scene: &RigidScene, model: &mut Model, state: &State) {
    let start = |body: usize| Pose { position: state.bodies[body].position, angle: 0.0 };
    for motion in &scene.motions {
        let path = match motion.path {
            rigid::Path::Uniform { velocity, angular_velocity } => {
                Path::Uniform { velocity: velocity.into(), angular_velocity }
            }
            rigid::Path::Oscillation { displacement, rotation: angle, rate, phase } => {
                Path::Oscillation { amplitude: Pose { position: displacement.into(), angle }, rate, phase }
            }
        };
        let script = Script { start: start(motion.body), path };
        model.bodies[motion.body].motion = Motion::Kinematic(Box::new(script));
    }
    for key in &scene.keys {
        let displacement = Pose { position: key.displacement.into(), angle: key.rotation };
        let keyframe = Keyframe { time: key.time, displacement };
        let motion = &mut model.bodies[key.body].motion;
        if let Motion::Kinematic(script) = motion
            && let Path::Keyframes(keys) = &mut script.path
        {
            keys.push(keyframe);
        } else {
            let start = start(key.body);
            let first = Keyframe { time: 0.0, displacement: Pose::default() };
            let path = Path::Keyframes(vec![first, keyframe]);
            *motion = Motion::Kinematic(Box::new(Script { start, path }));
        }
    }
}

/// The settings of impulses, or of the penalty force.
fn contact_settings(
    contact: rigid::CollisionHandling,
    options: Options,
) -> (Option<ContactSettings>, Option<Penalty>) {
    let response = match contact.response {
        rigid::Response::Lcp => Response::Lcp,
        rigid::Response::VelocityProjection => Response::VelocityProjection,
        rigid::Response::ReflectionLcp => Response::ReflectionLcp,
        rigid::Response::ReflectionVelocityProjection => Response::ReflectionVelocityProjection,
        rigid::Response::Impulse => Response::Impulse,
        rigid::Response::Penalty { stiffness, thickness } => {
            return (None, Some(Penalty { stiffness, thickness }));
        }
    };
    let settings = match contact.restitution {
        _ if options.course => return (Some(ContactSettings::new(response)), None),
        None => ContactSettings::new(response),
        Some(restitution) => ContactSettings::with_restitution(response, restitution),
    };
    let (friction, tolerance) = (contact.friction, contact.tolerance);
    (Some(ContactSettings { friction, tolerance, ..settings }), None)
}

fn forces(scene: &RigidScene) -> Forces {
    let (springs, dampers) = super::springs(&scene.springs);
    Forces {
        gravities: scene.gravities.iter().map(|&g| g.into()).collect(),
        springs,
        winds: scene
            .winds
            .iter()
            .map(|w| Wind {
                coefficient: w.coefficient,
                velocity: w.velocity.into(),
                points_per_edge: w.points_per_edge,
            })
            .collect(),
        dampers,
        drags: scene.drags.iter().map(|d| Drag { linear: d.linear, angular: d.angular }).collect(),
    }
}
