//! One contact: projection on its cone and the corrected velocity of De Saxcé.

use super::Cone;

/// A vector of a contact: the first `dim` numbers count, the others are zero.
pub(super) type Local = [f64; 3];

/// The rows of a contact, filled up with zeros.
#[inline]
pub(super) fn local(rows: &[f64]) -> Local {
    let mut out = [0.0; 3];
    out[..rows.len()].copy_from_slice(rows);
    out
}

/// Length of the tangential part.
#[inline]
pub(super) fn tangential(x: &Local) -> f64 {
    (x[1] * x[1] + x[2] * x[2]).sqrt()
}

/// Length of all.
#[inline]
pub(super) fn length(x: &Local) -> f64 {
    (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt()
}

impl Cone {
    /// Coefficient of friction; none is zero.
    pub fn mu(self) -> f64 {
        match self {
            Self::SecondOrder { mu, .. } => mu,
            Self::Free { .. } | Self::NonNegative => 0.0,
        }
    }

    /// The nearest point of the cone.
    pub(super) fn project(self, x: Local) -> Local {
        match self {
            Self::Free { .. } => x,
            Self::NonNegative => [x[0].max(0.0), 0.0, 0.0],
            Self::SecondOrder { mu, .. } => {
                let length = tangential(&x);
                if length <= mu * x[0] {
                    x
                } else if mu * length <= -x[0] {
                    [0.0; 3]
                } else {
                    let normal = (x[0] + mu * length) / (1.0 + mu * mu);
                    let factor = mu * normal / length;
                    [normal, factor * x[1], factor * x[2]]
                }
            }
        }
    }

    /// No pull, and the tangential part shortened: not the nearest point, but the normal part
    /// stays.
    pub(super) fn clipped(self, mut r: Local) -> Local {
        match self {
            Self::Free { .. } => {}
            Self::NonNegative => r[0] = r[0].max(0.0),
            Self::SecondOrder { mu, .. } => {
                if r[0].is_nan() || r[0] <= 0.0 {
                    return [0.0; 3];
                }
                let tangential = tangential(&r);
                if tangential > mu * r[0] {
                    let share = mu * r[0] / tangential;
                    (r[1], r[2]) = (share * r[1], share * r[2]);
                }
            }
        }
        r
    }

    /// u + μ|u_T| e_N: with it, Coulomb's law is a complementarity of cones (De Saxcé and Feng,
    /// *The bipotential method*, Math. Comput. Modelling 28, 1998).
    #[inline]
    pub(super) fn corrected(self, mut u: Local) -> Local {
        if let Self::SecondOrder { mu, .. } = self {
            u[0] += mu * tangential(&u);
        }
        u
    }

    /// r − P(r − ρ v), zero exactly at a solution.
    #[inline]
    pub(super) fn natural(self, r: Local, u: Local, rho: f64) -> Local {
        let v = self.corrected(u);
        let p = self.project([r[0] - rho * v[0], r[1] - rho * v[1], r[2] - rho * v[2]]);
        [r[0] - p[0], r[1] - p[1], r[2] - p[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projections_are_nearest_points() {
        let cone = Cone::SecondOrder { dim: 3, mu: 0.5 };
        assert_eq!(cone.project([2.0, 0.6, 0.8]), [2.0, 0.6, 0.8]);
        assert_eq!(cone.project([-2.0, 0.6, 0.8]), [0.0; 3]);
        // (0, 1) on the ray of direction (2, 1): (2, 1) · (0, 1) / 5 = 1/5.
        let p = cone.project([0.0, 1.0, 0.0]);
        assert!((p[0] - 0.4).abs() < 1e-15 && (p[1] - 0.2).abs() < 1e-15);
        // Without friction the cone is a ray.
        let ray = Cone::SecondOrder { dim: 3, mu: 0.0 };
        assert_eq!(ray.project([3.0, 1.0, 1.0]), [3.0, 0.0, 0.0]);
    }

    #[test]
    fn natural_map_vanishes_for_open_sticking_and_sliding() {
        let cone = Cone::SecondOrder { dim: 3, mu: 0.5 };
        assert_eq!(cone.natural([0.0; 3], [1.0, 2.0, 3.0], 1.0), [0.0; 3]);
        assert_eq!(cone.natural([2.0, 0.5, 0.5], [0.0; 3], 1.0), [0.0; 3]);
        // Sliding: the impulse is opposite to the velocity, on the boundary of the cone.
        let r = cone.natural([2.0, -1.0, 0.0], [0.0, 3.0, 0.0], 1.0);
        assert!(length(&r) < 1e-15);
    }
}
