//! Rigid body scenes to worlds of planar bodies.

use super::BuildError;
use crate::Options;
use carom_rigid2d::force::{Anchor, Forces, Spring, Wind};
use carom_rigid2d::mass::{Placed, PointMass};
use carom_rigid2d::settings::{ContactSettings, Response};
use carom_rigid2d::{BodyIndex, BodyState, Integrator, Model, Motion, Settings, State, World};
use carom_scene::description::rigid::{self, RigidScene};

/// A world at the start of the scene.
pub(crate) fn rigid_world(scene: &RigidScene, options: Options) -> Result<World, BuildError> {
    let mut model = Model { bodies: Vec::with_capacity(scene.bodies.len()), forces: forces(scene) };
    let mut state = State::default();
    for body in &scene.bodies {
        let points: Vec<PointMass> = body
            .outline
            .iter()
            .map(|&v| PointMass { position: scene.vertices[v].position.into(), mass: scene.vertices[v].mass })
            .collect();
        let motion = if body.fixed { Motion::Fixed } else { Motion::Free };
        let placed = Placed::point_masses(&points, body.radius, motion);
        state.bodies.push(BodyState {
            position: placed.center,
            angle: 0.0,
            velocity: body.velocity.into(),
            angular_velocity: body.angular_velocity,
        });
        model.bodies.push(placed.body);
    }
    let settings = Settings {
        dt: super::time_step(scene.integrator.dt, options),
        integrator: match scene.integrator.method {
            rigid::Method::ExplicitEuler => Integrator::ExplicitEuler,
            rigid::Method::SymplecticEuler => Integrator::SymplecticEuler,
        },
        contact: scene.contact.map(|contact| contact_settings(contact, options)),
        course: options.course,
    };
    Ok(World::new(model, state, settings)?)
}

fn contact_settings(contact: rigid::Contact, options: Options) -> ContactSettings {
    let response = match contact.response {
        rigid::Response::Lcp => Response::Lcp,
        rigid::Response::VelocityProjection => Response::VelocityProjection,
        rigid::Response::ReflectionLcp => Response::ReflectionLcp,
        rigid::Response::ReflectionVelocityProjection => Response::ReflectionVelocityProjection,
    };
    if options.course { ContactSettings::course(response) } else { ContactSettings::new(response) }
}

fn forces(scene: &RigidScene) -> Forces {
    Forces {
        gravities: scene.gravities.iter().map(|&g| g.into()).collect(),
        springs: scene
            .springs
            .iter()
            .map(|s| Spring {
                start: anchor(s.start),
                end: anchor(s.end),
                stiffness: s.stiffness,
                rest_length: s.rest_length,
            })
            .collect(),
        winds: scene
            .winds
            .iter()
            .map(|w| Wind {
                coefficient: w.coefficient,
                velocity: w.velocity.into(),
                points_per_edge: w.points_per_edge,
            })
            .collect(),
    }
}

fn anchor(anchor: rigid::Anchor) -> Anchor {
    match anchor {
        rigid::Anchor::World(point) => Anchor::World(point.into()),
        rigid::Anchor::Body { body, offset } => Anchor::Body(BodyIndex(body as u32), offset.into()),
    }
}
