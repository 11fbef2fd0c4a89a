//! Pairs that overlap at one moment and come nearer (Theme 2 Milestone 1 hand-out, section 3.2).
//!
//! Overlap: the length of the shortest vector n is below the reach of both, strictly. Coming
//! nearer: the relative velocity has a positive part along n, strictly. Things that are exactly in
//! the same place have no n and do not collide.

use super::{Context, DetectedContact};
use crate::collision::Pair;
use crate::{EdgeIndex, HalfPlaneIndex, ParticleIndex, State};
use carom_geometry::particle::distance::{point_half_plane, point_point, point_segment};
use carom_geometry::particle::sweep::direction;
use glam::DVec2;

/// Whether a pair must come nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approach {
    /// Yes: it is a collision.
    Required,
    /// No: touching is enough.
    Any,
    /// No, and being near by a part of the reach is enough too.
    Near,
}

/// The part of the reach beyond it that is still near.
pub(crate) const NEAR: f64 = 0.05;

impl Approach {
    fn admits(self, speed: f64) -> bool {
        speed > 0.0 || (self != Self::Required && !speed.is_nan())
    }

    fn widened(self, reach: f64) -> f64 {
        if self == Self::Near { reach * (1.0 + NEAR) } else { reach }
    }
}

/// Two particles.
pub(crate) fn particle_particle(
    context: &Context<'_>,
    state: &State,
    [i, j]: [usize; 2],
    nearer: Approach,
) -> Option<DetectedContact> {
    let (first, second) = (context.particle(i), context.particle(j));
    let vector = point_point::shortest_vector(state.positions[i], state.positions[j]);
    let touches = vector.length() < nearer.widened(context.reach(first.radius, second.radius));
    let approach = (state.velocities[i] - state.velocities[j]).dot(vector);
    let movable = !first.fixed || !second.fixed;
    if !(touches && nearer.admits(approach) && context.reports(movable)) {
        return None;
    }
    let pair = Pair::ParticleParticle(ParticleIndex(i), ParticleIndex(j));
    hit(pair, vector, 0.0, state.positions[i])
}

/// A particle and an edge that it is no end of.
pub(crate) fn particle_edge(
    context: &Context<'_>,
    state: &State,
    [i, e]: [usize; 2],
    nearer: Approach,
) -> Option<DetectedContact> {
    let (particle, edge) = (context.particle(i), context.edge(e));
    let (a, b) = (edge.start.0, edge.end.0);
    let nearest = point_segment::shortest_vector(state.positions[i], state.positions[a], state.positions[b]);
    if nearest.vector.length() >= nearer.widened(context.reach(particle.radius, edge.radius)) {
        return None;
    }
    let (va, vb) = (state.velocities[a], state.velocities[b]);
    let approach = (state.velocities[i] - va - nearest.alpha * (vb - va)).dot(nearest.vector);
    let movable = !particle.fixed || !context.particle(a).fixed || !context.particle(b).fixed;
    if !nearer.admits(approach) || !context.reports(movable) || !context.yields(i, e, nearest.alpha) {
        return None;
    }
    let pair = Pair::ParticleEdge(ParticleIndex(i), EdgeIndex(e));
    hit(pair, nearest.vector, nearest.alpha, state.positions[i])
}

/// A particle and a half-plane. For the course it is a line that acts within the radius from both
/// sides; for us it is solid.
pub(crate) fn particle_half_plane(
    context: &Context<'_>,
    state: &State,
    [i, h]: [usize; 2],
    nearer: Approach,
) -> Option<DetectedContact> {
    let (particle, plane) = (context.particle(i), &context.planes[h]);
    let (x, v) = (state.positions[i], state.velocities[i]);
    let pair = Pair::ParticleHalfPlane(ParticleIndex(i), HalfPlaneIndex(h));
    if context.settings.course {
        let vector = point_half_plane::vector_to_boundary_by_unit(x, plane.end, plane.unit);
        let collides = vector.length() < particle.radius && nearer.admits((v - plane.velocity).dot(vector));
        return if collides { hit(pair, vector, 0.0, x) } else { None };
    }
    let height = point_half_plane::height(x, plane.end, plane.unit);
    let sinks = nearer.admits(-(v - plane.velocity).dot(plane.unit));
    let collides = height < nearer.widened(context.reach(particle.radius, 0.0)) && sinks && !particle.fixed;
    let vector = -height * plane.unit;
    collides.then_some(DetectedContact {
        pair,
        vector,
        unit: -plane.unit,
        alpha: 0.0,
        time: 0.0,
        position: x,
    })
}

fn hit(pair: Pair, vector: DVec2, alpha: f64, position: DVec2) -> Option<DetectedContact> {
    Some(DetectedContact { pair, vector, unit: direction(vector)?, alpha, time: 0.0, position })
}
