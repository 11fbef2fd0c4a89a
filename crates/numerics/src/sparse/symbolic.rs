//! Where the factors of a matrix will have entries: elimination tree and columns. All sparse
//! factorizations begin here.
//!
//! Davis, *Direct Methods for Sparse Linear Systems*: section 4.1 (elimination tree), 4.2 (row
//! subtrees), 4.3 (postorder), chapter 7 (minimum degree).

use super::ordering::{Graph, inverse};

/// Parent of a root.
pub(crate) const NONE: u32 = u32::MAX;

/// The order of elimination and the tree that follows from it.
#[derive(Debug, Clone)]
pub(crate) struct Elimination {
    /// `order[k]` is the row that is eliminated as number k.
    pub(crate) order: Vec<u32>,
    /// `position[i]` is when row i is eliminated.
    pub(crate) position: Vec<u32>,
    /// Number of the first later row that elimination k touches.
    pub(crate) parent: Vec<u32>,
}

/// Rows below the diagonal in the columns of a factor, compressed, rising within a column.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) starts: Vec<usize>,
    pub(crate) rows: Vec<u32>,
}

impl Columns {
    pub(crate) fn column(&self, k: usize) -> &[u32] {
        &self.rows[self.starts[k]..self.starts[k + 1]]
    }
}

impl Elimination {
    /// Orders by approximate minimum degree.
    pub(crate) fn of(graph: Graph<'_>) -> Self {
        let order = graph.minimum_degree();
        let position = inverse(&order);
        let parent = tree(graph, &order, &position);
        Self { order, position, parent }
    }

    /// The same tree numbered so that every subtree is a range that ends at its root. The factors
    /// have as many entries as before.
    pub(crate) fn in_postorder(self) -> Self {
        let post = postorder(&self.parent);
        let renumbered = inverse(&post);
        let order: Vec<u32> = post.iter().map(|&k| self.order[k as usize]).collect();
        let up = |&k: &u32| self.parent[k as usize];
        let parent = post.iter().map(up).map(|p| if p == NONE { NONE } else { renumbered[p as usize] });
        Self { parent: parent.collect(), position: inverse(&order), order }
    }

    /// Blocks below the diagonal in every column of the factor.
    pub(crate) fn column_counts(&self, graph: Graph<'_>) -> Vec<u32> {
        let mut counts = vec![0; self.order.len()];
        self.for_each_factor_entry(graph, |_, column| counts[column] += 1);
        counts
    }

    /// Their rows.
    pub(crate) fn columns(&self, graph: Graph<'_>) -> Columns {
        let mut starts = vec![0; self.order.len() + 1];
        for (k, &count) in self.column_counts(graph).iter().enumerate() {
            starts[k + 1] = starts[k] + count as usize;
        }
        let mut rows = vec![0; starts[self.order.len()]];
        let mut next = starts.clone();
        self.for_each_factor_entry(graph, |row, column| {
            rows[next[column]] = row as u32;
            next[column] += 1;
        });
        Columns { starts, rows }
    }

    /// Calls `visit` with (row, column) of every factor entry below the diagonal, by rising rows.
    fn for_each_factor_entry(&self, graph: Graph<'_>, mut visit: impl FnMut(usize, usize)) {
        let mut seen = vec![NONE; self.order.len()];
        for k in 0..self.order.len() {
            seen[k] = k as u32;
            for &j in graph.row(self.order[k] as usize) {
                let mut column = self.position[j as usize] as usize;
                while column < k && seen[column] != k as u32 {
                    seen[column] = k as u32;
                    visit(k, column);
                    column = self.parent[column] as usize;
                }
            }
        }
    }
}

fn tree(graph: Graph<'_>, order: &[u32], position: &[u32]) -> Vec<u32> {
    let mut parent = vec![NONE; order.len()];
    let mut ancestor = vec![NONE; order.len()];
    for k in 0..order.len() {
        for &j in graph.row(order[k] as usize) {
            let mut i = position[j as usize];
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

/// Children before parents, each subtree without a gap.
fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let (mut head, mut next) = (vec![NONE; n], vec![NONE; n]);
    for k in (0..n).rev() {
        if parent[k] != NONE {
            let up = parent[k] as usize;
            next[k] = head[up];
            head[up] = k as u32;
        }
    }
    let mut post = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for root in (0..n).filter(|&k| parent[k] == NONE) {
        stack.push(root as u32);
        while let Some(&top) = stack.last() {
            let child = head[top as usize];
            if child == NONE {
                post.push(top);
                stack.pop();
            } else {
                head[top as usize] = next[child as usize];
                stack.push(child);
            }
        }
    }
    post
}
