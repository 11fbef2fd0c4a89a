//! Two discs.

use super::{Feature, Manifold, ManifoldPoint, Nearness, Placed};
use glam::DVec2;

/// A disc where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// Its centre.
    pub center: DVec2,
    /// Its radius.
    pub radius: f64,
    /// Its bounding radius, by which tolerances are measured.
    pub extent: f64,
}

pub(super) fn pair(a: Placed, b: Placed, near: Nearness, manifold: &mut Manifold) {
    let disc = |of: Placed| Disc { center: of.center, radius: of.radius, extent: of.extent };
    manifold.points.extend(discs(&disc(a), &disc(b), near));
}

/// Where two discs touch, if they are near enough. Arms are along the normal to the last bit, so
/// that a push without friction never turns a disc.
pub fn discs(a: &Disc, b: &Disc, near: Nearness) -> Option<ManifoldPoint> {
    let between = b.center - a.center;
    let (distance, radii) = (between.length(), a.radius + b.radius);
    let tolerance = near.touching * a.extent.min(b.extent);
    if distance > radii + tolerance + near.margin || distance.is_nan() {
        return None;
    }
    let on_top = distance <= tolerance;
    let normal =
        if on_top { between.try_normalize().unwrap_or(DVec2::X) } else { between * (1.0 / distance) };
    let arms = [a.radius * normal, -b.radius * normal];
    Some(ManifoldPoint {
        normal,
        gap: distance - radii,
        point: 0.5 * ((a.center + arms[0]) + (b.center - b.radius * normal)),
        arms,
        features: [Feature::vertex(0); 2],
    })
}
