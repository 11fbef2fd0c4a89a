//! Particle scenes to particle worlds.

use super::BuildError;
use crate::Options;
use carom_contact::{Reflection, Simultaneous};
use carom_particles::force::{Constant, Drag, Forces, Gravitation, SimpleGravity, Spring, Vortex};
use carom_particles::{
    CollisionSettings, Edge, HalfPlane, Integrator, Model, Particle, ParticleIndex, ParticleSettings,
    Penalty, Response, State, World,
};
use carom_scene::description::particles::{self, ParticleMethod, ParticleScene};
use glam::DVec2;

/// A world at the start of the scene.
pub(crate) fn particle_world(scene: &ParticleScene, options: Options) -> Result<World, BuildError> {
    let settings = ParticleSettings {
        integrator: integrator(scene.integrator.method),
        course: options.course,
        collision: collision(scene),
        ..ParticleSettings::with_time_step(super::time_step(scene.integrator.dt, options))
    };
    let model = model(scene);
    if options.course && !model.course_supports(settings.integrator) {
        return Err(BuildError::CourseRefuses(
            "the course's program has no Jacobian of the vortex force and stops under implicit integrators",
        ));
    }
    let positions = scene.particles.iter().map(|p| DVec2::from(p.position)).collect();
    let velocities = scene.particles.iter().map(|p| DVec2::from(p.velocity)).collect();
    let mut world = World::new(model, State::new(positions, velocities), settings)?;
    if !options.course && !scene.surfaces.is_empty() {
        world.set_surfaces(super::surfaces(&scene.surfaces, scene.particles.len()));
    }
    Ok(world)
}

fn integrator(method: ParticleMethod) -> Integrator {
    match method {
        ParticleMethod::ExplicitEuler => Integrator::ExplicitEuler,
        ParticleMethod::SymplecticEuler => Integrator::SymplecticEuler,
        ParticleMethod::LinearizedImplicitEuler => Integrator::LinearizedImplicitEuler,
        ParticleMethod::ImplicitEuler => Integrator::ImplicitEuler,
        ParticleMethod::VelocityVerlet => Integrator::VelocityVerlet,
        ParticleMethod::RungeKutta4 => Integrator::RungeKutta4,
        ParticleMethod::DormandPrince { relative_tolerance, absolute_tolerance } => {
            Integrator::DormandPrince { relative_tolerance, absolute_tolerance }
        }
    }
}

fn collision(scene: &ParticleScene) -> CollisionSettings {
    let penalty = |p: particles::Penalty| Penalty { stiffness: p.stiffness, thickness: p.thickness };
    CollisionSettings {
        response: match scene.collision.response {
            particles::Response::None => Response::None,
            particles::Response::Simple => Response::Simple,
            particles::Response::Penalty(p) => Response::Penalty(penalty(p)),
            particles::Response::ContinuousTime => Response::ContinuousTime,
            particles::Response::Hybrid { penalty: p, max_iterations } => {
                Response::Hybrid { penalty: penalty(p), max_iterations }
            }
            particles::Response::BackUp { max_events } => Response::BackUp { max_events },
            particles::Response::Simultaneous { max_iterations } => Response::Simultaneous { max_iterations },
            particles::Response::Elastic { max_iterations } => {
                Response::Elastic { elastic_iterations: ELASTIC_PASSES, max_iterations }
            }
            particles::Response::Lcp => Response::Contact(carom_contact::Response::LCP),
            particles::Response::VelocityProjection => {
                Response::Contact(carom_contact::Response::VELOCITY_PROJECTION)
            }
            particles::Response::ReflectionLcp => reflection(Simultaneous::Lcp),
            particles::Response::ReflectionVelocityProjection => reflection(Simultaneous::VelocityProjection),
        },
        restitution: scene.collision.restitution,
        friction: scene.collision.friction,
        ..CollisionSettings::default()
    }
}

/// Passes of the elastic law before the inelastic one: "a few times if you want", as the collision
/// lecture has it.
const ELASTIC_PASSES: u32 = 3;

fn reflection(inner: Simultaneous) -> Response {
    Response::Contact(carom_contact::Response::GeneralizedReflection(Reflection {
        inner,
        ..Reflection::DEFAULT
    }))
}

fn model(scene: &ParticleScene) -> Model {
    Model {
        particles: scene
            .particles
            .iter()
            .map(|p| Particle { mass: p.mass, radius: p.radius, fixed: p.fixed })
            .collect(),
        edges: scene
            .edges
            .iter()
            .map(|e| Edge { start: ParticleIndex(e.start), end: ParticleIndex(e.end), radius: e.radius })
            .collect(),
        half_planes: scene
            .half_planes
            .iter()
            .map(|h| HalfPlane {
                point: h.point.into(),
                normal: h.normal.into(),
                velocity: h.velocity.into(),
            })
            .collect(),
        forces: forces(scene),
    }
}

fn forces(scene: &ParticleScene) -> Forces {
    let listed = &scene.forces;
    let ends = |edge: usize| {
        let edge = &scene.edges[edge];
        (ParticleIndex(edge.start), ParticleIndex(edge.end))
    };
    Forces {
        springs: listed
            .springs
            .iter()
            .map(|s| {
                let (first, second) = ends(s.edge);
                Spring {
                    first,
                    second,
                    stiffness: s.stiffness,
                    rest_length: s.rest_length,
                    damping: s.damping,
                }
            })
            .collect(),
        gravities: listed.gravities.iter().map(|&g| SimpleGravity { acceleration: g.into() }).collect(),
        gravitations: listed
            .gravitations
            .iter()
            .map(|g| Gravitation {
                first: ParticleIndex(g.first),
                second: ParticleIndex(g.second),
                constant: g.constant,
            })
            .collect(),
        constants: listed.constants.iter().map(|&f| Constant { force: f.into() }).collect(),
        drags: listed.drags.iter().map(|&coefficient| Drag { coefficient }).collect(),
        vortices: listed
            .vortices
            .iter()
            .map(|v| Vortex {
                first: ParticleIndex(v.first),
                second: ParticleIndex(v.second),
                biot_savart: v.biot_savart,
                viscosity: v.viscosity,
            })
            .collect(),
    }
}
