//! Planted solutions, meshes of every size class, singular matrices.

use super::*;
use proptest::prelude::*;
use std::sync::Arc;

/// A generator of numbers in (−1, 1) that needs no crate: Knuth's 64-bit linear congruence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// The pairs of a square grid with `side` × `side` points, joined along rows, columns and
/// diagonals.
fn grid(side: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let here = y * side + x;
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let (x, y) = (x as isize + dx, y + dy);
                if (0..side as isize).contains(&x) && y < side {
                    pairs.push((here, y * side + x as usize));
                }
            }
        }
    }
    pairs
}

/// A matrix like that of an implicit integrator: random blocks +B, −B, not symmetric, of size
/// `stiffness`, and a unit mass.
fn mesh_matrix(size: usize, pairs: &[(usize, usize)], stiffness: f64, seed: u64) -> BlockMatrix {
    let pattern = Arc::new(BlockPattern::from_pairs(size, pairs.iter().copied()).unwrap());
    let mut matrix = BlockMatrix::zero(pattern.clone());
    let mut numbers = Numbers(seed);
    let values = matrix.values_mut();
    for i in 0..size {
        values[pattern.diagonal(i)] = IDENTITY;
    }
    for &(i, j) in pairs {
        let (c, s) = (numbers.next(), numbers.next());
        let skew = 0.1 * numbers.next();
        let block = [c * c + 0.1, c * s + skew, c * s - skew, s * s + 0.1].map(|entry| stiffness * entry);
        let forward = pattern.entry(i, j).unwrap();
        for (entry, sign) in [
            (pattern.diagonal(i), 1.0),
            (pattern.diagonal(j), 1.0),
            (forward, -1.0),
            (pattern.mirror(forward), -1.0),
        ] {
            for axis in 0..4 {
                values[entry][axis] += sign * block[axis];
            }
        }
    }
    matrix
}

fn planted(matrix: &BlockMatrix, seed: u64) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let size = matrix.pattern().size();
    let mut numbers = Numbers(seed);
    let solution: Vec<[f64; 2]> = (0..size).map(|_| [numbers.next(), numbers.next()]).collect();
    let mut right = vec![[0.0; 2]; size];
    matrix.residual(&solution, &vec![[0.0; 2]; size], &mut right);
    right.iter_mut().flatten().for_each(|number| *number = -*number);
    (solution, right)
}

fn largest_error(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn every_size_class_finds_the_planted_solution() {
    for (side, stiffness) in [(1, 1.0), (3, 1.0), (5, 10.0), (20, 10.0), (60, 1.0), (60, 100.0), (100, 10.0)]
    {
        let matrix = mesh_matrix(side * side, &grid(side), stiffness, 7);
        let (solution, right) = planted(&matrix, 11);
        let mut solver = BlockSolver::new(matrix.pattern());
        let mut x = right.clone();
        let solved = solver.solve(&matrix, &right, &mut x);
        assert!(solved.accurate, "{side}: {solved:?}");
        assert!(largest_error(&x, &solution) < 1e-10, "{side}: {solved:?}");
        match solved.method {
            MethodUsed::Dense => assert!(side * side <= DENSE_SIZE),
            MethodUsed::Direct => assert!((5..=40).contains(&side)),
            MethodUsed::Iterative { .. } => assert!(side > 40),
        }
    }
}

#[test]
fn solving_again_gives_the_same_bits() {
    let matrix = mesh_matrix(3600, &grid(60), 5.0, 3);
    let other = mesh_matrix(3600, &grid(60), 1e7, 4);
    let (_, right) = planted(&matrix, 5);
    let mut solver = BlockSolver::new(matrix.pattern());
    let (mut first, mut second, mut between) = (right.clone(), right.clone(), right.clone());
    solver.solve(&matrix, &right, &mut first);
    solver.solve(&other, &right, &mut between);
    solver.solve(&matrix, &right, &mut second);
    assert_eq!(first, second);
}

/// So stiff that the iteration gives up: the factorization takes over.
#[test]
fn a_stiff_mesh_is_rescued_by_the_factorization() {
    let matrix = mesh_matrix(3600, &grid(60), 1e9, 3);
    let (_, right) = planted(&matrix, 5);
    let mut solver = BlockSolver::new(matrix.pattern());
    let mut x = right.clone();
    let solved = solver.solve(&matrix, &right, &mut x);
    assert!(solved.accurate, "{solved:?}");
    assert_eq!(solved.method, MethodUsed::Direct);
}

/// A zero on the diagonal stops elimination without exchanges; the dense method solves the system.
#[test]
fn a_zero_pivot_is_rescued_by_the_dense_method() {
    let size = 40;
    let pairs: Vec<(usize, usize)> = (0..size / 2).map(|i| (2 * i, 2 * i + 1)).collect();
    let pattern = Arc::new(BlockPattern::from_pairs(size, pairs.iter().copied()).unwrap());
    let mut matrix = BlockMatrix::zero(pattern.clone());
    for &(i, j) in &pairs {
        let entry = pattern.entry(i, j).unwrap();
        matrix.values_mut()[entry] = [2.0, 0.0, 0.0, 4.0];
        matrix.values_mut()[pattern.mirror(entry)] = [1.0, 0.0, 0.0, 1.0];
    }
    let (solution, right) = planted(&matrix, 1);
    let mut x = right.clone();
    let solved = BlockSolver::new(&pattern).solve(&matrix, &right, &mut x);
    assert!(solved.accurate);
    assert_eq!(solved.method, MethodUsed::Dense);
    assert!(largest_error(&x, &solution) < 1e-15);
}

#[test]
fn singular_and_non_finite_matrices_are_reported() {
    for (size, value) in [(2, 0.0), (40, 0.0), (2, f64::NAN), (40, f64::NAN), (900, f64::NAN), (900, 0.0)] {
        let pattern = Arc::new(BlockPattern::from_pairs(size, std::iter::empty()).unwrap());
        let mut matrix = BlockMatrix::zero(pattern.clone());
        matrix.values_mut().fill([value; 4]);
        let right = vec![[1.0; 2]; size];
        let mut x = right.clone();
        assert!(!BlockSolver::new(&pattern).solve(&matrix, &right, &mut x).accurate, "{size} {value}");
    }
}

#[test]
fn a_zero_right_side_has_a_zero_solution() {
    for side in [2, 10, 60] {
        let matrix = mesh_matrix(side * side, &grid(side), 5.0, 3);
        let right = vec![[0.0; 2]; side * side];
        let mut x = vec![[1.0; 2]; side * side];
        let solved = BlockSolver::new(matrix.pattern()).solve(&matrix, &right, &mut x);
        assert!(solved.accurate && x == right);
    }
}

#[test]
fn patterns_refuse_indices_out_of_range() {
    assert!(BlockPattern::from_pairs(2, [(0, 2)].into_iter()).is_none());
    let pattern = BlockPattern::from_pairs(3, [(0, 2), (2, 0), (1, 1)].into_iter()).unwrap();
    assert_eq!(pattern.entries(), 5);
    assert_eq!(pattern.entry(0, 1), None);
    assert_eq!(pattern.entry(5, 1), None);
    assert_eq!(pattern.mirror(pattern.entry(0, 2).unwrap()), pattern.entry(2, 0).unwrap());
}

/// The factors of a chain have no fill: linear work, whatever the length.
#[test]
fn a_long_chain_is_factored_directly() {
    let size = 50_000;
    let pairs: Vec<(usize, usize)> = (1..size).map(|i| (i - 1, i)).collect();
    let matrix = mesh_matrix(size, &pairs, 1e6, 9);
    let (_, right) = planted(&matrix, 2);
    let mut solver = BlockSolver::new(matrix.pattern());
    let mut x = right.clone();
    let solved = solver.solve(&matrix, &right, &mut x);
    assert!(solved.accurate && solved.method == MethodUsed::Direct);
    assert_eq!(solver.factor_entries(), (3 * size - 2) as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Random graphs, sparse enough for every method: direct and dense agree.
    #[test]
    fn sparse_and_dense_agree(
        size in 13usize..60,
        ends in proptest::collection::vec((0usize..60, 0usize..60), 0..200),
        seed in 0u64..1000,
    ) {
        let pairs: Vec<(usize, usize)> =
            ends.iter().map(|&(i, j)| (i % size, j % size)).filter(|(i, j)| i != j).collect();
        let matrix = mesh_matrix(size, &pairs, 3.0, seed);
        let (solution, right) = planted(&matrix, seed + 1);
        let mut solver = BlockSolver::new(matrix.pattern());
        let (mut sparse, mut dense) = (right.clone(), right.clone());
        prop_assert!(solver.solve(&matrix, &right, &mut sparse).accurate);
        prop_assert!(solver.solve_dense(&matrix, &right, &mut dense).accurate);
        prop_assert!(largest_error(&sparse, &dense) < 1e-11);
        prop_assert!(largest_error(&sparse, &solution) < 1e-11);
    }
}
