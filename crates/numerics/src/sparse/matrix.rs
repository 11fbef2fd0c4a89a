//! Where a sparse matrix has entries, and their values.

use super::block::{Block, ZERO, apply, size};
use super::ordering::Graph;
use std::sync::Arc;

/// The places of a matrix of two by two blocks that may differ from zero: all of the diagonal, and
/// with (i, j) always (j, i).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPattern {
    /// Entries of row i are `row_starts[i]..row_starts[i + 1]`.
    row_starts: Vec<usize>,
    /// Column of every entry, rising within a row.
    columns: Vec<u32>,
    /// The entry (i, i).
    diagonal: Vec<u32>,
    /// The entry (j, i) for every entry (i, j).
    mirror: Vec<u32>,
}

impl BlockPattern {
    /// The pattern of `size` block rows in which every pair is joined. Pairs may repeat; a pair of
    /// equal indices adds nothing. `None` if an index is not below `size` or there are more entries
    /// than 32 bits can number.
    pub fn from_pairs(size: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Option<Self> {
        let row_count = u32::try_from(size).ok()?;
        let mut places: Vec<(u32, u32)> = (0..row_count).map(|i| (i, i)).collect();
        for (i, j) in pairs {
            if i >= size || j >= size {
                return None;
            }
            // Both fit: they are below a number that does.
            places.extend([(i as u32, j as u32), (j as u32, i as u32)]);
        }
        places.sort_unstable();
        places.dedup();
        u32::try_from(places.len()).ok()?;

        let mut row_starts = vec![0; size + 1];
        places.iter().for_each(|place| row_starts[place.0 as usize + 1] += 1);
        (0..size).for_each(|i| row_starts[i + 1] += row_starts[i]);
        let columns: Vec<u32> = places.iter().map(|place| place.1).collect();
        // Going through all entries in order, the mirrors of a row are met in the order of its
        // columns.
        let mut next = row_starts.clone();
        let mut mirror = vec![0; columns.len()];
        let mut diagonal = vec![0; size];
        for (entry, place) in places.iter().enumerate() {
            let column = place.1 as usize;
            mirror[entry] = next[column] as u32;
            next[column] += 1;
            if place.0 == place.1 {
                diagonal[column] = entry as u32;
            }
        }
        Some(Self { row_starts, columns, diagonal, mirror })
    }

    /// Number of block rows.
    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of blocks.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// The number of the entry in `row` and `column`, if it is in the pattern.
    pub fn entry(&self, row: usize, column: usize) -> Option<usize> {
        let columns = self.columns.get(*self.row_starts.get(row)?..*self.row_starts.get(row + 1)?)?;
        let place = columns.binary_search(&u32::try_from(column).ok()?).ok()?;
        Some(self.row_starts[row] + place)
    }

    /// The number of the entry (i, i).
    pub fn diagonal(&self, i: usize) -> usize {
        self.diagonal[i] as usize
    }

    /// The number of the entry (j, i), given that of (i, j).
    pub fn mirror(&self, entry: usize) -> usize {
        self.mirror[entry] as usize
    }

    /// Entry numbers of a row.
    pub(super) fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.row_starts[i]..self.row_starts[i + 1]
    }

    pub(super) fn graph(&self) -> Graph<'_> {
        Graph { starts: &self.row_starts, columns: &self.columns }
    }

    /// Column of an entry.
    pub(super) fn column(&self, entry: usize) -> usize {
        self.columns[entry] as usize
    }
}

/// A sparse matrix of two by two blocks.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<Block>,
}

impl BlockMatrix {
    /// Zero everywhere.
    pub fn zero(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![ZERO; pattern.entries()];
        Self { pattern, values }
    }

    /// Where it has entries.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The blocks, in the order of the pattern's entry numbers.
    pub fn values(&self) -> &[Block] {
        &self.values
    }

    /// The blocks, to be changed.
    pub fn values_mut(&mut self) -> &mut [Block] {
        &mut self.values
    }

    /// Overwrites `residual` with b − A x and returns its backward error: the largest residual over
    /// ‖A‖ ‖x‖ + ‖b‖, in maximum norms. At machine precision x solves a system that differs from
    /// this one by rounding only (Higham, *Accuracy and Stability of Numerical Algorithms*, theorem
    /// 7.1). Infinite if it is not a number.
    pub fn residual(&self, x: &[[f64; 2]], b: &[[f64; 2]], residual: &mut [[f64; 2]]) -> f64 {
        let mut norm_a = 0.0f64;
        for i in 0..self.pattern.size() {
            let mut sum = b[i];
            let mut row_sum = 0.0;
            for entry in self.pattern.row(i) {
                let change = apply(self.values[entry], x[self.pattern.column(entry)]);
                sum[0] -= change[0];
                sum[1] -= change[1];
                row_sum += 2.0 * size(self.values[entry]);
            }
            residual[i] = sum;
            norm_a = norm_a.max(row_sum);
        }
        let error = largest(residual) / (norm_a * largest(x) + largest(b));
        match largest(residual) {
            0.0 => 0.0,
            _ if error.is_nan() => f64::INFINITY,
            _ => error,
        }
    }
}

/// Largest number by size; infinite if one is not a number.
pub(super) fn largest(vector: &[[f64; 2]]) -> f64 {
    let numbers = vector.iter().flatten();
    numbers.fold(
        0.0,
        |largest: f64, number| if number.is_nan() { f64::INFINITY } else { largest.max(number.abs()) },
    )
}
