//! Impacts at their instants: the first meeting of a pair that will bounce, then the next, until
//! the step ends. Only bodies that take part are divided; each has a piece of path of its own.

mod events;
mod resting;
mod waiting;
mod who;

use crate::mechanics::{Flight, Mechanics, Motion, Pair, Vector};
use crate::neighbours::Carriers;
use crate::quiet::is_far;
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::Stepper;
use crate::track::{Track, added, angular_length, balls_separate, linear_length};
use carom_contact::{ContactProblem, Status};
use carom_geometry::march::take_looks;
use carom_numerics::watch;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Impact limit of a body in a step (Zeno guard).
const MOST_IMPACTS: u32 = 500;
/// The same of elastic impacts: they are many (π/2 √(mass ratio) of a ball between a heavy one and
/// a wall) but come to an end (Burago, Ferleger and Kononenko, Annals of Mathematics 147, 1998).
const MOST_ELASTIC_IMPACTS: u32 = 4000;
/// Impacts of a body whose answers contradict themselves.
pub(crate) const ENDLESS: u32 = u32::MAX / 2;
/// Too many impacts within this part of a step are too many for ever: more of them do not bounce.
const ZENO: f64 = 0.05;

/// What is held is held for at least this part of a step: a change of velocity over no time is no
/// acceleration.
const SHORTEST: f64 = 0.01;

/// Operations of all impact problems of a step, and of its contact: some, and some for each pair
/// (crowds), but not more than for each body. A row costs some beside its solver.
const MOST_WORK: u64 = 20_000_000;
const MOST_WORK_PER_PAIR: u64 = 30_000;
const MOST_WORK_PER_BODY: u64 = 1_000_000;
const WORK_OF_A_ROW: u64 = 1000;
/// Operations of a look at two features ([`carom_geometry::march`]).
pub(crate) const WORK_OF_A_LOOK: u64 = 100;

/// A meeting to come.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Event {
    time: f64,
    pair: u32,
    /// Sum of the versions of the bodies when it was found.
    version: u32,
}

/// Whether pairs that touch now and approach are events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closed {
    Count,
    /// They have just been answered.
    Answered,
}

/// Scratch buffers for a problem of one contact.
#[derive(Debug, Clone, Default)]
struct OneContact {
    problem: ContactProblem,
    accelerations: Vec<f64>,
}

/// Memory of the impacts of a step.
#[derive(Debug, Clone)]
pub(crate) struct Bounces<M: Mechanics> {
    pub(crate) tracks: Vec<Track<M::Pose>>,
    /// Whether meetings of a body are impacts.
    bounces: Vec<bool>,
    /// How many others each body may meet in free flight.
    partners: Vec<u32>,
    /// Bodies that contact alone turned too far.
    pub(crate) spun: Vec<u32>,
    /// Whether a body touches something at the start.
    rests: Vec<bool>,
    /// Whether any force acts.
    forces: bool,
    events: BinaryHeap<Event>,
    /// Pairs that may bounce on their free paths.
    candidates: Vec<u32>,
    one: OneContact,
    found: Vec<M::Contact>,
    changed: Vec<u32>,
    /// Bodies of the present cluster.
    looked_at: Vec<u32>,
    /// Bodies that rest and are met.
    met: Vec<u32>,
    /// Operations at which the work of the step is too much.
    pub(crate) work_end: u64,
    /// Whether the present step has impacts.
    pub(crate) divided: bool,
}

impl<M: Mechanics> Stepper<M> {
    /// Answers impacts in the order of time.
    pub(crate) fn bounce(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        self.bounces.divided = false;
        if self.neighbours.pairs.is_empty() || !self.find_who_bounces(bodies, settings, dt) {
            return;
        }
        if !self.find_candidates(bodies, dt) {
            return;
        }
        self.neighbours.index(bodies);
        self.start_tracks(bodies, dt);
        self.cluster.forget();
        self.bounces.work_end = report.operations + self.most_work();
        self.find_first_events(bodies, dt, report);
        let mut now = 0.0;
        while !watch::is_over() {
            self.hold_what_is_met(bodies, settings, dt, report);
            if self.is_exhausted(report) {
                self.let_all_wait(bodies, now, report);
                break;
            }
            let Some(event) = self.bounces.events.pop() else { break };
            let pair = event.pair as usize;
            if self.bounces.version(bodies, self.neighbours.pairs[pair]) != event.version {
                continue;
            }
            now = event.time;
            if self.meets_who_waits(bodies, pair, event.time, report) {
                self.renew_events(bodies, (dt, Closed::Answered), report);
                continue;
            }
            let neighbours = &self.neighbours;
            self.cluster.gather(bodies, &self.bounces, neighbours, (pair, event.time));
            if self.hold_what_rests(bodies, settings, dt, report) {
                self.renew_events(bodies, (dt, Closed::Count), report);
                continue;
            }
            for &body in self.cluster.numbering.bodies() {
                self.bounces.move_to(bodies, body as usize, event.time);
            }
            let elastic = settings.restitution == 1.0 && !self.is_driven(bodies);
            let limit = if elastic { MOST_ELASTIC_IMPACTS } else { MOST_IMPACTS };
            let tired = self.most_impacts() >= if elastic { ENDLESS } else { limit };
            // Without end and without progress: nothing but rest is left.
            let restitution = if tired { 0.0 } else { settings.restitution };
            let rules = ContactSettings { restitution, ..*settings };
            if !self.answer_cluster(bodies, &rules, dt, event.time, report) {
                continue;
            }
            if tired {
                report.status = report.status.max(Status::LimitReached);
            }
            let left = (dt - event.time).max(SHORTEST * dt);
            self.cluster.hold(bodies, &mut self.bounces, settings, left, report);
            report.operations += WORK_OF_A_ROW * self.cluster.contacts.len() as u64;
            self.bounces.changed.clear();
            self.bounces.changed.extend_from_slice(self.cluster.numbering.bodies());
            let is_late = elastic || event.time > ZENO * dt;
            if self.is_worn_out(report) || is_late && self.most_impacts() >= limit {
                self.let_wait(bodies, report);
            }
            self.renew_events(bodies, (dt, Closed::Answered), report);
            self.widen_if_needed(bodies, dt, report);
        }
        self.sum_up_momentum(bodies, dt, report);
    }

    /// What impacts, and contact that held between them, changed of the momentum of divided bodies.
    fn sum_up_momentum(&self, bodies: &M, dt: f64, report: &mut StepReport) {
        let Self { bounces, flight, .. } = self;
        for (body, track) in bounces.tracks.iter().enumerate().filter(|(_, track)| track.divided) {
            let (end, (pose, free)) = (track.at(bodies, body, dt), &flight.end[body]);
            let stored = added::<M>(&end.velocity, flight.shift * dt, &end.acceleration);
            let (new, old) = (bodies.momentum(body, &end.pose, &stored), bodies.momentum(body, pose, free));
            for axis in 0..3 {
                report.momentum_change[axis] += new.linear[axis] - old.linear[axis];
            }
        }
    }

    /// Whether the impacts of the step are too much work.
    fn is_worn_out(&self, report: &mut StepReport) -> bool {
        report.operations += WORK_OF_A_LOOK * take_looks();
        report.operations > self.bounces.work_end
    }

    /// Whether they are so much too much that nobody is checked any more.
    fn is_exhausted(&mut self, report: &mut StepReport) -> bool {
        self.is_worn_out(report) && report.operations - self.bounces.work_end > self.most_work() / 2
    }

    /// Operations of the impacts of a step, and of its contact.
    pub(crate) fn most_work(&self) -> u64 {
        let of_pairs = MOST_WORK_PER_PAIR * self.neighbours.pairs.len() as u64;
        MOST_WORK + of_pairs.min(MOST_WORK_PER_BODY * self.flight.start.len() as u64)
    }

    fn answer_cluster(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        dt: f64,
        time: f64,
        report: &mut StepReport,
    ) -> bool {
        let Self { cluster, bounces, neighbours, .. } = self;
        let answered = cluster.answer(bodies, bounces, neighbours, (settings, dt), report);
        if answered {
            let Self { cluster, touched, .. } = self;
            touched.extend(cluster.touched(time));
        }
        answered
    }

    fn start_tracks(&mut self, bodies: &M, dt: f64) {
        let bounces = &mut self.bounces;
        bounces.tracks.clear();
        bounces.rests.clear();
        bounces.rests.resize(bodies.body_count(), false);
        for body in 0..bodies.body_count() {
            bounces.tracks.push(Track::start::<M>(&self.flight, body, dt));
        }
        bounces.forces = bounces.tracks.iter().any(|track| track.force != Vector::default());
        for (number, &pair) in self.neighbours.pairs.iter().enumerate() {
            let start = if number == 0 { 0 } else { self.near_end[number - 1] } as usize;
            let near = &self.near[start..self.near_end[number] as usize];
            if near.iter().any(|contact| bodies.touch(contact).is_closed()) {
                for &body in Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1])).as_slice() {
                    bounces.rests[body as usize] = true;
                }
            }
        }
    }

    /// Events of all pairs on the free paths, and of pairs that touch at the start and approach.
    fn find_first_events(&mut self, bodies: &mut M, dt: f64, report: &mut StepReport) {
        self.bounces.events.clear();
        self.bounces.met.clear();
        for k in 0..self.bounces.candidates.len() {
            if self.is_worn_out(report) {
                report.status = report.status.max(Status::LimitReached);
                return;
            }
            let number = self.bounces.candidates[k] as usize;
            let pair = self.neighbours.pairs[number];
            let near = self.near_of(number);
            let Self { near: contacts, bounces, flight, .. } = self;
            let closed = bounces.counts(bodies, pair)
                && contacts[near].iter().any(|contact| {
                    bodies.touch(contact).is_closed()
                        && bounces.approaches(bodies, pair, contact, dt, |body| {
                            let start = &flight.start[body as usize];
                            (start.pose, start.velocity)
                        })
                });
            if closed {
                let version = self.bounces.version(bodies, pair);
                self.bounces.events.push(Event { time: 0.0, pair: number as u32, version });
            } else {
                let when = (dt, Closed::Answered);
                self.bounces.find_event(bodies, &self.neighbours, number, when);
            }
        }
    }

    /// Pairs that may bounce on their free paths. False where there are none.
    fn find_candidates(&mut self, bodies: &M, dt: f64) -> bool {
        let mut candidates = std::mem::take(&mut self.bounces.candidates);
        candidates.clear();
        let pairs = self.neighbours.pairs.iter().enumerate();
        let may_bounce = pairs.filter(|(k, pair)| !self.idle[*k] && !self.cannot_bounce(bodies, **pair, dt));
        candidates.extend(may_bounce.map(|(number, _)| number as u32));
        self.bounces.candidates = candidates;
        !self.bounces.candidates.is_empty()
    }

    /// Whether two bodies cannot meet in free flight: they are too far apart, or separating balls
    /// without forces.
    fn cannot_bounce(&self, bodies: &M, [a, b]: Pair, dt: f64) -> bool {
        let carriers = Carriers::of(bodies.carriers(a), bodies.carriers(b));
        let (&[a, b], Flight { start, mean, .. }) = (carriers.as_slice(), &self.flight) else { return false };
        let (a, b) = (a as usize, b as usize);
        let bend = linear_length::<M>(&start[a].acceleration) + linear_length::<M>(&start[b].acceleration);
        let balls = bodies.is_round(a) && bodies.is_round(b);
        if balls && bend == 0.0 && balls_separate::<M>(&self.flight, [a, b], mean) {
            return true;
        }
        is_far(bodies, &self.flight, carriers, dt)
    }

    /// Finds the events of all pairs of bodies whose paths have changed.
    fn renew_events(&mut self, bodies: &mut M, when: (f64, Closed), report: &mut StepReport) {
        let mut changed = std::mem::take(&mut self.bounces.changed);
        changed.retain(|&body| bodies.is_free(body as usize));
        changed.sort_unstable();
        changed.dedup();
        for &body in &changed {
            for at in self.neighbours.of(body) {
                let number = self.neighbours.member(at);
                let pair = self.neighbours.pairs[number];
                let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
                // A pair of two changed bodies is checked once, by the first of them.
                let first = carriers.as_slice().iter().find(|body| changed.binary_search(body).is_ok());
                if first == Some(&body) && !self.is_exhausted(report) {
                    self.bounces.find_event(bodies, &self.neighbours, number, when);
                }
            }
        }
        self.bounces.changed = changed;
    }

    /// Looks for pairs again where a body was thrown beyond what was checked.
    fn widen_if_needed(&mut self, bodies: &mut M, dt: f64, report: &mut StepReport) {
        let mut wide = false;
        for &body in &self.bounces.changed {
            let k = body as usize;
            let track = &self.bounces.tracks[k];
            let left = dt - track.time;
            let radius = bodies.bounding_radius(k);
            let (from, to) = (M::position(&self.flight.start[k].pose), M::position(&track.motion.pose));
            let gone = (0..3).fold(0.0, |sum, axis| sum + (to[axis] - from[axis]).powi(2)).sqrt();
            let turning = (left * angular_length::<M>(&track.motion.velocity)).min(2.0) * radius;
            let way = left * linear_length::<M>(&track.motion.velocity)
                + left * left * linear_length::<M>(&track.motion.acceleration)
                + gone
                + turning;
            if way > self.sweeps[k].room {
                self.sweeps[k].room = 2.0 * way;
                wide = true;
            }
        }
        if wide && self.find_pairs_again(bodies) {
            self.neighbours.index(bodies);
            self.find_near(bodies);
            // They know pairs by their old numbers.
            self.bounces.events.clear();
            for number in 0..self.neighbours.pairs.len() {
                if self.is_exhausted(report) {
                    return;
                }
                let when = (dt, Closed::Count);
                self.bounces.find_event(bodies, &self.neighbours, number, when);
            }
        }
    }
}

/// The motion of a body among a few.
pub(crate) fn motion_of<P: Copy>(motions: &[(u32, Motion<P>); 4], body: u32) -> Motion<P> {
    motions.iter().find(|entry| entry.0 == body).map_or(motions[0].1, |entry| entry.1)
}

impl Eq for Event {}

impl Ord for Event {
    /// The earliest is the greatest, so that a heap gives it first; pairs settle equal times.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<M: Mechanics> Default for Bounces<M> {
    fn default() -> Self {
        Self {
            tracks: Vec::new(),
            bounces: Vec::new(),
            partners: Vec::new(),
            spun: Vec::new(),
            rests: Vec::new(),
            forces: false,
            events: BinaryHeap::new(),
            candidates: Vec::new(),
            one: OneContact::default(),
            found: Vec::new(),
            changed: Vec::new(),
            looked_at: Vec::new(),
            met: Vec::new(),
            work_end: 0,
            divided: false,
        }
    }
}
