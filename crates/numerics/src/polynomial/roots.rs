//! Real roots in [0, 1] by the chain of derivatives.
//!
//! Between two neighbouring roots of p′ (and the ends of the interval) p is monotone, so it has at
//! most one root there, found by a change of sign and Newton's method kept inside the bracket
//! (Press et al., Numerical Recipes, section 9.4). The roots of p′ come from p″ in the same way,
//! down to a quadratic in closed form. A root of even multiplicity changes no sign: where p is zero
//! up to rounding at a critical point it is kept as a touching root, so a graze is never lost; a
//! miss by less than [`TOUCH`] counts as a touch too.

use super::{MAX_DEGREE, Polynomial};

/// A critical point is a touching root when |p| is at most this times the sum of the absolute
/// terms: the rounding of a few operations.
const TOUCH: f64 = 4e-15;

/// Most Newton or bisection steps for one root; bisection alone needs 53 for a root of order one,
/// and about 1,100 for the smallest.
const MAX_STEPS: usize = 1100;

/// Roots in [0, 1], ascending, each once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Roots {
    values: [f64; MAX_DEGREE + 1],
    length: usize,
}

impl Roots {
    /// The roots, ascending.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..self.length]
    }

    fn push(&mut self, root: f64) {
        if self.length < self.values.len() && self.as_slice().last() != Some(&root) {
            self.values[self.length] = root;
            self.length += 1;
        }
    }
}

/// The real roots of `p` in [0, 1]. A polynomial that is zero everywhere, constant, empty or not
/// finite has none.
pub fn roots_in_unit_interval(p: &Polynomial) -> Roots {
    let p = p.without_small_leading(0.0);
    if !p.is_finite() {
        return Roots::default();
    }
    match p.coefficients() {
        [] | [_] => Roots::default(),
        [a, b] => within_unit([-b / a, f64::NAN]),
        [a, b, c] => quadratic(*a, *b, *c),
        _ => by_derivative(&p),
    }
}

fn within_unit(mut candidates: [f64; 2]) -> Roots {
    if candidates[1] < candidates[0] {
        candidates.swap(0, 1);
    }
    let mut roots = Roots::default();
    for root in candidates {
        if (0.0..=1.0).contains(&root) {
            roots.push(root + 0.0); // + 0.0 turns −0 into 0
        }
    }
    roots
}

/// Roots of a t² + b t + c without cancellation: q = −(b + sign(b) √disc)/2, roots q/a and c/q.
fn quadratic(a: f64, b: f64, c: f64) -> Roots {
    // scaled by a power of two near the largest, so that squares neither overflow nor vanish
    let largest = a.abs().max(b.abs()).max(c.abs());
    let scale = power_of_two_near(largest);
    let (a, b, c) = (a / scale, b / scale, c / scale);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        let touch = -b / (2.0 * a);
        let p = Polynomial::new([a, b, c]);
        let near = p.value(touch).abs() <= TOUCH * p.magnitude(touch);
        return if near { within_unit([touch, f64::NAN]) } else { Roots::default() };
    }
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    if q == 0.0 {
        return within_unit([0.0, f64::NAN]); // b = c = 0
    }
    within_unit([q / a, c / q])
}

/// Roots of a t² + b₁ t + c with the operations of Jenkins and Traub's program (ACM TOMS 1, 1975,
/// algorithm 493, procedure QUAD), which the course's program uses: for these the last bits of a
/// collision time decide the last bits of everything after it.
pub(super) fn course_quadratic(a: f64, b1: f64, c: f64) -> Roots {
    if c == 0.0 {
        return within_unit([0.0, -b1 / a]);
    }
    let b = b1 / 2.0;
    let (e, d) = if b.abs() < c.abs() {
        let e = b * (b / c.abs()) - if c < 0.0 { -a } else { a };
        (e, e.abs().sqrt() * c.abs().sqrt())
    } else {
        let e = 1.0 - (a / b) * (c / b);
        (e, e.abs().sqrt() * b.abs())
    };
    if e < 0.0 {
        return Roots::default();
    }
    let large = (-b + if b >= 0.0 { -d } else { d }) / a;
    let small = if large == 0.0 { 0.0 } else { (c / large) / a };
    within_unit([small, large])
}

fn power_of_two_near(x: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(x.to_bits() & EXPONENT_BITS);
    if power > 0.0 && power.is_finite() { power } else { 1.0 }
}

fn by_derivative(p: &Polynomial) -> Roots {
    let slope = p.derivative();
    let critical = roots_in_unit_interval(&slope);
    let mut roots = Roots::default();
    let (mut left, mut left_value) = (0.0, p.value(0.0));
    if left_value == 0.0 {
        roots.push(0.0);
    }
    for (k, &right) in critical.as_slice().iter().chain([&1.0]).enumerate() {
        let right_value = p.value(right);
        let touching = k < critical.length && right_value.abs() <= TOUCH * p.magnitude(right);
        let signs_differ = (left_value > 0.0 && right_value < 0.0) || (left_value < 0.0 && right_value > 0.0);
        if signs_differ {
            roots.push(bracketed(p, &slope, [left, right]));
        }
        if right_value == 0.0 || touching {
            roots.push(right);
        }
        (left, left_value) = (right, right_value);
    }
    roots
}

/// The root of a monotone piece with a change of sign between its ends.
fn bracketed(p: &Polynomial, slope: &Polynomial, [left, right]: [f64; 2]) -> f64 {
    let rising = p.value(right) > 0.0;
    let (mut low, mut high) = if rising { (left, right) } else { (right, left) };
    let mut t = 0.5 * (low + high);
    for _ in 0..MAX_STEPS {
        let value = p.value(t);
        if value == 0.0 {
            return t;
        }
        if value < 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope.value(t);
        let inside = newton > low.min(high) && newton < low.max(high);
        // a Newton step that stays on one side may creep: bisect when it is not clearly shorter
        // than the bracket
        let next = if inside && (newton - t).abs() < 0.25 * (high - low).abs() {
            newton
        } else {
            0.5 * (low + high)
        };
        if next == t || next == low || next == high {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Coefficients of the product of (t − r), highest first.
    fn planted(roots: &[f64], leading: f64) -> Polynomial {
        let mut c = vec![leading];
        for r in roots {
            c.push(0.0);
            for k in (1..c.len()).rev() {
                c[k] -= r * c[k - 1];
            }
        }
        let mut all = [0.0; 6];
        all[6 - c.len()..].copy_from_slice(&c);
        Polynomial::new(all)
    }

    fn roots(p: &Polynomial) -> Vec<f64> {
        roots_in_unit_interval(p).as_slice().to_vec()
    }

    #[test]
    fn no_roots_in_degenerate_cases() {
        assert!(roots(&Polynomial::new([])).is_empty());
        assert!(roots(&Polynomial::new([0.0, 0.0])).is_empty());
        assert!(roots(&Polynomial::new([7.0])).is_empty());
        assert!(roots(&Polynomial::new([1.0, f64::NAN, 0.0])).is_empty());
        assert!(roots(&Polynomial::new([1.0, f64::INFINITY, 0.0, 2.0])).is_empty());
        assert!(roots(&Polynomial::new([1.0, 0.0, 1.0])).is_empty());
    }

    #[test]
    fn ends_of_the_interval_belong_to_it() {
        assert_eq!(roots(&Polynomial::new([1.0, 0.0])), [0.0]);
        assert_eq!(roots(&Polynomial::new([1.0, -1.0])), [1.0]);
        assert_eq!(roots(&Polynomial::new([1.0, -1.0, 0.0])), [0.0, 1.0]);
        assert_eq!(roots(&Polynomial::new([1.0, 0.0, -1.0, 0.0])), [0.0, 1.0]);
        assert_eq!(roots(&Polynomial::new([1.0, 0.0, 0.0, 0.0, 0.0])), [0.0]);
    }

    #[test]
    fn double_roots_are_kept() {
        assert_eq!(roots(&planted(&[0.5, 0.5], 1.0)), [0.5]);
        for r in [0.1, 0.3, 1.0 / 3.0, 0.77] {
            let found = roots(&planted(&[r, r, -2.0, 3.0], -1.0));
            assert!(!found.is_empty(), "touching root {r} lost");
            assert!(found.iter().all(|f| (f - r).abs() < 1e-7), "{found:?} for {r}");
        }
    }

    #[test]
    fn quadratics_of_extreme_size() {
        assert_eq!(roots(&Polynomial::new([1e200, -1e200, 0.0])), [0.0, 1.0]);
        assert_eq!(roots(&Polynomial::new([4e-200, 0.0, -1e-200])), [0.5]);
        let tiny = roots(&Polynomial::new([1.0, -1e8, 1.0]));
        assert!((tiny[0] - 1e-8).abs() < 1e-22, "no cancellation: {tiny:?}");
    }

    #[test]
    fn both_quadratic_formulas_agree() {
        let mut compared = 0;
        for k in 0..2000 {
            // a lattice of coefficients of both signs, some zero
            let [a, b, c] = [7, 11, 13].map(|m| f64::from((k * 31 + 17) % m - m / 2) / 3.0);
            // a root at an end of the interval may fall on either side of it
            let p = Polynomial::new([a, b, c]);
            let doubtful = b * b - 4.0 * a * c < 1e-9 || p.value(1.0).abs() < 1e-9;
            if a == 0.0 || doubtful {
                continue;
            }
            let (ours, theirs) = (quadratic(a, b, c), course_quadratic(a, b, c));
            assert_eq!(ours.length, theirs.length, "{a} {b} {c}");
            for (x, y) in ours.as_slice().iter().zip(theirs.as_slice()) {
                assert!((x - y).abs() < 1e-14, "{a} {b} {c}: {x} against {y}");
                compared += 1;
            }
        }
        assert!(compared > 100, "only {compared} roots");
    }

    #[test]
    fn a_root_that_only_subnormal_products_show() {
        // p is so small at both ends that the product of the values underflows
        let found = roots(&planted(&[0.25, 5.0, 6.0], 1e-300));
        assert_eq!(found.len(), 1);
        assert!((found[0] - 0.25).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn simple_planted_roots_come_back(
            mut inside in prop::collection::vec(0.01_f64..0.99, 1..4),
            outside in prop::collection::vec(1.5_f64..9.0, 0..2),
            leading in prop_oneof![-1e3_f64..-1e-3, 1e-3_f64..1e3],
        ) {
            inside.sort_by(f64::total_cmp);
            prop_assume!(inside.windows(2).all(|w| w[1] - w[0] > 1e-2));
            let all: Vec<f64> = inside.iter().chain(&outside).copied().collect();
            let found = roots(&planted(&all, leading));
            prop_assert_eq!(found.len(), inside.len(), "{:?} against {:?}", found, inside);
            for (f, r) in found.iter().zip(&inside) {
                prop_assert!((f - r).abs() < 1e-10, "{} against {}", f, r);
            }
        }

        #[test]
        fn planted_double_roots_are_never_lost(r in 0.0_f64..1.0, others in prop::collection::vec(1.5_f64..9.0, 0..3), leading in -5.0_f64..5.0) {
            prop_assume!(leading.abs() > 1e-3);
            let all: Vec<f64> = [r, r].iter().chain(&others).copied().collect();
            let found = roots(&planted(&all, leading));
            prop_assert!(found.iter().any(|f| (f - r).abs() < 1e-6), "{} lost: {:?}", r, found);
        }

        #[test]
        fn near_equal_roots_are_found_as_one_or_two(r in 0.1_f64..0.9, gap in 1e-12_f64..1e-6) {
            let found = roots(&planted(&[r, r + gap, 4.0, 7.0], 1.0));
            prop_assert!((1..=3).contains(&found.len()), "{:?}", found);
            prop_assert!(found.iter().all(|f| (f - r).abs() < 1e-5), "{:?} for {}", found, r);
        }
    }
}
