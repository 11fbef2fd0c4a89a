//! What touched, as data for responses, pictures and comparisons.

use crate::{EdgeIndex, HalfPlaneIndex, ParticleIndex};
use glam::DVec2;

/// Two things that touched in a step while coming nearer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParticleContact {
    /// Which two.
    pub pair: Pair,
    /// The unit normal from the first to the second. Under [`crate::ParticleSettings::course`] and
    /// for `simple` the shortest vector, when found: its length is their distance, not 1.
    pub vector: DVec2,
    /// Where they touch: the nearest point of the second, when found.
    pub point: DVec2,
    /// Distance of the surfaces when found, negative where they overlap.
    pub gap: f64,
    /// When in the step, from 0 to 1; 0 for methods that look at one moment only.
    pub time: f64,
    /// Impulse along the normal that pushed them apart, in newton seconds; 0 between things that
    /// cannot move.
    pub impulse: f64,
    /// Impulse of friction on the second; the first got the opposite.
    pub friction: DVec2,
}

/// A pair that can touch. The first is a particle, of lower index where both are particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// Two particles.
    ParticleParticle(ParticleIndex, ParticleIndex),
    /// A particle and an edge that it is no end of.
    ParticleEdge(ParticleIndex, EdgeIndex),
    /// A particle and a half-plane.
    ParticleHalfPlane(ParticleIndex, HalfPlaneIndex),
}
