//! Sort by the left border, then look from each box to the right as long as the x ranges overlap
//! (Cohen et al., I-COLLIDE, 1995).

use super::{Aabb, Candidates};

pub(super) fn find(discs: &[Aabb], segments: &[Aabb], order: &mut Vec<u32>, candidates: &mut Candidates) {
    let total = discs.len() + segments.len();
    let at = |k: u32| discs.get(k as usize).unwrap_or_else(|| &segments[k as usize - discs.len()]);
    // a box that is not finite begins before all others and never ends
    let left = |k: u32| if at(k).is_bounded() { at(k).min.x } else { f64::NEG_INFINITY };
    let right = |k: u32| if at(k).is_bounded() { at(k).max.x } else { f64::INFINITY };
    order.clear();
    order.extend(0..total as u32);
    order.sort_unstable_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
    let segment = |k: u32| k.checked_sub(discs.len() as u32);
    for (position, &a) in order.iter().enumerate() {
        if candidates.is_full() {
            return;
        }
        for &b in &order[position + 1..] {
            if left(b) > right(a) {
                break;
            }
            if !at(a).may_touch(at(b)) {
                continue;
            }
            match (segment(a), segment(b)) {
                (None, None) => candidates.discs.push(a.min(b), a.max(b)),
                (None, Some(e)) => candidates.segments.push(a, e),
                (Some(e), None) => candidates.segments.push(b, e),
                (Some(_), Some(_)) => {}
            }
        }
    }
}
