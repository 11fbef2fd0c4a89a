//! Tags of planar rigid bodies. Their attributes stand with their descriptions.

use super::{Attribute, SystemKind, Tag, Target, of};
use crate::description::force::{GRAVITY, TIMED};
use crate::description::rigid::{
    CollisionHandling, DISC, Drag, HALF_PLANE, Integrator, Key, OUTLINED, Path, Spring, TimedForce, Vertex,
    Wind,
};
use crate::description::script::Kinematic;
use crate::description::table::Record;
use crate::description::{IndexedColor, Surface};

const THE_BODY: Attribute = Attribute::index("body", Target::Body, "The body.");
const THE_SPRING: Attribute = Attribute::index("spring", Target::BodySpring, "The spring.");

pub(super) const TAGS: &[Tag] = &of(
    SystemKind::RigidBodies,
    [
        Tag::required(
            "rigidbodyintegrator",
            "The method that moves the bodies, and its time step.",
            Integrator::ATTRIBUTES,
            r#"<rigidbodyintegrator type="symplectic-euler" dt="0.001"/>"#,
        ),
        Tag::once(
            "rigidbodycollisionhandling",
            "Detection and response of contact. Without it bodies pass through each other. Bodies meet at touch, under every response but `penalty`; with `--course` they move first, and the velocities of what touches are corrected where they are.",
            CollisionHandling::ATTRIBUTES,
            r#"<rigidbodycollisionhandling detection="all-pairs" response="gr-lcp" mu="0.3"/>"#,
        ),
        Tag::many(
            "rigidbodyvertex",
            "A point mass that bodies are made of. The order in the file is its index. Bodies may share it.",
            Vertex::ATTRIBUTES,
            r#"<rigidbodyvertex x="0.0" y="0.0" m="1.0"/>"#,
        ),
        Tag::many(
            "rigidbody",
            "A rigid body: the closed outline through its vertices, thick by its radius and hollow inside. All its mass is in the vertices, unless it is `solid`. The order in the file, together with that of `rigidbodydisc`, is its index. Two neighbours of the outline must not lie at the same point.",
            OUTLINED,
            r#"<rigidbody p="0" p="1" p="2" vx="1.0" vy="0.0" omega="0.5" r="0.1"/>"#,
        ),
        Tag::many(
            "rigidbodydisc",
            "A uniform disc. Not in the course. Its weight is given by `m` or by `density`, one of them. The order in the file, together with that of `rigidbody`, is its index.",
            DISC,
            r#"<rigidbodydisc x="0.0" y="3.0" radius="0.5" m="1.0" vx="1.0"/>"#,
        ),
        Tag::many(
            "rigidbodyhalfplane",
            "Everything behind a line: a floor or a wall. Not in the course. It is fixed, unless a script moves it. The order in the file, together with that of `rigidbody` and `rigidbodydisc`, is its index.",
            HALF_PLANE,
            r#"<rigidbodyhalfplane y="0.0" ny="1.0"/>"#,
        ),
        Tag::many(
            "rigidbodyscript",
            "Where a body is at a time, from where it starts. Not in the course. A body with such keys goes from key to key in straight lines at constant speed, from its start at time 0, and rests after the last; it pushes others and is pushed by nothing. The keys of a body stand in the order of time.",
            Key::ATTRIBUTES,
            r#"<rigidbodyscript body="0" t="2.0" x="1.5" y="0.0" theta="0.0"/>"#,
        ),
        Tag::many(
            "rigidbodyuniformmotion",
            "A body that moves at constant speed, whatever it meets. Not in the course. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
            Path::UNIFORM,
            r#"<rigidbodyuniformmotion body="0" vx="0.0" vy="0.0" omega="-1.0"/>"#,
        ),
        Tag::many(
            "rigidbodyoscillation",
            "A body that goes to and fro, whatever it meets: from where it starts by its amplitudes times sin(`rate` t + `phase`) − sin(`phase`). Not in the course. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
            Path::OSCILLATION,
            r#"<rigidbodyoscillation body="0" x="0.5" rate="6.28"/>"#,
        ),
        Tag::many(
            "rigidbodygravityforce",
            "The same acceleration for every body.",
            &GRAVITY,
            r#"<rigidbodygravityforce fx="0.0" fy="-9.81"/>"#,
        ),
        Tag::many(
            "rigidbodyspringforce",
            "A spring between two bodies, or between a body and a point of the plane. An end is given by a body and an offset from its centre of mass in body axes, or by −1 and a point of the plane. With a rest length above 0 the ends must not start at the same point.",
            Spring::ATTRIBUTES,
            r#"<rigidbodyspringforce i="-1" pix="0.0" piy="2.0" j="0" pjx="0.0" pjy="0.5" k="20.0" l0="1.0"/>"#,
        ),
        Tag::many(
            "rigidbodywindforce",
            "Wind on the outlines of all bodies, from both sides.",
            Wind::ATTRIBUTES,
            r#"<rigidbodywindforce beta="1.0" fx="0.5" fy="0.0" pointsperedge="2"/>"#,
        ),
        Tag::many(
            "rigidbodydragforce",
            "Resistance of a still medium: a force against the velocity and a torque against the turning of every body. Not in the course.",
            Drag::ATTRIBUTES,
            r#"<rigidbodydragforce b="0.1" angular="0.01"/>"#,
        ),
        Tag::many(
            "rigidbodytimedforce",
            TIMED,
            TimedForce::ATTRIBUTES,
            r#"<rigidbodytimedforce body="0" fx="1.0" rate="6.28" until="2.0"/>"#,
        ),
        Tag::many(
            "rigidbodysurface",
            Surface::MEANING,
            &Surface::attributes(THE_BODY),
            r#"<rigidbodysurface body="0" COR="0.9" mu="0.2" group="1" ignores="1"/>"#,
        ),
        Tag::many(
            "rigidbodycolor",
            "The colour of one body. Without it a body is black, a fixed one dark red. The last one given to a body counts.",
            &IndexedColor::attributes(THE_BODY),
            r#"<rigidbodycolor body="0" r="0.1" g="0.4" b="0.8"/>"#,
        ),
        Tag::many(
            "rigidbodyspringcolor",
            "The colour of one spring between bodies. The last one given to a spring counts.",
            &IndexedColor::attributes(THE_SPRING),
            r#"<rigidbodyspringcolor spring="0" r="0.5" g="0.5" b="0.5"/>"#,
        ),
    ],
);
