//! Dense linear systems: LU with full pivoting.
//!
//! The order of every operation is that of the vector library behind the course's program (Eigen
//! 3.0 beta, `FullPivLU`): the pivot is the first entry of largest size in column-major order,
//! multipliers are formed with the reciprocal of the pivot, triangular solves go column by column.
//! Up to eight unknowns the result has the same bits; beyond that Eigen sums in blocks, and the
//! last digits differ.
//!
//! Golub, Van Loan, *Matrix Computations*, section 3.4.8 (complete pivoting).

/// P A Q = L U, where P and Q permute rows and columns. Keeps its buffers from one matrix to the
/// next.
#[derive(Debug, Clone, Default)]
pub struct FullPivotLu {
    size: usize,
    /// L below and U on and above the diagonal, column by column.
    factors: Vec<f64>,
    /// `rows[i]` is the row of A that has become row i, and likewise for columns.
    rows: Vec<usize>,
    columns: Vec<usize>,
    rank: usize,
    work: Vec<f64>,
}

impl FullPivotLu {
    /// Factors the `size` × `size` matrix whose entry (i, j) is `entry(i, j)`.
    pub fn factor(&mut self, size: usize, mut entry: impl FnMut(usize, usize) -> f64) {
        self.size = size;
        self.factors.clear();
        for column in 0..size {
            self.factors.extend((0..size).map(|row| entry(row, column)));
        }
        self.rows.clear();
        self.rows.extend(0..size);
        self.columns.clear();
        self.columns.extend(0..size);
        self.work.resize(size, 0.0);

        let mut largest_pivot = 0.0f64;
        let mut pivots = 0;
        for k in 0..size {
            let (row, column, pivot) = self.largest_from(k);
            // A NaN is never the largest; a matrix of them has rank zero.
            if pivot == 0.0 {
                break;
            }
            largest_pivot = largest_pivot.max(pivot);
            self.swap(k, row, column);
            self.eliminate(k);
            pivots += 1;
        }
        // The rank that Eigen finds: pivots above machine precision times size times the largest of
        // them.
        let threshold = largest_pivot * f64::EPSILON * size as f64;
        self.rank = (0..pivots).filter(|&k| self.factors[k + k * size].abs() > threshold).count();
    }

    /// How many pivots count as different from zero. Below the size of the matrix it is singular to
    /// working precision.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Solves A x = b, with `x` holding b at first. If A is singular, unknowns without a pivot are
    /// set to zero and the equations that are left are solved.
    ///
    /// The length of `x` is the size of the factored matrix; unknowns beyond it are ignored.
    pub fn solve(&mut self, x: &mut [f64]) {
        let (n, rank) = (self.size, self.rank);
        let work = &mut self.work;
        for i in 0..n {
            work[i] = x[self.rows[i]];
        }
        for k in 0..n {
            let known = work[k];
            for i in k + 1..n {
                work[i] -= known * self.factors[i + k * n];
            }
        }
        for k in (0..rank).rev() {
            work[k] /= self.factors[k + k * n];
            let known = work[k];
            for i in 0..k {
                work[i] -= known * self.factors[i + k * n];
            }
        }
        for i in 0..n {
            x[self.columns[i]] = if i < rank { work[i] } else { 0.0 };
        }
    }

    /// Row, column and size of the first largest entry of the corner that begins at (k, k).
    fn largest_from(&self, k: usize) -> (usize, usize, f64) {
        let mut best = (k, k, 0.0);
        for column in k..self.size {
            for row in k..self.size {
                let size = self.factors[row + column * self.size].abs();
                if size > best.2 {
                    best = (row, column, size);
                }
            }
        }
        best
    }

    fn swap(&mut self, k: usize, row: usize, column: usize) {
        let n = self.size;
        if row != k {
            (0..n).for_each(|j| self.factors.swap(k + j * n, row + j * n));
            self.rows.swap(k, row);
        }
        if column != k {
            (0..n).for_each(|i| self.factors.swap(i + k * n, i + column * n));
            self.columns.swap(k, column);
        }
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.size;
        let reciprocal = 1.0 / self.factors[k + k * n];
        (k + 1..n).for_each(|i| self.factors[i + k * n] *= reciprocal);
        for j in k + 1..n {
            let above = self.factors[k + j * n];
            for i in k + 1..n {
                self.factors[i + j * n] -= self.factors[i + k * n] * above;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn solve(matrix: &[&[f64]], right: &[f64]) -> (Vec<f64>, usize) {
        let mut lu = FullPivotLu::default();
        lu.factor(right.len(), |i, j| matrix[i][j]);
        let mut x = right.to_vec();
        lu.solve(&mut x);
        (x, lu.rank())
    }

    #[test]
    fn exact_on_a_permuted_triangle() {
        let (x, rank) = solve(&[&[0.0, 0.0, 2.0], &[4.0, 1.0, 0.0], &[0.0, 1.0, 1.0]], &[6.0, 6.0, 5.0]);
        assert_eq!((x, rank), (vec![1.0, 2.0, 3.0], 3));
    }

    #[test]
    fn empty_matrix() {
        assert_eq!(solve(&[], &[]), (vec![], 0));
    }

    #[test]
    fn singular_matrix_is_reported_and_consistent_equations_are_solved() {
        let (x, rank) = solve(&[&[1.0, 2.0], &[2.0, 4.0]], &[3.0, 6.0]);
        assert_eq!(rank, 1);
        assert_eq!(x[0] + 2.0 * x[1], 3.0);
        assert_eq!(solve(&[&[0.0]], &[5.0]), (vec![0.0], 0));
    }

    #[test]
    fn not_a_number_is_not_a_pivot() {
        assert_eq!(solve(&[&[f64::NAN]], &[1.0]).1, 0);
    }

    proptest! {
        /// The right side is made from a planted solution; the residual must be at rounding.
        #[test]
        fn finds_the_planted_solution(
            size in 1usize..12,
            numbers in proptest::collection::vec(-1.0..1.0f64, 144 + 12),
        ) {
            let entry = |i: usize, j: usize| numbers[i * 12 + j] + if i == j { 4.0 } else { 0.0 };
            let planted = &numbers[144..144 + size];
            let mut x: Vec<f64> =
                (0..size).map(|i| (0..size).map(|j| entry(i, j) * planted[j]).sum()).collect();
            let mut lu = FullPivotLu::default();
            lu.factor(size, entry);
            lu.solve(&mut x);
            prop_assert_eq!(lu.rank(), size);
            // Rows of noise may outweigh the diagonal: the error is bounded through the residual
            // instead.
            for i in 0..size {
                let residual: f64 = (0..size).map(|j| entry(i, j) * (x[j] - planted[j])).sum();
                prop_assert!(residual.abs() < 1e-12, "row {i}: {residual}");
            }
        }
    }
}
