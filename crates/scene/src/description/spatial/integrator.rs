//! `rigidbody3dintegrator`.

use crate::description::table::{Named, names};
use crate::reader::{Element, Reader};
use crate::schema::{Attribute, Choice, Kind, Limit};
use crate::writer::Writer;

/// A time stepping method, its step, and how orientations are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Integrator {
    /// Which method.
    pub method: SpatialMethod,
    /// Step length in seconds.
    pub dt: f64,
    /// How orientations are kept.
    pub orientation: Orientation,
}

/// The methods of `rigidbody3dintegrator type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SpatialMethod {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `symplectic-euler`.
    SymplecticEuler,
    /// `midpoint`.
    Midpoint,
    /// `rk4`.
    RungeKutta4,
    /// `dormand-prince`: adaptive.
    DormandPrince {
        /// Error allowed in each own step.
        tolerance: f64,
    },
    /// `lie-midpoint`: keeps energy and angular momentum of free bodies.
    LieMidpoint,
}

names! {
    SpatialMethod {
        SpatialMethod::ExplicitEuler => Choice::ours("explicit-euler", "everything from the old state; first order"),
        SpatialMethod::SymplecticEuler =>
            Choice::ours("symplectic-euler", "momenta first, then free motion with the new momenta; first order"),
        SpatialMethod::Midpoint => Choice::ours("midpoint", "the explicit midpoint rule; second order"),
        SpatialMethod::RungeKutta4 => Choice::ours("rk4", "the classical method of Runge and Kutta; fourth order"),
        SpatialMethod::DormandPrince { tolerance: 1e-9 } =>
            Choice::ours("dormand-prince", "adaptive, of orders 5 and 4, with steps of its own inside a step"),
        SpatialMethod::LieMidpoint => Choice::ours(
            "lie-midpoint",
            "half a push, free motion, half a push; second order; keeps energy and angular momentum of free bodies for as long as one likes",
        ),
    }
}

/// The values of `orientation=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Orientation {
    /// `quaternion`.
    Quaternion,
    /// `matrix`.
    Matrix,
}

names! {
    Orientation {
        Orientation::Quaternion => Choice::ours("quaternion", "four numbers, normalized after every step"),
        Orientation::Matrix => Choice::ours("matrix", "nine numbers, made orthonormal again after every step"),
    }
}

const TAG: &str = "rigidbody3dintegrator";

impl Integrator {
    pub(crate) const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::required("type", Kind::Choice(SpatialMethod::CHOICES), "", "Method.").ours(),
        Attribute::number("dt", Limit::Positive, "s", "Time step.").ours(),
        Attribute::required("orientation", Kind::Choice(Orientation::CHOICES), "", "How orientations are kept.")
            .or("quaternion")
            .ours(),
        Attribute::number(
            "tolerance",
            Limit::Positive,
            "",
            "Error of an own step, absolute for numbers up to 1 and relative above. Only for `dormand-prince`.",
        )
        .or("1e-9")
        .ours(),
    ];

    pub(crate) fn read(reader: &mut Reader<'_>, element: Element) -> Integrator {
        let fields = reader.fields(element);
        let mut method = SpatialMethod::named(fields.choice("type"));
        if let SpatialMethod::DormandPrince { tolerance } = &mut method {
            *tolerance = fields.real("tolerance");
        } else {
            reader.unused_attributes(TAG, &fields, &["tolerance"], method.name());
        }
        let orientation = Orientation::named(fields.choice("orientation"));
        Integrator { method, dt: fields.real("dt"), orientation }
    }

    /// What holds when it is left out is left out.
    pub(crate) fn write(&self, writer: &mut Writer) {
        let mut element = writer.element(TAG).text("type", self.method.name()).real("dt", self.dt);
        if self.orientation != Orientation::Quaternion {
            element = element.text("orientation", self.orientation.name());
        }
        if let SpatialMethod::DormandPrince { tolerance } = self.method {
            element = element.real("tolerance", tolerance);
        }
        element.end();
    }
}
