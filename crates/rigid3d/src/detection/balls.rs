//! Balls against balls, half-spaces and polyhedra; corners against half-spaces.

use super::contact::{Contact, ContactKind, Feature};
use super::placement::{Nearness, Placed, Touch};
use glam::DVec3;

const SURFACE: u32 = 0;

/// A ball: its centre and radius.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

/// Two balls. Balls with the same centre are pushed apart along x.
pub(super) fn ball_ball(a: Ball, b: Ball, near: &Nearness, contacts: &mut Vec<Contact>) {
    let between = b.center - a.center;
    let distance = between.length();
    let normal = if distance > 0.0 { between / distance } else { DVec3::X };
    let gap = distance - a.radius - b.radius;
    let point = a.center + (a.radius + 0.5 * gap) * normal;
    let features = [Feature::face(SURFACE); 2];
    near.add(Touch { point, normal, gap, features, kind: ContactKind::Ball }, contacts);
}

/// A half-space through a point, and a ball.
pub(super) fn half_space_ball(
    (through, normal): (DVec3, DVec3),
    ball: Ball,
    near: &Nearness,
    contacts: &mut Vec<Contact>,
) {
    let gap = normal.dot(ball.center - through) - ball.radius;
    let point = ball.center - (ball.radius + 0.5 * gap) * normal;
    let features = [Feature::face(SURFACE); 2];
    near.add(Touch { point, normal, gap, features, kind: ContactKind::Ball }, contacts);
}

/// A half-space through a point, and every corner of a polyhedron that is near.
pub(super) fn half_space_corners(
    (through, normal): (DVec3, DVec3),
    solid: &Placed<'_>,
    near: &Nearness,
    contacts: &mut Vec<Contact>,
) {
    for (k, &vertex) in solid.vertices.iter().enumerate() {
        let gap = normal.dot(vertex - through);
        let point = vertex - 0.5 * gap * normal;
        let features = [Feature::face(SURFACE), Feature::vertex(k as u32)];
        near.add(Touch { point, normal, gap, features, kind: ContactKind::VertexFace }, contacts);
    }
}

/// A polyhedron and a ball: one contact, at the point of the polyhedron nearest to the centre, or out of the nearest face when
/// the centre is inside.
pub(super) fn polyhedron_ball(solid: &Placed<'_>, ball: Ball, near: &Nearness, contacts: &mut Vec<Contact>) {
    let (mut highest, mut top) = (f64::NEG_INFINITY, 0);
    for face in 0..solid.normals.len() {
        let height = solid.above(face, ball.center);
        if height > highest {
            (highest, top) = (height, face);
        }
    }
    let mut add = |normal: DVec3, distance: f64, feature: Feature| {
        let gap = distance - ball.radius;
        let point = ball.center - (ball.radius + 0.5 * gap) * normal;
        let features = [feature, Feature::face(SURFACE)];
        near.add(Touch { point, normal, gap, features, kind: ContactKind::Ball }, contacts);
    };
    if highest <= 0.0 {
        return add(solid.normals[top], highest, Feature::face(top as u32));
    }
    if highest - ball.radius > near.limit {
        return;
    }
    let mut nearest = (f64::INFINITY, DVec3::ZERO, Feature::face(top as u32));
    for face in (0..solid.normals.len()).filter(|&face| solid.above(face, ball.center) > 0.0) {
        let found = nearest_on_face(solid, face, ball.center);
        if found.0 < nearest.0 {
            nearest = found;
        }
    }
    let (distance, point, feature) = nearest;
    if distance > 0.0 && distance.is_finite() {
        let normal = match feature {
            // Exactly the face's normal, not one that rounding tilts.
            face if face == Feature::face(top as u32) => solid.normals[top],
            _ => (ball.center - point) / distance,
        };
        add(normal, distance, feature);
    }
}

/// Nearest point of a face to a point above it: distance, point, feature.
pub(super) fn nearest_on_face(solid: &Placed<'_>, face: usize, point: DVec3) -> (f64, DVec3, Feature) {
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
