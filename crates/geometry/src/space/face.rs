//! The point of a face nearest to a point.

use super::{Feature, PlacedPolyhedron};
use glam::DVec3;

/// Nearest point of a face to a point above it: distance, point, feature.
pub(super) fn nearest_on_face(
    solid: &PlacedPolyhedron<'_>,
    face: usize,
    point: DVec3,
) -> (f64, DVec3, Feature) {
    let shape = &solid.shape.faces()[face];
    let normal = solid.normals[face];
    let mut inside = true;
    let mut nearest = (f64::INFINITY, DVec3::ZERO, Feature::face(face as u32));
    for (k, (&corner, &edge)) in shape.corners.iter().zip(&shape.edges).enumerate() {
        let (start, end) = (solid.corner(face, k), solid.corner(face, k + 1));
        let along = end - start;
        if along.cross(normal).dot(point - start) <= 0.0 {
            continue;
        }
        inside = false;
        let s = along.dot(point - start) / along.length_squared();
        let next = shape.corners[(k + 1) % shape.corners.len()];
        let (found, feature) = if s <= 0.0 {
            (start, Feature::vertex(corner))
        } else if s >= 1.0 {
            (end, Feature::vertex(next))
        } else {
            (start + s * along, Feature::edge(edge))
        };
        let distance = found.distance(point);
        if distance < nearest.0 {
            nearest = (distance, found, feature);
        }
    }
    if inside {
        let height = solid.above(face, point);
        return (height, point - height * normal, Feature::face(face as u32));
    }
    nearest
}
