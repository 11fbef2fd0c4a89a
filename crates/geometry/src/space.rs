//! Solids: balls, convex polyhedra, half-spaces. One file a pair, each giving a [`Manifold`]; when
//! two of them on their ways first touch ([`sweep`]); which of many may touch ([`broad_phase`]).

mod ball_ball;
pub mod broad_phase;
mod clipping;
mod face;
mod half_space_ball;
mod half_space_polyhedron;
mod manifold;
mod nearest;
mod placed;
pub mod polyhedron;
mod polyhedron_ball;
mod polyhedron_polyhedron;
pub mod shape;
pub mod sweep;

pub use manifold::{ContactKind, Feature, Manifold, ManifoldPoint};
pub use placed::{Ball, Nearness, PlacedPolyhedron, Pose, Solid};
pub use shape::{Polyhedron, Shape};

use clipping::Clipping;
use placed::Corners;

/// Finds where two solids touch; keeps its memory from one pair to the next.
///
/// ```
/// use carom_geometry::space::{Manifold, Narrow, Nearness, Pose, Shape};
/// use glam::{DMat3, DVec3};
/// let (floor, ball) = (Shape::HalfSpace { normal: DVec3::Z }, Shape::Sphere { radius: 1.0 });
/// let at = |z: f64| Pose { position: DVec3::new(0.0, 0.0, z), rotation: DMat3::IDENTITY };
/// let near = Nearness { limit: 1.0, tolerance: 0.0, extent: 1.0 };
/// let mut manifold = Manifold::default();
/// Narrow::default().pair_at([&floor, &ball], [at(0.0), at(1.5)], near, &mut manifold);
/// assert_eq!((manifold.points[0].normal, manifold.points[0].gap), (DVec3::Z, 0.5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    clipping: Clipping,
    corners: [Corners; 2],
}

impl Narrow {
    /// Adds the points at which two solids touch, or nearly so; normals lead from the first to the
    /// second.
    pub fn pair(&mut self, pair: [Solid<'_>; 2], near: Nearness, manifold: &mut Manifold) {
        narrow(pair, near, &mut self.clipping, manifold);
    }

    /// The same for shapes at poses.
    pub fn pair_at(
        &mut self,
        shapes: [&Shape; 2],
        poses: [Pose; 2],
        near: Nearness,
        manifold: &mut Manifold,
    ) {
        let [a, b] = &mut self.corners;
        let pair = [a.place(shapes[0], &poses[0]), b.place(shapes[1], &poses[1])];
        narrow(pair, near, &mut self.clipping, manifold);
    }
}

fn narrow([a, b]: [Solid<'_>; 2], near: Nearness, clipping: &mut Clipping, manifold: &mut Manifold) {
    match (&a, &b) {
        (Solid::Ball(first), Solid::Ball(second)) => ball_ball::pair(*first, *second, &near, manifold),
        (Solid::HalfSpace { through, normal }, Solid::Ball(ball)) => {
            half_space_ball::pair((*through, *normal), *ball, &near, manifold);
        }
        (Solid::HalfSpace { through, normal }, Solid::Polyhedron(solid)) => {
            half_space_polyhedron::pair((*through, *normal), solid, &near, manifold);
        }
        (Solid::Polyhedron(solid), Solid::Ball(ball)) => {
            polyhedron_ball::pair(solid, *ball, &near, manifold);
        }
        (Solid::Polyhedron(first), Solid::Polyhedron(second)) => {
            polyhedron_polyhedron::pair(first, second, &near, clipping, manifold);
        }
        (Solid::HalfSpace { .. }, Solid::HalfSpace { .. }) => {}
        (Solid::Ball(_) | Solid::Polyhedron(_), _) => {
            let start = manifold.points.len();
            narrow([b, a], near, clipping, manifold);
            for point in &mut manifold.points[start..] {
                *point = point.swapped();
            }
        }
    }
}
