//! Turning is not linear: a corner that turns far in a step ends elsewhere than its row knows, perhaps inside
//! what it was kept from. Then the row is written again where the chosen motion ends, and the problem is solved
//! again from the same start: Newton's method for the places at the end.

use crate::contact::{Gap, Row};
use crate::impact::pose_of;
use crate::mechanics::Mechanics;
use crate::neighbours::Carriers;
use crate::step::Stepper;
use crate::track::angular_length;

/// Turns in a step, in radians, up to which the way of a corner is a line: it is off by a thousandth of its
/// distance from the centre.
const FAR_TURN: f64 = 0.05;
/// Overlap at the end, as a part of the smaller bounding radius, that is worth solving again.
const WORTH_SOLVING: f64 = 1e-3;

impl<M: Mechanics> Stepper<M> {
    /// The deepest overlap, as a part of the smaller bounding radius, in which turning would end; 0 where it is
    /// not worth a look. Rows are written again if `rewrite` says so.
    pub(crate) fn turned_in(&mut self, bodies: &mut M, dt: f64, rewrite: bool) -> f64 {
        let far = |stepper: &Self, body: u32| {
            dt * angular_length::<M>(&stepper.rows.new_mean[body as usize]) > FAR_TURN
        };
        let known = self.rows.rows.len();
        let (mut deepest, mut cursor) = (0.0f64, 0);
        for number in 0..self.neighbours.pairs.len() {
            while cursor < known && (self.rows.rows[cursor].pair as usize) < number {
                cursor += 1;
            }
            let pair = self.neighbours.pairs[number];
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let all = carriers.as_slice();
            if all.iter().any(|&body| self.rows.changed[body as usize])
                && all.iter().any(|&body| far(self, body))
            {
                let depth = self.look_at_end(bodies, dt, number, (cursor, known), rewrite);
                deepest = deepest.max(depth);
            }
        }
        if self.rows.rows.len() > known {
            self.rows.sort(bodies);
        }
        deepest
    }

    /// The same for one pair; its rows begin at `from`.
    fn look_at_end(
        &mut self,
        bodies: &mut M,
        dt: f64,
        number: usize,
        (from, known): (usize, usize),
        rewrite: bool,
    ) -> f64 {
        let pair = self.neighbours.pairs[number];
        let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
        let Self { rows, flight, found, .. } = self;
        let mut poses = [(0, M::Pose::default()); 4];
        for (slot, &body) in poses.iter_mut().zip(carriers.as_slice()) {
            let end = rows.end_of(bodies, flight, body as usize, dt);
            *slot = (body, end.map_or(flight.end[body as usize].0, |end| end.0));
        }
        found.clear();
        bodies.manifold(pair, |body| pose_of(&poses, body), 0.0, found);
        let own = (from..known).take_while(|&k| rows.rows[k].pair as usize == number).count();
        let mut deepest = 0.0f64;
        for contact in found.iter() {
            let touch = bodies.touch(contact);
            let depth = -touch.gap / touch.extent;
            deepest = deepest.max(depth);
            if depth <= WORTH_SOLVING || !rewrite {
                continue;
            }
            let row = Row { pair: number as u32, contact: *contact, gap: Gap::Turned };
            let mut own = rows.rows[from..from + own].iter_mut();
            match own.find(|known| bodies.touch(&known.contact).key == touch.key) {
                Some(known) => *known = row,
                None => rows.rows.push(row),
            }
        }
        if deepest > WORTH_SOLVING { deepest } else { 0.0 }
    }
}
