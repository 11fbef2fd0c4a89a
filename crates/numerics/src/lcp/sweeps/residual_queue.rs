//! The few rows that are still wrong, one after the other.
//!
//! After some rounds nearly all rows are within the tolerance, and the others are few and far
//! apart. Each of those is solved alone, and after it those of its neighbours that it has made
//! wrong, until none is left: relaxation as it was done by hand (Southwell, "Stress-calculation in
//! frameworks by the method of systematic relaxation of constraints", Proc. R. Soc. A 151 (1935)),
//! first come, first served.

use super::packed::{NONE, Packed};
use super::state::State;
use std::collections::VecDeque;

/// When at most this part of the rows was wrong in a sweep, the rest is not worth another one.
pub(super) const FEW: f64 = 0.01;
/// Visits of rows, as a part of all rows, after which they were not so few after all.
const MOST_VISITS: f64 = 0.5;

/// Memory of the queue.
#[derive(Clone, Debug, Default)]
pub(super) struct ResidualQueue {
    /// The first columns of the runs of each row; [`NONE`] where it moves nothing. Read often, and
    /// much smaller than the rows.
    bases: Vec<u32>,
    /// The columns that are among them.
    is_base: Vec<bool>,
    /// Where the rows of each such column start in `rows`, and at last where all end. A row stands
    /// at all that are in its runs: two rows that share a column share one of these.
    start: Vec<u32>,
    rows: Vec<u32>,
    waiting: VecDeque<u32>,
    waits: Vec<bool>,
    /// Whether it has come to an end so far in this solve.
    pub(super) is_worth_it: bool,
}

/// What it did.
#[derive(Clone, Copy, Default)]
pub(super) struct Relaxed {
    /// Change of f.
    pub(super) fall: f64,
    /// Approximate multiplication count.
    pub(super) operations: u64,
}

impl ResidualQueue {
    /// Finds out which rows move which columns.
    fn find_neighbours<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        columns: usize,
    ) {
        self.bases.clear();
        self.bases.extend(rows.iter().flat_map(Packed::bases));
        self.is_base.clear();
        self.is_base.resize(columns, false);
        for &base in self.bases.iter().filter(|&&base| base != NONE) {
            self.is_base[base as usize] = true;
        }
        self.start.clear();
        self.start.resize(columns + 2, 0);
        for column in self.bases.iter().flat_map(|&base| within(base, H, &self.is_base)) {
            self.start[column as usize + 2] += 1;
        }
        // From counts to first places.
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.rows.clear();
        self.rows.resize(self.start[columns + 1] as usize, 0);
        for (k, bases) in self.bases.chunks_exact(RUNS).enumerate() {
            for column in bases.iter().flat_map(|&base| within(base, H, &self.is_base)) {
                let next = &mut self.start[column as usize + 1];
                self.rows[*next as usize] = k as u32;
                *next += 1;
            }
        }
    }
}

/// The columns of a run with which some run starts.
fn within(base: u32, length: usize, is_base: &[bool]) -> impl Iterator<Item = u32> + '_ {
    let columns = if base == NONE { 0..0 } else { base..base + length as u32 };
    columns.filter(|&column| is_base[column as usize])
}

impl State {
    /// Solves the rows that are wrong by more than the tolerance, until none is; not worth it where
    /// they turn out to be too many.
    pub(super) fn relax_few<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        tolerance: f64,
    ) -> Relaxed {
        let State { queue, lambda, u, .. } = self;
        let products = |looks: usize| (RUNS * H * looks) as u64;
        let mut relaxed = Relaxed { operations: products(rows.len()), ..Relaxed::default() };
        queue.waits.clear();
        queue.waits.extend(rows.iter().zip(&*lambda).map(|(row, &lambda)| row.error(lambda, u) > tolerance));
        queue.waiting.clear();
        queue.waiting.extend((0..rows.len() as u32).filter(|&k| queue.waits[k as usize]));
        if queue.waiting.is_empty() {
            return relaxed;
        }
        queue.find_neighbours(rows, u.len());
        for _ in 0..(MOST_VISITS * rows.len() as f64) as u64 {
            let Some(k) = queue.waiting.pop_front() else { break };
            let (k, row) = (k as usize, &rows[k as usize]);
            queue.waits[k] = false;
            let change = row.solved(lambda[k], u) - lambda[k];
            relaxed.fall += change * (row.gap(u) + 0.5 * change * row.inverse_mass);
            row.push(u, change);
            lambda[k] += change;
            let bases = &queue.bases[RUNS * k..RUNS * (k + 1)];
            for column in bases.iter().flat_map(|&base| within(base, H, &queue.is_base)) {
                let neighbours = queue.start[column as usize]..queue.start[column as usize + 1];
                relaxed.operations += products(neighbours.len());
                for place in neighbours {
                    let other = queue.rows[place as usize];
                    let at = other as usize;
                    if !queue.waits[at] && rows[at].error(lambda[at], u) > tolerance {
                        queue.waits[at] = true;
                        queue.waiting.push_back(other);
                    }
                }
            }
        }
        queue.is_worth_it = queue.waiting.is_empty();
        relaxed
    }
}
