//! Random scenes that are right.

mod spatial;

use carom_scene::description::{
    Color, General, IndexedColor, Knob, KnobTarget, Surface, Viewport, Wrap, particles, rigid,
};
use carom_scene::{ParticleScene, RigidScene, Scene, System};
use proptest::collection::vec;
use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::option;
use proptest::prelude::*;

pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    let system = prop_oneof![
        particle_scene().prop_map(System::Particles),
        rigid_scene().prop_map(System::RigidBodies),
        spatial::spatial_scene().prop_map(System::SpatialBodies)
    ];
    (general(), system).prop_map(|(general, system)| Scene { general, system })
}

/// Any finite number: huge, tiny, subnormal, both zeros.
fn finite() -> impl Strategy<Value = f64> {
    NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE
}

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![1e-3..1e3, POSITIVE | NORMAL | SUBNORMAL]
}

fn not_negative() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), positive()]
}

fn pair() -> impl Strategy<Value = [f64; 2]> {
    [finite(), finite()]
}

fn color() -> impl Strategy<Value = Color> {
    [0.0..=1.0, 0.0..=1.0, 0.0..=1.0].prop_map(|[red, green, blue]| Color { red, green, blue })
}

/// Colours of some of so many objects.
fn colors(count: usize) -> BoxedStrategy<Vec<IndexedColor>> {
    if count == 0 {
        return Just(Vec::new()).boxed();
    }
    vec((0..count, color()).prop_map(|(index, color)| IndexedColor { index, color }), 0..3).boxed()
}

/// Text with what XML makes difficult.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z ]{0,20}", "[&<>\"'\n\r\t =/é日;#a-z\u{85}\u{2028}\u{a0}]{0,20}", ".{0,20}"]
}

fn general() -> impl Strategy<Value = General> {
    let viewport = (pair(), positive()).prop_map(|(center, size)| Viewport { center, size });
    (
        0.0..1e3,
        option::of(text()),
        option::of(text()),
        option::of(positive()),
        option::of(viewport),
        option::of(color()),
        vec(knob(), 0..3),
        option::of([-1e3..1e3, 1e-3..1e3, -1e3..1e3, 1e-3..1e3]),
    )
        .prop_map(|(duration, description, tag, max_frequency, viewport, background, knobs, wrap)| {
            General {
                duration,
                description,
                tag,
                max_frequency,
                viewport,
                background,
                knobs,
                wrap: wrap.map(|[x, width, y, height]| Wrap { low: [x, y], high: [x + width, y + height] }),
            }
        })
}

/// Knobs of what every scene has.
fn knob() -> impl Strategy<Value = Knob> {
    (text(), -1e3..1e3, positive(), option::of(positive())).prop_map(|(label, min, range, step)| {
        let target = KnobTarget { tag: "duration".to_owned(), ordinal: 0, attribute: "time".to_owned() };
        Knob { label, target, min, max: min + 1.0 + range, step }
    })
}

fn particle() -> impl Strategy<Value = particles::Particle> {
    (positive(), [-1.0..1.0, -1.0..1.0], pair(), any::<bool>(), not_negative(), option::of(text())).prop_map(
        |(mass, position, velocity, fixed, radius, tag)| particles::Particle {
            mass,
            position,
            velocity,
            fixed,
            radius,
            tag,
        },
    )
}

fn method() -> impl Strategy<Value = particles::Method> {
    use particles::Method;
    let adaptive = (not_negative(), positive()).prop_map(|(relative_tolerance, absolute_tolerance)| {
        Method::DormandPrince { relative_tolerance, absolute_tolerance }
    });
    prop_oneof![
        Just(Method::ExplicitEuler),
        Just(Method::SymplecticEuler),
        Just(Method::LinearizedImplicitEuler),
        Just(Method::ImplicitEuler),
        Just(Method::VelocityVerlet),
        Just(Method::RungeKutta4),
        adaptive,
    ]
}

fn collision() -> impl Strategy<Value = particles::Collision> {
    use particles::Response;
    let penalty = || {
        (not_negative(), not_negative())
            .prop_map(|(stiffness, thickness)| particles::Penalty { stiffness, thickness })
    };
    let response = prop_oneof![
        Just(Response::None),
        Just(Response::Simple),
        Just(Response::ContinuousTime),
        penalty().prop_map(Response::Penalty),
        (penalty(), any::<u32>())
            .prop_map(|(penalty, max_iterations)| Response::Hybrid { penalty, max_iterations }),
        any::<u32>().prop_map(|max_events| Response::BackUp { max_events }),
        any::<u32>().prop_map(|max_iterations| Response::Simultaneous { max_iterations }),
        any::<u32>().prop_map(|max_iterations| Response::Elastic { max_iterations }),
        Just(Response::Lcp),
        Just(Response::VelocityProjection),
        Just(Response::ReflectionLcp),
        Just(Response::ReflectionVelocityProjection),
    ];
    (response, 0.0..=1.0, 0.0..2.0).prop_map(|(response, restitution, friction)| {
        // the repulsion of the penalty method has no friction
        let penalty = matches!(response, Response::Penalty(_));
        particles::Collision { response, restitution, friction: if penalty { 0.0 } else { friction } }
    })
}

/// Pairs of different indices; none when there are not two.
fn pairs(count: usize) -> BoxedStrategy<Vec<(usize, usize)>> {
    if count < 2 {
        return Just(Vec::new()).boxed();
    }
    vec((0..count, 1..count).prop_map(move |(first, step)| (first, (first + step) % count)), 0..4).boxed()
}

fn particle_scene() -> impl Strategy<Value = ParticleScene> {
    vec(particle(), 0..6).prop_flat_map(|mut list| {
        for (k, particle) in list.iter_mut().enumerate() {
            particle.position[0] += 3.0 * k as f64; // no two at the same point
        }
        let count = list.len();
        pairs(count).prop_flat_map(move |edges| particle_scene_of(list.clone(), edges))
    })
}

fn particle_scene_of(
    list: Vec<particles::Particle>,
    edges: Vec<(usize, usize)>,
) -> impl Strategy<Value = ParticleScene> {
    let (count, edge_count) = (list.len(), edges.len());
    let edges: Vec<_> = edges
        .into_iter()
        .map(|(start, end)| particles::Edge { start, end, radius: 0.1 * start as f64 })
        .collect();
    let half_planes = vec(
        (pair(), 0.1..10.0, pair()).prop_map(|(point, x, velocity)| particles::HalfPlane {
            point,
            normal: [x, -0.5 * x],
            velocity,
        }),
        0..3,
    );
    let integrator = (method(), 1e-6..1.0).prop_map(|(method, dt)| particles::Integrator { method, dt });
    let contest = any::<bool>();
    let appearance = (colors(count), colors(edge_count), paths(count)).prop_map(
        |(particle_colors, edge_colors, paths)| particles::Appearance {
            particle_colors,
            edge_colors,
            half_plane_colors: Vec::new(),
            paths,
        },
    );
    (integrator, half_planes, forces(count, edge_count), collision(), contest, appearance).prop_map(
        move |(integrator, half_planes, forces, collision, contest, appearance)| ParticleScene {
            integrator,
            particles: list.clone(),
            edges: edges.clone(),
            half_planes,
            forces,
            collision,
            surfaces: surfaces(&appearance.particle_colors),
            detection: if contest { particles::Detection::Contest } else { particles::Detection::AllPairs },
            appearance,
        },
    )
}

/// A timed force with the numbers of a gravitation.
fn timed(force: &particles::Gravitation) -> particles::TimedForce {
    particles::TimedForce {
        particle: force.first,
        force: [force.constant, 0.0],
        rate: force.constant,
        phase: 0.0,
        from: 0.5,
        until: Some(1.0),
    }
}

/// Surfaces with the numbers of colours, which are from 0 to 1.
fn surfaces(colors: &[IndexedColor]) -> Vec<Surface> {
    let surface = |&IndexedColor { index, color }: &IndexedColor| Surface {
        index,
        restitution: (color.red < 0.9).then_some(color.green),
        friction: (color.green < 0.9).then_some(3.0 * color.blue),
        group: (31.0 * color.blue) as u32,
        ignored: (4e9 * color.red) as u32,
    };
    colors.iter().map(surface).collect()
}

fn paths(count: usize) -> impl Strategy<Value = Vec<particles::ParticlePath>> {
    (colors(count), not_negative()).prop_map(|(colors, duration)| {
        colors
            .into_iter()
            .map(|IndexedColor { index, color }| particles::ParticlePath { index, duration, color })
            .collect()
    })
}

fn forces(count: usize, edges: usize) -> impl Strategy<Value = particles::Forces> {
    let spring = (finite(), not_negative(), finite()).prop_map(|(stiffness, rest_length, damping)| {
        particles::Spring { edge: 0, stiffness, rest_length, damping }
    });
    let springs = vec(spring, edges..=edges).prop_map(|mut springs| {
        springs.iter_mut().enumerate().for_each(|(edge, spring)| spring.edge = edge);
        springs
    });
    let gravitations = (pairs(count), finite()).prop_map(|(pairs, constant)| {
        pairs
            .into_iter()
            .map(|(first, second)| particles::Gravitation { first, second, constant })
            .collect::<Vec<_>>()
    });
    let vortices = (pairs(count), finite(), finite()).prop_map(|(pairs, biot_savart, viscosity)| {
        let vortex = |(first, second)| particles::Vortex { first, second, biot_savart, viscosity };
        pairs.into_iter().map(vortex).collect()
    });
    (springs, vec(pair(), 0..3), gravitations, vec(pair(), 0..3), vec(finite(), 0..3), vortices).prop_map(
        |(springs, gravities, gravitations, constants, drags, vortices)| particles::Forces {
            timed: gravitations.iter().map(timed).collect(),
            springs,
            gravities,
            gravitations,
            constants,
            drags,
            vortices,
        },
    )
}

fn rigid_scene() -> impl Strategy<Value = RigidScene> {
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
        vec(body, 0..4).prop_flat_map(move |bodies| rigid_scene_of(vertices.clone(), bodies))
    })
}

fn rigid_scene_of(
    vertices: Vec<rigid::Vertex>,
    bodies: Vec<rigid::Body>,
) -> impl Strategy<Value = RigidScene> {
    use rigid::{Integrator, Method};
    let count = bodies.len();
    let method =
        prop_oneof![Just(Method::ExplicitEuler), Just(Method::SymplecticEuler), Just(Method::VelocityVerlet)];
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

fn contact() -> impl Strategy<Value = rigid::Contact> {
    use rigid::{Contact, Response};
    let response = prop_oneof![
        Just(Response::Lcp),
        Just(Response::VelocityProjection),
        Just(Response::ReflectionLcp),
        Just(Response::ReflectionVelocityProjection),
        Just(Response::Impulse),
    ];
    let numbers = (option::of(0.0..=1.0), not_negative(), option::of(positive()));
    let rich =
        (response.clone(), numbers).prop_map(|(response, (restitution, friction, tolerance))| Contact {
            response,
            restitution,
            friction,
            tolerance: tolerance.filter(|_| matches!(response, Response::Lcp | Response::VelocityProjection)),
        });
    let penalty = (not_negative(), not_negative())
        .prop_map(|(stiffness, thickness)| Contact::new(Response::Penalty { stiffness, thickness }));
    // On the heap: whole scenes of strategies fill the stack of a test.
    prop_oneof![response.prop_map(Contact::new), rich, penalty].boxed()
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
