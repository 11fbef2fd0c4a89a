//! Pairs of boxes that overlap: sort and sweep along the axis of largest spread.
//!
//! Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995, section 3.1, with one sorted axis: boxes are visited in the order of their lower ends and
//! compared with those that begin before they end.

use glam::DVec3;

/// A box with sides along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lowest corner.
    pub low: DVec3,
    /// Highest corner.
    pub high: DVec3,
}

impl Bounds {
    /// The box of no point: it overlaps nothing.
    pub const NOWHERE: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The smallest box around points.
    pub fn around(points: &[DVec3]) -> Self {
        points.iter().fold(Self::NOWHERE, |b, &p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    /// Larger by a distance on every side.
    pub fn grown(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Whether two boxes have a point in common; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// Finds overlapping boxes; keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct SortAndSweep {
    order: Vec<u32>,
}

impl SortAndSweep {
    /// Replaces `pairs` by all pairs of boxes that overlap, each with the lower index first, in rising order.
    pub fn find(&mut self, boxes: &[Bounds], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        let axis = widest_axis(boxes);
        self.order.clear();
        self.order
            .extend((0..boxes.len() as u32).filter(|&k| boxes[k as usize].low.x <= boxes[k as usize].high.x));
        self.order.sort_unstable_by(|&a, &b| {
            boxes[a as usize].low[axis].total_cmp(&boxes[b as usize].low[axis]).then(a.cmp(&b))
        });
        for (place, &a) in self.order.iter().enumerate() {
            let own = &boxes[a as usize];
            for &b in &self.order[place + 1..] {
                let other = &boxes[b as usize];
                if other.low[axis] > own.high[axis] {
                    break;
                }
                if own.overlaps(other) {
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        pairs.sort_unstable();
    }
}

/// The axis along which the middles of the boxes are spread most. Boxes without a finite middle do not count.
fn widest_axis(boxes: &[Bounds]) -> usize {
    let (mut count, mut sum, mut squares) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for middle in boxes.iter().map(|b| 0.5 * (b.low + b.high)).filter(|middle| middle.is_finite()) {
        count += 1.0;
        sum += middle;
        squares += middle * middle;
    }
    let spread = squares * count - sum * sum;
    (0..3).fold(0, |best, axis| if spread[axis] > spread[best] { axis } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(boxes: &[Bounds]) -> Vec<(u32, u32)> {
        let count = boxes.len() as u32;
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        all.filter(|&(a, b)| boxes[a as usize].overlaps(&boxes[b as usize])).collect()
    }

    #[test]
    fn touching_boxes_overlap_and_nowhere_is_nowhere() {
        let unit = |x: f64| Bounds { low: DVec3::new(x, 0.0, 0.0), high: DVec3::new(x + 1.0, 1.0, 1.0) };
        let boxes = [unit(1.0), Bounds::NOWHERE, unit(0.0), unit(2.5)];
        let mut pairs = Vec::new();
        SortAndSweep::default().find(&boxes, &mut pairs);
        assert_eq!(pairs, [(0, 2)]);
    }

    proptest! {
        #[test]
        fn the_same_pairs_as_brute_force(corners in prop::collection::vec((prop::array::uniform3(-3i8..3), prop::array::uniform3(0i8..3)), 0..40)) {
            let boxes: Vec<Bounds> = corners
                .into_iter()
                .map(|(low, size)| {
                    let low = DVec3::from_array(low.map(f64::from));
                    Bounds { low, high: low + DVec3::from_array(size.map(f64::from)) }
                })
                .collect();
            let mut pairs = vec![(9, 9)];
            SortAndSweep::default().find(&boxes, &mut pairs);
            prop_assert_eq!(pairs, brute_force(&boxes));
        }
    }
}
