//! Two balls.

use super::{Ball, ContactKind, Feature, Manifold, ManifoldPoint, Nearness};
use glam::DVec3;

/// Two balls. Balls with the same centre are pushed apart along x.
pub(super) fn pair(a: Ball, b: Ball, near: &Nearness, manifold: &mut Manifold) {
    let between = b.center - a.center;
    let distance = between.length();
    let normal = if distance > 0.0 { between / distance } else { DVec3::X };
    let gap = distance - a.radius - b.radius;
    let point = a.center + (a.radius + 0.5 * gap) * normal;
    let features = [Feature::SURFACE; 2];
    near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::Ball }, manifold);
}
