//! The chosen motion is swept before it is used: what newly meets gets a row, and the problem is solved
//! again from the same start.

use crate::contact::{Gap, Row, mean_motion, poses_at, way};
use crate::correction::LEFT_OVERLAPPING;
use crate::impact::pose_of;
use crate::mechanics::Mechanics;
use crate::neighbours::Carriers;
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::{MARGIN, Stepper};
use crate::track::linear_length;
use carom_contact::Status;

/// Times that the problem is solved again.
const MOST_ROUNDS: usize = 40;
/// The same because of turning.
const MOST_TURNS: usize = 8;

impl<M: Mechanics> Stepper<M> {
    pub(crate) fn solve_and_verify(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        let mut turns = 0;
        for round in 0.. {
            self.fill(bodies, settings, dt);
            self.solve(bodies, settings, report);
            let met = self.finds_more(bodies, dt);
            let last = round == MOST_ROUNDS || turns == MOST_TURNS;
            let depth = self.turned_in(bodies, dt, !last);
            turns += usize::from(depth > 0.0);
            if !met && (depth == 0.0 || last) || round == MOST_ROUNDS {
                // What was found last is not part of the answer.
                self.rows.rows.retain(|row| matches!(row.gap, Gap::Bias(_)));
                if met || depth > LEFT_OVERLAPPING {
                    report.status = report.status.max(Status::LimitReached);
                }
                return;
            }
        }
    }

    /// Adds rows for what meets on the chosen motion and has none.
    fn finds_more(&mut self, bodies: &mut M, dt: f64) -> bool {
        if self.outruns(bodies, dt) {
            self.widen(bodies);
        }
        let known = self.rows.rows.len();
        // Rows are in the order of pairs, but for those that earlier rounds added at the end.
        let mut cursor = 0;
        for number in 0..self.neighbours.pairs.len() {
            while cursor < known && (self.rows.rows[cursor].pair as usize) < number {
                cursor += 1;
            }
            self.look_again(bodies, dt, number, (cursor, known));
        }
        let more = self.rows.rows.len() > known;
        if more {
            self.rows.sort(bodies);
        }
        more
    }

    /// Looks at one pair; its rows begin at `from`.
    fn look_again(&mut self, bodies: &mut M, dt: f64, number: usize, (from, known): (usize, usize)) {
        let pair = self.neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let near = self.near_of(number);
        let Self { rows, flight, found, bounces, .. } = self;
        let divided = |body: &u32| bounces.divided && bounces.tracks[*body as usize].divided;
        let all = carriers.as_slice();
        if !all.iter().any(|&body| rows.changed[body as usize]) || all.iter().any(divided) {
            return;
        }
        let extent = bodies.extent(pair);
        let own = (from..known).take_while(|&k| rows.rows[k].pair as usize == number).count();
        let own = from..from + own;
        // What is near and has a row needs no look, and what is not comes no nearer than the margin.
        let slow = way(bodies, carriers, &rows.new_mean, dt) <= MARGIN * extent;
        if slow && own.len() >= near.len() {
            return;
        }
        let new_mean = &rows.new_mean;
        let along = |body: u32| mean_motion(flight, new_mean, body);
        let Some(time) = bodies.first_meeting(pair, along, dt) else { return };
        found.clear();
        let poses = poses_at(bodies, carriers, along, time);
        bodies.manifold(pair, |body| pose_of(&poses, body), 0.0, found);
        for contact in found.iter() {
            let key = bodies.touch(contact).key;
            let has_row = |row: &Row<M::Contact>| bodies.touch(&row.contact).key == key;
            if !rows.rows[own.clone()].iter().any(has_row) {
                let row = Row { pair: number as u32, contact: *contact, gap: Gap::Found(time) };
                rows.rows.push(row);
            }
        }
    }

    /// Whether contact throws a body beyond what was looked at.
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
        let old = self.neighbours.pairs.clone();
        if !self.find_pairs_again(bodies) {
            return;
        }
        self.find_near(bodies);
        for row in &mut self.rows.rows {
            let pair = old[row.pair as usize];
            let place = self.neighbours.pairs.binary_search(&pair);
            row.pair = place.unwrap_or_else(|place| place) as u32;
        }
        self.rows.sort(bodies);
    }
}
