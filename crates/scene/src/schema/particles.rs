//! Tags of particle systems. Their attributes stand with their descriptions.

use super::{Attribute, SystemKind, Tag, Target, of};
use crate::description::force::{GRAVITY, TIMED};
use crate::description::particles::{
    CONSTANT, Collision, DRAG, Detection, Edge, Gravitation, HalfPlane, Integrator, Particle, ParticlePath,
    Spring, TimedForce, Vortex,
};
use crate::description::table::Record;
use crate::description::{IndexedColor, Surface};

const THE_PARTICLE: Attribute = Attribute::index("i", Target::Particle, "The particle.");

pub(super) const TAGS: &[Tag] = &of(
    SystemKind::Particles,
    [
        Tag::required(
            "integrator",
            "The method that moves the particles, and its time step.",
            Integrator::ATTRIBUTES,
            r#"<integrator type="implicit-euler" dt="0.01"/>"#,
        ),
        Tag::many(
            "particle",
            "A disc with mass. The order in the file is its index, from 0.",
            Particle::ATTRIBUTES,
            r#"<particle m="1.0" px="0.0" py="0.5" vx="1.0" vy="0.0" fixed="0" radius="0.1"/>"#,
        ),
        Tag::many(
            "edge",
            "A straight segment between two different particles, thick by its radius. The order in the file is its index.",
            Edge::ATTRIBUTES,
            r#"<edge i="0" j="1" radius="0.05"/>"#,
        ),
        Tag::many(
            "halfplane",
            "An obstacle that nothing pushes: all points x with (x − p) · n ≤ 0. Particles stay on the side that the normal points to. The normal must not be zero.",
            HalfPlane::ATTRIBUTES,
            r#"<halfplane px="0.0" py="-1.0" nx="0.0" ny="1.0"/>"#,
        ),
        Tag::many(
            "springforce",
            "A spring along an edge, with damping along its direction. Its ends must not start at the same point.",
            Spring::ATTRIBUTES,
            r#"<springforce edge="0" k="100.0" l0="1.0" b="0.2"/>"#,
        ),
        Tag::many(
            "simplegravity",
            "The same acceleration for every particle.",
            &GRAVITY,
            r#"<simplegravity fx="0.0" fy="-9.81"/>"#,
        ),
        Tag::many(
            "gravitationalforce",
            "Newton's gravitation between two different particles, which must not start at the same point.",
            Gravitation::ATTRIBUTES,
            r#"<gravitationalforce i="0" j="1" G="0.000118419"/>"#,
        ),
        Tag::many(
            "constantforce",
            "The same force on every particle, whatever its mass.",
            &CONSTANT,
            r#"<constantforce fx="0.5" fy="0.0"/>"#,
        ),
        Tag::many(
            "dragdamping",
            "Drag on every particle: the force −b v.",
            &DRAG,
            r#"<dragdamping b="0.1"/>"#,
        ),
        Tag::many(
            "timedforce",
            TIMED,
            TimedForce::ATTRIBUTES,
            r#"<timedforce i="0" fx="1.0" rate="6.28" until="2.0"/>"#,
        ),
        Tag::many(
            "particlesurface",
            Surface::MEANING,
            &Surface::attributes(THE_PARTICLE),
            r#"<particlesurface i="0" COR="0.9" group="1" ignores="1"/>"#,
        ),
        Tag::many(
            "vortexforce",
            "The course's vortex force between two different particles, which must not start at the same point. The course's program cannot combine it with an implicit method.",
            Vortex::ATTRIBUTES,
            r#"<vortexforce i="0" j="1" kbs="0.8" kvc="1000.0"/>"#,
        ),
        Tag::once(
            "collision",
            "How collisions are answered. Without it nothing collides.",
            Collision::ATTRIBUTES,
            r#"<collision type="simple" COR="0.8"/>"#,
        ),
        Tag::once(
            "collisiondetection",
            "How pairs that may touch are found. It changes the speed of a run, never its results.",
            Detection::ATTRIBUTES,
            r#"<collisiondetection type="contest"/>"#,
        ),
        Tag::many(
            "particlecolor",
            "The colour of one particle. The last one given to a particle counts.",
            &IndexedColor::attributes(THE_PARTICLE),
            r#"<particlecolor i="0" r="0.8" g="0.1" b="0.1"/>"#,
        ),
        Tag::many(
            "edgecolor",
            "The colour of one edge. The last one given to an edge counts.",
            &IndexedColor::attributes(Attribute::index("i", Target::Edge, "The edge.")),
            r#"<edgecolor i="0" r="0.1" g="0.1" b="0.8"/>"#,
        ),
        Tag::many(
            "halfplanecolor",
            "The colour of one half-plane. The last one given to a half-plane counts.",
            &IndexedColor::attributes(Attribute::index("i", Target::HalfPlane, "The half-plane.")),
            r#"<halfplanecolor i="0" r="0.2" g="0.6" b="0.2"/>"#,
        ),
        Tag::many(
            "particlepath",
            "A trail behind one particle.",
            ParticlePath::ATTRIBUTES,
            r#"<particlepath i="0" duration="2.0" r="0.8" g="0.1" b="0.1"/>"#,
        ),
    ],
);
