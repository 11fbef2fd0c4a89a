//! One scene under other methods: every collision response, every integrator.

use carom_scene::description::{particles, rigid, spatial};
use carom_scene::{Scene, System};

/// The scene under each collision response of its family, by the response's name in scene files.
pub fn responses(scene: &Scene) -> Vec<(&'static str, Scene)> {
    let with = |name, change: &dyn Fn(&mut Scene)| {
        let mut changed = scene.clone();
        change(&mut changed);
        (name, changed)
    };
    match &scene.system {
        System::Particles(system) => particle_responses(system.collision.response)
            .into_iter()
            .map(|response| {
                with(response.name(), &|scene| {
                    if let System::Particles(system) = &mut scene.system {
                        system.collision.response = response;
                    }
                })
            })
            .collect(),
        System::RigidBodies(system) => rigid_responses(system.contact.map(|contact| contact.response))
            .into_iter()
            .map(|response| {
                with(response.map_or("none", rigid::Response::name), &|scene| {
                    if let System::RigidBodies(system) = &mut scene.system {
                        let given = system.contact;
                        let with = |response| rigid::CollisionHandling {
                            response,
                            ..given.unwrap_or(rigid::CollisionHandling::new(response))
                        };
                        system.contact = response.map(with);
                    }
                })
            })
            .collect(),
        System::SpatialBodies(_) => spatial_responses()
            .into_iter()
            .map(|response| {
                with(response.map_or("none", spatial::Response::name), &|scene| {
                    if let System::SpatialBodies(system) = &mut scene.system {
                        let given = system.contact;
                        let with = |response| spatial::CollisionHandling {
                            response,
                            ..given.unwrap_or(spatial::CollisionHandling::new(response))
                        };
                        system.contact = response.map(with);
                    }
                })
            })
            .collect(),
    }
}

/// The scene under each integrator of its family, by the integrator's name in scene files.
pub fn integrators(scene: &Scene) -> Vec<(&'static str, Scene)> {
    let mut all = Vec::new();
    match &scene.system {
        System::Particles(system) => {
            for method in particle_integrators(system.integrator.method) {
                let mut changed = scene.clone();
                if let System::Particles(system) = &mut changed.system {
                    system.integrator.method = method;
                }
                all.push((method.name(), changed));
            }
        }
        System::RigidBodies(_) => {
            use rigid::PlanarMethod::{ExplicitEuler, SymplecticEuler, VelocityVerlet};
            for method in [ExplicitEuler, SymplecticEuler, VelocityVerlet] {
                let mut changed = scene.clone();
                if let System::RigidBodies(system) = &mut changed.system {
                    system.integrator.method = method;
                }
                all.push((method.name(), changed));
            }
        }
        System::SpatialBodies(system) => {
            for method in spatial_integrators(system.integrator.method) {
                let mut changed = scene.clone();
                if let System::SpatialBodies(system) = &mut changed.system {
                    system.integrator.method = method;
                }
                all.push((method.name(), changed));
            }
        }
    }
    all
}

/// Every response of particles. The repulsion is the scene's where it has one, and what the format
/// says otherwise.
fn particle_responses(given: particles::Response) -> Vec<particles::Response> {
    use particles::{Penalty, Response};
    let own = match given {
        Response::Penalty(penalty) | Response::Hybrid { penalty, .. } => Some(penalty),
        _ => None,
    };
    let repulsion = |stiffness, thickness| own.unwrap_or(Penalty { stiffness, thickness });
    let max_iterations = match given {
        Response::Hybrid { max_iterations, .. } => max_iterations,
        _ => 10,
    };
    vec![
        Response::None,
        Response::Simple,
        Response::Penalty(repulsion(100.0, 0.01)),
        Response::ContinuousTime,
        Response::Hybrid { penalty: repulsion(10.0, 0.1), max_iterations },
        Response::BackUp { max_events: 200 },
        Response::Simultaneous { max_iterations },
        Response::Elastic { max_iterations },
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
    ]
}

/// Every response of rigid bodies; without one they pass through each other.
fn rigid_responses(given: Option<rigid::Response>) -> Vec<Option<rigid::Response>> {
    use rigid::Response;
    let penalty = match given {
        Some(penalty @ Response::Penalty { .. }) => penalty,
        _ => Response::Penalty { stiffness: 100.0, thickness: 0.01 },
    };
    let all = [
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
        Response::Impulse,
        penalty,
    ];
    std::iter::once(None).chain(all.map(Some)).collect()
}

/// Every response of spatial bodies; without one they pass through each other.
fn spatial_responses() -> Vec<Option<spatial::Response>> {
    use spatial::Response;
    let all = [
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
        Response::Impulse,
    ];
    std::iter::once(None).chain(all.map(Some)).collect()
}

/// Every integrator of spatial bodies. The tolerance is the scene's where it has one, and what the
/// format says otherwise.
fn spatial_integrators(given: spatial::SpatialMethod) -> Vec<spatial::SpatialMethod> {
    use spatial::SpatialMethod;
    let adaptive = match given {
        SpatialMethod::DormandPrince { .. } => given,
        _ => SpatialMethod::DormandPrince { tolerance: 1e-9 },
    };
    vec![
        SpatialMethod::ExplicitEuler,
        SpatialMethod::SymplecticEuler,
        SpatialMethod::Midpoint,
        SpatialMethod::RungeKutta4,
        adaptive,
        SpatialMethod::LieMidpoint,
    ]
}

/// Every integrator of particles. The tolerances are the scene's where it has them, and what the
/// format says otherwise.
fn particle_integrators(given: particles::ParticleMethod) -> Vec<particles::ParticleMethod> {
    use particles::ParticleMethod;
    let adaptive = match given {
        ParticleMethod::DormandPrince { .. } => given,
        _ => ParticleMethod::DormandPrince { relative_tolerance: 1e-9, absolute_tolerance: 1e-12 },
    };
    vec![
        ParticleMethod::ExplicitEuler,
        ParticleMethod::SymplecticEuler,
        ParticleMethod::LinearizedImplicitEuler,
        ParticleMethod::ImplicitEuler,
        ParticleMethod::VelocityVerlet,
        ParticleMethod::RungeKutta4,
        adaptive,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_response_of_the_format_is_listed() {
        // The matches stop compiling when a response is added; then it belongs into the lists
        // above.
        let particle = |response: &particles::Response| match response {
            particles::Response::None => 0,
            particles::Response::Simple => 1,
            particles::Response::Penalty(_) => 2,
            particles::Response::ContinuousTime => 3,
            particles::Response::Hybrid { .. } => 4,
            particles::Response::BackUp { .. } => 5,
            particles::Response::Simultaneous { .. } => 6,
            particles::Response::Elastic { .. } => 7,
            particles::Response::Lcp => 8,
            particles::Response::VelocityProjection => 9,
            particles::Response::ReflectionLcp => 10,
            particles::Response::ReflectionVelocityProjection => 11,
        };
        let listed: Vec<i32> = particle_responses(particles::Response::None).iter().map(particle).collect();
        assert_eq!(listed, (0..12).collect::<Vec<_>>());
        let body = |response: &Option<rigid::Response>| match response {
            None => 0,
            Some(rigid::Response::Lcp) => 1,
            Some(rigid::Response::VelocityProjection) => 2,
            Some(rigid::Response::ReflectionLcp) => 3,
            Some(rigid::Response::ReflectionVelocityProjection) => 4,
            Some(rigid::Response::Impulse) => 5,
            Some(rigid::Response::Penalty { .. }) => 6,
        };
        let listed: Vec<i32> = rigid_responses(None).iter().map(body).collect();
        assert_eq!(listed, (0..7).collect::<Vec<_>>());
        let body = |response: &Option<spatial::Response>| match response {
            None => 0,
            Some(spatial::Response::Lcp) => 1,
            Some(spatial::Response::VelocityProjection) => 2,
            Some(spatial::Response::ReflectionLcp) => 3,
            Some(spatial::Response::ReflectionVelocityProjection) => 4,
            Some(spatial::Response::Impulse) => 5,
        };
        let listed: Vec<i32> = spatial_responses().iter().map(body).collect();
        assert_eq!(listed, (0..6).collect::<Vec<_>>());
        let method = |method: &spatial::SpatialMethod| match method {
            spatial::SpatialMethod::ExplicitEuler => 0,
            spatial::SpatialMethod::SymplecticEuler => 1,
            spatial::SpatialMethod::Midpoint => 2,
            spatial::SpatialMethod::RungeKutta4 => 3,
            spatial::SpatialMethod::DormandPrince { .. } => 4,
            spatial::SpatialMethod::LieMidpoint => 5,
        };
        let listed: Vec<i32> =
            spatial_integrators(spatial::SpatialMethod::Midpoint).iter().map(method).collect();
        assert_eq!(listed, (0..6).collect::<Vec<_>>());
    }

    #[test]
    fn the_repulsion_of_the_scene_is_kept() {
        let penalty = particles::Penalty { stiffness: 7.0, thickness: 0.3 };
        let all = particle_responses(particles::Response::Hybrid { penalty, max_iterations: 3 });
        assert!(all.contains(&particles::Response::Penalty(penalty)));
        assert!(all.contains(&particles::Response::Hybrid { penalty, max_iterations: 3 }));
    }
}
