//! Resting contact of a cluster: the acceleration that holds it until the end of the step.

use super::Cluster;
use super::thresholds::rounding;
use crate::bounce::Bounces;
use crate::mechanics::{Flight, Mechanics, Vector};
use crate::report::StepReport;
use crate::settings::{ContactSettings, RESTING_TOLERANCE, SOLVED_TO};
use crate::track::{added, energy_change, linear_length};
use crate::verdict::resolve_soundly;
use carom_contact::Response;

/// Speeds below this part of what forces add in a step are noise of what rests, not worth an exact
/// answer.
const NOISE: f64 = 1e-9;

/// The acceleration of a held body, in those of forces around it.
const MOST_ACCELERATION: f64 = 10.0;

impl<M: Mechanics> Cluster<M> {
    /// Holds what rests at the start of a step, before anything bounces: from the velocities that
    /// bodies brought along.
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

    /// The acceleration of forces and resting contact until the end of the step, for every body of
    /// the cluster: the contact problem over what rests.
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

    /// How resting contact is solved between impacts: large clusters with friction to a tolerance,
    /// because the contact problem at the end of the step is solved anyhow.
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

    /// Stops what rests and still approaches, at once: it is no part of the acceleration that holds
    /// it.
    fn stop_slow_approach(
        &mut self,
        bodies: &M,
        bounces: &mut Bounces<M>,
        settings: &ContactSettings,
        report: &mut StepReport,
    ) {
        let (problem, thresholds) = (&self.problem, &self.thresholds);
        // Of what rests all speeds are noise: what forces add is the measure.
        let noise = |k| rounding(problem, k) + NOISE * thresholds[k];
        let approaches = |k| problem.gap_speed(k, &problem.velocity) < -noise(k);
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
}
