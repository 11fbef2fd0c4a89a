//! Impulses at the first time of contact on straight paths, pair by pair (Theme 2 Milestone 2
//! hand-out).
//!
//! The velocity in an impact is the displacement over the step; the change is added to the velocity
//! and, times the step, to the end position, so later pairs see changed paths. Candidates follow
//! those changes ([`carom_geometry::plane::broad_phase::LiveCandidates`]): the sweep visits the
//! pairs that a sweep over all pairs would, in its order. The course's program sweeps once; by
//! default sweeps are repeated until nothing touches on the way, because an answer to one pair may
//! push another together.

use super::impulse::{Law, PairImpulse, pair_impulse};
use super::{CollisionReport, Handler, Step, simultaneous};
use crate::State;
use crate::detection::boxes;
use crate::detection::conditions_log::Tested;
use crate::detection::swept::{self, Paths};
use crate::detection::{Context, DetectedContact};
use carom_geometry::plane::broad_phase::{Aabb, Partner};

/// Sweeps of a step before the failsafes, unless the course's program is reproduced.
const MAX_SWEEPS: u32 = 40;

/// Room in a box beyond the path, in displacements and in radii: most changed paths stay inside.
const ROOM: (f64, f64) = (1.0, 0.1);

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>) -> CollisionReport {
    if step.context.settings.course {
        sweep(handler, step, Law::of(step.context.collision()));
        if let Some(log) = &mut handler.log {
            log.end_stage();
        }
        return CollisionReport { passes: 1, ..CollisionReport::default() };
    }
    simultaneous::resolve(handler, step, MAX_SWEEPS)
}

/// One sweep over all pairs. Gives how many were answered.
pub(super) fn sweep(handler: &mut Handler, step: &mut Step<'_>, law: Law) -> usize {
    let context = step.context;
    let before = handler.contacts.len();
    // a log reports all pairs: boxes without end make every pair a candidate
    let logs = handler.log.is_some();
    let room = |i: usize| {
        let paths = Paths { start: &step.start.positions, end: &step.end.positions };
        if logs { f64::INFINITY } else { room(&context, paths, i) }
    };
    let paths = Paths { start: &step.start.positions, end: &step.end.positions };
    handler.boxes.along(&context, paths, room);
    handler.live.start(&handler.boxes.discs, &handler.boxes.segments);
    for i in 0..step.end.positions.len() {
        while let Some(partner) = handler.live.next_of(i as u32) {
            let paths = Paths { start: &step.start.positions, end: &step.end.positions };
            write_down(handler, &context, paths, i, partner);
            let hit = match partner {
                Partner::Disc(j) => swept::particle_particle(&context, paths, i, j as usize),
                Partner::Segment(e) if context.can_touch(i, e as usize) => {
                    swept::particle_edge(&context, paths, i, e as usize)
                }
                Partner::Segment(_) => None,
            };
            answer(handler, step, hit, law);
        }
        for h in 0..context.planes.len() {
            let paths = Paths { start: &step.start.positions, end: &step.end.positions };
            if let Some(log) = &mut handler.log {
                log.add(&context, paths, i, Tested::HalfPlane(h));
            }
            let hit = swept::particle_half_plane(&context, paths, i, h);
            answer(handler, step, hit, law);
        }
    }
    handler.contacts.len() - before
}

/// Logs a pair that is about to be tested, where a log is kept.
fn write_down(handler: &mut Handler, context: &Context<'_>, paths: Paths<'_>, i: usize, partner: Partner) {
    let Some(log) = &mut handler.log else { return };
    match partner {
        Partner::Disc(j) => log.add(context, paths, i, Tested::Particle(j as usize)),
        Partner::Segment(e) if context.can_touch(i, e as usize) => {
            log.add(context, paths, i, Tested::Edge(e as usize));
        }
        Partner::Segment(_) => (),
    }
}

fn answer(handler: &mut Handler, step: &mut Step<'_>, hit: Option<DetectedContact>, law: Law) {
    let Some(hit) = hit else { return };
    step.note();
    let impulse = impulse_on_path(step, &hit, law);
    apply(&impulse, step.context.settings.time_step, step.end);
    for change in impulse.changes() {
        follow(handler, step, change.particle);
    }
    handler.contacts.push(hit.contact(impulse.magnitude, impulse.friction));
}

/// The answer to a contact at the mean velocities of the step.
pub(super) fn impulse_on_path(step: &Step<'_>, hit: &DetectedContact, law: Law) -> PairImpulse {
    let inverse = 1.0 / step.context.settings.time_step;
    pair_impulse(&step.context, hit, law, |k| (step.end.positions[k] - step.start.positions[k]) * inverse)
}

/// Adds changes of velocity to velocities and end positions.
pub(super) fn apply(impulse: &PairImpulse, time_step: f64, end: &mut State) {
    impulse.apply_to_velocities(&mut end.velocities);
    impulse.apply_to_positions(time_step, &mut end.positions);
}

/// Tells the candidates that the path of a particle changed, and with it those of its edges.
fn follow(handler: &mut Handler, step: &Step<'_>, k: usize) {
    let context = &step.context;
    let paths = Paths { start: &step.start.positions, end: &step.end.positions };
    let disc = boxes::swept(paths, k, context.particle(k).radius);
    handler.live.move_disc(k as u32, &disc, &disc.grown(room(context, paths, k)));
    for &e in handler.incidence.of(k) {
        let edge = context.edge(e as usize);
        let ends = [edge.start.0, edge.end.0];
        let union = |grow: &dyn Fn(usize) -> f64| -> Aabb {
            let [a, b] = ends.map(|end| boxes::swept(paths, end, edge.radius).grown(grow(end)));
            a.union(&b)
        };
        let current = union(&|_| 0.0);
        handler.live.move_segment(e, &current, &union(&|end| room(context, paths, end)));
    }
}

fn room(context: &Context<'_>, paths: Paths<'_>, i: usize) -> f64 {
    let displacement = (paths.end[i] - paths.start[i]).abs().max_element();
    ROOM.0 * displacement + ROOM.1 * context.particle(i).radius.max(0.0)
}
