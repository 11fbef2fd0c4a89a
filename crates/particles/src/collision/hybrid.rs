//! Penalty, then impulses on all pairs at once, then impact zones (Theme 2 Milestone 2 hand-out;
//! after Bridson, Fedkiw and Anderson 2002 and Harmon, Vouga, Tamstorf and Grinspun 2008).
//!
//! A pass of impulses detects everything on the same paths. In the course's program it then answers
//! every contact on those paths and adds all changes up, which pushes twice where two contacts tell
//! of one impact and so may gain energy; by default each answer sees what earlier ones left, and a
//! contact that no longer closes is passed over. When nothing touches any more, the step is done;
//! when the cap on passes is reached first, what still touches is gathered into zones that move
//! rigidly until nothing new touches.

use super::continuous_time::{apply, impulse_on_path};
use super::impulse::Law;
use super::{CollisionReport, FallbackLevel, Handler, Pair, Step, impact_zones};
use crate::detection::DetectedContact;
use crate::detection::swept::{self, Paths};
use carom_geometry::plane::broad_phase::most_pairs;

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>, max_iterations: u32) -> CollisionReport {
    let law = Law::of(step.context.collision());
    let mut report = CollisionReport::default();
    let mut clean = false;
    while report.passes < max_iterations && !clean {
        report.passes += 1;
        detect(handler, step);
        clean = handler.hits.is_empty();
        push_apart(handler, step, law);
    }
    if let Some(intermediate) = &mut handler.intermediate {
        intermediate.copy_from(step.end);
    }
    if let Some(log) = &mut handler.log {
        log.end_stage();
    }
    if !clean {
        report.fallback = FallbackLevel::ImpactZones;
        report.passes += impact_zones::resolve(handler, step);
    }
    report
}

/// Finds everything that touches on the present paths, in canonical order.
pub(super) fn detect(handler: &mut Handler, step: &Step<'_>) {
    let context = step.context;
    let paths = Paths { start: &step.start.positions, end: &step.end.positions };
    if let Some(log) = &mut handler.log {
        log.add_all(&context, paths);
    }
    handler.boxes.along(&context, paths, |_| 0.0);
    let (discs, segments, most) = (&handler.boxes.discs, &handler.boxes.segments, most_pairs());
    let complete = handler.broad_phase.find_at_most(discs, segments, most, &mut handler.candidates);
    handler.gave_up |= !complete;
    let (hits, candidates) = (&mut handler.hits, &handler.candidates);
    hits.clear();
    for i in 0..paths.end.len() {
        let discs = candidates.discs.of(i).iter();
        hits.extend(discs.filter_map(|&j| swept::particle_particle(&context, paths, i, j as usize)));
        let edges = candidates.segments.of(i).iter().map(|&e| e as usize);
        let edges = edges.filter(|&e| context.can_touch(i, e));
        hits.extend(edges.filter_map(|e| swept::particle_edge(&context, paths, i, e)));
        let planes = 0..context.planes.len();
        hits.extend(planes.filter_map(|h| swept::particle_half_plane(&context, paths, i, h)));
    }
}

/// Contacts that close by less than this part of their reach in a whole step are left alone: far
/// below the touch tolerance, and what rounding leaves of an inelastic impact.
const NEGLIGIBLE: f64 = 1e-10;

/// Forgets hits that rounding leaves after an impact, unless they come nearer later on the way:
/// beside an edge that turns, the approach may begin from nothing. Such a hit is moved to where it
/// has come nearer.
pub(super) fn drop_negligible(handler: &mut Handler, step: &Step<'_>) {
    handler.hits.retain_mut(|hit| {
        if !is_negligible(step, hit) {
            return true;
        }
        let paths = Paths { start: &step.start.positions, end: &step.end.positions };
        match swept::deepening(&step.context, paths, hit) {
            Some(later) if closing_and_reach(step, &later).0 > 0.0 => {
                *hit = later;
                true
            }
            _ => false,
        }
    });
}

/// Whether a hit comes nearer by too little to matter.
pub(super) fn is_negligible(step: &Step<'_>, hit: &DetectedContact) -> bool {
    let (closing, reach) = closing_and_reach(step, hit);
    closing < NEGLIGIBLE * reach
}

/// How far the two come nearer along the normal if they keep on for a whole step, and the sum of
/// their radii.
pub(super) fn closing_and_reach(step: &Step<'_>, hit: &DetectedContact) -> (f64, f64) {
    let context = step.context;
    let moved = |k: usize| step.end.positions[k] - step.start.positions[k];
    let (first, away, reach) = match hit.pair {
        Pair::ParticleParticle(i, j) => (i.0, moved(j.0), context.particle(j.0).radius),
        Pair::ParticleEdge(i, e) => {
            let edge = context.edge(e.0);
            let along = (1.0 - hit.alpha) * moved(edge.start.0) + hit.alpha * moved(edge.end.0);
            (i.0, along, edge.radius)
        }
        Pair::ParticleHalfPlane(i, h) => (i.0, context.planes[h.0].end - context.planes[h.0].start, 0.0),
    };
    let closing = (moved(first) - away).dot(hit.unit);
    (closing, context.particle(first).radius + reach)
}

/// Answers all hits of a pass.
fn push_apart(handler: &mut Handler, step: &mut Step<'_>, law: Law) {
    if !handler.hits.is_empty() {
        step.note();
    }
    handler.impulses.clear();
    handler.impulses.extend(handler.hits.iter().map(|hit| impulse_on_path(step, hit, law)));
    // the course's records of this method list no collisions
    for impulse in &handler.impulses {
        apply(impulse, step.context.settings.time_step, step.end);
    }
}
