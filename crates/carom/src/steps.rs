//! How many steps a duration has.

/// Steps of a run. The course's program takes ceil(duration / dt) in floating point, so 0.28 s at
/// 0.01 s are 29 steps there; by default a quotient within rounding of a whole number is that
/// number.
pub(crate) fn planned(duration: f64, dt: f64, course: bool) -> u64 {
    let quotient = duration / dt;
    if dt <= 0.0 || quotient.is_nan() || quotient <= 0.0 {
        return 0;
    }
    let nearest = quotient.round();
    // Duration and dt are decimals rounded to the nearest double, and the division rounds once
    // more: three half-units in the last place.
    let is_whole = (quotient - nearest).abs() <= 2.0 * f64::EPSILON * nearest;
    if is_whole && !course { nearest as u64 } else { quotient.ceil() as u64 }
}

#[cfg(test)]
mod tests {
    use super::planned;

    #[test]
    fn a_quotient_that_is_whole_but_for_rounding_is_whole() {
        assert_eq!(planned(0.28, 0.01, false), 28);
        assert_eq!(planned(0.28, 0.01, true), 29, "the course's program rounds up");
        for course in [false, true] {
            assert_eq!(planned(0.3, 0.1, course), 3);
            assert_eq!(planned(0.7, 0.1, course), 7);
            assert_eq!(planned(1.0, 0.3, course), 4);
            assert_eq!(planned(0.0, 0.1, course), 0);
            assert_eq!(planned(-1.0, 0.1, course), 0);
            assert_eq!(planned(1.0, 0.0, course), 0);
        }
    }
}
