//! The symmetric positive definite matrix M of the quadratic programs: diagonal, with a few entries
//! beside it.

/// One entry of M off the diagonal, in its row and column and the other way round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffDiagonal {
    /// Larger index.
    pub row: u32,
    /// Smaller index.
    pub column: u32,
    /// The entry.
    pub value: f64,
}

/// A block-diagonal matrix written as its diagonal and the few entries beside it.
///
/// Point masses and planar bodies need the diagonal only; a spatial body adds the three products of
/// inertia of its 3 × 3 block. An infinite diagonal entry marks a variable that cannot move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockDiagonalMass {
    /// The diagonal.
    pub diagonal: Vec<f64>,
    /// Entries off the diagonal, each once.
    pub off_diagonal: Vec<OffDiagonal>,
}

impl BlockDiagonalMass {
    /// Forgets contents, keeps memory.
    pub fn clear(&mut self) {
        self.diagonal.clear();
        self.off_diagonal.clear();
    }

    /// True if the diagonal is positive (or infinite) and every other entry is finite and inside
    /// the matrix, between variables that can move.
    pub fn is_valid(&self) -> bool {
        let n = self.diagonal.len();
        self.diagonal.iter().all(|&m| m > 0.0)
            && self.off_diagonal.iter().all(|e| {
                (e.row as usize) < n
                    && e.column < e.row
                    && e.value.is_finite()
                    && self.diagonal[e.row as usize].is_finite()
                    && self.diagonal[e.column as usize].is_finite()
            })
    }

    /// ½ vᵀMv over the variables that can move.
    pub fn half_square(&self, v: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (&m, &x) in self.diagonal.iter().zip(v) {
            if m.is_finite() {
                sum += m * x * x;
            }
        }
        for e in &self.off_diagonal {
            sum += 2.0 * e.value * v[e.row as usize] * v[e.column as usize];
        }
        0.5 * sum
    }
}
