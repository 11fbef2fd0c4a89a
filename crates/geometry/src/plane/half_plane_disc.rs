//! A half-plane and a disc.

use super::{Feature, Manifold, ManifoldPoint, Nearness, Placed};
use glam::DVec2;

pub(super) fn pair(
    [ground, disc]: [Placed; 2],
    normal: DVec2,
    swapped: bool,
    near: Nearness,
    manifold: &mut Manifold,
) {
    let height = normal.dot(disc.center - ground.center);
    let gap = height - disc.radius;
    if gap <= near.touching * disc.extent + near.margin {
        let (on_ground, on_disc) = (disc.center - height * normal, disc.center - disc.radius * normal);
        let found = ManifoldPoint {
            normal,
            gap,
            point: 0.5 * (on_ground + on_disc),
            arms: [on_ground - ground.center, -disc.radius * normal],
            features: [Feature::edge(0), Feature::vertex(0)],
        };
        manifold.points.push(if swapped { found.swapped() } else { found });
    }
}
