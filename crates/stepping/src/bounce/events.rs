//! When pairs meet next on their paths, and who bounces.

use super::{Bounces, Closed, Event, OneContact, motion_of};
use crate::impact::{resting_threshold, rounding};
use crate::mechanics::{MAX_DOF, Material, Mechanics, Motion, Pair, Path};
use crate::neighbours::{Carriers, Neighbours};
use carom_geometry::march::count_looks;

/// Meetings of a pair that are tried for one that bounces.
const MOST_MEETINGS: usize = 8;
/// What it costs to place the bodies of a pair, in looks at two features.
const LOOKS_OF_A_PAIR: u64 = 3;

impl<M: Mechanics> Bounces<M> {
    /// Moves a body along its path.
    pub(crate) fn move_to(&mut self, bodies: &M, body: usize, time: f64) {
        let track = &mut self.tracks[body];
        if track.time != time {
            track.motion = track.at(bodies, body, time);
            track.time = time;
        }
    }

    /// Bodies that wait, and those with impacts around them.
    pub(crate) fn find_crowd(&mut self, bodies: &M, neighbours: &Neighbours, crowd: &mut [bool]) {
        let Self { tracks, looked_at, .. } = self;
        looked_at.clear();
        looked_at.extend((0..tracks.len() as u32).filter(|&body| tracks[body as usize].waits));
        looked_at.iter().for_each(|&body| crowd[body as usize] = true);
        while let Some(body) = looked_at.pop() {
            for at in neighbours.of(body) {
                let [a, b] = neighbours.pairs[neighbours.member(at)];
                for &other in Carriers::of(bodies.carriers(a), bodies.carriers(b)).as_slice() {
                    let k = other as usize;
                    if tracks[k].divided && !std::mem::replace(&mut crowd[k], true) {
                        looked_at.push(other);
                    }
                }
            }
        }
    }

    /// Whether meetings of a pair are impacts.
    pub(super) fn counts(&self, bodies: &M, pair: Pair) -> bool {
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        carriers.as_slice().iter().any(|&body| self.bounces[body as usize])
    }

    pub(super) fn version(&self, bodies: &M, pair: [u32; 2]) -> u32 {
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        carriers.as_slice().iter().map(|&body| self.tracks[body as usize].version).sum()
    }

    /// Adds the next meeting of a pair that is fast enough to bounce.
    pub(super) fn find_event(
        &mut self,
        bodies: &mut M,
        neighbours: &Neighbours,
        number: usize,
        (dt, closed): (f64, Closed),
    ) {
        let pair = neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let tracks = &self.tracks;
        let moves = |&body: &u32| bodies.is_free(body as usize) && !tracks[body as usize].waits;
        if !carriers.as_slice().iter().any(moves) || !self.counts(bodies, pair) {
            return;
        }
        count_looks(LOOKS_OF_A_PAIR);
        let now = carriers.as_slice().iter().fold(0.0f64, |t, &b| t.max(tracks[b as usize].time));
        let mut motions = [(0u32, tracks[carriers.as_slice()[0] as usize].motion); 4];
        for (slot, &body) in motions.iter_mut().zip(carriers.as_slice()) {
            let track = &tracks[body as usize];
            *slot = (body, track.at(bodies, body as usize, now));
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let mut after = None;
        if closed == Closed::Count {
            bodies.manifold(pair, |body| motion_of(&motions, body).pose, 0.0, &mut found);
            let approaches = found.iter().any(|contact| {
                self.approaches(bodies, pair, contact, dt, |body| {
                    let motion = motion_of(&motions, body);
                    (motion.pose, motion.velocity)
                })
            });
            found.clear();
            after = approaches.then_some(0.0);
        }
        // What meets and does not approach (it grazes, or looks ran out before it met) may meet
        // later.
        let mut passed = 0.0;
        for _ in 0..MOST_MEETINGS {
            let path = |body: u32| {
                let track = &self.tracks[body as usize];
                let still = Motion { pose: track.motion.pose, ..Motion::default() };
                let path = Path { motion: track.motion, since: now + passed - track.time };
                if track.waits { still.into() } else { path }
            };
            let meeting = after.or_else(|| bodies.first_meeting(pair, path, dt - now - passed));
            let Some(meeting) = meeting else {
                if passed == 0.0 {
                    self.note_who_is_met(bodies, pair, (now, dt));
                }
                break;
            };
            passed += meeting;
            for slot in &mut motions[..carriers.as_slice().len()] {
                slot.1 = self.tracks[slot.0 as usize].at(bodies, slot.0 as usize, now + passed);
            }
            found.clear();
            bodies.manifold(pair, |body| motion_of(&motions, body).pose, 0.0, &mut found);
            let bounces = found.iter().any(|contact| {
                self.approaches(bodies, pair, contact, dt, |body| {
                    let motion = motion_of(&motions, body);
                    (motion.pose, motion.velocity)
                })
            });
            if bounces {
                let version = self.version(bodies, pair);
                self.events.push(Event { time: now + passed, pair: number as u32, version });
                break;
            }
            if after.is_some() {
                break;
            }
        }
        self.found = found;
    }

    /// The speed at which the gap of a contact opens.
    pub(crate) fn gap_speed(
        &mut self,
        bodies: &M,
        carriers: Carriers,
        contact: &M::Contact,
        of: impl Fn(u32) -> Motion<M::Pose>,
    ) -> f64 {
        let all = carriers.as_slice();
        let place = |body: u32| all.iter().position(|&other| other == body).unwrap_or(0) as u32;
        let problem = &mut self.one.problem;
        problem.clear();
        for &body in all {
            let motion = of(body);
            bodies.push_body(body as usize, &motion.pose, &motion.velocity, problem);
        }
        bodies.push_contact(contact, |body| of(body).pose, place, Material::default(), problem);
        problem.gap_speed(0, &problem.velocity)
    }

    /// Notes what rests and is met only because it does: on its free path it would fall away.
    pub(super) fn note_who_is_met(&mut self, bodies: &mut M, pair: Pair, (now, dt): (f64, f64)) {
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let Self { tracks, rests, met, .. } = self;
        let rests =
            |body: u32| bodies.is_free(body as usize) && rests[body as usize] && !tracks[body as usize].held;
        // What no force moves stays on its path.
        let falls = |body: u32| rests(body) && tracks[body as usize].force != [0.0; MAX_DOF];
        if !carriers.as_slice().iter().any(|&body| falls(body)) {
            return;
        }
        let mut paths = [(0u32, Path::default()); 4];
        for (slot, &body) in paths.iter_mut().zip(carriers.as_slice()) {
            let track = &tracks[body as usize];
            let motion = match (track.waits, rests(body)) {
                (true, _) => Motion { pose: track.motion.pose, ..Motion::default() },
                (_, true) => Motion { velocity: track.brought, acceleration: [0.0; MAX_DOF], ..track.motion },
                _ => track.motion,
            };
            *slot = (body, Path { motion, since: now - track.time });
        }
        let path = |body: u32| paths.iter().find(|slot| slot.0 == body).map_or(paths[0].1, |slot| slot.1);
        if bodies.first_meeting(pair, path, dt - now).is_some() {
            met.extend(carriers.as_slice());
        }
    }

    /// Whether a contact approaches faster than what forces add in a step.
    pub(super) fn approaches(
        &mut self,
        bodies: &M,
        pair: [u32; 2],
        contact: &M::Contact,
        dt: f64,
        of: impl Fn(u32) -> (M::Pose, crate::mechanics::Vector),
    ) -> bool {
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let place =
            |body: u32| carriers.as_slice().iter().position(|&other| other == body).unwrap_or(0) as u32;
        let OneContact { problem, accelerations } = &mut self.one;
        problem.clear();
        accelerations.clear();
        for &body in carriers.as_slice() {
            let (pose, velocity) = of(body);
            bodies.push_body(body as usize, &pose, &velocity, problem);
            accelerations.extend_from_slice(&self.tracks[body as usize].force[..M::DOF]);
        }
        bodies.push_contact(contact, |body| of(body).0, place, Material::default(), problem);
        let (rests, free) = (&self.rests, |body: u32| bodies.is_free(body as usize));
        let leans = carriers.as_slice().iter().any(|&body| free(body) && rests[body as usize]);
        let threshold = resting_threshold(problem, 0, accelerations, leans, M::DOF, dt);
        problem.gap_speed(0, &problem.velocity) < -(threshold + rounding(problem, 0))
    }
}
