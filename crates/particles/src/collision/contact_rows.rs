//! Everything that touches at the end of the step as one contact problem, solved at once (`carom-contact`).
//!
//! Positions stay where bodies bounce. Without bounce, `lcp` and `velocity-projection` also move what overlaps apart, so that things at rest do not sink:
//! by the least displacement Δ, weighed by mass, with gap + NᵀΔ ≥ 0. This is the same problem with displacements for velocities. What is near
//! without touching has a row too, with a gap that may close within a step: otherwise a push would drive it into its neighbours.
//!
//! Generalized velocities are (vx, vy) for each particle in turn. A unit push along d acts with −d on the particle and with the weights of the nearest
//! point on the other side: +d on a particle, (1 − α) d and α d on the ends of an edge, +d on a half-plane, which has a velocity after those of the
//! particles and infinite mass. Contacts that do not come nearer are rows too: an impulse elsewhere may make them.

use super::hybrid::closing_and_reach;
use super::{CollisionReport, Handler, Pair, Step};
use crate::detection::overlap::{self, Approach, NEAR};
use crate::detection::{Context, Hit};
use carom_contact::{
    Contact, ContactKey, ContactProblem, Direction, Dof, Response, Workspace, resolve as solve,
};
use glam::DVec2;

/// Buffers of the contact problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    problem: ContactProblem,
    workspace: Workspace,
    /// For displacements, which are solved for afresh in every step.
    separation: Workspace,
}

impl Solver {
    /// What the contact solver remembers from step to step.
    pub(super) fn memory(&self) -> Vec<f64> {
        self.workspace.memory()
    }

    /// Puts back what [`Solver::memory`] gave.
    pub(super) fn restore_memory(&mut self, memory: &[f64]) {
        self.workspace.restore_memory(memory);
    }
}

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>, response: Response) -> CollisionReport {
    let reflects = matches!(response, Response::GeneralizedReflection { .. });
    let rests = !reflects && step.context.collision().restitution == 0.0;
    detect(handler, step, if rests { Approach::Near } else { Approach::Any });
    let Solver { problem, workspace, .. } = &mut handler.solver;
    fill(problem, step, &handler.hits, Unknown::Velocities);
    let resolution = solve(problem, &response, workspace);
    let velocities = resolution.velocity.chunks_exact(2).map(|v| DVec2::new(v[0], v[1]));
    let particles = step.context.model.particles.iter();
    for ((v, new), particle) in step.end.velocities.iter_mut().zip(velocities).zip(particles) {
        if !particle.fixed {
            *v = new;
        }
    }
    let impulses = handler.hits.iter().zip(&resolution.impulses);
    let touching = impulses.filter(|(hit, impulse)| **impulse > 0.0 || is_closed(step, hit));
    handler.contacts.extend(touching.map(|(hit, impulse)| hit.contact(*impulse)));
    let report = CollisionReport {
        passes: u32::try_from(resolution.sweeps.max(1)).unwrap_or(u32::MAX),
        status: resolution.status,
        residual: resolution.residual.worst(),
        ..CollisionReport::default()
    };
    if rests {
        separate(handler, step);
    }
    report
}

/// Moves what overlaps apart. Velocities stay: after the response nothing comes nearer.
fn separate(handler: &mut Handler, step: &mut Step<'_>) {
    if handler.hits.iter().all(|hit| gap(step, hit) >= 0.0) {
        return;
    }
    let Solver { problem, separation, .. } = &mut handler.solver;
    fill(problem, step, &handler.hits, Unknown::Displacements);
    separation.restore_memory(&[]);
    let resolution = solve(problem, &Response::VELOCITY_PROJECTION, separation);
    let displacements = resolution.velocity.chunks_exact(2).map(|d| DVec2::new(d[0], d[1]));
    let particles = step.context.model.particles.iter();
    for ((x, displacement), particle) in step.end.positions.iter_mut().zip(displacements).zip(particles) {
        if !particle.fixed && displacement.is_finite() {
            *x += displacement;
        }
    }
}

/// Distance of two surfaces, negative where they overlap.
fn gap(step: &Step<'_>, hit: &Hit) -> f64 {
    hit.vector.dot(hit.unit) - closing_and_reach(step, hit).1
}

/// Whether two things touch, within the tolerance of touching.
fn is_closed(step: &Step<'_>, hit: &Hit) -> bool {
    gap(step, hit) < step.context.collision().touch_tolerance * closing_and_reach(step, hit).1
}

/// Everything that touches at the end or is near, coming nearer or not.
fn detect(handler: &mut Handler, step: &Step<'_>, any: Approach) {
    let context = step.context;
    handler.boxes.near(&context, &step.end.positions, if any == Approach::Near { NEAR } else { 0.0 });
    let candidates = handler.near.find(&handler.boxes.discs, &handler.boxes.segments);
    let hits = &mut handler.hits;
    hits.clear();
    for i in 0..step.end.positions.len() {
        let discs = candidates.discs.of(i).iter().map(|&j| j as usize);
        hits.extend(discs.filter_map(|j| overlap::particle_particle(&context, step.end, [i, j], any)));
        let edges = candidates.segments.of(i).iter().map(|&e| e as usize);
        let edges = edges.filter(|&e| context.can_touch(i, e));
        hits.extend(edges.filter_map(|e| overlap::particle_edge(&context, step.end, [i, e], any)));
        let planes = 0..context.planes.len();
        hits.extend(planes.filter_map(|h| overlap::particle_half_plane(&context, step.end, [i, h], any)));
    }
}

/// What a contact problem is solved for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    /// Velocities after the impact.
    Velocities,
    /// Displacements from rest, without friction; overlaps must open.
    Displacements,
}

fn fill(problem: &mut ContactProblem, step: &Step<'_>, hits: &[Hit], unknown: Unknown) {
    let context = step.context;
    let moves = unknown == Unknown::Velocities;
    problem.clear();
    for (particle, v) in context.model.particles.iter().zip(&step.end.velocities) {
        let mass = if particle.fixed { f64::INFINITY } else { particle.mass };
        problem.push_dof(if moves { v.x } else { 0.0 }, mass);
        problem.push_dof(if moves { v.y } else { 0.0 }, mass);
    }
    for plane in context.planes {
        problem.push_dof(if moves { plane.velocity.x } else { 0.0 }, f64::INFINITY);
        problem.push_dof(if moves { plane.velocity.y } else { 0.0 }, f64::INFINITY);
    }
    let collision = context.collision();
    for hit in hits {
        let row = Contact { key: key(hit.pair), ..Contact::new(column(&context, hit, hit.unit)) };
        let contact = match unknown {
            Unknown::Velocities => {
                let open = if is_closed(step, hit) { 0.0 } else { gap(step, hit) };
                let allowance = open / context.settings.time_step;
                Contact { restitution: collision.restitution, friction: collision.friction, allowance, ..row }
            }
            Unknown::Displacements => {
                let gap = gap(step, hit);
                Contact { allowance: gap.max(0.0), prescribed_speed: gap.min(0.0), ..row }
            }
        };
        if contact.friction > 0.0 {
            problem.push_contact(contact, &[column(&context, hit, hit.unit.perp())]);
        } else {
            problem.push_contact(contact, &[]);
        }
    }
}

/// The column of a unit push along `d`: −d on the particle, +d at the nearest point of the other.
fn column(context: &Context<'_>, hit: &Hit, d: DVec2) -> Direction {
    let mut direction = Direction::EMPTY;
    let mut push = |mover: usize, weight: f64| {
        let particle = context.model.particles.get(mover).filter(|particle| !particle.fixed);
        let inverse = particle.map_or(0.0, |particle| 1.0 / particle.mass);
        for (axis, eta) in [weight * d.x, weight * d.y].into_iter().enumerate() {
            let dof = Dof((2 * mover + axis) as u32);
            direction
                .push(dof, eta, inverse * eta)
                .expect("three particles have six of twelve degrees of freedom");
        }
    };
    match hit.pair {
        Pair::ParticleParticle(i, j) => {
            push(i.0, -1.0);
            push(j.0, 1.0);
        }
        Pair::ParticleEdge(i, e) => {
            let edge = context.edge(e.0);
            push(i.0, -1.0);
            // an edge from a particle to itself is that particle
            if edge.start == edge.end {
                push(edge.start.0, 1.0);
            } else {
                push(edge.start.0, 1.0 - hit.alpha);
                push(edge.end.0, hit.alpha);
            }
        }
        Pair::ParticleHalfPlane(i, h) => {
            push(i.0, -1.0);
            push(context.model.particles.len() + h.0, 1.0);
        }
    }
    direction
}

fn key(pair: Pair) -> ContactKey {
    let (kind, first, second) = match pair {
        Pair::ParticleParticle(i, j) => (0, i.0, j.0),
        Pair::ParticleEdge(i, e) => (1, i.0, e.0),
        Pair::ParticleHalfPlane(i, h) => (2, i.0, h.0),
    };
    ContactKey([kind, first as u32, second as u32, 0])
}
