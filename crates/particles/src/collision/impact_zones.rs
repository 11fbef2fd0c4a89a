//! Groups of particles that move rigidly because impulses did not part them in time (Harmon, Vouga,
//! Tamstorf and Grinspun, Robust treatment of simultaneous collisions, 2008; the failsafe of the
//! Theme 2 Milestone 2 hand-out).
//!
//! A zone that holds a fixed particle or touches a half-plane stays where it was when the step
//! began. Any other keeps its linear and angular momentum: it moves by the mean displacement of its
//! masses and turns about their centre by L/I. After zones moved, new contacts may appear; they
//! join zones until no zone changes, which happens after at most as many rounds as there are
//! particles.

use super::hybrid::detect;
use super::{Handler, Pair, Step};
use crate::detection::{Context, DetectedContact};
use carom_numerics::elementary;
use glam::DVec2;

/// A partition of the particles by union-find, with buffers that are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Zones {
    /// Parent of each particle; the root of a zone is its lowest index.
    parents: Vec<u32>,
    /// For roots: whether the zone touches a half-plane.
    held: Vec<bool>,
    /// For roots: how many particles the zone has.
    sizes: Vec<u32>,
    /// Zones of more than one particle or held ones, as (root, particle), sorted.
    members: Vec<(u32, u32)>,
}

/// Moves zones until no new contact joins one. Gives the number of rounds.
pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>) -> u32 {
    step.note();
    detect(handler, step);
    handler.zones.start(step.end.positions.len());
    handler.zones.add(&step.context, &handler.hits);
    let mut rounds = 0;
    loop {
        rounds += 1;
        handler.zones.collect();
        for zone in handler.zones.members.chunk_by(|a, b| a.0 == b.0) {
            move_rigidly(step, zone, handler.zones.held[zone[0].0 as usize]);
        }
        detect(handler, step);
        if !handler.zones.add(&step.context, &handler.hits) {
            return rounds;
        }
    }
}

impl Zones {
    fn start(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
        self.held.clear();
        self.held.resize(count, false);
    }

    /// Joins the particles of each hit. Whether a zone changed.
    fn add(&mut self, context: &Context<'_>, hits: &[DetectedContact]) -> bool {
        let mut changed = false;
        for hit in hits {
            changed |= match hit.pair {
                Pair::ParticleParticle(i, j) => self.join(i.0, j.0),
                Pair::ParticleEdge(i, e) => {
                    let edge = context.edge(e.0);
                    let first = self.join(i.0, edge.start.0);
                    self.join(i.0, edge.end.0) || first
                }
                Pair::ParticleHalfPlane(i, _) => {
                    let root = self.root(i.0);
                    !std::mem::replace(&mut self.held[root], true)
                }
            };
        }
        changed
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.parents[i] as usize != i {
            self.parents[i] = self.parents[self.parents[i] as usize];
            i = self.parents[i] as usize;
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high] = low as u32;
        self.held[low] |= self.held[high];
        low != high
    }

    /// Lists the zones: whatever shares a root with another particle, or is held by a half-plane.
    fn collect(&mut self) {
        self.sizes.clear();
        self.sizes.resize(self.parents.len(), 0);
        for i in 0..self.parents.len() {
            let root = self.root(i);
            self.sizes[root] += 1;
        }
        self.members.clear();
        for i in 0..self.parents.len() {
            let root = self.root(i);
            if self.sizes[root] > 1 || self.held[root] {
                self.members.push((root as u32, i as u32));
            }
        }
        self.members.sort_unstable();
    }
}

fn move_rigidly(step: &mut Step<'_>, zone: &[(u32, u32)], held: bool) {
    let context = step.context;
    let particles = || zone.iter().map(|(_, i)| *i as usize);
    if held || particles().any(|i| context.particle(i).fixed) {
        for i in particles() {
            step.end.positions[i] = step.start.positions[i];
            step.end.velocities[i] *= 0.0; // keeps the sign of zero, as the course's program
        }
        return;
    }
    let time_step = context.settings.time_step;
    let inverse_step = 1.0 / time_step;
    let (mut mass, mut center, mut shift) = (0.0, DVec2::ZERO, DVec2::ZERO);
    for i in particles() {
        let m = context.particle(i).mass;
        mass += m;
        center += m * step.start.positions[i];
        shift += m * (step.end.positions[i] - step.start.positions[i]);
    }
    center *= 1.0 / mass;
    shift *= 1.0 / mass;
    let (mut spin, mut inertia) = (0.0, 0.0);
    for i in particles() {
        let m = context.particle(i).mass;
        let arm = step.start.positions[i] - center;
        let displacement = step.end.positions[i] - step.start.positions[i];
        spin += m * arm.perp_dot(displacement - shift);
        inertia += m * arm.length_squared();
    }
    // particles all in one place cannot turn
    let angle = if inertia > 0.0 { spin / inertia } else { 0.0 };
    let (sin, cos) = elementary::sin_cos(angle);
    for i in particles() {
        let arm = step.start.positions[i] - center;
        let turned = DVec2::new(cos * arm.x - sin * arm.y, sin * arm.x + cos * arm.y);
        step.end.positions[i] = center + shift + turned;
        step.end.velocities[i] = (step.end.positions[i] - step.start.positions[i]) * inverse_step;
    }
}
