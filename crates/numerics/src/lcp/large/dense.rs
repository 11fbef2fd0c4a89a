//! Dense kernels on one front, a lower triangle by columns in a square of `size` rows.
//!
//! The widest vector instructions of the processor are chosen when the program runs. The bits of the answer do not depend on
//! them: every number is computed by the same sums in the same order, only several at a time, and no product is fused with a sum.

use fearless_simd::{Level, Simd, SimdBase, dispatch, f64x4, f64x8};

/// Columns taken in one pass over the rows below them.
const GROUP: usize = 4;
/// Earlier columns in one pass: their parts of a tile's rows stay in the near cache.
const PASS: usize = 64;

/// The vector instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instructions(Level);

impl Default for Instructions {
    fn default() -> Self {
        Instructions(Level::new())
    }
}

/// Rows and columns that a front of this size takes in memory: whole groups.
pub(super) fn padded(size: usize) -> usize {
    size.next_multiple_of(GROUP)
}

/// Eliminates the first `columns` columns of a front of `size` rows and columns, a padded number, in place: L where they were,
/// the Schur complement behind. False if a pivot is not positive. What stands above the diagonal is overwritten without meaning.
pub(super) fn eliminate(with: Instructions, front: &mut [f64], size: usize, columns: usize) -> bool {
    dispatch!(with.0, simd => eliminate_with(simd, front, size, columns))
}

#[inline(always)]
fn eliminate_with<S: Simd>(simd: S, front: &mut [f64], size: usize, columns: usize) -> bool {
    for column in (0..size).step_by(GROUP) {
        let (done, rest) = front.split_at_mut(column * size);
        let group = &mut rest[..GROUP * size];
        for panel in done[..column.min(columns) * size].chunks(PASS * size) {
            let mut row = column;
            while row + 8 <= size {
                subtract_tile::<S, 2>(simd, panel, (size, row, column), group);
                row += 8;
            }
            if row < size {
                subtract_tile::<S, 1>(simd, panel, (size, row, column), group);
            }
        }
        if column < columns && !eliminate_group(group, size, column, GROUP.min(columns - column)) {
            return false;
        }
    }
    true
}

/// C -= Σₖ L[rows][k] L[columns][k] for four columns and one or two times four rows, held in registers over all earlier
/// columns of the pass.
#[inline(always)]
fn subtract_tile<S: Simd, const VECTORS: usize>(
    simd: S,
    panel: &[f64],
    (size, row, column): (usize, usize, usize),
    group: &mut [f64],
) {
    let mut sum = [[f64x4::splat(simd, 0.0); VECTORS]; GROUP];
    for l in panel.chunks_exact(size) {
        let rows = &l[row..row + 4 * VECTORS];
        let across = &l[column..column + GROUP];
        let mut down = [f64x4::splat(simd, 0.0); VECTORS];
        for v in 0..VECTORS {
            down[v] = f64x4::from_slice(simd, &rows[4 * v..4 * v + 4]);
        }
        for c in 0..GROUP {
            let factor = f64x4::splat(simd, across[c]);
            for v in 0..VECTORS {
                sum[c][v] += down[v] * factor;
            }
        }
    }
    for c in 0..GROUP {
        for v in 0..VECTORS {
            let target = &mut group[c * size + row + 4 * v..][..4];
            (f64x4::from_slice(simd, target) - sum[c][v]).store_slice(target);
        }
    }
}

/// The columns of a group from which all earlier columns have been subtracted; only the first `pivots` are eliminated.
#[inline(always)]
fn eliminate_group(group: &mut [f64], size: usize, column: usize, pivots: usize) -> bool {
    for c in 0..GROUP {
        let (done, rest) = group.split_at_mut(c * size);
        let one = &mut rest[column + c..size];
        for l in done.chunks_exact(size).take(pivots) {
            let l = &l[column + c..];
            let factor = l[0];
            for (x, l) in one.iter_mut().zip(l) {
                *x -= factor * l;
            }
        }
        if c < pivots {
            if one[0] <= 0.0 || !one[0].is_finite() {
                return false;
            }
            let pivot = one[0].sqrt();
            let inverse = 1.0 / pivot;
            one[0] = pivot;
            for x in &mut one[1..] {
                *x *= inverse;
            }
        }
    }
    true
}

/// sum += L₂₁ x, four columns at a time.
pub(super) fn add_products(with: Instructions, panel: &[f64], size: usize, x: &[f64], sum: &mut [f64]) {
    dispatch!(with.0, simd => add_products_with(simd, panel, size, x, sum))
}

#[inline(always)]
fn add_products_with<S: Simd>(_: S, panel: &[f64], size: usize, x: &[f64], sum: &mut [f64]) {
    let (columns, length) = (x.len(), sum.len());
    let column = |k: usize| &panel[k * size + columns..][..length];
    let mut k = 0;
    while k + 4 <= columns {
        let (c0, c1, c2, c3) = (column(k), column(k + 1), column(k + 2), column(k + 3));
        let (x0, x1, x2, x3) = (x[k], x[k + 1], x[k + 2], x[k + 3]);
        for i in 0..length {
            sum[i] += (x0 * c0[i] + x1 * c1[i]) + (x2 * c2[i] + x3 * c3[i]);
        }
        k += 4;
    }
    while k < columns {
        let c0 = column(k);
        for i in 0..length {
            sum[i] += x[k] * c0[i];
        }
        k += 1;
    }
}

/// y -= L₂₁ᵀ x. Every sum runs in eight parts, one for each place in a vector, whatever the processor has.
pub(super) fn subtract_transposed(with: Instructions, panel: &[f64], size: usize, x: &[f64], y: &mut [f64]) {
    dispatch!(with.0, simd => subtract_transposed_with(simd, panel, size, x, y))
}

#[inline(always)]
fn subtract_transposed_with<S: Simd>(simd: S, panel: &[f64], size: usize, x: &[f64], y: &mut [f64]) {
    let (columns, length) = (y.len(), x.len());
    let column = |k: usize| &panel[k * size + columns..][..length];
    let mut k = 0;
    while k + 4 <= columns {
        let sums = products::<S, 4>(simd, [column(k), column(k + 1), column(k + 2), column(k + 3)], x);
        for (y, sum) in y[k..k + 4].iter_mut().zip(sums) {
            *y -= sum;
        }
        k += 4;
    }
    while k < columns {
        y[k] -= products::<S, 1>(simd, [column(k)], x)[0];
        k += 1;
    }
}

/// The products of some columns with x.
#[inline(always)]
fn products<S: Simd, const COLUMNS: usize>(simd: S, column: [&[f64]; COLUMNS], x: &[f64]) -> [f64; COLUMNS] {
    let mut parts = [f64x8::splat(simd, 0.0); COLUMNS];
    let whole = x.len() - x.len() % 8;
    for i in (0..whole).step_by(8) {
        let x = f64x8::from_slice(simd, &x[i..i + 8]);
        for c in 0..COLUMNS {
            parts[c] += x * f64x8::from_slice(simd, &column[c][i..i + 8]);
        }
    }
    let mut sums = [0.0; COLUMNS];
    for c in 0..COLUMNS {
        let p = parts[c].as_slice();
        sums[c] = ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]));
        for i in whole..x.len() {
            sums[c] += x[i] * column[c][i];
        }
    }
    sums
}
