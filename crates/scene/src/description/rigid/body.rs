//! Planar bodies: `rigidbodyvertex`, `rigidbody`, `rigidbodydisc` and `rigidbodyhalfplane`.

use crate::description::table::attributes;
use crate::problem::Problem;
use crate::reader::{Element, Reader};
use crate::schema::{Attribute, Kind, Limit, Target};
use crate::writer::{ElementWriter, Writer};

/// A point mass.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vertex {
    /// Where it is at the start.
    pub position: [f64; 2],
    /// Its mass.
    pub mass: f64,
}

attributes! {
    Vertex {
        position: [
            Attribute::real("x", "m", "Position at the start."),
            Attribute::real("y", "m", "Position at the start."),
        ],
        mass: [Attribute::number("m", Limit::Positive, "kg", "Mass.").unchecked_by_course()],
    }
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// What it looks like and where its weight is.
    pub shape: Shape,
    /// Velocity of its centre of mass.
    pub velocity: [f64; 2],
    /// Angular velocity in radians a second, counter-clockwise positive.
    pub angular_velocity: f64,
    /// Half of the thickness of its outline; the radius of a disc.
    pub radius: f64,
    /// A fixed body is moved by nothing.
    pub fixed: bool,
}

/// What a body looks like and where its weight is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// `rigidbody`: a closed line through vertices, hollow inside, with its weight in the vertices.
    Hollow {
        /// Indices of its vertices along the outline.
        outline: Vec<usize>,
    },
    /// `rigidbody solid="1"`: full inside, with its weight spread over the area. The masses of the
    /// vertices do not count.
    Solid {
        /// Indices of its vertices along the outline.
        outline: Vec<usize>,
        /// Mass for each unit of area.
        density: f64,
    },
    /// `rigidbodydisc`.
    Disc {
        /// Where its centre is at the start.
        center: [f64; 2],
        /// How heavy it is.
        weight: Weight,
    },
    /// `rigidbodyhalfplane`: everything behind a line.
    HalfPlane {
        /// A point of the line at the start.
        point: [f64; 2],
        /// Out of the solid; of any length above 0.
        normal: [f64; 2],
    },
}

/// How the weight of a disc is given.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weight {
    /// `m`: the mass.
    Mass(f64),
    /// `density`: mass for each unit of area.
    Density(f64),
}

/// Attributes of `rigidbody`.
pub(crate) const OUTLINED: &[Attribute] = &[
    Attribute::index("p", Target::Vertex, "A vertex; the attributes in their order are the outline.").repeated(2),
    Attribute::real("vx", "m/s", "Velocity of the centre of mass."),
    Attribute::real("vy", "m/s", "Velocity of the centre of mass."),
    Attribute::real("omega", "rad/s", "Angular velocity, counter-clockwise positive."),
    Attribute::number("r", Limit::Positive, "m", "Half of the thickness of the outline."),
    Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0"),
    Attribute::required(
        "solid",
        Kind::Flag,
        "",
        "1: full inside; its weight is spread over the area, and the masses of its vertices do not count. The outline must not cross itself.",
    )
    .or("0")
    .ours(),
    Attribute::number(
        "density",
        Limit::Positive,
        "kg/m²",
        "Mass for each unit of area. Only for a `solid` body, which must have it.",
    )
    .optional("vertex masses")
    .ours(),
];

/// Attributes of `rigidbodydisc`.
pub(crate) const DISC: &[Attribute] = &[
    Attribute::real("x", "m", "Centre at the start.").ours(),
    Attribute::real("y", "m", "Centre at the start.").ours(),
    Attribute::number("radius", Limit::Positive, "m", "Radius.").ours(),
    Attribute::number("m", Limit::Positive, "kg", "Mass.").optional("by `density`").ours(),
    Attribute::number("density", Limit::Positive, "kg/m²", "Mass for each unit of area.")
        .optional("by `m`")
        .ours(),
    Attribute::real("vx", "m/s", "Velocity of the centre.").or("0.0").ours(),
    Attribute::real("vy", "m/s", "Velocity of the centre.").or("0.0").ours(),
    Attribute::real("omega", "rad/s", "Angular velocity, counter-clockwise positive.").or("0.0").ours(),
    Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0").ours(),
];

/// Attributes of `rigidbodyhalfplane`.
pub(crate) const HALF_PLANE: &[Attribute] = &[
    Attribute::zero("x", "m", "A point of the line."),
    Attribute::zero("y", "m", "A point of the line."),
    Attribute::zero(
        "nx",
        "",
        "Out of the solid. The length of the normal does not matter, but must not be 0.",
    ),
    Attribute::zero("ny", "", "Out of the solid."),
];

impl Body {
    /// A free body at rest. `radius` is half of the thickness of its outline, or that of the disc.
    pub fn new(shape: Shape, radius: f64) -> Body {
        Body { shape, velocity: [0.0; 2], angular_velocity: 0.0, radius, fixed: false }
    }

    /// Everything behind a line through a point; it is fixed.
    pub fn half_plane(point: [f64; 2], normal: [f64; 2]) -> Body {
        Body { fixed: true, ..Body::new(Shape::HalfPlane { point, normal }, 0.0) }
    }

    /// Its tag in scene files.
    pub fn tag(&self) -> &'static str {
        match self.shape {
            Shape::Hollow { .. } | Shape::Solid { .. } => "rigidbody",
            Shape::Disc { .. } => "rigidbodydisc",
            Shape::HalfPlane { .. } => "rigidbodyhalfplane",
        }
    }

    /// Indices of the vertices along its outline; discs and half-planes have none.
    pub fn outline(&self) -> &[usize] {
        match &self.shape {
            Shape::Hollow { outline } | Shape::Solid { outline, .. } => outline,
            Shape::Disc { .. } | Shape::HalfPlane { .. } => &[],
        }
    }

    pub(crate) fn read_outlined(reader: &mut Reader<'_>, element: Element) -> Body {
        let mut fields = reader.fields(element);
        let ordinal = reader.map.count("rigidbody") - 1;
        let mut outline = std::mem::take(&mut fields.list);
        outline.shrink_to_fit();
        let solid = fields.flag("solid");
        let density = fields.optional_real("density");
        if solid && density.is_none() {
            let span = reader.span("rigidbody", ordinal, "solid");
            let problem = Problem::error(span, "a solid body without `density`")
                .label("the masses of its vertices do not count")
                .at("rigidbody", Some("density"));
            reader.problems.push(problem.help("add the mass for each unit of area: `density=\"1.0\"`"));
        }
        if solid && outline.len() == 2 {
            let span = reader.span("rigidbody", ordinal, "solid");
            let problem = Problem::error(span, "a solid body of two vertices has no area");
            reader.problems.push(problem.label("expected at least three `p`").at("rigidbody", Some("solid")));
        }
        if !solid && density.is_some() {
            reader.without_effect(("rigidbody", ordinal, "density"), "without `solid=\"1\"`");
        }
        let shape = match solid {
            true => Shape::Solid { outline, density: density.unwrap_or(f64::NAN) },
            false => Shape::Hollow { outline },
        };
        Body {
            shape,
            velocity: fields.pair("vx", "vy"),
            angular_velocity: fields.real("omega"),
            radius: fields.real("r"),
            fixed: fields.flag("fixed"),
        }
    }

    pub(crate) fn read_disc(reader: &mut Reader<'_>, element: Element) -> Body {
        let fields = reader.fields(element);
        let ordinal = reader.map.count("rigidbodydisc") - 1;
        let wrong = |span, message: &str, label: &str| {
            Problem::error(span, message).label(label).at("rigidbodydisc", Some("m"))
        };
        let weight = match (fields.optional_real("m"), fields.optional_real("density")) {
            (Some(mass), None) => Weight::Mass(mass),
            (None, Some(density)) => Weight::Density(density),
            (Some(mass), Some(_)) => {
                let span = reader.span("rigidbodydisc", ordinal, "density");
                reader.problems.push(
                    wrong(span, "a disc with both `m` and `density`", "only one of them")
                        .related(reader.span("rigidbodydisc", ordinal, "m"), "the mass"),
                );
                Weight::Mass(mass)
            }
            (None, None) => {
                let span = reader.span("rigidbodydisc", ordinal, "m");
                reader.problems.push(wrong(span, "a disc without weight", "expected `m` or `density`"));
                Weight::Mass(f64::NAN)
            }
        };
        Body {
            shape: Shape::Disc { center: fields.pair("x", "y"), weight },
            velocity: fields.pair("vx", "vy"),
            angular_velocity: fields.real("omega"),
            radius: fields.real("radius"),
            fixed: fields.flag("fixed"),
        }
    }

    pub(crate) fn read_half_plane(reader: &mut Reader<'_>, element: Element) -> Body {
        let fields = reader.fields(element);
        let normal = fields.pair("nx", "ny");
        if normal == [0.0; 2] {
            let tag = "rigidbodyhalfplane";
            let span = reader.span(tag, reader.map.count(tag) - 1, "nx");
            let problem = Problem::error(span, "a half-plane without a normal")
                .label("`nx` and `ny` are both 0")
                .at(tag, Some("nx"));
            reader.problems.push(problem.help("for a floor add `ny=\"1.0\"`"));
        }
        Body::half_plane(fields.pair("x", "y"), normal)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        if let Shape::HalfPlane { point, normal } = self.shape {
            let element = writer.element("rigidbodyhalfplane").pair("x", "y", point);
            element.pair("nx", "ny", normal).end();
            return;
        }
        if let Shape::Disc { center, weight } = self.shape {
            let element = writer.element("rigidbodydisc").pair("x", "y", center).real("radius", self.radius);
            let element = match weight {
                Weight::Mass(mass) => element.real("m", mass),
                Weight::Density(density) => element.real("density", density),
            };
            self.write_motion(element).flag("fixed", self.fixed).end();
            return;
        }
        let mut element = writer.element("rigidbody");
        for vertex in self.outline() {
            element = element.index("p", vertex);
        }
        element = self.write_motion(element).real("r", self.radius).flag("fixed", self.fixed);
        if let Shape::Solid { density, .. } = self.shape {
            element = element.flag("solid", true).real("density", density);
        }
        element.end();
    }

    fn write_motion<'a>(&self, element: ElementWriter<'a>) -> ElementWriter<'a> {
        element.pair("vx", "vy", self.velocity).real("omega", self.angular_velocity)
    }
}
