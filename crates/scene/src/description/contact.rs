//! Detection and response of contact between bodies, in two and three dimensions.

use super::table::{Named, names};
use crate::reader::{Element, Fields, Reader};
use crate::schema::{Attribute, Choice, Kind, Limit};
use crate::writer::{ElementWriter, Writer};

/// Detection and response of contact; `R` is the response of the family.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionHandling<R> {
    /// How contacts are answered.
    pub response: R,
    /// `COR`: the coefficient of restitution; that of the response when absent.
    pub restitution: Option<f64>,
    /// `mu`: Coulomb's coefficient of friction.
    pub friction: f64,
    /// `tolerance`: the speed by which `lcp` and `velocity-projection` may be wrong; as exact as
    /// can be when absent.
    pub tolerance: Option<f64>,
}

impl<R> CollisionHandling<R> {
    /// A response and what the file format says about the rest when it is left out.
    pub fn new(response: R) -> CollisionHandling<R> {
        CollisionHandling { response, restitution: None, friction: 0.0, tolerance: None }
    }

    /// What both families have.
    fn read_with(response: R, fields: &Fields) -> Self {
        CollisionHandling {
            response,
            restitution: fields.optional_real("COR"),
            friction: fields.real("mu"),
            tolerance: fields.optional_real("tolerance"),
        }
    }

    /// The same; what holds when it is left out is left out.
    fn write_rest(&self, mut element: ElementWriter<'_>) {
        element = element.optional("COR", self.restitution);
        if self.friction != 0.0 {
            element = element.real("mu", self.friction);
        }
        element.optional("tolerance", self.tolerance).end();
    }
}

/// The values of `response=` of planar bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PlanarResponse {
    /// `lcp`: inelastic, by a linear complementarity problem.
    Lcp,
    /// `velocity-projection`: inelastic, by a quadratic program.
    VelocityProjection,
    /// `gr-lcp`: elastic Generalized Reflection over `lcp`.
    ReflectionLcp,
    /// `gr-velocity-projection`: elastic Generalized Reflection over `velocity-projection`.
    ReflectionVelocityProjection,
    /// `impulse`: contact by contact; not in the course.
    Impulse,
    /// `penalty`: springs push apart what is nearer than a thickness; not in the course.
    Penalty {
        /// `k`.
        stiffness: f64,
        /// `thickness`.
        thickness: f64,
    },
}

/// The values of `response=` of spatial bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SpatialResponse {
    /// `lcp`, as for planar bodies.
    Lcp,
    /// `velocity-projection`, as for planar bodies.
    VelocityProjection,
    /// `gr-lcp`, as for planar bodies.
    ReflectionLcp,
    /// `gr-velocity-projection`, as for planar bodies.
    ReflectionVelocityProjection,
    /// `impulse`: the lecture's loop over colliding contacts.
    Impulse,
}

const LCP: Choice = Choice::new("lcp", "inelastic, by a linear complementarity problem");
const PROJECTION: Choice = Choice::new("velocity-projection", "inelastic, by a quadratic program");
const GR_LCP: Choice = Choice::new("gr-lcp", "elastic: Generalized Reflection over `lcp`");
const GR_PROJECTION: Choice =
    Choice::new("gr-velocity-projection", "elastic: Generalized Reflection over `velocity-projection`");

names! {
    PlanarResponse {
        PlanarResponse::Lcp => LCP,
        PlanarResponse::VelocityProjection => PROJECTION,
        PlanarResponse::ReflectionLcp => GR_LCP,
        PlanarResponse::ReflectionVelocityProjection => GR_PROJECTION,
        PlanarResponse::Impulse => Choice::ours(
            "impulse",
            "one contact after the other, each with its own impulse; `COR` is 0.9 if left out",
        ),
        PlanarResponse::Penalty { stiffness: 100.0, thickness: 0.01 } =>
            Choice::ours("penalty", "springs push apart what is nearer than `thickness`"),
    }
}

names! {
    SpatialResponse {
        SpatialResponse::Lcp => LCP.not_in_course(),
        SpatialResponse::VelocityProjection => PROJECTION.not_in_course(),
        SpatialResponse::ReflectionLcp => GR_LCP.not_in_course(),
        SpatialResponse::ReflectionVelocityProjection => GR_PROJECTION.not_in_course(),
        SpatialResponse::Impulse => Choice::ours(
            "impulse",
            "the lecture's loop: colliding contacts one at a time until none collides; `COR` is 0.5 if left out",
        ),
    }
}

const DETECTIONS: &[Choice] =
    &[Choice::new("all-pairs", "every vertex against every edge of every other body")];
const RESTITUTION: Attribute =
    Attribute::number("COR", Limit::Unit, "", "Coefficient of restitution.").ours();
const TOLERANCE: Attribute = Attribute::number(
    "tolerance",
    Limit::Positive,
    "m/s",
    "How exactly `lcp` and `velocity-projection` are solved: until no contact's speed is wrong by more than this. Cheaper where hundreds of bodies settle. Overlaps up to this speed times a step are left.",
)
.optional("to solver precision")
.ours();

const fn response(choices: &'static [Choice]) -> Attribute {
    Attribute::required("response", Kind::Choice(choices), "", "How contacts are answered.")
}

const fn friction(meaning: &'static str) -> Attribute {
    Attribute::number("mu", Limit::NotNegative, "", meaning).or("0.0").ours()
}

impl CollisionHandling<PlanarResponse> {
    const TAG: &'static str = "rigidbodycollisionhandling";
    pub(crate) const ATTRIBUTES: &'static [Attribute] = &[
        Attribute::required("detection", Kind::Choice(DETECTIONS), "", "How contacts are found."),
        response(PlanarResponse::CHOICES),
        RESTITUTION.optional("0 for inelastic responses, 1 for elastic ones"),
        friction("Coulomb's coefficient of friction."),
        TOLERANCE,
        Attribute::number("k", Limit::NotNegative, "N/m", "Stiffness. Only for `penalty`.")
            .or("100.0")
            .ours(),
        Attribute::number("thickness", Limit::NotNegative, "m", "Reach of the springs. Only for `penalty`.")
            .or("0.01")
            .ours(),
    ];

    pub(crate) fn read(reader: &mut Reader<'_>, element: Element) -> Self {
        let fields = reader.fields(element);
        let mut response = PlanarResponse::named(fields.choice("response"));
        if let PlanarResponse::Penalty { stiffness, thickness } = &mut response {
            (*stiffness, *thickness) = (fields.real("k"), fields.real("thickness"));
        }
        let unused: &[&'static str] = match response {
            PlanarResponse::Penalty { .. } => &["COR", "mu", "tolerance"],
            PlanarResponse::Lcp | PlanarResponse::VelocityProjection => &["k", "thickness"],
            _ => &["tolerance", "k", "thickness"],
        };
        reader.unused_attributes(Self::TAG, &fields, unused, response.name());
        CollisionHandling::read_with(response, &fields)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        let mut element = writer.element(Self::TAG).text("detection", "all-pairs");
        element = element.text("response", self.response.name());
        if let PlanarResponse::Penalty { stiffness, thickness } = self.response {
            element = element.real("k", stiffness).real("thickness", thickness);
        }
        self.write_rest(element);
    }
}

impl CollisionHandling<SpatialResponse> {
    const TAG: &'static str = "rigidbody3dcollisionhandling";
    pub(crate) const ATTRIBUTES: &'static [Attribute] = &[
        response(SpatialResponse::CHOICES).ours(),
        RESTITUTION.optional("0 for inelastic responses, 1 for elastic ones, 0.5 for `impulse`"),
        friction(
            "Coulomb's coefficient of friction. The cone is round: sliding is opposed in every direction alike.",
        ),
        TOLERANCE,
    ];

    pub(crate) fn read(reader: &mut Reader<'_>, element: Element) -> Self {
        let fields = reader.fields(element);
        let response = SpatialResponse::named(fields.choice("response"));
        if !matches!(response, SpatialResponse::Lcp | SpatialResponse::VelocityProjection) {
            reader.unused_attributes(Self::TAG, &fields, &["tolerance"], response.name());
        }
        CollisionHandling::read_with(response, &fields)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        self.write_rest(writer.element(Self::TAG).text("response", self.response.name()));
    }
}
