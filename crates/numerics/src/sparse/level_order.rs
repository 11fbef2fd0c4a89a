//! An order in which neighbours are near each other: reverse Cuthill–McKee.
//!
//! Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices" (ACM 1969), reversed after George.
//! An incomplete factorization drops what falls outside the pattern of A; it drops least where neighbours are
//! eliminated one after the other.

use super::matrix::BlockPattern;

/// `order[k]` is the row that comes as number k.
pub(super) fn level_order(pattern: &BlockPattern) -> Vec<u32> {
    let size = pattern.size();
    let degree = |i: u32| pattern.row(i as usize).len();
    let mut by_degree: Vec<u32> = (0..size as u32).collect();
    by_degree.sort_by_key(|&i| degree(i));

    let mut order: Vec<u32> = Vec::with_capacity(size);
    let mut seen = vec![false; size];
    for &root in &by_degree {
        if seen[root as usize] {
            continue;
        }
        seen[root as usize] = true;
        let mut next = order.len();
        order.push(root);
        while next < order.len() {
            let row = order[next] as usize;
            next += 1;
            let found = order.len();
            for entry in pattern.row(row) {
                let neighbour = pattern.column(entry);
                if !seen[neighbour] {
                    seen[neighbour] = true;
                    order.push(neighbour as u32);
                }
            }
            order[found..].sort_by_key(|&i| degree(i));
        }
    }
    order.reverse();
    order
}
