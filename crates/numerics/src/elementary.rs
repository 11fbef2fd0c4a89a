//! Sines, exponentials and their relatives with the same bits on every machine.
//!
//! The standard library hands `f64::sin` and its relatives to the platform's C library, and
//! platforms disagree in the last bit: a trajectory computed on one machine could then not be
//! reproduced on another. These functions are the only home of such calls in Carom; they go to the
//! `libm` crate, a port of musl's C library that compiles to the same arithmetic everywhere.
//! `clippy.toml` forbids the platform's versions.
//!
//! `sqrt`, `abs`, `floor`, `ceil`, `round` and the four operations are not here: IEEE 754 fixes
//! their result, so the standard library's versions agree everywhere.
//!
//! Arguments outside a function's domain give NaN, as in C; nothing here panics.

/// Sine of an angle in radians.
pub fn sin(angle_radians: f64) -> f64 {
    libm::sin(angle_radians)
}

/// Cosine of an angle in radians.
pub fn cos(angle_radians: f64) -> f64 {
    libm::cos(angle_radians)
}

/// Sine and cosine of an angle in radians, in this order. Same bits as [`sin`] and [`cos`].
pub fn sin_cos(angle_radians: f64) -> (f64, f64) {
    libm::sincos(angle_radians)
}

/// Tangent of an angle in radians.
pub fn tan(angle_radians: f64) -> f64 {
    libm::tan(angle_radians)
}

/// Angle in [−π/2, π/2] whose sine is `x`; NaN outside [−1, 1].
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Angle in [0, π] whose cosine is `x`; NaN outside [−1, 1].
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Angle in (−π/2, π/2) whose tangent is `x`.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Angle in [−π, π] from the positive x axis to the point (x, y). Mind the order of the arguments:
/// y first.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Exponential function.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm; NaN for negative numbers, −∞ at zero.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Logarithm to base ten; NaN for negative numbers, −∞ at zero.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// `base` raised to a real power.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Cube root, of negative numbers too.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Length of the vector (x, y), without overflow or underflow on the way.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    #[test]
    fn known_values() {
        assert_eq!(sin(0.0), 0.0);
        assert_eq!(cos(0.0), 1.0);
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
        assert!((log10(1000.0) - 3.0).abs() < 1e-15);
        assert!((hypot(3e200, 4e200) / 5e200 - 1.0).abs() < 1e-15);
        assert_eq!(cbrt(-27.0), -3.0);
        assert_eq!(pow(2.0, 10.0), 1024.0);
        assert_eq!(atan2(1.0, -0.0), PI / 2.0);
        assert_eq!(acos(-1.0), PI);
        assert!((tan(PI / 4.0) - 1.0).abs() < 1e-15);
        assert!((asin(0.5) - PI / 6.0).abs() < 1e-15);
        assert!((atan(1.0) - PI / 4.0).abs() < 1e-15);
    }

    #[test]
    fn outside_the_domain_gives_nan() {
        assert!(acos(1.5).is_nan());
        assert!(asin(-2.0).is_nan());
        assert!(ln(-1.0).is_nan());
        assert!(sin(f64::INFINITY).is_nan());
    }

    /// A change of these bits changes trajectories: it must be seen.
    #[test]
    fn pinned_bits() {
        assert_eq!(sin(1.0).to_bits(), 0x3fea_ed54_8f09_0cee);
        assert_eq!(cos(1.0).to_bits(), 0x3fe1_4a28_0fb5_068c);
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
    }

    proptest! {
        #[test]
        fn sin_cos_is_sin_and_cos(angle in -1e6..1e6f64) {
            prop_assert_eq!(sin_cos(angle), (sin(angle), cos(angle)));
        }

        #[test]
        fn atan2_recovers_the_angle(angle in -3.1..3.1f64, radius in 1e-3..1e3f64) {
            let (s, c) = sin_cos(angle);
            prop_assert!((atan2(radius * s, radius * c) - angle).abs() < 1e-14);
        }

        #[test]
        fn ln_undoes_exp(x in -300.0..300.0f64) {
            prop_assert!((ln(exp(x)) - x).abs() <= 1e-15 * x.abs().max(1.0));
        }
    }
}
