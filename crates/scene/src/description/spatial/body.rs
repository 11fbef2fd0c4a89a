//! Spatial bodies: `rigidbody3dsphere`, `rigidbody3dbox`, `rigidbody3dpolyhedron`,
//! `rigidbody3dhalfspace` and what belongs to them.

use crate::problem::Problem;
use crate::reader::{Element, Fields, Reader};
use crate::schema::{Attribute, Kind, Limit, Target};
use crate::writer::{ElementWriter, Writer};

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// What it looks like.
    pub shape: Shape,
    /// Where it starts: the centre of a sphere or box, the origin of the coordinates of a
    /// polyhedron, a point of the plane that bounds a half-space.
    pub position: [f64; 3],
    /// How it is turned at the start, about that point: axis times angle in radians.
    pub rotation: [f64; 3],
    /// Velocity of its centre of mass.
    pub velocity: [f64; 3],
    /// Angular velocity in radians a second, in world axes.
    pub angular_velocity: [f64; 3],
    /// How heavy it is; only bodies that are not free may leave it out.
    pub weight: Option<Weight>,
    /// A fixed body is moved by nothing. Half-spaces always are, or follow a script.
    pub fixed: bool,
}

/// What a body looks like, in coordinates of its own.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// `rigidbody3dsphere`, about the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// `rigidbody3dbox`, about the origin.
    Box {
        /// Whole sides along the axes.
        sides: [f64; 3],
    },
    /// `rigidbody3dpolyhedron` with `p`: the convex hull of vertices.
    Polyhedron {
        /// Indices of its vertices.
        corners: Vec<usize>,
    },
    /// `rigidbody3dpolyhedron` with `file`: the convex solid in an OBJ file. A program that can
    /// read files turns it into a [`Shape::Polyhedron`]; nothing else can be done with it.
    File {
        /// Name of the file, from the folder of the scene.
        name: String,
    },
    /// `rigidbody3dhalfspace`: everything behind a plane through the origin.
    HalfSpace {
        /// Out of the solid; of any length above 0.
        normal: [f64; 3],
    },
}

impl Shape {
    /// The tag of a body of this shape.
    pub fn tag(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "rigidbody3dsphere",
            Shape::Box { .. } => "rigidbody3dbox",
            Shape::Polyhedron { .. } | Shape::File { .. } => "rigidbody3dpolyhedron",
            Shape::HalfSpace { .. } => "rigidbody3dhalfspace",
        }
    }
}

/// How the weight of a body is given.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weight {
    /// `density`: mass for each unit of volume.
    Density(f64),
    /// `m`: the mass, spread evenly.
    Mass(f64),
    /// `m` and a `rigidbody3dinertia`: mass and inertia about the centre of mass, in the
    /// coordinates of the shape.
    Given {
        /// The mass.
        mass: f64,
        /// Ixx, Iyy, Izz, Ixy, Iyz, Izx; the last three are those entries of the matrix, not their
        /// negatives.
        inertia: [f64; 6],
    },
}

const fn zero(name: &'static str, unit: &'static str, meaning: &'static str) -> Attribute {
    Attribute::zero(name, unit, meaning)
}

const fn positive(name: &'static str, unit: &'static str, meaning: &'static str) -> Attribute {
    Attribute::number(name, Limit::Positive, unit, meaning).ours()
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
const WX: Attribute = zero("omegax", "rad/s", "Angular velocity in world axes.");
const WY: Attribute = zero("omegay", "rad/s", "Angular velocity in world axes.");
const WZ: Attribute = zero("omegaz", "rad/s", "Angular velocity in world axes.");
const MASS: Attribute =
    positive("m", "kg", "Mass, spread evenly unless `rigidbody3dinertia` says otherwise.")
        .optional("by `density`");
const DENSITY: Attribute = positive("density", "kg/m³", "Mass for each unit of volume.").optional("by `m`");
const FIXED: Attribute = Attribute::required("fixed", Kind::Flag, "", "1: nothing moves it.").or("0").ours();
const RADIUS: Attribute = positive("radius", "m", "Radius.");
const A: Attribute = positive("a", "m", "Whole side along x, before it is turned.");
const B: Attribute = positive("b", "m", "Whole side along y.");
const C: Attribute = positive("c", "m", "Whole side along z.");
const P: Attribute =
    Attribute::index("p", Target::SpatialVertex, "A vertex of it. At least four, or a `file`.")
        .repeated(0)
        .ours();
const FILE: Attribute = Attribute::required(
    "file",
    Kind::Text,
    "",
    "Name of an OBJ file from the folder of the scene; only programs that can read files take it.",
)
.optional("by `p`")
.ours();
const ORIGIN: &str = "Where the origin of its vertices is at the start.";
const ON_PLANE: &str = "A point of the plane.";

/// Attributes of `rigidbody3dvertex`.
pub(crate) const VERTEX: &[Attribute] = &[
    Attribute::real("x", "m", "Position.").ours(),
    Attribute::real("y", "m", "Position.").ours(),
    Attribute::real("z", "m", "Position.").ours(),
];

/// Attributes of `rigidbody3dsphere`.
pub(crate) const SPHERE: &[Attribute] =
    &[X, Y, Z, RADIUS, RX, RY, RZ, VX, VY, VZ, WX, WY, WZ, MASS, DENSITY, FIXED];

/// Attributes of `rigidbody3dbox`.
pub(crate) const BOX: &[Attribute] =
    &[X, Y, Z, A, B, C, RX, RY, RZ, VX, VY, VZ, WX, WY, WZ, MASS, DENSITY, FIXED];

/// Attributes of `rigidbody3dpolyhedron`.
pub(crate) const POLYHEDRON: &[Attribute] = &[
    zero("x", "m", ORIGIN),
    zero("y", "m", ORIGIN),
    zero("z", "m", ORIGIN),
    P,
    FILE,
    RX,
    RY,
    RZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    MASS,
    DENSITY,
    FIXED,
];

/// Attributes of `rigidbody3dhalfspace`.
pub(crate) const HALF_SPACE: &[Attribute] = &[
    zero("x", "m", ON_PLANE),
    zero("y", "m", ON_PLANE),
    zero("z", "m", ON_PLANE),
    zero("nx", "", "Out of the solid. The length of the normal does not matter, but must not be 0."),
    zero("ny", "", "Out of the solid."),
    zero("nz", "", "Out of the solid."),
];

/// Attributes of `rigidbody3dinertia`.
pub(crate) const INERTIA: &[Attribute] = &[
    Attribute::index("body", Target::SpatialBody, "The body; not a half-space.").ours(),
    positive("ixx", "kg m²", "Moment about the x axis."),
    positive("iyy", "kg m²", "Moment about the y axis."),
    positive("izz", "kg m²", "Moment about the z axis."),
    zero("ixy", "kg m²", "Entry of the matrix: minus the product of inertia."),
    zero("iyz", "kg m²", "Entry of the matrix."),
    zero("izx", "kg m²", "Entry of the matrix."),
];

impl Body {
    /// A free body at rest at a place, not turned.
    pub fn new(shape: Shape, position: [f64; 3], weight: Weight) -> Body {
        let nothing = [0.0; 3];
        Body {
            shape,
            position,
            rotation: nothing,
            velocity: nothing,
            angular_velocity: nothing,
            weight: Some(weight),
            fixed: false,
        }
    }

    /// Everything behind a plane through a point; it is fixed.
    pub fn half_space(point: [f64; 3], normal: [f64; 3]) -> Body {
        let shape = Shape::HalfSpace { normal };
        let weight = Weight::Density(1.0);
        Body { weight: None, fixed: true, ..Body::new(shape, point, weight) }
    }

    pub(crate) fn read(reader: &mut Reader<'_>, tag: &'static str, element: Element) -> Body {
        let mut fields = reader.fields(element);
        let ordinal = reader.map.count(tag) - 1;
        let position = fields.triple(["x", "y", "z"]);
        if tag == "rigidbody3dhalfspace" {
            let normal = fields.triple(["nx", "ny", "nz"]);
            if normal == [0.0; 3] {
                let problem =
                    Problem::error(reader.span(tag, ordinal, "nx"), "a half-space without a normal");
                let problem = problem.label("`nx`, `ny` and `nz` are all 0").at(tag, Some("nx"));
                reader.problems.push(problem.help("for a floor with z up add `nz=\"1.0\"`"));
            }
            return Body::half_space(position, normal);
        }
        let shape = match tag {
            "rigidbody3dsphere" => Shape::Sphere { radius: fields.real("radius") },
            "rigidbody3dbox" => Shape::Box { sides: fields.triple(["a", "b", "c"]) },
            _ => polyhedron(reader, &mut fields, (tag, ordinal)),
        };
        let weight = match (fields.optional_real("m"), fields.optional_real("density")) {
            (Some(mass), None) => Some(Weight::Mass(mass)),
            (None, Some(density)) => Some(Weight::Density(density)),
            (Some(mass), Some(_)) => {
                let problem = Problem::error(
                    reader.span(tag, ordinal, "density"),
                    "a body with both `m` and `density`",
                );
                let problem = problem.label("only one of them").at(tag, Some("density"));
                reader.problems.push(problem.related(reader.span(tag, ordinal, "m"), "the mass"));
                Some(Weight::Mass(mass))
            }
            (None, None) => None,
        };
        Body {
            shape,
            position,
            rotation: fields.triple(["rx", "ry", "rz"]),
            velocity: fields.triple(["vx", "vy", "vz"]),
            angular_velocity: fields.triple(["omegax", "omegay", "omegaz"]),
            weight,
            fixed: fields.flag("fixed"),
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        let place = ["x", "y", "z"];
        let mut element = match &self.shape {
            Shape::HalfSpace { normal } => {
                let element = writer.element("rigidbody3dhalfspace").triple(place, self.position);
                element.triple(["nx", "ny", "nz"], *normal).end();
                return;
            }
            Shape::Sphere { radius } => {
                writer.element("rigidbody3dsphere").triple(place, self.position).real("radius", *radius)
            }
            Shape::Box { sides: [a, b, c] } => {
                let element = writer.element("rigidbody3dbox").triple(place, self.position);
                element.real("a", *a).real("b", *b).real("c", *c)
            }
            Shape::Polyhedron { corners } => {
                let mut element = writer.element("rigidbody3dpolyhedron");
                for corner in corners {
                    element = element.index("p", corner);
                }
                element.triple(place, self.position)
            }
            Shape::File { name } => {
                writer.element("rigidbody3dpolyhedron").text("file", name).triple(place, self.position)
            }
        };
        element = self.write_motion(element);
        element = match self.weight {
            Some(Weight::Density(density)) => element.real("density", density),
            Some(Weight::Mass(mass) | Weight::Given { mass, .. }) => element.real("m", mass),
            None => element,
        };
        if self.fixed {
            element = element.flag("fixed", true);
        }
        element.end();
    }

    fn write_motion<'a>(&self, element: ElementWriter<'a>) -> ElementWriter<'a> {
        let element = element.triple(["rx", "ry", "rz"], self.rotation);
        let element = element.triple(["vx", "vy", "vz"], self.velocity);
        element.triple(["omegax", "omegay", "omegaz"], self.angular_velocity)
    }

    /// Its inertia, where it was given.
    pub(crate) fn write_inertia(&self, index: usize, writer: &mut Writer) {
        if let Some(Weight::Given { inertia: [ixx, iyy, izz, ixy, iyz, izx], .. }) = self.weight {
            let element = writer.element("rigidbody3dinertia").index("body", index).real("ixx", ixx);
            let element = element.real("iyy", iyy).real("izz", izz);
            element.triple(["ixy", "iyz", "izx"], [ixy, iyz, izx]).end();
        }
    }
}

fn polyhedron(reader: &mut Reader<'_>, fields: &mut Fields, (tag, ordinal): (&str, usize)) -> Shape {
    let mut corners = std::mem::take(&mut fields.list);
    corners.shrink_to_fit();
    let file = fields.text("file");
    if let Some(name) = file {
        if !corners.is_empty() {
            let problem =
                Problem::error(reader.span(tag, ordinal, "file"), "a polyhedron with both `file` and `p`");
            let problem = problem.related(reader.span(tag, ordinal, "p"), "the first vertex");
            reader.problems.push(problem.label("only one of them").at(tag, Some("file")));
        }
        return Shape::File { name };
    }
    if corners.len() < 4 {
        let problem = Problem::error(
            reader.span(tag, ordinal, "p"),
            "a polyhedron needs at least four vertices `p`, or a `file`",
        );
        reader.problems.push(problem.label(format!("found {}", corners.len())).at(tag, Some("p")));
    }
    Shape::Polyhedron { corners }
}

/// The body and the numbers of a `rigidbody3dinertia`.
pub(crate) fn read_inertia(fields: &Fields) -> (usize, [f64; 6]) {
    let [ixx, iyy, izz] = fields.triple(["ixx", "iyy", "izz"]);
    let [ixy, iyz, izx] = fields.triple(["ixy", "iyz", "izx"]);
    (fields.index("body"), [ixx, iyy, izz, ixy, iyz, izx])
}
