//! A point on a straight path and a half-plane, nearer than a distance.
//!
//! The hand-out's conditions see the boundary line only, from both sides: (r|n_h|)² − ((p −
//! x(t))·n_h)² > 0 and the approach to that line. Our first contact knows the inside: whatever is
//! lower than the distance and sinking touches.

use carom_numerics::polynomial::Polynomial;
use glam::DVec2;

use super::{Path, SweptContact};

/// The two conditions of the hand-out. `relative` is the path seen from a boundary point of the
/// half-plane; the normal has any length.
pub fn conditions(relative: &Path, normal: DVec2, distance: f64) -> [Polynomial; 2] {
    let (a, b) = (-relative.start.dot(normal), -relative.displacement.dot(normal));
    let scaled = distance * distance * normal.length_squared();
    [Polynomial::new([-b * b, -2.0 * a * b, scaled - a * a]), Polynomial::new([-b * b, -a * b])]
}

/// The first time at which the point is lower than `distance` over the boundary and sinking. `unit`
/// points out of the half-plane.
pub fn first_contact(relative: &Path, unit: DVec2, distance: f64) -> Option<SweptContact> {
    let (height, rise) = (relative.start.dot(unit), relative.displacement.dot(unit));
    if rise >= 0.0 || !height.is_finite() || !rise.is_finite() {
        return None;
    }
    let time = ((height - distance) / -rise).max(0.0);
    (time <= 1.0).then(|| SweptContact {
        time,
        alpha: 0.0,
        vector: -(height + time * rise) * unit,
        unit: -unit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_numerics::polynomial::{Rule, first_time_all_positive};

    fn path(start: [f64; 2], end: [f64; 2]) -> Path {
        Path::between(start.into(), end.into())
    }

    fn course(relative: &Path, distance: f64) -> Option<f64> {
        first_time_all_positive(&conditions(relative, 3.0 * DVec2::Y, distance), Rule::Course)
    }

    #[test]
    fn from_outside_both_agree() {
        let fall = path([0.0, 3.0], [1.0, -1.0]);
        let hit = first_contact(&fall, DVec2::Y, 1.0).unwrap();
        assert_eq!((hit.time, hit.vector, hit.unit), (0.5, DVec2::new(0.0, -1.0), -DVec2::Y));
        assert!((course(&fall, 1.0).unwrap() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn deep_inside_is_a_contact_for_us_and_not_for_the_course() {
        let deep = path([0.0, -3.0], [0.0, -4.0]);
        assert_eq!(first_contact(&deep, DVec2::Y, 1.0).unwrap().time, 0.0);
        assert_eq!(course(&deep, 1.0), None);
        let rising_from_inside = path([0.0, -3.0], [0.0, 0.5]);
        assert_eq!(first_contact(&rising_from_inside, DVec2::Y, 1.0), None, "let it out");
        assert!(course(&rising_from_inside, 1.0).is_some(), "the course's line stops it from below");
    }

    #[test]
    fn sliding_along_is_no_contact() {
        assert_eq!(first_contact(&path([0.0, 1.0], [5.0, 1.0]), DVec2::Y, 1.0), None);
        assert_eq!(first_contact(&path([0.0, 0.5], [5.0, 0.5]), DVec2::Y, 1.0), None);
        assert_eq!(first_contact(&path([0.0, f64::NAN], [5.0, 0.5]), DVec2::Y, 1.0), None);
    }

    #[test]
    fn touching_exactly_and_sinking_is_one_at_once() {
        assert_eq!(first_contact(&path([0.0, 1.0], [0.0, 0.0]), DVec2::Y, 1.0).unwrap().time, 0.0);
        assert_eq!(first_contact(&path([0.0, 2.0], [0.0, 1.0]), DVec2::Y, 1.0).unwrap().time, 1.0);
    }
}
