//! Stabilized bi-conjugate gradients.
//!
//! Van der Vorst, "Bi-CGSTAB" (SIAM J. Sci. Stat. Comput. 13, 1992), the algorithm on page 634,
//! applied to the preconditioned operator of [`Incomplete`]. Short recurrences, so memory in
//! proportion to the number of unknowns, and no need for symmetry: a damped spring has a Jacobian
//! that is not symmetric. Sums go from first to last: the result does not depend on anything else.

use super::incomplete::Incomplete;

/// The vectors of the method.
#[derive(Debug, Clone)]
pub(super) struct Krylov {
    shadow: Vec<[f64; 2]>,
    residual: Vec<[f64; 2]>,
    direction: Vec<[f64; 2]>,
    image: Vec<[f64; 2]>,
    second_image: Vec<[f64; 2]>,
}

impl Krylov {
    pub(super) fn new(size: usize) -> Self {
        let zeros = vec![[0.0; 2]; size];
        Self {
            shadow: zeros.clone(),
            residual: zeros.clone(),
            direction: zeros.clone(),
            image: zeros.clone(),
            second_image: zeros,
        }
    }

    /// Overwrites `x`, which holds b at first, with an approximate solution of A x = b whose
    /// preconditioned residual is below `reduction` times that of zero, or with what is found
    /// within the budget. Returns the number of iterations; each applies the preconditioned
    /// operator twice. Vectors are in the order of the incomplete factors.
    pub(super) fn solve(
        &mut self,
        system: &mut Incomplete,
        x: &mut [[f64; 2]],
        reduction: f64,
        budget: u32,
    ) -> u32 {
        system.solve_lower(x);
        self.residual.copy_from_slice(x);
        x.fill([0.0; 2]);
        let iterations = self.iterate(system, x, reduction, budget);
        system.solve_upper(x);
        iterations
    }

    fn iterate(&mut self, system: &mut Incomplete, x: &mut [[f64; 2]], reduction: f64, budget: u32) -> u32 {
        let Self { shadow, residual, direction, image, second_image } = self;
        shadow.copy_from_slice(residual);
        direction.copy_from_slice(residual);
        let mut rho = dot(shadow, residual);
        let target = reduction * reduction * rho;
        for iteration in 1..=budget {
            let (shadow_image, _) = system.multiply(direction, image, shadow);
            let alpha = rho / shadow_image;
            if !alpha.is_finite() {
                return iteration;
            }
            if add_scaled(residual, -alpha, image) <= target {
                add_scaled(x, alpha, direction);
                return iteration;
            }
            let (residual_image, image_image) = system.multiply(residual, second_image, residual);
            let omega = residual_image / image_image;
            if !omega.is_finite() {
                add_scaled(x, alpha, direction);
                return iteration;
            }
            let (mut rho_next, mut size) = (0.0, 0.0);
            for k in 0..x.len() {
                let (x, r) = (&mut x[k], &mut residual[k]);
                for axis in 0..2 {
                    x[axis] += alpha * direction[k][axis] + omega * r[axis];
                    r[axis] -= omega * second_image[k][axis];
                }
                rho_next += shadow[k][0] * r[0] + shadow[k][1] * r[1];
                size += r[0] * r[0] + r[1] * r[1];
            }
            let beta = (rho_next / rho) * (alpha / omega);
            if size <= target || !beta.is_finite() {
                return iteration;
            }
            rho = rho_next;
            for ((direction, residual), image) in direction.iter_mut().zip(&*residual).zip(&*image) {
                for axis in 0..2 {
                    direction[axis] = residual[axis] + beta * (direction[axis] - omega * image[axis]);
                }
            }
        }
        budget
    }
}

fn dot(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
}

/// target += factor · change; returns target · target.
fn add_scaled(target: &mut [[f64; 2]], factor: f64, change: &[[f64; 2]]) -> f64 {
    let mut size = 0.0;
    for (target, change) in target.iter_mut().zip(change) {
        target[0] += factor * change[0];
        target[1] += factor * change[1];
        size += target[0] * target[0] + target[1] * target[1];
    }
    size
}
