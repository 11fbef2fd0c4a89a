//! Random scenes of planar bodies that are right.

use super::{color, colors, finite, not_negative, pair, positive, surfaces};
use carom_scene::RigidScene;
use carom_scene::description::{IndexedColor, rigid};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

pub(super) fn rigid_scene() -> impl Strategy<Value = RigidScene> {
    let vertices = vec(([-1.0..1.0, -1.0..1.0], 1e-3..1e3), 2..8).prop_map(|list| {
        let apart = |(k, ([x, y], mass)): (usize, ([f64; 2], f64))| rigid::Vertex {
            position: [x + 3.0 * k as f64, y],
            mass,
        };
        list.into_iter().enumerate().map(apart).collect::<Vec<_>>()
    });
    vertices.prop_flat_map(|vertices| {
        let count = vertices.len();
        let outlined = (2..=count, option::of(positive())).prop_map(|(corners, density)| {
            let outline = (0..corners).collect();
            match density {
                Some(density) if corners > 2 => rigid::Shape::Solid { outline, density },
                _ => rigid::Shape::Hollow { outline },
            }
        });
        let weight = prop_oneof![
            positive().prop_map(rigid::Weight::Mass),
            positive().prop_map(rigid::Weight::Density)
        ];
        let disc = ([-1.0..1.0, -1.0..1.0], weight)
            .prop_map(|(center, weight)| rigid::Shape::Disc { center, weight });
        let body = (prop_oneof![3 => outlined, 1 => disc], pair(), finite(), positive(), any::<bool>())
            .prop_map(|(shape, velocity, angular_velocity, radius, fixed)| rigid::Body {
                shape,
                velocity,
                angular_velocity,
                radius,
                fixed,
            });
        let half_plane = (pair(), [1e-3..1.0, -1.0..1.0])
            .prop_map(|(point, normal)| rigid::Body::half_plane(point, normal));
        let body = prop_oneof![4 => body, 1 => half_plane];
        vec(body, 0..4).prop_flat_map(move |bodies| rigid_scene_of(vertices.clone(), bodies))
    })
}

fn rigid_scene_of(
    vertices: Vec<rigid::Vertex>,
    bodies: Vec<rigid::Body>,
) -> impl Strategy<Value = RigidScene> {
    use rigid::{Integrator, PlanarMethod};
    let count = bodies.len();
    let method = prop_oneof![
        Just(PlanarMethod::ExplicitEuler),
        Just(PlanarMethod::SymplecticEuler),
        Just(PlanarMethod::VelocityVerlet)
    ];
    let wind =
        (not_negative(), pair(), 2..=1_000_000u32).prop_map(|(coefficient, velocity, points_per_edge)| {
            rigid::Wind { coefficient, velocity, points_per_edge }
        });
    (
        (method, 1e-6..1.0).prop_map(|(method, dt)| Integrator { method, dt }),
        option::of(contact()),
        (vec(pair(), 0..3), vec(wind, 0..3)),
        vec((anchor(count), 0.0..1.0f64, finite()), 0..3),
        colors(count),
        (color(), scripts(&bodies)),
    )
        .prop_map(
            move |(
                integrator,
                contact,
                (gravities, winds),
                springs,
                body_colors,
                (color, (keys, motions)),
            )| {
                let spring = |(start, rest_length, stiffness)| rigid::Spring {
                    start,
                    end: rigid::Anchor::World([-1e3, 0.5]),
                    stiffness,
                    rest_length,
                    damping: rest_length,
                };
                let timed = gravities.iter().zip(&body_colors).map(|(&force, color)| rigid::TimedForce {
                    body: color.index,
                    force,
                    torque: force[0],
                    rate: force[1],
                    phase: color.color.red,
                    from: color.color.green,
                    until: (color.color.blue > 0.5).then_some(2.0),
                });
                let springs: Vec<_> = springs.into_iter().map(spring).collect();
                RigidScene {
                    integrator,
                    vertices: vertices.clone(),
                    bodies: bodies.clone(),
                    timed: timed.collect(),
                    drags: winds
                        .iter()
                        .map(|w| rigid::Drag { linear: w.coefficient, angular: 0.5 })
                        .collect(),
                    surfaces: surfaces(&body_colors),
                    gravities,
                    winds,
                    keys,
                    motions,
                    contact,
                    body_colors,
                    spring_colors: (0..springs.len()).map(|index| IndexedColor { index, color }).collect(),
                    springs,
                }
            },
        )
}

fn contact() -> impl Strategy<Value = rigid::CollisionHandling> {
    use rigid::{CollisionHandling, Response};
    let response = prop_oneof![
        Just(Response::Lcp),
        Just(Response::VelocityProjection),
        Just(Response::ReflectionLcp),
        Just(Response::ReflectionVelocityProjection),
        Just(Response::Impulse),
    ];
    let numbers = (option::of(0.0..=1.0), not_negative(), option::of(positive()));
    let rich = (response.clone(), numbers).prop_map(|(response, (restitution, friction, tolerance))| {
        CollisionHandling {
            response,
            restitution,
            friction,
            tolerance: tolerance.filter(|_| matches!(response, Response::Lcp | Response::VelocityProjection)),
        }
    });
    let penalty = (not_negative(), not_negative()).prop_map(|(stiffness, thickness)| {
        CollisionHandling::new(Response::Penalty { stiffness, thickness })
    });
    // On the heap: whole scenes of strategies fill the stack of a test.
    prop_oneof![response.prop_map(CollisionHandling::new), rich, penalty].boxed()
}

/// Up to two keys or a motion for each body that is not fixed.
fn scripts(bodies: &[rigid::Body]) -> BoxedStrategy<(Vec<rigid::Key>, Vec<rigid::Motion>)> {
    let free: Vec<usize> = (0..bodies.len()).filter(|&body| !bodies[body].fixed).collect();
    let key = (1e-3..1.0, pair(), finite());
    vec((vec(key, 0..3), option::of(path())), free.len())
        .prop_map(move |lists| {
            let (mut keys, mut motions) = (Vec::new(), Vec::new());
            for (&body, (list, path)) in free.iter().zip(lists) {
                match path {
                    Some(path) => motions.push(rigid::Motion { body, path }),
                    None => {
                        keys.extend(list.into_iter().enumerate().map(|(k, (time, displacement, angle))| {
                            rigid::Key { body, time: time + 2.0 * k as f64, displacement, rotation: angle }
                        }))
                    }
                }
            }
            (keys, motions)
        })
        .boxed()
}

fn path() -> impl Strategy<Value = rigid::Path> {
    let uniform = (pair(), finite())
        .prop_map(|(velocity, angular_velocity)| rigid::Path::Uniform { velocity, angular_velocity });
    let oscillation =
        (pair(), finite(), finite(), finite()).prop_map(|(displacement, angle, rate, phase)| {
            rigid::Path::Oscillation { displacement, rotation: angle, rate, phase }
        });
    prop_oneof![uniform, oscillation]
}

fn anchor(bodies: usize) -> impl Strategy<Value = rigid::Anchor> {
    let world = [-10.0..10.0, -10.0..10.0].prop_map(rigid::Anchor::World).boxed();
    if bodies == 0 {
        return world;
    }
    let on_body = (0..bodies, [-10.0..10.0, -10.0..10.0])
        .prop_map(|(body, offset)| rigid::Anchor::Body { body, offset });
    prop_oneof![world, on_body].boxed()
}
