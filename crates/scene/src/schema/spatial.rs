//! Tags of spatial rigid bodies. The course has none of them. Their attributes stand with their
//! descriptions.

use super::{Attribute, SystemKind, Tag, Target, of};
use crate::description::force::{SPATIAL_GRAVITY, TIMED};
use crate::description::script::Kinematic;
use crate::description::spatial::{
    BOX, Camera, CollisionHandling, Drag, HALF_SPACE, INERTIA, Integrator, Key, OUTPUT, POLYHEDRON, Path,
    Push, SPHERE, Spring, TimedForce, VERTEX,
};
use crate::description::table::Record;
use crate::description::{IndexedColor, Surface};

const THE_BODY: Attribute = Attribute::index("body", Target::SpatialBody, "The body.").ours();
const THE_SPRING: Attribute = Attribute::index("spring", Target::SpatialSpring, "The spring.").ours();

pub(super) const TAGS: &[Tag] = &of(
    SystemKind::SpatialBodies,
    [
        Tag::required(
            "rigidbody3dintegrator",
            "The method that moves the bodies, its time step, and how orientations are kept.",
            Integrator::ATTRIBUTES,
            r#"<rigidbody3dintegrator type="lie-midpoint" dt="0.01" orientation="quaternion"/>"#,
        ),
        Tag::once(
            "rigidbody3dcollisionhandling",
            "Detection and response of contact. Without it bodies pass through each other. Bodies meet at touch, under every response.",
            CollisionHandling::ATTRIBUTES,
            r#"<rigidbody3dcollisionhandling response="lcp" mu="0.3"/>"#,
        ),
        Tag::once(
            "rigidbody3doutput",
            "How many frames a run keeps. Frames are the steps nearest to their times, so they do not depend on the time step; `carom run --every` keeps every so many steps instead.",
            &OUTPUT,
            r#"<rigidbody3doutput fps="60.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dsphere",
            "A full ball. Its weight is given by `m` or by `density`, one of them.",
            SPHERE,
            r#"<rigidbody3dsphere x="0.0" y="0.0" z="1.0" radius="0.5" m="1.0" vx="2.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dbox",
            "A full box. Its weight is given by `m` or by `density`, one of them.",
            BOX,
            r#"<rigidbody3dbox z="1.0" a="1.0" b="0.5" c="0.2" density="1000.0" omegaz="3.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dvertex",
            "A point that polyhedra are made of. The order in the file is its index. Bodies may share it.",
            VERTEX,
            r#"<rigidbody3dvertex x="0.0" y="0.0" z="0.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dpolyhedron",
            "A full convex polyhedron: the hull of vertices, or the solid in an OBJ file, whose mesh must be closed, convex and counter-clockwise seen from outside. The vertices are turned about their origin and then moved to `x`, `y`, `z`, so that without these they stand where the file says. Its weight is given by `m` or by `density`, one of them.",
            POLYHEDRON,
            r#"<rigidbody3dpolyhedron p="0" p="1" p="2" p="3" z="2.0" density="500.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dhalfspace",
            "Everything behind a plane: a floor or a wall. It is fixed, or follows a script.",
            HALF_SPACE,
            r#"<rigidbody3dhalfspace z="0.0" nz="1.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dinertia",
            "The inertia of a body about its centre of mass, before it is turned. The body must have `m`. Without it mass is spread evenly. Its three moments about the main axes must be above 0; whether a real body could have them is not asked. The last one given to a body counts.",
            INERTIA,
            r#"<rigidbody3dinertia body="0" ixx="0.2" iyy="0.3" izz="0.4"/>"#,
        ),
        Tag::many(
            "rigidbody3dscript",
            "Where a body is at a time, from where it starts. A body with such keys goes from key to key in straight lines at constant speed, from its start at time 0, and rests after the last; it pushes others and is pushed by nothing. The keys of a body stand in the order of time.",
            Key::ATTRIBUTES,
            r#"<rigidbody3dscript body="0" t="2.0" x="1.5" rz="1.57"/>"#,
        ),
        Tag::many(
            "rigidbody3duniformmotion",
            "A body that moves at constant speed about a constant axis, whatever it meets. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
            Path::UNIFORM,
            r#"<rigidbody3duniformmotion body="0" omegaz="2.0"/>"#,
        ),
        Tag::many(
            "rigidbody3doscillation",
            "A body that goes to and fro, whatever it meets: from where it starts by its amplitudes times sin(`rate` t + `phase`) − sin(`phase`). It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
            Path::OSCILLATION,
            r#"<rigidbody3doscillation body="0" z="0.5" rate="6.28"/>"#,
        ),
        Tag::many(
            "rigidbody3dgravityforce",
            "The same acceleration for every body.",
            &SPATIAL_GRAVITY,
            r#"<rigidbody3dgravityforce fz="-9.81"/>"#,
        ),
        Tag::many(
            "rigidbody3dspringforce",
            "A spring between two bodies, or between a body and a point of space. An end is given by a body and an offset from its centre of mass in body axes, or by −1 and a point of space. While its ends are at one point it has no direction and pulls nothing.",
            Spring::ATTRIBUTES,
            r#"<rigidbody3dspringforce i="-1" piz="2.0" j="0" pjz="0.5" k="20.0" l0="1.0"/>"#,
        ),
        Tag::many(
            "rigidbody3ddragforce",
            "Resistance of a still medium: a force against the velocity and a torque against the turning of every body.",
            Drag::ATTRIBUTES,
            r#"<rigidbody3ddragforce b="0.1" angular="0.01"/>"#,
        ),
        Tag::many(
            "rigidbody3dpushforce",
            "A steady force and torque on one body, in world axes. A body that is fixed or follows a script is not moved by it.",
            Push::ATTRIBUTES,
            r#"<rigidbody3dpushforce body="0" fx="1.0" tz="0.5"/>"#,
        ),
        Tag::many(
            "rigidbody3dtimedforce",
            TIMED,
            TimedForce::ATTRIBUTES,
            r#"<rigidbody3dtimedforce body="0" fz="1.0" rate="6.28" until="2.0"/>"#,
        ),
        Tag::many(
            "rigidbody3dsurface",
            Surface::MEANING,
            &Surface::attributes(THE_BODY),
            r#"<rigidbody3dsurface body="0" COR="0.9" mu="0.2" group="1" ignores="1"/>"#,
        ),
        Tag::once(
            "rigidbody3dcamera",
            "From where pictures show the scene. Without it the view is fitted to the scene.",
            Camera::ATTRIBUTES,
            r#"<rigidbody3dcamera x="4.0" y="-6.0" z="3.0" tz="0.5"/>"#,
        ),
        Tag::many(
            "rigidbody3dcolor",
            "The colour of one body. The last one given to a body counts.",
            &IndexedColor::attributes(THE_BODY),
            r#"<rigidbody3dcolor body="0" r="0.1" g="0.4" b="0.8"/>"#,
        ),
        Tag::many(
            "rigidbody3dspringcolor",
            "The colour of one spring between bodies. The last one given to a spring counts.",
            &IndexedColor::attributes(THE_SPRING),
            r#"<rigidbody3dspringcolor spring="0" r="0.5" g="0.5" b="0.5"/>"#,
        ),
    ],
);
