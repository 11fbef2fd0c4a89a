//! Cholesky factors of symmetric positive definite matrices of small blocks, within their envelope.
//!
//! A row of blocks is kept from its first entry to the diagonal: no fill lies outside (George and
//! Liu, *Computer Solution of Large Sparse Positive Definite Systems*, 1981, chapter 4). Rows come
//! in reverse Cuthill–McKee order, so that a tower of bodies is a band of one block, and a heap a
//! band of its shorter side. The envelope is all there is of a symbolic phase, and nothing is
//! allocated once buffers have grown.

use super::ordering::Graph;

/// A block, transposed: `block[c][a]` is the entry of row `a` and column `c`.
type Block<const B: usize> = [[f64; B]; B];

/// A matrix of `B` × `B` blocks, and after [`EnvelopeCholesky::factor`] its factor.
#[derive(Clone, Debug)]
pub struct EnvelopeCholesky<const B: usize> {
    /// The place of each row in the order of elimination, and the row at each place.
    place: Vec<u32>,
    order: Vec<u32>,
    /// The first column of each place, and where its blocks end.
    first: Vec<u32>,
    end: Vec<u32>,
    blocks: Vec<Block<B>>,
    x: Vec<[f64; B]>,
    /// Neighbours of each row, one after the other, and where they begin.
    neighbours: Vec<u32>,
    starts: Vec<usize>,
    seen: Vec<bool>,
}

impl<const B: usize> Default for EnvelopeCholesky<B> {
    fn default() -> Self {
        Self {
            place: Vec::new(),
            order: Vec::new(),
            first: Vec::new(),
            end: Vec::new(),
            blocks: Vec::new(),
            x: Vec::new(),
            neighbours: Vec::new(),
            starts: Vec::new(),
            seen: Vec::new(),
        }
    }
}

impl<const B: usize> EnvelopeCholesky<B> {
    /// Chooses the order for a matrix of `size` rows of blocks with entries at these pairs, which
    /// may repeat.
    pub fn analyze(&mut self, size: usize, pairs: impl Iterator<Item = [u32; 2]> + Clone) {
        self.starts.clear();
        self.starts.resize(size + 1, 0);
        for [i, j] in pairs.clone().filter(|[i, j]| i != j) {
            self.starts[i as usize + 1] += 1;
            self.starts[j as usize + 1] += 1;
        }
        for i in 0..size {
            self.starts[i + 1] += self.starts[i];
        }
        self.neighbours.clear();
        self.neighbours.resize(self.starts[size], 0);
        self.first.clear();
        self.first.extend(self.starts[..size].iter().map(|&start| start as u32));
        for [i, j] in pairs.filter(|[i, j]| i != j) {
            for (from, to) in [(i, j), (j, i)] {
                let at = &mut self.first[from as usize];
                self.neighbours[*at as usize] = to;
                *at += 1;
            }
        }
        self.choose_order(size);
        self.first.clear();
        self.end.clear();
        let mut end = 0;
        for at in 0..size {
            let row = self.order[at] as usize;
            let around = &self.neighbours[self.starts[row]..self.starts[row + 1]];
            let first = around.iter().fold(at as u32, |first, &j| first.min(self.place[j as usize]));
            end += at as u32 + 1 - first;
            self.first.push(first);
            self.end.push(end);
        }
    }

    /// Reverse Cuthill–McKee. The root of a component is the row that a search from its first row
    /// finds last: far out.
    fn choose_order(&mut self, size: usize) {
        let Self { place, order, seen, neighbours, starts, .. } = self;
        let graph = Graph { starts, columns: neighbours };
        seen.clear();
        seen.resize(size, false);
        order.clear();
        for first in 0..size {
            if seen[first] {
                continue;
            }
            let begin = order.len();
            graph.cuthill_mckee(first as u32, seen, order);
            let root = order[order.len() - 1];
            order.drain(begin..).for_each(|i| seen[i as usize] = false);
            graph.cuthill_mckee(root, seen, order);
        }
        order.reverse();
        place.clear();
        place.resize(size, 0);
        for (at, &row) in (0..).zip(order.iter()) {
            place[row as usize] = at;
        }
    }

    /// Blocks that the factor has.
    pub fn blocks(&self) -> usize {
        self.end.last().map_or(0, |&end| end as usize)
    }

    /// Products of blocks in a factorization.
    pub fn products(&self) -> u64 {
        let widths = self.first.iter().zip(0..).map(|(&first, at)| u64::from(at + 1 - first));
        widths.fold(0, |sum, width| sum + width * (width + 1) / 2)
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.blocks.resize(self.blocks(), [[0.0; B]; B]);
    }

    /// The block of rows `i` and columns `j`, to be added to. It is stored as it stands in the
    /// lower half of the order: true where its columns are those of `i`, and rows those of `j`.
    #[inline]
    pub fn block_mut(&mut self, i: usize, j: usize) -> (&mut [[f64; B]; B], bool) {
        let (p, q) = (self.place[i], self.place[j]);
        let (row, column) = (p.max(q), p.min(q));
        let at = self.end[row as usize] - 1 - (row - column);
        (&mut self.blocks[at as usize], p < q)
    }

    /// Factors; false where a pivot is not positive.
    pub fn factor(&mut self) -> bool {
        let Self { first, end, blocks, .. } = self;
        for i in 0..first.len() {
            let start_i = (end[i] - 1) as usize - (i - first[i] as usize);
            let (before, row) = blocks.split_at_mut(start_i);
            let from_i = first[i] as usize;
            for j in from_i..i {
                let from_j = first[j] as usize;
                let start_j = (end[j] - 1) as usize - (j - from_j);
                let from = from_i.max(from_j);
                let (left, right) = row.split_at_mut(j - from_i);
                let block = &mut right[0];
                let column = &before[start_j + (from - from_j)..start_j + (j - from_j)];
                for (one, other) in left[from - from_i..].iter().zip(column) {
                    subtract_product(block, other, one);
                }
                solve_triangular(block, &before[start_j + (j - from_j)]);
            }
            let (left, right) = row.split_at_mut(i - from_i);
            let diagonal = &mut right[0];
            for one in left.iter() {
                subtract_product(diagonal, one, one);
            }
            if !factor_block(diagonal) {
                return false;
            }
        }
        true
    }

    /// Solves in place, row after row of `B` numbers.
    pub fn solve(&mut self, b: &mut [f64]) {
        let Self { order, first, end, blocks, x, .. } = self;
        x.clear();
        for (i, &row) in order.iter().enumerate() {
            let mut y: [f64; B] = std::array::from_fn(|a| b[row as usize * B + a]);
            let from = first[i] as usize;
            let of_row = &blocks[end[i] as usize - 1 - (i - from)..end[i] as usize];
            for (block, known) in of_row.iter().zip(&x[from..]) {
                for c in 0..B {
                    for a in 0..B {
                        y[a] -= block[c][a] * known[c];
                    }
                }
            }
            let diagonal = &of_row[i - from];
            for c in 0..B {
                y[c] /= diagonal[c][c];
                for a in c + 1..B {
                    y[a] -= diagonal[c][a] * y[c];
                }
            }
            x.push(y);
        }
        for i in (0..order.len()).rev() {
            let from = first[i] as usize;
            let of_row = &blocks[end[i] as usize - 1 - (i - from)..end[i] as usize];
            let diagonal = &of_row[i - from];
            let mut y = x[i];
            for c in (0..B).rev() {
                for a in c + 1..B {
                    y[c] -= diagonal[c][a] * y[a];
                }
                y[c] /= diagonal[c][c];
            }
            b[order[i] as usize * B..][..B].copy_from_slice(&y);
            for (block, other) in of_row.iter().zip(&mut x[from..i]) {
                for c in 0..B {
                    other[c] -= block[c].iter().zip(&y).fold(0.0, |sum, (l, y)| sum + l * y);
                }
            }
        }
    }
}

/// `out` − `b` `a`ᵀ of matrices, all transposed: out[c][a] −= Σ b[e][c] a[e][a].
#[inline(always)]
fn subtract_product<const B: usize>(out: &mut Block<B>, b: &Block<B>, a: &Block<B>) {
    for e in 0..B {
        for c in 0..B {
            let by = b[e][c];
            for (out, a) in out[c].iter_mut().zip(&a[e]) {
                *out -= by * a;
            }
        }
    }
}

/// L with L Dᵀ = S, where D is a factored diagonal block.
#[inline(always)]
fn solve_triangular<const B: usize>(block: &mut Block<B>, diagonal: &Block<B>) {
    for c in 0..B {
        let (done, rest) = block.split_at_mut(c);
        for (e, known) in done.iter().enumerate() {
            let by = diagonal[e][c];
            for (x, known) in rest[0].iter_mut().zip(known) {
                *x -= by * known;
            }
        }
        let by = 1.0 / diagonal[c][c];
        rest[0].iter_mut().for_each(|x| *x *= by);
    }
}

/// The lower factor of a diagonal block.
#[inline(always)]
fn factor_block<const B: usize>(block: &mut Block<B>) -> bool {
    for c in 0..B {
        for e in 0..c {
            let by = block[e][c];
            for a in c..B {
                block[c][a] -= by * block[e][a];
            }
        }
        let pivot = block[c][c];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let by = 1.0 / pivot.sqrt();
        for a in c..B {
            block[c][a] *= by;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A + 10 for entries that a generator of small numbers gives, at random pairs.
    #[test]
    fn factors_solve_what_they_were_made_from() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for size in [1usize, 2, 7, 30] {
            let pairs: Vec<[u32; 2]> = (0..2 * size)
                .map(|_| [0, 1].map(|_| ((random() + 0.5) * size as f64) as u32))
                .chain((0..size as u32).map(|i| [i, i]))
                .collect();
            let mut matrix = EnvelopeCholesky::<3>::default();
            matrix.analyze(size, pairs.iter().copied());
            matrix.clear();
            let mut dense = vec![vec![0.0; 3 * size]; 3 * size];
            for &[i, j] in &pairs {
                let entry: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
                let (block, is_transposed) = matrix.block_mut(i as usize, j as usize);
                for a in 0..3 {
                    for c in 0..3 {
                        let diagonal = if a == c { 4.0 * size as f64 } else { 0.0 };
                        let value = if i == j { entry[a.min(c)][a.max(c)] + diagonal } else { entry[a][c] };
                        *if is_transposed { &mut block[a][c] } else { &mut block[c][a] } += value;
                        dense[3 * i as usize + a][3 * j as usize + c] += value;
                        if i != j {
                            dense[3 * j as usize + c][3 * i as usize + a] += value;
                        }
                    }
                }
            }
            assert!(matrix.factor());
            let right: Vec<f64> = (0..3 * size).map(|_| random()).collect();
            let mut x = right.clone();
            matrix.solve(&mut x);
            for (row, right) in dense.iter().zip(&right) {
                let product = row.iter().zip(&x).fold(0.0, |sum, (a, x)| sum + a * x);
                assert!((product - right).abs() < 1e-12, "{size}: {product} {right}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let mut matrix = EnvelopeCholesky::<2>::default();
        matrix.analyze(1, [[0, 0]].into_iter());
        matrix.clear();
        *matrix.block_mut(0, 0).0 = [[1.0, 2.0], [2.0, 1.0]];
        assert!(!matrix.factor());
    }
}
