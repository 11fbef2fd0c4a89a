//! A hashed grid with one level for every halving of the largest box.
//!
//! A box lies, by its lower left corner, in one cell of the level whose cells are at least as large
//! as it, so it reaches at most into the next cell to the right and above. A smaller box looks for
//! larger ones, never the other way, so each looks at no more than nine cells of a level (after
//! Ericson, Real-Time Collision Detection, 2005, section 7.2.1, hierarchical grids). Cells of all
//! levels share one table: cell (x, y) of a level falls into bucket x + K y + salt modulo the size
//! of the table. Neighbours in x are neighbours in the table, so a row of cells is one scan; a
//! chain, a block and scattered clusters all spread evenly. Whatever falls into one bucket by
//! chance is sorted out by its box.

use super::{Aabb, Candidates};

/// Odd and near the golden section of 2⁶⁴: rows of cells spread over the table (Knuth, TAOCP volume
/// 3, section 6.4).
const ROW: u64 = 0x9e37_79b9_7f4a_7c15;

/// Cells are not smaller than two to minus this times the largest coordinate, so cell numbers stay
/// exact to a thousandth.
const FINEST: i32 = 40;

/// A cell is larger than the largest box of its level by this factor: rounding in cell numbers
/// never loses a neighbour.
const CELL_ROOM: f64 = 1.001;

const NO_BUCKET: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// How often the size of the largest box is halved.
    halvings: i32,
    /// Side of a cell.
    cell: f64,
    /// One over it.
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

    /// The levels that have boxes, and the level of each box (255 for one that is not bounded).
    fn find_levels(&mut self, boxes: &[Aabb]) {
        let (mut far, mut base) = (0.0_f64, 0.0_f64);
        for b in boxes.iter().filter(|b| b.is_bounded()) {
            far = far.max(b.min.abs().max(b.max.abs()).max_element());
            base = base.max(b.extent());
        }
        let finest = far * power_of_two(-FINEST);
        base = base.max(finest).max(f64::MIN_POSITIVE);
        let most = exponent(base / finest.max(f64::MIN_POSITIVE)).max(0);
        self.levels.clear();
        self.level_of.clear();
        for b in boxes {
            if !b.is_bounded() {
                self.level_of.push(u8::MAX);
                continue;
            }
            // extent ≤ base / 2^halvings; infinite for a box without extent
            let extent = b.extent();
            let halvings =
                if 2.0 * extent > base { 0 } else { exponent(base / extent).clamp(0, most.min(FINEST + 2)) };
            let level = self.level_with(halvings, base);
            self.level_of.push(level as u8);
        }
    }

    /// The index of a level, which is added where it is new. There are at most FINEST + 3 of them.
    fn level_with(&mut self, halvings: i32, base: f64) -> usize {
        if let Some(position) = self.levels.iter().position(|l| l.halvings == halvings) {
            return position;
        }
        let cell = base * power_of_two(-halvings) * CELL_ROOM;
        let salt = (halvings as u64).wrapping_mul(0x632b_e59b_d9b4_e019);
        self.levels.push(Level { halvings, cell, inverse: 1.0 / cell, salt });
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

    /// Calls `found` for every box that overlaps the query, of the levels that `wanted` picks. Some
    /// may come twice.
    pub(super) fn overlapping(
        &self,
        query: &Aabb,
        wanted: impl Fn(&Level) -> bool,
        mut found: impl FnMut(u32),
    ) {
        self.unbounded.iter().for_each(|&k| found(k));
        for level in self.levels.iter().filter(|l| wanted(l)) {
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

    /// Pairs of boxes of one level: each looks at its own cell, the one to the right and the three
    /// above. Buckets are linear in the cell's coordinates, so they are found from the bucket
    /// alone; boxes of other levels that lie there count when they overlap. Ends where `found` says
    /// that it is enough.
    fn pairs_within_levels(&self, mut found: impl FnMut(u32, u32) -> bool) {
        let table = self.mask + 1;
        for own in 0..table {
            let (start, end) = (self.starts[own as usize] as usize, self.starts[own as usize + 1] as usize);
            if start == end {
                continue;
            }
            let above = own.wrapping_add(ROW).wrapping_sub(1) & self.mask;
            let (last, wrapped) = ((above + 3).min(table), (above + 3).saturating_sub(table));
            let row_above = [self.buckets(above, last), self.buckets(0, wrapped)];
            let right = self.buckets((own + 1) & self.mask, ((own + 1) & self.mask) + 1);
            for position in start..end {
                let (b, i) = &self.items[position];
                for others in [&self.items[position + 1..end], right, row_above[0], row_above[1]] {
                    for (other, j) in others {
                        if b.overlaps(other) && i != j && !found(*i.min(j), *i.max(j)) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Side of the cells of the level of a box.
    fn cell_of(&self, k: u32) -> f64 {
        self.levels[self.level_of[k as usize] as usize].cell
    }
}

/// Candidates among discs, and between discs and segments; only the first of them where there are
/// more than fit.
pub(super) fn find(discs: &Grid, segments: &Grid, candidates: &mut Candidates) {
    discs.pairs_within_levels(|i, j| {
        candidates.discs.push(i, j);
        !candidates.discs.is_full()
    });
    if candidates.is_full() {
        return;
    }
    let everything = 0..discs.count as u32;
    for &i in &discs.unbounded {
        if candidates.is_full() {
            return;
        }
        everything.clone().filter(|&j| j != i).for_each(|j| candidates.discs.push(i.min(j), i.max(j)));
        (0..segments.count as u32).for_each(|e| candidates.segments.push(i, e));
    }
    if discs.levels.len() > 1 {
        for (b, i) in &discs.items {
            if candidates.is_full() {
                return;
            }
            let cell = discs.cell_of(*i);
            discs.overlapping(
                b,
                |l| l.cell > cell,
                |j| {
                    if *i != j {
                        candidates.discs.push(*i.min(&j), *i.max(&j));
                    }
                },
            );
        }
    }
    if segments.count == 0 {
        return;
    }
    for (b, i) in &discs.items {
        if candidates.is_full() {
            return;
        }
        let cell = discs.cell_of(*i);
        segments.overlapping(b, |l| l.cell >= cell, |e| candidates.segments.push(*i, e));
    }
    for (b, e) in &segments.items {
        if candidates.is_full() {
            return;
        }
        let cell = segments.cell_of(*e);
        discs.overlapping(b, |l| l.cell > cell, |i| candidates.segments.push(i, *e));
    }
    for &e in &segments.unbounded {
        everything.clone().for_each(|i| candidates.segments.push(i, e));
    }
}

/// The number of the cell in which a coordinate lies. Far away coordinates share the outermost
/// cells.
fn cell(coordinate: f64, level: &Level) -> i64 {
    const OUTERMOST: f64 = (1_i64 << 52) as f64;
    let scaled = (coordinate * level.inverse).clamp(-OUTERMOST, OUTERMOST);
    let truncated = scaled as i64;
    truncated - i64::from(scaled < truncated as f64)
}

/// The largest e with 2ᵉ ≤ x; large for infinity, small for what is below the normal range.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2ᵉ for exponents of the normal range.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}
