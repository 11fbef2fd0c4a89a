//! A Cholesky factor that grows and shrinks by one row at a time.
//!
//! Golub, Van Loan, *Matrix Computations* (4th ed.), sections 4.2 (factorization) and 6.5 (rows
//! removed with Givens rotations). A_CC = LLᵀ, L lower triangular, rows in the order in which they
//! were added.

/// L of A_CC = LLᵀ, stored by rows of growing length.
#[derive(Clone, Debug, Default)]
pub struct GrowingCholesky {
    l: Vec<f64>,
    len: usize,
}

fn offset(row: usize) -> usize {
    row * (row + 1) / 2
}

impl GrowingCholesky {
    /// Forgets everything, keeps memory.
    pub fn clear(&mut self) {
        self.l.clear();
        self.len = 0;
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Solves L y = x in place.
    pub fn forward(&self, x: &mut [f64]) {
        for i in 0..self.len {
            let row = &self.l[offset(i)..offset(i) + i + 1];
            let mut sum = x[i];
            for (l, y) in row[..i].iter().zip(&x[..i]) {
                sum -= l * y;
            }
            x[i] = sum / row[i];
        }
    }

    /// Solves Lᵀ y = x in place.
    pub fn backward(&self, x: &mut [f64]) {
        for i in (0..self.len).rev() {
            let row = &self.l[offset(i)..offset(i) + i + 1];
            x[i] /= row[i];
            let value = x[i];
            for (l, y) in row[..i].iter().zip(&mut x[..i]) {
                *y -= l * value;
            }
        }
    }

    /// Appends a row, given y = L⁻¹ A_Ci and the Schur complement s = A_ii − yᵀy > 0.
    pub fn push(&mut self, y: &[f64], schur: f64) {
        debug_assert!(y.len() == self.len && schur > 0.0, "the new row must be independent of the others");
        self.l.extend_from_slice(y);
        self.l.push(schur.sqrt());
        self.len += 1;
    }

    /// Removes row and column k.
    pub fn remove(&mut self, k: usize) {
        for i in k + 1..self.len {
            let (from, to) = (offset(i), offset(i - 1));
            // Row i loses its entry in column k by a rotation of columns (i - 1, i) from here on.
            let mut row_tail = self.l[from + i];
            let mut row_head = self.l[from + i - 1];
            let radius = (row_head * row_head + row_tail * row_tail).sqrt();
            let (c, s) = (row_head / radius, row_tail / radius);
            for j in i + 1..self.len {
                let at = offset(j);
                let (head, tail) = (self.l[at + i - 1], self.l[at + i]);
                self.l[at + i - 1] = c * head + s * tail;
                self.l[at + i] = c * tail - s * head;
            }
            row_head = radius;
            row_tail = 0.0;
            self.l[from + i - 1] = row_head;
            self.l[from + i] = row_tail;
            self.l.copy_within(from..from + i, to);
        }
        self.len -= 1;
        self.l.truncate(offset(self.len));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(f: &GrowingCholesky) -> Vec<f64> {
        let n = f.len();
        let entry = |i: usize, j: usize| if j <= i { f.l[offset(i) + j] } else { 0.0 };
        (0..n * n).map(|ij| (0..n).map(|k| entry(ij / n, k) * entry(ij % n, k)).sum()).collect()
    }

    #[test]
    fn rows_come_and_go() {
        let a = |i: usize, j: usize| if i == j { 4.0 + i as f64 } else { 1.0 / (1.0 + i as f64 + j as f64) };
        for gone in 0..5 {
            let mut f = GrowingCholesky::default();
            for i in 0..5 {
                let mut y: Vec<f64> = (0..i).map(|j| a(i, j)).collect();
                f.forward(&mut y);
                let schur = a(i, i) - y.iter().map(|v| v * v).sum::<f64>();
                f.push(&y, schur);
            }
            f.remove(gone);
            let kept: Vec<usize> = (0..5).filter(|&i| i != gone).collect();
            let p = product(&f);
            for i in 0..4 {
                for j in 0..4 {
                    assert!((p[i * 4 + j] - a(kept[i], kept[j])).abs() < 1e-14, "row {gone} removed");
                }
            }
            let mut x = vec![1.0, -2.0, 3.0, 0.5];
            let right = x.clone();
            f.forward(&mut x);
            f.backward(&mut x);
            for i in 0..4 {
                let back: f64 = (0..4).map(|j| a(kept[i], kept[j]) * x[j]).sum();
                assert!((back - right[i]).abs() < 1e-13);
            }
        }
    }
}
