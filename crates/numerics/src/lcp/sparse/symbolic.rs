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

mod nodes;
mod tree;

use super::dense;
use crate::lcp::SparseJacobian;
use crate::qp::BlockDiagonalMass;
use crate::sparse::symbolic::NONE;
use nodes::Nodes;
use tree::{Tree, last_of_fronts};

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
        let tree = Tree::find(&nodes);
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
