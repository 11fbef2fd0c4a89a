//! Impacts at their instants: the first meeting of a pair that will bounce, then the next, until the step
//! ends. Only bodies that take part are divided; each has a piece of path of its own.

mod events;

use crate::contact::{mean_motion, way};
use crate::march::take_looks;
use crate::mechanics::{Flight, Mechanics, Motion, Pair, Vector};
use crate::neighbours::Carriers;
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::{MARGIN, Stepper};
use crate::track::{Track, added, angular_length, balls_separate, clearance, linear_length};
use carom_contact::{ContactProblem, Status};
use carom_numerics::watch;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Impact limit of a body in a step (Zeno guard).
const MOST_IMPACTS: u32 = 500;
/// The same of elastic impacts: they are many (π/2 √(mass ratio) of a ball between a heavy one and a wall) but
/// come to an end (Burago, Ferleger and Kononenko, Annals of Mathematics 147, 1998).
const MOST_ELASTIC_IMPACTS: u32 = 4000;
/// Impacts of a body whose answers contradict themselves.
pub(crate) const ENDLESS: u32 = u32::MAX / 2;
/// Too many impacts within this part of a step are too many for ever: more of them do not bounce.
const ZENO: f64 = 0.05;

/// What turns further in a step, in radians, has impacts at their instants even without restitution.
const FAST_TURN: f64 = 0.5;

/// What is held is held for at least this part of a step: a change of velocity over no time is no acceleration.
const SHORTEST: f64 = 0.01;

/// The part of its way to a body that waits that another one goes.
const BEFORE_WAITING: f64 = 0.9;

/// Operations of all impact problems of a step, and of its contact: some, and some for each pair (crowds). A row
/// costs some beside its solver.
const MOST_WORK: u64 = 20_000_000;
const MOST_WORK_PER_PAIR: u64 = 30_000;
const WORK_OF_A_ROW: u64 = 1000;
/// Operations of a look at two features ([`crate::march`]).
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

/// Room for a problem of one contact.
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
    work_end: u64,
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
        self.start_tracks(bodies, dt);
        self.bounces.work_end = report.operations + self.most_work();
        self.find_first_events(bodies, dt, report);
        while !watch::is_over() {
            self.hold_what_is_met(bodies, settings, dt, report);
            let Some(event) = self.bounces.events.pop() else { break };
            let pair = event.pair as usize;
            if self.bounces.version(bodies, self.neighbours.pairs[pair]) != event.version {
                continue;
            }
            if self.meets_who_waits(bodies, pair, event.time, report) {
                self.renew_events(bodies, dt, Closed::Answered);
                continue;
            }
            let neighbours = &self.neighbours;
            self.cluster.gather(bodies, &self.bounces, neighbours, (pair, event.time));
            if self.hold_what_rests(bodies, settings, dt, report) {
                self.renew_events(bodies, dt, Closed::Count);
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
            self.renew_events(bodies, dt, Closed::Answered);
            self.widen_if_needed(bodies, dt);
        }
    }

    /// Whether the impacts of the step are too much work.
    fn is_worn_out(&self, report: &mut StepReport) -> bool {
        report.operations += WORK_OF_A_LOOK * take_looks();
        report.operations > self.bounces.work_end
    }

    /// Operations of the impacts of a step, and of its contact.
    pub(crate) fn most_work(&self) -> u64 {
        MOST_WORK + MOST_WORK_PER_PAIR * self.neighbours.pairs.len() as u64
    }

    /// All that is free, if there is restitution; else what turns so far that no row knows where it will be. False
    /// where there is nothing.
    fn find_who_bounces(&mut self, bodies: &mut M, settings: &ContactSettings, dt: f64) -> bool {
        let (all, mean) = (settings.restitution > 0.0, &self.flight.mean);
        let turns = |body: usize| dt * angular_length::<M>(&mean[body]) > FAST_TURN && !bodies.is_round(body);
        let bounces = |body: usize| bodies.is_free(body) && (all || turns(body));
        self.bounces.bounces.clear();
        self.bounces.bounces.extend((0..bodies.body_count()).map(bounces));
        for &body in &self.bounces.spun {
            self.bounces.bounces[body as usize] = true;
        }
        if !all {
            self.find_who_meets(bodies, dt);
        }
        self.bounces.bounces.contains(&true)
    }

    /// Two free bodies that meet each other and can meet nobody else: a push along the normal of their meeting, but
    /// from where they start, would change angular momentum.
    fn find_who_meets(&mut self, bodies: &mut M, dt: f64) {
        let Self { bounces, neighbours, flight, .. } = self;
        bounces.partners.clear();
        bounces.partners.resize(bodies.body_count(), 0);
        bounces.candidates.clear();
        for (number, &pair) in neighbours.pairs.iter().enumerate() {
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let way = way(bodies, carriers, &flight.mean, dt);
            let margin = MARGIN * bodies.extent(pair);
            if clearance(bodies, flight, carriers) > way + margin {
                continue;
            }
            let all = carriers.as_slice();
            all.iter().for_each(|&body| bounces.partners[body as usize] += 1);
            let free = || all.iter().all(|&body| bodies.is_free(body as usize));
            if way > margin && all.len() == 2 && free() {
                bounces.candidates.push(number as u32);
            }
        }
        for &number in &bounces.candidates {
            let pair = neighbours.pairs[number as usize];
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let all = carriers.as_slice();
            let path = |body: u32| mean_motion(flight, &flight.mean, body).into();
            let alone = all.iter().all(|&body| bounces.partners[body as usize] == 1);
            if alone && bodies.first_meeting(pair, path, dt).is_some() {
                all.iter().for_each(|&body| bounces.bounces[body as usize] = true);
            }
        }
    }

    /// Whether contact turns bodies that come flying so far that no row knows where they will be: their meetings
    /// are impacts.
    pub(crate) fn contact_spins(&mut self, bodies: &M, dt: f64) -> bool {
        for body in 0..self.rows.changed.len() {
            if !self.rows.changed[body] || !bodies.is_free(body) || bodies.is_round(body) {
                continue;
            }
            let turn = dt * angular_length::<M>(&self.rows.new_mean[body]);
            let bounces_already = self.bounces.bounces.get(body).copied().unwrap_or(false);
            if turn > FAST_TURN && !bounces_already && !self.touches_at_start(bodies, body as u32) {
                self.bounces.spun.push(body as u32);
            }
        }
        !self.bounces.spun.is_empty()
    }

    fn touches_at_start(&self, bodies: &M, body: u32) -> bool {
        let mut pairs = self.neighbours.of(body).map(|at| self.neighbours.member(at));
        pairs
            .any(|pair| self.near[self.near_of(pair)].iter().any(|contact| bodies.touch(contact).is_closed()))
    }

    /// What would run into a body that waits does not: it waits too, a little before. Where three touch at once,
    /// one between two others, nobody knows who bounces.
    fn meets_who_waits(&mut self, bodies: &M, pair: usize, time: f64, report: &mut StepReport) -> bool {
        let [a, b] = self.neighbours.pairs[pair].map(|shape| bodies.carriers(shape));
        let carriers = Carriers::of(a, b);
        let bounces = &mut self.bounces;
        if !carriers.as_slice().iter().any(|&body| bounces.tracks[body as usize].waits) {
            return false;
        }
        report.early_impacts += 1;
        bounces.changed.clear();
        for &body in carriers.as_slice() {
            let k = body as usize;
            if bodies.is_free(k) && !bounces.tracks[k].waits {
                let begun = bounces.tracks[k].time;
                bounces.move_to(bodies, k, begun + BEFORE_WAITING * (time - begun));
                let track = &mut bounces.tracks[k];
                (track.waits, track.divided) = (true, true);
                track.version += 1;
                bounces.changed.push(body);
            }
        }
        bounces.divided = true;
        true
    }

    /// Whether an obstacle of the cluster moves: what it squeezes bounces without end.
    fn is_driven(&self, bodies: &M) -> bool {
        let driven = |body: usize| {
            !bodies.is_free(body) && self.bounces.tracks[body].motion.velocity != Vector::default()
        };
        self.cluster.numbering.bodies().iter().any(|&body| driven(body as usize))
    }

    /// The most impacts of a body of the cluster.
    fn most_impacts(&self) -> u32 {
        let bodies = self.cluster.numbering.bodies().iter();
        bodies.map(|&body| self.bounces.tracks[body as usize].impacts).max().unwrap_or(0)
    }

    /// Bodies that had too many impacts stay where they are until the next step, with all that touches them: places
    /// do not change, so energy is kept. They lose time instead of restitution.
    fn let_wait(&mut self, bodies: &M, report: &mut StepReport) {
        let Bounces { tracks, changed, .. } = &mut self.bounces;
        report.early_impacts += 1;
        for &body in changed.iter().filter(|&&body| bodies.is_free(body as usize)) {
            let track = &mut tracks[body as usize];
            (track.waits, track.divided) = (true, true);
        }
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
        let may_bounce = pairs.filter(|(_, pair)| !self.cannot_bounce(bodies, **pair, dt));
        candidates.extend(may_bounce.map(|(number, _)| number as u32));
        self.bounces.candidates = candidates;
        !self.bounces.candidates.is_empty()
    }

    /// Whether two bodies cannot meet in free flight: they are too far apart, or separating balls without forces.
    fn cannot_bounce(&self, bodies: &M, [a, b]: Pair, dt: f64) -> bool {
        let carriers = Carriers::of(bodies.carriers(a), bodies.carriers(b));
        let (&[a, b], Flight { start, mean, .. }) = (carriers.as_slice(), &self.flight) else { return false };
        let (a, b) = (a as usize, b as usize);
        let bend = linear_length::<M>(&start[a].acceleration) + linear_length::<M>(&start[b].acceleration);
        let balls = bodies.is_round(a) && bodies.is_round(b);
        if balls && bend == 0.0 && balls_separate::<M>(&self.flight, [a, b], mean) {
            return true;
        }
        // Resting contact may cancel forces, and stored velocities may be half a step apart.
        let nearer = dt * linear_length::<M>(&added::<M>(&mean[a], -1.0, &mean[b])) + 2.0 * dt * dt * bend;
        let margin = MARGIN * bodies.bounding_radius(a).min(bodies.bounding_radius(b));
        clearance(bodies, &self.flight, carriers) > 1.01 * nearer + margin
    }

    /// Holds what rests and is met.
    fn hold_what_is_met(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        while !self.bounces.met.is_empty() && !watch::is_over() {
            let mut met = std::mem::take(&mut self.bounces.met);
            std::mem::swap(&mut met, &mut self.bounces.looked_at);
            let all = std::mem::take(&mut self.bounces.looked_at);
            self.bounces.met = met;
            self.bounces.met.clear();
            if self.hold_those(bodies, settings, dt, &all, report) {
                self.renew_events(bodies, dt, Closed::Count);
            }
            self.bounces.looked_at = all;
        }
    }

    /// Holds what rests at the start and has to do with the cluster, if that was not done yet. Then paths up to
    /// the instant are others, and the cluster is no longer what it was.
    fn hold_what_rests(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) -> bool {
        let mut all = std::mem::take(&mut self.bounces.looked_at);
        all.clear();
        all.extend_from_slice(self.cluster.numbering.bodies());
        let held = self.hold_those(bodies, settings, dt, &all, report);
        self.bounces.looked_at = all;
        held
    }

    /// Holds what rests of some bodies, with all that it rests on or carries.
    fn hold_those(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        dt: f64,
        all: &[u32],
        report: &mut StepReport,
    ) -> bool {
        self.bounces.changed.clear();
        for &body in all {
            let k = body as usize;
            if !bodies.is_free(k) || !self.bounces.rests[k] || self.bounces.tracks[k].held {
                continue;
            }
            self.gather_what_rests(bodies, dt, body);
            let (bounces, flight) = (&mut self.bounces, &self.flight);
            self.cluster.hold_from_start(bodies, bounces, flight, (settings, dt), report);
            self.bounces.changed.extend_from_slice(self.cluster.numbering.bodies());
        }
        !self.bounces.changed.is_empty()
    }

    /// Gathers what touches a body at the start, directly or through others, back at the start.
    fn gather_what_rests(&mut self, bodies: &M, dt: f64, body: u32) {
        let Self { cluster, bounces, neighbours, near, near_end, flight, .. } = self;
        cluster.start(bodies, neighbours);
        cluster.join(bodies, body);
        while let Some(body) = cluster.stack.pop() {
            for number in neighbours.of(body).map(|at| neighbours.member(at)) {
                if !cluster.is_new(number) {
                    continue;
                }
                let first = if number == 0 { 0 } else { near_end[number - 1] } as usize;
                let near = near[first..near_end[number] as usize].iter();
                let known = cluster.contacts.len();
                let closed = near.filter(|contact| bodies.touch(contact).is_closed());
                cluster.contacts.extend(closed.map(|&contact| (number as u32, contact)));
                if cluster.contacts.len() > known {
                    let [a, b] = neighbours.pairs[number].map(|shape| bodies.carriers(shape));
                    for &body in Carriers::of(a, b).as_slice() {
                        cluster.join(bodies, body);
                    }
                }
            }
        }
        cluster.sort(bodies);
        for &body in cluster.numbering.bodies() {
            let track = &mut bounces.tracks[body as usize];
            *track = Track { version: track.version, ..Track::start::<M>(flight, body as usize, dt) };
        }
    }

    /// Finds the events of all pairs of bodies whose paths have changed.
    fn renew_events(&mut self, bodies: &mut M, dt: f64, closed: Closed) {
        let mut changed = std::mem::take(&mut self.bounces.changed);
        changed.retain(|&body| bodies.is_free(body as usize));
        changed.sort_unstable();
        changed.dedup();
        for &body in &changed {
            for at in self.neighbours.of(body) {
                let number = self.neighbours.member(at);
                let pair = self.neighbours.pairs[number];
                let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
                // A pair of two changed bodies is looked at once, by the first of them.
                let first = carriers.as_slice().iter().find(|body| changed.binary_search(body).is_ok());
                if first == Some(&body) {
                    self.bounces.find_event(bodies, &self.neighbours, number, (dt, closed));
                }
            }
        }
        self.bounces.changed = changed;
    }

    /// Looks for pairs again where a body was thrown beyond what was looked at.
    fn widen_if_needed(&mut self, bodies: &mut M, dt: f64) {
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
            self.find_near(bodies);
            // They know pairs by their old numbers.
            self.bounces.events.clear();
            for number in 0..self.neighbours.pairs.len() {
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
