//! Tags of particle systems.

use super::{
    Attribute, Choice, FRICTION, Kind, Limit, Occurs, RESTITUTION, SURFACE, SystemKind, TIMED, Tag, Target,
};
use crate::description::GROUPS;

const METHODS: &[Choice] = &[
    Choice::new("explicit-euler", "position and velocity from the old state"),
    Choice::new("forward-backward-euler", "velocity first, then position with the new velocity"),
    Choice::new("symplectic-euler", "another name of `forward-backward-euler`"),
    Choice::new("linearized-implicit-euler", "one Newton step of implicit Euler"),
    Choice::new("implicit-euler", "implicit Euler, solved by Newton's method"),
    Choice::ours("velocity-verlet", "second order, symplectic for forces of position"),
    Choice::ours("rk4", "the classic Runge–Kutta method of fourth order"),
    Choice::ours("dormand-prince", "embedded pair of order 5(4) that chooses its own steps inside `dt`"),
];

const RESPONSES: &[Choice] = &[
    Choice::new("none", "things pass through each other"),
    Choice::new("simple", "impulses after the step, pair by pair"),
    Choice::new("penalty", "springs push apart what is too near"),
    Choice::new("continuous-time", "impulses at the first time of contact within the step"),
    Choice::new("hybrid", "penalty, then impulses, then impact zones"),
    Choice::ours(
        "back-up",
        "contacts at their time, one after the other, each followed by the rest of the step",
    ),
    Choice::ours("simultaneous", "impulses at the mean velocity, repeated until nothing touches on the way"),
    Choice::ours(
        "elastic",
        "elastic impacts on the velocities before the step, then inelastic ones for what still touches",
    ),
    Choice::ours("lcp", "all contacts at once, by a complementarity problem; positions stay"),
    Choice::ours("velocity-projection", "the same answer as `lcp`, by projecting the velocity"),
    Choice::ours("gr-lcp", "Generalized Reflection over `lcp`: shocks travel through what touches"),
    Choice::ours("gr-velocity-projection", "Generalized Reflection over `velocity-projection`"),
];

const DETECTIONS: &[Choice] = &[
    Choice::new("allpairs", "every pair is tested"),
    Choice::new("contest", "the fastest broad phase there is; results do not change"),
];

const fn many(
    name: &'static str,
    meaning: &'static str,
    attributes: &'static [Attribute],
    example: &'static str,
) -> Tag {
    Tag { name, meaning, occurs: Occurs::Many, system: SystemKind::Particles, attributes, example }
}

const fn once(
    name: &'static str,
    meaning: &'static str,
    attributes: &'static [Attribute],
    example: &'static str,
) -> Tag {
    Tag { name, meaning, occurs: Occurs::Optional, system: SystemKind::Particles, attributes, example }
}

const fn radius(default: &'static str, meaning: &'static str) -> Attribute {
    Attribute::required("radius", Kind::Real(Limit::NotNegative), "m", meaning)
        .or(default)
        .unchecked_by_course()
}

pub(super) const TAGS: &[Tag] = &[
    Tag {
        name: "integrator",
        meaning: "The method that moves the particles, and its time step.",
        occurs: Occurs::Required,
        system: SystemKind::Particles,
        attributes: &[
            Attribute::required("type", Kind::Choice(METHODS), "", "Method."),
            Attribute::required("dt", Kind::Real(Limit::Positive), "s", "Time step.").unchecked_by_course(),
            Attribute::required(
                "rtol",
                Kind::Real(Limit::NotNegative),
                "",
                "Relative error allowed in a step. Only for `dormand-prince`.",
            )
            .or("1e-9"),
            Attribute::required(
                "atol",
                Kind::Real(Limit::Positive),
                "",
                "Absolute error allowed in a step. Only for `dormand-prince`.",
            )
            .or("1e-12"),
        ],
        example: r#"<integrator type="implicit-euler" dt="0.01"/>"#,
    },
    many(
        "particle",
        "A disc with mass. The order in the file is its index, from 0.",
        &[
            Attribute::required("m", Kind::Real(Limit::Positive), "kg", "Mass, of fixed particles too.")
                .unchecked_by_course(),
            Attribute::real("px", "m", "Position at the start."),
            Attribute::real("py", "m", "Position at the start."),
            Attribute::real("vx", "m/s", "Velocity at the start."),
            Attribute::real("vy", "m/s", "Velocity at the start."),
            Attribute::required(
                "fixed",
                Kind::Flag,
                "",
                "1: no force moves it; with a velocity it moves along at that velocity.",
            ),
            radius("0.1", "Radius of the disc."),
            Attribute::required("tag", Kind::Text, "", "A free label.").optional("no label"),
        ],
        r#"<particle m="1.0" px="0.0" py="0.5" vx="1.0" vy="0.0" fixed="0" radius="0.1"/>"#,
    ),
    many(
        "edge",
        "A straight segment between two different particles, thick by its radius. The order in the file is its index.",
        &[
            Attribute::index("i", Target::Particle, "First end."),
            Attribute::index("j", Target::Particle, "Second end."),
            radius("0.015", "Half of its thickness."),
        ],
        r#"<edge i="0" j="1" radius="0.05"/>"#,
    ),
    many(
        "halfplane",
        "An obstacle that nothing pushes: all points x with (x − p) · n ≤ 0. Particles stay on the side that the normal points to. The normal must not be zero.",
        &[
            Attribute::real("px", "m", "A point p of the boundary."),
            Attribute::real("py", "m", "A point p of the boundary."),
            Attribute::real("nx", "", "Outward normal n; its length does not matter, from 1e-150 to 1e150."),
            Attribute::real("ny", "", "Outward normal n; its length does not matter, from 1e-150 to 1e150."),
            Attribute::real("vx", "m/s", "Prescribed velocity. Without effect in course mode.").or("0.0"),
            Attribute::real("vy", "m/s", "Prescribed velocity. Without effect in course mode.").or("0.0"),
        ],
        r#"<halfplane px="0.0" py="-1.0" nx="0.0" ny="1.0"/>"#,
    ),
    many(
        "springforce",
        "A spring along an edge, with damping along its direction. Its ends must not start at the same point.",
        &[
            Attribute::index("edge", Target::Edge, "The edge that it follows."),
            Attribute::real("k", "N/m", "Stiffness."),
            Attribute::required("l0", Kind::Real(Limit::NotNegative), "m", "Rest length.")
                .unchecked_by_course(),
            Attribute::real("b", "N·s/m", "Damping.").or("0.0"),
        ],
        r#"<springforce edge="0" k="100.0" l0="1.0" b="0.2"/>"#,
    ),
    many(
        "simplegravity",
        "The same acceleration for every particle.",
        &[Attribute::real("fx", "m/s²", "Acceleration."), Attribute::real("fy", "m/s²", "Acceleration.")],
        r#"<simplegravity fx="0.0" fy="-9.81"/>"#,
    ),
    many(
        "gravitationalforce",
        "Newton's gravitation between two different particles, which must not start at the same point.",
        &[
            Attribute::index("i", Target::Particle, "First particle."),
            Attribute::index("j", Target::Particle, "Second particle."),
            Attribute::real("G", "N·m²/kg²", "Constant of gravitation."),
        ],
        r#"<gravitationalforce i="0" j="1" G="0.000118419"/>"#,
    ),
    many(
        "constantforce",
        "The same force on every particle, whatever its mass.",
        &[Attribute::real("fx", "N", "Force."), Attribute::real("fy", "N", "Force.")],
        r#"<constantforce fx="0.5" fy="0.0"/>"#,
    ),
    many(
        "dragdamping",
        "Drag on every particle: the force −b v.",
        &[Attribute::real("b", "N·s/m", "Coefficient of drag.")],
        r#"<dragdamping b="0.1"/>"#,
    ),
    many(
        "timedforce",
        TIMED,
        &[
            Attribute::index("i", Target::Particle, "The particle.").ours(),
            Attribute::real("fx", "N", "Amplitude of the force.").or("0.0").ours(),
            Attribute::real("fy", "N", "Amplitude of the force.").or("0.0").ours(),
            Attribute::real("rate", "rad/s", "Angular frequency; 0 for a steady force.").or("0.0").ours(),
            Attribute::real("phase", "rad", "Phase at time 0.").or("0.0").ours(),
            Attribute::required("from", Kind::Real(Limit::NotNegative), "s", "When it begins.").or("0.0").ours(),
            Attribute::required("until", Kind::Real(Limit::NotNegative), "s", "When it ends.").optional("never").ours(),
        ],
        r#"<timedforce i="0" fx="1.0" rate="6.28" until="2.0"/>"#,
    ),
    many(
        "particlesurface",
        SURFACE,
        &[
            Attribute::index("i", Target::Particle, "The particle.").ours(),
            Attribute::required("COR", Kind::Real(Limit::Unit), "", RESTITUTION).optional("that of the scene").ours(),
            Attribute::required("mu", Kind::Real(Limit::NotNegative), "", FRICTION).optional("that of the scene").ours(),
            Attribute::required("group", Kind::Integer(0, GROUPS - 1), "", "The group that it is in.").or("0").ours(),
            Attribute::required("ignores", Kind::Integer(0, GROUPS - 1), "", "A group that it passes through; may be repeated.")
                .repeated(0)
                .ours(),
        ],
        r#"<particlesurface i="0" COR="0.9" group="1" ignores="1"/>"#,
    ),
    many(
        "vortexforce",
        "The course's vortex force between two different particles, which must not start at the same point. The course's program cannot combine it with an implicit method.",
        &[
            Attribute::index("i", Target::Particle, "First particle."),
            Attribute::index("j", Target::Particle, "Second particle."),
            Attribute::real("kbs", "", "Biot–Savart coefficient: how fast the pair swirls."),
            Attribute::real("kvc", "", "Viscosity coefficient: how strongly it is pulled to that swirl."),
        ],
        r#"<vortexforce i="0" j="1" kbs="0.8" kvc="1000.0"/>"#,
    ),
    once(
        "collision",
        "How collisions are answered. Without it nothing collides.",
        &[
            Attribute::required("type", Kind::Choice(RESPONSES), "", "Method."),
            Attribute::required(
                "COR",
                Kind::Real(Limit::Unit),
                "",
                "Newton's coefficient of restitution: 1 keeps all energy, 0 none along the normal.",
            )
            .or("1.0")
            .unchecked_by_course(),
            Attribute::required(
                "k",
                Kind::Real(Limit::NotNegative),
                "N/m",
                "Stiffness of the repulsion. Only for `penalty` and `hybrid`.",
            )
            .optional("100 with `penalty`, 10 with `hybrid`")
            .unchecked_by_course(),
            Attribute::required(
                "thickness",
                Kind::Real(Limit::NotNegative),
                "m",
                "Distance beyond the radii at which the repulsion begins. Only for `penalty` and `hybrid`.",
            )
            .optional("0.01 with `penalty`, 0.1 with `hybrid`")
            .unchecked_by_course(),
            Attribute::required(
                "maxiters",
                Kind::Count,
                "",
                "Most passes of impulses before impact zones or failsafes. Only for `hybrid`, `simultaneous` and `elastic`.",
            )
            .or("10")
            .unchecked_by_course(),
            Attribute::required(
                "maxevents",
                Kind::Count,
                "",
                "Most contacts in a step before failsafes. Only for `back-up`.",
            )
            .or("200")
            .unchecked_by_course(),
            Attribute::required(
                "mu",
                Kind::Real(Limit::NotNegative),
                "",
                "Coulomb's coefficient of friction, in every method but `penalty`. Without effect in course mode.",
            )
            .or("0.0")
            .unchecked_by_course(),
        ],
        r#"<collision type="simple" COR="0.8"/>"#,
    ),
    once(
        "collisiondetection",
        "How pairs that may touch are found. It changes the speed of a run, never its results.",
        &[Attribute::required("type", Kind::Choice(DETECTIONS), "", "Method.").or("allpairs")],
        r#"<collisiondetection type="contest"/>"#,
    ),
    many(
        "particlecolor",
        "The colour of one particle. The last one given to a particle counts.",
        &[
            Attribute::index("i", Target::Particle, "The particle."),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<particlecolor i="0" r="0.8" g="0.1" b="0.1"/>"#,
    ),
    many(
        "edgecolor",
        "The colour of one edge. The last one given to an edge counts.",
        &[
            Attribute::index("i", Target::Edge, "The edge."),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<edgecolor i="0" r="0.1" g="0.1" b="0.8"/>"#,
    ),
    many(
        "halfplanecolor",
        "The colour of one half-plane. The last one given to a half-plane counts.",
        &[
            Attribute::index("i", Target::HalfPlane, "The half-plane."),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<halfplanecolor i="0" r="0.2" g="0.6" b="0.2"/>"#,
    ),
    many(
        "particlepath",
        "A trail behind one particle.",
        &[
            Attribute::index("i", Target::Particle, "The particle."),
            Attribute::required(
                "duration",
                Kind::Real(Limit::NotNegative),
                "s",
                "How much of its past is shown.",
            ),
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        r#"<particlepath i="0" duration="2.0" r="0.8" g="0.1" b="0.1"/>"#,
    ),
];
