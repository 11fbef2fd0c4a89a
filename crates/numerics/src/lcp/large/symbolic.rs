//! The elimination plan of K = M + Σ dₖ ηₖηₖᵀ: ordering, supernodes and where each row of Nᵀ is
//! added.
//!
//! Sources: Amestoy, Davis, Duff, "An approximate minimum degree ordering algorithm", SIAM J.
//! Matrix Anal. Appl. 17 (1996), for the order; Liu, "The multifrontal method for sparse matrix
//! solution", SIAM Review 34 (1992), for fronts and supernodes. K is a sum of small cliques (one
//! for each row, on the variables the row touches), as in finite elements, so its pattern is never
//! written: the structure of a front is the union of its cliques and of its children.
//!
//! Variables that stand side by side and occur in the same rows (the coordinates of one object)
//! form a *node*; ordering and structure are found for nodes, numbers are computed for variables.

use super::dense;
use crate::lcp::SparseJacobian;
use crate::qp::BlockDiagonalMass;

const NONE: u32 = u32::MAX;
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

/// The plan. Made again only when the pattern changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbolic {
    // The pattern the plan was made for.
    pattern_start: Vec<u32>,
    pattern_column: Vec<u32>,
    pattern_mass: Vec<(u32, u32)>,
    pattern_size: usize,
    /// New place of each variable in the elimination order.
    pub(crate) place: Vec<u32>,
    /// First variable (new numbering) of each front, and one past the last.
    pub(crate) front_start: Vec<u32>,
    /// Variables below the columns of each front, rising, compressed.
    pub(crate) below_start: Vec<u32>,
    pub(crate) below: Vec<u32>,
    /// For each of `below` its place in the parent's front.
    pub(crate) place_in_parent: Vec<u32>,
    /// Number of children of each front; fronts are in postorder, so they are the last ones on the
    /// stack.
    pub(crate) children: Vec<u32>,
    /// Rows of Nᵀ added in each front, compressed.
    pub(crate) element_start: Vec<u32>,
    pub(crate) element: Vec<u32>,
    /// For each of `element` the places of its columns in the front, compressed.
    pub(crate) element_place_start: Vec<u32>,
    pub(crate) element_place: Vec<u32>,
    /// Entries of M off the diagonal added in each front, compressed, and their two places in the
    /// front.
    pub(crate) mass_start: Vec<u32>,
    pub(crate) mass_entry: Vec<u32>,
    pub(crate) mass_place: Vec<[u32; 2]>,
    /// Where each front's panel starts in the factor, and the total.
    pub(crate) panel_start: Vec<usize>,
    /// Rows and columns of the largest front.
    pub(crate) largest_front: usize,
}

/// Nodes in elimination order with their tree.
struct Tree {
    /// Node (old numbering) at each place.
    order: Vec<u32>,
    parent: Vec<u32>,
    /// Places below each place, rising, compressed.
    below_start: Vec<usize>,
    below: Vec<u32>,
}

/// Nodes: groups of variables, and the cliques on them.
struct Nodes {
    start: Vec<u32>,
    clique_start: Vec<u32>,
    clique: Vec<u32>,
}

impl Symbolic {
    /// Makes the plan unless it already fits. True if a new plan was made.
    pub(crate) fn prepare(&mut self, rows: &SparseJacobian, mass: &BlockDiagonalMass) -> bool {
        let (start, column) = rows.pattern();
        let same_mass = self.pattern_mass.len() == mass.off_diagonal.len()
            && self.pattern_mass.iter().zip(&mass.off_diagonal).all(|(p, e)| *p == (e.row, e.column));
        if same_mass
            && self.pattern_size == rows.columns()
            && self.pattern_start == start
            && self.pattern_column == column
        {
            return false;
        }
        self.pattern_size = rows.columns();
        self.pattern_start.clear();
        self.pattern_start.extend_from_slice(start);
        self.pattern_column.clear();
        self.pattern_column.extend_from_slice(column);
        self.pattern_mass.clear();
        self.pattern_mass.extend(mass.off_diagonal.iter().map(|e| (e.row, e.column)));
        let nodes = Nodes::find(rows, mass);
        let tree = Tree::find(&nodes).in_postorder();
        self.number(&nodes, &tree);
        self.make_fronts(&nodes, &tree);
        self.assign(rows, mass);
        self.locate(rows, mass);
        true
    }

    /// Number of variables.
    pub(crate) fn size(&self) -> usize {
        self.pattern_size
    }

    /// Products in one factorization and one solve.
    pub(crate) fn operations(&self) -> u64 {
        let fronts = 0..self.fronts();
        fronts.fold(0, |sum, s| {
            let columns = u64::from(self.front_start[s + 1] - self.front_start[s]);
            let size = columns + u64::from(self.below_start[s + 1] - self.below_start[s]);
            // Column j is subtracted from the triangle behind it.
            sum + (0..columns).map(|j| (size - j) * (size - j) / 2).sum::<u64>() + 2 * columns * size
        })
    }

    /// Number of fronts.
    pub(crate) fn fronts(&self) -> usize {
        self.children.len()
    }

    fn number(&mut self, nodes: &Nodes, tree: &Tree) {
        self.place.clear();
        self.place.resize(self.pattern_size, 0);
        let mut next = 0;
        for &node in &tree.order {
            for variable in nodes.variables(node) {
                self.place[variable as usize] = next;
                next += 1;
            }
        }
    }

    /// Joins nodes into fronts and writes their structure in terms of variables.
    fn make_fronts(&mut self, nodes: &Nodes, tree: &Tree) {
        let count = tree.order.len();
        let width = |place: usize| nodes.width(tree.order[place]);
        let mut first_variable = vec![0u32; count + 1];
        for place in 0..count {
            first_variable[place + 1] = first_variable[place] + width(place);
        }
        let height = |place: usize| tree.below(place).iter().map(|&b| width(b as usize)).sum::<u32>();
        let last = last_of_fronts(tree, &first_variable, height);
        self.front_start.clear();
        self.front_start.push(0);
        self.below_start.clear();
        self.below_start.push(0);
        self.below.clear();
        self.children.clear();
        self.children.resize(last.len(), 0);
        self.panel_start.clear();
        self.panel_start.push(0);
        self.largest_front = 0;
        let mut front_of_place = vec![0u32; count];
        let mut from = 0;
        for (front, &end) in last.iter().enumerate() {
            for place in from..=end {
                front_of_place[place] = front as u32;
            }
            from = end + 1;
        }
        for (front, &end) in last.iter().enumerate() {
            for &b in tree.below(end) {
                self.below.extend(first_variable[b as usize]..first_variable[b as usize + 1]);
            }
            self.below_start.push(self.below.len() as u32);
            self.front_start.push(first_variable[end + 1]);
            let columns = (self.front_start[front + 1] - self.front_start[front]) as usize;
            let size = columns + (self.below_start[front + 1] - self.below_start[front]) as usize;
            self.panel_start.push(self.panel_start[front] + columns * dense::padded(size));
            self.largest_front = self.largest_front.max(size);
            if tree.parent[end] != NONE {
                self.children[front_of_place[tree.parent[end] as usize] as usize] += 1;
            }
        }
    }

    /// Each clique is added in the front of its first variable.
    fn assign(&mut self, rows: &SparseJacobian, mass: &BlockDiagonalMass) {
        let mut front_of_variable = vec![0u32; self.pattern_size];
        for front in 0..self.fronts() {
            for v in self.front_start[front]..self.front_start[front + 1] {
                front_of_variable[v as usize] = front as u32;
            }
        }
        let home = |variables: &mut dyn Iterator<Item = u32>, place: &[u32]| -> u32 {
            variables.map(|v| place[v as usize]).min().map_or(NONE, |first| front_of_variable[first as usize])
        };
        let place = &self.place;
        let of_row: Vec<u32> =
            (0..rows.len()).map(|k| home(&mut rows.row(k).column.iter().copied(), place)).collect();
        let of_mass: Vec<u32> =
            mass.off_diagonal.iter().map(|e| home(&mut [e.row, e.column].into_iter(), place)).collect();
        let fronts = self.fronts();
        group(&of_row, fronts, &mut self.element_start, &mut self.element);
        group(&of_mass, fronts, &mut self.mass_start, &mut self.mass_entry);
    }
}

/// Places inside fronts, so that factorizations need not look for them.
impl Symbolic {
    fn locate(&mut self, rows: &SparseJacobian, mass: &BlockDiagonalMass) {
        self.element_place_start.clear();
        self.element_place_start.push(0);
        self.element_place.clear();
        self.mass_place.clear();
        self.place_in_parent.clear();
        self.place_in_parent.resize(self.below.len(), 0);
        let mut position = vec![0u32; self.pattern_size];
        let mut waiting: Vec<usize> = Vec::new();
        for s in 0..self.fronts() {
            let (first, last) = (self.front_start[s], self.front_start[s + 1]);
            let below = self.below_start[s] as usize..self.below_start[s + 1] as usize;
            for (at, v) in (first..last).chain(self.below[below.clone()].iter().copied()).enumerate() {
                position[v as usize] = at as u32;
            }
            let at = |variable: u32| position[self.place[variable as usize] as usize];
            for &k in &self.element[self.element_start[s] as usize..self.element_start[s + 1] as usize] {
                self.element_place.extend(rows.row(k as usize).column.iter().map(|&c| at(c)));
                self.element_place_start.push(self.element_place.len() as u32);
            }
            for &e in &self.mass_entry[self.mass_start[s] as usize..self.mass_start[s + 1] as usize] {
                let entry = &mass.off_diagonal[e as usize];
                self.mass_place.push([at(entry.row), at(entry.column)]);
            }
            for child in waiting.split_off(waiting.len().saturating_sub(self.children[s] as usize)) {
                let range = self.below_start[child] as usize..self.below_start[child + 1] as usize;
                for (to, &v) in self.place_in_parent[range.clone()].iter_mut().zip(&self.below[range]) {
                    *to = position[v as usize];
                }
            }
            if !below.is_empty() {
                waiting.push(s);
            }
        }
    }
}

/// Lists items by key, compressed, items rising inside a key. Items with key NONE are left out.
fn group(key: &[u32], keys: usize, start: &mut Vec<u32>, items: &mut Vec<u32>) {
    start.clear();
    start.resize(keys + 2, 0);
    for &k in key.iter().filter(|&&k| k != NONE) {
        start[k as usize + 2] += 1;
    }
    for k in 2..keys + 2 {
        start[k] += start[k - 1];
    }
    items.clear();
    items.resize(start[keys + 1] as usize, 0);
    for (item, &k) in key.iter().enumerate().filter(|(_, k)| **k != NONE) {
        let cursor = &mut start[k as usize + 1];
        items[*cursor as usize] = item as u32;
        *cursor += 1;
    }
    start.truncate(keys + 1);
}

/// The last place of every front.
fn last_of_fronts(tree: &Tree, first_variable: &[u32], height: impl Fn(usize) -> u32) -> Vec<usize> {
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

impl Nodes {
    fn find(rows: &SparseJacobian, mass: &BlockDiagonalMass) -> Nodes {
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

    fn len(&self) -> usize {
        self.start.len() - 1
    }

    fn width(&self, node: u32) -> u32 {
        self.start[node as usize + 1] - self.start[node as usize]
    }

    fn variables(&self, node: u32) -> std::ops::Range<u32> {
        self.start[node as usize]..self.start[node as usize + 1]
    }

    fn cliques(&self) -> impl Iterator<Item = &[u32]> {
        self.clique_start.windows(2).map(|w| &self.clique[w[0] as usize..w[1] as usize])
    }

    /// Neighbours of every node, compressed, rising, each once.
    fn neighbours(&self) -> (Vec<usize>, Vec<usize>) {
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
            list.push(node);
            for &c in &member[member_start[node]..member_start[node + 1]] {
                let range = self.clique_start[c] as usize..self.clique_start[c + 1] as usize;
                for &other in &self.clique[range] {
                    if seen[other as usize] != node {
                        seen[other as usize] = node;
                        list.push(other as usize);
                    }
                }
            }
            list[from..].sort_unstable();
            start.push(list.len());
        }
        (start, list)
    }
}

impl Tree {
    fn find(nodes: &Nodes) -> Tree {
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
    fn in_postorder(self) -> Tree {
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

    fn below(&self, place: usize) -> &[u32] {
        &self.below[self.below_start[place]..self.below_start[place + 1]]
    }
}
