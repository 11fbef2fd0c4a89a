//! The chosen motion is swept before it is used: what newly meets gets a row, and the problem is
//! solved again from the same start.

use crate::bounce::WORK_OF_A_LOOK;
use crate::contact::{Gap, Row, mean_motion, poses_at, way};
use crate::impact::pose_of;
use crate::mechanics::{Mechanics, Pair, Vector};
use crate::neighbours::Carriers;
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::{MARGIN, Stepper};
use crate::track::{balls_separate, linear_length};
use crate::turning::WORTH_SOLVING;
use carom_contact::Status;
use carom_geometry::march::{looks, take_looks};
use carom_numerics::watch;

/// Times that the problem is solved again.
const MOST_ROUNDS: usize = 40;
/// The same exactly, after a rough search.
const EXACT_ROUNDS: usize = 8;
/// Rounds in which a row is written again; later ones add to it, and the motions that are left
/// become fewer.
const REWRITTEN: usize = 8;
/// The same because of turning.
const MOST_TURNS: usize = 8;

impl<M: Mechanics> Stepper<M> {
    pub(crate) fn solve_and_verify(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        (before, report): (u64, &mut StepReport),
    ) {
        let mut turns = 0;
        // Rows are looked for with a rough answer where an exact one is expensive.
        let mut tolerance = Some(self.rough_tolerance(settings)).filter(|&tolerance| tolerance > 0.0);
        let mut most = MOST_ROUNDS;
        for round in 0.. {
            self.rows.round = round;
            self.rows.roughness = tolerance.unwrap_or(0.0);
            self.rows.slack = tolerance.or(settings.tolerance).unwrap_or(0.0);
            if round > 0 {
                self.fill(bodies, settings, dt);
            }
            self.solve(bodies, settings, tolerance, report);
            // However much the solver took, who meets is checked.
            let left = self.most_work().saturating_sub(report.operations - before);
            let met = self.finds_more(bodies, dt, left.max(self.most_work() / 2));
            report.operations += WORK_OF_A_LOOK * take_looks();
            if watch::is_over() {
                return;
            }
            if report.operations - before > self.most_work() {
                if met {
                    // Too much: once more with what was found, and no further look.
                    self.fill(bodies, settings, dt);
                    self.solve(bodies, settings, tolerance, report);
                }
                self.rows.ends_inside = true;
                report.status = report.status.max(Status::LimitReached);
                return;
            }
            let last = round == most || turns == MOST_TURNS;
            // Where something came through, its end says nothing.
            let depth = if met { 0.0 } else { self.turned_in(bodies, dt, !last) };
            turns += usize::from(depth > 0.0);
            if round < most && (met || depth > 0.0 && !last) {
                continue;
            }
            // What was found last is not part of the answer.
            self.rows.rows.retain(|row| matches!(row.gap, Gap::Bias(..)));
            if tolerance.take().is_some() {
                most = round + EXACT_ROUNDS;
                continue;
            }
            self.rows.ends_inside = met || depth > WORTH_SOLVING;
            if met {
                report.status = report.status.max(Status::LimitReached);
            }
            return;
        }
    }

    /// Adds rows for what meets on the chosen motion and has none; looks end when so many
    /// operations are done.
    fn finds_more(&mut self, bodies: &mut M, dt: f64, most: u64) -> bool {
        if self.outruns(bodies, dt) {
            self.widen(bodies);
        }
        let known = self.rows.rows.len();
        // Rows are in the order of pairs, but for those that earlier rounds added at the end.
        let mut cursor = 0;
        for number in 0..self.neighbours.pairs.len() {
            if watch::is_over() || WORK_OF_A_LOOK * looks() > most {
                break;
            }
            while cursor < known && (self.rows.rows[cursor].pair as usize) < number {
                cursor += 1;
            }
            self.look_again(bodies, dt, number, (cursor, known));
        }
        let more = self.rows.rows.len() > known;
        if more {
            self.rows.sort(bodies);
        }
        more || self.rows.rows.iter().any(|row| matches!(row.gap, Gap::Found(_)))
    }

    /// Looks at one pair; its rows begin at `from`.
    fn look_again(&mut self, bodies: &mut M, dt: f64, number: usize, (from, known): (usize, usize)) {
        let pair = self.neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let near = self.near_of(number);
        let all = carriers.as_slice();
        // A row that was written again may let go of what another one held.
        let rewritten = all.len() > 2 && self.rows.round > 0;
        // What did not move since the last round was checked then.
        let moved = |&body: &u32| self.rows.changed[body as usize] && self.rows.moved[body as usize];
        if !rewritten && !all.iter().any(moved) {
            return;
        }
        if self.separating.contains(number) && self.still_separates(all) {
            return;
        }
        if self.separating.remove(number) && !near.is_empty() {
            // It separated until now, and what touches at the start has no first instant.
            let row = |&contact| Row { pair: number as u32, contact, gap: Gap::Start };
            self.rows.rows.extend(self.near[near].iter().map(row));
            return;
        }
        let rows = (from..known).take_while(|&k| self.rows.rows[k].pair as usize == number);
        let own = from..from + rows.count();
        let divided = |body: &u32| self.rows.is_divided(*body as usize);
        let gap = if all.iter().any(divided) {
            self.find_at_end(bodies, dt, pair, carriers);
            Gap::FoundAtEnd
        } else if let Some(time) = self.find_on_the_way(bodies, dt, pair, (carriers, own.len() >= near.len()))
        {
            Gap::Found(time)
        } else {
            return;
        };
        let Self { rows, found, bounces, flight, .. } = self;
        for contact in found.iter() {
            let touch = bodies.touch(contact);
            let deep = match gap {
                Gap::Found(time) if rows.slack > 0.0 => {
                    let motion = |body: u32| mean_motion(flight, &rows.new_mean, body);
                    (time - dt) * bounces.gap_speed(bodies, carriers, contact, motion)
                }
                _ => f64::MAX,
            };
            if deep <= rows.slack * dt {
                // Within what it is solved to.
                continue;
            }
            let has_row = |row: &Row<M::Contact>| bodies.touch(&row.contact).key == touch.key;
            let row = Row { pair: number as u32, contact: *contact, gap };
            match (rows.rows[own.clone()].iter().position(has_row), gap) {
                (None, _) => rows.rows.push(row),
                // An edge that several bodies carry turns by their places: where it comes through
                // all the same, its row is written again where it does.
                (Some(known), Gap::Found(time)) if all.len() > 2 => {
                    let motion = |body: u32| mean_motion(flight, &rows.new_mean, body);
                    let speed = bounces.gap_speed(bodies, carriers, contact, motion);
                    if speed * (dt - time) < -touch.tolerance.max(rows.roughness * dt) {
                        match rows.round < REWRITTEN {
                            true => rows.rows[own.start + known] = row,
                            false => rows.rows.push(row),
                        }
                    }
                }
                _ => (),
            }
        }
    }

    /// Whether two balls separate on the chosen motion too.
    fn still_separates(&self, all: &[u32]) -> bool {
        let (&[a, b], Self { rows, flight, .. }) = (all, self) else { return false };
        let separates = |v: &[Vector]| balls_separate::<M>(flight, [a as usize, b as usize], v);
        separates(&rows.new_mean) && (!rows.is_twofold || separates(&rows.new_stored))
    }

    /// Contacts where two bodies first meet on the chosen motion.
    fn find_on_the_way(
        &mut self,
        bodies: &mut M,
        dt: f64,
        pair: Pair,
        (carriers, has_all_rows): (Carriers, bool),
    ) -> Option<f64> {
        let Self { rows, flight, found, .. } = self;
        // What is near and has a row needs no look, and what is not comes no nearer than the
        // margin.
        let slow = way(bodies, carriers, &rows.new_mean, dt) <= MARGIN * bodies.extent(pair);
        if slow && has_all_rows {
            return None;
        }
        let along = |body: u32| mean_motion(flight, &rows.new_mean, body);
        let time = bodies.first_meeting(pair, |body| along(body).into(), dt)?;
        found.clear();
        let poses = poses_at(bodies, carriers, along, time);
        bodies.manifold(pair, |body| pose_of(&poses, body), 0.0, found);
        Some(time)
    }

    /// Contacts that overlap where the chosen motion ends, of bodies with impacts.
    fn find_at_end(&mut self, bodies: &mut M, dt: f64, pair: Pair, carriers: Carriers) {
        let Self { rows, flight, found, .. } = self;
        let mut poses = [(0, M::Pose::default()); 4];
        for (slot, &body) in poses.iter_mut().zip(carriers.as_slice()) {
            let end = rows.end_of(bodies, flight, body as usize, dt);
            *slot = (body, end.map_or(flight.end[body as usize].0, |end| end.0));
        }
        found.clear();
        bodies.manifold(pair, |body| pose_of(&poses, body), 0.0, found);
        found.retain(|contact| {
            let touch = bodies.touch(contact);
            touch.gap < -touch.tolerance
        });
    }

    /// Whether contact throws a body beyond what was checked.
    fn outruns(&mut self, bodies: &M, dt: f64) -> bool {
        let mut further = false;
        for body in (0..bodies.body_count()).filter(|&body| self.rows.changed[body]) {
            let way = dt * linear_length::<M>(&self.rows.new_mean[body]);
            let sweep = &mut self.sweeps[body];
            let swept = sweep.displacement.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
            if way > swept + sweep.room {
                sweep.room = 2.0 * way;
                further = true;
            }
        }
        further
    }

    /// Looks for pairs again, with more room. Rows keep their pairs under new numbers.
    fn widen(&mut self, bodies: &mut M) {
        let mut old = std::mem::take(&mut self.old_pairs);
        old.clone_from(&self.neighbours.pairs);
        if !self.find_pairs_again(bodies) {
            self.old_pairs = old;
            return;
        }
        self.find_near(bodies);
        let new = |number: u32| {
            let place = self.neighbours.pairs.binary_search(&old[number as usize]);
            place.unwrap_or_else(|place| place) as u32
        };
        self.rows.rows.iter_mut().for_each(|row| row.pair = new(row.pair));
        self.separating.renumber(new);
        self.rows.sort(bodies);
        self.old_pairs = old;
    }
}
