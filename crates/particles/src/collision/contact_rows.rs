//! Everything that touches at the end of the step as one contact problem, solved at once
//! (`carom-contact`).
//!
//! Positions stay; for contact without bounce they do not, see `resting.rs`.
//!
//! Generalized velocities are (vx, vy) for each particle in turn. A unit push along d acts with −d
//! on the particle and with the weights of the nearest point on the other side: +d on a particle,
//! (1 − α) d and α d on the ends of an edge, +d on a half-plane, which has a velocity after those
//! of the particles and infinite mass. Contacts that do not come nearer are rows too: an impulse
//! elsewhere may make them.

use super::impulse::Law;
use super::{CollisionReport, Handler, Pair, Step};
use crate::detection::overlap::{self, Approach, NEAR};
use crate::detection::{Context, DetectedContact, Plane};
use carom_contact::{
    ContactKey, ContactProblem, ContactRow, Dof, JacobianRow, Response, Workspace, resolve as solve,
};
use glam::DVec2;

/// Buffers of the contact problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    pub(super) problem: ContactProblem,
    workspace: Workspace,
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
    detect(handler, step, Approach::Any);
    handler.gaps.clear();
    handler.gaps.resize(handler.hits.len(), 0.0);
    answer(handler, step, response)
}

/// Solves for the velocities at the end of the step, over the hits and gaps (as speeds) at hand.
pub(super) fn answer(handler: &mut Handler, step: &mut Step<'_>, response: Response) -> CollisionReport {
    if !handler.hits.is_empty() {
        step.note();
    }
    let Solver { problem, workspace } = &mut handler.solver;
    let law = Law::of(step.context.collision());
    let rows = Rows { hits: &handler.hits, gaps: &handler.gaps, law };
    fill(problem, &step.context, rows, &step.end.velocities, |plane| plane.velocity);
    let resolution = solve(problem, &response, workspace);
    add_to(&mut step.end.velocities, &step.context, &resolution.velocity, |_, new| new);
    for (k, (hit, gap)) in handler.hits.iter().zip(&handler.gaps).enumerate() {
        let impulse = resolution.impulses[k];
        if impulse > 0.0 || *gap <= 0.0 {
            let along = problem.tangent_range(k).map(|t| resolution.friction_impulses[t]).sum::<f64>();
            handler.contacts.push(hit.contact(impulse, along * hit.unit.perp()));
        }
    }
    CollisionReport {
        passes: u32::try_from(resolution.sweeps.max(1)).unwrap_or(u32::MAX),
        status: resolution.status,
        residual: resolution.residual.worst(),
        contact_rows: handler.hits.len(),
        largest_island: resolution.largest_island,
        ..CollisionReport::default()
    }
}

/// Changes the numbers of free particles: `change` gets the old one and the solution.
pub(super) fn add_to(
    numbers: &mut [DVec2],
    context: &Context<'_>,
    solution: &[f64],
    change: impl Fn(DVec2, DVec2) -> DVec2,
) {
    let solution = solution.chunks_exact(2).map(|x| DVec2::new(x[0], x[1]));
    for ((number, solved), particle) in numbers.iter_mut().zip(solution).zip(&context.model.particles) {
        if !particle.fixed && solved.is_finite() {
            *number = change(*number, solved);
        }
    }
}

/// Everything that touches at the end or is near, coming nearer or not.
pub(super) fn detect(handler: &mut Handler, step: &Step<'_>, any: Approach) {
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

/// The contacts of a problem.
pub(super) struct Rows<'a> {
    pub(super) hits: &'a [DetectedContact],
    /// How much of each gap may close, as a speed or a length as the unknowns are; what is negative
    /// must open.
    pub(super) gaps: &'a [f64],
    pub(super) law: Law,
}

/// Writes a problem for unknowns that are `free` without contact, and those of the half-planes.
pub(super) fn fill(
    problem: &mut ContactProblem,
    context: &Context<'_>,
    rows: Rows<'_>,
    free: &[DVec2],
    of_plane: impl Fn(&Plane) -> DVec2,
) {
    problem.clear();
    for (particle, v) in context.model.particles.iter().zip(free) {
        let mass = if particle.fixed { f64::INFINITY } else { particle.mass };
        problem.push_dof(v.x, mass);
        problem.push_dof(v.y, mass);
    }
    for v in context.planes.iter().map(of_plane) {
        problem.push_dof(v.x, f64::INFINITY);
        problem.push_dof(v.y, f64::INFINITY);
    }
    for (hit, gap) in rows.hits.iter().zip(rows.gaps) {
        let contact = ContactRow {
            restitution: rows.law.restitution,
            friction: rows.law.friction,
            speculative_bias: gap.max(0.0),
            kinematic_speed: gap.min(0.0),
            key: key(hit.pair),
            ..ContactRow::new(column(context, hit, hit.unit))
        };
        if rows.law.friction > 0.0 {
            problem.push_contact(contact, &[column(context, hit, hit.unit.perp())]);
        } else {
            problem.push_contact(contact, &[]);
        }
    }
}

/// The column of a unit push along `d`: −d on the particle, +d at the nearest point of the other.
fn column(context: &Context<'_>, hit: &DetectedContact, d: DVec2) -> JacobianRow {
    let mut direction = JacobianRow::EMPTY;
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

pub(super) fn key(pair: Pair) -> ContactKey {
    let (kind, first, second) = match pair {
        Pair::ParticleParticle(i, j) => (0, i.0, j.0),
        Pair::ParticleEdge(i, e) => (1, i.0, e.0),
        Pair::ParticleHalfPlane(i, h) => (2, i.0, h.0),
    };
    ContactKey([first as u32, second as u32, kind, 0])
}
