//! Dormand and Prince's embedded Runge–Kutta pair of order 5(4): its coefficients and its step
//! control.
//!
//! Coefficients: Dormand, Prince, "A family of embedded Runge–Kutta formulae" (J. Comput. Appl.
//! Math. 6, 1980), table 2, RK5(4)7M; also Hairer, Nørsett, Wanner, *Solving Ordinary Differential
//! Equations I*, table II.5.2. Step control: the same book, equations II.4.11 to II.4.13.

use crate::elementary;

/// The times c_s of the stages, in parts of the step.
pub const NODES: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// The weights a_sj of the earlier stages. The last stage stands at the fifth-order result, and
/// serves as the first of the next step.
pub const STAGES: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of the fifth-order result minus those of the fourth-order one.
pub const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Safety factor and limits on how much the step changes at once (Hairer et al., after equation
/// II.4.13).
const SAFETY: f64 = 0.9;
const LARGEST_GROWTH: f64 = 5.0;
const LARGEST_SHRINKAGE: f64 = 0.2;

/// Factor for the next step after one with this error, in units of the tolerance. An error that is
/// not a number shrinks it as far as allowed.
///
/// ```
/// use carom_numerics::dormand_prince::growth;
///
/// assert_eq!((growth(0.0), growth(f64::NAN), growth(1.0)), (5.0, 0.2, 0.9));
/// ```
pub fn growth(error: f64) -> f64 {
    if error == 0.0 {
        return LARGEST_GROWTH;
    }
    let factor = SAFETY * elementary::pow(error, -0.2);
    if factor.is_finite() { factor.clamp(LARGEST_SHRINKAGE, LARGEST_GROWTH) } else { LARGEST_SHRINKAGE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row sums are the nodes, and the two results of the pair differ by nothing of order 0.
    #[test]
    fn the_table_is_consistent() {
        for (node, weights) in NODES.iter().zip(STAGES) {
            assert!((weights.iter().sum::<f64>() - node).abs() < 1e-14, "{node}");
        }
        assert!(ERROR.iter().sum::<f64>().abs() < 1e-16);
    }
}
