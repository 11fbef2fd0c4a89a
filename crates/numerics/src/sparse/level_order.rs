//! An order in which neighbours are near each other: reverse Cuthill–McKee.
//!
//! Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices" (ACM 1969), reversed after
//! George. An incomplete factorization drops what falls outside the pattern of A; it drops least
//! where neighbours are eliminated one after the other.
//!
//! Rows that wait for the same number of others are then brought together. The factors are the
//! same, but rows next to each other no longer wait for each other, and a processor works on
//! several at a time (level scheduling: Saad, *Iterative Methods for Sparse Linear Systems*,
//! section 11.6.3).

use super::matrix::BlockPattern;
use super::ordering::Graph;

/// `order[k]` is the row that comes as number k.
pub(super) fn level_order(pattern: &BlockPattern) -> Vec<u32> {
    let mut order = reverse_cuthill_mckee(pattern.graph());
    let mut levels = vec![0u32; pattern.size()];
    let mut placed = vec![false; pattern.size()];
    for &i in &order {
        let earlier = pattern.row(i as usize).map(|entry| pattern.column(entry)).filter(|&j| placed[j]);
        levels[i as usize] = earlier.map(|j| levels[j] + 1).max().unwrap_or(0);
        placed[i as usize] = true;
    }
    order.sort_by_key(|&i| levels[i as usize]);
    order
}

fn reverse_cuthill_mckee(graph: Graph<'_>) -> Vec<u32> {
    let size = graph.size();
    let mut by_degree: Vec<u32> = (0..size as u32).collect();
    by_degree.sort_by_key(|&i| graph.row(i as usize).len());
    let mut order: Vec<u32> = Vec::with_capacity(size);
    let mut seen = vec![false; size];
    for &root in &by_degree {
        if !seen[root as usize] {
            graph.cuthill_mckee(root, &mut seen, &mut order);
        }
    }
    order.reverse();
    order
}
