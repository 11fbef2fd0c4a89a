//! Polynomials of low degree on the unit interval: real roots, where one is positive, and when
//! several first are together.
//!
//! Continuous-time collision detection asks exactly this: straight motions make every condition of
//! a contact a polynomial in the time of the step, and the contact begins when all of them hold. No
//! allocation, no complex numbers.
//!
//! What it does not do: roots outside [0, 1], degrees above [`MAX_DEGREE`].

mod intervals;
mod roots;

pub use intervals::{Intervals, Rule, first_time_all_positive, positive_intervals};
pub use roots::{Roots, roots_in_unit_interval};

/// The highest degree: a particle against a moving edge gives a quintic.
pub const MAX_DEGREE: usize = 5;

/// A polynomial of degree at most [`MAX_DEGREE`], highest power first, as in the course's files.
///
/// ```
/// use carom_numerics::polynomial::Polynomial;
/// let p = Polynomial::new([2.0, -3.0, 1.0]); // 2t² − 3t + 1
/// assert_eq!(p.value(0.5), 0.0);
/// assert_eq!(p.derivative().coefficients(), &[4.0, -3.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    coefficients: [f64; MAX_DEGREE + 1],
    length: usize,
}

impl Polynomial {
    /// A polynomial from its coefficients, highest power first; at most `MAX_DEGREE + 1` of them,
    /// checked when compiled.
    pub fn new<const N: usize>(coefficients: [f64; N]) -> Self {
        const { assert!(N <= MAX_DEGREE + 1, "the degree is at most MAX_DEGREE") };
        let mut all = [0.0; MAX_DEGREE + 1];
        all[..N].copy_from_slice(&coefficients);
        Self { coefficients: all, length: N }
    }

    /// The coefficients, highest power first; empty for a polynomial without any.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients[..self.length]
    }

    /// The value at `t`, by Horner's rule; 0 without coefficients.
    pub fn value(&self, t: f64) -> f64 {
        self.coefficients().iter().fold(0.0, |value, c| value * t + c)
    }

    /// Sum of the absolute terms at `t`: rounding in [`value`](Self::value) is a few units in the
    /// last place of this.
    pub fn magnitude(&self, t: f64) -> f64 {
        self.coefficients().iter().fold(0.0, |value, c| value * t.abs() + c.abs())
    }

    /// The derivative.
    pub fn derivative(&self) -> Self {
        let mut result = Self { coefficients: [0.0; MAX_DEGREE + 1], length: self.length.saturating_sub(1) };
        for k in 0..result.length {
            result.coefficients[k] = self.coefficients[k] * (self.length - 1 - k) as f64;
        }
        result
    }

    /// The same without the leading coefficients that are not larger than `threshold`; with 0,
    /// without leading zeros.
    pub fn without_small_leading(&self, threshold: f64) -> Self {
        let small = |c: &f64| c.abs() < threshold || *c == 0.0;
        let dropped = self.coefficients().iter().take_while(|c| small(c)).count();
        let mut result = Self { coefficients: [0.0; MAX_DEGREE + 1], length: self.length - dropped };
        result.coefficients[..result.length].copy_from_slice(&self.coefficients[dropped..self.length]);
        result
    }

    /// Whether every coefficient is a finite number.
    pub fn is_finite(&self) -> bool {
        self.coefficients().iter().all(|c| c.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_derivatives() {
        let p = Polynomial::new([1.0, 0.0, -2.0, 5.0]);
        assert_eq!(p.value(2.0), 9.0);
        assert_eq!(p.magnitude(-2.0), 17.0);
        assert_eq!(p.derivative().coefficients(), &[3.0, 0.0, -2.0]);
        assert_eq!(Polynomial::new([]).value(3.0), 0.0);
        assert_eq!(Polynomial::new([4.0]).derivative().coefficients(), &[] as &[f64]);
    }

    #[test]
    fn leading_coefficients_are_dropped_up_to_the_first_large_one() {
        let p = Polynomial::new([1e-13, -1e-14, 2.0, 1e-15]);
        assert_eq!(p.without_small_leading(1e-12).coefficients(), &[2.0, 1e-15]);
        assert_eq!(
            Polynomial::new([0.0, 1e-30, 0.0]).without_small_leading(0.0).coefficients(),
            &[1e-30, 0.0]
        );
        assert_eq!(
            Polynomial::new([1e-13, 1e-13]).without_small_leading(1e-12).coefficients(),
            &[] as &[f64]
        );
    }
}
