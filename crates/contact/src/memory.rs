//! Warm starts: the impulses of the last step, found again by the names and the places of contacts.

use crate::problem::ContactKey;
use crate::response::{friction, simultaneous};
use crate::workspace::{Island, Workspace};

/// A contact, its impulses and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remembered {
    key: ContactKey,
    impulses: [f64; 3],
    point: [f64; 3],
}

/// Numbers of a contact in [`Workspace::memory`].
const REMEMBERED: usize = 10;

impl Workspace {
    /// What warm starts remember, as plain numbers: four of the key, three impulses and three of
    /// the place of each contact. A run that is resumed with [`Workspace::restore_memory`] gets the
    /// same bits as one that was never stopped; nothing else in a workspace influences an answer.
    pub fn memory(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.write_memory(&mut numbers);
        numbers
    }

    /// The same into room that is there already.
    pub fn write_memory(&self, numbers: &mut Vec<f64>) {
        let entry = |&Remembered { key, impulses: [x, y, z], point: [px, py, pz] }: &Remembered| {
            let [a, b, c, d] = key.0.map(f64::from);
            [a, b, c, d, x, y, z, px, py, pz]
        };
        numbers.clear();
        numbers.reserve(REMEMBERED * self.memory.len());
        numbers.extend(self.memory.iter().flat_map(entry));
    }

    /// Whether a contact pushed when the problem was last solved.
    pub fn pushed(&self, key: ContactKey) -> bool {
        let place = self.memory.binary_search_by_key(&key, |entry| entry.key);
        place.is_ok_and(|place| self.memory[place].impulses[0] > 0.0)
    }

    /// Takes over the memory of another workspace.
    pub fn warm_start_from(&mut self, other: &Self) {
        self.memory.clone_from(&other.memory);
    }

    /// Puts back what [`Workspace::memory`] gave; an empty slice makes the next call start cold.
    /// Numbers that cannot come from there are skipped.
    pub fn restore_memory(&mut self, numbers: &[f64]) {
        self.memory.clear();
        for entry in numbers.chunks_exact(REMEMBERED) {
            let whole = entry[..4].iter().all(|&x| x >= 0.0 && x <= f64::from(u32::MAX) && x.fract() == 0.0);
            if whole && entry[4] >= 0.0 && entry[4..].iter().all(|x| x.is_finite()) {
                let key = ContactKey([0, 1, 2, 3].map(|i| entry[i] as u32));
                let three = |from: usize| [entry[from], entry[from + 1], entry[from + 2]];
                self.memory.push(Remembered { key, impulses: three(4), point: three(7) });
            }
        }
        self.memory.sort_by_key(|entry| entry.key);
        self.memory.dedup_by_key(|entry| entry.key);
    }

    /// Remembers the impulses of islands whose solvers take a guess.
    pub(crate) fn remember(&mut self) {
        self.memory.clear();
        for island in self.island[..self.islands.len()].iter().filter(|island| island.takes_guess()) {
            for (i, (&(key, point), &impulse)) in island.names.iter().zip(&island.impulses).enumerate() {
                let mut impulses = [impulse, 0.0, 0.0];
                if island.friction.is_active() {
                    let cones = &island.friction.cones;
                    let range = cones.range(i);
                    impulses[1..range.len()].copy_from_slice(&cones.r[range][1..]);
                }
                if key != ContactKey::NONE {
                    self.memory.push(Remembered { key, impulses, point });
                }
            }
        }
        // Unstable because a stable sort allocates; the impulses settle equal keys.
        self.memory.sort_unstable_by(|a, b| {
            let by_impulse = |i: usize| b.impulses[i].total_cmp(&a.impulses[i]);
            a.key
                .cmp(&b.key)
                .then_with(|| by_impulse(0))
                .then_with(|| by_impulse(1))
                .then_with(|| by_impulse(2))
        });
        self.memory.dedup_by_key(|entry| entry.key);
    }
}

impl Island {
    /// Whether the impulses of the last step are worth something.
    fn takes_guess(&self) -> bool {
        self.contacts.len() >= simultaneous::SPARSE_FROM || self.friction.is_active()
    }

    /// Gives an island the impulses of the last step to start from.
    ///
    /// A corner that lies beside another one slides from vertex on edge to edge on vertex and back,
    /// and has another name then. So what is left of a pair goes to the nearest of its contacts
    /// with new names, and what is left then to the nearest of all: in islands that passes solve,
    /// which need a good start.
    pub(crate) fn warm_start(&mut self, memory: &[Remembered]) {
        self.guess.clear();
        if memory.is_empty() || !self.takes_guess() {
            return;
        }
        let Self { friction, names, guess, order, .. } = self;
        let (rubs, is_large) = (friction.is_active(), names.len() > friction::SOLVED_AT_ONCE);
        let range = |i: usize| if rubs { friction.cones.range(i) } else { i..i + 1 };
        guess.resize(if rubs { friction.cones.rows.len() } else { names.len() }, 0.0);
        order.clear();
        order.extend(0..names.len() as u32);
        order.sort_unstable_by_key(|&i| (names[i as usize].0, i));
        let (mut rest, mut memory) = (&order[..], memory);
        while let Some(&first) = rest.first() {
            let pair = names[first as usize].0.pair();
            let (own, others) = split(rest, |&i| names[i as usize].0.pair() == pair);
            let skipped = memory.partition_point(|entry| entry.key.pair() < pair);
            let (known, later) = split(&memory[skipped..], |entry| entry.key.pair() == pair);
            (rest, memory) = (others, later);
            let mut give = |i: u32, at: usize| {
                let guess = &mut guess[range(i as usize)];
                guess.iter_mut().zip(known[at].impulses).for_each(|(guess, impulse)| *guess += impulse);
            };
            let place_of = |i: u32| known.binary_search_by_key(&names[i as usize].0, |entry| entry.key);
            let between = |i: u32, at: usize| distance(known[at].point, names[i as usize].1);
            // What was taken of the first 64.
            let bit = |place: usize| 1u64.checked_shl(place as u32).unwrap_or(0);
            let (mut taken, mut unknown) = (0, false);
            for &i in own {
                match place_of(i) {
                    Ok(at) => {
                        give(i, at);
                        taken |= bit(at);
                    }
                    Err(_) => unknown = true,
                }
            }
            if !is_large {
                continue;
            }
            for &i in own.iter().filter(|&&i| unknown && place_of(i).is_err()) {
                let free = (0..known.len().min(64)).filter(|&at| taken & bit(at) == 0);
                if let Some(at) = free.min_by(|&a, &b| between(i, a).total_cmp(&between(i, b))) {
                    give(i, at);
                    taken |= bit(at);
                }
            }
            for at in (0..known.len().min(64)).filter(|&at| taken & bit(at) == 0) {
                if let Some(&i) = own.iter().min_by(|a, b| between(**a, at).total_cmp(&between(**b, at))) {
                    give(i, at);
                }
            }
        }
    }
}

/// The first items that are alike, and the others.
fn split<T>(items: &[T], alike: impl Fn(&T) -> bool) -> (&[T], &[T]) {
    items.split_at(items.iter().take_while(|item| alike(item)).count())
}

/// Distance of two points, squared.
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}
