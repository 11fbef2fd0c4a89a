//! Whose meetings are impacts.

use crate::contact::{mean_motion, way};
use crate::mechanics::Mechanics;
use crate::neighbours::Carriers;
use crate::settings::ContactSettings;
use crate::step::{MARGIN, Stepper};
use crate::track::{angular_length, clearance};

/// What turns further in a step, in radians, has impacts at their instants even without
/// restitution.
const FAST_TURN: f64 = 0.5;

impl<M: Mechanics> Stepper<M> {
    /// All that is free, if there is restitution; else what turns so far that no row knows where it
    /// will be. False where there is nothing.
    pub(super) fn find_who_bounces(&mut self, bodies: &mut M, settings: &ContactSettings, dt: f64) -> bool {
        let (all, mean) = (settings.restitution > 0.0, &self.flight.mean);
        let turns = |body: usize| dt * angular_length::<M>(&mean[body]) > FAST_TURN && !bodies.is_round(body);
        let bounces = |body: usize| bodies.is_free(body) && (all || turns(body));
        self.bounces.bounces.clear();
        self.bounces.bounces.extend((0..bodies.body_count()).map(bounces));
        for &body in &self.bounces.spun {
            self.bounces.bounces[body as usize] = true;
        }
        if !all {
            self.find_who_meets(bodies, dt);
        }
        self.bounces.bounces.contains(&true)
    }

    /// Two free bodies that meet each other and can meet nobody else: a push along the normal of
    /// their meeting, but from where they start, would change angular momentum.
    fn find_who_meets(&mut self, bodies: &mut M, dt: f64) {
        let Self { bounces, neighbours, flight, .. } = self;
        bounces.partners.clear();
        bounces.partners.resize(bodies.body_count(), 0);
        bounces.candidates.clear();
        for (number, &pair) in neighbours.pairs.iter().enumerate() {
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let way = way(bodies, carriers, &flight.mean, dt);
            let margin = MARGIN * bodies.extent(pair);
            if clearance(bodies, flight, carriers) > way + margin {
                continue;
            }
            let all = carriers.as_slice();
            all.iter().for_each(|&body| bounces.partners[body as usize] += 1);
            let free = || all.iter().all(|&body| bodies.is_free(body as usize));
            if way > margin && all.len() == 2 && free() {
                bounces.candidates.push(number as u32);
            }
        }
        for &number in &bounces.candidates {
            let pair = neighbours.pairs[number as usize];
            let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
            let all = carriers.as_slice();
            let path = |body: u32| mean_motion(flight, &flight.mean, body).into();
            let alone = all.iter().all(|&body| bounces.partners[body as usize] == 1);
            if alone && bodies.first_meeting(pair, path, dt).is_some() {
                all.iter().for_each(|&body| bounces.bounces[body as usize] = true);
            }
        }
    }

    /// Whether contact turns bodies that come flying so far that no row knows where they will be:
    /// their meetings are impacts.
    pub(crate) fn contact_spins(&mut self, bodies: &M, dt: f64) -> bool {
        for body in 0..self.rows.changed.len() {
            if !self.rows.changed[body] || !bodies.is_free(body) || bodies.is_round(body) {
                continue;
            }
            let turn = dt * angular_length::<M>(&self.rows.new_mean[body]);
            let bounces_already = self.bounces.bounces.get(body).copied().unwrap_or(false);
            if turn > FAST_TURN && !bounces_already && !self.touches_at_start(bodies, body as u32) {
                self.bounces.spun.push(body as u32);
            }
        }
        !self.bounces.spun.is_empty()
    }

    fn touches_at_start(&mut self, bodies: &M, body: u32) -> bool {
        self.neighbours.index(bodies);
        let mut pairs = self.neighbours.of(body).map(|at| self.neighbours.member(at));
        pairs
            .any(|pair| self.near[self.near_of(pair)].iter().any(|contact| bodies.touch(contact).is_closed()))
    }
}
