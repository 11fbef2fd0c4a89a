//! Separating pairs: they need no row of the contact problem unless another contact can act on
//! their bodies.

use crate::mechanics::Mechanics;
use crate::neighbours::{Carriers, Neighbours};

/// Pairs of balls that separate in free flight and that no contact acts on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Separating {
    /// Numbers of the pairs, in rising order, and whether each is still in the set.
    pairs: Vec<(u32, bool)>,
    /// Pairs that [`Separating::activate`] took out, in rising order.
    pub(crate) activated: Vec<u32>,
    reached: Vec<bool>,
    stack: Vec<u32>,
}

impl Separating {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.activated.clear();
    }

    /// Adds a pair with a higher number than all before.
    pub(crate) fn push(&mut self, pair: usize) {
        self.pairs.push((pair as u32, true));
    }

    /// Numbers of the pairs.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.pairs.iter().filter(|pair| pair.1).map(|pair| pair.0 as usize)
    }

    /// Gives pairs new numbers, in the same order.
    pub(crate) fn renumber(&mut self, new: impl Fn(u32) -> u32) {
        self.pairs.iter_mut().for_each(|pair| pair.0 = new(pair.0));
    }

    /// Whether a pair is in the set.
    pub(crate) fn contains(&self, pair: usize) -> bool {
        self.place(pair).is_some_and(|place| self.pairs[place].1)
    }

    /// Takes a pair out; false where it was not in the set.
    pub(crate) fn remove(&mut self, pair: usize) -> bool {
        self.place(pair).is_some_and(|place| std::mem::replace(&mut self.pairs[place].1, false))
    }

    fn place(&self, pair: usize) -> Option<usize> {
        self.pairs.binary_search_by_key(&(pair as u32), |entry| entry.0).ok()
    }

    /// Takes out the pairs that share free bodies with `others`, directly or through pairs of the
    /// set.
    pub(crate) fn activate<M: Mechanics>(
        &mut self,
        bodies: &M,
        neighbours: &mut Neighbours,
        others: impl Iterator<Item = usize>,
    ) {
        if self.pairs.is_empty() {
            return;
        }
        neighbours.index(bodies);
        self.reached.clear();
        self.reached.resize(bodies.body_count(), false);
        self.stack.clear();
        for pair in others {
            self.reach(bodies, neighbours, pair);
        }
        while let Some(body) = self.stack.pop() {
            for pair in neighbours.of(body).map(|at| neighbours.member(at)) {
                if self.remove(pair) {
                    self.activated.push(pair as u32);
                    self.reach(bodies, neighbours, pair);
                }
            }
        }
        self.activated.sort_unstable();
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
