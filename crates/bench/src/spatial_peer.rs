//! Spatial worlds in Rapier (`rapier3d-f64`), an engine for games: iterative, approximate and fast.

use carom_rigid3d::{DVec3, Shape, World};
use rapier3d_f64::prelude::*;

/// The same bodies and gravity with Rapier's defaults, one restitution and one friction for all.
/// Half-spaces lie under z = 0, and polyhedra are boxes.
pub fn world(ours: &World, restitution: f64, friction: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::default();
    let gravity = ours.model().forces.gravities.iter().fold(DVec3::ZERO, |sum, g| sum + *g);
    world.gravity = vector(gravity);
    world.integration_parameters.dt = ours.settings().dt;
    for (k, (body, state)) in ours.model().bodies.iter().zip(&ours.state().bodies).enumerate() {
        let free = body.motion.is_free();
        let bare = if free { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
        let turn = carom_rigid3d::orientation::logarithm(state.orientation.quaternion());
        let moving = vector(ours.velocity(carom_rigid3d::BodyIndex(k as u32)));
        // Sleeping would hide what a step costs.
        let bare = bare.translation(vector(state.position)).rotation(vector(turn)).can_sleep(false);
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
        let mass = if free { body.mass } else { 0.0 };
        world.insert(bare.linvel(moving), collider.mass(mass).restitution(restitution).friction(friction));
    }
    world
}

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Kinetic energy of all bodies.
pub fn kinetic_energy(world: &PhysicsWorld) -> f64 {
    world.bodies.iter().map(|(_, body)| body.kinetic_energy()).sum()
}

/// Deepest overlap of any two colliders, as Rapier's own contacts measure it, and the largest speed
/// at which a closed contact still approaches after the step.
pub fn errors(world: &PhysicsWorld) -> (f64, f64) {
    let (mut deepest, mut approach) = (0.0f64, 0.0f64);
    for pair in world.narrow_phase.contact_pairs() {
        let [first, second] = [pair.collider1, pair.collider2].map(|handle| &world.colliders[handle]);
        let velocity = |collider: &Collider, at: Vector| {
            collider.parent().map_or(Vector::ZERO, |body| world.bodies[body].velocity_at_point(at))
        };
        for manifold in pair.manifolds() {
            for point in manifold.points.iter().filter(|point| point.dist <= 0.0) {
                let at = *first.position() * point.local_p1;
                let closing = (velocity(first, at) - velocity(second, at)).dot(manifold.data.normal);
                deepest = deepest.max(-point.dist);
                approach = approach.max(closing);
            }
        }
    }
    (deepest, approach)
}
