//! Multifrontal LU of matrices of small blocks with a symmetric pattern and unsymmetric values.
//!
//! Duff and Reid, *The multifrontal solution of indefinite sparse symmetric linear systems*, ACM
//! TOMS 9 (1983); Davis, *Direct Methods for Sparse Linear Systems*, chapters 4 and 7. The order of
//! elimination is approximate minimum degree on the blocks. Each front is a dense matrix; its
//! leading rows are eliminated with row exchanges among themselves and the rest is added to the
//! front of its parent.
//!
//! The pattern is analysed once. Each factorization gives every block a size from 0 to 3: a block
//! of size 0 drops out together with its work, so an active-set method needs no new analysis.

mod dense;
mod symbolic;

use dense::{eliminate, stride};
use fearless_simd::Level;
use symbolic::Analysis;

/// Largest size of a block.
pub const LARGEST_BLOCK: usize = 3;

/// A block in row-major order; only the leading `rows * columns` numbers count.
pub type SmallBlock = [f64; LARGEST_BLOCK * LARGEST_BLOCK];

/// The entries of a matrix of blocks: with (i, j) always (j, i), and always (i, i).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Entries of block row i are `starts[i]..starts[i + 1]`.
    pub starts: Vec<usize>,
    /// Block column of each entry, rising within a row.
    pub columns: Vec<u32>,
    /// Entry (j, i) of entry (i, j).
    pub mirror: Vec<u32>,
}

impl Pattern {
    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no block row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entry numbers of a block row.
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// Finds the mirror of each entry. The pattern must be symmetric with rising columns.
    pub fn find_mirrors(&mut self) {
        self.mirror.clear();
        for i in 0..self.len() {
            for entry in self.row(i) {
                let row = self.row(self.columns[entry] as usize);
                let before = self.columns[row.clone()].partition_point(|&column| (column as usize) < i);
                self.mirror.push((row.start + before) as u32);
            }
        }
    }
}

/// Where the factors of one supernode are stored.
#[derive(Clone, Copy, Debug, Default)]
struct Panel {
    /// Eliminated unknowns.
    pivots: usize,
    /// All unknowns of the front.
    size: usize,
    /// First number of the factors: `pivots` rows of U (with L11 below its diagonal), then L21.
    factors: usize,
    /// First entry of `unknowns` and of `exchanges`.
    unknowns: usize,
    exchanges: usize,
}

/// Factors of a matrix, with buffers that are used again.
#[derive(Clone, Debug, Default)]
pub struct FrontalLu {
    analysis: Analysis,
    panels: Vec<Panel>,
    factors: Vec<f64>,
    /// Unknowns of each front, as scalar indices of the whole system.
    unknowns: Vec<u32>,
    /// Row exchanges of each panel, as in LAPACK's `getrf`.
    exchanges: Vec<u32>,
    front: Vec<f64>,
    stack: Vec<f64>,
    /// First scalar unknown of each block.
    offsets: Vec<u32>,
    /// Place of each block in the current front.
    place: Vec<u32>,
    gathered: Vec<f64>,
    replaced: usize,
    level: Instructions,
}

/// The vector instructions that this processor has.
#[derive(Clone, Copy, Debug)]
struct Instructions(Level);

impl Default for Instructions {
    fn default() -> Self {
        Self(Level::new())
    }
}

impl FrontalLu {
    /// Orders the pattern and finds the fronts. Does nothing if the pattern is the one before.
    pub fn analyze(&mut self, pattern: &Pattern) {
        self.analysis.analyze(pattern);
    }

    /// Pivots of the last factorization that were too small and were replaced.
    pub fn replaced_pivots(&self) -> usize {
        self.replaced
    }

    /// Approximate multiplications of a factorization in which every block has size `block`.
    pub fn operations(&self, block: u64) -> u64 {
        self.analysis.operations() * block * block * block
    }

    /// Numbers in the factors of the last factorization: products of a solution.
    pub fn entries(&self) -> usize {
        self.factors.len()
    }

    /// Factors the matrix whose entry `e = (i, j)` of size `sizes[i]` by `sizes[j]` is written by
    /// `fill(i, j, e, block)` in row-major order. Pivots below `smallest` times the largest entry
    /// of their row are replaced by that bound: static pivoting, to be followed by refinement.
    pub fn factor(
        &mut self,
        pattern: &Pattern,
        sizes: &[u8],
        smallest: f64,
        mut fill: impl FnMut(usize, usize, usize, &mut SmallBlock),
    ) {
        let Self { analysis, panels, factors, unknowns, exchanges, front, stack, offsets, place, .. } = self;
        offsets.clear();
        let mut total = 0u32;
        for &size in sizes {
            offsets.push(total);
            total += u32::from(size);
        }
        place.clear();
        place.resize(sizes.len(), 0);
        panels.clear();
        factors.clear();
        unknowns.clear();
        exchanges.clear();
        stack.clear();
        self.replaced = 0;
        let mut block: SmallBlock = [0.0; 9];
        for node in 0..analysis.node_count() {
            // The unknowns of the front: those eliminated here, then those of ancestors.
            let first_unknown = unknowns.len();
            let mut size = 0;
            let mut pivots = 0;
            let mut list = |blocks: &[u32], size: &mut usize| {
                for &b in blocks {
                    place[b as usize] = *size as u32;
                    let count = u32::from(sizes[b as usize]);
                    unknowns.extend(offsets[b as usize]..offsets[b as usize] + count);
                    *size += count as usize;
                }
            };
            list(analysis.eliminated(node), &mut size);
            pivots += size;
            list(analysis.border(node), &mut size);
            let width = stride(size);
            front.clear();
            front.resize(size * width, 0.0);
            // Entries of the matrix.
            for &b in analysis.eliminated(node) {
                let i = b as usize;
                let rows = usize::from(sizes[i]);
                if rows == 0 {
                    continue;
                }
                for entry in pattern.row(i) {
                    let j = pattern.columns[entry] as usize;
                    let columns = usize::from(sizes[j]);
                    if columns == 0 || analysis.position(j) < analysis.position(i) {
                        continue;
                    }
                    let (at, to) = (place[i] as usize, place[j] as usize);
                    fill(i, j, entry, &mut block);
                    for r in 0..rows {
                        for c in 0..columns {
                            front[(at + r) * width + to + c] += block[r * columns + c];
                        }
                    }
                    if i != j {
                        fill(j, i, pattern.mirror[entry] as usize, &mut block);
                        for r in 0..columns {
                            for c in 0..rows {
                                front[(to + r) * width + at + c] += block[r * rows + c];
                            }
                        }
                    }
                }
            }
            // What the children left, last child first.
            for &child in analysis.children(node).iter().rev() {
                let border = analysis.border(child as usize);
                let panel: &Panel = &panels[child as usize];
                let rest = panel.size - panel.pivots;
                let from = stack.len() - rest * rest;
                extend_add(&stack[from..], rest, border, sizes, (front, width, place));
                stack.truncate(from);
            }
            let panel = Panel {
                pivots,
                size,
                factors: factors.len(),
                unknowns: first_unknown,
                exchanges: exchanges.len(),
            };
            self.replaced += eliminate(self.level.0, front, (size, pivots), smallest, exchanges);
            for row in 0..pivots {
                factors.extend_from_slice(&front[row * width..row * width + size]);
            }
            for row in pivots..size {
                factors.extend_from_slice(&front[row * width..row * width + pivots]);
            }
            for row in pivots..size {
                stack.extend_from_slice(&front[row * width + pivots..row * width + size]);
            }
            panels.push(panel);
        }
    }

    /// Solves A x = b, with `x` holding b at first.
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { panels, factors, unknowns, exchanges, gathered, .. } = self;
        for panel in panels.iter() {
            let &Panel { pivots: k, size, factors: f, unknowns: u, exchanges: e } = panel;
            if k == 0 {
                continue;
            }
            let unknowns = &unknowns[u..u + size];
            gathered.clear();
            gathered.extend(unknowns[..k].iter().map(|&i| x[i as usize]));
            for (row, &other) in exchanges[e..e + k].iter().enumerate() {
                gathered.swap(row, other as usize);
            }
            for row in 1..k {
                let lower = &factors[f + row * size..f + row * size + row];
                let sum = dot(lower, &gathered[..row]);
                gathered[row] -= sum;
            }
            for (row, &i) in unknowns[k..].iter().enumerate() {
                let lower = &factors[f + k * size + row * k..f + k * size + (row + 1) * k];
                x[i as usize] -= dot(lower, gathered);
            }
            for (&i, &value) in unknowns[..k].iter().zip(gathered.iter()) {
                x[i as usize] = value;
            }
        }
        for panel in panels.iter().rev() {
            let &Panel { pivots: k, size, factors: f, unknowns: u, .. } = panel;
            let unknowns = &unknowns[u..u + size];
            gathered.clear();
            gathered.extend(unknowns.iter().map(|&i| x[i as usize]));
            for row in (0..k).rev() {
                let upper = &factors[f + row * size..f + (row + 1) * size];
                let sum = dot(&upper[row + 1..], &gathered[row + 1..]);
                gathered[row] = (gathered[row] - sum) / upper[row];
                x[unknowns[row] as usize] = gathered[row];
            }
        }
    }
}

/// Adds the part that a child left to the front of its parent.
fn extend_add(
    rest: &[f64],
    width: usize,
    border: &[u32],
    sizes: &[u8],
    (front, size, place): (&mut [f64], usize, &[u32]),
) {
    let mut row = 0;
    for &b in border {
        let at = place[b as usize] as usize;
        for r in 0..usize::from(sizes[b as usize]) {
            let source = &rest[row * width..(row + 1) * width];
            let target = &mut front[(at + r) * size..(at + r + 1) * size];
            let mut column = 0;
            for &c in border {
                let to = place[c as usize] as usize;
                let count = usize::from(sizes[c as usize]);
                for s in 0..count {
                    target[to + s] += source[column + s];
                }
                column += count;
            }
            row += 1;
        }
    }
}

/// Four partial sums in a fixed order: the same bits on every machine, and vector registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + tail
}

#[cfg(test)]
mod tests;
