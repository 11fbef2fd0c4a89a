//! Partial LU of a dense front.

/// Columns that are eliminated before the rest of the front is updated: a panel of rows of U stays
/// in the cache.
const PANEL: usize = 32;

/// Eliminates the first `pivots` unknowns of a front of `size` rows, row-major, with row exchanges
/// among the pivot rows. Appends the exchanges. Pivots below `smallest` times the largest entry of
/// their column of the front are replaced by that bound; returns how many.
pub(super) fn eliminate(
    front: &mut [f64],
    size: usize,
    pivots: usize,
    smallest: f64,
    exchanges: &mut Vec<u32>,
) -> usize {
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
        // Rows of U of this panel, right of the panel.
        for k in start + 1..end {
            let (above, below) = front.split_at_mut(k * size);
            let (lower, target) = below[start..size].split_at_mut(end - start);
            update(target, &lower[..k - start], &above[start * size..], (size, end));
        }
        let (above, below) = front.split_at_mut(end * size);
        for row in below.chunks_exact_mut(size) {
            let (lower, target) = row[start..].split_at_mut(end - start);
            update(target, lower, &above[start * size..], (size, end));
        }
        start = end;
    }
    replaced
}

/// `target -= Σ lower[k] · U[k]`, with row k of U at `rows[k * size + from..]`. Four at a time: one
/// pass over the target serves four rows.
fn update(target: &mut [f64], lower: &[f64], rows: &[f64], (size, from): (usize, usize)) {
    let width = target.len();
    if width == 0 {
        return;
    }
    let row = |k: usize| &rows[k * size + from..k * size + from + width];
    let mut k = 0;
    while k + 4 <= lower.len() {
        let (a, b, c, d) = (lower[k], lower[k + 1], lower[k + 2], lower[k + 3]);
        if a != 0.0 || b != 0.0 || c != 0.0 || d != 0.0 {
            let (ra, rb, rc, rd) = (row(k), row(k + 1), row(k + 2), row(k + 3));
            for i in 0..width {
                target[i] -= (a * ra[i] + b * rb[i]) + (c * rc[i] + d * rd[i]);
            }
        }
        k += 4;
    }
    while k < lower.len() {
        let a = lower[k];
        if a != 0.0 {
            for (t, &u) in target.iter_mut().zip(row(k)) {
                *t -= a * u;
            }
        }
        k += 1;
    }
}

/// Brings the largest entry of column `k` among the pivot rows to the diagonal.
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
    let beyond = (pivots..size).map(|row| front[row * size + k].abs()).fold(0.0, f64::max);
    let bound = smallest * largest.max(beyond).max(smallest);
    let diagonal = &mut front[k * size + k];
    if diagonal.abs() >= bound && *diagonal != 0.0 {
        return false;
    }
    *diagonal = if *diagonal < 0.0 { -bound } else { bound };
    true
}
