//! Incomplete block LU without fill: the factors have the pattern of the matrix.
//!
//! Saad, *Iterative Methods for Sparse Linear Systems*, algorithm 10.4 (ILU(0), in IKJ order), on two by two
//! blocks. Its memory is that of the matrix, so it grows in proportion to the number of unknowns.

use super::block::{Block, ZERO, apply, inverse, product, size, subtract_apply, subtract_product};
use super::level_order::level_order;
use super::matrix::{BlockMatrix, BlockPattern};

/// A pivot that fails this is not worth having in an approximate inverse.
const LARGEST_GROWTH: f64 = 1e10;

const ABSENT: u32 = u32::MAX;

/// A matrix in an order of its own, with its incomplete factors.
#[derive(Debug, Clone)]
pub(super) struct Incomplete {
    /// `order[k]` is the row that has become row k.
    pub(super) order: Vec<u32>,
    row_starts: Vec<usize>,
    columns: Vec<u32>,
    /// The first entry of every row that is not left of the diagonal: the diagonal itself.
    diagonal: Vec<usize>,
    /// Entry numbers in the original matrix.
    source: Vec<u32>,
    values: Vec<Block>,
    factors: Vec<Block>,
    pivot_inverses: Vec<Block>,
    /// Where the row at work has an entry in a column.
    place: Vec<u32>,
}

impl Incomplete {
    pub(super) fn new(pattern: &BlockPattern) -> Self {
        let n = pattern.size();
        let order = level_order(pattern);
        let mut position = vec![0; n];
        order.iter().enumerate().for_each(|(k, &i)| position[i as usize] = k as u32);

        let mut row_starts = vec![0];
        let (mut columns, mut source, mut diagonal) = (Vec::new(), Vec::new(), Vec::new());
        let mut row: Vec<(u32, u32)> = Vec::new();
        for k in 0..n {
            row.clear();
            let entries = pattern.row(order[k] as usize);
            row.extend(entries.map(|entry| (position[pattern.column(entry)], entry as u32)));
            row.sort_unstable();
            diagonal.push(columns.len() + row.partition_point(|place| (place.0 as usize) < k));
            columns.extend(row.iter().map(|place| place.0));
            source.extend(row.iter().map(|place| place.1));
            row_starts.push(columns.len());
        }
        let blocks = vec![ZERO; columns.len()];
        Self {
            order,
            row_starts,
            columns,
            diagonal,
            source,
            values: blocks.clone(),
            factors: blocks,
            pivot_inverses: vec![ZERO; n],
            place: vec![ABSENT; n],
        }
    }

    /// Products of blocks, with a product of a block and a vector counting one half, of one multiplication and
    /// one approximate solve.
    pub(super) fn operations_per_product(&self) -> u64 {
        self.columns.len() as u64
    }

    /// Takes the values of a matrix and computes its incomplete factors. Returns how many products of blocks it
    /// took; `None` if a pivot is too small.
    pub(super) fn factor(&mut self, matrix: &BlockMatrix) -> Option<u64> {
        for (value, &source) in self.values.iter_mut().zip(&self.source) {
            *value = matrix.values()[source as usize];
        }
        self.factors.copy_from_slice(&self.values);
        self.place.fill(ABSENT);
        let mut operations = 0;
        for k in 0..self.pivot_inverses.len() {
            operations += self.eliminate(k);
            let pivot = self.factors[self.diagonal[k]];
            let scale = size(self.values[self.diagonal[k]]);
            self.pivot_inverses[k] = inverse(pivot, scale, LARGEST_GROWTH)?;
        }
        Some(operations)
    }

    fn eliminate(&mut self, k: usize) -> u64 {
        let row = self.row_starts[k]..self.row_starts[k + 1];
        for entry in row.clone() {
            self.place[self.columns[entry] as usize] = entry as u32;
        }
        let mut operations = 0;
        for entry in row.start..self.diagonal[k] {
            let earlier = self.columns[entry] as usize;
            let multiplier = product(self.factors[entry], self.pivot_inverses[earlier]);
            self.factors[entry] = multiplier;
            operations += 1;
            for other in self.diagonal[earlier] + 1..self.row_starts[earlier + 1] {
                let target = self.place[self.columns[other] as usize];
                if target != ABSENT {
                    let change = self.factors[other];
                    subtract_product(&mut self.factors[target as usize], multiplier, change);
                    operations += 1;
                }
            }
        }
        for entry in row {
            self.place[self.columns[entry] as usize] = ABSENT;
        }
        operations
    }

    /// y = A x, in the order of the factors.
    pub(super) fn multiply(&self, x: &[[f64; 2]], y: &mut [[f64; 2]]) {
        for k in 0..y.len() {
            let mut sum = [0.0; 2];
            let row = self.row_starts[k]..self.row_starts[k + 1];
            for (value, column) in self.values[row.clone()].iter().zip(&self.columns[row]) {
                let term = apply(*value, x[*column as usize]);
                sum[0] += term[0];
                sum[1] += term[1];
            }
            y[k] = sum;
        }
    }

    /// y ≈ A⁻¹ x.
    pub(super) fn precondition(&self, x: &[[f64; 2]], y: &mut [[f64; 2]]) {
        let n = x.len();
        for k in 0..n {
            let mut rest = x[k];
            let left = self.row_starts[k]..self.diagonal[k];
            for (factor, column) in self.factors[left.clone()].iter().zip(&self.columns[left]) {
                subtract_apply(&mut rest, *factor, y[*column as usize]);
            }
            y[k] = rest;
        }
        for k in (0..n).rev() {
            let mut rest = y[k];
            let right = self.diagonal[k] + 1..self.row_starts[k + 1];
            for (factor, column) in self.factors[right.clone()].iter().zip(&self.columns[right]) {
                subtract_apply(&mut rest, *factor, y[*column as usize]);
            }
            y[k] = apply(self.pivot_inverses[k], rest);
        }
    }
}
