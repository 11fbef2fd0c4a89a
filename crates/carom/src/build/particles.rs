//! Particle scenes to particle worlds.

use super::BuildError;
use crate::Options;
use carom_particles::force::{Constant, Drag, Forces, Gravitation, SimpleGravity, Spring, Vortex};
use carom_particles::{
    CollisionSettings, Edge, HalfPlane, Integrator, Model, Particle, ParticleIndex, Penalty, Response,
    Settings, State, World,
};
use carom_scene::description::particles::{self, Method, ParticleScene};
use glam::DVec2;

/// A world at the start of the scene.
pub(crate) fn particle_world(scene: &ParticleScene, options: Options) -> Result<World, BuildError> {
    let settings = Settings {
        integrator: integrator(scene.integrator.method),
        course: options.course,
        collision: collision(scene),
        ..Settings::with_time_step(super::time_step(scene.integrator.dt, options))
    };
    let model = model(scene);
    if options.course && !model.course_supports(settings.integrator) {
        return Err(BuildError::CourseRefuses(
            "the course's program has no Jacobian of the vortex force and stops under implicit integrators",
        ));
    }
    let positions = scene.particles.iter().map(|p| DVec2::from(p.position)).collect();
    let velocities = scene.particles.iter().map(|p| DVec2::from(p.velocity)).collect();
    Ok(World::new(model, State::new(positions, velocities), settings)?)
}

fn integrator(method: Method) -> Integrator {
    match method {
        Method::ExplicitEuler => Integrator::ExplicitEuler,
        Method::SymplecticEuler => Integrator::SymplecticEuler,
        Method::LinearizedImplicitEuler => Integrator::LinearizedImplicitEuler,
        Method::ImplicitEuler => Integrator::ImplicitEuler,
        Method::VelocityVerlet => Integrator::VelocityVerlet,
        Method::RungeKutta4 => Integrator::RungeKutta4,
        Method::DormandPrince { relative_tolerance, absolute_tolerance } => {
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
        },
        restitution: scene.collision.restitution,
        ..CollisionSettings::default()
    }
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
            .map(|h| HalfPlane::at_rest(h.point.into(), h.normal.into()))
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
