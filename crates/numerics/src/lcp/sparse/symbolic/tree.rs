//! The elimination tree of the nodes by approximate minimum degree, in postorder, and the fronts
//! into which its nodes are joined.

use super::NONE;
use super::nodes::Nodes;
use crate::sparse::ordering::Graph;
use crate::sparse::symbolic::{Columns, Elimination};

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
    /// Places below each place.
    below: Columns,
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
    /// The tree of the nodes, in postorder.
    pub(super) fn find(nodes: &Nodes) -> Tree {
        let (starts, columns) = nodes.neighbours();
        let graph = Graph { starts: &starts, columns: &columns };
        let elimination = Elimination::of(graph).in_postorder();
        let below = elimination.columns(graph);
        Tree { order: elimination.order, parent: elimination.parent, below }
    }

    pub(super) fn below(&self, place: usize) -> &[u32] {
        self.below.column(place)
    }
}
