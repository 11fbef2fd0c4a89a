//! Partial LU of a dense front.
//!
//! The widest vector instructions of the processor are chosen when the program runs. The bits do
//! not depend on them: each number is computed by the same sums in the same order, and no product
//! is fused with a sum.

use fearless_simd::{Level, Simd, SimdFloat, dispatch, f64x8};

/// Columns that are eliminated before the rest of the front is updated: a panel of rows of U stays
/// in the cache.
const PANEL: usize = 16;
/// Rows that are updated together.
const ROWS: usize = 4;
/// Columns of a vector.
const LANES: usize = 8;

/// Numbers that a row of a front takes: a vector may reach beyond its last column, into zeros.
pub(super) fn stride(size: usize) -> usize {
    (size + 2 * LANES - 1).next_multiple_of(LANES)
}

/// Eliminates the first `pivots` unknowns of a front of `size` rows, row-major, with row exchanges
/// among the pivot rows. Appends the exchanges. Pivots below `smallest` times the largest entry of
/// their row are replaced by that bound; returns how many.
pub(super) fn eliminate(
    level: Level,
    front: &mut [f64],
    (size, pivots): (usize, usize),
    smallest: f64,
    exchanges: &mut Vec<u32>,
) -> usize {
    dispatch!(level, simd => eliminate_with(simd, front, (size, pivots), smallest, exchanges))
}

#[inline(always)]
fn eliminate_with<S: Simd>(
    simd: S,
    front: &mut [f64],
    (size, pivots): (usize, usize),
    smallest: f64,
    exchanges: &mut Vec<u32>,
) -> usize {
    let (columns, size) = (size, stride(size));
    let mut replaced = 0;
    let mut start = 0;
    while start < pivots {
        let end = pivots.min(start + PANEL);
        for k in start..end {
            replaced += usize::from(pivot(front, size, (k, pivots), smallest, exchanges));
            let inverse = 1.0 / front[k * size + k];
            let (above, below) = front.split_at_mut((k + 1) * size);
            let pivot_row = &above[k * size + k + 1..k * size + end];
            for row in below.chunks_exact_mut(size) {
                let factor = row[k] * inverse;
                row[k] = factor;
                if factor != 0.0 {
                    for (target, &u) in row[k + 1..end].iter_mut().zip(pivot_row) {
                        *target -= factor * u;
                    }
                }
            }
        }
        // Rows of U of this panel, right of the panel; then all rows below.
        for k in start + 1..end {
            let (above, below) = front.split_at_mut(k * size);
            update::<S, 1>(
                simd,
                &mut below[..size],
                &above[start * size..],
                (size, start, (end, columns), k - start),
            );
        }
        let (above, below) = front.split_at_mut(end * size);
        let upper = &above[start * size..];
        let mut groups = below.chunks_exact_mut(ROWS * size);
        for rows in &mut groups {
            update::<S, ROWS>(simd, rows, upper, (size, start, (end, columns), end - start));
        }
        for row in groups.into_remainder().chunks_exact_mut(size) {
            update::<S, 1>(simd, row, upper, (size, start, (end, columns), end - start));
        }
        start = end;
    }
    replaced
}

/// Subtracts L U from the columns `end..columns` of `COUNT` rows: L in their columns `start..`, U
/// in the first `terms` rows of `upper`. Sums stay in registers over the whole panel.
#[inline(always)]
fn update<S: Simd, const COUNT: usize>(
    simd: S,
    rows: &mut [f64],
    upper: &[f64],
    (size, start, (end, columns), terms): (usize, usize, (usize, usize), usize),
) {
    let mut column = end;
    while column + LANES < columns {
        tile::<S, f64x8<S>, COUNT, 2>(simd, rows, upper, (size, start, terms, column));
        column += 2 * LANES;
    }
    if column < columns {
        tile::<S, f64x8<S>, COUNT, 1>(simd, rows, upper, (size, start, terms, column));
    }
}

#[inline(always)]
fn tile<S: Simd, V: SimdFloat<S, Element = f64>, const COUNT: usize, const VECTORS: usize>(
    simd: S,
    rows: &mut [f64],
    upper: &[f64],
    (size, start, terms, column): (usize, usize, usize, usize),
) {
    let mut sum = [[V::splat(simd, 0.0); VECTORS]; COUNT];
    for (k, u) in upper.chunks_exact(size).take(terms).enumerate() {
        let u = &u[column..column + LANES * VECTORS];
        let mut across = [V::splat(simd, 0.0); VECTORS];
        for v in 0..VECTORS {
            across[v] = V::from_slice(simd, &u[LANES * v..LANES * (v + 1)]);
        }
        for r in 0..COUNT {
            let factor = V::splat(simd, rows[r * size + start + k]);
            for v in 0..VECTORS {
                sum[r][v] += across[v] * factor;
            }
        }
    }
    for r in 0..COUNT {
        for v in 0..VECTORS {
            let target = &mut rows[r * size + column + LANES * v..][..LANES];
            (V::from_slice(simd, target) - sum[r][v]).store_slice(target);
        }
    }
}

/// Brings the largest entry of column `k` among the pivot rows to the diagonal.
#[inline(always)]
fn pivot(
    front: &mut [f64],
    size: usize,
    (k, pivots): (usize, usize),
    smallest: f64,
    exchanges: &mut Vec<u32>,
) -> bool {
    let (mut best, mut largest) = (k, front[k * size + k].abs());
    for row in k + 1..pivots {
        let entry = front[row * size + k].abs();
        if entry > largest {
            (best, largest) = (row, entry);
        }
    }
    exchanges.push(best as u32);
    if best != k {
        let (above, below) = front.split_at_mut(best * size);
        above[k * size..(k + 1) * size].swap_with_slice(&mut below[..size]);
    }
    let across = front[k * size..(k + 1) * size].iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let bound = smallest * across.max(smallest);
    let diagonal = &mut front[k * size + k];
    if diagonal.abs() >= bound && *diagonal != 0.0 {
        return false;
    }
    *diagonal = if *diagonal < 0.0 { -bound } else { bound };
    true
}
