//! A half-space and a polyhedron.

use super::{ContactKind, Feature, Manifold, ManifoldPoint, Nearness, PlacedPolyhedron};
use glam::DVec3;

/// A half-space through a point, and every corner of a polyhedron that is near.
pub(super) fn pair(
    (through, normal): (DVec3, DVec3),
    solid: &PlacedPolyhedron<'_>,
    near: &Nearness,
    manifold: &mut Manifold,
) {
    for (k, &vertex) in solid.vertices.iter().enumerate() {
        let gap = normal.dot(vertex - through);
        let point = vertex - 0.5 * gap * normal;
        let features = [Feature::SURFACE, Feature::vertex(k as u32)];
        near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::VertexFace }, manifold);
    }
}
