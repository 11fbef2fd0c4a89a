//! Every pair: the measure of the others.

use super::{Aabb, Candidates};

pub(super) fn find(discs: &[Aabb], segments: &[Aabb], candidates: &mut Candidates) {
    if discs.iter().chain(segments).all(Aabb::is_bounded) {
        find_by(Aabb::overlaps, discs, segments, candidates);
    } else {
        find_by(Aabb::may_touch, discs, segments, candidates);
    }
}

fn find_by(
    touch: impl Fn(&Aabb, &Aabb) -> bool,
    discs: &[Aabb],
    segments: &[Aabb],
    candidates: &mut Candidates,
) {
    for (i, a) in discs.iter().enumerate() {
        if candidates.is_full() {
            return;
        }
        for (j, b) in discs.iter().enumerate().skip(i + 1) {
            if touch(a, b) {
                candidates.discs.push(i as u32, j as u32);
            }
        }
        for (e, b) in segments.iter().enumerate() {
            if touch(a, b) {
                candidates.segments.push(i as u32, e as u32);
            }
        }
    }
}
