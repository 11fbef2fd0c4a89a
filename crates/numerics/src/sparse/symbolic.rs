//! Where the factors of a matrix will have entries: ordering, elimination tree, columns.
//!
//! Davis, *Direct Methods for Sparse Linear Systems*: section 4.1 (elimination tree), 4.2 (row
//! subtrees), chapter 7 (minimum degree).

use super::matrix::BlockPattern;

const NONE: u32 = u32::MAX;

/// The order of elimination and the tree that follows from it.
#[derive(Debug, Clone)]
pub(super) struct Elimination {
    /// `order[k]` is the row that is eliminated as number k.
    pub(super) order: Vec<u32>,
    /// `position[i]` is when row i is eliminated.
    pub(super) position: Vec<u32>,
    /// Number of the first later row that elimination k touches.
    parent: Vec<u32>,
    /// Blocks below the diagonal in every column of the factor.
    pub(super) column_counts: Vec<u32>,
}

impl Elimination {
    /// Orders by approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17,
    /// 1996).
    pub(super) fn of(pattern: &BlockPattern) -> Self {
        let order = minimum_degree(pattern);
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, &i)| position[i as usize] = k as u32);
        let mut elimination =
            Self { parent: tree(pattern, &order, &position), order, position, column_counts: Vec::new() };
        let mut counts = vec![0; pattern.size()];
        elimination.for_each_factor_entry(pattern, |_, column| counts[column] += 1);
        elimination.column_counts = counts;
        elimination
    }

    /// Blocks in the factors: below the diagonal, above it, and on it.
    pub(super) fn factor_entries(&self) -> u64 {
        self.column_counts.iter().map(|&count| 2 * u64::from(count) + 1).sum()
    }

    /// Products of blocks that a factorization takes.
    pub(super) fn operations(&self) -> u64 {
        self.column_counts.iter().map(|&count| u64::from(count) * (u64::from(count) + 1)).sum()
    }

    /// Calls `visit` with (row, column) of every factor entry below the diagonal, by rising rows.
    pub(super) fn for_each_factor_entry(&self, pattern: &BlockPattern, mut visit: impl FnMut(usize, usize)) {
        let mut seen = vec![NONE; pattern.size()];
        for k in 0..pattern.size() {
            seen[k] = k as u32;
            let row = self.order[k] as usize;
            for entry in pattern.row(row) {
                let mut column = self.position[pattern.column(entry)] as usize;
                while column < k && seen[column] != k as u32 {
                    seen[column] = k as u32;
                    visit(k, column);
                    column = self.parent[column] as usize;
                }
            }
        }
    }
}

fn minimum_degree(pattern: &BlockPattern) -> Vec<u32> {
    let size = pattern.size();
    let mut starts: Vec<i64> = vec![0];
    starts.extend((0..size).map(|i| pattern.row(i).end as i64));
    let rows: Vec<i64> = (0..pattern.entries()).map(|entry| pattern.column(entry) as i64).collect();
    match amd::order(size as i64, &starts, &rows, &amd::Control::default()) {
        Ok((order, _, _)) => order.iter().map(|&i| i as u32).collect(),
        // Only for an invalid pattern, which ours is not; any order is correct, if slow.
        Err(_) => (0..size as u32).collect(),
    }
}

fn tree(pattern: &BlockPattern, order: &[u32], position: &[u32]) -> Vec<u32> {
    let size = pattern.size();
    let mut parent = vec![NONE; size];
    let mut ancestor = vec![NONE; size];
    for k in 0..size {
        for entry in pattern.row(order[k] as usize) {
            let mut i = position[pattern.column(entry)];
            while i != NONE && (i as usize) < k {
                let next = ancestor[i as usize];
                ancestor[i as usize] = k as u32;
                if next == NONE {
                    parent[i as usize] = k as u32;
                }
                i = next;
            }
        }
    }
    parent
}
