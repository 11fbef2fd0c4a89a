//! Rows for pairs that are near or meet, and the problem that they make.

use super::{Gap, Row};
use crate::bounce::WORK_OF_A_LOOK;
use crate::mechanics::{ContactGap, Flight, Material, Mechanics, Motion, Vector};
use crate::neighbours::Carriers;
use crate::settings::ContactSettings;
use crate::step::{MARGIN, Stepper};
use crate::track::{added, angular_length, balls_separate, clearance, linear_length};
use carom_contact::ContactProblem;
use carom_geometry::march::looks;

impl<M: Mechanics> Stepper<M> {
    pub(super) fn gather_rows(&mut self, bodies: &mut M, dt: f64) {
        self.separating.clear();
        for number in 0..self.neighbours.pairs.len() {
            if self.is_separating(bodies, number) {
                self.separating.push(number);
            } else {
                self.gather_rows_of(bodies, dt, number);
            }
        }
        if !self.rows.rows.is_empty() {
            let Self { separating, rows, neighbours, .. } = self;
            separating.activate(bodies, neighbours, rows.rows.iter().map(|row| row.pair as usize));
            for k in 0..self.separating.activated.len() {
                self.gather_rows_of(bodies, dt, self.separating.activated[k] as usize);
            }
        }
    }

    /// Whether a pair is of balls that separate in free flight: it needs no row unless another
    /// contact acts on it.
    fn is_separating(&self, bodies: &M, number: usize) -> bool {
        let [a, b] = self.neighbours.pairs[number];
        let (one, other) = (a as usize, b as usize);
        let Self { rows, flight, .. } = self;
        let balls = one.max(other) < flight.start.len() && bodies.is_round(one) && bodies.is_round(other);
        if !balls || [one, other].iter().any(|&body| rows.ends[body].is_some() || rows.crowd[body]) {
            return false;
        }
        balls_separate::<M>(flight, [one, other], &rows.mean)
            && balls_separate::<M>(flight, [one, other], &rows.stored)
    }

    fn gather_rows_of(&mut self, bodies: &mut M, dt: f64, number: usize) {
        let pair = self.neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let row = |contact, gap| Row { pair: number as u32, contact, gap };
        if carriers.as_slice().iter().any(|&body| self.rows.ends[body as usize].is_some()) {
            let (rows, flight) = (&mut self.rows, &self.flight);
            self.found.clear();
            let margin = MARGIN * bodies.extent(pair);
            let ends = &rows.ends;
            let end = |body: u32| ends[body as usize].unwrap_or(flight.end[body as usize].0);
            bodies.manifold(pair, end, margin, &mut self.found);
            rows.rows.extend(self.found.iter().map(|&contact| row(contact, Gap::End)));
            return;
        }
        let near = self.near_of(number);
        let rows = &mut self.rows;
        let margin = MARGIN * bodies.extent(pair);
        let way = way(bodies, carriers, &rows.mean, dt);
        let slow = way <= margin;
        let first = rows.rows.len();
        // A ball that slides past another one it leans on leaves it by way²/2R in a step: it still
        // touches.
        let opened = way * way / bodies.extent(pair);
        let workspace = &self.workspace;
        let balls = carriers.as_slice().iter().all(|&body| bodies.is_round(body as usize));
        let leans = |touch: &ContactGap| balls && touch.gap <= opened && workspace.pushed(touch.key);
        // Of a pair that touches already, what else meets has no first instant.
        let touches = self.near[near.clone()].iter().any(|contact| {
            let touch = bodies.touch(contact);
            touch.is_closed() || leans(&touch)
        });
        if slow || touches {
            rows.rows.extend(self.near[near].iter().map(|&contact| row(contact, Gap::Start)));
        }
        if slow || clearance(bodies, &self.flight, carriers) > way + margin {
            return;
        }
        if WORK_OF_A_LOOK * looks() > self.most_work() {
            // Too much: who meets on the way is left to verification, which sets the status.
            return;
        }
        let Self { rows, flight, .. } = self;
        let mean = &rows.mean;
        let along = |body: u32| mean_motion(flight, mean, body);
        let Some(time) = bodies.first_meeting(pair, |body| along(body).into(), dt) else { return };
        self.found.clear();
        let poses = poses_at(bodies, carriers, along, time);
        bodies.manifold(pair, |body| crate::impact::pose_of(&poses, body), margin, &mut self.found);
        for contact in &self.found {
            let key = bodies.touch(contact).key;
            if !rows.rows[first..].iter().any(|known| bodies.touch(&known.contact).key == key) {
                rows.rows.push(row(*contact, Gap::Meeting(time)));
            }
        }
    }

    /// Writes the problem of all rows at the mean velocities.
    pub(crate) fn fill(&mut self, bodies: &M, settings: &ContactSettings, dt: f64) {
        let Self { problem, rows, flight, .. } = self;
        problem.clear();
        // What had impacts is held where it ends: its contacts were found there, and it is turned
        // otherwise.
        let ends = &rows.ends;
        let at = |body: u32| ends[body as usize].unwrap_or(flight.start[body as usize].pose);
        for (body, mean) in rows.mean.iter().enumerate() {
            bodies.push_body(body, &at(body as u32), mean, problem);
        }
        let material = Material { friction: settings.friction, ..Material::default() };
        rows.is_fresh.clear();
        rows.is_fresh.extend(rows.rows.iter().map(|row| !matches!(row.gap, Gap::Bias(..))));
        for (k, row) in rows.rows.iter_mut().enumerate() {
            bodies.push_contact(&row.contact, at, |body| body, material, problem);
            let speed = problem.normal(k).gap_speed(&problem.velocity);
            let touch = bodies.touch(&row.contact);
            let open = touch.gap.max(0.0) / dt;
            let same = |bias: f64| (bias, bias);
            let (mean, stored) = match row.gap {
                Gap::Start if touch.is_closed() => (0.0, 0.0),
                Gap::Start => same(touch.gap / dt),
                Gap::Meeting(time) => same((open - time / dt * speed).max(0.0)),
                Gap::Found(time) => {
                    let chosen = chosen_speed::<M>(problem, k, &rows.new_mean);
                    same((open - time / dt * chosen).max(0.0))
                }
                // Places are corrected; velocities are only kept from closing faster than without
                // contact.
                Gap::End | Gap::FoundAtEnd => {
                    let closed = touch.gap.abs() <= touch.tolerance;
                    let gap = if closed { 0.0 } else { touch.gap / dt };
                    let stored = chosen_speed::<M>(problem, k, &rows.stored);
                    let moved = match row.gap {
                        Gap::FoundAtEnd => chosen_speed::<M>(problem, k, &rows.new_mean),
                        _ => speed,
                    };
                    (gap - moved, (gap.max(0.0) - stored).max(0.0))
                }
                Gap::Turned => {
                    same((touch.gap / dt - chosen_speed::<M>(problem, k, &rows.new_mean)).max(0.0))
                }
                Gap::Bias(mean, stored) => (mean, stored),
            };
            // What the velocities of a crowd approach is an impact of the next step.
            let in_crowd = |dof: carom_contact::Dof| rows.crowd[dof.0 as usize / M::DOF];
            let waits = problem.normal(k).entries().any(|(dof, ..)| in_crowd(dof));
            row.gap = Gap::Bias(mean, if waits { f64::MAX } else { stored });
            problem.set_bias(k, mean);
        }
    }
}

/// How far the bodies of a pair move against each other in a step, at most.
pub(crate) fn way<M: Mechanics>(bodies: &M, carriers: Carriers, velocity: &[Vector], dt: f64) -> f64 {
    let all = carriers.as_slice();
    let turning = all.iter().fold(0.0, |sum, &body| {
        let radius = bodies.bounding_radius(body as usize);
        let spin = angular_length::<M>(&velocity[body as usize]);
        sum + if spin == 0.0 || bodies.is_round(body as usize) { 0.0 } else { spin * radius }
    });
    let apart = all.iter().skip(1).fold(0.0f64, |most, &body| {
        let against = added::<M>(&velocity[body as usize], -1.0, &velocity[all[0] as usize]);
        most.max(linear_length::<M>(&against))
    });
    dt * (apart + turning)
}

/// A body on its mean path.
pub(crate) fn mean_motion<P: Copy>(flight: &Flight<P>, mean: &[Vector], body: u32) -> Motion<P> {
    Motion {
        pose: flight.start[body as usize].pose,
        velocity: mean[body as usize],
        acceleration: Vector::default(),
    }
}

/// Poses of the bodies of a pair some time along their motions.
pub(crate) fn poses_at<M: Mechanics>(
    bodies: &M,
    carriers: Carriers,
    along: impl Fn(u32) -> Motion<M::Pose>,
    time: f64,
) -> [(u32, M::Pose); 4] {
    let mut poses = [(0, M::Pose::default()); 4];
    for (slot, &body) in poses.iter_mut().zip(carriers.as_slice()) {
        *slot = (body, bodies.drift(body as usize, &along(body), time).pose);
    }
    poses
}

/// Gap speed of a row at velocities that are not the problem's.
pub(super) fn chosen_speed<M: Mechanics>(problem: &ContactProblem, k: usize, velocity: &[Vector]) -> f64 {
    problem.normal(k).entries().fold(0.0, |sum, (dof, eta, _)| {
        let dof = dof.0 as usize;
        sum + eta * velocity[dof / M::DOF][dof % M::DOF]
    })
}
