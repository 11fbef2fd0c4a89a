//! The Jordan algebra of the Lorentz cone |x_T| ≤ x_N in one, two or three dimensions.
//!
//! Alizadeh and Goldfarb, *Second-order cone programming* (Math. Program. 95, 2003), section 4;
//! Nesterov–Todd scaling as in Domahidi, Chu and Boyd, *ECOS* (2013). Entries that a smaller
//! dimension lacks are zero and stay zero.

use super::cone::{Local, tangential};

pub(super) const IDENTITY: Local = [1.0, 0.0, 0.0];

/// x_N² − |x_T|², without squaring the difference away.
pub(super) fn determinant(x: &Local) -> f64 {
    let t = tangential(x);
    (x[0] - t) * (x[0] + t)
}

pub(super) fn dot(x: &Local, y: &Local) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x ∘ y.
pub(super) fn product(x: &Local, y: &Local) -> Local {
    [dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// The z with x ∘ z = y.
pub(super) fn divide(x: &Local, y: &Local) -> Local {
    let z = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / determinant(x);
    [z, (y[1] - z * x[1]) / x[0], (y[2] - z * x[2]) / x[0]]
}

/// Scaling W with W y = W⁻¹ x.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scaling {
    eta: f64,
    w: Local,
}

impl Scaling {
    /// For two points inside the cone. Not finite if one is not.
    pub(super) fn new(x: &Local, y: &Local) -> Self {
        let (dx, dy) = (determinant(x).sqrt(), determinant(y).sqrt());
        let xb = x.map(|v| v / dx);
        let yb = y.map(|v| v / dy);
        let gamma = ((1.0 + dot(&xb, &yb)) / 2.0).sqrt();
        let w = [xb[0] + yb[0], xb[1] - yb[1], xb[2] - yb[2]].map(|v| v / (2.0 * gamma));
        Self { eta: (dx / dy).sqrt(), w }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.eta.is_finite() && self.eta > 0.0 && self.w.iter().all(|w| w.is_finite())
    }

    /// W v.
    pub(super) fn apply(&self, v: &Local) -> Local {
        hyperbolic(self.eta, &self.w, v)
    }

    /// W⁻¹ v.
    pub(super) fn apply_inverse(&self, v: &Local) -> Local {
        hyperbolic(1.0 / self.eta, &[self.w[0], -self.w[1], -self.w[2]], v)
    }

    /// W⁻² = η⁻² (2 (Jw)(Jw)ᵀ − J), J = diag(1, −1, −1).
    pub(super) fn inverse_square(&self) -> [[f64; 3]; 3] {
        let w = [self.w[0], -self.w[1], -self.w[2]];
        let factor = 1.0 / (self.eta * self.eta);
        let mut out = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let sign = match (i == j, i) {
                    (false, _) => 0.0,
                    (true, 0) => 1.0,
                    (true, _) => -1.0,
                };
                out[i][j] = factor * (2.0 * w[i] * w[j] - sign);
            }
        }
        out
    }
}

fn hyperbolic(eta: f64, w: &Local, v: &Local) -> Local {
    let z = w[1] * v[1] + w[2] * v[2];
    let factor = v[0] + z / (1.0 + w[0]);
    [eta * (w[0] * v[0] + z), eta * (v[1] + factor * w[1]), eta * (v[2] + factor * w[2])]
}

/// Largest step along `d` that keeps `x` in the cone; infinite if every step does.
pub(super) fn step_to_boundary(x: &Local, d: &Local) -> f64 {
    let mut step = f64::INFINITY;
    if d[0] < 0.0 {
        step = -x[0] / d[0];
    }
    // Roots of a t² + 2 b t + c.
    let (a, c) = (determinant(d), determinant(x));
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for root in [q / a, c / q] {
            if root > 0.0 && root < step {
                step = root;
            }
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Local = [2.0, 1.0, -0.5];
    const Y: Local = [1.5, -0.7, 0.9];

    fn close(a: &Local, b: &Local) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13)
    }

    #[test]
    fn scaling_maps_both_points_to_one() {
        let scaling = Scaling::new(&X, &Y);
        assert!(close(&scaling.apply(&Y), &scaling.apply_inverse(&X)));
        assert!(close(&scaling.apply(&scaling.apply_inverse(&Y)), &Y));
        let square = scaling.inverse_square();
        let twice = scaling.apply_inverse(&scaling.apply_inverse(&Y));
        let product: Local = std::array::from_fn(|i| dot(&square[i], &Y));
        assert!(close(&product, &twice));
    }

    #[test]
    fn division_undoes_the_product() {
        assert!(close(&divide(&X, &product(&X, &Y)), &Y));
    }

    #[test]
    fn steps_end_on_the_boundary() {
        assert_eq!(step_to_boundary(&[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0]), f64::INFINITY);
        assert_eq!(step_to_boundary(&[1.0, 0.0, 0.0], &[-2.0, 0.0, 0.0]), 0.5);
        let step = step_to_boundary(&X, &[0.1, 1.0, 1.0]);
        let end: Local = std::array::from_fn(|i| X[i] + step * [0.1, 1.0, 1.0][i]);
        assert!(determinant(&end).abs() < 1e-13 && end[0] > 0.0);
    }
}
