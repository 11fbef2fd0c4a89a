//! Which pairs touch while coming nearer: at one moment ([`overlap`]) or along straight paths
//! ([`swept`]).
//!
//! Pairs are checked in the course's canonical order: for each particle the particles of higher
//! index, then the edges that it is no end of, then the half-planes. A broad phase passes over
//! pairs that are far apart; it never changes the order.

pub(crate) mod boxes;
pub(crate) mod conditions_log;
pub(crate) mod overlap;
pub(crate) mod swept;
pub(crate) mod touching;

use crate::collision::{CollisionSettings, Pair, ParticleContact};
use crate::{Edge, Model, Particle, ParticleSettings};
use glam::DVec2;

/// What detection and responses look at besides positions and velocities.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) model: &'a Model,
    pub(crate) settings: &'a ParticleSettings,
    pub(crate) planes: &'a [Plane],
}

impl Context<'_> {
    pub(crate) fn collision(&self) -> &CollisionSettings {
        &self.settings.collision
    }

    pub(crate) fn particle(&self, i: usize) -> &Particle {
        &self.model.particles[i]
    }

    pub(crate) fn edge(&self, e: usize) -> &Edge {
        &self.model.edges[e]
    }

    /// The distance below which two things of these radii touch. The comparison is strict.
    pub(crate) fn reach(&self, radius: f64, other: f64) -> f64 {
        if self.settings.course {
            radius + other
        } else {
            (radius + other) * (1.0 + self.collision().touch_tolerance)
        }
    }

    /// Whether a particle and an edge can touch: it is not one of the ends.
    pub(crate) fn can_touch(&self, i: usize, e: usize) -> bool {
        let edge = self.edge(e);
        edge.start.0 != i && edge.end.0 != i
    }

    /// Whether a push between a particle and the place `alpha` of an edge moves anything by a
    /// reasonable way. Against a fixed particle, so near to a fixed end the other end would fly
    /// away.
    pub(crate) fn yields(&self, i: usize, e: usize, alpha: f64) -> bool {
        /// Shortest arm of a lever, in lengths of the edge.
        const SHORTEST: f64 = 1e-4;
        let edge = self.edge(e);
        let free = |k: usize| !self.particle(k).fixed;
        self.settings.course
            || free(i)
            || free(edge.start.0) && 1.0 - alpha > SHORTEST
            || free(edge.end.0) && alpha > SHORTEST
    }

    /// Pairs that cannot move are reported in the course's records, without effect, and nowhere
    /// else.
    pub(crate) fn reports(&self, movable: bool) -> bool {
        movable || self.settings.course
    }
}

/// A half-plane during one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// A boundary point when the step starts.
    pub(crate) start: DVec2,
    /// The same when it ends.
    pub(crate) end: DVec2,
    /// As the model has it.
    pub(crate) normal: DVec2,
    /// Outward, of length one.
    pub(crate) unit: DVec2,
    pub(crate) velocity: DVec2,
}

/// Puts the half-planes of a step that starts at `time` into `planes`.
pub(crate) fn place_planes(model: &Model, time: f64, time_step: f64, planes: &mut Vec<Plane>) {
    planes.clear();
    planes.extend(model.half_planes.iter().map(|h| Plane {
        start: h.point_at(time),
        end: h.point_at(time + time_step),
        normal: h.normal,
        // by the reciprocal, as the course's vector library divides
        unit: carom_geometry::particle::sweep::direction(h.normal).unwrap_or(DVec2::ZERO),
        velocity: h.velocity,
    }));
}

/// A contact to be answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DetectedContact {
    pub(crate) pair: Pair,
    /// The shortest vector from the first to the second.
    pub(crate) vector: DVec2,
    /// Its direction.
    pub(crate) unit: DVec2,
    /// Where on an edge, 0 to 1.
    pub(crate) alpha: f64,
    pub(crate) time: f64,
    /// Where the first was.
    pub(crate) position: DVec2,
}

impl DetectedContact {
    /// The hit as a contact. Its gap is for who knows radii.
    pub(crate) fn contact(&self, impulse: f64, friction: DVec2) -> ParticleContact {
        ParticleContact {
            pair: self.pair,
            vector: self.vector,
            point: self.position + self.vector,
            gap: f64::NAN,
            time: self.time,
            impulse,
            friction,
        }
    }
}
