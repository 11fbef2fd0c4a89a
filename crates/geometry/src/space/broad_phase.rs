//! Pairs of boxes that overlap: a grid for many boxes of about one size, sort and sweep for the
//! rest.
//!
//! Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995, section 3.1, with one sorted axis: boxes are
//! visited in the order of their lower ends and compared with those that begin before they end. In
//! a heap a slab of the heap begins there, so the cost grows as n to 5/3. Where boxes are alike
//! they are sorted into cells no smaller than they are (Bentley and Friedman, "Data structures for
//! range searching", 1979, section 2.3), and a box is compared with those of its own and the
//! neighbouring cells: n log n. The pairs are the same.

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

    /// Height of its lowest corner above a plane through a point, along the plane's normal.
    pub fn height_above(&self, through: DVec3, normal: DVec3) -> f64 {
        let lowest = DVec3::select(normal.cmpgt(DVec3::ZERO), self.low, self.high);
        normal.dot(lowest - through)
    }

    /// Whether two boxes have a point in common; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// Finds overlapping boxes; keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct PairFinder {
    order: Vec<u32>,
    /// Boxes of the grid by cell, then by index.
    cells: Vec<(Cell, u32)>,
    sides: Vec<f64>,
}

/// Place of a box in the grid: that of its lowest corner.
type Cell = [i64; 3];

/// Cells are so much larger than the box in the middle of all sizes: most boxes then fit one.
const CELL_SIZE: f64 = 2.0;

/// Fewer boxes than this are swept: the grid would not pay.
const FEW: usize = 64;

/// The grid is used when at most one box in so many is too large for a cell.
const RARELY: usize = 16;

/// Room in a cell, so that rounding never puts two boxes that touch more than one cell apart.
const CELL_ROOM: f64 = 1.0 + 1e-9;

impl PairFinder {
    /// Replaces `pairs` by all pairs of boxes that overlap, each with the lower index first, in
    /// rising order.
    pub fn find(&mut self, boxes: &[Bounds], pairs: &mut Vec<(u32, u32)>) {
        self.find_at_most(boxes, usize::MAX, pairs);
    }

    /// The same with bounded memory: false, and no pairs, where there are more than `most`.
    pub fn find_at_most(&mut self, boxes: &[Bounds], most: usize, pairs: &mut Vec<(u32, u32)>) -> bool {
        pairs.clear();
        self.order.clear();
        self.order
            .extend((0..boxes.len() as u32).filter(|&k| boxes[k as usize].low.x <= boxes[k as usize].high.x));
        if let Some(side) = self.cell_side(boxes) {
            self.fill_grid(boxes, side);
            if !self.find_in_grid(boxes, most, pairs) {
                pairs.clear();
                return false;
            }
            // What is left in `order` is too large for a cell: compared with everything.
            for (place, &a) in self.order.iter().enumerate() {
                let rest = self.order[place + 1..].iter().copied();
                if pairs.len() > most {
                    break;
                }
                for b in self.cells.iter().map(|(_, b)| *b).chain(rest) {
                    if boxes[a as usize].overlaps(&boxes[b as usize]) {
                        pairs.push((a.min(b), a.max(b)));
                    }
                }
            }
        } else {
            self.sweep(boxes, most, pairs);
        }
        if pairs.len() > most {
            pairs.clear();
            return false;
        }
        pairs.sort_unstable();
        true
    }

    /// The side of the cells, where a grid pays.
    fn cell_side(&mut self, boxes: &[Bounds]) -> Option<f64> {
        if self.order.len() < FEW {
            return None;
        }
        self.sides.clear();
        self.sides.extend(self.order.iter().map(|&k| longest_side(&boxes[k as usize])));
        let middle = self.sides.len() / 2;
        let median = *self.sides.select_nth_unstable_by(middle, f64::total_cmp).1;
        let side = CELL_SIZE * CELL_ROOM * median;
        let large = self.sides.iter().filter(|s| !fits(**s, side)).count();
        (side > 0.0 && side.is_finite() && RARELY * large <= self.order.len()).then_some(side)
    }

    /// Sorts the boxes that fit a cell into the grid; the others stay in `order`.
    fn fill_grid(&mut self, boxes: &[Bounds], side: f64) {
        self.cells.clear();
        let cells = &mut self.cells;
        self.order.retain(|&k| {
            let bounds = &boxes[k as usize];
            let in_grid = fits(longest_side(bounds), side);
            if in_grid {
                cells.push(((bounds.low / side).to_array().map(|x| x.floor() as i64), k));
            }
            !in_grid
        });
        self.cells.sort_unstable();
    }

    /// Boxes that overlap begin in the same cell or in neighbours. Of each two cells one looks at
    /// the other.
    fn find_in_grid(&self, boxes: &[Bounds], most: usize, pairs: &mut Vec<(u32, u32)>) -> bool {
        for (place, &([x, y, z], a)) in self.cells.iter().enumerate() {
            if pairs.len() > most {
                return false;
            }
            let own = &boxes[a as usize];
            let mut compare = |others: &[(Cell, u32)]| {
                for &(_, b) in others {
                    if own.overlaps(&boxes[b as usize]) {
                        pairs.push((a.min(b), a.max(b)));
                    }
                }
            };
            // The rest of the own cell and the next one in z follow at once.
            let next = [x, y, z.saturating_add(2)];
            let rest = &self.cells[place + 1..];
            compare(&rest[..rest.partition_point(|(cell, _)| *cell < next)]);
            for (dx, dy) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                let [x, y] = [x.saturating_add(dx), y.saturating_add(dy)];
                let from = rest.partition_point(|(cell, _)| *cell < [x, y, z.saturating_sub(1)]);
                let row = &rest[from..];
                compare(&row[..row.partition_point(|(cell, _)| *cell < [x, y, z.saturating_add(2)])]);
            }
        }
        true
    }

    /// Visits boxes in the order of their lower ends along the widest axis.
    fn sweep(&mut self, boxes: &[Bounds], most: usize, pairs: &mut Vec<(u32, u32)>) {
        let axis = widest_axis(boxes);
        self.order.sort_unstable_by(|&a, &b| {
            boxes[a as usize].low[axis].total_cmp(&boxes[b as usize].low[axis]).then(a.cmp(&b))
        });
        for (place, &a) in self.order.iter().enumerate() {
            if pairs.len() > most {
                return;
            }
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
    }
}

fn longest_side(bounds: &Bounds) -> f64 {
    (bounds.high - bounds.low).max_element()
}

/// Whether a box may stand in a grid of such cells.
fn fits(longest: f64, side: f64) -> bool {
    longest * CELL_ROOM <= side
}

/// The axis along which the middles of the boxes are spread most. Boxes without a finite middle do
/// not count.
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
        PairFinder::default().find(&boxes, &mut pairs);
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
            PairFinder::default().find(&boxes, &mut pairs);
            prop_assert_eq!(pairs, brute_force(&boxes));
        }

        #[test]
        fn the_grid_finds_the_same_pairs_as_brute_force(
            corners in prop::collection::vec((prop::array::uniform3(-40i8..40), prop::array::uniform3(3i8..9)), 66..200),
            large in prop::collection::vec(0usize..200, 0..3),
            scale in prop_oneof![Just(1.0), Just(1e-7), Just(0.1), Just(1e9)],
        ) {
            let mut boxes: Vec<Bounds> = corners
                .into_iter()
                .map(|(low, size)| {
                    let low = scale * DVec3::from_array(low.map(f64::from));
                    Bounds { low, high: low + scale * DVec3::from_array(size.map(f64::from)) }
                })
                .collect();
            let count = boxes.len();
            for &k in &large {
                boxes[k % count].high += 60.0 * scale;
            }
            boxes[count / 2] = Bounds::NOWHERE;
            boxes[count / 3].high.y = f64::INFINITY;
            boxes[count / 4].low.z = f64::NAN;
            let mut pairs = vec![(9, 9)];
            let mut finder = PairFinder::default();
            finder.find(&boxes, &mut pairs);
            prop_assert_eq!(&pairs, &brute_force(&boxes));
            prop_assert!(!finder.cells.is_empty(), "the grid was used");
        }
    }
}
