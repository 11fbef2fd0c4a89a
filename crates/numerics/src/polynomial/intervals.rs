//! Where polynomials are positive on [0, 1], and the first time when several are together.
//!
//! The positive stretches between roots, closed, with stretches that touch joined, intersected over
//! all polynomials: the rule of the course's hand-out on continuous-time collisions, cut to the
//! unit interval. A stretch that only ends at 0 is over before the step begins and does not count;
//! one that only starts at 1 does.

use super::roots::course_quadratic;
use super::{MAX_DEGREE, Polynomial, roots_in_unit_interval};

/// Leading coefficients below this are dropped by the course's program, in absolute value.
const COURSE_SMALL_LEADING: f64 = 1e-12;

/// Most stretches: those of one quintic in [0, 1] (a point at 1 included), three more times over.
const CAPACITY: usize = 16;

/// What counts as positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// The polynomial as it stands.
    #[default]
    Exact,
    /// The course's program: leading coefficients with |c| < 1e-12 are dropped first, and a
    /// polynomial with a leading coefficient alone (c·tⁿ) is judged by its sign at 0, which is not
    /// positive. Roots of quadratics have the bits of that program too.
    Course,
}

/// Closed stretches of [0, 1], ascending, apart from each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Intervals {
    bounds: [(f64, f64); CAPACITY],
    length: usize,
}

impl Intervals {
    /// The stretches as (start, end).
    pub fn as_slice(&self) -> &[(f64, f64)] {
        &self.bounds[..self.length]
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn push(&mut self, start: f64, end: f64) {
        if let Some(last) = self.bounds[..self.length].last_mut()
            && start <= last.1
        {
            last.1 = last.1.max(end);
            return;
        }
        self.bounds[self.length] = (start, end);
        self.length += 1;
    }

    /// Stretches in both; two that share only a point give that point.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut result = Self::default();
        let (mut a, mut b) = (self.as_slice(), other.as_slice());
        while let (Some(x), Some(y)) = (a.first(), b.first()) {
            let (start, end) = (x.0.max(y.0), x.1.min(y.1));
            if start <= end {
                result.push(start, end);
            }
            if x.1 < y.1 { a = &a[1..] } else { b = &b[1..] }
        }
        result
    }
}

/// Where `p` is positive in [0, 1]. Empty for a polynomial that is not finite.
pub fn positive_intervals(p: &Polynomial, rule: Rule) -> Intervals {
    let p = match rule {
        Rule::Exact => p.without_small_leading(0.0),
        Rule::Course => p.without_small_leading(COURSE_SMALL_LEADING),
    };
    let c = p.coefficients();
    let monomial = c.len() > 1 && c[1..].iter().all(|c| *c == 0.0);
    if c.is_empty() || !p.is_finite() || (monomial && rule == Rule::Course) {
        return Intervals::default();
    }
    let mut result = Intervals::default();
    let mut start = 0.0;
    let roots = match (rule, c) {
        (Rule::Course, &[a, b, c]) => course_quadratic(a, b, c),
        _ => roots_in_unit_interval(&p),
    };
    for &end in roots.as_slice().iter().chain([&1.0]) {
        if end > start && p.value(0.5 * (start + end)) > 0.0 {
            result.push(start, end);
        }
        start = end;
    }
    if p.value(1.0) == 0.0 && rises_from(&p, 1.0) {
        result.push(1.0, 1.0);
    }
    result
}

/// Whether p, zero at t, is positive just after it: its first derivative that is not zero there is
/// positive.
fn rises_from(p: &Polynomial, t: f64) -> bool {
    let mut derivative = p.derivative();
    for _ in 0..MAX_DEGREE {
        let value = derivative.value(t);
        if value != 0.0 {
            return value > 0.0;
        }
        derivative = derivative.derivative();
    }
    false
}

/// The first time in [0, 1] at which all polynomials are positive (or become so), if there is one.
///
/// ```
/// use carom_numerics::polynomial::{Polynomial, Rule, first_time_all_positive};
/// let after = Polynomial::new([1.0, -0.25]); // t − 1/4
/// let before = Polynomial::new([-1.0, 0.75]); // 3/4 − t
/// assert_eq!(first_time_all_positive(&[after, before], Rule::Exact), Some(0.25));
/// ```
pub fn first_time_all_positive<const N: usize>(polynomials: &[Polynomial; N], rule: Rule) -> Option<f64> {
    // each polynomial has at most three stretches and a point; an intersection at most the sum of
    // both
    const { assert!(N * 4 <= CAPACITY, "at most four polynomials at once") };
    let mut common = Intervals::default();
    common.push(0.0, 1.0);
    for p in polynomials {
        common = common.intersection(&positive_intervals(p, rule));
        if common.is_empty() {
            return None;
        }
    }
    common.as_slice().iter().find(|(_, end)| *end > 0.0).map(|(start, _)| *start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn first<const N: usize>(polynomials: [Polynomial; N]) -> Option<f64> {
        first_time_all_positive(&polynomials, Rule::Exact)
    }

    #[test]
    fn constants_and_empty_ones() {
        assert_eq!(first([Polynomial::new([1.0])]), Some(0.0));
        assert_eq!(first([Polynomial::new([0.0])]), None);
        assert_eq!(first([Polynomial::new([-1.0])]), None);
        assert_eq!(first([Polynomial::new([])]), None);
        assert_eq!(first::<0>([]), Some(0.0));
        assert_eq!(first([Polynomial::new([f64::NAN])]), None);
    }

    #[test]
    fn a_stretch_over_at_zero_does_not_count_and_one_from_one_does() {
        assert_eq!(first([Polynomial::new([-1.0, 0.0])]), None, "positive only before the step");
        assert_eq!(first([Polynomial::new([1.0, 0.0])]), Some(0.0));
        assert_eq!(
            first([Polynomial::new([1.0, -1.0])]),
            Some(1.0),
            "becomes positive at the end of the step"
        );
        assert_eq!(first([Polynomial::new([-1.0, 1.0])]), Some(0.0));
        assert_eq!(first([Polynomial::new([1.0, -2.0, 1.0])]), Some(0.0), "(1 − t)² is positive before 1");
        assert_eq!(first([Polynomial::new([-1.0, 2.0, -1.0])]), None, "−(1 − t)² never is");
    }

    #[test]
    fn a_touch_from_below_is_not_positive_and_from_above_is_no_gap() {
        let below = Polynomial::new([-1.0, 1.0, -0.25]);
        assert_eq!(first([below]), None);
        let above = Polynomial::new([1.0, -1.0, 0.25]);
        assert_eq!(positive_intervals(&above, Rule::Exact).as_slice(), &[(0.0, 1.0)]);
    }

    #[test]
    fn the_course_drops_small_leading_coefficients_and_refuses_monomials() {
        let p = Polynomial::new([1e-13, 1e-13]);
        assert_eq!(first_time_all_positive(&[p], Rule::Exact), Some(0.0));
        assert_eq!(first_time_all_positive(&[p], Rule::Course), None);
        let square = Polynomial::new([2.0, 0.0, 0.0]);
        assert_eq!(first_time_all_positive(&[square], Rule::Exact), Some(0.0));
        assert_eq!(first_time_all_positive(&[square], Rule::Course), None);
        assert_eq!(first_time_all_positive(&[Polynomial::new([1e-13, 3.0])], Rule::Course), Some(0.0));
    }

    #[test]
    fn intersections_share_points() {
        let early = Polynomial::new([-1.0, 0.5]);
        let late = Polynomial::new([1.0, -0.5]);
        assert_eq!(first([early, late]), Some(0.5));
    }

    proptest! {
        /// Against a dense sample of the interval.
        #[test]
        fn agrees_with_sampling(a in prop::array::uniform6(-1.0_f64..1.0), b in prop::array::uniform5(-1.0_f64..1.0), c in prop::array::uniform3(-1.0_f64..1.0)) {
            let polynomials = [Polynomial::new(a), Polynomial::new(b), Polynomial::new(c)];
            let found = first(polynomials);
            let steps = 4000;
            let sampled = (0..=steps).map(|k| f64::from(k) / f64::from(steps)).find(|t| polynomials.iter().all(|p| p.value(*t) > 0.0));
            match (found, sampled) {
                (Some(t), Some(s)) => {
                    prop_assert!(t <= s + 1e-12, "{} after the sample {}", t, s);
                    // just after the answer all are positive, up to rounding
                    for p in &polynomials {
                        prop_assert!(p.value((t + 1e-9).min(1.0)) > -1e-8);
                    }
                }
                (None, Some(s)) => prop_assert!(false, "missed {}", s),
                _ => {}
            }
        }
    }
}
