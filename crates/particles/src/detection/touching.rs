//! Pairs that touch.

use crate::collision::Pair;
use carom_geometry::particle::meeting::Way;
use carom_stepping::Motion;
use glam::DVec2;

/// Two things that touch, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touching {
    /// Which two; the first is a particle.
    pub pair: Pair,
    /// Unit normal from the first to the second.
    pub unit: DVec2,
    /// Where on an edge, 0 to 1.
    pub alpha: f64,
    /// Distance of the surfaces; negative where they overlap.
    pub gap: f64,
    /// Gaps up to this count as closed.
    pub tolerance: f64,
    /// Sum of the radii.
    pub extent: f64,
    /// Where they touch.
    pub point: DVec2,
}

/// A motion as geometry sees it.
pub(crate) fn way(motion: &Motion<DVec2>) -> Way {
    let [velocity, acceleration] = [&motion.velocity, &motion.acceleration].map(|x| DVec2::new(x[0], x[1]));
    Way { place: motion.pose, velocity, acceleration }
}
