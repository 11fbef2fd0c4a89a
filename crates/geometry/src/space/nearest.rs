//! The nearest points of two convex polyhedra that are apart.

use super::face::nearest_on_face;
use super::{ContactKind, Feature, ManifoldPoint, PlacedPolyhedron};
use glam::DVec3;

/// The nearest points: of all corners with all faces that they are above, and of all pairs of
/// edges. For solids of some tens of corners, and for the few pairs whose manifold does not have
/// them.
pub(super) fn nearest(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>) -> Option<ManifoldPoint> {
    let of_a = corner_and_face(a, b);
    let of_b = corner_and_face(b, a).map(ManifoldPoint::swapped);
    let corners = [of_a, of_b].into_iter().flatten().min_by(|p, q| p.gap.total_cmp(&q.gap));
    let limit = corners.map_or(f64::INFINITY, |point| point.gap);
    edges(a, b, limit).or(corners)
}

/// The corner of `b` that is nearest to a face of `a`.
fn corner_and_face(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>) -> Option<ManifoldPoint> {
    let mut best: Option<ManifoldPoint> = None;
    for (corner, &vertex) in b.vertices.iter().enumerate() {
        for face in 0..a.normals.len() {
            let least = best.map_or(f64::INFINITY, |best| best.gap);
            let height = a.above(face, vertex);
            if height <= 0.0 || height >= least {
                continue;
            }
            let (gap, on_face, feature) = nearest_on_face(a, face, vertex);
            if gap < least {
                let (point, normal) = (0.5 * (on_face + vertex), (vertex - on_face) / gap);
                let features = [feature, Feature::vertex(corner as u32)];
                best = Some(ManifoldPoint { point, normal, gap, features, kind: ContactKind::VertexFace });
            }
        }
    }
    best
}

/// The nearest two edges whose nearest points are not their ends; none beyond a limit. Ends belong
/// to corners.
fn edges(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, mut limit: f64) -> Option<ManifoldPoint> {
    let mut best = None;
    for i in 0..a.shape.edges().len() {
        let (p, u) = edge_of(a, i);
        for j in 0..b.shape.edges().len() {
            let (q, w) = edge_of(b, j);
            let Some([s, t]) = between_lines((p, u), (q, w)) else { continue };
            let inside = |x: f64| (0.0..=1.0).contains(&x);
            if !inside(s) || !inside(t) {
                continue;
            }
            let (own, other) = (p + s * u, q + t * w);
            let gap = own.distance(other);
            if gap < limit && gap > 0.0 {
                limit = gap;
                let (point, normal) = (0.5 * (own + other), (other - own) / gap);
                let features = [Feature::edge(i as u32), Feature::edge(j as u32)];
                let kind = ContactKind::EdgeEdge { first: u, second: w };
                best = Some(ManifoldPoint { point, normal, gap, features, kind });
            }
        }
    }
    best
}

/// Start and direction of an edge.
pub(super) fn edge_of(solid: &PlacedPolyhedron<'_>, edge: usize) -> (DVec3, DVec3) {
    let [start, end] = solid.shape.edges()[edge].corners.map(|corner| solid.vertices[corner as usize]);
    (start, end - start)
}

/// Nearest points of two lines: p + s u and q + t w with (q + t w − p − s u) across both. None
/// where they are parallel.
pub(super) fn between_lines((p, u): (DVec3, DVec3), (q, w): (DVec3, DVec3)) -> Option<[f64; 2]> {
    let (uu, uw, ww, r) = (u.dot(u), u.dot(w), w.dot(w), q - p);
    let det = uu * ww - uw * uw;
    let s = (ww * u.dot(r) - uw * w.dot(r)) / det;
    let t = (uw * u.dot(r) - uu * w.dot(r)) / det;
    (s.is_finite() && t.is_finite()).then_some([s, t])
}
