//! A = NᵀM⁻¹N by its factors: sparse rows η with M⁻¹η beside them. A itself is formed only when
//! small.

use super::KktResidual;

/// The rows ηₖ of Nᵀ and the products M⁻¹ηₖ, compressed: Aᵢⱼ = ηᵢ · M⁻¹ηⱼ. Begin with
/// [`SparseJacobian::clear`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseJacobian {
    start: Vec<u32>,
    column: Vec<u32>,
    eta: Vec<f64>,
    scaled: Vec<f64>,
    columns: usize,
}

/// One row: columns in rising order, η and M⁻¹η.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Column indices, rising.
    pub column: &'a [u32],
    /// η.
    pub eta: &'a [f64],
    /// M⁻¹η.
    pub scaled: &'a [f64],
}

impl Row<'_> {
    /// ηᵀu.
    #[inline]
    pub fn dot(&self, u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (&c, &e) in self.column.iter().zip(self.eta) {
            sum += e * u[c as usize];
        }
        sum
    }

    /// u += λ M⁻¹η.
    #[inline]
    pub fn add_scaled_to(&self, u: &mut [f64], lambda: f64) {
        for (&c, &s) in self.column.iter().zip(self.scaled) {
            u[c as usize] += lambda * s;
        }
    }

    /// ηᵀM⁻¹η′.
    pub fn delassus(&self, other: &Row<'_>) -> f64 {
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while i < self.column.len() && j < other.column.len() {
            match self.column[i].cmp(&other.column[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    sum += self.eta[i] * other.scaled[j];
                    i += 1;
                    j += 1;
                }
            }
        }
        sum
    }
}

impl SparseJacobian {
    /// Forgets contents, keeps memory; the rows to come have this many columns.
    pub fn clear(&mut self, columns: usize) {
        self.start.clear();
        self.start.push(0);
        self.column.clear();
        self.eta.clear();
        self.scaled.clear();
        self.columns = columns;
    }

    /// Adds an entry (column, η, M⁻¹η) to the row being written. Columns must rise.
    pub fn push_entry(&mut self, column: u32, eta: f64, scaled: f64) {
        debug_assert!((column as usize) < self.columns, "a column beyond the width given to clear");
        self.column.push(column);
        self.eta.push(eta);
        self.scaled.push(scaled);
    }

    /// Ends the row being written.
    pub fn end_row(&mut self) {
        self.start.push(self.column.len() as u32);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of columns: the length of u.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of entries of all rows.
    pub fn entries(&self) -> usize {
        self.column.len()
    }

    /// Where rows start, and their columns.
    pub fn pattern(&self) -> (&[u32], &[u32]) {
        (&self.start, &self.column)
    }

    /// Row k.
    #[inline]
    pub fn row(&self, k: usize) -> Row<'_> {
        let range = self.start[k] as usize..self.start[k + 1] as usize;
        Row {
            column: &self.column[range.clone()],
            eta: &self.eta[range.clone()],
            scaled: &self.scaled[range],
        }
    }

    /// u = M⁻¹Nλ, summed in row order.
    pub fn combine(&self, lambda: &[f64], u: &mut Vec<f64>) {
        u.clear();
        u.resize(self.columns, 0.0);
        for (k, &l) in lambda.iter().enumerate() {
            if l != 0.0 {
                self.row(k).add_scaled_to(u, l);
            }
        }
    }

    /// A, dense, row by row.
    pub fn dense(&self, a: &mut Vec<f64>) {
        let n = self.len();
        a.clear();
        a.resize(n * n, 0.0);
        for i in 0..n {
            let row = self.row(i);
            for j in i..n {
                let value = row.delassus(&self.row(j));
                a[i * n + j] = value;
                a[j * n + i] = value;
            }
        }
    }

    /// Residual of λ for 0 ≤ λ ⊥ Nᵀu + b ≥ 0, where u = M⁻¹Nλ is given.
    pub fn residual(&self, lambda: &[f64], u: &[f64], b: &[f64]) -> KktResidual {
        let mut worst = KktResidual::default();
        for (k, (&l, &b)) in lambda.iter().zip(b).enumerate() {
            let row = self.row(k);
            worst = worst.max(KktResidual::of_row(l, row.dot(u) + b, row.delassus(&row)));
        }
        worst
    }
}
