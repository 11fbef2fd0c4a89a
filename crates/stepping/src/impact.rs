//! An impact: everything that touches at one instant and is joined to bodies that approach, as one
//! problem. Simultaneity and symmetry are what Generalized Reflection is for.

use crate::bounce::{Bounces, ENDLESS};
use crate::mechanics::{Flight, Material, Mechanics, Vector};
use crate::neighbours::{Carriers, Neighbours};
use crate::numbering::Numbering;
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, RESTING_TOLERANCE, SOLVED_TO};
use crate::track::{Track, added, energy_change, linear_length};
use crate::verdict::resolve_soundly;
use carom_contact::{ContactProblem, Response, Status, Workspace};
use carom_numerics::watch;

/// Operations of a row in a pass.
const WORK_OF_A_PASS: u64 = 20;

/// Passes of impulses one after the other in one impact; a row of a thousand balls needs a thousand.
const MOST_PASSES: usize = 2000;

/// Speeds below this part of what forces add in a step are noise of what rests, not worth an exact answer.
const NOISE: f64 = 1e-9;

/// The acceleration of a held body, in those of forces around it.
const MOST_ACCELERATION: f64 = 10.0;

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
    /// When each pair was last looked at.
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
        self.look_at(bodies, bounces, neighbours, (pair, time));
        while let Some(body) = self.stack.pop() {
            for at in neighbours.of(body) {
                self.look_at(bodies, bounces, neighbours, (neighbours.member(at), time));
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

    /// Whether a pair was not looked at yet.
    pub(crate) fn is_new(&mut self, number: usize) -> bool {
        std::mem::replace(&mut self.looked[number], self.look) != self.look
    }

    /// Adds a body, unless it is there; what touches it is to be looked at, if it can move.
    pub(crate) fn join(&mut self, bodies: &M, body: u32) {
        if self.numbering.add(body) && bodies.is_free(body as usize) {
            self.stack.push(body);
        }
    }

    /// Puts bodies and contacts in order, so that nothing depends on how they were found.
    pub(crate) fn sort(&mut self, bodies: &M) {
        // Unstable because a stable sort allocates.
        self.contacts.sort_unstable_by_key(|(pair, contact)| (*pair, bodies.touch(contact).key));
        self.numbering.sort();
    }

    /// Adds the closed contacts of a pair.
    fn look_at(
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

    /// Pairwise impulses: pair after pair, all contacts of a pair at once, so that what lands flat does not turn.
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

    /// Writes the velocities after to the tracks; sums up energy and momentum.
    fn account(&mut self, bodies: &M, bounces: &mut Bounces<M>, report: &mut StepReport) {
        let problem = &self.problem;
        let change = energy_change(&problem.mass, &self.before, &problem.velocity);
        report.kinetic_after += change;
        report.impacts += 1;
        // Bad answers that gain from obstacles: what contradicts itself is not asked again in this step.
        let endless = self.status > Status::Stalled && change > 0.0;
        self.write_back(bodies, bounces, report, |track| {
            track.impacts = if endless { ENDLESS } else { track.impacts + 1 };
        });
    }

    /// Writes the velocities of the problem to the tracks of free bodies; sums up momentum.
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
            // All of it: what an impact does not move is held by what it moves.
            track.divided = true;
            if *after == track.motion.velocity[..M::DOF] {
                continue;
            }
            let old = bodies.momentum(body as usize, &track.motion.pose, &track.motion.velocity);
            track.motion.velocity[..M::DOF].copy_from_slice(after);
            let new = bodies.momentum(body as usize, &track.motion.pose, &track.motion.velocity);
            for axis in 0..3 {
                report.momentum_change[axis] += new.linear[axis] - old.linear[axis];
                report.angular_momentum_change[axis] += new.angular[axis] - old.angular[axis];
            }
            note(track);
        }
        bounces.divided = true;
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

    /// Holds what rests at the start of a step, before anything bounces: from the velocities that bodies
    /// brought along.
    pub(crate) fn hold_from_start(
        &mut self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        flight: &Flight<M::Pose>,
        (settings, dt): (&ContactSettings, f64),
        report: &mut StepReport,
    ) {
        for &body in self.numbering.bodies() {
            let track = &mut bounces.tracks[body as usize];
            track.motion.velocity = flight.start[body as usize].velocity;
        }
        self.fill(bodies, bounces, (0.0, settings.friction));
        self.find_thresholds(bodies, bounces, dt);
        // What approaches faster is about to bounce, not to rest.
        self.resting.clear();
        for k in 0..self.contacts.len() {
            self.resting.push(self.problem.gap_speed(k, &self.problem.velocity) >= -self.thresholds[k]);
        }
        self.keep_resting();
        self.hold(bodies, bounces, settings, dt, report);
        for &body in self.numbering.bodies() {
            let motion = &mut bounces.tracks[body as usize].motion;
            motion.velocity = added::<M>(&motion.velocity, -flight.shift * dt, &motion.acceleration);
        }
    }

    /// Forgets contacts that do not rest.
    fn keep_resting(&mut self) {
        let mut keep = self.resting.iter();
        self.contacts.retain(|_| keep.next().copied().unwrap_or(false));
        let mut keep = self.resting.iter();
        self.thresholds.retain(|_| keep.next().copied().unwrap_or(false));
        let mut keep = self.resting.iter();
        self.rows.retain(|_| keep.next().copied().unwrap_or(false));
    }

    /// The acceleration of forces and resting contact until the end of the step, for every body of the
    /// cluster: the contact problem over what rests.
    pub(crate) fn hold(
        &mut self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        settings: &ContactSettings,
        left: f64,
        report: &mut StepReport,
    ) {
        for &body in self.numbering.bodies() {
            let track = &mut bounces.tracks[body as usize];
            track.motion.acceleration = track.force;
            track.held = true;
            // The way of a body that nothing moves does not change, and its other events stand.
            track.version += u32::from(bodies.is_free(body as usize));
        }
        if left <= 0.0 {
            return;
        }
        self.resting.clear();
        for k in 0..self.contacts.len() {
            // The velocities of the tracks: the problem may hold contacts that are gone.
            let speed = self.problem.gap_speed(self.rows[k] as usize, &self.problem.velocity);
            self.resting.push(speed <= self.thresholds[k]);
        }
        self.keep_resting();
        if self.contacts.is_empty() {
            return;
        }
        self.fill(bodies, bounces, (0.0, settings.friction));
        self.stop_slow_approach(bodies, bounces, settings, report);
        for (place, &body) in self.numbering.bodies().iter().enumerate() {
            let force = &bounces.tracks[body as usize].force;
            for k in 0..M::DOF {
                self.problem.velocity[place * M::DOF + k] += left * force[k];
            }
        }
        let presses =
            (0..self.contacts.len()).any(|k| self.problem.gap_speed(k, &self.problem.velocity) < 0.0);
        if !presses {
            return;
        }
        let response = self.resting_response(settings);
        // Contact holds; it does not throw. What is more is an error divided by a short time.
        let most = MOST_ACCELERATION * self.largest_force(bounces);
        let resolution = resolve_soundly(&mut self.problem, &response, &mut self.workspace);
        report.add(resolution);
        for (place, &body) in self.numbering.bodies().iter().enumerate() {
            if bodies.is_free(body as usize) {
                let track = &mut bounces.tracks[body as usize];
                let held = &resolution.velocity[place * M::DOF..];
                let mut acceleration = Vector::default();
                for k in 0..M::DOF {
                    acceleration[k] = (held[k] - track.motion.velocity[k]) / left;
                }
                let sound = linear_length::<M>(&acceleration) <= most;
                track.motion.acceleration = if sound { acceleration } else { Vector::default() };
            }
        }
    }

    /// How resting contact is solved between impacts: large clusters with friction to a tolerance, because the contact
    /// problem at the end of the step is solved anyhow.
    fn resting_response(&self, settings: &ContactSettings) -> Response {
        if settings.friction == 0.0 {
            return settings.resting_response(0.0);
        }
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for &threshold in &self.thresholds {
            (least, most) = (least.min(threshold), most.max(threshold));
        }
        let large = self.contacts.len() > SOLVED_TO;
        let part = if large { RESTING_TOLERANCE * least } else { 0.0 };
        settings.resting_response(part.max(NOISE * most))
    }

    /// The largest acceleration of forces in the cluster.
    fn largest_force(&self, bounces: &Bounces<M>) -> f64 {
        let forces = self.numbering.bodies().iter().map(|&body| &bounces.tracks[body as usize].force);
        forces.fold(0.0, |most: f64, force| most.max(linear_length::<M>(force)))
    }

    /// Stops what rests and still approaches, at once: it is no part of the acceleration that holds it.
    fn stop_slow_approach(
        &mut self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        settings: &ContactSettings,
        report: &mut StepReport,
    ) {
        let problem = &self.problem;
        let approaches = |k| problem.gap_speed(k, &problem.velocity) < -rounding(problem, k);
        if !(0..self.contacts.len()).any(approaches) {
            return;
        }
        let response = self.resting_response(settings);
        let resolution = resolve_soundly(&mut self.problem, &response, &mut self.workspace);
        report.add(resolution);
        let problem = &self.problem;
        report.kinetic_after += energy_change(&problem.mass, &problem.velocity, &resolution.velocity);
        self.problem.velocity.clone_from(&resolution.velocity);
        self.write_back(bodies, bounces, report, |_| ());
    }

    /// Approach that is no impact, for each contact: what forces add to it in a step. Where one of
    /// the bodies is held up by others, its own weight is what counts; bodies that fall together have
    /// none, and bounce at any speed.
    fn find_thresholds(&mut self, bodies: &M, bounces: &Bounces<M>, dt: f64) {
        self.thresholds.clear();
        self.find_partners();
        let mut forces = std::mem::take(&mut self.before);
        forces.clear();
        forces.resize(self.problem.velocity.len(), 0.0);
        for (place, &body) in self.numbering.bodies().iter().enumerate() {
            let force = &bounces.tracks[body as usize].force;
            forces[place * M::DOF..][..M::DOF].copy_from_slice(&force[..M::DOF]);
        }
        for k in 0..self.contacts.len() {
            let leans = self.problem.normal(k).entries().any(|(dof, ..)| {
                let place = dof.0 as usize / M::DOF;
                let body = self.numbering.bodies()[place] as usize;
                bodies.is_free(body) && self.partners[place] == Partners::Several
            });
            let threshold = resting_threshold(&self.problem, k, &forces, leans, M::DOF, dt);
            self.thresholds.push(threshold + rounding(&self.problem, k));
        }
        self.before = forces;
    }

    /// For each body of the problem the first pair in which it touches, or that there are several.
    fn find_partners(&mut self) {
        self.partners.clear();
        self.partners.resize(self.numbering.bodies().len(), Partners::None);
        for (k, &(pair, _)) in self.contacts.iter().enumerate() {
            for (dof, ..) in self.problem.normal(k).entries() {
                let partners = &mut self.partners[dof.0 as usize / M::DOF];
                *partners = match *partners {
                    Partners::None => Partners::One(pair),
                    Partners::One(other) if other == pair => Partners::One(pair),
                    _ => Partners::Several,
                };
            }
        }
    }
}

/// In how many pairs a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Partners {
    None,
    One(u32),
    Several,
}

/// What accelerations add to the approach of contact `k` in a step.
pub(crate) fn resting_threshold(
    problem: &ContactProblem,
    k: usize,
    accelerations: &[f64],
    leans: bool,
    dof: usize,
    dt: f64,
) -> f64 {
    if !leans {
        return dt * problem.normal(k).gap_speed(accelerations).abs();
    }
    // Body by body: entries are sorted by degree of freedom.
    let (mut most, mut sum, mut last) = (0.0f64, 0.0, usize::MAX);
    for (index, eta, _) in problem.normal(k).entries() {
        let body = index.0 as usize / dof;
        if body != last {
            sum = 0.0;
            last = body;
        }
        sum += eta * accelerations[index.0 as usize];
        most = most.max(f64::abs(sum));
    }
    dt * most
}

/// Approach at the level of rounding, of all speeds and not only of those along the normal.
pub(crate) fn rounding(problem: &ContactProblem, k: usize) -> f64 {
    /// Part of the largest speed.
    const ROUNDING: f64 = 1e-12;
    let entries = || problem.normal(k).entries();
    let longest = entries().fold(0.0f64, |most, (_, eta, _)| most.max(eta.abs()));
    let fastest = entries().fold(0.0f64, |most, (dof, ..)| most.max(problem.velocity[dof.0 as usize].abs()));
    ROUNDING * longest * fastest
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
