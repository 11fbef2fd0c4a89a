//! A half-space and a ball.

use super::{Ball, ContactKind, Feature, Manifold, ManifoldPoint, Nearness};
use glam::DVec3;

/// A half-space through a point, and a ball.
pub(super) fn pair((through, normal): (DVec3, DVec3), ball: Ball, near: &Nearness, manifold: &mut Manifold) {
    let gap = normal.dot(ball.center - through) - ball.radius;
    let point = ball.center - (ball.radius + 0.5 * gap) * normal;
    let features = [Feature::SURFACE; 2];
    near.add(ManifoldPoint { point, normal, gap, features, kind: ContactKind::Ball }, manifold);
}
