//! An order of rows in which neighbours rarely share a column, and in which a sweep does what it
//! does in the given order.
//!
//! Rows that share no column do not see each other: a sweep may take them in any order. So each row
//! goes to the first level after those of the earlier rows that share a column with it (*level
//! scheduling*; Lamport, "The parallel execution of DO loops", Communications of the ACM 17 (1974),
//! calls the levels wavefronts). In the given order a contact mostly waits for the one before it,
//! which has just moved the same body; within a level a processor has several in hand at once.

use crate::lcp::SparseJacobian;

/// Memory for the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The level of each row.
    level: Vec<u32>,
    /// The last level that changes each column.
    last: Vec<u32>,
    /// Where the next row of each level goes.
    next: Vec<u32>,
}

impl Levels {
    /// Writes the numbers of all rows by rising level, and rising within a level.
    pub(super) fn order(&mut self, rows: &SparseJacobian, order: &mut Vec<u32>) {
        self.last.clear();
        self.last.resize(rows.columns(), 0);
        self.level.clear();
        self.next.clear();
        self.next.push(0);
        for k in 0..rows.len() {
            let columns = rows.row(k).column;
            let level = columns.iter().fold(0, |level, &column| self.last[column as usize].max(level)) + 1;
            columns.iter().for_each(|&column| self.last[column as usize] = level);
            self.level.push(level);
            if level as usize == self.next.len() {
                self.next.push(0);
            }
            self.next[level as usize] += 1;
        }
        // From counts to first places.
        let mut place = 0;
        for next in &mut self.next {
            place += std::mem::replace(next, place);
        }
        order.clear();
        order.resize(rows.len(), 0);
        for (k, &level) in self.level.iter().enumerate() {
            let next = &mut self.next[level as usize];
            order[*next as usize] = k as u32;
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a chain, of a tree and of a pair far off: rows that share a column keep their order,
    /// rows of one level share none, and each row is there once.
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
        let (mut levels, mut order) = (Levels::default(), vec![9; 3]);
        levels.order(&rows, &mut order);
        assert_eq!(order, [0, 3, 1, 4, 8, 2, 5, 6, 7, 9]);
        let share = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|k| rows.row(k as usize).column);
            a.iter().any(|column| b.contains(column))
        };
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[i + 1..] {
                assert!(!share(a, b) || a < b);
                assert!(!share(a, b) || levels.level[a as usize] < levels.level[b as usize]);
            }
        }
    }
}
