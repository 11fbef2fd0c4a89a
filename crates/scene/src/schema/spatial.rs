//! Tags of spatial rigid bodies. The course has none of them.

use super::rigid::TOLERANCE;
use super::{
    Attribute, Choice, FRICTION, Kind, Limit, Occurs, RESTITUTION, SURFACE, SystemKind, TIMED, Tag, Target,
};
use crate::description::GROUPS;

const METHODS: &[Choice] = &[
    Choice::ours("explicit-euler", "everything from the old state; first order"),
    Choice::ours("symplectic-euler", "momenta first, then free motion with the new momenta; first order"),
    Choice::ours("midpoint", "the explicit midpoint rule; second order"),
    Choice::ours("rk4", "the classical method of Runge and Kutta; fourth order"),
    Choice::ours("dormand-prince", "adaptive, of orders 5 and 4, with steps of its own inside a step"),
    Choice::ours(
        "lie-midpoint",
        "half a push, free motion, half a push; second order; keeps energy and angular momentum of free bodies for as long as one likes",
    ),
];

const ORIENTATIONS: &[Choice] = &[
    Choice::ours("quaternion", "four numbers, normalized after every step"),
    Choice::ours("matrix", "nine numbers, made orthonormal again after every step"),
];

const RESPONSES: &[Choice] = &[
    Choice::ours("lcp", "inelastic, by a linear complementarity problem"),
    Choice::ours("velocity-projection", "inelastic, by a quadratic program"),
    Choice::ours("gr-lcp", "elastic: Generalized Reflection over `lcp`"),
    Choice::ours("gr-velocity-projection", "elastic: Generalized Reflection over `velocity-projection`"),
    Choice::ours(
        "impulse",
        "the lecture's loop: colliding contacts one at a time until none collides; `COR` is 0.5 if left out",
    ),
];

/// A number that is 0 when it is left out.
const fn zero(name: &'static str, unit: &'static str, meaning: &'static str) -> Attribute {
    Attribute::real(name, unit, meaning).or("0.0").ours()
}

const fn number(name: &'static str, limit: Limit, unit: &'static str, meaning: &'static str) -> Attribute {
    Attribute::required(name, Kind::Real(limit), unit, meaning).ours()
}

const fn channel(name: &'static str, meaning: &'static str) -> Attribute {
    Attribute::channel(name, meaning).ours()
}

const fn body(meaning: &'static str) -> Attribute {
    Attribute::index("body", Target::SpatialBody, meaning).ours()
}

const X: Attribute = zero("x", "m", "Centre at the start.");
const Y: Attribute = zero("y", "m", "Centre at the start.");
const Z: Attribute = zero("z", "m", "Centre at the start.");
const RX: Attribute = zero("rx", "rad", "Turn at the start: axis times angle.");
const RY: Attribute = zero("ry", "rad", "Turn at the start: axis times angle.");
const RZ: Attribute = zero("rz", "rad", "Turn at the start: axis times angle.");
const VX: Attribute = zero("vx", "m/s", "Velocity of the centre of mass.");
const VY: Attribute = zero("vy", "m/s", "Velocity of the centre of mass.");
const VZ: Attribute = zero("vz", "m/s", "Velocity of the centre of mass.");
const OMEGA_X: Attribute = zero("omegax", "rad/s", "Angular velocity in world axes.");
const OMEGA_Y: Attribute = zero("omegay", "rad/s", "Angular velocity in world axes.");
const OMEGA_Z: Attribute = zero("omegaz", "rad/s", "Angular velocity in world axes.");
const MASS: Attribute =
    number("m", Limit::Positive, "kg", "Mass, spread evenly unless `rigidbody3dinertia` says otherwise.")
        .optional("by `density`");
const DENSITY: Attribute =
    number("density", Limit::Positive, "kg/m³", "Mass for each unit of volume.").optional("by `m`");
const FIXED: Attribute = Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0").ours();

const fn many(
    name: &'static str,
    meaning: &'static str,
    attributes: &'static [Attribute],
    example: &'static str,
) -> Tag {
    Tag { name, meaning, occurs: Occurs::Many, system: SystemKind::SpatialBodies, attributes, example }
}

const fn once(
    name: &'static str,
    meaning: &'static str,
    attributes: &'static [Attribute],
    example: &'static str,
) -> Tag {
    Tag { name, meaning, occurs: Occurs::Optional, system: SystemKind::SpatialBodies, attributes, example }
}

pub(super) const TAGS: &[Tag] = &[
    Tag {
        occurs: Occurs::Required,
        ..once(
            "rigidbody3dintegrator",
            "The method that moves the bodies, its time step, and how orientations are kept.",
            &[
                Attribute::required("type", Kind::Choice(METHODS), "", "Method.").ours(),
                number("dt", Limit::Positive, "s", "Time step."),
                Attribute::required("orientation", Kind::Choice(ORIENTATIONS), "", "How orientations are kept.")
                    .or("quaternion")
                    .ours(),
                number(
                    "tolerance",
                    Limit::Positive,
                    "",
                    "Error of an own step, absolute for numbers up to 1 and relative above. Only for `dormand-prince`.",
                )
                .or("1e-9"),
            ],
            r#"<rigidbody3dintegrator type="lie-midpoint" dt="0.01" orientation="quaternion"/>"#,
        )
    },
    once(
        "rigidbody3dcollisionhandling",
        "Detection and response of contact. Without it bodies pass through each other. Bodies meet at touch, under every response.",
        &[
            Attribute::required("response", Kind::Choice(RESPONSES), "", "How contacts are answered.").ours(),
            number("COR", Limit::Unit, "", "Coefficient of restitution.")
                .optional("0 for inelastic responses, 1 for elastic ones, 0.5 for `impulse`"),
            number(
                "mu",
                Limit::NotNegative,
                "",
                "Coulomb's coefficient of friction. The cone is round: sliding is opposed in every direction alike.",
            )
            .or("0.0"),
            number("tolerance", Limit::Positive, "m/s", TOLERANCE).optional("to solver precision"),
        ],
        r#"<rigidbody3dcollisionhandling response="lcp" mu="0.3"/>"#,
    ),
    once(
        "rigidbody3doutput",
        "How many frames a run keeps. Frames are the steps nearest to their times, so they do not depend on the time step; `carom run --every` keeps every so many steps instead.",
        &[number("fps", Limit::Positive, "1/s", "Frames in a second of simulated time.").or("24.0")],
        r#"<rigidbody3doutput fps="60.0"/>"#,
    ),
    many(
        "rigidbody3dsphere",
        "A full ball. Its weight is given by `m` or by `density`, one of them.",
        &[
            X,
            Y,
            Z,
            number("radius", Limit::Positive, "m", "Radius."),
            RX,
            RY,
            RZ,
            VX,
            VY,
            VZ,
            OMEGA_X,
            OMEGA_Y,
            OMEGA_Z,
            MASS,
            DENSITY,
            FIXED,
        ],
        r#"<rigidbody3dsphere x="0.0" y="0.0" z="1.0" radius="0.5" m="1.0" vx="2.0"/>"#,
    ),
    many(
        "rigidbody3dbox",
        "A full box. Its weight is given by `m` or by `density`, one of them.",
        &[
            X,
            Y,
            Z,
            number("a", Limit::Positive, "m", "Whole side along x, before it is turned."),
            number("b", Limit::Positive, "m", "Whole side along y."),
            number("c", Limit::Positive, "m", "Whole side along z."),
            RX,
            RY,
            RZ,
            VX,
            VY,
            VZ,
            OMEGA_X,
            OMEGA_Y,
            OMEGA_Z,
            MASS,
            DENSITY,
            FIXED,
        ],
        r#"<rigidbody3dbox z="1.0" a="1.0" b="0.5" c="0.2" density="1000.0" omegaz="3.0"/>"#,
    ),
    many(
        "rigidbody3dvertex",
        "A point that polyhedra are made of. The order in the file is its index. Bodies may share it.",
        &[
            Attribute::real("x", "m", "Position.").ours(),
            Attribute::real("y", "m", "Position.").ours(),
            Attribute::real("z", "m", "Position.").ours(),
        ],
        r#"<rigidbody3dvertex x="0.0" y="0.0" z="0.0"/>"#,
    ),
    many(
        "rigidbody3dpolyhedron",
        "A full convex polyhedron: the hull of vertices, or the solid in an OBJ file, whose mesh must be closed, convex and counter-clockwise seen from outside. The vertices are turned about their origin and then moved to `x`, `y`, `z`, so that without these they stand where the file says. Its weight is given by `m` or by `density`, one of them.",
        &[
            zero("x", "m", "Where the origin of its vertices is at the start."),
            zero("y", "m", "Where the origin of its vertices is at the start."),
            zero("z", "m", "Where the origin of its vertices is at the start."),
            Attribute::index("p", Target::SpatialVertex, "A vertex of it. At least four, or a `file`.")
                .repeated(0)
                .ours(),
            Attribute::required(
                "file",
                Kind::Text,
                "",
                "Name of an OBJ file from the folder of the scene; only programs that can read files take it.",
            )
            .optional("by `p`")
            .ours(),
            RX,
            RY,
            RZ,
            VX,
            VY,
            VZ,
            OMEGA_X,
            OMEGA_Y,
            OMEGA_Z,
            MASS,
            DENSITY,
            FIXED,
        ],
        r#"<rigidbody3dpolyhedron p="0" p="1" p="2" p="3" z="2.0" density="500.0"/>"#,
    ),
    many(
        "rigidbody3dhalfspace",
        "Everything behind a plane: a floor or a wall. It is fixed, or follows a script.",
        &[
            zero("x", "m", "A point of the plane."),
            zero("y", "m", "A point of the plane."),
            zero("z", "m", "A point of the plane."),
            zero("nx", "", "Out of the solid. The length of the normal does not matter, but must not be 0."),
            zero("ny", "", "Out of the solid."),
            zero("nz", "", "Out of the solid."),
        ],
        r#"<rigidbody3dhalfspace z="0.0" nz="1.0"/>"#,
    ),
    many(
        "rigidbody3dinertia",
        "The inertia of a body about its centre of mass, before it is turned. The body must have `m`. Without it mass is spread evenly. Its three moments about the main axes must be above 0; whether a real body could have them is not asked. The last one given to a body counts.",
        &[
            body("The body; not a half-space."),
            number("ixx", Limit::Positive, "kg m²", "Moment about the x axis."),
            number("iyy", Limit::Positive, "kg m²", "Moment about the y axis."),
            number("izz", Limit::Positive, "kg m²", "Moment about the z axis."),
            zero("ixy", "kg m²", "Entry of the matrix: minus the product of inertia."),
            zero("iyz", "kg m²", "Entry of the matrix."),
            zero("izx", "kg m²", "Entry of the matrix."),
        ],
        r#"<rigidbody3dinertia body="0" ixx="0.2" iyy="0.3" izz="0.4"/>"#,
    ),
    many(
        "rigidbody3dscript",
        "Where a body is at a time, from where it starts. A body with such keys goes from key to key in straight lines at constant speed, from its start at time 0, and rests after the last; it pushes others and is pushed by nothing. The keys of a body stand in the order of time.",
        &[
            body("The body; it must not be fixed."),
            number("t", Limit::Positive, "s", "Time since the start."),
            zero("x", "m", "Displacement of its centre of mass from the start."),
            zero("y", "m", "Displacement of its centre of mass from the start."),
            zero("z", "m", "Displacement of its centre of mass from the start."),
            zero("rx", "rad", "Turn from the start: axis times angle, in world axes."),
            zero("ry", "rad", "Turn from the start: axis times angle, in world axes."),
            zero("rz", "rad", "Turn from the start: axis times angle, in world axes."),
        ],
        r#"<rigidbody3dscript body="0" t="2.0" x="1.5" rz="1.57"/>"#,
    ),
    many(
        "rigidbody3duniformmotion",
        "A body that moves at constant speed about a constant axis, whatever it meets. It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
        &[
            body("The body; it must not be fixed and must have no other script."),
            zero("vx", "m/s", "Velocity of its centre of mass."),
            zero("vy", "m/s", "Velocity of its centre of mass."),
            zero("vz", "m/s", "Velocity of its centre of mass."),
            OMEGA_X,
            OMEGA_Y,
            OMEGA_Z,
        ],
        r#"<rigidbody3duniformmotion body="0" omegaz="2.0"/>"#,
    ),
    many(
        "rigidbody3doscillation",
        "A body that goes to and fro, whatever it meets: from where it starts by its amplitudes times sin(`rate` t + `phase`) − sin(`phase`). It pushes others and is pushed by nothing; the velocity in its own tag does not count.",
        &[
            body("The body; it must not be fixed and must have no other script."),
            zero("x", "m", "Amplitude of its centre of mass."),
            zero("y", "m", "Amplitude of its centre of mass."),
            zero("z", "m", "Amplitude of its centre of mass."),
            zero("rx", "rad", "Amplitude of its turn: axis times angle, in world axes."),
            zero("ry", "rad", "Amplitude of its turn: axis times angle, in world axes."),
            zero("rz", "rad", "Amplitude of its turn: axis times angle, in world axes."),
            number("rate", Limit::Finite, "rad/s", "Angular frequency."),
            zero("phase", "rad", "Phase at the start."),
        ],
        r#"<rigidbody3doscillation body="0" z="0.5" rate="6.28"/>"#,
    ),
    many(
        "rigidbody3dgravityforce",
        "The same acceleration for every body.",
        &[
            zero("fx", "m/s²", "Acceleration."),
            zero("fy", "m/s²", "Acceleration."),
            zero("fz", "m/s²", "Acceleration."),
        ],
        r#"<rigidbody3dgravityforce fz="-9.81"/>"#,
    ),
    many(
        "rigidbody3dspringforce",
        "A spring between two bodies, or between a body and a point of space. An end is given by a body and an offset from its centre of mass in body axes, or by −1 and a point of space. While its ends are at one point it has no direction and pulls nothing.",
        &[
            Attribute::index("i", Target::SpatialBodyOrWorld, "Body at the first end.").ours(),
            zero("pix", "m", "Offset or point of the first end."),
            zero("piy", "m", "Offset or point of the first end."),
            zero("piz", "m", "Offset or point of the first end."),
            Attribute::index("j", Target::SpatialBodyOrWorld, "Body at the second end.").ours(),
            zero("pjx", "m", "Offset or point of the second end."),
            zero("pjy", "m", "Offset or point of the second end."),
            zero("pjz", "m", "Offset or point of the second end."),
            Attribute::real("k", "N/m", "Stiffness.").ours(),
            number("l0", Limit::NotNegative, "m", "Rest length."),
            number("b", Limit::NotNegative, "N·s/m", "Damping along the spring.").or("0.0"),
        ],
        r#"<rigidbody3dspringforce i="-1" piz="2.0" j="0" pjz="0.5" k="20.0" l0="1.0"/>"#,
    ),
    many(
        "rigidbody3ddragforce",
        "Resistance of a still medium: a force against the velocity and a torque against the turning of every body.",
        &[
            number("b", Limit::NotNegative, "kg/s", "Force for each unit of velocity.").or("0.0"),
            number("angular", Limit::NotNegative, "N m s", "Torque for each unit of angular velocity.").or("0.0"),
        ],
        r#"<rigidbody3ddragforce b="0.1" angular="0.01"/>"#,
    ),
    many(
        "rigidbody3dpushforce",
        "A steady force and torque on one body, in world axes. A body that is fixed or follows a script is not moved by it.",
        &[
            body("The body."),
            zero("fx", "N", "Force on its centre of mass."),
            zero("fy", "N", "Force on its centre of mass."),
            zero("fz", "N", "Force on its centre of mass."),
            zero("tx", "N m", "Torque about it."),
            zero("ty", "N m", "Torque about it."),
            zero("tz", "N m", "Torque about it."),
        ],
        r#"<rigidbody3dpushforce body="0" fx="1.0" tz="0.5"/>"#,
    ),
    many(
        "rigidbody3dtimedforce",
        TIMED,
        &[
            body("The body."),
            zero("fx", "N", "Amplitude of the force on its centre of mass."),
            zero("fy", "N", "Amplitude of the force on its centre of mass."),
            zero("fz", "N", "Amplitude of the force on its centre of mass."),
            zero("tx", "N m", "Amplitude of the torque about it, in world axes."),
            zero("ty", "N m", "Amplitude of the torque about it, in world axes."),
            zero("tz", "N m", "Amplitude of the torque about it, in world axes."),
            Attribute::real("rate", "rad/s", "Angular frequency; 0 for a steady force.").or("0.0").ours(),
            Attribute::real("phase", "rad", "Phase at time 0.").or("0.0").ours(),
            Attribute::required("from", Kind::Real(Limit::NotNegative), "s", "When it begins.").or("0.0").ours(),
            Attribute::required("until", Kind::Real(Limit::NotNegative), "s", "When it ends.").optional("never").ours(),
        ],
        r#"<rigidbody3dtimedforce body="0" fz="1.0" rate="6.28" until="2.0"/>"#,
    ),
    many(
        "rigidbody3dsurface",
        SURFACE,
        &[
            body("The body."),
            Attribute::required("COR", Kind::Real(Limit::Unit), "", RESTITUTION).optional("that of the scene").ours(),
            Attribute::required("mu", Kind::Real(Limit::NotNegative), "", FRICTION).optional("that of the scene").ours(),
            Attribute::required("group", Kind::Integer(0, GROUPS - 1), "", "The group that it is in.").or("0").ours(),
            Attribute::required("ignores", Kind::Integer(0, GROUPS - 1), "", "A group that it passes through; may be repeated.")
                .repeated(0)
                .ours(),
        ],
        r#"<rigidbody3dsurface body="0" COR="0.9" mu="0.2" group="1" ignores="1"/>"#,
    ),
    once(
        "rigidbody3dcamera",
        "From where pictures show the scene. Without it the view is fitted to the scene.",
        &[
            Attribute::real("x", "m", "The eye.").ours(),
            Attribute::real("y", "m", "The eye.").ours(),
            Attribute::real("z", "m", "The eye.").ours(),
            zero("tx", "m", "The point in the middle of the picture."),
            zero("ty", "m", "The point in the middle of the picture."),
            zero("tz", "m", "The point in the middle of the picture."),
            zero("ux", "", "What points up in the picture; not along the line of sight."),
            zero("uy", "", "What points up in the picture."),
            Attribute::real("uz", "", "What points up in the picture.").or("1.0").ours(),
            number("fov", Limit::Positive, "degrees", "Angle between the top and the bottom of the picture, below 180.")
                .or("40.0"),
        ],
        r#"<rigidbody3dcamera x="4.0" y="-6.0" z="3.0" tz="0.5"/>"#,
    ),
    many(
        "rigidbody3dcolor",
        "The colour of one body. The last one given to a body counts.",
        &[body("The body."), channel("r", "Red."), channel("g", "Green."), channel("b", "Blue.")],
        r#"<rigidbody3dcolor body="0" r="0.1" g="0.4" b="0.8"/>"#,
    ),
    many(
        "rigidbody3dspringcolor",
        "The colour of one spring between bodies. The last one given to a spring counts.",
        &[
            Attribute::index("spring", Target::SpatialSpring, "The spring.").ours(),
            channel("r", "Red."),
            channel("g", "Green."),
            channel("b", "Blue."),
        ],
        r#"<rigidbody3dspringcolor spring="0" r="0.5" g="0.5" b="0.5"/>"#,
    ),
];
