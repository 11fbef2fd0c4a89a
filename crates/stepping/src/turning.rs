//! Turning is not linear: a corner ends elsewhere than its row knows, perhaps inside what it was
//! kept from, and where one corner is kept another one comes down. Rows are written again where the
//! chosen motion ends, and the problem is solved again from the same start: Newton's method for the
//! places at the end.

use crate::contact::{Gap, Row, way};
use crate::impact::pose_of;
use crate::mechanics::Mechanics;
use crate::neighbours::Carriers;
use crate::step::{MARGIN, Stepper};
use crate::track::angular_length;
use carom_numerics::watch;

/// Overlap at the end, as a part of the smaller bounding radius, that is worth solving again.
pub(crate) const WORTH_SOLVING: f64 = 1e-3;

impl<M: Mechanics> Stepper<M> {
    /// The deepest overlap, as a part of the smaller bounding radius, in which turning would end; 0
    /// where it is not worth a look. Rows are written again if `rewrite` is set.
    pub(crate) fn turned_in(&mut self, bodies: &mut M, dt: f64, rewrite: bool) -> f64 {
        let known = self.rows.rows.len();
        let (mut deepest, mut cursor) = (0.0f64, 0);
        for number in 0..self.neighbours.pairs.len() {
            if watch::is_over() {
                break;
            }
            while cursor < known && (self.rows.rows[cursor].pair as usize) < number {
                cursor += 1;
            }
            let pair = self.neighbours.pairs[number];
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let all = carriers.as_slice();
            // What is slow has rows for all that is near, and rows know the way of what does not
            // turn.
            let (extent, mean) = (bodies.extent(pair), &self.rows.new_mean);
            let moves = || way(bodies, carriers, mean, dt) > MARGIN * extent;
            let turns = |body: usize| {
                let turn = dt * angular_length::<M>(&mean[body]) * bodies.bounding_radius(body);
                !bodies.is_round(body) && turn > 0.5 * WORTH_SOLVING * extent
            };
            if all.iter().any(|&body| self.rows.changed[body as usize])
                && (all.len() > 2 || all.iter().any(|&body| turns(body as usize)))
                && moves()
            {
                let depth = self.check_end(bodies, dt, number, (cursor, known), rewrite);
                deepest = deepest.max(depth);
            }
        }
        if self.rows.rows.len() > known {
            self.rows.sort(bodies);
        }
        deepest
    }

    /// The same for one pair; its rows begin at `from`.
    fn check_end(
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
        let divided = carriers.as_slice().iter().any(|&body| rows.is_divided(body as usize));
        let gap = if divided { Gap::FoundAtEnd } else { Gap::Turned };
        let mut deepest = 0.0f64;
        for contact in found.iter() {
            let touch = bodies.touch(contact);
            // But for what a tolerance allows.
            let depth = (-touch.gap - rows.slack * dt) / touch.extent;
            deepest = deepest.max(depth);
            if depth <= WORTH_SOLVING || !rewrite {
                continue;
            }
            let row = Row { pair: number as u32, contact: *contact, gap };
            let mut own = rows.rows[from..from + own].iter_mut();
            match own.find(|known| bodies.touch(&known.contact).key == touch.key) {
                Some(known) => *known = row,
                None => rows.rows.push(row),
            }
        }
        if deepest > WORTH_SOLVING { deepest } else { 0.0 }
    }
}
