//! Two convex polyhedra: the axis that separates them best, and the contacts on it.
//!
//! Axes are the normals of both solids' faces and the cross products of those pairs of edges that
//! make a face of the Minkowski difference (Gregorius, "The separating axis test between convex
//! polyhedra", Game Developers Conference 2013). A face axis gives the corners of the facing face
//! clipped to the face below it; an edge axis gives one contact where the edges cross.
//!
//! The gap along the best axis is the distance of the two solids when they overlap or when a face
//! or two edges are nearest. When a corner is nearest to a corner or an edge it is less, and no
//! corner lies above a face: then the nearest points of those edges, or of the corners to the face,
//! make contacts along the lines between them, and the nearest points of the solids are added.

use super::clipping::{self, Clipping};
use super::face::nearest_on_face;
use super::nearest::{between_lines, edge_of, nearest};
use super::{ContactKind, Feature, Manifold, ManifoldPoint, Nearness, PlacedPolyhedron};
use glam::DVec3;

/// A face axis is kept against one that is better by less than this part of the smaller extent:
/// contacts on faces are steadier.
const PREFERENCE: f64 = 1e-7;

/// An edge axis that is better by less than this part of the smaller extent means faces that are
/// nearly parallel: their contacts are kept, with gaps that the edges give. One contact instead of
/// several would let solids rock.
const NEARLY_FLAT: f64 = 5e-3;

/// Edges are parallel when the square of the sine of their angle is below this.
const PARALLEL: f64 = 1e-12;

/// A crossing of edges may lie beyond their ends by this part of them.
const BEYOND_END: f64 = 1e-9;

/// The best face axis of one solid against the other.
#[derive(Debug, Clone, Copy)]
struct FaceAxis {
    separation: f64,
    face: usize,
}

/// The best edge axis.
#[derive(Debug, Clone, Copy)]
struct EdgeAxis {
    separation: f64,
    edges: [usize; 2],
    normal: DVec3,
}

/// Adds the contacts of a pair.
pub(super) fn pair(
    a: &PlacedPolyhedron<'_>,
    b: &PlacedPolyhedron<'_>,
    near: &Nearness,
    clipping: &mut Clipping,
    manifold: &mut Manifold,
) {
    let start = manifold.points.len();
    let Some(separation) = contacts_on_axis(a, b, near, clipping, manifold) else { return };
    let least = least_gap(&manifold.points[start..]);
    // No gap is less than what the axis says. Where all are larger, the nearest points may be
    // others.
    if separation <= near.tolerance || least <= separation + PREFERENCE * near.extent {
        return;
    }
    let Some(nearest) = nearest(a, b).filter(|nearest| nearest.gap < least) else { return };
    let mut known = manifold.points[start..].iter_mut();
    match known.find(|contact| contact.features == nearest.features) {
        Some(known) => *known = nearest,
        None => near.add(nearest, manifold),
    }
}

fn least_gap(points: &[ManifoldPoint]) -> f64 {
    points.iter().fold(f64::INFINITY, |least, contact| least.min(contact.gap))
}

/// Adds the contacts on the best axis; returns the gap along it, unless it is beyond the limit.
fn contacts_on_axis(
    a: &PlacedPolyhedron<'_>,
    b: &PlacedPolyhedron<'_>,
    near: &Nearness,
    clipping: &mut Clipping,
    manifold: &mut Manifold,
) -> Option<f64> {
    let of_a = best_face(a, b, near.limit)?;
    let of_b = best_face(b, a, near.limit)?;
    let face = of_a.separation.max(of_b.separation);
    let preference = PREFERENCE * near.extent;
    let lift = match best_edges(a, b, face + preference, near.limit) {
        EdgeSearch::Apart => return None,
        EdgeSearch::Better(axis) if axis.separation > face + NEARLY_FLAT * near.extent => {
            cross(a, b, &axis, near, manifold);
            return Some(axis.separation);
        }
        EdgeSearch::Better(axis) => axis.separation - face,
        EdgeSearch::Worse => 0.0,
    };
    let start = manifold.points.len();
    let lowered = Nearness { tolerance: near.tolerance - lift, ..*near };
    let along_normal;
    if of_a.separation >= of_b.separation - preference {
        along_normal = face_contacts((a, of_a.face), b, &lowered, clipping, manifold);
    } else {
        along_normal = face_contacts((b, of_b.face), a, &lowered, clipping, manifold);
        for contact in &mut manifold.points[start..] {
            *contact = contact.swapped();
        }
    }
    let least = least_gap(&manifold.points[start..]);
    let separation = face + lift;
    // The lowest corner may be beside the face: what the axis says is the gap of the lowest that is
    // above it.
    let hides = separation <= near.tolerance && least > near.tolerance;
    let shift = if along_normal && (lift > 0.0 || hides) { separation - least } else { 0.0 };
    for contact in &mut manifold.points[start..] {
        contact.gap += shift;
    }
    let mut kept = start;
    for k in start..manifold.points.len() {
        if manifold.points[k].gap <= near.limit {
            manifold.points.swap(kept, k);
            kept += 1;
        }
    }
    manifold.points.truncate(kept);
    Some(separation)
}

/// The gap along the axis that separates two solids best, and that axis, from the first to the
/// second. Negative where they overlap.
pub(super) fn separation(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>) -> (f64, DVec3) {
    let deepest = FaceAxis { separation: f64::NEG_INFINITY, face: 0 };
    let of_a = best_face(a, b, f64::INFINITY).unwrap_or(deepest);
    let of_b = best_face(b, a, f64::INFINITY).unwrap_or(deepest);
    let face = match of_a.separation >= of_b.separation {
        true => (of_a.separation, a.normals[of_a.face]),
        false => (of_b.separation, -b.normals[of_b.face]),
    };
    match best_edges(a, b, face.0, f64::INFINITY) {
        EdgeSearch::Better(axis) => (axis.separation, axis.normal),
        _ => face,
    }
}

/// The face of `a` above which `b` is highest; none if some face has it beyond the limit.
fn best_face(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, limit: f64) -> Option<FaceAxis> {
    let mut best = FaceAxis { separation: f64::NEG_INFINITY, face: 0 };
    for face in 0..a.normals.len() {
        let normal = a.normals[face];
        let lowest = b.vertices.iter().fold(f64::INFINITY, |low, &v| low.min(normal.dot(v)));
        let separation = lowest - normal.dot(a.corner(face, 0));
        if separation > limit {
            return None;
        }
        if separation > best.separation {
            best = FaceAxis { separation, face };
        }
    }
    Some(best)
}

enum EdgeSearch {
    /// No edge axis separates better than what is known.
    Worse,
    Better(EdgeAxis),
    /// Farther apart than the limit.
    Apart,
}

fn best_edges(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, beat: f64, limit: f64) -> EdgeSearch {
    let mut best = EdgeAxis { separation: beat, edges: [usize::MAX; 2], normal: DVec3::ZERO };
    for (i, edge) in a.shape.edges().iter().enumerate() {
        let (from, along) = edge_of(a, i);
        let [left, right] = edge.faces.map(|face| a.normals[face as usize]);
        for (j, other) in b.shape.edges().iter().enumerate() {
            let [other_left, other_right] = other.faces.map(|face| b.normals[face as usize]);
            // The arcs of the two edges on the Gauss map of the Minkowski difference cross.
            let (c, d) = (other_left.dot(along), other_right.dot(along));
            if c * d >= 0.0 {
                continue;
            }
            let (other_from, other_along) = edge_of(b, j);
            let (e, f) = (left.dot(other_along), right.dot(other_along));
            if e * f >= 0.0 || c * f >= 0.0 {
                continue;
            }
            let across = along.cross(other_along);
            let square = across.length_squared();
            if square <= PARALLEL * along.length_squared() * other_along.length_squared() {
                continue;
            }
            let outward = if across.dot(from - a.center) < 0.0 { -across } else { across };
            let normal = outward / square.sqrt();
            let separation = normal.dot(other_from - from);
            if separation > limit {
                return EdgeSearch::Apart;
            }
            if separation > best.separation {
                best = EdgeAxis { separation, edges: [i, j], normal };
            }
        }
    }
    if best.edges[0] == usize::MAX { EdgeSearch::Worse } else { EdgeSearch::Better(best) }
}

/// One contact where two edges cross, if they do.
fn cross(
    a: &PlacedPolyhedron<'_>,
    b: &PlacedPolyhedron<'_>,
    axis: &EdgeAxis,
    near: &Nearness,
    manifold: &mut Manifold,
) {
    let [i, j] = axis.edges;
    let ((p, u), (q, w)) = (edge_of(a, i), edge_of(b, j));
    let [s, t] = between_lines((p, u), (q, w)).unwrap_or_default();
    let on = |x: f64| (-BEYOND_END..=1.0 + BEYOND_END).contains(&x);
    let (own, other) = (p + s.clamp(0.0, 1.0) * u, q + t.clamp(0.0, 1.0) * w);
    let point = 0.5 * (own + other);
    let features = [Feature::edge(i as u32), Feature::edge(j as u32)];
    let kind = ContactKind::EdgeEdge { first: u, second: w };
    if axis.separation > near.tolerance && !(on(s) && on(t)) {
        // Beyond an end: a corner against an edge or a corner, along the line between them.
        let gap = own.distance(other);
        return near.add(ManifoldPoint { point, normal: (other - own) / gap, gap, features, kind }, manifold);
    }
    near.add(ManifoldPoint { point, normal: axis.normal, gap: axis.separation, features, kind }, manifold);
}

/// The facing face of `b`, clipped to a face of `a`: contacts of its corners with the face, and of
/// its edges with the edges. Returns whether gaps are along the normal of the face.
fn face_contacts(
    (a, face): (&PlacedPolyhedron<'_>, usize),
    b: &PlacedPolyhedron<'_>,
    near: &Nearness,
    clipping: &mut Clipping,
    manifold: &mut Manifold,
) -> bool {
    let normal = a.normals[face];
    let mut facing = (f64::INFINITY, 0);
    for (k, other) in b.normals.iter().enumerate() {
        let cosine = normal.dot(*other);
        if cosine < facing.0 {
            facing = (cosine, k);
        }
    }
    let start = manifold.points.len();
    for corner in clipping.clip((a, face), (b, facing.1), near.extent) {
        let gap = a.above(face, corner.point);
        let (features, kind) = match corner.source {
            clipping::Source::Vertex(k) => {
                ([Feature::face(face as u32), Feature::vertex(k)], ContactKind::VertexFace)
            }
            clipping::Source::Crossing { own, other } => {
                let (first, second) = (edge_of(a, own as usize).1, edge_of(b, other as usize).1);
                ([Feature::edge(own), Feature::edge(other)], ContactKind::EdgeEdge { first, second })
            }
            clipping::Source::OwnVertex { edges } => {
                let features = [shared_corner(a, edges), Feature::face(facing.1 as u32)];
                (features, ContactKind::VertexFace)
            }
        };
        let point = corner.point - 0.5 * gap * normal;
        near.add(ManifoldPoint { point, normal, gap, features, kind }, manifold);
    }
    if manifold.points.len() > start {
        return true;
    }
    corners_beside((a, face), (b, facing.1), near, manifold);
    if manifold.points.len() > start {
        return false;
    }
    deepest_corner((a, face), b, near, manifold);
    true
}

/// Corners of the facing face that are beside the face and above its plane: along the lines to the
/// nearest points of the face.
fn corners_beside(
    (a, face): (&PlacedPolyhedron<'_>, usize),
    (b, facing): (&PlacedPolyhedron<'_>, usize),
    near: &Nearness,
    manifold: &mut Manifold,
) {
    for &corner in &b.shape.faces()[facing].corners {
        let vertex = b.vertices[corner as usize];
        if a.above(face, vertex) <= near.tolerance {
            continue;
        }
        let (gap, nearest, feature) = nearest_on_face(a, face, vertex);
        let (point, normal) = (0.5 * (nearest + vertex), (vertex - nearest) / gap);
        let features = [feature, Feature::vertex(corner)];
        near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::VertexFace }, manifold);
    }
}

/// The corner in which two edges of a face meet.
fn shared_corner(solid: &PlacedPolyhedron<'_>, edges: [u32; 2]) -> Feature {
    let [first, second] = edges.map(|edge| solid.shape.edges()[edge as usize].corners);
    let shared = first.into_iter().find(|corner| second.contains(corner));
    shared.map_or(Feature::edge(edges[0]), Feature::vertex)
}

/// Solids that overlap where no corner lies above the face: the lowest corner stands for them.
fn deepest_corner(
    (a, face): (&PlacedPolyhedron<'_>, usize),
    b: &PlacedPolyhedron<'_>,
    near: &Nearness,
    manifold: &mut Manifold,
) {
    let mut lowest = (f64::INFINITY, 0);
    for (k, &vertex) in b.vertices.iter().enumerate() {
        let gap = a.above(face, vertex);
        if gap < lowest.0 {
            lowest = (gap, k);
        }
    }
    let (gap, k) = lowest;
    if gap <= near.tolerance {
        let normal = a.normals[face];
        let features = [Feature::face(face as u32), Feature::vertex(k as u32)];
        let point = b.vertices[k] - 0.5 * gap * normal;
        near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::VertexFace }, manifold);
    }
}
