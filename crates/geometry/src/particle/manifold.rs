//! Where a point with a radius around it touches something: a manifold of one point.

use super::distance::point_segment::shortest_vector;
use super::sweep::direction;
use glam::DVec2;

/// Where two things are nearest. The features are the point and, on a segment, the place between
/// its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// Unit normal from the point to the other.
    pub normal: DVec2,
    /// Distance of the surfaces along it; negative where they overlap.
    pub gap: f64,
    /// Where on a segment, 0 to 1; 0 for the others.
    pub alpha: f64,
}

/// Two points, `reach` the sum of their radii. Those in one place are pushed apart along x.
pub fn point_point(first: DVec2, second: DVec2, reach: f64) -> ManifoldPoint {
    along(second - first, None, 0.0, reach)
}

/// A point and a half-plane through another point, with a unit normal out of it.
pub fn point_half_plane(x: DVec2, (through, normal): (DVec2, DVec2), reach: f64) -> ManifoldPoint {
    along(through - x, Some(-normal), 0.0, reach)
}

/// A point and a segment.
pub fn point_segment(x: DVec2, [start, end]: [DVec2; 2], reach: f64) -> ManifoldPoint {
    let nearest = shortest_vector(x, start, end);
    let normal = across(nearest.vector, nearest.alpha, end - start);
    along(nearest.vector, normal, nearest.alpha, reach)
}

fn along(vector: DVec2, normal: Option<DVec2>, alpha: f64, reach: f64) -> ManifoldPoint {
    let normal = normal.or_else(|| direction(vector)).unwrap_or(DVec2::X);
    ManifoldPoint { normal, gap: vector.dot(normal) - reach, alpha }
}

/// The unit normal of a segment towards where a vector that meets it beside its ends comes from;
/// exact where the vector is short. None at the ends.
pub(super) fn across(vector: DVec2, alpha: f64, along: DVec2) -> Option<DVec2> {
    let normal = direction(along).filter(|_| alpha > 0.0 && alpha < 1.0)?.perp();
    Some(if vector.dot(normal) < 0.0 { -normal } else { normal })
}
