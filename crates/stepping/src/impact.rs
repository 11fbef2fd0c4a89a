//! An impact: everything that touches at one instant and is joined to bodies that approach, as one
//! problem. Simultaneity and symmetry are what Generalized Reflection is for.

mod holding;
mod thresholds;

pub(crate) use thresholds::{resting_threshold, rounding};

use self::thresholds::Partners;
use crate::bounce::{Bounces, ENDLESS};
use crate::mechanics::{Material, Mechanics, Vector};
use crate::neighbours::{Carriers, Neighbours};
use crate::numbering::Numbering;
use crate::report::{StepReport, Touched};
use crate::settings::ContactSettings;
use crate::track::{Track, energy_change};
use crate::verdict::resolve_soundly;
use carom_contact::{ContactProblem, Response, Status, Workspace};
use carom_numerics::watch;

/// Operations of a row in a pass, and of one that is answered in it.
const WORK_OF_A_PASS: u64 = 20;
const WORK_OF_AN_ANSWER: u64 = 300;

/// Passes of impulses one after the other in one impact; a row of a thousand balls needs a
/// thousand.
const MOST_PASSES: usize = 2000;

/// Bodies that touch at an instant, directly or through others, and their contacts.
#[derive(Debug, Clone)]
pub(crate) struct Cluster<M: Mechanics> {
    pub(crate) numbering: Numbering,
    /// Contacts with the numbers of their pairs, in rising order.
    pub(crate) contacts: Vec<(u32, M::Contact)>,
    /// Approach below which each contact rests.
    thresholds: Vec<f64>,
    /// The row of each contact in the problem.
    rows: Vec<u32>,
    pub(crate) problem: ContactProblem,
    workspace: Workspace,
    /// The problem of one pair, for pairwise impulses.
    pair: ContactProblem,
    pair_workspace: Workspace,
    /// How good the last answer is.
    status: Status,
    pub(crate) stack: Vec<u32>,
    /// When each pair was last checked.
    looked: Vec<u32>,
    look: u32,
    found: Vec<M::Contact>,
    before: Vec<f64>,
    resting: Vec<bool>,
    partners: Vec<Partners>,
    /// Impulses of the last answer, summed over passes.
    impulses: Vec<f64>,
    friction_impulses: Vec<f64>,
}

impl<M: Mechanics> Cluster<M> {
    /// Gathers what touches at `time` around a pair.
    pub(crate) fn gather(
        &mut self,
        bodies: &mut M,
        bounces: &Bounces<M>,
        neighbours: &Neighbours,
        (pair, time): (usize, f64),
    ) {
        self.start(bodies, neighbours);
        self.check(bodies, bounces, neighbours, (pair, time));
        while let Some(body) = self.stack.pop() {
            for at in neighbours.of(body) {
                self.check(bodies, bounces, neighbours, (neighbours.member(at), time));
            }
        }
        self.sort(bodies);
    }

    /// No bodies, no contacts.
    pub(crate) fn start(&mut self, bodies: &M, neighbours: &Neighbours) {
        self.contacts.clear();
        self.stack.clear();
        self.numbering.start(bodies.body_count());
        self.look = self.look.wrapping_add(1);
        self.looked.resize(neighbours.pairs.len(), 0);
        if self.look == 0 {
            self.looked.fill(0);
            self.look = 1;
        }
    }

    /// Whether a pair was not checked yet.
    pub(crate) fn is_new(&mut self, number: usize) -> bool {
        std::mem::replace(&mut self.looked[number], self.look) != self.look
    }

    /// Adds a body, unless it is there; what touches it is to be checked, if it can move.
    pub(crate) fn join(&mut self, bodies: &M, body: u32) {
        if self.numbering.add(body) && bodies.is_free(body as usize) {
            self.stack.push(body);
        }
    }

    /// Forgets the answers of earlier steps: frames do not hold them, and a run that is resumed
    /// starts without.
    pub(crate) fn forget(&mut self) {
        self.workspace.restore_memory(&[]);
        self.pair_workspace.restore_memory(&[]);
    }

    /// Puts bodies and contacts in order, so that nothing depends on how they were found.
    pub(crate) fn sort(&mut self, bodies: &M) {
        // Unstable because a stable sort allocates.
        let key = |contact: &M::Contact| bodies.touch(contact).key;
        self.contacts.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| key(&a.1).cmp(&key(&b.1))));
        self.numbering.sort();
    }

    /// Adds the closed contacts of a pair.
    fn check(
        &mut self,
        bodies: &mut M,
        bounces: &Bounces<M>,
        neighbours: &Neighbours,
        (number, time): (usize, f64),
    ) {
        if !self.is_new(number) {
            return;
        }
        let pair = neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let tracks = &bounces.tracks;
        self.found.clear();
        let known: &M = bodies;
        // Poses first: the narrow phase needs the family for itself.
        let mut poses = [(0u32, M::Pose::default()); 4];
        for (slot, &body) in poses.iter_mut().zip(carriers.as_slice()) {
            let track = &tracks[body as usize];
            let moved = track.at(known, body as usize, time);
            *slot = (body, moved.pose);
        }
        bodies.manifold(pair, |body| pose_of(&poses, body), 0.0, &mut self.found);
        if self.found.is_empty() {
            return;
        }
        self.contacts.extend(self.found.iter().map(|&contact| (number as u32, contact)));
        for &body in carriers.as_slice() {
            self.join(bodies, body);
        }
    }

    /// Writes the problem of the cluster at the velocities of its bodies.
    fn fill(&mut self, bodies: &M, bounces: &Bounces<M>, (restitution, friction): (f64, f64)) {
        self.problem.clear();
        for &body in self.numbering.bodies() {
            let motion = &bounces.tracks[body as usize].motion;
            bodies.push_body(body as usize, &motion.pose, &motion.velocity, &mut self.problem);
        }
        let material = Material { restitution, friction, bias: 0.0 };
        self.rows.clear();
        self.rows.extend(0..self.contacts.len() as u32);
        for (_, contact) in &self.contacts {
            bodies.push_contact(
                contact,
                |body| bounces.tracks[body as usize].motion.pose,
                |body| self.numbering.place(body),
                material,
                &mut self.problem,
            );
        }
    }

    /// Answers the impact; returns whether anything approached faster than what rests.
    pub(crate) fn answer(
        &mut self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        neighbours: &Neighbours,
        (settings, dt): (&ContactSettings, f64),
        report: &mut StepReport,
    ) -> bool {
        self.fill(bodies, bounces, (settings.restitution, settings.friction));
        self.find_thresholds(bodies, bounces, dt);
        let approaches = |cluster: &Self| {
            (0..cluster.contacts.len()).any(|k| {
                let speed = cluster.problem.gap_speed(k, &cluster.problem.velocity);
                speed < -cluster.thresholds[k]
            })
        };
        if !approaches(self) {
            return false;
        }
        self.before.clone_from(&self.problem.velocity);
        let response = settings.response.solved_by();
        let mut passes = 0;
        self.impulses.clear();
        self.impulses.resize(self.contacts.len(), 0.0);
        self.friction_impulses.clear();
        self.friction_impulses.resize(self.problem.tangent_count(), 0.0);
        if response == Response::Impulses {
            while passes < MOST_PASSES && approaches(self) && !watch::is_over() {
                self.answer_pairs(bodies, bounces, neighbours, settings, report);
                passes += 1;
                if report.operations > bounces.work_end {
                    passes = MOST_PASSES;
                }
            }
        } else {
            let resolution = resolve_soundly(&mut self.problem, &response, &mut self.workspace);
            report.add(resolution);
            add_to(&mut self.impulses, &resolution.impulses);
            add_to(&mut self.friction_impulses, &resolution.friction_impulses);
            self.problem.velocity.clone_from(&resolution.velocity);
            self.status = resolution.status;
        }
        if passes == MOST_PASSES {
            report.status = report.status.max(Status::LimitReached);
        }
        self.account(bodies, bounces, report);
        true
    }

    /// Pairwise impulses: pair after pair, all contacts of a pair at once, so that what lands flat
    /// does not turn.
    fn answer_pairs(
        &mut self,
        bodies: &M,
        bounces: &Bounces<M>,
        neighbours: &Neighbours,
        settings: &ContactSettings,
        report: &mut StepReport,
    ) {
        let Self { contacts, problem, thresholds, numbering, pair, pair_workspace, .. } = self;
        let ContactSettings { restitution, friction, .. } = *settings;
        let material = Material { restitution, friction, bias: 0.0 };
        let mut next = 0;
        while let Some(&(number, _)) = contacts.get(next).filter(|_| !watch::is_over()) {
            let count = contacts[next..].iter().take_while(|contact| contact.0 == number).count();
            let own = next..next + count;
            next = own.end;
            report.operations += WORK_OF_A_PASS * count as u64;
            if own.clone().all(|k| problem.gap_speed(k, &problem.velocity) >= -thresholds[k]) {
                continue;
            }
            let [a, b] = neighbours.pairs[number as usize].map(|shape| bodies.carriers(shape));
            let carriers = Carriers::of(a, b);
            let all = carriers.as_slice();
            let place = |body: u32| all.iter().position(|&other| other == body).unwrap_or(0) as u32;
            let pose = |body: u32| bounces.tracks[body as usize].motion.pose;
            pair.clear();
            for &body in all {
                let at = numbering.place(body) as usize * M::DOF;
                let mut velocity = Vector::default();
                velocity[..M::DOF].copy_from_slice(&problem.velocity[at..at + M::DOF]);
                bodies.push_body(body as usize, &pose(body), &velocity, pair);
            }
            for (_, contact) in &contacts[own.clone()] {
                bodies.push_contact(contact, pose, place, material, pair);
            }
            report.operations += WORK_OF_AN_ANSWER * count as u64;
            let response = if count == 1 { Response::Impulses } else { Response::LCP };
            let resolution = resolve_soundly(pair, &response, pair_workspace);
            report.add(resolution);
            self.status = resolution.status;
            for (i, k) in own.enumerate() {
                self.impulses[k] += resolution.impulses[i];
                for (t, sum) in pair.tangent_range(i).zip(problem.tangent_range(k)) {
                    self.friction_impulses[sum] += resolution.friction_impulses[t];
                }
            }
            for &body in all {
                let (at, from) = (numbering.place(body) as usize * M::DOF, place(body) as usize * M::DOF);
                problem.velocity[at..at + M::DOF].copy_from_slice(&resolution.velocity[from..from + M::DOF]);
            }
        }
    }

    /// Writes the velocities after to the tracks; sums up energy and angular momentum.
    fn account(&mut self, bodies: &M, bounces: &mut Bounces<M>, report: &mut StepReport) {
        let problem = &self.problem;
        let change = energy_change(&problem.mass, &self.before, &problem.velocity);
        report.kinetic_after += change;
        report.impacts += 1;
        // Bad answers that gain from obstacles: what contradicts itself is not solved again in this
        // step.
        let endless = self.status > Status::Stalled && change > 0.0;
        self.write_back(bodies, bounces, report, |track| {
            track.impacts = if endless { ENDLESS } else { track.impacts + 1 };
        });
        // All of them: what an impact does not move is held by what it moves. Nothing else divides
        // a path: what only rests is held by contact.
        for &body in self.numbering.bodies() {
            bounces.tracks[body as usize].divided |= bodies.is_free(body as usize);
        }
        bounces.divided = true;
    }

    /// Writes the velocities of the problem to the tracks of free bodies; sums up angular momentum.
    fn write_back(
        &self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        report: &mut StepReport,
        note: impl Fn(&mut Track<M::Pose>),
    ) {
        for (place, &body) in self.numbering.bodies().iter().enumerate() {
            let after = &self.problem.velocity[place * M::DOF..][..M::DOF];
            let track = &mut bounces.tracks[body as usize];
            if !bodies.is_free(body as usize) {
                continue;
            }
            if *after == track.motion.velocity[..M::DOF] {
                continue;
            }
            let old = bodies.momentum(body as usize, &track.motion.pose, &track.motion.velocity);
            track.motion.velocity[..M::DOF].copy_from_slice(after);
            let new = bodies.momentum(body as usize, &track.motion.pose, &track.motion.velocity);
            for axis in 0..3 {
                report.angular_momentum_change[axis] += new.angular[axis] - old.angular[axis];
            }
            note(track);
        }
    }

    /// What contacts of the last answer pushed.
    pub(crate) fn touched(&self, time: f64) -> impl Iterator<Item = Touched<M::Contact>> + '_ {
        self.contacts.iter().enumerate().filter_map(move |(k, &(_, contact))| {
            let impulse = self.impulses[k];
            let mut friction = [0.0; 2];
            for (slot, t) in friction.iter_mut().zip(self.problem.tangent_range(k)) {
                *slot = self.friction_impulses[t];
            }
            let touched = Touched { contact, time, impulse, friction };
            (impulse > 0.0).then_some(touched)
        })
    }
}

fn add_to(sums: &mut [f64], numbers: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// The pose of a body among a few.
pub(crate) fn pose_of<P: Copy>(poses: &[(u32, P); 4], body: u32) -> P {
    poses.iter().find(|entry| entry.0 == body).map_or(poses[0].1, |entry| entry.1)
}

impl<M: Mechanics> Default for Cluster<M> {
    fn default() -> Self {
        Self {
            numbering: Numbering::default(),
            contacts: Vec::new(),
            thresholds: Vec::new(),
            rows: Vec::new(),
            problem: ContactProblem::new(),
            workspace: Workspace::new(),
            pair: ContactProblem::new(),
            pair_workspace: Workspace::new(),
            status: Status::Solved,
            stack: Vec::new(),
            looked: Vec::new(),
            look: 0,
            found: Vec::new(),
            before: Vec::new(),
            resting: Vec::new(),
            partners: Vec::new(),
            impulses: Vec::new(),
            friction_impulses: Vec::new(),
        }
    }
}
