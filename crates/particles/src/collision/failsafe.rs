//! What is done when a method does not end within its cap: the failsafes of the collision lecture,
//! in its order.
//!
//! 1. The cap on passes itself.
//! 2. What still touches takes its old position and no velocity; whatever then runs into it is
//!    stopped too. Each round stops at least one more particle, so there is an end. Against an
//!    obstacle that moves by itself, standing still is not enough: the particle is carried along,
//!    and whatever then runs into it; where obstacles move in different ways, each contact for
//!    itself.
//! 3. The penetration is accepted, and a velocity away from the obstacle is given so that it is
//!    left in the following steps.

use super::hybrid::{detect, drop_negligible};
use super::{FallbackLevel, Handler, Pair, Step};
use crate::detection::{Context, DetectedContact};
use glam::DVec2;

/// Rounds of carrying before a penetration is accepted.
const CARRY_ROUNDS: usize = 10;

/// Displacements that differ by no more than this part are the same but for rounding.
const SAME_MOTION: f64 = 1e-12;

/// The part of an accepted penetration that is left in one step.
const REPULSION: f64 = 0.1;

/// Makes the end of the step free of contacts, or says that it could not.
pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>) -> FallbackLevel {
    step.note();
    handler.stopped.clear();
    handler.stopped.resize(step.end.positions.len(), false);
    loop {
        detect(handler, step);
        drop_negligible(handler, step);
        if handler.hits.is_empty() {
            return FallbackLevel::Stopped;
        }
        if !stop(handler, step) {
            break;
        }
    }
    if ride(handler, step) {
        return FallbackLevel::Stopped;
    }
    for _ in 0..CARRY_ROUNDS {
        for k in 0..handler.hits.len() {
            carry(step, &handler.hits[k]);
        }
        detect(handler, step);
        drop_negligible(handler, step);
        if handler.hits.is_empty() {
            return FallbackLevel::Stopped;
        }
    }
    for hit in &handler.hits {
        repel(step, hit);
    }
    FallbackLevel::Repelled
}

/// Stops all particles of all hits. Whether one was not yet stopped.
fn stop(handler: &mut Handler, step: &mut Step<'_>) -> bool {
    let mut news = false;
    for hit in &handler.hits {
        for (i, _) in movable(&step.context, hit) {
            if !std::mem::replace(&mut handler.stopped[i], true) {
                step.end.positions[i] = step.start.positions[i];
                step.end.velocities[i] = DVec2::ZERO;
                news = true;
            }
        }
    }
    news
}

/// Moves whatever is held by obstacles of one motion along with them: like a rigid body, so that
/// nothing in it can meet. Each round holds at least one more particle. Whether nothing touches in
/// the end; where obstacles of two motions meet, it is no use.
fn ride(handler: &mut Handler, step: &mut Step<'_>) -> bool {
    handler.carried.clear();
    handler.carried.resize(step.end.positions.len(), None);
    loop {
        let mut news = false;
        for hit in &handler.hits {
            let Ok(shift) = common_shift(step, &handler.carried, hit) else { return false };
            let Some(shift) = shift else { continue };
            for (i, _) in movable(&step.context, hit) {
                if handler.carried[i].replace(shift).is_none() {
                    step.end.positions[i] = step.start.positions[i] + shift;
                    step.end.velocities[i] = shift * (1.0 / step.context.settings.time_step);
                    news = true;
                }
            }
        }
        if !news {
            return false;
        }
        detect(handler, step);
        drop_negligible(handler, step);
        if handler.hits.is_empty() {
            return true;
        }
    }
}

/// How far all of a pair that does not go its own way moves in the step; none when all of it does.
fn common_shift(
    step: &Step<'_>,
    carried: &[Option<DVec2>],
    hit: &DetectedContact,
) -> Result<Option<DVec2>, DifferentMotions> {
    let context = step.context;
    let of = |k: usize| {
        if context.particle(k).fixed {
            Some(step.end.positions[k] - step.start.positions[k])
        } else {
            carried[k]
        }
    };
    let shifts = match hit.pair {
        Pair::ParticleParticle(i, j) => [of(i.0), of(j.0), None],
        Pair::ParticleEdge(i, e) => [of(i.0), of(context.edge(e.0).start.0), of(context.edge(e.0).end.0)],
        Pair::ParticleHalfPlane(i, h) => {
            [of(i.0), Some(context.planes[h.0].end - context.planes[h.0].start), None]
        }
    };
    let mut shifts = shifts.into_iter().flatten();
    let first = shifts.next();
    let near =
        |shift: DVec2| first.is_none_or(|first| (shift - first).length() <= SAME_MOTION * first.length());
    if shifts.all(near) { Ok(first) } else { Err(DifferentMotions) }
}

/// Two obstacles of one contact move differently.
struct DifferentMotions;

/// Moves the particles of a hit along with the obstacle.
fn carry(step: &mut Step<'_>, hit: &DetectedContact) {
    let context = step.context;
    let moved = |k: usize| step.end.positions[k] - step.start.positions[k];
    let shift = match hit.pair {
        Pair::ParticleHalfPlane(_, h) => context.planes[h.0].end - context.planes[h.0].start,
        Pair::ParticleParticle(i, j) if context.particle(i.0).fixed => moved(i.0) - moved(j.0),
        Pair::ParticleParticle(_, j) => moved(j.0),
        Pair::ParticleEdge(i, e) => {
            let edge = context.edge(e.0);
            let along = (1.0 - hit.alpha) * moved(edge.start.0) + hit.alpha * moved(edge.end.0);
            if context.particle(i.0).fixed { moved(i.0) - along } else { along }
        }
    };
    let inverse = 1.0 / context.settings.time_step;
    for (i, first) in movable(&context, hit) {
        let target = match (hit.pair, first) {
            // beside an edge that turns, keep the side and the distance
            (Pair::ParticleEdge(i, e), true) => beside_edge(step, i.0, e.0, hit.alpha),
            (_, true) => step.start.positions[i] + shift,
            (_, false) => step.end.positions[i] + shift,
        };
        step.end.positions[i] = target;
        step.end.velocities[i] = (target - step.start.positions[i]) * inverse;
    }
}

/// Where a particle is at the end of the step if it stays at its place beside an edge.
fn beside_edge(step: &Step<'_>, i: usize, e: usize, alpha: f64) -> DVec2 {
    let edge = step.context.edge(e);
    let (a, b) = (edge.start.0, edge.end.0);
    let frame = |positions: &[DVec2]| {
        let along = (positions[b] - positions[a]).try_normalize().unwrap_or(DVec2::X);
        (positions[a].lerp(positions[b], alpha), along)
    };
    let (old_point, old_along) = frame(&step.start.positions);
    let (new_point, new_along) = frame(&step.end.positions);
    let offset = step.start.positions[i] - old_point;
    let (along, across) = (offset.dot(old_along), old_along.perp_dot(offset));
    new_point + along * new_along + across * new_along.perp()
}

/// Gives a velocity out of the obstacle.
fn repel(step: &mut Step<'_>, hit: &DetectedContact) {
    let context = step.context;
    let radii = match hit.pair {
        Pair::ParticleParticle(i, j) => context.particle(i.0).radius + context.particle(j.0).radius,
        Pair::ParticleEdge(i, e) => context.particle(i.0).radius + context.edge(e.0).radius,
        Pair::ParticleHalfPlane(i, _) => context.particle(i.0).radius,
    };
    let speed = REPULSION * radii.abs() / context.settings.time_step;
    for (i, first) in movable(&context, hit) {
        step.end.velocities[i] += if first { -speed * hit.unit } else { speed * hit.unit };
    }
}

/// The particles of a hit that can move, and whether each is the first of the pair.
fn movable(context: &Context<'_>, hit: &DetectedContact) -> impl Iterator<Item = (usize, bool)> + use<> {
    let particles = match hit.pair {
        Pair::ParticleParticle(i, j) => [Some((i.0, true)), Some((j.0, false)), None],
        Pair::ParticleEdge(i, e) => {
            let edge = context.edge(e.0);
            [Some((i.0, true)), Some((edge.start.0, false)), Some((edge.end.0, false))]
        }
        Pair::ParticleHalfPlane(i, _) => [Some((i.0, true)), None, None],
    };
    let free = particles.map(|p| p.filter(|(i, _)| !context.particle(*i).fixed));
    free.into_iter().flatten()
}
