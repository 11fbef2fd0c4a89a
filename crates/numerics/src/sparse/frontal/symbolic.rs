//! Order of elimination, elimination tree and fronts.

use super::Pattern;
use crate::sparse::ordering::Graph;
use crate::sparse::symbolic::{Columns, Elimination, NONE};

/// Fronts are joined while the zeros that they store stay below this part: larger dense kernels are
/// worth a little work on zeros.
const ZEROS_WORTH_JOINING: f64 = 0.15;
/// Fronts that eliminate no more blocks than this are joined whenever they can be.
const SMALL_FRONT: usize = 2;

/// The fronts of a pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    pattern: Pattern,
    /// Block eliminated as number k, and the number of each block.
    order: Vec<u32>,
    position: Vec<u32>,
    /// Front `n` eliminates `order[first[n]..first[n + 1]]`.
    first: Vec<u32>,
    /// Blocks of ancestors that each front touches, in the order of elimination.
    border_starts: Vec<usize>,
    border: Vec<u32>,
    child_starts: Vec<usize>,
    children: Vec<u32>,
    operations: u64,
}

impl Analysis {
    pub(super) fn node_count(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    pub(super) fn eliminated(&self, node: usize) -> &[u32] {
        &self.order[self.first[node] as usize..self.first[node + 1] as usize]
    }

    pub(super) fn border(&self, node: usize) -> &[u32] {
        &self.border[self.border_starts[node]..self.border_starts[node + 1]]
    }

    pub(super) fn children(&self, node: usize) -> &[u32] {
        &self.children[self.child_starts[node]..self.child_starts[node + 1]]
    }

    pub(super) fn position(&self, block: usize) -> u32 {
        self.position[block]
    }

    pub(super) fn operations(&self) -> u64 {
        self.operations
    }

    pub(super) fn analyze(&mut self, pattern: &Pattern) {
        if self.pattern == *pattern {
            return;
        }
        self.pattern.clone_from(pattern);
        let graph = Graph { starts: &pattern.starts, columns: &pattern.columns };
        let elimination = Elimination::of(graph).in_postorder();
        let columns = elimination.columns(graph);
        self.order = elimination.order;
        self.position = elimination.position;
        self.build_fronts(&elimination.parent, &columns);
    }

    /// Joins columns of equal structure, then fronts that nearly have it.
    fn build_fronts(&mut self, parent: &[u32], columns: &Columns) {
        let n = parent.len();
        // Fronts as (first column, structure of its last column's border); joined from left to
        // right.
        let mut fronts: Vec<(usize, usize)> = Vec::new();
        for k in 0..n {
            let mut start = k;
            while let Some(&(first, end)) = fronts.last() {
                // Joins only with its own parent, which must be in the front that is being built.
                let up = parent[end - 1];
                let joins = end == start && up != NONE && (start..=k).contains(&(up as usize));
                if !joins || !worth_joining(first, k + 1, columns) {
                    break;
                }
                start = first;
                fronts.pop();
            }
            fronts.push((start, k + 1));
        }
        let node_count = fronts.len();
        let mut node_of = vec![0u32; n];
        self.first.clear();
        self.first.push(0);
        self.border.clear();
        self.border_starts.clear();
        self.border_starts.push(0);
        self.operations = 0;
        for (node, &(start, end)) in fronts.iter().enumerate() {
            node_of[start..end].fill(node as u32);
            self.first.push(end as u32);
            self.border.extend(columns.column(end - 1).iter().map(|&k| self.order[k as usize]));
            self.border_starts.push(self.border.len());
            let (pivots, size) = ((end - start) as u64, (end - start + columns.column(end - 1).len()) as u64);
            self.operations += (0..pivots).map(|p| (size - p - 1) * (size - p)).sum::<u64>();
        }
        let mut count = vec![0usize; node_count + 1];
        let parent_of = |node: usize| {
            let up = parent[fronts[node].1 - 1];
            (up != NONE).then(|| node_of[up as usize] as usize)
        };
        for node in 0..node_count {
            if let Some(up) = parent_of(node) {
                count[up + 1] += 1;
            }
        }
        (0..node_count).for_each(|i| count[i + 1] += count[i]);
        self.child_starts = count.clone();
        self.children.clear();
        self.children.resize(count[node_count], 0);
        for node in 0..node_count {
            if let Some(up) = parent_of(node) {
                self.children[count[up]] = node as u32;
                count[up] += 1;
            }
        }
    }
}

/// Whether the columns `first..end` become one front. The zeros of all joins before count too.
fn worth_joining(first: usize, end: usize, columns: &Columns) -> bool {
    let count = end - first;
    let size = count + columns.column(end - 1).len();
    let stored = count * size - count * (count - 1) / 2;
    let needed = count + columns.starts[end] - columns.starts[first];
    (stored - needed) as f64 <= ZEROS_WORTH_JOINING * stored as f64 || count <= SMALL_FRONT
}
