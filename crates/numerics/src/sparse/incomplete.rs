//! Incomplete factors that keep the entries of the matrix outside the diagonal, and the
//! preconditioned operator.
//!
//! With A = L + A_D + U (strictly lower, diagonal, strictly upper blocks), the preconditioner is
//! (D + L) D⁻¹ (D + U), where D is chosen such that its diagonal is that of A: D-ILU, Saad,
//! *Iterative Methods for Sparse Linear Systems*, section 10.3.1, equation 10.20, on two by two
//! blocks. Only D is new, so memory grows in proportion to the number of unknowns.
//!
//! Rows are scaled by D⁻¹, which turns the preconditioner into (1 + L) (1 + U) with the scaled L
//! and U. The preconditioned operator is (1 + L)⁻¹ A (1 + U)⁻¹. Since A = (1 + L) + (1 + U) + (A_D
//! − 2), it takes one sweep up and one sweep down, no more than a product with A alone: Eisenstat,
//! "Efficient implementation of a class of preconditioned conjugate gradient methods" (SIAM J. Sci.
//! Stat. Comput. 2, 1981).

use super::block::{Block, ZERO, apply, inverse, product, size, subtract_product};
use super::level_order::level_order;
use super::matrix::{BlockMatrix, BlockPattern};

/// A pivot that fails this is not worth having in an approximate inverse.
const LARGEST_GROWTH: f64 = 1e10;

/// A matrix in an order of its own, with its incomplete factors.
#[derive(Debug, Clone)]
pub(super) struct Incomplete {
    /// `order[k]` is the row that has become row k.
    pub(super) order: Vec<u32>,
    lower: Triangle,
    upper: Triangle,
    /// D and its inverse.
    pivots: Vec<Block>,
    pivot_inverses: Vec<Block>,
    /// D⁻¹ A_D − 2.
    rests: Vec<Block>,
    /// Results of the sweep up and of the sweep down.
    upward: Vec<[f64; 2]>,
    downward: Vec<[f64; 2]>,
}

/// The blocks on one side of the diagonal, row by row.
#[derive(Debug, Clone, Default)]
struct Triangle {
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// Entry numbers in the original matrix.
    source: Vec<u32>,
    values: Vec<Block>,
}

impl Triangle {
    fn push_row(&mut self, places: &[(u32, u32)]) {
        self.columns.extend(places.iter().map(|place| place.0));
        self.source.extend(places.iter().map(|place| place.1));
        self.starts.push(self.columns.len());
        self.values.resize(self.columns.len(), ZERO);
    }

    /// Multiplies row k by a block from the left.
    fn scale_row(&mut self, k: usize, factor: Block) {
        let row = self.starts[k]..self.starts[k + 1];
        self.values[row].iter_mut().for_each(|value| *value = product(factor, *value));
    }

    fn load(&mut self, matrix: &BlockMatrix) {
        for (value, &source) in self.values.iter_mut().zip(&self.source) {
            *value = matrix.values()[source as usize];
        }
    }

    /// start − Σ row k · x. Always inline: the sums must stay in registers.
    #[inline(always)]
    fn subtract_row(&self, k: usize, x: &[[f64; 2]], start: [f64; 2]) -> [f64; 2] {
        let row = self.starts[k]..self.starts[k + 1];
        let [mut first, mut second] = start;
        for (value, column) in self.values[row.clone()].iter().zip(&self.columns[row]) {
            let term = apply(*value, x[*column as usize]);
            first -= term[0];
            second -= term[1];
        }
        [first, second]
    }
}

impl Incomplete {
    pub(super) fn new(pattern: &BlockPattern) -> Self {
        let n = pattern.size();
        let order = level_order(pattern);
        let mut position = vec![0; n];
        order.iter().enumerate().for_each(|(k, &i)| position[i as usize] = k as u32);

        let empty = Triangle { starts: vec![0], ..Triangle::default() };
        let (mut lower, mut upper) = (empty.clone(), empty);
        let mut row: Vec<(u32, u32)> = Vec::new();
        for k in 0..n {
            row.clear();
            let entries = pattern.row(order[k] as usize);
            row.extend(entries.map(|entry| (position[pattern.column(entry)], entry as u32)));
            row.sort_unstable();
            let middle = row.partition_point(|place| (place.0 as usize) < k);
            lower.push_row(&row[..middle]);
            upper.push_row(&row[middle + 1..]);
        }
        let blocks = vec![ZERO; n];
        let zeros = vec![[0.0; 2]; n];
        Self {
            order,
            lower,
            upper,
            pivots: blocks.clone(),
            pivot_inverses: blocks.clone(),
            rests: blocks,
            upward: zeros.clone(),
            downward: zeros,
        }
    }

    /// Blocks that it holds: those of the matrix, and two more diagonals.
    pub(super) fn entries(&self) -> u64 {
        (self.lower.columns.len() + self.upper.columns.len() + 3 * self.pivots.len()) as u64
    }

    /// Takes the values of a matrix and computes D. `false` if a pivot is too small.
    pub(super) fn factor(&mut self, matrix: &BlockMatrix) -> bool {
        self.lower.load(matrix);
        self.upper.load(matrix);
        for (pivot, &row) in self.pivots.iter_mut().zip(&self.order) {
            *pivot = matrix.values()[matrix.pattern().diagonal(row as usize)];
        }
        (0..self.pivots.len()).all(|k| self.eliminate(k, matrix))
    }

    fn eliminate(&mut self, k: usize, matrix: &BlockMatrix) -> bool {
        let diagonal = matrix.values()[matrix.pattern().diagonal(self.order[k] as usize)];
        let Some(inverse) = inverse(self.pivots[k], size(diagonal), LARGEST_GROWTH) else { return false };
        // D_j = A_jj − Σ_k L_jk D_k⁻¹ U_kj, with row k's part subtracted as soon as D_k is known.
        for entry in self.upper.starts[k]..self.upper.starts[k + 1] {
            let later = self.upper.columns[entry] as usize;
            let mirrored = matrix.values()[matrix.pattern().mirror(self.upper.source[entry] as usize)];
            subtract_product(&mut self.pivots[later], product(mirrored, inverse), self.upper.values[entry]);
        }
        let scaled = product(inverse, diagonal);
        self.rests[k] = [scaled[0] - 2.0, scaled[1], scaled[2], scaled[3] - 2.0];
        self.lower.scale_row(k, inverse);
        self.upper.scale_row(k, inverse);
        self.pivot_inverses[k] = inverse;
        true
    }

    /// y = (1 + L)⁻¹ A (1 + U)⁻¹ x. Returns z · y and y · y, summed from first to last on the way:
    /// large systems wait for memory, not for arithmetic, so a vector is not read twice.
    pub(super) fn multiply(&mut self, x: &[[f64; 2]], y: &mut [[f64; 2]], z: &[[f64; 2]]) -> (f64, f64) {
        let (mut z_dot_y, mut y_dot_y) = (0.0, 0.0);
        let (upward, downward) = (&mut self.upward, &mut self.downward);
        for k in (0..x.len()).rev() {
            upward[k] = self.upper.subtract_row(k, upward, x[k]);
        }
        for k in 0..x.len() {
            let up = upward[k];
            let extra = apply(self.rests[k], up);
            let start = [x[k][0] + extra[0], x[k][1] + extra[1]];
            let down = self.lower.subtract_row(k, downward, start);
            downward[k] = down;
            let result = [down[0] + up[0], down[1] + up[1]];
            y[k] = result;
            z_dot_y += z[k][0] * result[0] + z[k][1] * result[1];
            y_dot_y += result[0] * result[0] + result[1] * result[1];
        }
        (z_dot_y, y_dot_y)
    }

    /// x ← (1 + L)⁻¹ D⁻¹ x: the right side of the preconditioned equations.
    pub(super) fn solve_lower(&self, x: &mut [[f64; 2]]) {
        for k in 0..x.len() {
            x[k] = self.lower.subtract_row(k, x, apply(self.pivot_inverses[k], x[k]));
        }
    }

    /// x ← (1 + U)⁻¹ x: from their solution to that of the original ones.
    pub(super) fn solve_upper(&self, x: &mut [[f64; 2]]) {
        for k in (0..x.len()).rev() {
            x[k] = self.upper.subtract_row(k, x, x[k]);
        }
    }
}
