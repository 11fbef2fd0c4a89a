//! Tags of planar rigid bodies.

use super::{
    Attribute, Choice, FRICTION, Kind, Limit, Occurs, RESTITUTION, SURFACE, SystemKind, TIMED, Tag, Target,
};
use crate::description::GROUPS;

/// Most quadrature points on an edge: more would only slow a run down to a halt.
const MAX_POINTS_PER_EDGE: u32 = 1_000_000;

/// What every motion says of its body.
const ONE_SCRIPT: &str = "The body; it must not be fixed and must have no other script.";

/// What `tolerance` says of a response, in 2D and 3D.
pub(super) const TOLERANCE: &str = "How exactly `lcp` and `velocity-projection` are solved: until no contact's speed is wrong by more than this. Cheaper where hundreds of bodies settle. Overlaps up to this speed times a step are left.";

const METHODS: &[Choice] = &[
    Choice::new("explicit-euler", "position and velocity from the old state"),
    Choice::new("symplectic-euler", "velocity first, then position with the new velocity"),
    Choice::ours("velocity-verlet", "second order, symplectic for forces of position"),
];

const DETECTIONS: &[Choice] =
    &[Choice::new("all-pairs", "every vertex against every edge of every other body")];

const RESPONSES: &[Choice] = &[
    Choice::new("lcp", "inelastic, by a linear complementarity problem"),
    Choice::new("velocity-projection", "inelastic, by a quadratic program"),
    Choice::new("gr-lcp", "elastic: Generalized Reflection over `lcp`"),
    Choice::new("gr-velocity-projection", "elastic: Generalized Reflection over `velocity-projection`"),
    Choice::ours(
        "impulse",
        "one contact after the other, each with its own impulse; `COR` is 0.9 if left out",
    ),
    Choice::ours("penalty", "springs push apart what is nearer than `thickness`"),
];

const fn many(
    name: &'static str,
    meaning: &'static str,
    attributes: &'static [Attribute],
    example: &'static str,
) -> Tag {
    Tag { name, meaning, occurs: Occurs::Many, system: SystemKind::RigidBodies, attributes, example }
}

pub(super) const TAGS: &[Tag] = &[
    Tag {
        name: "rigidbodyintegrator",
        meaning: "The method that moves the bodies, and its time step.",
        occurs: Occurs::Required,
        system: SystemKind::RigidBodies,
        attributes: &[
            Attribute::required("type", Kind::Choice(METHODS), "", "Method."),
            Attribute::required("dt", Kind::Real(Limit::Positive), "s", "Time step.").unchecked_by_course(),
        ],
        example: r#"<rigidbodyintegrator type="symplectic-euler" dt="0.001"/>"#,
    },
    Tag {
        name: "rigidbodycollisionhandling",
        meaning: "Detection and response of contact. Without it bodies pass through each other. Bodies meet at touch, under every response but `penalty`; with `--course` they move first, and the velocities of what touches are mended where they are.",
        occurs: Occurs::Optional,
        system: SystemKind::RigidBodies,
        attributes: &[
            Attribute::required("detection", Kind::Choice(DETECTIONS), "", "How contacts are found."),
            Attribute::required("response", Kind::Choice(RESPONSES), "", "How contacts are answered."),
            Attribute::required("COR", Kind::Real(Limit::Unit), "", "Coefficient of restitution.")
                .optional("0 for inelastic responses, 1 for elastic ones")
                .ours(),
            Attribute::required("mu", Kind::Real(Limit::NotNegative), "", "Coulomb's coefficient of friction.")
                .or("0.0")
                .ours(),
            Attribute::required("tolerance", Kind::Real(Limit::Positive), "m/s", TOLERANCE)
                .optional("to solver precision")
                .ours(),
            Attribute::required("k", Kind::Real(Limit::NotNegative), "N/m", "Stiffness. Only for `penalty`.")
                .or("100.0")
                .ours(),
            Attribute::required("thickness", Kind::Real(Limit::NotNegative), "m", "Reach of the springs. Only for `penalty`.")
                .or("0.01")
                .ours(),
        ],
        example: r#"<rigidbodycollisionhandling detection="all-pairs" response="gr-lcp" mu="0.3"/>"#,
    },
    many(
        "rigidbodyvertex",
        "A point mass that bodies are made of. The order in the file is its index. Bodies may share it.",
        &[
            Attribute::real("x", "m", "Position at the start."),
            Attribute::real("y", "m", "Position at the start."),
            Attribute::required("m", Kind::Real(Limit::Positive), "kg", "Mass.").unchecked_by_course(),
        ],
        r#"<rigidbodyvertex x="0.0" y="0.0" m="1.0"/>"#,
    ),
    many(
        "rigidbody",
        "A rigid body: the closed outline through its vertices, thick by its radius and hollow inside. All its mass is in the vertices, unless it is `solid`. The order in the file, together with that of `rigidbodydisc`, is its index. Two neighbours of the outline must not lie at the same point.",
        &[
            Attribute::index("p", Target::Vertex, "A vertex; the attributes in their order are the outline.")
                .repeated(2),
            Attribute::real("vx", "m/s", "Velocity of the centre of mass."),
            Attribute::real("vy", "m/s", "Velocity of the centre of mass."),
            Attribute::real("omega", "rad/s", "Angular velocity, counter-clockwise positive."),
            Attribute::required(
                "r",
                Kind::Real(Limit::Positive),
                "m",
                "Half of the thickness of the outline.",
            ),
            Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0"),
            Attribute::required(
                "solid",
                Kind::Flag,
                "",
                "1: full inside; its weight is spread over the area, and the masses of its vertices do not count. The outline must not cross itself.",
            )
            .or("0")
            .ours(),
            Attribute::required(
                "density",
                Kind::Real(Limit::Positive),
                "kg/m²",
                "Mass for each unit of area. Only for a `solid` body, which must have it.",
            )
            .optional("vertex masses")
            .ours(),
        ],
        r#"<rigidbody p="0" p="1" p="2" vx="1.0" vy="0.0" omega="0.5" r="0.1"/>"#,
    ),
    many(
        "rigidbodydisc",
        "A uniform disc. Not in the course. Its weight is given by `m` or by `density`, one of them. The order in the file, together with that of `rigidbody`, is its index.",
        &[
            Attribute::real("x", "m", "Centre at the start.").ours(),
            Attribute::real("y", "m", "Centre at the start.").ours(),
            Attribute::required("radius", Kind::Real(Limit::Positive), "m", "Radius.").ours(),
            Attribute::required("m", Kind::Real(Limit::Positive), "kg", "Mass.").optional("by `density`").ours(),
            Attribute::required("density", Kind::Real(Limit::Positive), "kg/m²", "Mass for each unit of area.")
                .optional("by `m`")
                .ours(),
            Attribute::real("vx", "m/s", "Velocity of the centre.").or("0.0").ours(),
            Attribute::real("vy", "m/s", "Velocity of the centre.").or("0.0").ours(),
            Attribute::real("omega", "rad/s", "Angular velocity, counter-clockwise positive.").or("0.0").ours(),
            Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0").ours(),
        ],
        r#"<rigidbodydisc x="0.0" y="3.0" radius="0.5" m="1.0" vx="1.0"/>"#,
    ),
    many(
        "rigidbodyscript",
        "Where a body is at a time, from where it starts. Not in the course. A body with such keys goes from key to key in straight lines at constant speed, from its start at time 0, and rests after the last; it pushes others and is pushed by nothing. The keys of a body stand in the order of time.",
        &[
            Attribute::index("body", Target::Body, "The body; it must not be fixed.").ours(),
            Attribute::required("t", Kind::Real(Limit::Positive), "s", "Time since the start.").ours(),
            Attribute::real("x", "m", "Displacement of its centre of mass from the start.").or("0.0").ours(),
            Attribute::real("y", "m", "Displacement of its centre of mass from the start.").or("0.0").ours(),
            Attribute::real("theta", "rad", "Turn from the start, counter-clockwise positive.").or("0.0").ours(),
        ],
        r#"<rigidbodyscript body="0" t="2.0" x="1.5" y="0.0" theta="0.0"/>"#,
    ),
    many(
        "rigidbodyuniformmotion",
        "A body that moves at constant speed, whatever it meets. Not in the course. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
        &[
            Attribute::index("body", Target::Body, ONE_SCRIPT).ours(),
            Attribute::real("vx", "m/s", "Velocity of its centre of mass.").or("0.0").ours(),
            Attribute::real("vy", "m/s", "Velocity of its centre of mass.").or("0.0").ours(),
            Attribute::real("omega", "rad/s", "Angular velocity, counter-clockwise positive.").or("0.0").ours(),
        ],
        r#"<rigidbodyuniformmotion body="0" vx="0.0" vy="0.0" omega="-1.0"/>"#,
    ),
    many(
        "rigidbodyoscillation",
        "A body that goes to and fro, whatever it meets: from where it starts by its amplitudes times sin(`rate` t + `phase`) − sin(`phase`). Not in the course. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
        &[
            Attribute::index("body", Target::Body, ONE_SCRIPT).ours(),
            Attribute::real("x", "m", "Amplitude of its centre of mass.").or("0.0").ours(),
            Attribute::real("y", "m", "Amplitude of its centre of mass.").or("0.0").ours(),
            Attribute::real("theta", "rad", "Amplitude of its turn, counter-clockwise positive.").or("0.0").ours(),
            Attribute::real("rate", "rad/s", "Angular frequency.").ours(),
            Attribute::real("phase", "rad", "Phase at the start.").or("0.0").ours(),
        ],
        r#"<rigidbodyoscillation body="0" x="0.5" rate="6.28"/>"#,
    ),
    many(
        "rigidbodygravityforce",
        "The same acceleration for every body.",
        &[Attribute::real("fx", "m/s²", "Acceleration."), Attribute::real("fy", "m/s²", "Acceleration.")],
        r#"<rigidbodygravityforce fx="0.0" fy="-9.81"/>"#,
    ),
    many(
        "rigidbodyspringforce",
        "A spring between two bodies, or between a body and a point of the plane. An end is given by a body and an offset from its centre of mass in body axes, or by −1 and a point of the plane. With a rest length above 0 the ends must not start at the same point.",
        &[
            Attribute::index("i", Target::BodyOrWorld, "Body at the first end."),
            Attribute::real("pix", "m", "Offset or point of the first end."),
            Attribute::real("piy", "m", "Offset or point of the first end."),
            Attribute::index("j", Target::BodyOrWorld, "Body at the second end."),
            Attribute::real("pjx", "m", "Offset or point of the second end."),
            Attribute::real("pjy", "m", "Offset or point of the second end."),
            Attribute::real("k", "N/m", "Stiffness."),
            Attribute::required("l0", Kind::Real(Limit::NotNegative), "m", "Rest length.")
                .unchecked_by_course(),
            Attribute::required("b", Kind::Real(Limit::NotNegative), "N·s/m", "Damping along the spring.")
                .or("0.0")
                .ours(),
        ],
        r#"<rigidbodyspringforce i="-1" pix="0.0" piy="2.0" j="0" pjx="0.0" pjy="0.5" k="20.0" l0="1.0"/>"#,
    ),
    many(
        "rigidbodywindforce",
        "Wind on the outlines of all bodies, from both sides.",
        &[
            Attribute::required("beta", Kind::Real(Limit::NotNegative), "N·s/m²", "Coefficient of the wind."),
            Attribute::real("fx", "m/s", "Velocity of the air."),
            Attribute::real("fy", "m/s", "Velocity of the air."),
            Attribute::required(
                "pointsperedge",
                Kind::Integer(2, MAX_POINTS_PER_EDGE),
                "",
                "Quadrature points on an edge.",
            ),
        ],
        r#"<rigidbodywindforce beta="1.0" fx="0.5" fy="0.0" pointsperedge="2"/>"#,
    ),
    many(
        "rigidbodydragforce",
        "Resistance of a still medium: a force against the velocity and a torque against the turning of every body. Not in the course.",
        &[
            Attribute::required("b", Kind::Real(Limit::NotNegative), "kg/s", "Force for each unit of velocity.")
                .or("0.0")
                .ours(),
            Attribute::required("angular", Kind::Real(Limit::NotNegative), "N m s", "Torque for each unit of angular velocity.")
                .or("0.0")
                .ours(),
        ],
        r#"<rigidbodydragforce b="0.1" angular="0.01"/>"#,
    ),
    many(
        "rigidbodytimedforce",
        TIMED,
        &[
            Attribute::index("body", Target::Body, "The body.").ours(),
            Attribute::real("fx", "N", "Amplitude of the force on its centre of mass.").or("0.0").ours(),
            Attribute::real("fy", "N", "Amplitude of the force on its centre of mass.").or("0.0").ours(),
            Attribute::real("torque", "N m", "Amplitude of the torque, counter-clockwise positive.").or("0.0").ours(),
            Attribute::real("rate", "rad/s", "Angular frequency; 0 for a steady force.").or("0.0").ours(),
            Attribute::real("phase", "rad", "Phase at time 0.").or("0.0").ours(),
            Attribute::required("from", Kind::Real(Limit::NotNegative), "s", "When it begins.").or("0.0").ours(),
            Attribute::required("until", Kind::Real(Limit::NotNegative), "s", "When it ends.").optional("never").ours(),
        ],
        r#"<rigidbodytimedforce body="0" fx="1.0" rate="6.28" until="2.0"/>"#,
    ),
    many(
        "rigidbodysurface",
        SURFACE,
        &[
            Attribute::index("body", Target::Body, "The body.").ours(),
            Attribute::required("COR", Kind::Real(Limit::Unit), "", RESTITUTION).optional("that of the scene").ours(),
            Attribute::required("mu", Kind::Real(Limit::NotNegative), "", FRICTION).optional("that of the scene").ours(),
            Attribute::required("group", Kind::Integer(0, GROUPS - 1), "", "The group that it is in.").or("0").ours(),
            Attribute::required("ignores", Kind::Integer(0, GROUPS - 1), "", "A group that it passes through; may be repeated.")
                .repeated(0)
                .ours(),
        ],
        r#"<rigidbodysurface body="0" COR="0.9" mu="0.2" group="1" ignores="1"/>"#,
    ),
    many(
        "rigidbodycolor",
        "The colour of one body. Without it a body is black, a fixed one dark red. The last one given to a body counts.",
        &[
            Attribute::index("body", Target::Body, "The body."),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<rigidbodycolor body="0" r="0.1" g="0.4" b="0.8"/>"#,
    ),
    many(
        "rigidbodyspringcolor",
        "The colour of one spring between bodies. The last one given to a spring counts.",
        &[
            Attribute::index("spring", Target::BodySpring, "The spring."),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<rigidbodyspringcolor spring="0" r="0.5" g="0.5" b="0.5"/>"#,
    ),
];
