//! Every vertex of one shape against every edge of another.

use super::broad_phase::Aabb;
use super::edge::{End, Nearest, is_beyond, nearest_on_edge};
use super::rotation::{cross, perp};
use super::{BOX_ROOM, Feature, Manifold, ManifoldPoint, Narrow, Nearness, Placed};
use glam::DVec2;

/// A vertex of one shape and the nearest point of the other.
pub(super) struct VertexContact {
    pub(super) vertex: DVec2,
    pub(super) point: DVec2,
    /// The edge, where the nearest point is not a vertex.
    pub(super) edge: Option<DVec2>,
    pub(super) features: [Feature; 2],
}

impl Narrow {
    /// The course's rule: every vertex and every edge that are near enough, whatever lies between.
    pub(super) fn vertices_on_edges_course(&mut self, [a, b]: [Placed; 2], swapped: bool, near: Nearness) {
        self.collect_near_edges(a, b, near);
        for (i, &x) in a.vertices.iter().enumerate() {
            for &k in &self.near_edges {
                let (start, end) = edge(b, k);
                let Nearest { point, .. } = nearest_on_edge(x, start, end);
                let features = [Feature::vertex(i), Feature::edge(k)];
                let touch = VertexContact { vertex: x, point, edge: None, features };
                if let Some(found) = contact(&touch, [a, b], swapped, near) {
                    let rotations = if swapped { [b.rotation, a.rotation] } else { [a.rotation, b.rotation] };
                    self.set.insert(found, rotations);
                }
            }
        }
    }

    /// Our rule: places where the distance between the outlines has a local minimum. A vertex
    /// counts against the inside of an edge it faces, and against another vertex only when each is
    /// in the other's corner; a corner is met once.
    pub(super) fn vertices_on_edges(
        &mut self,
        [a, b]: [Placed; 2],
        swapped: bool,
        near: Nearness,
        manifold: &mut Manifold,
    ) {
        self.collect_near_edges(a, b, near);
        for (i, &x) in a.vertices.iter().enumerate() {
            if b.solid && holds(&b.core, x) && is_inside(x, b.vertices) {
                manifold.points.extend(pushed_out((i, x), [a, b], swapped));
                continue;
            }
            for &k in &self.near_edges {
                let (start, end) = edge(b, k);
                let Nearest { point, end: corner } = nearest_on_edge(x, start, end);
                let touch = match corner {
                    None => {
                        let features = [Feature::vertex(i), Feature::edge(k)];
                        VertexContact { vertex: x, point, edge: Some(end - start), features }
                    }
                    Some(end) => match facing_corner((a, i), (b, k, end), swapped) {
                        Some(j) => {
                            let features = [Feature::vertex(i), Feature::vertex(j)];
                            VertexContact { vertex: x, point: b.vertices[j], edge: None, features }
                        }
                        None => continue,
                    },
                };
                manifold.points.extend(contact(&touch, [a, b], swapped, near));
            }
        }
    }

    /// Edges of `b` that come near the box of `a`. Edges without length are left out unless the
    /// course asks.
    fn collect_near_edges(&mut self, a: Placed, b: Placed, near: Nearness) {
        let reach =
            (a.radius + b.radius + near.margin) * (1.0 + BOX_ROOM) + near.touching * a.extent.min(b.extent);
        let around = a.core.grown(reach);
        self.near_edges.clear();
        for k in 0..edge_count(b) {
            let (start, end) = edge(b, k);
            let real = near.course || start != end;
            if real && around.overlaps(&Aabb { min: start.min(end), max: start.max(end) }) {
                self.near_edges.push(k);
            }
        }
    }
}

/// The number of the corner of `b` at one end of edge `k`, if vertex `i` of `a` is nearest to that
/// corner and not to the inside of an edge, and, where `a` is an outline, the other way round too.
/// Reported once: by the edge that starts there, and by the first of the pair.
fn facing_corner((a, i): (Placed, usize), (b, k, end): (Placed, usize, End), swapped: bool) -> Option<usize> {
    let single_edge = b.vertices.len() == 2;
    let j = match end {
        End::Start => k,
        End::End if single_edge => 1,
        End::End => return None,
    };
    let reported_here = a.is_disc || !swapped;
    let met = reported_here
        && is_in_corner(a.vertices[i], b.vertices, j)
        && (a.is_disc || is_in_corner(b.vertices[j], a.vertices, i));
    met.then_some(j)
}

/// Whether no inner point of the two edges at corner `j` is nearer to `x` than the corner.
fn is_in_corner(x: DVec2, outline: &[DVec2], j: usize) -> bool {
    let count = outline.len();
    let corner = outline[j];
    let other = |step: usize| {
        (1..count).map(|n| outline[(j + n * step) % count]).find(|&v| v != corner).unwrap_or(corner)
    };
    is_beyond(x, corner, other(1)) && is_beyond(x, corner, other(count - 1))
}

/// The contact of a vertex of `a` and its nearest point on `b`, if it is near enough.
pub(super) fn contact(
    touch: &VertexContact,
    [a, b]: [Placed; 2],
    swapped: bool,
    near: Nearness,
) -> Option<ManifoldPoint> {
    let between = touch.point - touch.vertex;
    let distance = between.length();
    let radii = a.radius + b.radius;
    let tolerance = near.touching * a.extent.min(b.extent);
    let touches = if near.course {
        distance > 0.0 && distance < radii + near.margin
    } else {
        distance <= radii + tolerance + near.margin
    };
    if !touches {
        return None;
    }
    let on_top = !near.course && distance <= tolerance;
    let normal = if on_top { side_of(touch, a, b) } else { between * (1.0 / distance) };
    Some(oriented(touch, normal, distance - radii, [a, b], swapped))
}

/// The normal where a vertex lies on an edge or on a vertex: from the side where the vertex's body
/// has its centre of mass; if that is on the line too, towards the centre of the other body; if
/// that also is, to the left of the edge.
fn side_of(touch: &VertexContact, a: Placed, b: Placed) -> DVec2 {
    let Some(edge) = touch.edge else {
        return (b.center - a.center).try_normalize().unwrap_or(DVec2::X);
    };
    let left = perp(edge).normalize_or(DVec2::X);
    if b.solid {
        return if is_counter_clockwise(b.vertices) { left } else { -left };
    }
    let own_side = left.dot(a.center - touch.point);
    let other_side = left.dot(b.center - touch.point);
    let tiny = 1e-9 * a.extent.min(b.extent);
    let away = if own_side.abs() > tiny { -own_side } else { other_side };
    if away < 0.0 { -left } else { left }
}

/// The contact of a vertex inside a solid outline: out by the nearest edge.
fn pushed_out((i, x): (usize, DVec2), [a, b]: [Placed; 2], swapped: bool) -> Option<ManifoldPoint> {
    let nearest = (0..edge_count(b))
        .map(|k| {
            let (start, end) = edge(b, k);
            (k, nearest_on_edge(x, start, end).point, end - start)
        })
        .min_by(|p, q| x.distance_squared(p.1).total_cmp(&x.distance_squared(q.1)));
    let (k, point, edge) = nearest?;
    let touch = VertexContact {
        vertex: x,
        point,
        edge: Some(edge),
        features: [Feature::vertex(i), Feature::edge(k)],
    };
    let depth = x.distance(point);
    let normal = side_of(&touch, a, b);
    Some(oriented(&touch, normal, -depth - (a.radius + b.radius), [a, b], swapped))
}

/// The record of a touch along a normal from `a` to `b`, the first of the pair first. The arm of a
/// disc is along the normal to the last bit, so that a push without friction never turns it.
fn oriented(
    touch: &VertexContact,
    normal: DVec2,
    gap: f64,
    [a, b]: [Placed; 2],
    swapped: bool,
) -> ManifoldPoint {
    let (on_a, on_b) = (touch.vertex + a.radius * normal, touch.point - b.radius * normal);
    let first_arm = if a.is_disc { a.radius * normal } else { on_a - a.center };
    let second_arm = if b.is_disc { -b.radius * normal } else { on_b - b.center };
    let found = ManifoldPoint {
        normal,
        gap,
        point: 0.5 * (on_a + on_b),
        arms: [first_arm, second_arm],
        features: touch.features,
    };
    if swapped { found.swapped() } else { found }
}

/// A shape of two vertices has one edge: the way back adds nothing. A disc has none.
fn edge_count(b: Placed) -> usize {
    match b.vertices.len() {
        0 | 1 => 0,
        2 => 1,
        count => count,
    }
}

fn edge(b: Placed, k: usize) -> (DVec2, DVec2) {
    (b.vertices[k], b.vertices[(k + 1) % b.vertices.len()])
}

fn holds(bounds: &Aabb, x: DVec2) -> bool {
    x.cmpge(bounds.min).all() && x.cmple(bounds.max).all()
}

/// Even-odd rule along the line to the right.
fn is_inside(x: DVec2, outline: &[DVec2]) -> bool {
    let mut inside = false;
    for (k, &a) in outline.iter().enumerate() {
        let b = outline[(k + 1) % outline.len()];
        if (a.y > x.y) != (b.y > x.y) && x.x < a.x + (x.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside = !inside;
        }
    }
    inside
}

fn is_counter_clockwise(outline: &[DVec2]) -> bool {
    let twice_area: f64 =
        outline.iter().enumerate().map(|(k, &a)| cross(a, outline[(k + 1) % outline.len()])).sum();
    twice_area > 0.0
}
