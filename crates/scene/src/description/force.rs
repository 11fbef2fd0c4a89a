//! Forces on bodies, in two and three dimensions: each is described once, with a table for each
//! family.

use super::table::{Value, attributes};
use crate::reader::Fields;
use crate::schema::{Attribute, Limit, Target};
use crate::writer::ElementWriter;

/// One end of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor<P> {
    /// A point of the world.
    World(P),
    /// A point of a body, from its centre of mass, in body axes.
    Body {
        /// Which body.
        body: usize,
        /// Offset in body axes.
        offset: P,
    },
}

impl<P> Anchor<P> {
    /// The body that it is fastened to.
    pub(crate) fn body_mut(&mut self) -> Option<&mut usize> {
        match self {
            Anchor::World(_) => None,
            Anchor::Body { body, .. } => Some(body),
        }
    }
}

/// The body or −1, then the point.
impl<P: Value> Value for Anchor<P> {
    fn read(fields: &mut Fields, attributes: &[Attribute]) -> Self {
        let (body, offset) = (attributes[0].name, P::read(fields, &attributes[1..]));
        match fields.integer(body) {
            -1 => Anchor::World(offset),
            _ => Anchor::Body { body: fields.index(body), offset },
        }
    }

    fn write<'a>(&self, element: ElementWriter<'a>, attributes: &[Attribute]) -> ElementWriter<'a> {
        let name = attributes[0].name;
        match self {
            Anchor::World(point) => point.write(element.index(name, -1), &attributes[1..]),
            Anchor::Body { body, offset } => offset.write(element.index(name, body), &attributes[1..]),
        }
    }
}

/// A spring between two anchors.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring<P> {
    /// One end.
    pub start: Anchor<P>,
    /// The other end.
    pub end: Anchor<P>,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
    /// Damping b along the spring.
    pub damping: f64,
}

const FIRST: &str = "Offset or point of the first end.";
const SECOND: &str = "Offset or point of the second end.";
const STIFFNESS: Attribute = Attribute::real("k", "N/m", "Stiffness.");
const REST_LENGTH: Attribute = Attribute::number("l0", Limit::NotNegative, "m", "Rest length.");
const DAMPING: Attribute = Attribute::number("b", Limit::NotNegative, "N·s/m", "Damping along the spring.")
    .or("0.0")
    .elided()
    .ours();

attributes! {
    Spring<[f64; 2]> {
        start: [
            Attribute::index("i", Target::BodyOrWorld, "Body at the first end."),
            Attribute::real("pix", "m", FIRST),
            Attribute::real("piy", "m", FIRST),
        ],
        end: [
            Attribute::index("j", Target::BodyOrWorld, "Body at the second end."),
            Attribute::real("pjx", "m", SECOND),
            Attribute::real("pjy", "m", SECOND),
        ],
        stiffness: [STIFFNESS],
        rest_length: [REST_LENGTH.unchecked_by_course()],
        damping: [DAMPING],
    }
}

attributes! {
    Spring<[f64; 3]> {
        start: [
            Attribute::index("i", Target::SpatialBodyOrWorld, "Body at the first end.").ours(),
            Attribute::zero("pix", "m", FIRST),
            Attribute::zero("piy", "m", FIRST),
            Attribute::zero("piz", "m", FIRST),
        ],
        end: [
            Attribute::index("j", Target::SpatialBodyOrWorld, "Body at the second end.").ours(),
            Attribute::zero("pjx", "m", SECOND),
            Attribute::zero("pjy", "m", SECOND),
            Attribute::zero("pjz", "m", SECOND),
        ],
        stiffness: [STIFFNESS.ours()],
        rest_length: [REST_LENGTH.ours()],
        damping: [DAMPING],
    }
}

/// Resistance of a still medium to all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drag {
    /// Force for each unit of velocity.
    pub linear: f64,
    /// Torque for each unit of angular velocity.
    pub angular: f64,
}

attributes! {
    Drag {
        linear: [Attribute::number("b", Limit::NotNegative, "kg/s", "Force for each unit of velocity.").or("0.0").ours()],
        angular: [
            Attribute::number("angular", Limit::NotNegative, "N m s", "Torque for each unit of angular velocity.")
                .or("0.0")
                .ours(),
        ],
    }
}

/// A force on one body that changes in time: F cos(rate t + phase) from a time on, until another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedForce<F, T> {
    /// Which body.
    pub body: usize,
    /// Amplitude of the force on its centre.
    pub force: F,
    /// Amplitude of the torque about it: counter-clockwise, or in world axes.
    pub torque: T,
    /// Angular frequency in radians a second; 0 for a steady force.
    pub rate: f64,
    /// Phase at time 0 in radians.
    pub phase: f64,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends; never when absent.
    pub until: Option<f64>,
}

/// What a tag of timed forces says, in every family.
pub(crate) const TIMED: &str = "A force on one body that changes in time: the amplitude times cos(`rate` t + `phase`) from a time on, until another. Each step feels its mean over the step, so momentum is gained exactly. Not in the course.";
pub(crate) const RATE: Attribute =
    Attribute::zero("rate", "rad/s", "Angular frequency; 0 for a steady force.");
pub(crate) const PHASE: Attribute = Attribute::zero("phase", "rad", "Phase at time 0.");
pub(crate) const FROM: Attribute =
    Attribute::number("from", Limit::NotNegative, "s", "When it begins.").or("0.0").elided().ours();
pub(crate) const UNTIL: Attribute =
    Attribute::number("until", Limit::NotNegative, "s", "When it ends.").optional("never").ours();

const AMPLITUDE: &str = "Amplitude of the force on its centre of mass.";
const TORQUE: &str = "Amplitude of the torque about it, in world axes.";

attributes! {
    TimedForce<[f64; 2], f64> {
        body: [Attribute::index("body", Target::Body, "The body.").ours()],
        force: [
            Attribute::real("fx", "N", AMPLITUDE).or("0.0").ours(),
            Attribute::real("fy", "N", AMPLITUDE).or("0.0").ours(),
        ],
        torque: [Attribute::zero("torque", "N m", "Amplitude of the torque, counter-clockwise positive.")],
        rate: [RATE],
        phase: [PHASE],
        from: [FROM],
        until: [UNTIL],
    }
}

attributes! {
    TimedForce<[f64; 3], [f64; 3]> {
        body: [Attribute::index("body", Target::SpatialBody, "The body.").ours()],
        force: [
            Attribute::zero("fx", "N", AMPLITUDE),
            Attribute::zero("fy", "N", AMPLITUDE),
            Attribute::zero("fz", "N", AMPLITUDE),
        ],
        torque: [
            Attribute::zero("tx", "N m", TORQUE),
            Attribute::zero("ty", "N m", TORQUE),
            Attribute::zero("tz", "N m", TORQUE),
        ],
        rate: [RATE],
        phase: [PHASE],
        from: [FROM],
        until: [UNTIL],
    }
}

/// A steady force and torque on one body, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Push {
    /// Which body.
    pub body: usize,
    /// Force on its centre of mass.
    pub force: [f64; 3],
    /// Torque about it.
    pub torque: [f64; 3],
}

attributes! {
    Push {
        body: [Attribute::index("body", Target::SpatialBody, "The body.").ours()],
        force: [
            Attribute::zero("fx", "N", "Force on its centre of mass."),
            Attribute::zero("fy", "N", "Force on its centre of mass."),
            Attribute::zero("fz", "N", "Force on its centre of mass."),
        ],
        torque: [
            Attribute::zero("tx", "N m", "Torque about it."),
            Attribute::zero("ty", "N m", "Torque about it."),
            Attribute::zero("tz", "N m", "Torque about it."),
        ],
    }
}

/// The same acceleration for everything.
pub(crate) const GRAVITY: [Attribute; 2] =
    [Attribute::real("fx", "m/s²", "Acceleration."), Attribute::real("fy", "m/s²", "Acceleration.")];
pub(crate) const SPATIAL_GRAVITY: [Attribute; 3] = [
    Attribute::zero("fx", "m/s²", "Acceleration."),
    Attribute::zero("fy", "m/s²", "Acceleration."),
    Attribute::zero("fz", "m/s²", "Acceleration."),
];
