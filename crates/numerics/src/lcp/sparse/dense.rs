//! Dense kernels on one front, a lower triangle by columns in a square of `size` rows.
//!
//! The widest vector instructions of the processor are chosen when the program runs. The bits of
//! the answer do not depend on them: every number is computed by the same sums in the same order,
//! only several at a time, and no product is fused with a sum.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdFloatElement, SimdSplit, f64x4, f64x8};

/// Columns taken in one pass over the rows below them.
const GROUP: usize = 4;
/// Earlier columns in one pass: their parts of a tile's rows stay in the near cache.
const PASS: usize = 64;

/// The vector instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instructions(pub(super) Level);

impl Default for Instructions {
    fn default() -> Self {
        Instructions(Level::new())
    }
}

/// Rows and columns that a front of this size takes in memory: whole groups.
pub(super) fn padded(size: usize) -> usize {
    size.next_multiple_of(GROUP)
}

/// Eliminates the first `columns` columns of a front of `size` rows and columns, a padded number,
/// in place: L where they were, the Schur complement behind. False if a pivot is not positive. What
/// stands above the diagonal is overwritten without meaning.
#[inline(always)]
pub(super) fn eliminate<S: Simd>(simd: S, front: &mut [f64], size: usize, columns: usize) -> bool {
    for column in (0..size).step_by(GROUP) {
        let (done, rest) = front.split_at_mut(column * size);
        let group = &mut rest[..GROUP * size];
        for panel in done[..column.min(columns) * size].chunks(PASS * size) {
            let mut row = column;
            // Two vectors at a time hide what a sum waits for the one before, where there are
            // registers for it.
            while <f64 as SimdFloatElement>::Native::<S>::LEN >= 8 && row + 16 <= size {
                subtract_tile::<S, f64x8<S>, 8, 2>(simd, panel, (size, row, column), group);
                row += 16;
            }
            while row + 8 <= size {
                subtract_tile::<S, f64x8<S>, 8, 1>(simd, panel, (size, row, column), group);
                row += 8;
            }
            if row < size {
                subtract_tile::<S, f64x4<S>, 4, 1>(simd, panel, (size, row, column), group);
            }
        }
        let positive = match columns.saturating_sub(column) {
            0 => true,
            1 => eliminate_group::<S, 1>(simd, group, size, column),
            2 => eliminate_group::<S, 2>(simd, group, size, column),
            3 => eliminate_group::<S, 3>(simd, group, size, column),
            _ => eliminate_group::<S, 4>(simd, group, size, column),
        };
        if !positive {
            return false;
        }
    }
    true
}

/// C -= Σₖ L[rows][k] L[columns][k] for four columns and the rows of some vectors, kept in
/// registers over all earlier columns of the pass.
#[inline(always)]
fn subtract_tile<S: Simd, V: SimdFloat<S, Element = f64>, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    panel: &[f64],
    (size, row, column): (usize, usize, usize),
    group: &mut [f64],
) {
    let mut sum = [[V::splat(simd, 0.0); VECTORS]; GROUP];
    for l in panel.chunks_exact(size) {
        let rows = &l[row..row + ROWS * VECTORS];
        let across = &l[column..column + GROUP];
        let mut down = [V::splat(simd, 0.0); VECTORS];
        for v in 0..VECTORS {
            down[v] = V::from_slice(simd, &rows[ROWS * v..ROWS * (v + 1)]);
        }
        for c in 0..GROUP {
            let factor = V::splat(simd, across[c]);
            for v in 0..VECTORS {
                sum[c][v] += down[v] * factor;
            }
        }
    }
    for c in 0..GROUP {
        for v in 0..VECTORS {
            let target = &mut group[c * size + row + ROWS * v..][..ROWS];
            (V::from_slice(simd, target) - sum[c][v]).store_slice(target);
        }
    }
}

/// The columns of a group from which all earlier columns have been subtracted; only the first
/// `PIVOTS` are eliminated.
#[inline(always)]
fn eliminate_group<S: Simd, const PIVOTS: usize>(
    simd: S,
    group: &mut [f64],
    size: usize,
    column: usize,
) -> bool {
    // The rows of the group itself, then those below, several at a time.
    let mut block = [[0.0; GROUP]; GROUP];
    let mut inverse = [0.0; GROUP];
    for c in 0..GROUP {
        block[c].copy_from_slice(&group[c * size + column..][..GROUP]);
        for p in 0..c.min(PIVOTS) {
            for r in c..GROUP {
                block[c][r] -= block[p][c] * block[p][r];
            }
        }
        if c < PIVOTS {
            if block[c][c] <= 0.0 || !block[c][c].is_finite() {
                return false;
            }
            let pivot = block[c][c].sqrt();
            inverse[c] = 1.0 / pivot;
            block[c][c] = pivot;
            for r in c + 1..GROUP {
                block[c][r] *= inverse[c];
            }
        }
        group[c * size + column..][..GROUP].copy_from_slice(&block[c]);
    }
    let mut row = column + GROUP;
    while row + 8 <= size {
        eliminate_rows::<S, f64x8<S>, 8, PIVOTS>(simd, group, (size, row), &block, &inverse);
        row += 8;
    }
    if row < size {
        eliminate_rows::<S, f64x4<S>, 4, PIVOTS>(simd, group, (size, row), &block, &inverse);
    }
    true
}

#[inline(always)]
fn eliminate_rows<S: Simd, V: SimdFloat<S, Element = f64>, const ROWS: usize, const PIVOTS: usize>(
    simd: S,
    group: &mut [f64],
    (size, row): (usize, usize),
    block: &[[f64; GROUP]; GROUP],
    inverse: &[f64; GROUP],
) {
    let mut done = [V::splat(simd, 0.0); GROUP];
    for c in 0..GROUP {
        let target = &mut group[c * size + row..][..ROWS];
        let mut x = V::from_slice(simd, target);
        for p in 0..c.min(PIVOTS) {
            x -= done[p] * V::splat(simd, block[p][c]);
        }
        if c < PIVOTS {
            x *= V::splat(simd, inverse[c]);
        }
        done[c] = x;
        x.store_slice(target);
    }
}

/// Solves L x = x for one front in place, and subtracts L₂₁ x from what follows: x has as many rows
/// as the panel, a padded number. On the diagonal of the panel stand inverses.
#[inline(always)]
pub(super) fn forward<S: Simd>(simd: S, panel: &[f64], size: usize, x: &mut [f64]) {
    for (group, columns) in panel.chunks(GROUP * size).enumerate() {
        let at = group * GROUP;
        let (own, rest) = x[at..].split_at_mut(GROUP);
        let mut value = [0.0; GROUP];
        for (c, column) in columns.chunks_exact(size).enumerate() {
            let column = &column[at..at + GROUP];
            value[c] = own[c] * column[c];
            own[c] = value[c];
            for r in c + 1..GROUP {
                own[r] -= column[r] * value[c];
            }
        }
        match columns.len() / size {
            4 => subtract_columns::<S, 4>(simd, columns, (size, at + GROUP), value, rest),
            3 => subtract_columns::<S, 3>(simd, columns, (size, at + GROUP), value, rest),
            2 => subtract_columns::<S, 2>(simd, columns, (size, at + GROUP), value, rest),
            _ => subtract_columns::<S, 1>(simd, columns, (size, at + GROUP), value, rest),
        }
    }
}

/// y -= Σ value[c] column[c] from a row on.
#[inline(always)]
fn subtract_columns<S: Simd, const COLUMNS: usize>(
    simd: S,
    columns: &[f64],
    (size, from): (usize, usize),
    value: [f64; GROUP],
    y: &mut [f64],
) {
    let column: [&[f64]; COLUMNS] = std::array::from_fn(|c| &columns[c * size + from..][..y.len()]);
    let mut at = 0;
    while at + 8 <= y.len() {
        subtract_rows::<S, f64x8<S>, 8, COLUMNS>(simd, column, at, value, y);
        at += 8;
    }
    if at + 4 <= y.len() {
        subtract_rows::<S, f64x4<S>, 4, COLUMNS>(simd, column, at, value, y);
    }
}

#[inline(always)]
fn subtract_rows<S: Simd, V: SimdFloat<S, Element = f64>, const ROWS: usize, const COLUMNS: usize>(
    simd: S,
    column: [&[f64]; COLUMNS],
    at: usize,
    value: [f64; GROUP],
    y: &mut [f64],
) {
    let target = &mut y[at..at + ROWS];
    let mut sum = V::from_slice(simd, target);
    for c in 0..COLUMNS {
        sum -= V::from_slice(simd, &column[c][at..at + ROWS]) * V::splat(simd, value[c]);
    }
    sum.store_slice(target);
}

/// Solves Lᵀ x = x − L₂₁ᵀ y for one front in place, y what stands in x after the columns of the
/// panel.
#[inline(always)]
pub(super) fn backward<S: Simd>(simd: S, panel: &[f64], size: usize, x: &mut [f64]) {
    for (group, columns) in panel.chunks(GROUP * size).enumerate().rev() {
        let at = group * GROUP;
        let (own, rest) = x[at..].split_at_mut(GROUP);
        let sums = match columns.len() / size {
            4 => products::<S, 4>(simd, columns, (size, at + GROUP), rest),
            3 => products::<S, 3>(simd, columns, (size, at + GROUP), rest),
            2 => products::<S, 2>(simd, columns, (size, at + GROUP), rest),
            _ => products::<S, 1>(simd, columns, (size, at + GROUP), rest),
        };
        for (c, column) in columns.chunks_exact(size).enumerate().rev() {
            let column = &column[at..at + GROUP];
            let mut value = own[c] - sums[c];
            for r in c + 1..GROUP {
                value -= column[r] * own[r];
            }
            own[c] = value * column[c];
        }
    }
}

/// The products of some columns, from a row on, with y. Every sum runs in parts, one for each place
/// in a vector, whatever the processor has.
#[inline(always)]
fn products<S: Simd, const COLUMNS: usize>(
    simd: S,
    columns: &[f64],
    (size, from): (usize, usize),
    y: &[f64],
) -> [f64; GROUP] {
    let column: [&[f64]; COLUMNS] = std::array::from_fn(|c| &columns[c * size + from..][..y.len()]);
    let mut parts = [f64x8::splat(simd, 0.0); COLUMNS];
    let mut at = 0;
    while at + 8 <= y.len() {
        let y = f64x8::from_slice(simd, &y[at..at + 8]);
        for c in 0..COLUMNS {
            parts[c] += y * f64x8::from_slice(simd, &column[c][at..at + 8]);
        }
        at += 8;
    }
    let mut last = [f64x4::splat(simd, 0.0); COLUMNS];
    if at + 4 <= y.len() {
        let y = f64x4::from_slice(simd, &y[at..at + 4]);
        for c in 0..COLUMNS {
            last[c] = y * f64x4::from_slice(simd, &column[c][at..at + 4]);
        }
    }
    let mut sums = [0.0; GROUP];
    for c in 0..COLUMNS {
        let (low, high) = parts[c].split();
        let p = (low + high) + last[c];
        let p = p.as_slice();
        sums[c] = (p[0] + p[2]) + (p[1] + p[3]);
    }
    sums
}
