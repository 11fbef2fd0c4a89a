//! Nodes: variables that stand side by side and occur in the same rows, and the cliques on them.

use crate::lcp::SparseJacobian;
use crate::qp::BlockDiagonalMass;

/// Nodes: groups of variables, and the cliques on them.
pub(super) struct Nodes {
    pub(super) start: Vec<u32>,
    clique_start: Vec<u32>,
    clique: Vec<u32>,
}

impl Nodes {
    pub(super) fn find(rows: &SparseJacobian, mass: &BlockDiagonalMass) -> Nodes {
        let size = rows.columns();
        // Two neighbours belong together if each row that has one has the other, next to it.
        let mut occurrences = vec![0u32; size];
        let mut together = vec![0u32; size];
        for k in 0..rows.len() {
            let column = rows.row(k).column;
            for (i, &c) in column.iter().enumerate() {
                occurrences[c as usize] += 1;
                if i > 0 && column[i - 1] + 1 == c {
                    together[c as usize] += 1;
                }
            }
        }
        let mut start = vec![];
        let mut of_variable = vec![0u32; size];
        for v in 0..size {
            let joins = v > 0 && occurrences[v] == occurrences[v - 1] && occurrences[v] == together[v];
            if !joins {
                start.push(v as u32);
            }
            of_variable[v] = start.len() as u32 - 1;
        }
        start.push(size as u32);
        let mut clique_start = vec![0];
        let mut clique: Vec<u32> = vec![];
        for k in 0..rows.len() {
            let from = clique.len();
            for &c in rows.row(k).column {
                let node = of_variable[c as usize];
                if clique.len() == from || clique[clique.len() - 1] != node {
                    clique.push(node);
                }
            }
            clique_start.push(clique.len() as u32);
        }
        for e in &mass.off_diagonal {
            let (row, column) = (of_variable[e.row as usize], of_variable[e.column as usize]);
            if row != column {
                clique.extend([row, column]);
                clique_start.push(clique.len() as u32);
            }
        }
        Nodes { start, clique_start, clique }
    }

    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    pub(super) fn width(&self, node: u32) -> u32 {
        self.start[node as usize + 1] - self.start[node as usize]
    }

    pub(super) fn variables(&self, node: u32) -> std::ops::Range<u32> {
        self.start[node as usize]..self.start[node as usize + 1]
    }

    pub(super) fn cliques(&self) -> impl Iterator<Item = &[u32]> {
        self.clique_start.windows(2).map(|w| &self.clique[w[0] as usize..w[1] as usize])
    }

    /// Neighbours of every node, compressed, rising, each once.
    pub(super) fn neighbours(&self) -> (Vec<usize>, Vec<u32>) {
        let n = self.len();
        let mut member_start = vec![0usize; n + 2];
        for &node in &self.clique {
            member_start[node as usize + 2] += 1;
        }
        for i in 2..n + 2 {
            member_start[i] += member_start[i - 1];
        }
        let mut member = vec![0usize; self.clique.len()];
        for (c, nodes) in self.cliques().enumerate() {
            for &node in nodes {
                let cursor = &mut member_start[node as usize + 1];
                member[*cursor] = c;
                *cursor += 1;
            }
        }
        let mut seen = vec![usize::MAX; n];
        let (mut start, mut list) = (vec![0], Vec::with_capacity(2 * self.clique.len()));
        for node in 0..n {
            let from = list.len();
            seen[node] = node;
            // The ordering expects the diagonal to be there.
            list.push(node as u32);
            for &c in &member[member_start[node]..member_start[node + 1]] {
                let range = self.clique_start[c] as usize..self.clique_start[c + 1] as usize;
                for &other in &self.clique[range] {
                    if seen[other as usize] != node {
                        seen[other as usize] = node;
                        list.push(other);
                    }
                }
            }
            list[from..].sort_unstable();
            start.push(list.len());
        }
        (start, list)
    }
}
