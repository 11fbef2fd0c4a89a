//! Contact over what is left of a step: rows for pairs that are near or meet, gap/dt + Nᵀv ≥ 0,
//! friction cones. Always inelastic, whatever answers impacts.

mod gather;
mod rows;

pub(crate) use gather::{mean_motion, poses_at, way};
pub(crate) use rows::{Gap, Row, Rows};

use crate::bounce::WORK_OF_A_LOOK;
use crate::mechanics::{Mechanics, Vector};
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, RESTING_TOLERANCE, SOLVED_TO};
use crate::step::Stepper;
use crate::track::{added, energy_change, linear_length};
use crate::verdict::{resolve_soundly, resolve_soundly_again};
use carom_contact::{ContactProblem, Resolution, resolve};
use carom_geometry::march::take_looks;
use gather::chosen_speed;

impl<M: Mechanics> Stepper<M> {
    /// Holds up what touches, and lets land what meets without bounce.
    pub(crate) fn hold(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        self.take_free_motion(bodies, dt);
        if self.neighbours.pairs.is_empty() {
            return;
        }
        report.operations += WORK_OF_A_LOOK * take_looks();
        let before = report.operations;
        self.gather_rows(bodies, dt);
        report.operations += WORK_OF_A_LOOK * take_looks();
        if self.rows.rows.is_empty() {
            self.note_separating_pairs(bodies, self.touched.len());
            return;
        }
        let first = self.touched.len();
        // In one order from here on: answers are read row by row.
        self.rows.sort(bodies);
        self.fill(bodies, settings, dt);
        if self.nothing_closes() {
            self.note_who_touches(bodies, report);
            self.note_separating_pairs(bodies, first);
            return;
        }
        self.solve_and_verify(bodies, settings, dt, (before, report));
        self.report_contact(bodies, report);
        self.note_separating_pairs(bodies, first);
    }

    /// Where bodies end without contact: their flight, or the last piece of a divided path.
    fn take_free_motion(&mut self, bodies: &M, dt: f64) {
        let (rows, flight) = (&mut self.rows, &self.flight);
        rows.rows.clear();
        rows.ends_inside = false;
        rows.mean.clone_from(&flight.mean);
        rows.stored.clear();
        rows.stored.extend(flight.end.iter().map(|end| end.1));
        rows.ends.clear();
        rows.ends.resize(flight.end.len(), None);
        rows.changed.clear();
        rows.changed.resize(flight.end.len(), false);
        rows.crowd.clear();
        rows.crowd.resize(flight.end.len(), false);
        if !self.bounces.divided {
            return;
        }
        self.bounces.find_crowd(bodies, &self.neighbours, &mut rows.crowd);
        for (body, track) in self.bounces.tracks.iter().enumerate().filter(|(_, track)| track.divided) {
            let end = track.at(bodies, body, dt);
            if rows.crowd[body] {
                let (from, to) = (M::position(&flight.start[body].pose), M::position(&end.pose));
                rows.mean[body] = Vector::default();
                for axis in 0..M::LINEAR {
                    rows.mean[body][axis] = (to[axis] - from[axis]) / dt;
                }
            } else {
                rows.ends[body] = Some(end.pose);
                rows.mean[body] = added::<M>(&end.velocity, -0.5 * dt, &end.acceleration);
            }
            rows.stored[body] = added::<M>(&end.velocity, flight.shift * dt, &end.acceleration);
        }
    }

    /// Whether all rows are content with the motion without contact.
    fn nothing_closes(&self) -> bool {
        let Self { problem, rows, .. } = self;
        rows.rows.iter().enumerate().all(|(k, row)| {
            let (mean, stored) = match row.gap {
                Gap::Bias(mean, stored) => (mean, stored),
                _ => (0.0, 0.0),
            };
            let moved = chosen_speed::<M>(problem, k, &rows.mean);
            let speed = chosen_speed::<M>(problem, k, &rows.stored);
            moved + mean >= 0.0 && speed + stored >= 0.0
        })
    }

    /// Who touches in a step in which contact does nothing.
    fn note_who_touches(&mut self, bodies: &M, report: &mut StepReport) {
        report.contact_rows = report.contact_rows.max(self.rows.rows.len());
        let closed = self.rows.rows.iter().filter(|row| bodies.touch(&row.contact).is_closed());
        self.touched.extend(closed.map(|row| Touched {
            contact: row.contact,
            time: 0.0,
            impulse: 0.0,
            friction: [0.0; 2],
        }));
    }

    /// Reports the closed contacts of separating pairs, in one order with the others since `first`.
    fn note_separating_pairs(&mut self, bodies: &M, first: usize) {
        let known = self.touched.len();
        for number in self.separating.numbers() {
            let near = self.near[self.near_of(number)].iter();
            let closed = near.filter(|contact| bodies.touch(contact).is_closed());
            let touched = |&contact| Touched { contact, time: 0.0, impulse: 0.0, friction: [0.0; 2] };
            self.touched.extend(closed.map(touched));
        }
        if self.touched.len() > known {
            self.touched[first..].sort_unstable_by_key(|touched| bodies.touch(&touched.contact).key);
        }
    }

    /// Solves the problem at hand: mean velocities, and stored ones where they are not the same.
    pub(crate) fn solve(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        tolerance: Option<f64>,
        report: &mut StepReport,
    ) {
        let exact = settings.contact_response(M::LIFTS, self.gained());
        let rough = tolerance.map(|tolerance| settings.resting_response(tolerance));
        let response = rough.unwrap_or(exact);
        self.rows.is_twofold = self.is_twofold();
        let for_places = settings.resting_response(self.rough_tolerance(settings));
        let Self { problem, workspace, afresh, rows, .. } = self;
        std::mem::swap(&mut rows.last_mean, &mut rows.new_mean);
        let roughness = tolerance.unwrap_or(0.0);
        let keeps = !rows.is_twofold && rows.round > 0 && rows.kept_from == Some(roughness);
        rows.kept_from = None;
        if rows.is_twofold {
            afresh.warm_start_from(workspace);
            let resolution = resolve(problem, &for_places, afresh);
            report.add_work(resolution);
            take::<M>(bodies, resolution, &rows.mean, &mut rows.new_mean);
            put::<M>(&rows.stored, problem);
            for (k, row) in rows.rows.iter().enumerate() {
                if let Gap::Bias(mean, stored) = row.gap {
                    // What does not close in this step is for the next one.
                    let closes = mean <= 0.0 || afresh.resolution().impulses[k] > 0.0;
                    problem.set_bias(k, if closes { stored } else { f64::MAX });
                }
            }
            let resolution = resolve_soundly(problem, &response, workspace);
            report.add_work(resolution);
            take::<M>(bodies, resolution, &rows.stored, &mut rows.new_stored);
        } else {
            // What is exact starts from what was: a rough answer pushes everywhere a little.
            if tolerance.is_some() && rows.round == 0 {
                afresh.warm_start_from(workspace);
            }
            let used = if tolerance.is_some() { afresh } else { workspace };
            let is_fresh = keeps.then_some(&rows.is_fresh[..]);
            let is_whole = resolve_soundly_again(problem, &response, used, is_fresh);
            rows.kept_from = is_whole.then_some(roughness);
            report.add_work(used.resolution());
            take::<M>(bodies, used.resolution(), &rows.mean, &mut rows.new_mean);
        }
        rows.moved.clear();
        rows.moved.resize(rows.mean.len(), true);
        for body in 0..rows.mean.len() {
            rows.moved[body] = !keeps || rows.last_mean[body] != rows.new_mean[body];
            rows.changed[body] = rows.mean[body] != rows.new_mean[body]
                || rows.is_twofold && rows.stored[body] != rows.new_stored[body];
        }
    }

    /// Whether stored velocities are not the mean ones.
    fn is_twofold(&self) -> bool {
        let apart = self.rows.ends.iter().any(Option::is_some) || self.rows.crowd.contains(&true);
        self.flight.shift != -0.5 || apart
    }

    /// To what speed large problems with friction are solved while rows are looked for; 0 for all
    /// others, which are solved to solver precision.
    pub(crate) fn rough_tolerance(&self, settings: &ContactSettings) -> f64 {
        // A rough answer of places does not say whose velocities closed.
        let exact = settings.friction == 0.0 && self.is_twofold();
        if exact || settings.tolerance.is_some() || self.rows.rows.len() <= SOLVED_TO {
            return 0.0;
        }
        RESTING_TOLERANCE * self.gained()
    }

    /// The most that forces add to a speed in this step.
    fn gained(&self) -> f64 {
        let ways = self.flight.start.iter().zip(&self.flight.end);
        let gained = ways.map(|(start, end)| linear_length::<M>(&added::<M>(&end.1, -1.0, &start.velocity)));
        gained.fold(0.0, f64::max)
    }

    /// What contact did, for the report and for frames.
    fn report_contact(&mut self, bodies: &M, report: &mut StepReport) {
        let Self { problem, workspace, afresh, rows, flight, touched, .. } = self;
        let rough = rows.roughness > 0.0 && !rows.is_twofold;
        let resolution = if rough { afresh.resolution() } else { workspace.resolution() };
        report.add_answer(resolution);
        report.islands = resolution.islands;
        report.kinetic_after += energy_change(&problem.mass, &problem.velocity, &resolution.velocity);
        for body in (0..rows.changed.len()).filter(|&body| rows.changed[body]) {
            let pose = &rows.ends[body].unwrap_or(flight.start[body].pose);
            let (old, new) = match rows.is_twofold {
                true => (&rows.stored[body], &rows.new_stored[body]),
                false => (&rows.mean[body], &rows.new_mean[body]),
            };
            let (old, new) = (bodies.momentum(body, pose, old), bodies.momentum(body, pose, new));
            for axis in 0..3 {
                report.momentum_change[axis] += new.linear[axis] - old.linear[axis];
                report.angular_momentum_change[axis] += new.angular[axis] - old.angular[axis];
            }
        }
        for (k, row) in rows.rows.iter().enumerate() {
            let impulse = resolution.impulses[k];
            let mut friction = [0.0; 2];
            for (slot, t) in friction.iter_mut().zip(problem.tangent_range(k)) {
                *slot = resolution.friction_impulses[t];
            }
            let pushed = impulse > 0.0 || friction != [0.0; 2];
            if pushed || bodies.touch(&row.contact).is_closed() {
                touched.push(Touched { contact: row.contact, time: 0.0, impulse, friction });
            }
        }
    }
}

/// Velocities of a resolution, for free bodies; the old ones for all others.
fn take<M: Mechanics>(bodies: &M, resolution: &Resolution, old: &[Vector], new: &mut Vec<Vector>) {
    new.clear();
    new.extend_from_slice(old);
    for (body, new) in new.iter_mut().enumerate().filter(|(body, _)| bodies.is_free(*body)) {
        new[..M::DOF].copy_from_slice(&resolution.velocity[body * M::DOF..(body + 1) * M::DOF]);
    }
}

/// Puts velocities of free and fixed bodies into a problem.
fn put<M: Mechanics>(velocities: &[Vector], problem: &mut ContactProblem) {
    for (body, velocity) in velocities.iter().enumerate() {
        problem.velocity[body * M::DOF..(body + 1) * M::DOF].copy_from_slice(&velocity[..M::DOF]);
    }
}
