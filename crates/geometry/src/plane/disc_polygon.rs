//! A disc and a polygon: the centre of the disc against the edges. `swapped` where the polygon is
//! the first of the pair.

use super::{Manifold, Narrow, Nearness, Placed};

pub(super) fn pair(
    narrow: &mut Narrow,
    [disc, polygon]: [Placed; 2],
    swapped: bool,
    near: Nearness,
    manifold: &mut Manifold,
) {
    narrow.vertices_on_edges([disc, polygon], swapped, near, manifold);
}
