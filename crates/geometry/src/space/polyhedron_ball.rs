//! A polyhedron and a ball.

use super::face::nearest_on_face;
use super::{Ball, ContactKind, Feature, Manifold, ManifoldPoint, Nearness, PlacedPolyhedron};
use glam::DVec3;

/// A polyhedron and a ball: one contact, at the point of the polyhedron nearest to the centre, or
/// out of the nearest face when the centre is inside.
pub(super) fn pair(solid: &PlacedPolyhedron<'_>, ball: Ball, near: &Nearness, manifold: &mut Manifold) {
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
        let features = [feature, Feature::SURFACE];
        near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::Ball }, manifold);
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
