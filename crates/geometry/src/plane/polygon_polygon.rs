//! Two polygons: every vertex of one against every edge of the other, both ways.

use super::{Manifold, Narrow, Nearness, Placed};

pub(super) fn pair(narrow: &mut Narrow, a: Placed, b: Placed, near: Nearness, manifold: &mut Manifold) {
    narrow.vertices_on_edges([a, b], false, near, manifold);
    narrow.vertices_on_edges([b, a], true, near, manifold);
}
