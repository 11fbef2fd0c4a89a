//! `collision` and `collisiondetection`.

use crate::description::table::{Named, names};
use crate::reader::{Element, Fields, Reader};
use crate::schema::{Attribute, Choice, Kind, Limit};
use crate::writer::Writer;

/// How collisions are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Collision {
    /// Which method, with what only it uses.
    pub response: Response,
    /// Newtonian coefficient of restitution, `COR`.
    pub restitution: f64,
    /// Coulomb's coefficient of friction, `mu`.
    pub friction: f64,
}

/// The methods of `collision type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Response {
    /// `none`: things pass through each other.
    None,
    /// `simple`: impulses after the step, pair by pair.
    Simple,
    /// `penalty`: springs push what is too near apart.
    Penalty(Penalty),
    /// `continuous-time`: impulses at the first time of contact within the step.
    ContinuousTime,
    /// `hybrid`: penalty, then impulses, then impact zones.
    Hybrid {
        /// The repulsion that is always there.
        penalty: Penalty,
        /// Most passes of impulses before impact zones.
        max_iterations: u32,
    },
    /// `back-up`: contacts at their time, one after the other.
    BackUp {
        /// Most events in a step.
        max_events: u32,
    },
    /// `simultaneous`: impulses at the mean velocity, repeated until nothing touches.
    Simultaneous {
        /// Most passes.
        max_iterations: u32,
    },
    /// `elastic`: elastic impacts first, inelastic ones for what is left.
    Elastic {
        /// Most passes of the inelastic law.
        max_iterations: u32,
    },
    /// `lcp`: all contacts at once, by a complementarity problem.
    Lcp,
    /// `velocity-projection`: all contacts at once, by projecting the velocity.
    VelocityProjection,
    /// `gr-lcp`: Generalized Reflection over `lcp`.
    ReflectionLcp,
    /// `gr-velocity-projection`: Generalized Reflection over `velocity-projection`.
    ReflectionVelocityProjection,
}

names! {
    Response {
        Response::None => Choice::new("none", "things pass through each other"),
        Response::Simple => Choice::new("simple", "impulses after the step, pair by pair"),
        Response::Penalty(Penalty { stiffness: 100.0, thickness: 0.01 }) =>
            Choice::new("penalty", "springs push apart what is too near"),
        Response::ContinuousTime =>
            Choice::new("continuous-time", "impulses at the first time of contact within the step"),
        Response::Hybrid { penalty: Penalty { stiffness: 10.0, thickness: 0.1 }, max_iterations: 10 } =>
            Choice::new("hybrid", "penalty, then impulses, then impact zones"),
        Response::BackUp { max_events: 200 } => Choice::ours(
            "back-up",
            "contacts at their time, one after the other, each followed by the rest of the step",
        ),
        Response::Simultaneous { max_iterations: 10 } => Choice::ours(
            "simultaneous",
            "impulses at the mean velocity, repeated until nothing touches on the way",
        ),
        Response::Elastic { max_iterations: 10 } => Choice::ours(
            "elastic",
            "elastic impacts on the velocities before the step, then inelastic ones for what still touches",
        ),
        Response::Lcp =>
            Choice::ours("lcp", "all contacts at once, by a complementarity problem; positions stay"),
        Response::VelocityProjection =>
            Choice::ours("velocity-projection", "the same answer as `lcp`, by projecting the velocity"),
        Response::ReflectionLcp =>
            Choice::ours("gr-lcp", "Generalized Reflection over `lcp`: shocks travel through what touches"),
        Response::ReflectionVelocityProjection => Choice::ours(
            "gr-velocity-projection",
            "Generalized Reflection over `velocity-projection`",
        ),
    }
}

/// The spring that pushes what is nearer than its thickness apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penalty {
    /// Stiffness k.
    pub stiffness: f64,
    /// Distance beyond the radii at which it begins.
    pub thickness: f64,
}

/// The values of `collisiondetection type=`. None of them changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Detection {
    /// `allpairs`.
    AllPairs,
    /// `contest`: the fastest broad phase we have.
    Contest,
}

names! {
    Detection {
        Detection::AllPairs => Choice::new("allpairs", "every pair is tested"),
        Detection::Contest =>
            Choice::new("contest", "the fastest broad phase there is; results do not change"),
    }
}

impl Detection {
    pub(crate) const ATTRIBUTES: &'static [Attribute] =
        &[Attribute::required("type", Kind::Choice(Detection::CHOICES), "", "Method.").or("allpairs")];
}

/// Attributes of `collision` that a type does not use.
pub(crate) fn unused_collision_attributes(kind: &str) -> &'static [&'static str] {
    match kind {
        "hybrid" => &["maxevents"],
        "penalty" => &["maxiters", "maxevents", "mu"],
        "simultaneous" | "elastic" => &["k", "thickness", "maxevents"],
        "back-up" => &["k", "thickness", "maxiters"],
        _ => &["k", "thickness", "maxiters", "maxevents"],
    }
}

impl Collision {
    pub(crate) const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::required("type", Kind::Choice(Response::CHOICES), "", "Method."),
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
    ];

    pub(crate) fn read(reader: &mut Reader<'_>, element: Element) -> Collision {
        let fields = reader.fields(element);
        let kind = fields.choice("type");
        let mut response = Response::named(kind);
        match &mut response {
            Response::Penalty(penalty) => penalty.read(&fields),
            Response::Hybrid { penalty, max_iterations } => {
                penalty.read(&fields);
                *max_iterations = fields.count("maxiters");
            }
            Response::BackUp { max_events } => *max_events = fields.count("maxevents"),
            Response::Simultaneous { max_iterations } | Response::Elastic { max_iterations } => {
                *max_iterations = fields.count("maxiters");
            }
            _ => {}
        }
        if !kind.is_empty() {
            reader.unused_attributes("collision", &fields, unused_collision_attributes(kind), kind);
        }
        let friction = if reader.options.course { 0.0 } else { fields.real("mu") };
        Collision { response, restitution: fields.real("COR"), friction }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        // What holds without the tag needs no tag.
        if *self == Collision::NONE {
            return;
        }
        let mut element =
            writer.element("collision").text("type", self.response.name()).real("COR", self.restitution);
        if self.friction != 0.0 {
            element = element.real("mu", self.friction);
        }
        match self.response {
            Response::None
            | Response::Simple
            | Response::ContinuousTime
            | Response::Lcp
            | Response::VelocityProjection
            | Response::ReflectionLcp
            | Response::ReflectionVelocityProjection => element.end(),
            Response::BackUp { max_events } => element.index("maxevents", max_events).end(),
            Response::Simultaneous { max_iterations } | Response::Elastic { max_iterations } => {
                element.index("maxiters", max_iterations).end();
            }
            Response::Penalty(Penalty { stiffness, thickness }) => {
                element.real("k", stiffness).real("thickness", thickness).end();
            }
            Response::Hybrid { penalty, max_iterations } => {
                let element = element.real("k", penalty.stiffness).real("thickness", penalty.thickness);
                element.index("maxiters", max_iterations).end();
            }
        }
    }

    /// What holds without the tag.
    pub(crate) const NONE: Collision =
        Collision { response: Response::None, restitution: 1.0, friction: 0.0 };
}

impl Penalty {
    /// What is given; each type has defaults of its own.
    fn read(&mut self, fields: &Fields) {
        self.stiffness = fields.optional_real("k").unwrap_or(self.stiffness);
        self.thickness = fields.optional_real("thickness").unwrap_or(self.thickness);
    }
}
