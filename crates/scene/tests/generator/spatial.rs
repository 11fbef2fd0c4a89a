//! Random scenes of spatial bodies that are right.

use super::{color, colors, finite, not_negative, positive, text};
use carom_scene::SpatialScene;
use carom_scene::description::IndexedColor;
use carom_scene::description::spatial::{
    Anchor, Body, Camera, CollisionHandling, Drag, Integrator, Key, Motion, Orientation, Path, Push,
    Response, Shape, SpatialMethod, Spring, TimedForce, Weight,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn triple() -> impl Strategy<Value = [f64; 3]> {
    [finite(), finite(), finite()]
}

pub(super) fn spatial_scene() -> impl Strategy<Value = SpatialScene> {
    (vec(triple(), 4..9), option::of(contact()), integrator())
        .prop_flat_map(|(vertices, contact, integrator)| {
            let count = vertices.len();
            (Just((vertices, contact, integrator)), vec(body(count), 0..5))
        })
        .prop_flat_map(|((vertices, contact, integrator), bodies)| {
            let start = SpatialScene { vertices, contact, ..SpatialScene::new(integrator) };
            scene_of(start, bodies)
        })
}

fn scene_of(start: SpatialScene, bodies: Vec<Body>) -> impl Strategy<Value = SpatialScene> {
    let count = bodies.len();
    let spring = (anchor(count), anchor(count), finite(), not_negative()).prop_map(
        |(start, end, stiffness, rest_length)| Spring {
            start,
            end,
            stiffness,
            rest_length,
            damping: rest_length,
        },
    );
    let drag = (not_negative(), not_negative()).prop_map(|(linear, angular)| Drag { linear, angular });
    let forces = (vec(triple(), 0..3), vec(spring, 0..3), vec(drag, 0..3), pushes(count));
    let look = (positive(), option::of(camera()), colors(count), color());
    (Just((start, bodies.clone())), forces, scripts(&bodies), look).prop_map(
        |((start, mut bodies), (gravities, springs, drags, mut pushes), (keys, motions), look)| {
            let (frame_rate, camera, body_colors, color) = look;
            for (index, body) in bodies.iter_mut().enumerate() {
                let kinematic = keys.iter().any(|key| key.body == index)
                    || motions.iter().any(|motion| motion.body == index);
                if matches!(body.shape, Shape::HalfSpace { .. }) {
                    body.fixed = !kinematic;
                } else if !body.fixed && !kinematic && body.weight.is_none() {
                    body.weight = Some(Weight::Density(2.0));
                }
                if body.fixed || kinematic {
                    // a push on it would have no effect
                    pushes.retain(|push| push.body != index);
                }
            }
            let timed = pushes.iter().map(|push| TimedForce {
                body: push.body,
                force: push.force,
                torque: push.torque,
                rate: push.force[0],
                phase: push.torque[1],
                from: 0.25,
                until: None,
            });
            SpatialScene {
                timed: timed.collect(),
                bodies,
                gravities,
                drags,
                pushes,
                keys,
                motions,
                frame_rate,
                camera,
                surfaces: super::surfaces(&body_colors),
                body_colors,
                spring_colors: (0..springs.len()).map(|index| IndexedColor { index, color }).collect(),
                springs,
                ..start
            }
        },
    )
}

fn integrator() -> impl Strategy<Value = Integrator> {
    let method = prop_oneof![
        Just(SpatialMethod::ExplicitEuler),
        Just(SpatialMethod::SymplecticEuler),
        Just(SpatialMethod::Midpoint),
        Just(SpatialMethod::RungeKutta4),
        positive().prop_map(|tolerance| SpatialMethod::DormandPrince { tolerance }),
        Just(SpatialMethod::LieMidpoint),
    ];
    let orientation = prop_oneof![Just(Orientation::Quaternion), Just(Orientation::Matrix)];
    (method, 1e-6..1.0, orientation).prop_map(|(method, dt, orientation)| Integrator {
        method,
        dt,
        orientation,
    })
}

fn contact() -> impl Strategy<Value = CollisionHandling> {
    let response = prop_oneof![
        Just(Response::Lcp),
        Just(Response::VelocityProjection),
        Just(Response::ReflectionLcp),
        Just(Response::ReflectionVelocityProjection),
        Just(Response::Impulse),
    ];
    let speed = option::of(positive());
    // On the heap: whole scenes of strategies fill the stack of a test.
    (response, option::of(0.0..=1.0), not_negative(), speed)
        .prop_map(|(response, restitution, friction, tolerance)| CollisionHandling {
            response,
            restitution,
            friction,
            tolerance: tolerance.filter(|_| matches!(response, Response::Lcp | Response::VelocityProjection)),
        })
        .boxed()
}

fn body(vertices: usize) -> impl Strategy<Value = Body> {
    let weight = prop_oneof![
        positive().prop_map(Weight::Density),
        positive().prop_map(Weight::Mass),
        (positive(), [positive(), positive(), positive()], triple())
            .prop_map(|(mass, [a, b, c], [d, e, f])| { Weight::Given { mass, inertia: [a, b, c, d, e, f] } }),
    ];
    let shape = prop_oneof![
        positive().prop_map(|radius| Shape::Sphere { radius }),
        [positive(), positive(), positive()].prop_map(|sides| Shape::Box { sides }),
        vec(0..vertices, 4..9).prop_map(|corners| Shape::Polyhedron { corners }),
        text().prop_map(|name| Shape::File { name }),
    ];
    let solid = (shape, [triple(), triple(), triple(), triple()], option::of(weight), any::<bool>())
        .prop_map(|(shape, [position, rotation, velocity, angular_velocity], weight, fixed)| Body {
            shape,
            position,
            rotation,
            velocity,
            angular_velocity,
            weight,
            fixed,
        });
    let half_space = (triple(), triple()).prop_map(|(point, mut normal)| {
        if normal == [0.0; 3] {
            normal[2] = 1.0;
        }
        Body::half_space(point, normal)
    });
    prop_oneof![4 => solid, 1 => half_space]
}

/// Up to two keys or a motion for each body that is not fixed, and for half-spaces.
fn scripts(bodies: &[Body]) -> BoxedStrategy<(Vec<Key>, Vec<Motion>)> {
    let movable = |body: &Body| !body.fixed || matches!(body.shape, Shape::HalfSpace { .. });
    let free: Vec<usize> = (0..bodies.len()).filter(|&body| movable(&bodies[body])).collect();
    let key = (1e-3..1.0, triple(), triple());
    vec((vec(key, 0..3), option::of(path())), free.len())
        .prop_map(move |lists| {
            let (mut keys, mut motions) = (Vec::new(), Vec::new());
            for (&body, (list, path)) in free.iter().zip(lists) {
                match path {
                    Some(path) => motions.push(Motion { body, path }),
                    None => keys.extend(list.into_iter().enumerate().map(
                        |(k, (time, displacement, rotation))| Key {
                            body,
                            time: time + 2.0 * k as f64,
                            displacement,
                            rotation,
                        },
                    )),
                }
            }
            (keys, motions)
        })
        .boxed()
}

fn path() -> impl Strategy<Value = Path> {
    let uniform = (triple(), triple())
        .prop_map(|(velocity, angular_velocity)| Path::Uniform { velocity, angular_velocity });
    let oscillation =
        (triple(), triple(), finite(), finite()).prop_map(|(displacement, rotation, rate, phase)| {
            Path::Oscillation { displacement, rotation, rate, phase }
        });
    prop_oneof![uniform, oscillation]
}

fn anchor(bodies: usize) -> BoxedStrategy<Anchor> {
    let world = triple().prop_map(Anchor::World).boxed();
    if bodies == 0 {
        return world;
    }
    let on_body = (0..bodies, triple()).prop_map(|(body, offset)| Anchor::Body { body, offset });
    prop_oneof![world, on_body].boxed()
}

fn pushes(bodies: usize) -> BoxedStrategy<Vec<Push>> {
    if bodies == 0 {
        return Just(Vec::new()).boxed();
    }
    let push = (0..bodies, triple(), triple()).prop_map(|(body, force, torque)| Push { body, force, torque });
    vec(push, 0..3).boxed()
}

fn camera() -> impl Strategy<Value = Camera> {
    ([-9.0..9.0, -9.0..9.0, 1.0..9.0], [-9.0..9.0, -9.0..9.0, -9.0..0.0], 1.0..179.0)
        .prop_map(|(eye, target, field_of_view)| Camera { eye, target, up: [-0.0, 1.0, 0.25], field_of_view })
}
