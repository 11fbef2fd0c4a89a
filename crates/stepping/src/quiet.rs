//! Pairs near each other in which nothing happens, and that nothing reaches.

use crate::mechanics::Mechanics;
use crate::neighbours::{Carriers, Neighbours};

/// Pairs that part, until contact pushes one of their bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Quiet {
    /// Numbers of the pairs, rising, and whether each still sleeps.
    pairs: Vec<(u32, bool)>,
    /// Those that were woken.
    pub(crate) woken: Vec<u32>,
    reached: Vec<bool>,
    stack: Vec<u32>,
}

impl Quiet {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.woken.clear();
    }

    /// Adds a pair with a higher number than all before.
    pub(crate) fn push(&mut self, pair: usize) {
        self.pairs.push((pair as u32, true));
    }

    /// Pairs that nothing reached.
    pub(crate) fn asleep(&self) -> impl Iterator<Item = usize> + '_ {
        self.pairs.iter().filter(|pair| pair.1).map(|pair| pair.0 as usize)
    }

    /// Gives pairs new numbers, in the same order.
    pub(crate) fn renumber(&mut self, new: impl Fn(u32) -> u32) {
        self.pairs.iter_mut().for_each(|pair| pair.0 = new(pair.0));
    }

    /// Whether a pair is quiet.
    pub(crate) fn sleeps(&self, pair: usize) -> bool {
        let place = self.pairs.binary_search_by_key(&(pair as u32), |entry| entry.0);
        place.is_ok_and(|place| self.pairs[place].1)
    }

    /// Wakes a pair; false where it did not sleep.
    pub(crate) fn rouse(&mut self, pair: usize) -> bool {
        let place = self.pairs.binary_search_by_key(&(pair as u32), |entry| entry.0);
        place.is_ok_and(|place| std::mem::replace(&mut self.pairs[place].1, false))
    }

    /// Wakes pairs of bodies that can be pushed by some others, directly or through quiet pairs.
    pub(crate) fn wake<M: Mechanics>(
        &mut self,
        bodies: &M,
        neighbours: &Neighbours,
        others: impl Iterator<Item = usize>,
    ) {
        if self.pairs.is_empty() {
            return;
        }
        self.reached.clear();
        self.reached.resize(bodies.body_count(), false);
        self.stack.clear();
        for pair in others {
            self.reach(bodies, neighbours, pair);
        }
        while let Some(body) = self.stack.pop() {
            for pair in neighbours.of(body).map(|at| neighbours.member(at)) {
                if self.rouse(pair) {
                    self.woken.push(pair as u32);
                    self.reach(bodies, neighbours, pair);
                }
            }
        }
        self.woken.sort_unstable();
    }

    fn reach<M: Mechanics>(&mut self, bodies: &M, neighbours: &Neighbours, pair: usize) {
        let [a, b] = neighbours.pairs[pair].map(|shape| bodies.carriers(shape));
        for &body in Carriers::of(a, b).as_slice() {
            let reached = &mut self.reached[body as usize];
            if bodies.is_free(body as usize) && !std::mem::replace(reached, true) {
                self.stack.push(body);
            }
        }
    }
}
