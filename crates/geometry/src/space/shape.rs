//! The shapes of solids.

pub use super::polyhedron::{Mesh, ObjError, Polyhedron, ShapeError, obj, parse_obj};

use glam::DVec3;

/// The shape of a solid, in its own axes about its centre.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A ball about the centre.
    Sphere {
        /// Its radius, above 0.
        radius: f64,
    },
    /// A convex polyhedron, boxes included.
    Polyhedron(Polyhedron),
    /// Everything behind the plane through its position. Only for bodies that are not free.
    HalfSpace {
        /// Unit normal out of the solid, in its own axes.
        normal: DVec3,
    },
}

impl Shape {
    /// Greatest distance of a point from the centre; infinite for a half-space.
    pub fn extent(&self) -> f64 {
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Polyhedron(polyhedron) => {
                polyhedron.vertices().iter().fold(0.0, |far: f64, v| far.max(v.length()))
            }
            Shape::HalfSpace { .. } => f64::INFINITY,
        }
    }

    /// Least distance of a face from what is opposite to it; infinite for a half-space.
    pub fn thickness(&self) -> f64 {
        let Shape::Polyhedron(polyhedron) = self else { return 2.0 * self.extent() };
        let all = polyhedron.vertices();
        polyhedron.faces().iter().fold(f64::INFINITY, |least, face| {
            let top = all[face.corners[0] as usize];
            let depth = |vertex: &DVec3| face.normal.dot(top - *vertex);
            least.min(all.iter().map(depth).fold(0.0, f64::max))
        })
    }
}
