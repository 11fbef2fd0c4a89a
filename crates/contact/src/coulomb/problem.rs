//! The contact problem as data.

use super::error::ProblemError;
use carom_numerics::sparse::frontal::Pattern;

/// The set in which the impulse of a contact lies. The first entry of a contact is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// A two-sided row (a joint): any impulse, no relative velocity.
    Free {
        /// Number of rows, 1 to 3.
        dim: u8,
    },
    /// One row: impulse and velocity not negative, one of them zero.
    NonNegative,
    /// Coulomb friction: |tangential impulse| ≤ μ · normal impulse.
    SecondOrder {
        /// Number of rows: 2 in 2D, 3 in 3D.
        dim: u8,
        /// Coefficient of friction, finite and not negative.
        mu: f64,
    },
}

impl Cone {
    /// Number of rows.
    pub fn dim(self) -> usize {
        match self {
            Self::Free { dim } | Self::SecondOrder { dim, .. } => usize::from(dim),
            Self::NonNegative => 1,
        }
    }

    fn is_valid(self) -> bool {
        match self {
            Self::Free { dim } => (1..=3).contains(&dim),
            Self::NonNegative => true,
            Self::SecondOrder { dim, mu } => (2..=3).contains(&dim) && mu >= 0.0 && mu.is_finite(),
        }
    }
}

/// Find impulses r with u = W r + q such that for each contact r lies in its cone K, the velocity
/// u + μ|u_T| e_N lies in the dual cone K*, and the two are orthogonal (De Saxcé and Feng 1998).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    pub(super) cones: Vec<Cone>,
    /// First row of each contact, and the number of rows at the end.
    pub(super) offsets: Vec<u32>,
    /// Which contacts share a body.
    pub(super) pattern: Pattern,
    /// First number of each block of W in `values`; one more at the end.
    pub(super) blocks: Vec<u32>,
    /// Blocks of W, row-major.
    pub(super) values: Vec<f64>,
    /// Entry (i, i) of the pattern.
    pub(super) diagonals: Vec<u32>,
    /// Relative velocity without impulses, and with what the contact wants (bias) added: m/s.
    pub(super) q: Vec<f64>,
}

/// An entry of a sparse matrix: row, column, value.
pub type Triplet = (usize, usize, f64);

/// No more blocks of the Delassus matrix than this: about 3 GB.
pub(super) const MOST_BLOCKS: usize = 40_000_000;

impl Problem {
    /// A problem with the given Delassus matrix. Entries may repeat, and are added; a slightly
    /// unsymmetric matrix (printed digits) is symmetrized.
    pub fn from_delassus(cones: Vec<Cone>, w: &[Triplet], q: Vec<f64>) -> Result<Self, ProblemError> {
        let mut problem = Self::with_cones(cones, q)?;
        let rows = problem.q.len();
        let mut contact_of = Vec::with_capacity(rows);
        for (i, cone) in problem.cones.iter().enumerate() {
            contact_of.extend(std::iter::repeat_n(i as u32, cone.dim()));
        }
        let mut pairs = Vec::with_capacity(w.len());
        for &(row, column, value) in w {
            if row >= rows || column >= rows {
                return Err(ProblemError::IndexOutOfRange { index: row.max(column), size: rows });
            }
            if !value.is_finite() {
                return Err(ProblemError::NotFinite("W"));
            }
            let (i, j) = (contact_of[row], contact_of[column]);
            pairs.extend([(i, j), (j, i)]);
        }
        problem.set_pattern(pairs)?;
        for &(row, column, value) in w {
            for (r, c) in [(row, column), (column, row)] {
                let place = problem.place(contact_of[r] as usize, r, contact_of[c] as usize, c);
                problem.values[place] += 0.5 * value;
            }
        }
        problem.check_diagonal()?;
        Ok(problem)
    }

    /// A problem whose blocks of W are still zero; see `set_pattern`.
    pub(super) fn with_cones(cones: Vec<Cone>, q: Vec<f64>) -> Result<Self, ProblemError> {
        if let Some(contact) = cones.iter().position(|cone| !cone.is_valid()) {
            return Err(ProblemError::BadCone { contact });
        }
        let mut offsets = Vec::with_capacity(cones.len() + 1);
        let mut total = 0usize;
        for cone in &cones {
            offsets.push(total as u32);
            total += cone.dim();
        }
        if total > u32::MAX as usize / 16 {
            return Err(ProblemError::TooLarge);
        }
        offsets.push(total as u32);
        if q.len() != total {
            return Err(ProblemError::WrongLength { what: "q", length: q.len(), expected: total });
        }
        if q.iter().any(|x| !x.is_finite()) {
            return Err(ProblemError::NotFinite("q"));
        }
        Ok(Self { cones, offsets, q, ..Self::default() })
    }

    /// Joins pairs of contacts. Pairs must come in both orders; the diagonal is added.
    pub(super) fn set_pattern(&mut self, mut pairs: Vec<(u32, u32)>) -> Result<(), ProblemError> {
        let n = self.cones.len();
        pairs.extend((0..n as u32).map(|i| (i, i)));
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.len() > MOST_BLOCKS {
            return Err(ProblemError::TooLarge);
        }
        self.pattern.starts = vec![0; n + 1];
        pairs.iter().for_each(|pair| self.pattern.starts[pair.0 as usize + 1] += 1);
        (0..n).for_each(|i| self.pattern.starts[i + 1] += self.pattern.starts[i]);
        self.pattern.columns = pairs.iter().map(|pair| pair.1).collect();
        self.pattern.find_mirrors();
        let mut total = 0;
        self.blocks.clear();
        for &(i, j) in &pairs {
            self.blocks.push(total);
            total += (self.cones[i as usize].dim() * self.cones[j as usize].dim()) as u32;
        }
        self.blocks.push(total);
        self.values = vec![0.0; total as usize];
        self.find_diagonals();
        Ok(())
    }

    fn place(&self, i: usize, row: usize, j: usize, column: usize) -> usize {
        let range = self.pattern.row(i);
        let columns = &self.pattern.columns[range.clone()];
        let entry = range.start + columns.partition_point(|&c| (c as usize) < j);
        let (r, c) = (row - self.offsets[i] as usize, column - self.offsets[j] as usize);
        self.blocks[entry] as usize + r * self.cones[j].dim() + c
    }

    /// W must be positive semidefinite; what costs nothing to see is refused here.
    pub(super) fn check_diagonal(&self) -> Result<(), ProblemError> {
        let largest = self.values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for i in 0..self.len() {
            let block = self.diagonal_block(i);
            let dim = self.cones[i].dim();
            if (0..dim).any(|k| block[k * dim + k] < -1e-6 * largest) {
                return Err(ProblemError::NotSemidefinite { contact: i });
            }
        }
        Ok(())
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.cones.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.cones.is_empty()
    }

    /// Number of rows: entries of q, r and u.
    pub fn rows(&self) -> usize {
        self.q.len()
    }

    /// The cone of each contact.
    pub fn cones(&self) -> &[Cone] {
        &self.cones
    }

    /// Relative velocity without impulses, m/s.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Sets the right-hand side: same contacts, another velocity. Its length must be
    /// [`Self::rows`].
    pub fn set_q(&mut self, q: &[f64]) {
        self.q.copy_from_slice(q);
    }

    /// Rows of a contact.
    pub fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.offsets[contact] as usize..self.offsets[contact + 1] as usize
    }

    /// The block of W of an entry of the pattern, row-major.
    pub(super) fn block(&self, entry: usize) -> &[f64] {
        &self.values[self.blocks[entry] as usize..self.blocks[entry + 1] as usize]
    }

    pub(super) fn find_diagonals(&mut self) {
        self.diagonals.clear();
        for i in 0..self.cones.len() {
            let range = self.pattern.row(i);
            let columns = &self.pattern.columns[range.clone()];
            self.diagonals.push((range.start + columns.partition_point(|&c| (c as usize) < i)) as u32);
        }
    }

    /// Diagonal block of a contact, row-major.
    pub fn diagonal_block(&self, contact: usize) -> &[f64] {
        self.block(self.diagonals[contact] as usize)
    }

    /// Mean of the diagonal of a contact's own block: its inverse effective mass.
    pub fn mean_diagonal(&self, contact: usize) -> f64 {
        let (block, dim) = (self.diagonal_block(contact), self.cones[contact].dim());
        (0..dim).map(|k| block[k * dim + k]).sum::<f64>() / dim as f64
    }

    /// The entries of W, by rows of blocks.
    pub fn triplets(&self) -> impl Iterator<Item = Triplet> + '_ {
        (0..self.len()).flat_map(move |i| {
            self.pattern.row(i).flat_map(move |entry| {
                let j = self.pattern.columns[entry] as usize;
                let width = self.cones[j].dim();
                let place =
                    move |k: usize| (self.range(i).start + k / width, self.range(j).start + k % width);
                self.block(entry).iter().enumerate().map(move |(k, &w)| (place(k).0, place(k).1, w))
            })
        })
    }

    /// u = W r + q.
    pub fn velocity(&self, r: &[f64], u: &mut [f64]) {
        u.copy_from_slice(&self.q);
        self.add_product(r, u);
    }

    /// u += W r.
    pub(super) fn add_product(&self, r: &[f64], u: &mut [f64]) {
        for i in 0..self.len() {
            let range = self.range(i);
            let mut sum = [0.0; 3];
            self.add_row_product(i, r, &mut sum);
            for (u, sum) in u[range].iter_mut().zip(sum) {
                *u += sum;
            }
        }
    }

    /// sum += W_i r, for the rows of one contact.
    #[inline]
    pub(super) fn add_row_product(&self, i: usize, r: &[f64], sum: &mut [f64; 3]) {
        let dim = self.cones[i].dim();
        for entry in self.pattern.row(i) {
            let j = self.pattern.columns[entry] as usize;
            let at = self.offsets[j] as usize;
            let first = self.blocks[entry] as usize;
            match self.blocks[entry + 1] as usize - first {
                9 => multiply::<3, 3>(&self.values[first..first + 9], &r[at..at + 3], sum),
                4 if dim == 2 => multiply::<2, 2>(&self.values[first..first + 4], &r[at..at + 2], sum),
                count => {
                    let width = count / dim;
                    for (row, sum) in sum[..dim].iter_mut().enumerate() {
                        let values = &self.values[first + row * width..first + (row + 1) * width];
                        *sum += values.iter().zip(&r[at..]).map(|(w, r)| w * r).sum::<f64>();
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn multiply<const ROWS: usize, const COLUMNS: usize>(w: &[f64], r: &[f64], sum: &mut [f64; 3]) {
    for row in 0..ROWS {
        let mut total = 0.0;
        for column in 0..COLUMNS {
            total += w[row * COLUMNS + column] * r[column];
        }
        sum[row] += total;
    }
}
