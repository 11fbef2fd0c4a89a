//! `integrator`.

use crate::description::table::{Named, names};
use crate::reader::{Element, Reader};
use crate::schema::{Attribute, Choice, Kind, Limit};
use crate::writer::Writer;

/// A time stepping method and its step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Integrator {
    /// Which method.
    pub method: ParticleMethod,
    /// Step length in seconds.
    pub dt: f64,
}

/// The methods of `integrator type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParticleMethod {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `forward-backward-euler`, also spelt `symplectic-euler`.
    SymplecticEuler,
    /// `linearized-implicit-euler`: one Newton step.
    LinearizedImplicitEuler,
    /// `implicit-euler`.
    ImplicitEuler,
    /// `velocity-verlet`.
    VelocityVerlet,
    /// `rk4`: the classic Runge–Kutta method.
    RungeKutta4,
    /// `dormand-prince`: the embedded pair of order 5(4) with steps of its own inside `dt`.
    DormandPrince {
        /// Relative error allowed in a step.
        relative_tolerance: f64,
        /// Absolute error allowed in a step.
        absolute_tolerance: f64,
    },
}

names! {
    ParticleMethod {
        ParticleMethod::ExplicitEuler => Choice::new("explicit-euler", "position and velocity from the old state"),
        ParticleMethod::SymplecticEuler =>
            Choice::new("forward-backward-euler", "velocity first, then position with the new velocity"),
        ParticleMethod::SymplecticEuler => Choice::new("symplectic-euler", "another name of `forward-backward-euler`"),
        ParticleMethod::LinearizedImplicitEuler =>
            Choice::new("linearized-implicit-euler", "one Newton step of implicit Euler"),
        ParticleMethod::ImplicitEuler => Choice::new("implicit-euler", "implicit Euler, solved by Newton's method"),
        ParticleMethod::VelocityVerlet =>
            Choice::ours("velocity-verlet", "second order, symplectic for forces of position"),
        ParticleMethod::RungeKutta4 => Choice::ours("rk4", "the classic Runge–Kutta method of fourth order"),
        ParticleMethod::DormandPrince { relative_tolerance: 1e-9, absolute_tolerance: 1e-12 } =>
            Choice::ours("dormand-prince", "embedded pair of order 5(4) that chooses its own steps inside `dt`"),
    }
}

impl Integrator {
    pub(crate) const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::required("type", Kind::Choice(ParticleMethod::CHOICES), "", "Method."),
        Attribute::number("dt", Limit::Positive, "s", "Time step.").unchecked_by_course(),
        Attribute::number(
            "rtol",
            Limit::NotNegative,
            "",
            "Relative error allowed in a step. Only for `dormand-prince`.",
        )
        .or("1e-9"),
        Attribute::number(
            "atol",
            Limit::Positive,
            "",
            "Absolute error allowed in a step. Only for `dormand-prince`.",
        )
        .or("1e-12"),
    ];

    pub(crate) fn read(reader: &mut Reader<'_>, element: Element) -> Integrator {
        let fields = reader.fields(element);
        let mut method = ParticleMethod::named(fields.choice("type"));
        if let ParticleMethod::DormandPrince { relative_tolerance, absolute_tolerance } = &mut method {
            (*relative_tolerance, *absolute_tolerance) = (fields.real("rtol"), fields.real("atol"));
        } else {
            reader.unused_attributes("integrator", &fields, &["rtol", "atol"], fields.choice("type"));
        }
        Integrator { method, dt: fields.real("dt") }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        let mut element = writer.element("integrator").text("type", self.method.name()).real("dt", self.dt);
        if let ParticleMethod::DormandPrince { relative_tolerance, absolute_tolerance } = self.method {
            element = element.real("rtol", relative_tolerance).real("atol", absolute_tolerance);
        }
        element.end();
    }
}
