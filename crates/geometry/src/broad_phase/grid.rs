//! A hashed grid with one level for every power of two of box size.
//!
//! A box lies, by its lower left corner, in one cell of the level whose cells are at least as large as it, so it reaches at most into the next cell
//! to the right and above. A smaller box looks for larger ones, never the other way, so each looks at no more than nine cells of a level (after
//! Ericson, Real-Time Collision Detection, 2005, section 7.2.1, hierarchical grids). Cells of all levels share one table: cell (x, y) of a level
//! falls into bucket x + K y + salt modulo the size of the table. Neighbours in x are neighbours in the table, so a row of cells is one scan; a
//! chain, a block and scattered clusters all spread evenly. Whatever falls into one bucket by chance is told apart by its box.

use super::{Aabb, Candidates};

/// Odd and near the golden section of 2⁶⁴: rows of cells spread over the table (Knuth, TAOCP volume 3, section 6.4).
const ROW: u64 = 0x9e37_79b9_7f4a_7c15;

/// Cells are not smaller than this power of two times the largest coordinate, so cell numbers stay exact.
const FINEST: i32 = 40;

/// Exponents of f64 run from −1074 to 1024.
const LOWEST_EXPONENT: i32 = -1075;

const NO_BUCKET: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    exponent: i32,
    /// One over the cell size.
    inverse: f64,
    salt: u64,
}

/// Boxes sorted into the buckets of a grid.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    levels: Vec<Level>,
    mask: u64,
    starts: Vec<u32>,
    /// Boxes with their index in the order of buckets.
    items: Vec<(Aabb, u32)>,
    /// Indices of boxes that are not finite.
    unbounded: Vec<u32>,
    level_of: Vec<u8>,
    bucket_of: Vec<u32>,
    count: usize,
}

impl Grid {
    /// Sorts the boxes into buckets.
    pub(super) fn build(&mut self, boxes: &[Aabb]) {
        self.count = boxes.len();
        self.mask = (2 * boxes.len().max(8)).next_power_of_two() as u64 - 1;
        self.find_levels(boxes);
        self.starts.clear();
        self.starts.resize(self.mask as usize + 3, 0);
        self.bucket_of.clear();
        self.unbounded.clear();
        for (k, b) in boxes.iter().enumerate() {
            if self.level_of[k] == u8::MAX {
                self.unbounded.push(k as u32);
                self.bucket_of.push(NO_BUCKET);
                continue;
            }
            let level = &self.levels[self.level_of[k] as usize];
            let bucket = self.bucket(level, cell(b.min.x, level), cell(b.min.y, level));
            self.starts[bucket as usize + 2] += 1;
            self.bucket_of.push(bucket as u32);
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.items.clear();
        let nowhere = Aabb { min: glam::DVec2::ZERO, max: glam::DVec2::ZERO };
        self.items.resize(boxes.len() - self.unbounded.len(), (nowhere, 0));
        for (k, b) in boxes.iter().enumerate() {
            if self.bucket_of[k] != NO_BUCKET {
                let slot = &mut self.starts[self.bucket_of[k] as usize + 1];
                self.items[*slot as usize] = (*b, k as u32);
                *slot += 1;
            }
        }
        self.starts.pop();
    }

    /// The levels that have boxes, finest first, and the level of each box (255 for one that is not finite).
    fn find_levels(&mut self, boxes: &[Aabb]) {
        let finite = |b: &&Aabb| b.is_bounded();
        let largest = boxes
            .iter()
            .filter(finite)
            .map(|b| b.min.abs().max(b.max.abs()).max_element())
            .fold(0.0, f64::max);
        let floor = exponent_above(largest).saturating_sub(FINEST).max(LOWEST_EXPONENT + 60);
        self.levels.clear();
        self.level_of.clear();
        for b in boxes {
            if !b.is_bounded() {
                self.level_of.push(u8::MAX);
                continue;
            }
            let position = self.add_level(exponent_above(b.extent()).max(floor));
            // at most FINEST + 3 levels lie between the floor and the largest extent
            self.level_of.push(position as u8);
        }
    }

    fn add_level(&mut self, exponent: i32) -> usize {
        if let Some(position) = self.levels.iter().position(|l| l.exponent == exponent) {
            return position;
        }
        let inverse = power_of_two(-exponent);
        self.levels.push(Level {
            exponent,
            inverse,
            salt: (exponent as u64).wrapping_mul(0x632b_e59b_d9b4_e019),
        });
        self.levels.len() - 1
    }

    fn bucket(&self, level: &Level, x: i64, y: i64) -> u64 {
        (x as u64).wrapping_add((y as u64).wrapping_mul(ROW)).wrapping_add(level.salt) & self.mask
    }

    /// Items in the cells x₀ to x₁ of row y: one scan of the table, or two where it wraps.
    fn row(&self, level: &Level, [x0, x1]: [i64; 2], y: i64) -> impl Iterator<Item = &(Aabb, u32)> {
        let table = self.mask + 1;
        let width = (x1.wrapping_sub(x0) as u64).saturating_add(1).min(table);
        let first = self.bucket(level, x0, y);
        let end = (first + width).min(table);
        let wrapped = first + width - end;
        self.buckets(first, end).iter().chain(self.buckets(0, wrapped))
    }

    fn buckets(&self, first: u64, end: u64) -> &[(Aabb, u32)] {
        &self.items[self.starts[first as usize] as usize..self.starts[end as usize] as usize]
    }

    /// Calls `found` for every box of a level with at least the exponent `floor` (or of all) that overlaps the query. Some may come twice.
    pub(super) fn overlapping(&self, query: &Aabb, floor: Option<i32>, mut found: impl FnMut(u32)) {
        self.unbounded.iter().for_each(|&k| found(k));
        for level in self.levels.iter().filter(|l| floor.is_none_or(|floor| l.exponent >= floor)) {
            let columns = [cell(query.min.x, level) - 1, cell(query.max.x, level)];
            let rows = [cell(query.min.y, level) - 1, cell(query.max.y, level)];
            let cells = (columns[1] - columns[0] + 1) as f64 * (rows[1] - rows[0] + 1) as f64;
            if cells > self.count as f64 + 64.0 {
                // the query is larger than the crowd: look at everyone once
                self.items.iter().filter(|(b, _)| b.overlaps(query)).for_each(|(_, k)| found(*k));
                return;
            }
            for y in rows[0]..=rows[1] {
                self.row(level, columns, y).filter(|(b, _)| b.overlaps(query)).for_each(|(_, k)| found(*k));
            }
        }
    }

    /// Pairs of boxes of one level: each looks at its own cell, the one to the right and the three above.
    fn pairs_within_levels(&self, mut found: impl FnMut(u32, u32)) {
        for (position, (b, i)) in self.items.iter().enumerate() {
            let index = self.level_of[*i as usize];
            let level = &self.levels[index as usize];
            let (x, y) = (cell(b.min.x, level), cell(b.min.y, level));
            let own = self.bucket(level, x, y);
            let rest = &self.items[position + 1..self.starts[own as usize + 1] as usize];
            let right = self.row(level, [x + 1, x + 1], y);
            let above = self.row(level, [x - 1, x + 1], y + 1);
            for (other, j) in rest.iter().chain(right).chain(above) {
                if b.overlaps(other) && i != j {
                    found(*i.min(j), *i.max(j));
                }
            }
        }
    }

    fn exponent_of(&self, k: u32) -> i32 {
        self.levels[self.level_of[k as usize] as usize].exponent
    }
}

/// Candidates among discs, and between discs and segments.
pub(super) fn find(discs: &Grid, segments: &Grid, candidates: &mut Candidates) {
    discs.pairs_within_levels(|i, j| candidates.discs.push(i, j));
    let everything = 0..discs.count as u32;
    for &i in &discs.unbounded {
        everything.clone().filter(|&j| j != i).for_each(|j| candidates.discs.push(i.min(j), i.max(j)));
        (0..segments.count as u32).for_each(|e| candidates.segments.push(i, e));
    }
    if discs.levels.len() > 1 {
        for (b, i) in &discs.items {
            discs.overlapping(b, Some(discs.exponent_of(*i) + 1), |j| {
                if *i != j {
                    candidates.discs.push(*i.min(&j), *i.max(&j));
                }
            });
        }
    }
    if segments.count == 0 {
        return;
    }
    for (b, i) in &discs.items {
        segments.overlapping(b, Some(discs.exponent_of(*i)), |e| candidates.segments.push(*i, e));
    }
    for (b, e) in &segments.items {
        discs.overlapping(b, Some(segments.exponent_of(*e) + 1), |i| candidates.segments.push(i, *e));
    }
    for &e in &segments.unbounded {
        everything.clone().for_each(|i| candidates.segments.push(i, e));
    }
}

/// The number of the cell in which a coordinate lies. Far away coordinates share the outermost cells.
fn cell(coordinate: f64, level: &Level) -> i64 {
    const OUTERMOST: f64 = (1_i64 << 52) as f64;
    let scaled = (coordinate * level.inverse).clamp(-OUTERMOST, OUTERMOST);
    let truncated = scaled as i64;
    truncated - i64::from(scaled < truncated as f64)
}

/// The least e with x ≤ 2ᵉ, up to one more; the lowest for 0.
fn exponent_above(x: f64) -> i32 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if biased == 0 { LOWEST_EXPONENT + 60 } else { biased - 1022 }
}

/// 2ᵉ, held within the normal range.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}
