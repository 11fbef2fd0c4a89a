//! Forces on particles.

use crate::description::force::{FROM, PHASE, RATE, UNTIL};
use crate::description::table::attributes;
use crate::schema::{Attribute, Limit, Target};

/// The forces of a particle system.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forces {
    /// `springforce`.
    pub springs: Vec<Spring>,
    /// `simplegravity`: accelerations.
    pub gravities: Vec<[f64; 2]>,
    /// `gravitationalforce`.
    pub gravitations: Vec<Gravitation>,
    /// `constantforce`: the same force on every particle, whatever its mass.
    pub constants: Vec<[f64; 2]>,
    /// `dragdamping`: coefficients of linear drag.
    pub drags: Vec<f64>,
    /// `vortexforce`.
    pub vortices: Vec<Vortex>,
    /// `timedforce`.
    pub timed: Vec<TimedForce>,
}

/// A force on one particle or body that changes in time: F cos(rate t + phase) from a time on,
/// until another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedForce {
    /// Which particle.
    pub particle: usize,
    /// Amplitude of the force on its centre.
    pub force: [f64; 2],
    /// Angular frequency in radians a second; 0 for a steady force.
    pub rate: f64,
    /// Phase at time 0 in radians.
    pub phase: f64,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends; never when absent.
    pub until: Option<f64>,
}

attributes! {
    TimedForce {
        particle: [Attribute::index("i", Target::Particle, "The particle.").ours()],
        force: [
            Attribute::real("fx", "N", "Amplitude of the force.").or("0.0").ours(),
            Attribute::real("fy", "N", "Amplitude of the force.").or("0.0").ours(),
        ],
        rate: [RATE],
        phase: [PHASE],
        from: [FROM],
        until: [UNTIL],
    }
}

/// A spring along an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// The edge that it follows.
    pub edge: usize,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
    /// Damping b along the spring.
    pub damping: f64,
}

attributes! {
    Spring {
        edge: [Attribute::index("edge", Target::Edge, "The edge that it follows.")],
        stiffness: [Attribute::real("k", "N/m", "Stiffness.")],
        rest_length: [Attribute::number("l0", Limit::NotNegative, "m", "Rest length.").unchecked_by_course()],
        damping: [Attribute::real("b", "N·s/m", "Damping.").or("0.0")],
    }
}

/// Newtonian gravitation between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gravitation {
    /// First particle.
    pub first: usize,
    /// Second particle.
    pub second: usize,
    /// The constant G.
    pub constant: f64,
}

attributes! {
    Gravitation {
        first: [Attribute::index("i", Target::Particle, "First particle.")],
        second: [Attribute::index("j", Target::Particle, "Second particle.")],
        constant: [Attribute::real("G", "N·m²/kg²", "Constant of gravitation.")],
    }
}

/// The course's vortex force between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vortex {
    /// First particle.
    pub first: usize,
    /// Second particle.
    pub second: usize,
    /// Biot–Savart coefficient kbs.
    pub biot_savart: f64,
    /// Viscosity coefficient kvc.
    pub viscosity: f64,
}

attributes! {
    Vortex {
        first: [Attribute::index("i", Target::Particle, "First particle.")],
        second: [Attribute::index("j", Target::Particle, "Second particle.")],
        biot_savart: [Attribute::real("kbs", "", "Biot–Savart coefficient: how fast the pair swirls.")],
        viscosity: [
            Attribute::real("kvc", "", "Viscosity coefficient: how strongly it is pulled to that swirl."),
        ],
    }
}

/// Attributes of `constantforce`.
pub(crate) const CONSTANT: [Attribute; 2] =
    [Attribute::real("fx", "N", "Force."), Attribute::real("fy", "N", "Force.")];

/// Attributes of `dragdamping`.
pub(crate) const DRAG: [Attribute; 1] = [Attribute::real("b", "N·s/m", "Coefficient of drag.")];
