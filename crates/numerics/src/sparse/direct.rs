//! Block LU factorization of a sparse matrix, left-looking, with the pattern of its factors found
//! once.
//!
//! P A Pᵀ = L U, where L has unit blocks on its diagonal and P is a fill-reducing order. There are
//! no row exchanges beyond the pivoting inside a two by two block: the matrices of implicit
//! integrators have a dominant mass, and where they do not, a pivot that is too small is reported
//! and the caller does something else. Davis, *Direct Methods for Sparse Linear Systems*, section
//! 4.8 (left-looking), here for both factors at once.

use super::block::{Block, ZERO, inverse, product, size, subtract_apply, subtract_product};
use super::matrix::{BlockMatrix, BlockPattern};
use super::symbolic::{Columns, Elimination};

/// A pivot block whose inverse, times the size of the block that A has there, exceeds this has lost
/// most of its digits.
const LARGEST_GROWTH: f64 = 1e14;

const END: u32 = u32::MAX;

/// Factors of a matrix, with the pattern that is used again for every matrix of the same pattern.
#[derive(Debug, Clone)]
pub(super) struct Direct {
    elimination: Elimination,
    /// Entries of column k below the diagonal are `starts[k]..starts[k + 1]`.
    starts: Vec<usize>,
    /// Row of every entry, rising within a column.
    rows: Vec<u32>,
    /// L(row, k) and U(k, row).
    lower: Vec<Block>,
    upper: Vec<Block>,
    pivot_inverses: Vec<Block>,
    buffers: Buffers,
}

#[derive(Debug, Clone)]
struct Buffers {
    /// A column of L and a row of U while they are computed, by row.
    column: Vec<Block>,
    row: Vec<Block>,
    /// Columns whose next entry is in a row: the first of a linked list for every row, and the
    /// links.
    first: Vec<u32>,
    link: Vec<u32>,
    /// That next entry.
    next_entry: Vec<usize>,
    solution: Vec<[f64; 2]>,
}

impl Direct {
    pub(super) fn new(pattern: &BlockPattern, elimination: Elimination) -> Self {
        let n = pattern.size();
        let Columns { starts, rows } = elimination.columns(pattern.graph());
        let blocks = vec![ZERO; rows.len()];
        let buffers = Buffers {
            column: vec![ZERO; n],
            row: vec![ZERO; n],
            first: vec![END; n],
            link: vec![END; n],
            next_entry: vec![0; n],
            solution: vec![[0.0; 2]; n],
        };
        Self {
            elimination,
            starts,
            rows,
            lower: blocks.clone(),
            upper: blocks,
            pivot_inverses: vec![ZERO; n],
            buffers,
        }
    }

    /// Computes the factors. `false` if a pivot is too small.
    pub(super) fn factor(&mut self, matrix: &BlockMatrix) -> bool {
        self.buffers.first.fill(END);
        (0..self.pivot_inverses.len()).all(|k| self.eliminate(k, matrix))
    }

    fn eliminate(&mut self, k: usize, matrix: &BlockMatrix) -> bool {
        let mut pivot = self.load(k, matrix);
        let scale = size(pivot);
        let Self { starts, rows, lower, upper, pivot_inverses, buffers, .. } = self;
        let Buffers { column, row, first, link, next_entry, .. } = buffers;

        // Subtract what earlier columns contribute.
        let mut earlier = std::mem::replace(&mut first[k], END);
        while earlier != END {
            let e = earlier as usize;
            earlier = link[e];
            let (at, end) = (next_entry[e], starts[e + 1]);
            let (left, above) = (lower[at], upper[at]);
            subtract_product(&mut pivot, left, above);
            let later = at + 1..end;
            for ((i, l), u) in rows[later.clone()].iter().zip(&lower[later.clone()]).zip(&upper[later]) {
                subtract_product(&mut column[*i as usize], *l, above);
                subtract_product(&mut row[*i as usize], left, *u);
            }
            schedule(e, at + 1, end, (first, link, next_entry), rows);
        }

        let Some(inverse) = inverse(pivot, scale, LARGEST_GROWTH) else { return false };
        pivot_inverses[k] = inverse;
        for entry in starts[k]..starts[k + 1] {
            let i = rows[entry] as usize;
            lower[entry] = product(std::mem::replace(&mut column[i], ZERO), inverse);
            upper[entry] = std::mem::replace(&mut row[i], ZERO);
        }
        schedule(k, starts[k], starts[k + 1], (first, link, next_entry), rows);
        true
    }

    /// Copies column k and row k of P A Pᵀ beyond the diagonal into the buffers and returns the
    /// diagonal block.
    fn load(&mut self, k: usize, matrix: &BlockMatrix) -> Block {
        // After a failure the buffers may still hold something.
        for &i in &self.rows[self.starts[k]..self.starts[k + 1]] {
            self.buffers.column[i as usize] = ZERO;
            self.buffers.row[i as usize] = ZERO;
        }
        let pattern = matrix.pattern();
        let original = self.elimination.order[k] as usize;
        for entry in pattern.row(original) {
            let i = self.elimination.position[pattern.column(entry)] as usize;
            if i > k {
                self.buffers.row[i] = matrix.values()[entry];
                self.buffers.column[i] = matrix.values()[pattern.mirror(entry)];
            }
        }
        matrix.values()[pattern.diagonal(original)]
    }

    /// Solves L U x = b, with `x` holding b at first.
    pub(super) fn solve(&mut self, x: &mut [[f64; 2]]) {
        let n = x.len();
        let order = &self.elimination.order;
        let y = &mut self.buffers.solution;
        (0..n).for_each(|k| y[k] = x[order[k] as usize]);
        for k in 0..n {
            let known = y[k];
            for entry in self.starts[k]..self.starts[k + 1] {
                subtract_apply(&mut y[self.rows[entry] as usize], self.lower[entry], known);
            }
        }
        for k in (0..n).rev() {
            let mut rest = y[k];
            for entry in self.starts[k]..self.starts[k + 1] {
                subtract_apply(&mut rest, self.upper[entry], y[self.rows[entry] as usize]);
            }
            y[k] = super::block::apply(self.pivot_inverses[k], rest);
        }
        (0..n).for_each(|k| x[order[k] as usize] = y[k]);
    }
}

/// Puts a column on the list of the row of its entry `at`, if it has one left.
fn schedule(
    column: usize,
    at: usize,
    end: usize,
    (first, link, next_entry): (&mut [u32], &mut [u32], &mut [usize]),
    rows: &[u32],
) {
    if at < end {
        let row = rows[at] as usize;
        next_entry[column] = at;
        link[column] = first[row];
        first[row] = column as u32;
    }
}
