//! One impact: the changes of velocity of the particles of a pair (Theme 2 Milestone 1 hand-out,
//! section 3.3, equations 1 and 2).
//!
//! With n the unit vector from the first particle to the second thing, u the velocity of that
//! thing's nearest point less that of the particle, and c = (1 + restitution)/2, the relative
//! velocity changes by w n, w = 2 c u·n, shared out by the masses. Fixed particles have infinite
//! mass; the formulas are those of the hand-out, which stay finite then, in its order of
//! operations, on which the last bit depends.
//!
//! Friction is the rule of the collision lecture (Coulomb's law for velocities): the tangential
//! part of the relative velocity shrinks by μ|Δv_N|, at most to zero. A point contact of particles
//! moves equally easily in both directions, so the same shares apply.

use super::Pair;
use crate::Particle;
use crate::detection::{Context, DetectedContact};
use glam::DVec2;

/// The laws of an impact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Law {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
}

/// Changes of velocity of at most three particles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairImpulse {
    changes: [Change; 3],
    count: usize,
    /// Direction of the normal part of all changes.
    normal: DVec2,
    /// Speed at which the two came nearer, negative when they part.
    pub(crate) closing: f64,
    /// Impulse along the normal, positive when it pushes apart.
    pub(crate) magnitude: f64,
    /// Impulse of friction on the second thing.
    pub(crate) friction: DVec2,
}

/// The change of one particle: numerator over denominator along the normal, and a tangential part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    pub(crate) particle: usize,
    numerator: f64,
    denominator: f64,
    tangential: DVec2,
}

impl PairImpulse {
    pub(crate) fn changes(&self) -> &[Change] {
        &self.changes[..self.count]
    }

    /// Adds the changes to velocities.
    pub(crate) fn apply_to_velocities(&self, velocities: &mut [DVec2]) {
        for change in self.changes() {
            let normal = (change.numerator / change.denominator) * self.normal;
            velocities[change.particle] += normal + change.tangential;
        }
    }

    /// Adds the changes times the step to positions, in the course's order of operations.
    pub(crate) fn apply_to_positions(&self, time_step: f64, positions: &mut [DVec2]) {
        for change in self.changes() {
            let normal = (time_step * change.numerator / change.denominator) * self.normal;
            positions[change.particle] += normal + time_step * change.tangential;
        }
    }

    fn push(&mut self, particle: usize, numerator: f64, denominator: f64, tangential: DVec2) {
        self.changes[self.count] = Change { particle, numerator, denominator, tangential };
        self.count += 1;
    }
}

/// The answer to a contact between particles that move at `velocity`.
pub(crate) fn pair_impulse(
    context: &Context<'_>,
    hit: &DetectedContact,
    law: Law,
    velocity: impl Fn(usize) -> DVec2,
) -> PairImpulse {
    let nothing = Change { particle: 0, numerator: 0.0, denominator: 1.0, tangential: DVec2::ZERO };
    let n = hit.unit;
    let mut impulse = PairImpulse {
        changes: [nothing; 3],
        count: 0,
        normal: n,
        closing: 0.0,
        magnitude: 0.0,
        friction: DVec2::ZERO,
    };
    let c = 0.5 * (1.0 + law.restitution);
    match hit.pair {
        Pair::ParticleParticle(i, j) => {
            let [m1, m2] = [i.0, j.0].map(|k| mass(context.particle(k)));
            let away = velocity(j.0) - velocity(i.0);
            let w = 2.0 * c * away.dot(n);
            let slip = slip(away, n, w, law.friction);
            if m1.is_finite() {
                let share = 1.0 + m1 / m2;
                impulse.push(i.0, w, share, slip / share);
            }
            if m2.is_finite() {
                let share = m2 / m1 + 1.0;
                impulse.push(j.0, -w, share, -slip / share);
            }
            impulse.closing = -away.dot(n);
            let inverse = 1.0 / m1 + 1.0 / m2;
            impulse.magnitude = -w / inverse;
            impulse.friction = -slip / inverse;
        }
        Pair::ParticleEdge(i, e) => {
            let edge = context.edge(e.0);
            let (a, b) = (edge.start.0, edge.end.0);
            let [m1, m2, m3] = [i.0, a, b].map(|k| mass(context.particle(k)));
            let alpha = hit.alpha;
            let (p, q) = (1.0 - alpha, alpha);
            let away = nearest_velocity(context, alpha, [velocity(a), velocity(b)]) - velocity(i.0);
            let w = 2.0 * c * away.dot(n);
            let slip = slip(away, n, w, law.friction);
            if m1.is_finite() {
                let share = 1.0 + p * p * m1 / m2 + q * q * m1 / m3;
                impulse.push(i.0, w, share, slip / share);
            }
            if m2.is_finite() {
                let share = m2 / m1 + p * p + q * q * m2 / m3;
                impulse.push(a, -(p * w), share, -slip * (p / share));
            }
            if m3.is_finite() {
                let share = m3 / m1 + p * p * m3 / m2 + q * q;
                impulse.push(b, -(q * w), share, -slip * (q / share));
            }
            impulse.closing = -away.dot(n);
            let inverse = 1.0 / m1 + p * p / m2 + q * q / m3;
            impulse.magnitude = -w / inverse;
            impulse.friction = -slip / inverse;
        }
        Pair::ParticleHalfPlane(i, h) => {
            let particle = context.particle(i.0);
            let v = velocity(i.0) - context.planes[h.0].velocity;
            let w = 2.0 * c * v.dot(n);
            impulse.closing = v.dot(n);
            // in the course's program fixed particles bounce off half-planes too
            if !particle.fixed || context.settings.course {
                let slip = slip(-v, n, w, law.friction);
                impulse.push(i.0, -w, 1.0, slip);
                impulse.magnitude = particle.mass * w;
                impulse.friction = -particle.mass * slip;
            }
        }
    }
    if !impulse.magnitude.is_finite() {
        impulse.magnitude = 0.0; // nothing can move
    }
    if !impulse.friction.is_finite() {
        impulse.friction = DVec2::ZERO;
    }
    impulse
}

/// The velocity of the nearest point of an edge. The course's program computes it as the hand-out's
/// section 3.2.2 writes it: without bounce, rounding decides who still approaches.
fn nearest_velocity(context: &Context<'_>, alpha: f64, [a, b]: [DVec2; 2]) -> DVec2 {
    if context.settings.course { a + alpha * (b - a) } else { (1.0 - alpha) * a + alpha * b }
}

/// The change of the first particle's tangential velocity, were the other immovable.
fn slip(away: DVec2, n: DVec2, normal_change: f64, friction: f64) -> DVec2 {
    if friction == 0.0 {
        return DVec2::ZERO;
    }
    let tangential = away - away.dot(n) * n;
    let speed = tangential.length();
    let change = friction * normal_change.abs();
    if speed <= change { tangential } else { tangential * (change / speed) }
}

fn mass(particle: &Particle) -> f64 {
    if particle.fixed { f64::INFINITY } else { particle.mass }
}
