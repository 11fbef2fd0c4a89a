//! Two points on straight paths, nearer than a distance.
//!
//! With n(t) = x₂(t) − x₁(t): R² − |n|² > 0, and −n·n′ > 0 for coming nearer.

use carom_numerics::polynomial::{Polynomial, Rule, first_time_all_positive};

use super::{Path, SweptContact, direction};

/// The two conditions, a quadratic and a line. `relative` is the second path seen from the first.
pub fn conditions(relative: &Path, distance: f64) -> [Polynomial; 2] {
    let (n, d) = (relative.start, relative.displacement);
    let (nd, dd) = (n.dot(d), d.dot(d));
    [Polynomial::new([-dd, -2.0 * nd, distance * distance - n.dot(n)]), Polynomial::new([-dd, -nd])]
}

/// The first time at which the points are nearer than `distance` and coming nearer still.
pub fn first_contact(first: &Path, second: &Path, distance: f64) -> Option<SweptContact> {
    let relative = second.relative_to(first);
    let time = first_time_all_positive(&conditions(&relative, distance), Rule::Exact)?;
    let vector = relative.at(time);
    // two points that meet exactly come from where they started
    let unit = direction(vector).or_else(|| direction(relative.start))?;
    Some(SweptContact { time, alpha: 0.0, vector, unit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;
    use proptest::prelude::*;

    fn path(start: [f64; 2], end: [f64; 2]) -> Path {
        Path::between(start.into(), end.into())
    }

    #[test]
    fn head_on() {
        let hit = first_contact(&path([0.0, 0.0], [4.0, 0.0]), &path([8.0, 0.0], [4.0, 0.0]), 2.0).unwrap();
        assert_eq!((hit.time, hit.vector, hit.unit), (0.75, DVec2::new(2.0, 0.0), DVec2::X));
    }

    #[test]
    fn already_near_counts_only_when_coming_nearer() {
        let still = path([0.0, 0.0], [0.0, 0.0]);
        assert_eq!(first_contact(&still, &path([1.0, 0.0], [0.5, 0.0]), 2.0).unwrap().time, 0.0);
        assert_eq!(first_contact(&still, &path([1.0, 0.0], [3.0, 0.0]), 2.0), None);
        assert_eq!(first_contact(&still, &path([1.0, 0.0], [1.0, 0.0]), 2.0), None, "no motion, no contact");
    }

    #[test]
    fn exact_touch_at_the_start_and_a_pass_by() {
        let still = path([0.0, 0.0], [0.0, 0.0]);
        assert_eq!(first_contact(&still, &path([2.0, 0.0], [1.0, 0.0]), 2.0).unwrap().time, 0.0);
        assert_eq!(
            first_contact(&still, &path([-3.0, 2.0], [3.0, 2.0]), 2.0),
            None,
            "a graze pushes nothing"
        );
        assert_eq!(first_contact(&still, &path([-3.0, 2.5], [3.0, 2.5]), 2.0), None);
    }

    #[test]
    fn paths_that_are_not_finite_never_touch() {
        assert_eq!(
            first_contact(&path([0.0, 0.0], [f64::INFINITY, 0.0]), &path([1.0, 0.0], [1.0, 0.0]), 1.0),
            None
        );
        assert_eq!(
            first_contact(&path([0.0, 0.0], [f64::NAN, 0.0]), &path([1.0, 0.0], [1.0, 0.0]), 1.0),
            None
        );
    }

    proptest! {
        #[test]
        fn distance_is_the_asked_one_at_the_contact(a in prop::array::uniform4(-2.0_f64..2.0), b in prop::array::uniform4(-2.0_f64..2.0), r in 0.01_f64..1.0) {
            let (p, q) = (path([a[0], a[1]], [a[2], a[3]]), path([b[0], b[1]], [b[2], b[3]]));
            let nearest = (0..=2000).map(|k| q.relative_to(&p).at(f64::from(k) / 2000.0).length()).fold(f64::INFINITY, f64::min);
            match first_contact(&p, &q, r) {
                Some(hit) if hit.time > 0.0 => prop_assert!((hit.vector.length() - r).abs() < 1e-7),
                Some(hit) => prop_assert!(hit.vector.length() <= r),
                None => prop_assert!(nearest > r - 1e-9 || q.relative_to(&p).start.length() <= r),
            }
        }
    }
}
