//! The scene in `rapier3d-f64`: the second coordinate is z, and a turn counter-clockwise is one
//! against y.

use crate::{Frames, Scene};
use rapier3d_f64::prelude::*;

pub(crate) fn run(scene: &Scene) -> Frames {
    let mut world = PhysicsWorld::default();
    world.gravity = Vector::new(scene.gravity[0], 0.0, scene.gravity[1]);
    world.integration_parameters.dt = scene.dt;
    let mut handles = Vec::new();
    for body in &scene.bodies {
        let ([x, z], [vx, vz], [a, c]) = (body.at, body.velocity, body.half);
        let bare = match (body.fixed, body.driven) {
            (true, _) => RigidBodyBuilder::fixed(),
            (_, true) => RigidBodyBuilder::kinematic_velocity_based(),
            _ => RigidBodyBuilder::dynamic(),
        };
        let bare = bare.translation(Vector::new(x, 0.0, z)).can_sleep(false);
        let bare = bare.rotation(Vector::new(0.0, -body.angle, 0.0));
        let bare = bare.linvel(Vector::new(vx, 0.0, vz)).angvel(Vector::new(0.0, -body.spin, 0.0));
        let collider = match body.shape.as_str() {
            "ball" => ColliderBuilder::ball(a),
            "wall" => ColliderBuilder::new(SharedShape::halfspace(Vector::new(a, 0.0, c).normalize())),
            // A box is as deep as wide; a bar is deep enough for what falls on it.
            "bar" => ColliderBuilder::cuboid(a, a.max(1.0), c),
            _ => ColliderBuilder::cuboid(a, a, c),
        };
        let mass = if body.fixed || body.driven { 0.0 } else { body.mass };
        let collider = collider.mass(mass).restitution(scene.restitution).friction(scene.friction);
        handles.push(world.insert(bare, collider).0);
    }
    let look = |world: &PhysicsWorld| {
        handles
            .iter()
            .map(|&handle| {
                let body = &world.bodies[handle];
                let (at, v) = (body.translation(), body.linvel());
                [at.x, at.z, 0.0, v.x, v.z, -body.angvel().y]
            })
            .collect::<Vec<_>>()
    };
    let mut frames = vec![look(&world)];
    for _ in 0..scene.steps {
        world.step();
        frames.push(look(&world));
    }
    frames
}
