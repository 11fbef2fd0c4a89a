//! Random scenes that are right.

mod planar;
mod spatial;

use carom_scene::description::{
    Color, General, IndexedColor, Knob, KnobTarget, Surface, Viewport, Wrap, particles,
};
use carom_scene::{ParticleScene, Scene, System};
use proptest::collection::vec;
use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::option;
use proptest::prelude::*;

pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    let system = prop_oneof![
        particle_scene().prop_map(System::Particles),
        planar::rigid_scene().prop_map(System::RigidBodies),
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

fn method() -> impl Strategy<Value = particles::ParticleMethod> {
    use particles::ParticleMethod;
    let adaptive = (not_negative(), positive()).prop_map(|(relative_tolerance, absolute_tolerance)| {
        ParticleMethod::DormandPrince { relative_tolerance, absolute_tolerance }
    });
    prop_oneof![
        Just(ParticleMethod::ExplicitEuler),
        Just(ParticleMethod::SymplecticEuler),
        Just(ParticleMethod::LinearizedImplicitEuler),
        Just(ParticleMethod::ImplicitEuler),
        Just(ParticleMethod::VelocityVerlet),
        Just(ParticleMethod::RungeKutta4),
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
