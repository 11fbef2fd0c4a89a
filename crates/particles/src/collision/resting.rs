//! Contact without bounce through the contact problem: what lies stays where it is, and what falls
//! stops at the surface.
//!
//! Velocities are chosen so that no gap of the start closes further than to nothing within the
//! step, gap/h + NᵀV ≥ 0 (Moreau, Unilateral contact and dry friction in finite freedom dynamics,
//! 1988; Stewart and Trinkle 1996), and positions move by the velocity that was chosen. Rows are
//! all pairs that are near at the start, with the normal there, and all that meet on the way, with
//! the normal and up to the time at which they do; then those that meet on the way that was chosen.
//! What overlaps all the same, because normals turn or others push, is moved apart by the least
//! displacement Δ, weighed by mass, with gap + NᵀΔ ≥ 0.

use super::contact_rows::{Rows, add_to, answer, detect, fill, key};
use super::hybrid::{self, closing_and_reach, is_negligible};
use super::impulse::Law;
use super::{CollisionReport, Handler, Step};
use crate::detection::overlap::{self, Approach, NEAR};
use crate::detection::swept::{self, Paths};
use crate::detection::{Context, DetectedContact};
use carom_contact::{Response, Status, resolve as solve};
use glam::DVec2;

/// What is held up by one contact may be met by another: rows are added and all solved again, but
/// not for ever.
const MOST_PASSES: usize = 8;

/// Overlaps up to this part of the reach are left alone.
const LEFT: f64 = 1e-6;

/// Moving apart is linear and contact is not: it is repeated, but not for ever.
const MOST_SEPARATIONS: usize = 4;

/// Mean velocities and velocities at the end that differ by less than this part are the same.
const SAME: f64 = 1e-12;

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>, response: Response) -> CollisionReport {
    gather(handler, step);
    let mut free = std::mem::take(&mut handler.free);
    free.copy_from(step.end);
    let mut report = CollisionReport::default();
    let mut ended = Status::LimitReached;
    for _ in 0..MOST_PASSES {
        step.end.copy_from(&free);
        handler.contacts.clear();
        report = answer(handler, step, response);
        let moved = move_along(handler, step, &free.velocities, &response);
        if !gather_more(handler, step) {
            ended = moved;
            break;
        }
    }
    handler.free = free;
    let apart = separate(handler, step);
    CollisionReport { status: report.status.max(ended).max(apart), ..report }
}

/// Adds what meets on the way that was chosen, because one of the two was held up. Whether there is
/// any.
fn gather_more(handler: &mut Handler, step: &Step<'_>) -> bool {
    let mut known = std::mem::take(&mut handler.known);
    known.clear();
    known.extend(handler.hits.iter().map(|hit| key(hit.pair)));
    known.sort_unstable();
    let mut found = std::mem::take(&mut handler.hits);
    hybrid::detect(handler, step);
    let inverse = 1.0 / step.context.settings.time_step;
    for hit in &handler.hits {
        if known.binary_search(&key(hit.pair)).is_err() && !is_negligible(step, hit) {
            handler.gaps.push(hit.time * closing_and_reach(step, hit).0.max(0.0) * inverse);
            found.push(*hit);
        }
    }
    let news = handler.gaps.len() > known.len();
    handler.hits = found;
    handler.known = known;
    news
}

/// Finds what is near at the start or meets on the way, and how fast each gap may close.
fn gather(handler: &mut Handler, step: &Step<'_>) {
    let context = step.context;
    let mut planes = std::mem::take(&mut handler.moment_planes);
    planes.clear();
    planes.extend_from_slice(context.planes);
    planes.iter_mut().for_each(|plane| plane.end = plane.start);
    let at_start = Context { planes: &planes, ..context };
    let paths = Paths { start: &step.start.positions, end: &step.end.positions };
    let room = |i: usize| NEAR * context.particle(i).radius.max(0.0);
    handler.boxes.along(&context, paths, room);
    let candidates = handler.near.find(&handler.boxes.discs, &handler.boxes.segments);
    let (hits, gaps) = (&mut handler.hits, &mut handler.gaps);
    hits.clear();
    gaps.clear();
    let mut take = |near: Option<DetectedContact>, meeting: &dyn Fn() -> Option<DetectedContact>| {
        let inverse = 1.0 / context.settings.time_step;
        if let Some(hit) = near {
            let open = gap(step, &hit);
            let tolerance = context.collision().touch_tolerance * closing_and_reach(step, &hit).1;
            gaps.push(if open > tolerance { open * inverse } else { 0.0 });
            hits.push(hit);
        } else if let Some(hit) = meeting().filter(|hit| !is_negligible(step, hit)) {
            // up to the contact, at the speed of the path
            gaps.push(hit.time * closing_and_reach(step, &hit).0.max(0.0) * inverse);
            hits.push(hit);
        }
    };
    let near = Approach::Near;
    for i in 0..paths.start.len() {
        for j in candidates.discs.of(i).iter().map(|&j| j as usize) {
            let hit = overlap::particle_particle(&at_start, step.start, [i, j], near);
            take(hit, &|| swept::particle_particle(&context, paths, i, j));
        }
        let edges = candidates.segments.of(i).iter().map(|&e| e as usize);
        for e in edges.filter(|&e| context.can_touch(i, e)) {
            let hit = overlap::particle_edge(&at_start, step.start, [i, e], near);
            take(hit, &|| swept::particle_edge(&context, paths, i, e));
        }
        for h in 0..context.planes.len() {
            let hit = overlap::particle_half_plane(&at_start, step.start, [i, h], near);
            take(hit, &|| swept::particle_half_plane(&context, paths, i, h));
        }
    }
    handler.moment_planes = planes;
}

/// Moves positions by the velocities that were chosen: those of the end where the integrator moves
/// by them, else mean velocities chosen in the same way. How that ended.
fn move_along(handler: &mut Handler, step: &mut Step<'_>, free: &[DVec2], response: &Response) -> Status {
    let mut status = Status::Solved;
    let time_step = step.context.settings.time_step;
    let inverse = 1.0 / time_step;
    let mean = |k: usize| (step.end.positions[k] - step.start.positions[k]) * inverse;
    let mut means = std::mem::take(&mut handler.means);
    means.clear();
    means.extend((0..free.len()).map(mean));
    let fastest = free.iter().chain(&means).map(|v| v.abs().max_element()).fold(0.0, f64::max);
    let places = step.start.positions.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
    let rounding = SAME * (fastest + places * inverse);
    if means.iter().zip(free).all(|(mean, v)| (*mean - *v).abs().max_element() <= rounding) {
        let changes = step.end.velocities.iter().zip(free);
        for (x, (new, old)) in step.end.positions.iter_mut().zip(changes) {
            *x += time_step * (*new - *old);
        }
    } else if !handler.hits.is_empty() {
        let law = Law::of(step.context.collision());
        let rows = Rows { hits: &handler.hits, gaps: &handler.gaps, law };
        let problem = &mut handler.solver.problem;
        fill(problem, &step.context, rows, &means, |plane| plane.velocity);
        handler.separation.restore_memory(&[]);
        let resolution = solve(problem, response, &mut handler.separation);
        status = resolution.status;
        add_to(&mut means, &step.context, &resolution.velocity, |old, new| new - old);
        for (k, x) in step.end.positions.iter_mut().enumerate() {
            if !step.context.particle(k).fixed {
                *x += time_step * means[k];
            }
        }
    }
    handler.means = means;
    status
}

/// Moves what overlaps apart. Velocities stay: after the response nothing comes nearer. The limit
/// is reached where something still overlaps at last.
fn separate(handler: &mut Handler, step: &mut Step<'_>) -> Status {
    for round in 0..=MOST_SEPARATIONS {
        detect(handler, step, Approach::Near);
        handler.gaps.clear();
        handler.gaps.extend(handler.hits.iter().map(|hit| gap(step, hit)));
        let deep = |(hit, gap): (&DetectedContact, &f64)| *gap < -LEFT * closing_and_reach(step, hit).1;
        if !handler.hits.iter().zip(&handler.gaps).any(deep) {
            return Status::Solved;
        }
        if round == MOST_SEPARATIONS {
            break;
        }
        let law = Law { restitution: 0.0, friction: 0.0 };
        let rows = Rows { hits: &handler.hits, gaps: &handler.gaps, law };
        handler.means.clear();
        handler.means.resize(step.end.positions.len(), DVec2::ZERO);
        let problem = &mut handler.solver.problem;
        fill(problem, &step.context, rows, &handler.means, |_| DVec2::ZERO);
        handler.separation.restore_memory(&[]);
        let resolution = solve(problem, &Response::VELOCITY_PROJECTION, &mut handler.separation);
        add_to(&mut step.end.positions, &step.context, &resolution.velocity, |x, displacement| {
            x + displacement
        });
    }
    Status::LimitReached
}

/// Distance of two surfaces, negative where they overlap.
fn gap(step: &Step<'_>, hit: &DetectedContact) -> f64 {
    hit.vector.dot(hit.unit) - closing_and_reach(step, hit).1
}
