//! Planar shapes.

use super::rotation::Rotation;
use glam::DVec2;

/// A planar shape about its centre.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A closed line through vertices, thick by a radius.
    Polygon(Polygon),
    /// A disc about the centre.
    Disc {
        /// Its radius, above 0.
        radius: f64,
    },
    /// Everything behind the line through its position. Only for bodies that are not free.
    HalfPlane {
        /// Unit normal out of the solid, in its own axes.
        normal: DVec2,
    },
}

/// A closed line through vertices, thick by a radius. The winding does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// Vertices about the centre; the last one is joined to the first. At least two.
    pub vertices: Vec<DVec2>,
    /// Half of the line's thickness, above 0.
    pub radius: f64,
    /// A solid outline is full inside: what is in there is pushed out. A hollow one holds what is
    /// inside, inside.
    pub solid: bool,
}

impl Shape {
    /// Half of the thickness of the surface: the radius of the outline, or of the disc; 0 for a
    /// half-plane.
    pub fn radius(&self) -> f64 {
        match self {
            Shape::Polygon(outline) => outline.radius,
            Shape::Disc { radius } => *radius,
            Shape::HalfPlane { .. } => 0.0,
        }
    }

    /// Greatest distance of a point of the shape from its centre; infinite for a half-plane.
    pub fn extent(&self) -> f64 {
        match self {
            Shape::Polygon(outline) => {
                outline.vertices.iter().fold(0.0, |far: f64, v| far.max(v.length())) + outline.radius
            }
            Shape::Disc { radius } => *radius,
            Shape::HalfPlane { .. } => f64::INFINITY,
        }
    }

    /// Writes the world vertices at a place, of a disc its centre and of a half-plane none, and
    /// returns the rotation.
    pub fn place(&self, center: DVec2, angle: f64, vertices: &mut Vec<DVec2>) -> Rotation {
        vertices.clear();
        match self {
            Shape::Disc { .. } => {
                vertices.push(center);
                Rotation::NONE
            }
            Shape::HalfPlane { .. } => Rotation::by(angle),
            Shape::Polygon(outline) => {
                let rotation = Rotation::by(angle);
                vertices.extend(outline.vertices.iter().map(|&v| rotation.apply(v) + center));
                rotation
            }
        }
    }
}
