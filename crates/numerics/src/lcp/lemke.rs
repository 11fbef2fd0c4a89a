//! Complementarity problems whose matrix is not symmetric: 0 ≤ z ⊥ w = Mz + q ≥ 0 by Lemke's method.
//!
//! Cottle, Pang, Stone, "The Linear Complementarity Problem" (1992), algorithm 4.4.5 with the lexicographic rule of section 4.9: an
//! artificial variable z₀ with column d makes everything feasible, and complementary pivots drive it out. On copositive
//! matrices (the frictional contact problems of Stewart and Trinkle, 1996) the method ends in a solution. Dense, for small problems.

/// How the method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemkeEnd {
    /// z₀ left: a solution.
    Solved,
    /// No row limits the entering variable: no solution on this path.
    Ray,
    /// Too many pivots.
    Limit,
}

/// The method with its memory.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    /// Rows of [B⁻¹ | −B⁻¹M | −B⁻¹d | B⁻¹q].
    tableau: Vec<f64>,
    pivot_row: Vec<f64>,
    /// The variable of each row: 0..n are w, n..2n are z, 2n is z₀.
    basis: Vec<usize>,
    tied: Vec<usize>,
    pivots: u64,
}

/// Numbers below this do not limit and are not pivots; rows and columns should be scaled to about 1.
const SMALL: f64 = 1e-10;
/// Ratios that differ by less than this, absolute and relative, are equal.
const TIED: f64 = 1e-12;
/// How far below 0 a variable may fall for the sake of a larger pivot.
const LOOSE: f64 = 1e-11;
/// Columns d that are tried.
const ATTEMPTS: usize = 8;
/// The residual at which an answer counts, as a part of the largest |q|.
const CHECKED: f64 = 1e-8;

impl Lemke {
    /// Solves for a square matrix, row by row, and q; writes z. An answer is checked: where rounding has spoilt it, or has led
    /// astray, other columns d are tried, with the largest pivots in place of the lexicographic rule.
    pub fn solve(&mut self, matrix: &[f64], q: &[f64], z: &mut Vec<f64>) -> LemkeEnd {
        self.pivots = 0;
        let scale = q.iter().fold(0.0f64, |m, &q| m.max(q.abs()));
        let mut end = LemkeEnd::Limit;
        for attempt in 0..ATTEMPTS {
            let this = self.drive(matrix, q, attempt, z);
            if this == LemkeEnd::Solved && residual(matrix, q, z) <= CHECKED * scale {
                return LemkeEnd::Solved;
            }
            end = if this == LemkeEnd::Ray { LemkeEnd::Ray } else { end };
        }
        end
    }

    fn drive(&mut self, matrix: &[f64], q: &[f64], attempt: usize, z: &mut Vec<f64>) -> LemkeEnd {
        let n = q.len();
        z.clear();
        z.resize(n, 0.0);
        // Multiples of the golden ratio are spread evenly and never equal.
        let d = |i: usize| 1.0 + (i as f64 * attempt as f64 * 0.618_033_988_749_895).fract();
        let first = (0..n).filter(|&i| q[i] < 0.0).min_by(|&i, &j| (q[i] / d(i)).total_cmp(&(q[j] / d(j))));
        let Some(first) = first else { return LemkeEnd::Solved };
        self.begin(matrix, q, d);
        let width = 2 * n + 2;
        let mut leaving = self.pivot(first, 2 * n, width);
        for _ in 0..10 * n + 100 {
            let entering = if leaving < n { leaving + n } else { leaving - n };
            let row = if attempt == 0 {
                self.lexicographic_row(entering, width)
            } else {
                self.largest_pivot_row(entering, width)
            };
            let Some(row) = row else { return LemkeEnd::Ray };
            leaving = self.pivot(row, entering, width);
            if leaving == 2 * n {
                for (row, &variable) in self.basis.iter().enumerate() {
                    if (n..2 * n).contains(&variable) {
                        z[variable - n] = self.tableau[row * width + width - 1].max(0.0);
                    }
                }
                return LemkeEnd::Solved;
            }
        }
        LemkeEnd::Limit
    }

    /// Pivots of the last call.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    fn begin(&mut self, matrix: &[f64], q: &[f64], d: impl Fn(usize) -> f64) {
        let n = q.len();
        self.basis.clear();
        self.basis.extend(0..n);
        self.tableau.clear();
        for i in 0..n {
            self.tableau.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
            self.tableau.extend(matrix[i * n..(i + 1) * n].iter().map(|m| -m));
            self.tableau.extend([-d(i), q[i]]);
        }
    }

    /// The row that first stops the entering variable; z₀ where it can, else the lexicographically smallest.
    fn lexicographic_row(&mut self, entering: usize, width: usize) -> Option<usize> {
        let n = self.basis.len();
        let tableau = &self.tableau;
        let ratio =
            |row: usize, column: usize| tableau[row * width + column] / tableau[row * width + entering];
        self.tied.clear();
        self.tied.extend((0..n).filter(|&row| tableau[row * width + entering] > SMALL));
        for column in std::iter::once(width - 1).chain(0..n) {
            let smallest = self.tied.iter().fold(f64::INFINITY, |m, &row| m.min(ratio(row, column)));
            let limit = smallest + TIED * (1.0 + smallest.abs());
            self.tied.retain(|&row| ratio(row, column) <= limit);
            if let Some(&artificial) = self.tied.iter().find(|&&row| self.basis[row] == 2 * n) {
                return Some(artificial);
            }
            if self.tied.len() <= 1 {
                break;
            }
        }
        self.tied.first().copied()
    }

    /// Of all rows that stop the entering variable within a tolerance (Harris) the one with the largest pivot; z₀ where it can.
    fn largest_pivot_row(&self, entering: usize, width: usize) -> Option<usize> {
        let n = self.basis.len();
        let line = |row: usize| &self.tableau[row * width..(row + 1) * width];
        let rows = || (0..n).filter(|&row| line(row)[entering] > SMALL);
        let reach = rows().fold(f64::INFINITY, |m, row| {
            m.min((line(row)[width - 1].max(0.0) + LOOSE) / line(row)[entering])
        });
        let mut best = None;
        for row in rows().filter(|&row| line(row)[width - 1] / line(row)[entering] <= reach) {
            if self.basis[row] == 2 * n {
                return Some(row);
            }
            if best.is_none_or(|b| line(row)[entering] > line(b)[entering]) {
                best = Some(row);
            }
        }
        best
    }

    /// Exchanges the variable of a row for another one; returns the one that leaves.
    fn pivot(&mut self, row: usize, entering: usize, width: usize) -> usize {
        self.pivots += 1;
        let inverse = 1.0 / self.tableau[row * width + entering];
        self.pivot_row.clear();
        self.pivot_row.extend(self.tableau[row * width..(row + 1) * width].iter().map(|x| x * inverse));
        for (other, line) in self.tableau.chunks_exact_mut(width).enumerate() {
            let factor = line[entering];
            if other == row {
                line.copy_from_slice(&self.pivot_row);
            } else if factor != 0.0 {
                for (x, p) in line.iter_mut().zip(&self.pivot_row) {
                    *x -= factor * p;
                }
                line[entering] = 0.0;
            }
        }
        std::mem::replace(&mut self.basis[row], entering)
    }
}

/// The largest |min(z, Mz + q)|.
fn residual(matrix: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    (0..n).fold(0.0, |worst: f64, i| {
        let w = matrix[i * n..(i + 1) * n].iter().zip(z).fold(q[i], |sum, (m, z)| sum + m * z);
        worst.max(z[i].min(w).abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positive definite but not symmetric matrices have exactly one solution each: a planted one is found.
    #[test]
    fn planted_solutions_of_unsymmetric_problems_are_found() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for n in 1..25 {
            let b: Vec<f64> = (0..n * n).map(|_| random()).collect();
            let mut m = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    m[i * n + j] = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>();
                    // Symmetric, plus a skew part, plus the diagonal.
                    m[i * n + j] += if i == j {
                        0.1
                    } else {
                        (b[i.min(j) * n + i.max(j)]) * if i < j { 1.0 } else { -1.0 }
                    };
                }
            }
            let planted: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { 0.0 } else { 1.0 + random() }).collect();
            let q: Vec<f64> = (0..n)
                .map(|i| {
                    let product = (0..n).map(|j| m[i * n + j] * planted[j]).sum::<f64>();
                    if i % 3 == 0 { 0.7 + random() - product } else { -product }
                })
                .collect();
            let mut z = vec![];
            assert_eq!(Lemke::default().solve(&m, &q, &mut z), LemkeEnd::Solved, "{n}");
            assert!(z.iter().zip(&planted).all(|(a, b)| (a - b).abs() < 1e-8), "{n}: {z:?} {planted:?}");
            assert!(residual(&m, &q, &z) < 1e-9);
        }
    }

    #[test]
    fn a_problem_without_solution_ends_in_a_ray() {
        // w = −z − 1 ≥ 0 has no z ≥ 0.
        let mut z = vec![];
        assert_eq!(Lemke::default().solve(&[-1.0], &[-1.0], &mut z), LemkeEnd::Ray);
        assert_eq!(Lemke::default().solve(&[0.0], &[-1.0], &mut z), LemkeEnd::Ray);
    }
}
