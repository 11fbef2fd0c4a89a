//! A half-plane and a polygon: every vertex that is near.

use super::{Feature, Manifold, ManifoldPoint, Nearness, Placed};
use glam::DVec2;

pub(super) fn pair(
    [ground, polygon]: [Placed; 2],
    normal: DVec2,
    swapped: bool,
    near: Nearness,
    manifold: &mut Manifold,
) {
    for (k, &vertex) in polygon.vertices.iter().enumerate() {
        let height = normal.dot(vertex - ground.center);
        let gap = height - polygon.radius;
        if gap <= near.touching * polygon.extent + near.margin {
            let (on_ground, on_polygon) = (vertex - height * normal, vertex - polygon.radius * normal);
            let found = ManifoldPoint {
                normal,
                gap,
                point: 0.5 * (on_ground + on_polygon),
                arms: [on_ground - ground.center, on_polygon - polygon.center],
                features: [Feature::edge(0), Feature::vertex(k)],
            };
            manifold.points.push(if swapped { found.swapped() } else { found });
        }
    }
}
