//! Contact over what is left of a step: rows for pairs that are near or meet, gap/dt + Nᵀv ≥ 0,
//! friction cones. Always inelastic, whatever answers impacts.

use crate::mechanics::{Flight, Material, Mechanics, Motion, Touch, Vector};
use crate::neighbours::Carriers;
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, RESTING_TOLERANCE, SOLVED_TO};
use crate::step::{MARGIN, Stepper};
use crate::track::{added, angular_length, balls_separate, clearance, energy_change, linear_length};
use crate::verdict::resolve_soundly;
use carom_contact::{ContactProblem, Resolution, resolve};

/// A row of the contact problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<C> {
    pub(crate) pair: u32,
    pub(crate) contact: C,
    pub(crate) gap: Gap,
}

/// What a row knows of its gap.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gap {
    /// As it is at the start.
    Start,
    /// It closes at this time of the mean path, if nothing is done.
    Meeting(f64),
    /// It closes at this time of the motion that was chosen last.
    Found(f64),
    /// As it is at the end of a divided path.
    End,
    /// The same at the end of the motion that was chosen last.
    FoundAtEnd,
    /// The same of a body that turned far.
    Turned,
    /// Approach that is harmless for the mean velocity, and for the stored one.
    Bias(f64, f64),
}

/// Rows and velocities of the contact problem.
#[derive(Debug, Clone)]
pub(crate) struct Rows<M: Mechanics> {
    pub(crate) rows: Vec<Row<M::Contact>>,
    /// Mean and stored velocities without contact.
    pub(crate) mean: Vec<Vector>,
    pub(crate) stored: Vec<Vector>,
    /// The same with contact.
    pub(crate) new_mean: Vec<Vector>,
    pub(crate) new_stored: Vec<Vector>,
    /// Where bodies with impacts end without contact.
    ends: Vec<Option<M::Pose>>,
    /// Bodies that wait because of too many impacts, and those around them: contact decides from
    /// the start how much of their way they go; their velocities are those after the impacts.
    crowd: Vec<bool>,
    /// Whether contact changed the velocity of a body.
    pub(crate) changed: Vec<bool>,
    /// How often the problem was solved again.
    pub(crate) round: usize,
    /// To what speed it was solved; 0 for solver precision.
    pub(crate) roughness: f64,
    /// Approach of contacts without a row that is within what is asked for, in m/s.
    pub(crate) slack: f64,
    /// Whether stored velocities are not the mean ones, and have a problem of their own.
    pub(crate) is_twofold: bool,
    /// Whether the step ends with overlap that solving again did not open.
    pub(crate) ends_inside: bool,
}

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
        self.gather_rows(bodies, dt);
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
        self.solve_and_verify(bodies, settings, dt, report);
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

    fn gather_rows(&mut self, bodies: &mut M, dt: f64) {
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
        let leans = |touch: &Touch| balls && touch.gap <= opened && workspace.pushed(touch.key);
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
        let (flight, mean) = (&self.flight, &rows.mean);
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
        let exact = settings.contact_response(M::LIFTS);
        let rough = tolerance.map(|tolerance| settings.resting_response(tolerance));
        let response = rough.unwrap_or(exact);
        self.rows.is_twofold = self.is_twofold();
        let for_places = settings.resting_response(self.rough_tolerance(settings));
        let Self { problem, workspace, afresh, rows, .. } = self;
        if rows.is_twofold {
            afresh.recall(workspace);
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
            let resolution = if tolerance.is_some() {
                if rows.round == 0 {
                    afresh.recall(workspace);
                }
                resolve_soundly(problem, &response, afresh)
            } else {
                resolve_soundly(problem, &response, workspace)
            };
            report.add_work(resolution);
            take::<M>(bodies, resolution, &rows.mean, &mut rows.new_mean);
        }
        for body in 0..rows.mean.len() {
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
        let gained = self
            .flight
            .start
            .iter()
            .zip(&self.flight.end)
            .map(|(start, end)| linear_length::<M>(&added::<M>(&end.1, -1.0, &start.velocity)));
        RESTING_TOLERANCE * gained.fold(0.0, f64::max)
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

impl<M: Mechanics> Rows<M> {
    /// Nobody has a row, and no flight is changed.
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
        self.changed.clear();
        self.ends_inside = false;
    }

    /// Whether a body had impacts in this step.
    pub(crate) fn is_divided(&self, body: usize) -> bool {
        self.ends[body].is_some()
    }

    /// Puts rows in the order of pairs. Unstable because a stable sort allocates.
    pub(crate) fn sort(&mut self, bodies: &M) {
        self.rows.sort_unstable_by_key(|row| (row.pair, bodies.touch(&row.contact).key));
    }

    /// Where a body ends and the velocity that is stored for it; none where its flight is not
    /// changed.
    pub(crate) fn end_of(
        &self,
        bodies: &M,
        flight: &Flight<M::Pose>,
        body: usize,
        dt: f64,
    ) -> Option<(M::Pose, Vector)> {
        let changed = *self.changed.get(body)?;
        if let Some(end) = self.ends[body] {
            if !changed {
                return Some((end, self.stored[body]));
            }
            let push = added::<M>(&self.new_mean[body], -1.0, &self.mean[body]);
            let by = added::<M>(&Vector::default(), dt, &push);
            return Some((bodies.displaced(body, &end, &by), self.new_stored[body]));
        }
        if !changed && !self.crowd[body] {
            return None;
        }
        let velocity = if changed { self.new_mean[body] } else { self.mean[body] };
        let acceleration = Vector::default();
        let along = Motion { pose: flight.start[body].pose, velocity, acceleration };
        let end = bodies.drift(body, &along, dt);
        let stored = match (changed, self.is_twofold) {
            (false, _) => self.stored[body],
            (true, true) => self.new_stored[body],
            (true, false) => end.velocity,
        };
        Some((end.pose, stored))
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
fn chosen_speed<M: Mechanics>(problem: &ContactProblem, k: usize, velocity: &[Vector]) -> f64 {
    problem.normal(k).entries().fold(0.0, |sum, (dof, eta, _)| {
        let dof = dof.0 as usize;
        sum + eta * velocity[dof / M::DOF][dof % M::DOF]
    })
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

impl<M: Mechanics> Default for Rows<M> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            mean: Vec::new(),
            stored: Vec::new(),
            new_mean: Vec::new(),
            new_stored: Vec::new(),
            ends: Vec::new(),
            crowd: Vec::new(),
            changed: Vec::new(),
            round: 0,
            roughness: 0.0,
            slack: 0.0,
            is_twofold: false,
            ends_inside: false,
        }
    }
}
