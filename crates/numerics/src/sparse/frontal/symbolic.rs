//! Order of elimination, elimination tree and fronts.

use super::Pattern;

const NONE: u32 = u32::MAX;
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
        let n = pattern.len();
        self.order = minimum_degree(pattern);
        self.position = inverse(&self.order);
        let parent = tree(pattern, &self.order, &self.position);
        let post = postorder(&parent);
        let renumbered = inverse(&post);
        self.order = post.iter().map(|&k| self.order[k as usize]).collect();
        self.position = inverse(&self.order);
        let mut tree_parent = vec![NONE; n];
        for k in 0..n {
            if parent[k] != NONE {
                tree_parent[renumbered[k] as usize] = renumbered[parent[k] as usize];
            }
        }
        let columns = column_structures(pattern, &self.order, &self.position, &tree_parent);
        self.build_fronts(&tree_parent, &columns);
    }

    /// Joins columns of equal structure, then fronts that nearly have it.
    fn build_fronts(&mut self, parent: &[u32], columns: &[Vec<u32>]) {
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
            self.border.extend(columns[end - 1].iter().map(|&k| self.order[k as usize]));
            self.border_starts.push(self.border.len());
            let (pivots, size) = ((end - start) as u64, (end - start + columns[end - 1].len()) as u64);
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
fn worth_joining(first: usize, end: usize, columns: &[Vec<u32>]) -> bool {
    let count = end - first;
    let size = count + columns[end - 1].len();
    let stored = count * size - count * (count - 1) / 2;
    let needed: usize = columns[first..end].iter().map(|rows| 1 + rows.len()).sum();
    (stored - needed) as f64 <= ZEROS_WORTH_JOINING * stored as f64 || count <= SMALL_FRONT
}

fn minimum_degree(pattern: &Pattern) -> Vec<u32> {
    let n = pattern.len();
    let starts: Vec<i64> = pattern.starts.iter().map(|&s| s as i64).collect();
    let rows: Vec<i64> = pattern.columns.iter().map(|&c| i64::from(c)).collect();
    match amd::order(n as i64, &starts, &rows, &amd::Control::default()) {
        Ok((order, _, _)) => order.iter().map(|&i| i as u32).collect(),
        // Only for an invalid pattern; any order is correct, if slow.
        Err(_) => (0..n as u32).collect(),
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &i)| position[i as usize] = k as u32);
    position
}

/// Davis, section 4.1.
fn tree(pattern: &Pattern, order: &[u32], position: &[u32]) -> Vec<u32> {
    let n = order.len();
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for k in 0..n {
        for entry in pattern.row(order[k] as usize) {
            let mut i = position[pattern.columns[entry] as usize];
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

/// Rows below the diagonal of each column of the factor, rising (Davis, section 4.3).
fn column_structures(pattern: &Pattern, order: &[u32], position: &[u32], parent: &[u32]) -> Vec<Vec<u32>> {
    let n = order.len();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut seen = vec![NONE; n];
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    for k in 0..n {
        if parent[k] != NONE {
            children[parent[k] as usize].push(k as u32);
        }
    }
    for k in 0..n {
        let mut rows = Vec::new();
        seen[k] = k as u32;
        let mut add = |row: u32| {
            if row > k as u32 && seen[row as usize] != k as u32 {
                seen[row as usize] = k as u32;
                rows.push(row);
            }
        };
        for entry in pattern.row(order[k] as usize) {
            add(position[pattern.columns[entry] as usize]);
        }
        for &child in &children[k] {
            columns[child as usize].iter().for_each(|&row| add(row));
        }
        rows.sort_unstable();
        columns[k] = rows;
    }
    columns
}
