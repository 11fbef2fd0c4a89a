//! The same pile in Rapier (`rapier3d-f64`), an engine for games: iterative, approximate and fast.

use carom_rigid3d::{Shape, World};
use rapier3d_f64::prelude::*;

/// The pile as Rapier holds it, with one friction for all and no bounce. Half-spaces lie under z = 0.
pub(crate) fn world(pile: &World, friction: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -9.81), ..PhysicsWorld::default() };
    world.integration_parameters.dt = pile.settings().dt;
    for (body, state) in pile.model().bodies.iter().zip(&pile.state().bodies) {
        let bare =
            if body.motion.is_free() { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
        let at = Vector::new(state.position.x, state.position.y, state.position.z);
        let turn = carom_rigid3d::orientation::logarithm(state.orientation.quaternion());
        let turn = Vector::new(turn.x, turn.y, turn.z);
        // Sleeping would hide what a step costs.
        let bare = bare.translation(at).rotation(turn).can_sleep(false);
        let collider = match &body.shape {
            Shape::Sphere { radius } => ColliderBuilder::ball(*radius),
            Shape::HalfSpace { .. } => {
                ColliderBuilder::cuboid(500.0, 500.0, 1.0).translation(Vector::new(0.0, 0.0, -1.0))
            }
            Shape::Polyhedron(shape) => {
                let half = shape.vertices().iter().fold(Vector::ZERO, |half, v| half.max(*v));
                ColliderBuilder::cuboid(half.x, half.y, half.z)
            }
        };
        let mass = if body.motion.is_free() { body.mass } else { 0.0 };
        world.insert(bare, collider.mass(mass).restitution(0.0).friction(friction));
    }
    world
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
