//! Planar worlds in Rapier (`rapier2d-f64`), an engine for games: iterative, approximate and fast.

use carom_rigid2d::{DVec2, Polygon, Shape, World};
use rapier2d_f64::prelude::*;

/// The same bodies and gravity with Rapier's defaults, one restitution and one friction for all.
pub fn world(ours: &World, restitution: f64, friction: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::default();
    let gravity = ours.model().forces.gravities.iter().fold(DVec2::ZERO, |sum, g| sum + *g);
    world.gravity = vector(gravity);
    world.integration_parameters.dt = ours.settings().dt;
    for (body, state) in ours.model().bodies.iter().zip(&ours.state().bodies) {
        let free = body.motion.is_free();
        let bare = if free { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
        // Sleeping would hide what a step costs.
        let bare = bare.translation(vector(state.position)).rotation(state.angle).can_sleep(false);
        let bare = bare.linvel(vector(state.velocity)).angvel(state.angular_velocity);
        for collider in colliders(&body.shape) {
            let mass = if free { body.mass } else { 0.0 };
            let collider = collider.mass(mass).restitution(restitution).friction(friction);
            world.insert(bare.clone(), collider);
        }
    }
    world
}

fn vector(v: DVec2) -> Vector {
    Vector::new(v.x, v.y)
}

/// A disc is a ball, a solid rectangle a cuboid, another solid its hull; a hollow outline (only the
/// bin that holds a pile) is a capsule along each edge.
fn colliders(shape: &Shape) -> Vec<ColliderBuilder> {
    match shape {
        Shape::Disc { radius } => vec![ColliderBuilder::ball(*radius)],
        Shape::HalfPlane { normal } => {
            vec![ColliderBuilder::new(SharedShape::halfspace(Vector::new(normal.x, normal.y)))]
        }
        Shape::Polygon(outline) if outline.solid => vec![solid(outline)],
        Shape::Polygon(outline) => {
            let point = |k: usize| vector(outline.vertices[k % outline.vertices.len()]);
            (0..outline.vertices.len())
                .map(|k| ColliderBuilder::capsule_from_endpoints(point(k), point(k + 1), outline.radius))
                .collect()
        }
    }
}

fn solid(outline: &Polygon) -> ColliderBuilder {
    let half = outline.vertices.iter().fold(DVec2::ZERO, |half, v| half.max(v.abs()));
    let rectangle = outline.vertices.iter().all(|v| (v.abs() - half).length() < 1e-12 * half.length());
    if rectangle && outline.vertices.len() == 4 {
        return ColliderBuilder::cuboid(half.x + outline.radius, half.y + outline.radius);
    }
    let points: Vec<Vector> = outline.vertices.iter().map(|v| vector(*v)).collect();
    ColliderBuilder::round_convex_hull(&points, outline.radius).expect("the outline has an area")
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
