//! The scene in `rapier2d-f64`.

use crate::{Frames, Scene};
use rapier2d_f64::prelude::*;

pub(crate) fn run(scene: &Scene) -> Frames {
    let mut world = PhysicsWorld::default();
    world.gravity = Vector::new(scene.gravity[0], scene.gravity[1]);
    world.integration_parameters.dt = scene.dt;
    let mut handles = Vec::new();
    for body in &scene.bodies {
        let ([x, y], [vx, vy], [a, b]) = (body.at, body.velocity, body.half);
        let bare = match (body.fixed, body.driven) {
            (true, _) => RigidBodyBuilder::fixed(),
            (_, true) => RigidBodyBuilder::kinematic_velocity_based(),
            _ => RigidBodyBuilder::dynamic(),
        };
        let bare = bare.translation(Vector::new(x, y)).rotation(body.angle).can_sleep(false);
        let bare = bare.linvel(Vector::new(vx, vy)).angvel(body.spin);
        let collider = match body.shape.as_str() {
            "ball" => ColliderBuilder::ball(a),
            // The half of a wall is its normal.
            "wall" => ColliderBuilder::new(SharedShape::halfspace(Vector::new(a, b).normalize())),
            _ => ColliderBuilder::cuboid(a, b),
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
                [at.x, at.y, body.rotation().angle(), v.x, v.y, body.angvel()]
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
