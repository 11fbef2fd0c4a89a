//! The pairs that may touch in a step, and those of each body.

use crate::mechanics::{Mechanics, Pair};

/// Pairs in rising order, and the numbers of the pairs of each body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Neighbours {
    pub(crate) pairs: Vec<Pair>,
    /// Whether the pairs of each body are listed.
    indexed: bool,
    start: Vec<u32>,
    members: Vec<u32>,
}

impl Neighbours {
    /// Makes room for other pairs.
    pub(crate) fn pairs_mut(&mut self) -> &mut Vec<Pair> {
        self.indexed = false;
        &mut self.pairs
    }

    /// Lists the pairs of each body, unless that was done: most steps do not ask for them.
    pub(crate) fn index<M: Mechanics>(&mut self, bodies: &M) {
        if std::mem::replace(&mut self.indexed, true) {
            return;
        }
        let count = bodies.body_count();
        let carriers = |[a, b]: Pair| Carriers::of(bodies.carriers(a), bodies.carriers(b));
        self.start.clear();
        self.start.resize(count + 2, 0);
        for &pair in &self.pairs {
            for &body in carriers(pair).as_slice() {
                self.start[body as usize + 2] += 1;
            }
        }
        for k in 2..count + 2 {
            self.start[k] += self.start[k - 1];
        }
        self.members.clear();
        self.members.resize(self.start[count + 1] as usize, 0);
        for (number, &pair) in self.pairs.iter().enumerate() {
            for &body in carriers(pair).as_slice() {
                let cursor = &mut self.start[body as usize + 1];
                self.members[*cursor as usize] = number as u32;
                *cursor += 1;
            }
        }
    }

    /// The numbers of the pairs of a body, once they are listed.
    #[inline]
    pub(crate) fn of(&self, body: u32) -> std::ops::Range<usize> {
        self.start[body as usize] as usize..self.start[body as usize + 1] as usize
    }

    #[inline]
    pub(crate) fn member(&self, at: usize) -> usize {
        self.members[at] as usize
    }
}

/// The bodies of a pair, each once: two, or three where one shape is an edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carriers {
    bodies: [u32; 4],
    count: usize,
}

impl Carriers {
    #[inline]
    pub(crate) fn of(first: [u32; 2], second: [u32; 2]) -> Self {
        // Shapes that bodies are: the usual pair.
        if first[0] == first[1] && second[0] == second[1] && first[0] != second[0] {
            return Self { bodies: [first[0], second[0], 0, 0], count: 2 };
        }
        let mut carriers = Self { bodies: [0; 4], count: 0 };
        for body in first.into_iter().chain(second) {
            if !carriers.as_slice().contains(&body) {
                carriers.bodies[carriers.count] = body;
                carriers.count += 1;
            }
        }
        carriers
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.bodies[..self.count]
    }
}
