//! Small overlaps opened by sweeps, from the ground up.
//!
//! Where contacts are solved to a tolerance only, every step leaves a little overlap somewhere, and
//! that is not worth a solve: it is relaxed by sweeps of Gauss and Seidel's method (Cottle, Pang
//! and Stone, "The linear complementarity problem", 1992, section 5.2), and what they leave is seen
//! in the next step.
//!
//! A hundred layers that have all sunk a little must be lifted by a hundred times as much, and
//! sweeps that share each overlap between its two bodies would take ten thousand times to do it. So
//! contacts are taken from the ground up, and the upper body goes most of the way, as in the shock
//! propagation of Guendelman, Bridson and Fedkiw ("Nonconvex rigid bodies with stacking", ACM
//! Trans. Graph. 22 (2003), section 6), where it goes all of it, and in the mass scaling of Macklin
//! and others ("Unified particle physics for real-time applications", ACM Trans. Graph. 33 (2014),
//! section 5). Without gravity both go their share.
//!
//! What many contacts gave way to ends in the few before a wall. Where few are deep at last, they
//! are opened one after the other, each with the neighbours that it closes (Southwell,
//! "Stress-calculation in frameworks by the method of systematic relaxation of constraints", Proc.
//! R. Soc. A 151 (1935)).

mod neighbours;
mod push;

use crate::detection::PlanarContact;
use crate::model::{BodyIndex, Model};
use crate::rotation::cross;
use crate::state::State;
use glam::DVec2;
use neighbours::Neighbours;
use push::{Moved, Push};
use std::collections::VecDeque;

/// Rounds: a sweep up, and one down.
const ROUNDS: usize = 2;
/// How much further than its share the upper body of two goes, one straight above the other; the
/// lower one goes as much less.
const LIFT: f64 = 0.75;
/// Contacts are opened until they overlap by this part of what is harmless.
const GOAL: f64 = 0.5;
/// Contacts that still overlap by this many times what is harmless are opened one by one...
const DEEP: f64 = 8.0;
/// ...where they are at most this part of all contacts: more of them are lifted together, in the
/// steps to come.
const FEW: f64 = 0.05;
/// The longest way of a body, as a part of its bounding radius.
const LONGEST_WAY: f64 = 0.5;
/// Openings one by one end after this many for each contact. Few deep contacts take far fewer; an
/// end on the way would leave what they gave way to in one place.
const MOST_VISITS: usize = 4;

/// Memory of the sweeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relaxation {
    bodies: Vec<Moved>,
    /// From the ground up.
    pushes: Vec<Push>,
    height: Vec<f64>,
    /// Where the next push of each layer goes.
    next: Vec<u32>,
    neighbours: Neighbours,
    waiting: VecDeque<u32>,
    waits: Vec<bool>,
}

impl Relaxation {
    /// Moves bodies apart where they overlap by more than is harmless: `depth`, a length. The gaps
    /// of the contacts follow. False, and nothing is moved, where a body would go beyond half its
    /// `radius`: lifting thin bodies that lean on each other can diverge.
    pub(crate) fn relax(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &mut [PlanarContact],
        (depth, radius): (f64, impl Fn(usize) -> f64),
    ) -> bool {
        let up = -model.forces.gravities.iter().sum::<DVec2>().normalize_or_zero();
        let lift = LIFT * up;
        self.bodies.clear();
        self.bodies.extend(model.bodies.iter().map(Moved::nowhere));
        self.line_up(contacts, up, GOAL * depth, lift);
        for _ in 0..ROUNDS {
            let bodies = &mut self.bodies;
            self.pushes.iter_mut().for_each(|push| push.open(bodies, lift));
            self.pushes.iter_mut().rev().for_each(|push| push.open(bodies, lift));
        }
        self.open_deep_ones((DEEP - GOAL) * depth, lift);
        let stays = |(body, moved): (usize, &Moved)| {
            let (way, radius) = (moved.by.length(), radius(body));
            moved.inverse_mass == 0.0 || way + moved.turned.abs() * radius <= LONGEST_WAY * radius
        };
        let converged = self.bodies.iter().enumerate().all(stays);
        if converged {
            self.finish(state, contacts);
        }
        converged
    }

    /// Pushes of all contacts by rising height, in as many layers as there are contacts.
    fn line_up(&mut self, contacts: &[PlanarContact], up: DVec2, goal: f64, lift: DVec2) {
        self.height.clear();
        self.height.extend(contacts.iter().map(|contact| up.dot(contact.point)));
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = self.height.iter().fold(nothing, |(low, high), &h| (low.min(h), high.max(h)));
        let scale = if high > low { contacts.len() as f64 / (high - low) } else { 0.0 };
        self.next.clear();
        self.next.resize(contacts.len() + 2, 0);
        // Heights may differ by less than a number can be divided by.
        let topmost = contacts.len() as f64;
        let layer = |height: f64| ((height - low) * scale).min(topmost) as usize;
        for &height in &self.height {
            self.next[layer(height) + 1] += 1;
        }
        // From counts to first places.
        for layer in 1..self.next.len() {
            self.next[layer] += self.next[layer - 1];
        }
        self.pushes.resize(contacts.len(), Push::NONE);
        for (contact, &height) in contacts.iter().zip(&self.height) {
            let place = &mut self.next[layer(height)];
            self.pushes[*place as usize] = Push::of(contact, &self.bodies, goal, lift);
            *place += 1;
        }
    }

    /// Opens contacts that miss their goal by more than `deep` one by one.
    fn open_deep_ones(&mut self, deep: f64, lift: DVec2) {
        let Self { bodies, pushes, neighbours, waiting, waits, .. } = self;
        waits.clear();
        waits.extend(pushes.iter().map(|push| push.is_deep(bodies, deep)));
        waiting.clear();
        waiting.extend((0..pushes.len() as u32).filter(|&k| waits[k as usize]));
        if waiting.is_empty() || waiting.len() as f64 > FEW * pushes.len() as f64 + 1.0 {
            return;
        }
        neighbours.find(pushes, bodies.len());
        for _ in 0..MOST_VISITS * pushes.len() {
            let Some(k) = waiting.pop_front() else { break };
            waits[k as usize] = false;
            pushes[k as usize].open(bodies, lift);
            for body in pushes[k as usize].bodies {
                if bodies[body as usize].inverse_mass == 0.0 {
                    continue;
                }
                for &other in neighbours.of(body) {
                    if !waits[other as usize] && pushes[other as usize].is_deep(bodies, deep) {
                        waits[other as usize] = true;
                        waiting.push_back(other);
                    }
                }
            }
        }
    }

    /// Moves the bodies; the gaps of the contacts follow.
    fn finish(&self, state: &mut State, contacts: &mut [PlanarContact]) {
        for (moved, Moved { by, turned, .. }) in state.bodies.iter_mut().zip(&self.bodies) {
            moved.position += by;
            moved.angle += turned;
        }
        for contact in contacts {
            let along = |body: BodyIndex, arm: DVec2| {
                let Moved { by, turned, .. } = self.bodies[body.get()];
                contact.normal.dot(by) + turned * cross(arm, contact.normal)
            };
            contact.gap +=
                along(contact.second, contact.second_arm) - along(contact.first, contact.first_arm);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::{Depth, Detector, Rules};
    use crate::force::Forces;
    use crate::mass::Placed;
    use crate::model::Motion;
    use crate::state::BodyState;

    const RULES: Rules = Rules { course: false, touching: 1e-9 };

    fn world(placed: Vec<Placed>, gravity: DVec2) -> (Model, State) {
        let forces = Forces { gravities: vec![gravity], ..Forces::default() };
        let states = placed.iter().map(|placed| BodyState::at(placed.center)).collect();
        let bodies = placed.into_iter().map(|placed| placed.body).collect();
        (Model { bodies, forces }, State { bodies: states, step: 0 })
    }

    fn disc(x: f64, y: f64, motion: Motion) -> Placed {
        Placed::disc(DVec2::new(x, y), 1.0, 1.0, motion)
    }

    /// Relaxes once; returns how deep overlaps were, are by what the contacts say, and are.
    fn relax(model: &Model, state: &mut State, depth: f64) -> [f64; 3] {
        let mut detector = Detector::new(model);
        let mut contacts = Vec::new();
        let margins = vec![0.1; model.bodies.len()];
        let before = detector.detect(model, &state.bodies, RULES, &margins, &mut contacts);
        assert!(Relaxation::default().relax(model, state, &mut contacts, (depth, |_| 1.0)));
        let said = Depth::of(&contacts);
        let after = detector.detect(model, &state.bodies, RULES, &margins, &mut contacts);
        [before, said, after].map(|depth| depth.length)
    }

    /// A hundred discs, one above the other, each a thousandth inside the next one: the topmost
    /// must rise by a tenth, and does so in a few steps.
    #[test]
    fn a_whole_tower_is_lifted() {
        let tower = |down: DVec2, gravity: DVec2, steps: usize| {
            let up = -down;
            let place = |k: usize| k as f64 * 1.999 * up;
            let motion = |k: usize| if k == 0 { Motion::Fixed } else { Motion::Free };
            let placed = (0..=100).map(|k| Placed::disc(place(k), 1.0, 1.0, motion(k))).collect();
            let (model, mut state) = world(placed, gravity);
            let mut left = 1e-3 + 1e-12;
            for _ in 0..steps {
                let [before, said, after] = relax(&model, &mut state, 1e-4);
                assert!(before <= left + 1e-12 && (said - after).abs() < 1e-12, "{before} after {left}");
                left = after;
            }
            (left, (state.bodies[100].position - place(100)).dot(up))
        };
        for down in [DVec2::NEG_Y, DVec2::X] {
            let (left, risen) = tower(down, 9.81 * down, 12);
            assert!(left < 3e-4 && risen > 0.08, "{left} left, {risen} risen");
        }
        let (left, risen) = tower(DVec2::NEG_Y, DVec2::ZERO, 12);
        assert!(left > 8e-4 && risen < 0.03, "without gravity: {left} left, {risen} risen");
    }

    /// The upper one of two goes seven times as far as the lower one; side by side, or without
    /// gravity, both go their share.
    #[test]
    fn who_goes_how_far() {
        for (gravity, across, ratio) in [
            (DVec2::new(0.0, -9.81), DVec2::Y, 7.0),
            (DVec2::new(0.0, -9.81), DVec2::X, 1.0),
            (DVec2::ZERO, DVec2::Y, 1.0),
        ] {
            let placed = [0.0, 1.99].map(|way| disc(way * across.x, way * across.y, Motion::Free)).to_vec();
            let (model, mut state) = world(placed, gravity);
            let [before, _, after] = relax(&model, &mut state, 1e-3);
            assert!((before - 1e-2).abs() < 1e-12 && (after - GOAL * 1e-3).abs() < 1e-12, "{after}");
            let lower = -state.bodies[0].position.dot(across);
            let upper = (state.bodies[1].position - 1.99 * across).dot(across);
            assert!((upper - ratio * lower).abs() < 1e-12 && lower > 0.0, "{upper} and {lower}");
        }
    }

    /// A row of discs between two walls, two of them deep inside each other, room for them at one
    /// end only: whichever that is, nothing deep is left.
    #[test]
    fn nothing_deep_is_left_before_a_wall() {
        let depth = 1e-3;
        for room_at in [0, 40] {
            let mut x = 0.0;
            let mut placed = vec![disc(0.0, 0.0, Motion::Fixed)];
            for k in 0..=40 {
                let room = if k == room_at { 0.05 } else { 0.0 };
                x += 2.0 - 0.5 * depth + room - if k == 20 { 0.04 } else { 0.0 };
                placed.push(disc(x, 0.0, if k == 40 { Motion::Fixed } else { Motion::Free }));
            }
            let (model, mut state) = world(placed, DVec2::new(0.0, -9.81));
            let [before, _, after] = relax(&model, &mut state, depth);
            assert!(before > 0.04 && after <= DEEP * depth * (1.0 + 1e-9), "{before} before, {after} after");
            assert!(state.bodies[0].position == DVec2::ZERO, "a wall has moved");
        }
    }

    /// Heights that differ by next to nothing, and places out of reason: no panic, and what
    /// overlaps is opened.
    #[test]
    fn odd_heights_are_taken() {
        for y in [0.0, 1e-310, 5e-324, 1e200] {
            let places = [(0.0, 0.0), (1.99, 0.0), (10.0, y), (11.99, y)];
            let placed = places.map(|(x, y)| disc(x, y, Motion::Free)).to_vec();
            let (model, mut state) = world(placed, DVec2::new(0.0, -9.81));
            let [before, _, after] = relax(&model, &mut state, 1e-3);
            assert!(before > 9e-3 && after < 1e-3, "{y}: {before} before, {after} after");
        }
    }
}
