//! The repulsion of `hybrid`: between slow things only, and with friction.
//!
//! Bridson, Fedkiw and Anderson, "Robust treatment of collisions, contact and friction for cloth
//! animation" (SIGGRAPH 2002), section 7.2: repulsion holds apart what is near and slow; what meets
//! fast is left to impacts, whose energy a soft layer would change.

use super::{Configuration, PenaltyForce};
use crate::collision::Response;
use crate::force::penalty::Repulsion;
use crate::{ParticleSettings, State};
use glam::DVec2;

/// Part of the thickness by which a slow pair comes nearer or parts in a step.
const SLOW: f64 = 0.1;

/// Which pairs the repulsion acts on, decided where a step begins: it does not change within one.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// Speeds along the normal below this are slow.
    fast: f64,
    /// One per particle, at the start of the step.
    velocities: Vec<DVec2>,
}

impl Layer {
    /// The layer of `hybrid`; the course's repulsion and that of `penalty` act on all pairs.
    pub(super) fn of(settings: &ParticleSettings) -> Self {
        let fast = match settings.collision.response {
            Response::Hybrid { penalty, .. } if !settings.course => {
                SLOW * penalty.thickness / settings.time_step
            }
            _ => f64::INFINITY,
        };
        Self { fast, velocities: Vec::new() }
    }

    pub(super) fn start(&mut self, velocities: &[DVec2]) {
        if self.fast < f64::INFINITY {
            self.velocities.clear();
            self.velocities.extend_from_slice(velocities);
        }
    }

    /// Whether the repulsion acts on a pair.
    pub(super) fn acts(&self, i: usize, repulsion: &Repulsion) -> bool {
        if self.fast == f64::INFINITY {
            return true;
        }
        let velocity = repulsion.slip(i, &self.velocities);
        velocity.dot(repulsion.direction).abs() < self.fast
    }
}

impl Repulsion {
    /// The velocity of the first particle against the nearest point of the other.
    fn slip(&self, i: usize, velocities: &[DVec2]) -> DVec2 {
        let others = self.others.iter().filter(|(_, weight)| *weight != 0.0);
        others.fold(velocities[i] - self.velocity, |slip, &(k, weight)| slip - weight * velocities[k])
    }
}

impl PenaltyForce {
    /// Friction of what the repulsion carries: a pair that it pushes with the force F at the start
    /// of a step slows down along itself by an impulse of at most μ F h, the rule of an impact with
    /// the normal part spread over the step.
    pub(super) fn rub(&mut self, at: Configuration<'_>, settings: &ParticleSettings, end: &mut State) {
        let (friction, time_step) = (settings.collision.friction, settings.time_step);
        let inverse_mass = |k: usize| {
            let particle = &at.model.particles[k];
            if particle.fixed { 0.0 } else { 1.0 / particle.mass }
        };
        self.for_each(at, |i, repulsion, acts| {
            let others = repulsion.others.iter().filter(|(_, weight)| *weight != 0.0);
            let mut slip = repulsion.slip(i, &end.velocities);
            let weighed = others.clone().map(|&(k, weight)| weight * weight * inverse_mass(k));
            let mobility = inverse_mass(i) + weighed.sum::<f64>();
            slip -= slip.dot(repulsion.direction) * repulsion.direction;
            let speed = slip.length();
            if !acts || speed == 0.0 || mobility == 0.0 {
                return;
            }
            let impulse = (friction * -repulsion.slope * time_step).min(speed / mobility);
            let push = slip * (impulse / speed);
            let mut change = |k: usize, push: DVec2| {
                let change = inverse_mass(k) * push;
                end.velocities[k] += change;
                end.positions[k] += time_step * change;
            };
            change(i, -push);
            others.for_each(|&(k, weight)| change(k, weight * push));
        });
    }
}
