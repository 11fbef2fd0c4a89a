//! How a body is turned: a unit quaternion or a rotation matrix, and the maps between rotations and
//! vectors.

use carom_numerics::elementary;
use glam::{DMat3, DQuat, DVec3};

/// How a body is turned, from body axes to world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Orientation {
    /// A quaternion q; its length is normalized after every step.
    Quaternion(DQuat),
    /// A matrix R; it is made orthonormal again after every step.
    Matrix(DMat3),
}

/// Which of the two a world uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrientationKind {
    /// Four numbers; the rule.
    #[default]
    Quaternion,
    /// Nine numbers, as the lecture begins; for teaching and comparison.
    Matrix,
}

/// The polar iteration converges quadratically; more rounds than this mean a matrix that is no
/// rotation at all.
const MOST_POLAR_ROUNDS: usize = 40;

/// Rotation vectors shorter than this are turned by their series: the next term is below rounding.
const SMALL_ANGLE: f64 = 1e-4;

impl Default for Orientation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Orientation {
    /// Not turned.
    pub const IDENTITY: Self = Self::Quaternion(DQuat::IDENTITY);

    /// The rotation matrix R(q) of the normalized quaternion, or R itself.
    pub fn matrix(&self) -> DMat3 {
        match self {
            Self::Quaternion(q) => DMat3::from_quat(q.normalize()),
            Self::Matrix(r) => *r,
        }
    }

    /// As a quaternion of length 1.
    pub fn quaternion(&self) -> DQuat {
        match self {
            Self::Quaternion(q) => q.normalize(),
            Self::Matrix(r) => DQuat::from_mat3(r).normalize(),
        }
    }

    /// The same orientation, kept in the given way.
    pub fn as_kind(&self, kind: OrientationKind) -> Self {
        match (kind, self) {
            (OrientationKind::Quaternion, Self::Matrix(_)) => Self::Quaternion(self.quaternion()),
            (OrientationKind::Matrix, Self::Quaternion(_)) => Self::Matrix(self.matrix()),
            _ => *self,
        }
    }

    /// Turned further by a rotation in world axes.
    pub fn turned_by(&self, turn: DQuat) -> Self {
        match self {
            Self::Quaternion(q) => Self::Quaternion(turn * *q),
            Self::Matrix(r) => Self::Matrix(DMat3::from_quat(turn) * *r),
        }
    }

    /// The nearest rotation, and how far from one this was: ||q| − 1|, or the largest entry of |RᵀR
    /// − 1|.
    ///
    /// A matrix is normalized by Higham's iteration R ← ½ (R + R⁻ᵀ) to the orthogonal factor of its
    /// polar decomposition ("Computing the polar decomposition", 1986), which favours no axis as
    /// Gram and Schmidt's method does.
    pub fn normalized(&self) -> (Self, f64) {
        match self {
            Self::Quaternion(q) => {
                let length = q.length();
                (Self::Quaternion(*q / length), (length - 1.0).abs())
            }
            Self::Matrix(r) => {
                let drift = off_orthonormal(r);
                let mut normalized = *r;
                for _ in 0..MOST_POLAR_ROUNDS {
                    let next = 0.5 * (normalized + normalized.inverse().transpose());
                    let change = largest_entry(&(next - normalized));
                    normalized = next;
                    if change <= 2.0 * f64::EPSILON {
                        break;
                    }
                }
                (Self::Matrix(normalized), drift)
            }
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Quaternion(q) => q.is_finite(),
            Self::Matrix(r) => r.is_finite(),
        }
    }
}

/// The matrix of a cross product: `star(a) * b` is a × b. The lecture's `Star`.
pub fn star(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// The rotation about `v` by |v| radians.
pub fn exponential(v: DVec3) -> DQuat {
    let angle = v.length();
    let (sin_over_angle, cos) = if angle < SMALL_ANGLE {
        let square = angle * angle;
        (0.5 - square / 48.0, 1.0 - square / 8.0 + square * square / 384.0)
    } else {
        let (sin, cos) = elementary::sin_cos(0.5 * angle);
        (sin / angle, cos)
    };
    let axis = sin_over_angle * v;
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// The shortest rotation vector of a unit quaternion: the inverse of [`exponential`] up to π.
pub fn logarithm(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let axis = DVec3::new(q.x, q.y, q.z);
    let sin = axis.length();
    if sin < SMALL_ANGLE {
        return (2.0 / q.w) * (1.0 - sin * sin / (3.0 * q.w * q.w)) * axis;
    }
    (2.0 * elementary::atan2(sin, q.w) / sin) * axis
}

fn off_orthonormal(r: &DMat3) -> f64 {
    largest_entry(&(r.transpose() * *r - DMat3::IDENTITY))
}

fn largest_entry(m: &DMat3) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |worst, entry: f64| worst.max(entry.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: DVec3 = DVec3::new(0.3, -1.2, 0.8);

    #[test]
    fn star_is_the_cross_product() {
        let b = DVec3::new(2.0, 5.0, -1.0);
        assert_eq!(star(V) * b, V.cross(b));
    }

    #[test]
    fn the_exponential_turns_by_its_length() {
        let quarter = exponential(std::f64::consts::FRAC_PI_2 * DVec3::Z);
        assert!((quarter * DVec3::X - DVec3::Y).length() < 1e-15);
        for scale in [1.0, 1.01e-4, 0.99e-4, 1e-9, 0.0] {
            let v = scale * V;
            let q = exponential(v);
            assert!((q.length() - 1.0).abs() < 1e-15, "{scale}");
            assert!((logarithm(q) - v).length() <= 1e-15 * (1.0 + v.length()), "{scale}");
            assert!((logarithm(-q) - v).length() <= 1e-15 * (1.0 + v.length()), "{scale}");
        }
    }

    #[test]
    fn mending_finds_the_nearest_rotation_and_says_how_far_it_was() {
        let turn = exponential(V);
        let r = DMat3::from_quat(turn);
        let stretched = Orientation::Matrix(r * DMat3::from_diagonal(DVec3::new(1.1, 0.9, 1.0)));
        let (normalized, drift) = stretched.normalized();
        assert!(largest_entry(&(normalized.matrix() - r)) < 1e-15);
        assert!((drift - 0.21).abs() < 1e-12);
        let (normalized, drift) = Orientation::Quaternion(turn * 1.25).normalized();
        assert!(drift - 0.25 < 1e-15 && (normalized.quaternion() - turn).length() < 1e-15);
        let both = Orientation::Quaternion(turn).as_kind(OrientationKind::Matrix);
        assert!(largest_entry(&(both.matrix() - r)) < 1e-15);
    }
}
