//! Stabilized bi-conjugate gradients, preconditioned from the right.
//!
//! Van der Vorst, "Bi-CGSTAB" (SIAM J. Sci. Stat. Comput. 13, 1992), the algorithm on page 638. Short
//! recurrences, so memory in proportion to the number of unknowns, and no need for symmetry: a damped spring has
//! a Jacobian that is not symmetric. Sums go from first to last: the result does not depend on anything else.

use super::incomplete::Incomplete;

/// The vectors of the method.
#[derive(Debug, Clone)]
pub(super) struct Krylov {
    shadow: Vec<[f64; 2]>,
    residual: Vec<[f64; 2]>,
    direction: Vec<[f64; 2]>,
    image: Vec<[f64; 2]>,
    second_image: Vec<[f64; 2]>,
    approximate: Vec<[f64; 2]>,
}

impl Krylov {
    pub(super) fn new(size: usize) -> Self {
        let zeros = vec![[0.0; 2]; size];
        Self {
            shadow: zeros.clone(),
            residual: zeros.clone(),
            direction: zeros.clone(),
            image: zeros.clone(),
            second_image: zeros.clone(),
            approximate: zeros,
        }
    }

    /// Adds to `x` an approximate solution of A e = b whose residual is below `reduction` times that of zero, or
    /// what is found within the budget. Returns the number of iterations; each takes two products with A and two
    /// with the preconditioner. Every vector is in the order of the incomplete factors.
    pub(super) fn correct(
        &mut self,
        system: &Incomplete,
        b: &[[f64; 2]],
        x: &mut [[f64; 2]],
        reduction: f64,
        budget: u32,
    ) -> u32 {
        let Self { shadow, residual, direction, image, second_image, approximate } = self;
        residual.copy_from_slice(b);
        shadow.copy_from_slice(b);
        direction.copy_from_slice(b);
        let target = reduction * reduction * dot(b, b);
        let mut rho = dot(shadow, residual);
        for iteration in 1..=budget {
            system.precondition(direction, approximate);
            system.multiply(approximate, image);
            let alpha = rho / dot(shadow, image);
            if !alpha.is_finite() {
                return iteration;
            }
            add_scaled(x, alpha, approximate);
            add_scaled(residual, -alpha, image);
            if dot(residual, residual) <= target {
                return iteration;
            }
            system.precondition(residual, approximate);
            system.multiply(approximate, second_image);
            let omega = dot(second_image, residual) / dot(second_image, second_image);
            if !omega.is_finite() {
                return iteration;
            }
            add_scaled(x, omega, approximate);
            add_scaled(residual, -omega, second_image);
            let rho_next = dot(shadow, residual);
            let beta = (rho_next / rho) * (alpha / omega);
            if dot(residual, residual) <= target || !beta.is_finite() {
                return iteration;
            }
            rho = rho_next;
            for i in 0..direction.len() {
                for axis in 0..2 {
                    direction[i][axis] =
                        residual[i][axis] + beta * (direction[i][axis] - omega * image[i][axis]);
                }
            }
        }
        budget
    }
}

fn dot(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
}

fn add_scaled(target: &mut [[f64; 2]], factor: f64, change: &[[f64; 2]]) {
    for (target, change) in target.iter_mut().zip(change) {
        target[0] += factor * change[0];
        target[1] += factor * change[1];
    }
}
