//! Planar shapes: discs, polygons with a radius, half-planes. One file a pair, each giving a
//! [`Manifold`]; when two of them on their ways first touch ([`sweep`]); which of many may touch
//! ([`broad_phase`]).

pub mod broad_phase;
mod course_set;
pub mod disc_disc;
mod disc_polygon;
mod edge;
mod half_plane_disc;
mod half_plane_polygon;
mod manifold;
mod placed;
mod polygon_polygon;
pub mod rotation;
mod shape;
pub mod sweep;
mod vertex_edge;

pub use manifold::{Feature, Manifold, ManifoldPoint};
pub use placed::{BOX_ROOM, Nearness, Placed, box_of};
pub use shape::{Polygon, Shape};

use course_set::CourseSet;
use glam::DVec2;

/// Finds where two shapes touch; keeps its memory from one pair to the next.
///
/// ```
/// use carom_geometry::plane::{Manifold, Narrow, Nearness, Placed, Shape};
/// use glam::DVec2;
/// let (shape, centers) = (Shape::Disc { radius: 1.0 }, [DVec2::ZERO, DVec2::new(1.5, 0.0)]);
/// let mut vertices = [vec![], vec![]];
/// let turns = [0, 1].map(|k| shape.place(centers[k], 0.0, &mut vertices[k]));
/// let [a, b] = [0, 1].map(|k| Placed::new(&shape, centers[k], turns[k], &vertices[k]));
/// let mut manifold = Manifold::default();
/// Narrow::default().pair(a, b, Nearness::within(0.0), &mut manifold);
/// assert_eq!((manifold.points[0].normal, manifold.points[0].gap), (DVec2::X, -0.5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    near_edges: Vec<usize>,
    set: CourseSet,
}

impl Narrow {
    /// Adds the points at which two shapes touch, or nearly so; normals lead from the first to the
    /// second.
    pub fn pair(&mut self, a: Placed, b: Placed, near: Nearness, manifold: &mut Manifold) {
        if near.course {
            self.vertices_on_edges_course([a, b], false, near);
            self.vertices_on_edges_course([b, a], true, near);
            self.set.drain_into(&mut manifold.points);
            return;
        }
        match (a.half_plane, b.half_plane) {
            (None, None) => {}
            (Some(normal), None) => return half_plane([a, b], normal, false, near, manifold),
            (None, Some(normal)) => return half_plane([b, a], normal, true, near, manifold),
            (Some(_), Some(_)) => return,
        }
        match (a.is_disc, b.is_disc) {
            (true, true) => disc_disc::pair(a, b, near, manifold),
            (true, false) => disc_polygon::pair(self, [a, b], false, near, manifold),
            (false, true) => disc_polygon::pair(self, [b, a], true, near, manifold),
            (false, false) => polygon_polygon::pair(self, a, b, near, manifold),
        }
    }
}

/// A half-plane with a disc or a polygon. `swapped` where the half-plane is the second of the pair.
fn half_plane(pair: [Placed; 2], normal: DVec2, swapped: bool, near: Nearness, manifold: &mut Manifold) {
    match pair[1].is_disc {
        true => half_plane_disc::pair(pair, normal, swapped, near, manifold),
        false => half_plane_polygon::pair(pair, normal, swapped, near, manifold),
    }
}
