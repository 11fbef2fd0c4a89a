//! The same scenes in Rapier (`rapier2d-f64`), an engine for games: iterative, approximate and fast.

use crate::scenes::Scene;
use carom_rigid2d::{DVec2, Motion, Shape};
use rapier2d_f64::prelude::*;

/// The scene as Rapier holds it, with one restitution for all and no friction.
pub(crate) fn world(scene: &Scene, dt: f64, restitution: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::default();
    let gravity = scene.gravity.unwrap_or(DVec2::ZERO);
    world.gravity = Vector::new(gravity.x, gravity.y);
    world.integration_parameters.dt = dt;
    for (placed, velocity) in &scene.bodies {
        let center = Vector::new(placed.center.x, placed.center.y);
        let bare = match placed.body.motion {
            Motion::Free => RigidBodyBuilder::dynamic(),
            Motion::Fixed | Motion::Kinematic(_) => RigidBodyBuilder::fixed(),
        };
        // Sleeping would hide what a step costs.
        let body = bare.translation(center).linvel(Vector::new(velocity.x, velocity.y)).can_sleep(false);
        for collider in colliders(&placed.body.shape) {
            let mass = if placed.body.motion.is_free() { placed.body.mass } else { 0.0 };
            let collider = collider.mass(mass).restitution(restitution).friction(0.0);
            world.insert(body.clone(), collider);
        }
    }
    world
}

/// A disc is a ball; an outline (only the box that holds a pile) is a capsule along each edge.
fn colliders(shape: &Shape) -> Vec<ColliderBuilder> {
    match shape {
        Shape::Disc { radius } => vec![ColliderBuilder::ball(*radius)],
        Shape::Polygon(outline) => {
            let point = |k: usize| {
                let vertex = outline.vertices[k % outline.vertices.len()];
                Vector::new(vertex.x, vertex.y)
            };
            (0..outline.vertices.len())
                .map(|k| ColliderBuilder::capsule_from_endpoints(point(k), point(k + 1), outline.radius))
                .collect()
        }
    }
}

/// Kinetic energy of all bodies.
pub(crate) fn kinetic_energy(world: &PhysicsWorld) -> f64 {
    world.bodies.iter().map(|(_, body)| body.kinetic_energy()).sum()
}

/// Deepest overlap of any two colliders, as Rapier's own contacts measure it.
pub(crate) fn deepest_overlap(world: &PhysicsWorld) -> f64 {
    let pairs = world.narrow_phase.contact_pairs();
    pairs
        .flat_map(|pair| {
            pair.manifolds().iter().flat_map(|manifold| manifold.points.iter().map(|point| -point.dist))
        })
        .fold(0.0, f64::max)
}
