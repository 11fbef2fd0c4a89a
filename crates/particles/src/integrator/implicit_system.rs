//! The linear system of the implicit methods: (M + h (∂g/∂v + h ∂g/∂x)) d = right side.
//!
//! g is the gradient, minus the force. Baraff, Witkin, "Large steps in cloth simulation" (SIGGRAPH
//! 1998), equation 6, with their forces negated. The matrix has one two by two block for every
//! particle and one for each direction of every pair that a force joins; rows and columns of fixed
//! particles are those of the identity. With damped springs it is not symmetric.

use super::Motion;
use crate::force::Configuration;
use crate::{Model, Particle};
use carom_numerics::sparse::{Block, BlockMatrix, BlockPattern, BlockSolver, IDENTITY, Solved, ZERO};
use glam::{DMat2, DVec2};
use std::sync::Arc;

/// The matrix, its solver with everything that depends on the pattern alone, and the vectors of a
/// solve.
#[derive(Debug, Clone)]
pub(crate) struct ImplicitSystem {
    matrix: BlockMatrix,
    solver: BlockSolver,
    /// Where the blocks of every pair force go, in the order of the forces.
    places: Vec<PairPlaces>,
    right: Vec<[f64; 2]>,
    solution: Vec<[f64; 2]>,
    residual: Vec<[f64; 2]>,
    gradient: Vec<DVec2>,
}

/// Entries of the matrix that a pair force adds to. Entries outside the diagonal do not exist if
/// one of the two particles is fixed.
#[derive(Debug, Clone, Copy)]
struct PairPlaces {
    first: usize,
    second: usize,
    across: Option<[usize; 2]>,
}

impl ImplicitSystem {
    /// `None` if there are more pairs than the sparse solver can number.
    pub(crate) fn new(model: &Model) -> Option<Self> {
        let count = model.particles.len();
        let free = |i: usize| !model.particles[i].fixed;
        let mut pairs = Vec::new();
        model.forces.for_each_pair(|first, second| pairs.push((first.0, second.0)));
        let coupled = pairs.iter().copied().filter(|&(i, j)| free(i) && free(j));
        let pattern = Arc::new(BlockPattern::from_pairs(count, coupled)?);
        let places = pairs.iter().map(|&(i, j)| PairPlaces {
            first: pattern.diagonal(i),
            second: pattern.diagonal(j),
            across: pattern.entry(i, j).map(|entry| [entry, pattern.mirror(entry)]),
        });
        Some(Self {
            places: places.collect(),
            solver: BlockSolver::new(&pattern),
            matrix: BlockMatrix::zero(pattern),
            right: vec![[0.0; 2]; count],
            solution: vec![[0.0; 2]; count],
            residual: vec![[0.0; 2]; count],
            gradient: vec![DVec2::ZERO; count],
        })
    }

    /// Evaluates the right side −h g − m Δv at the given positions and velocities; zero for fixed
    /// particles. Returns its 2-norm.
    pub(super) fn evaluate_right_side(
        &mut self,
        motion: &mut Motion<'_>,
        positions: &[DVec2],
        velocities: &[DVec2],
        velocity_change: &[DVec2],
    ) -> f64 {
        let h = motion.settings.time_step;
        motion.forces.gradient(motion.model, positions, velocities, &mut self.gradient);
        let particles = motion.model.particles.iter().zip(&self.gradient).zip(velocity_change);
        for (right, ((particle, gradient), change)) in self.right.iter_mut().zip(particles) {
            let impulse = h * -*gradient - particle.mass * *change;
            *right = if particle.fixed { [0.0; 2] } else { impulse.to_array() };
        }
        norm(&self.right)
    }

    /// Assembles the matrix at the given positions and velocities and solves for the last right
    /// side.
    pub(super) fn solve(&mut self, motion: &Motion<'_>, positions: &[DVec2], velocities: &[DVec2]) -> Solved {
        let at = motion.forces.configuration(motion.model, positions, velocities);
        self.assemble(at, motion.settings.time_step);
        self.solver.solve(&self.matrix, &self.right, &mut self.solution)
    }

    /// Adds the last right side to `velocities`: where a force is not finite, they are not either,
    /// and the step is reported as such instead of being lost in a solve.
    pub(super) fn expose_non_finite(&self, velocities: &mut [DVec2]) {
        for (velocity, right) in velocities.iter_mut().zip(&self.right) {
            *velocity += DVec2::from_array(*right);
        }
    }

    /// The solution d.
    pub(super) fn solution(&self) -> &[[f64; 2]] {
        &self.solution
    }

    /// 2-norm of what is left of the linear equations.
    pub(super) fn linear_residual(&mut self) -> f64 {
        self.matrix.residual(&self.solution, &self.right, &mut self.residual);
        norm(&self.residual)
    }

    /// Blocks in the factors that the solver keeps.
    pub(super) fn factor_entries(&self) -> u64 {
        self.solver.factor_entries()
    }

    /// In the order of the course's program, which decides the last bit: the sum of the Jacobians
    /// by position, times h, plus those by velocity, times h, plus the masses; then fixed rows and
    /// columns.
    fn assemble(&mut self, at: Configuration<'_>, h: f64) {
        let forces = &at.model.forces;
        let pattern = self.matrix.pattern().clone();
        let places = &self.places;
        let values = self.matrix.values_mut();
        values.fill(ZERO);

        let mut pairs = places.iter();
        forces.for_each_pair_jacobian(at, |jacobian| {
            if let Some(places) = pairs.next() {
                jacobian.position.iter().for_each(|term| places.add(values, *term));
            }
        });
        values.iter_mut().flatten().for_each(|entry| *entry *= h);
        for drag in &forces.drags {
            (0..pattern.size()).for_each(|i| {
                add_multiple_of_identity(&mut values[pattern.diagonal(i)], drag.velocity_jacobian())
            });
        }
        let mut pairs = places.iter();
        forces.for_each_pair_jacobian(at, |jacobian| {
            if let Some(places) = pairs.next() {
                places.add(values, jacobian.velocity);
            }
        });
        values.iter_mut().flatten().for_each(|entry| *entry *= h);
        for (i, Particle { mass, fixed, .. }) in at.model.particles.iter().enumerate() {
            let block = &mut values[pattern.diagonal(i)];
            if *fixed {
                *block = IDENTITY;
            } else {
                add_multiple_of_identity(block, *mass);
            }
        }
    }
}

impl PairPlaces {
    /// Adds +B to both diagonal blocks and −B across.
    fn add(&self, values: &mut [Block], term: DMat2) {
        let block = [term.x_axis.x, term.y_axis.x, term.x_axis.y, term.y_axis.y];
        for place in [self.first, self.second] {
            (0..4).for_each(|i| values[place][i] += block[i]);
        }
        for place in self.across.into_iter().flatten() {
            (0..4).for_each(|i| values[place][i] -= block[i]);
        }
    }
}

fn add_multiple_of_identity(block: &mut Block, factor: f64) {
    block[0] += factor;
    block[3] += factor;
}

/// 2-norm, summed from first to last.
pub(super) fn norm(vector: &[[f64; 2]]) -> f64 {
    vector.iter().map(|entry| entry[0] * entry[0] + entry[1] * entry[1]).sum::<f64>().sqrt()
}
