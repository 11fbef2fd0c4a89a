//! An order of rows in which neighbours rarely share a column, and in which a sweep does what it
//! does in the given order.
//!
//! Rows that share no column do not see each other: a sweep may take them in any order. So each row
//! goes as early as those before it allow that share a column with it (a *wavefront*, Lamport, "The
//! parallel execution of DO loops", Communications of the ACM 17 (1974)). In the given order a
//! contact mostly waits for the one before it, which has just moved the same body; on a wavefront a
//! processor has several in hand at once.

use crate::lcp::SparseJacobian;

/// Memory for the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Wavefront {
    /// The wave of each row.
    wave: Vec<u32>,
    /// The last wave that changes each column.
    last: Vec<u32>,
    /// Where the next row of each wave goes.
    next: Vec<u32>,
}

impl Wavefront {
    /// Writes the numbers of all rows by rising wave, and rising within a wave.
    pub(super) fn order(&mut self, rows: &SparseJacobian, order: &mut Vec<u32>) {
        self.last.clear();
        self.last.resize(rows.columns(), 0);
        self.wave.clear();
        self.next.clear();
        self.next.push(0);
        for k in 0..rows.len() {
            let columns = rows.row(k).column;
            let wave = columns.iter().fold(0, |wave, &column| self.last[column as usize].max(wave)) + 1;
            columns.iter().for_each(|&column| self.last[column as usize] = wave);
            self.wave.push(wave);
            if wave as usize == self.next.len() {
                self.next.push(0);
            }
            self.next[wave as usize] += 1;
        }
        // From counts to first places.
        let mut place = 0;
        for next in &mut self.next {
            place += std::mem::replace(next, place);
        }
        order.clear();
        order.resize(rows.len(), 0);
        for (k, &wave) in self.wave.iter().enumerate() {
            let next = &mut self.next[wave as usize];
            order[*next as usize] = k as u32;
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a chain, of a tree and of a pair far off: rows that share a column keep their order,
    /// rows of one wave share none, and each row is there once.
    #[test]
    fn rows_that_share_a_column_keep_their_order() {
        let pairs = [(0, 1), (1, 2), (2, 3), (8, 9), (0, 4), (4, 5), (1, 6), (3, 7), (8, 9), (2, 6)];
        let mut rows = SparseJacobian::default();
        rows.clear(10);
        for (a, b) in pairs {
            rows.push_entry(a, 1.0, 1.0);
            rows.push_entry(b, -1.0, -1.0);
            rows.end_row();
        }
        let (mut wavefront, mut order) = (Wavefront::default(), vec![9; 3]);
        wavefront.order(&rows, &mut order);
        assert_eq!(order, [0, 3, 1, 4, 8, 2, 5, 6, 7, 9]);
        let share = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|k| rows.row(k as usize).column);
            a.iter().any(|column| b.contains(column))
        };
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[i + 1..] {
                assert!(!share(a, b) || a < b);
                assert!(!share(a, b) || wavefront.wave[a as usize] < wavefront.wave[b as usize]);
            }
        }
    }
}
