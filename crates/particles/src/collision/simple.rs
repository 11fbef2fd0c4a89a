//! Impulses after the step, pair by pair: each pair sees the velocities that earlier pairs left.
//! Positions stay.

use super::impulse::{Law, pair_impulse};
use super::{Handler, Step};
use crate::detection::overlap::Approach;
use crate::detection::{DetectedContact, overlap};

pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>) {
    let context = step.context;
    handler.boxes.at(&context, &step.end.positions, 0.0);
    let candidates = handler.near.find(&handler.boxes.discs, &handler.boxes.segments);
    let contacts = &mut handler.contacts;
    let mut answer = |step: &mut Step<'_>, hit: Option<DetectedContact>| {
        let Some(hit) = hit else { return };
        let law = Law::of(context.collision());
        let impulse = pair_impulse(&context, &hit, law, |k| step.end.velocities[k]);
        step.note();
        impulse.apply_to_velocities(&mut step.end.velocities);
        contacts.push(hit.contact(impulse.magnitude, impulse.friction));
    };
    let nearer = Approach::Required;
    for i in 0..step.end.positions.len() {
        for &j in candidates.discs.of(i) {
            let hit = overlap::particle_particle(&context, step.end, [i, j as usize], nearer);
            answer(step, hit);
        }
        for &e in candidates.segments.of(i).iter().filter(|e| context.can_touch(i, **e as usize)) {
            let hit = overlap::particle_edge(&context, step.end, [i, e as usize], nearer);
            answer(step, hit);
        }
        for h in 0..context.planes.len() {
            let hit = overlap::particle_half_plane(&context, step.end, [i, h], nearer);
            answer(step, hit);
        }
    }
}
