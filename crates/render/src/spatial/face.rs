//! Convex polygons, row by row: which grid points lie inside.

use std::ops::Range;

/// Calls `row(y, columns)` for every row of grid points (their coordinates are whole numbers plus a
/// half) that the polygon covers.
///
/// Left and lower borders count, right and upper ones do not, and the ends of an edge are taken in
/// the same order whichever way it runs: two polygons that share an edge share no grid point and
/// leave none out.
pub(super) fn scan(
    points: &[[f64; 2]],
    rows: Range<usize>,
    width: usize,
    mut row: impl FnMut(usize, Range<usize>),
) {
    let (low, high) =
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[1]), h.max(p[1])));
    let inside = |value: f64, range: &Range<usize>| {
        (value - 0.5).ceil().clamp(range.start as f64, range.end as f64) as usize
    };
    for y in inside(low, &rows)..inside(high, &rows) {
        let middle = y as f64 + 0.5;
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (at, &start) in points.iter().enumerate() {
            let end = points[(at + 1) % points.len()];
            let (a, b) = if start[1] <= end[1] { (start, end) } else { (end, start) };
            if a[1] <= middle && middle < b[1] {
                let x = a[0] + (middle - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let columns = inside(left, &(0..width))..inside(right, &(0..width));
        if left < right && columns.start < columns.end {
            row(y, columns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(points: &[[f64; 2]]) -> usize {
        let mut sum = 0;
        scan(points, 0..100, 100, |_, columns| sum += columns.len());
        sum
    }

    #[test]
    fn a_square_covers_as_many_points_as_its_area() {
        assert_eq!(count(&[[10.0, 10.0], [30.0, 10.0], [30.0, 25.0], [10.0, 25.0]]), 300);
        assert_eq!(count(&[[-50.0, -50.0], [500.0, -50.0], [500.0, 500.0], [-50.0, 500.0]]), 10_000);
        assert_eq!(count(&[[10.0, 10.0], [20.0, 20.0]]), 0);
    }

    #[test]
    fn pieces_of_a_polygon_share_no_point_and_leave_none_out() {
        let middle = [47.3, 52.9];
        let rim: Vec<[f64; 2]> = (0..9)
            .map(|k| f64::from(k) * std::f64::consts::TAU / 9.0)
            .map(|a| [50.0 + 40.0 * libm::cos(a), 50.0 + 40.0 * libm::sin(a)])
            .collect();
        let mut seen = vec![0; 10_000];
        for k in 0..9 {
            scan(&[middle, rim[k], rim[(k + 1) % 9]], 0..100, 100, |y, columns| {
                columns.for_each(|x| seen[100 * y + x] += 1);
            });
        }
        assert!(seen.iter().all(|n| *n <= 1), "a point is covered twice");
        assert_eq!(seen.iter().sum::<usize>(), count(&rim));
    }
}
