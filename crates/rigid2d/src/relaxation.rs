//! Small overlaps opened by sweeps, from the ground up.
//!
//! Where contacts are solved to a tolerance only, every step leaves a little overlap somewhere, and that is not worth a solve: it is relaxed by sweeps of Gauss and
//! Seidel's method (Cottle, Pang and Stone, "The linear complementarity problem", 1992, section 5.2), and what they leave is seen in the next step.
//!
//! A hundred layers that have all sunk a little must be lifted by a hundred times as much, and sweeps that share each overlap between its two bodies would take ten thousand times to
//! do it. So contacts are taken from the ground up, and the upper body goes most of the way, as in the shock propagation of Guendelman, Bridson and Fedkiw ("Nonconvex rigid
//! bodies with stacking", ACM Trans. Graph. 22 (2003), section 6), where it goes all of it, and in the mass scaling of Macklin and others ("Unified particle physics for real-time
//! applications", ACM Trans. Graph. 33 (2014), section 5). Without gravity both go their share.
//!
//! What many contacts gave way to ends in the few before a wall. Those are opened one after the other at last, each with the neighbours that it closes
//! (Southwell, "Stress-calculation in frameworks by the method of systematic relaxation of constraints", Proc. R. Soc. A 151 (1935)).

mod neighbours;
mod push;

use crate::detection::Contact;
use crate::model::{BodyIndex, Model};
use crate::rotation::cross;
use crate::state::State;
use glam::DVec2;
use neighbours::Neighbours;
use push::{Moved, Push};
use std::collections::VecDeque;

/// Sweeps, up and down by turns.
const SWEEPS: usize = 2;
/// How much further than its share the upper body of two goes, one straight above the other; the lower one goes as much less.
const LIFT: f64 = 0.75;
/// Contacts are opened until they overlap by this part of what is harmless.
const GOAL: f64 = 0.5;
/// Contacts that still overlap by this many times what is harmless are opened one by one...
const DEEP: f64 = 8.0;
/// ...but together not more often than this part of all contacts.
const MOST_VISITS: f64 = 0.5;

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
    /// Moves bodies apart where they overlap by more than is harmless: `depth`, a length. The gaps of the contacts follow.
    pub(crate) fn relax(&mut self, model: &Model, state: &mut State, contacts: &mut [Contact], depth: f64) {
        let up = -model.forces.gravities.iter().sum::<DVec2>().normalize_or_zero();
        let lift = LIFT * up;
        self.bodies.clear();
        self.bodies.extend(model.bodies.iter().map(Moved::nowhere));
        self.line_up(contacts, up, GOAL * depth, lift);
        for sweep in 0..SWEEPS {
            let bodies = &mut self.bodies;
            if sweep % 2 == 0 {
                self.pushes.iter_mut().for_each(|push| push.open(bodies, lift));
            } else {
                self.pushes.iter_mut().rev().for_each(|push| push.open(bodies, lift));
            }
        }
        self.open_deep_ones((DEEP - GOAL) * depth, lift);
        self.finish(state, contacts);
    }

    /// Pushes of all contacts by rising height, in as many layers as there are contacts.
    fn line_up(&mut self, contacts: &[Contact], up: DVec2, goal: f64, lift: DVec2) {
        self.height.clear();
        self.height.extend(contacts.iter().map(|contact| up.dot(contact.point)));
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = self.height.iter().fold(nothing, |(low, high), &h| (low.min(h), high.max(h)));
        let scale = if high > low { contacts.len() as f64 / (high - low) } else { 0.0 };
        self.next.clear();
        self.next.resize(contacts.len() + 2, 0);
        let layer = |height: f64| ((height - low) * scale) as usize;
        for &height in &self.height {
            self.next[layer(height) + 1] += 1;
        }
        // From counts to first places.
        for layer in 1..self.next.len() {
            self.next[layer] += self.next[layer - 1];
        }
        self.pushes.clear();
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
        if waiting.is_empty() {
            return;
        }
        neighbours.find(pushes, bodies.len());
        for _ in 0..(MOST_VISITS * pushes.len() as f64) as u64 {
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
    fn finish(&self, state: &mut State, contacts: &mut [Contact]) {
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
