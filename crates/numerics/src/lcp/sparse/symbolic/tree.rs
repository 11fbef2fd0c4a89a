//! The elimination tree of the nodes by approximate minimum degree, in postorder, and the fronts
//! into which its nodes are joined.

use super::NONE;
use super::nodes::Nodes;

/// Subtrees with at most this many variables become one front: below it, indices cost more than
/// zeros.
const SMALL_SUBTREE: u32 = 12;
/// A front may hold this part of zeros when it takes in its parent...
const ZEROS: f64 = 0.25;
/// ...while it is narrower than this, twice as many, because indices cost more than they do...
const NARROW: u32 = 12;
/// ...and from this width on only so many, because wide fronts take most of the products.
const WIDE: u32 = 32;
const WIDE_ZEROS: f64 = 0.1;

/// Nodes in elimination order with their tree.
pub(super) struct Tree {
    /// Node (old numbering) at each place.
    pub(super) order: Vec<u32>,
    pub(super) parent: Vec<u32>,
    /// Places below each place, rising, compressed.
    pub(super) below_start: Vec<usize>,
    pub(super) below: Vec<u32>,
}

/// The last place of every front.
pub(super) fn last_of_fronts(
    tree: &Tree,
    first_variable: &[u32],
    height: impl Fn(usize) -> u32,
) -> Vec<usize> {
    let count = tree.order.len();
    // In postorder a subtree is a range: subtree_start[p]..=p.
    let mut subtree_start: Vec<usize> = (0..count).collect();
    for place in 0..count {
        if tree.parent[place] != NONE {
            let parent = tree.parent[place] as usize;
            subtree_start[parent] = subtree_start[parent].min(subtree_start[place]);
        }
    }
    let is_small = |p: usize| first_variable[p + 1] - first_variable[subtree_start[p]] <= SMALL_SUBTREE;
    let mut last = Vec::new();
    let mut from = 0;
    let mut zeros = 0.0;
    for place in 0..count {
        let parent = tree.parent[place];
        if parent != NONE && is_small(parent as usize) {
            continue;
        }
        let joins = parent as usize == place + 1 && {
            let columns = first_variable[place + 1] - first_variable[from];
            let extra = f64::from(columns)
                * f64::from(
                    height(place + 1) + first_variable[place + 2] - first_variable[place + 1] - height(place),
                );
            let wider = first_variable[place + 2] - first_variable[from];
            let whole = f64::from(wider) * f64::from(wider + height(place + 1));
            let allowed = match columns {
                ..NARROW => 2.0 * ZEROS,
                NARROW..WIDE => ZEROS,
                WIDE.. => WIDE_ZEROS,
            };
            // The parent must not be alone in a subtree range that started before this front.
            let fits = zeros + extra <= allowed * whole;
            if fits {
                zeros += extra;
            }
            fits
        };
        if !joins {
            last.push(place);
            from = place + 1;
            zeros = 0.0;
        }
    }
    last
}

impl Tree {
    pub(super) fn find(nodes: &Nodes) -> Tree {
        let n = nodes.len();
        let (start, list) = nodes.neighbours();
        let order: Vec<u32> = match amd::order(n, &start, &list, &amd::Control::default()) {
            Ok((order, ..)) => order.into_iter().map(|node| node as u32).collect(),
            // The pattern is valid by construction; any order is correct, only slower.
            Err(_) => (0..n as u32).collect(),
        };
        let mut place = vec![0u32; n];
        for (p, &node) in order.iter().enumerate() {
            place[node as usize] = p as u32;
        }
        let mut below_start = vec![0];
        let mut below: Vec<u32> = Vec::new();
        let mut parent = vec![NONE; n];
        let mut first_child = vec![NONE; n];
        let mut next_child = vec![NONE; n];
        let mut seen = vec![NONE; n];
        for p in 0..n {
            let from = below.len();
            let node = order[p] as usize;
            seen[p] = p as u32;
            for &other in &list[start[node]..start[node + 1]] {
                let q = place[other];
                if q > p as u32 && seen[q as usize] != p as u32 {
                    seen[q as usize] = p as u32;
                    below.push(q);
                }
            }
            let mut child = first_child[p];
            while child != NONE {
                for at in below_start[child as usize]..below_start[child as usize + 1] {
                    let q = below[at];
                    if seen[q as usize] != p as u32 {
                        seen[q as usize] = p as u32;
                        below.push(q);
                    }
                }
                child = next_child[child as usize];
            }
            below[from..].sort_unstable();
            if let Some(&first) = below.get(from) {
                parent[p] = first;
                next_child[p] = first_child[first as usize];
                first_child[first as usize] = p as u32;
            }
            below_start.push(below.len());
        }
        Tree { order, parent, below_start, below }
    }

    /// The same tree numbered so that every subtree is a range that ends at its root.
    pub(super) fn in_postorder(self) -> Tree {
        let n = self.order.len();
        let mut child_start = vec![0usize; n + 2];
        let roots: Vec<u32> = (0..n as u32).filter(|&p| self.parent[p as usize] == NONE).collect();
        for p in 0..n {
            if self.parent[p] != NONE {
                child_start[self.parent[p] as usize + 2] += 1;
            }
        }
        for i in 2..n + 2 {
            child_start[i] += child_start[i - 1];
        }
        let mut child = vec![0u32; n - roots.len()];
        for p in 0..n {
            if self.parent[p] != NONE {
                let cursor = &mut child_start[self.parent[p] as usize + 1];
                child[*cursor] = p as u32;
                *cursor += 1;
            }
        }
        let mut new_place = vec![0u32; n];
        let mut at = 0;
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for &root in &roots {
            stack.push((root, child_start[root as usize]));
            while let Some((p, next)) = stack.last_mut() {
                if *next < child_start[*p as usize + 1] {
                    let c = child[*next];
                    *next += 1;
                    stack.push((c, child_start[c as usize]));
                } else {
                    new_place[*p as usize] = at;
                    at += 1;
                    stack.pop();
                }
            }
        }
        let mut order = vec![0; n];
        let mut parent = vec![NONE; n];
        let mut old_place = vec![0; n];
        for (p, &place) in new_place.iter().enumerate() {
            old_place[place as usize] = p;
        }
        let mut below_start = Vec::with_capacity(n + 1);
        below_start.push(0);
        let mut below = Vec::with_capacity(self.below.len());
        for (place, &p) in old_place.iter().enumerate() {
            order[place] = self.order[p];
            if self.parent[p] != NONE {
                parent[place] = new_place[self.parent[p] as usize];
            }
            let from = below.len();
            below.extend(self.below(p).iter().map(|&q| new_place[q as usize]));
            below[from..].sort_unstable();
            below_start.push(below.len());
        }
        Tree { order, parent, below_start, below }
    }

    pub(super) fn below(&self, place: usize) -> &[u32] {
        &self.below[self.below_start[place]..self.below_start[place + 1]]
    }
}
