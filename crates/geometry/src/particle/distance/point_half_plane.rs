//! A point and a half-plane: all x with (x − p)·n ≤ 0 (Theme 2 Milestone 1 hand-out, section
//! 3.2.3).
//!
//! The hand-out's vector n = ((p − x)·n_h / |n_h|²) n_h leads to the boundary line from either
//! side; the signed distance tells the sides apart.

use glam::DVec2;

/// From `x` to the boundary, with a normal of any length but zero.
pub fn vector_to_boundary(x: DVec2, point: DVec2, normal: DVec2) -> DVec2 {
    ((point - x).dot(normal) / normal.length_squared()) * normal
}

/// From `x` to the boundary, with a unit normal. Equal to [`vector_to_boundary`] but for the last
/// bits.
pub fn vector_to_boundary_by_unit(x: DVec2, point: DVec2, unit: DVec2) -> DVec2 {
    (point - x).dot(unit) * unit
}

/// Height of `x` over the boundary along the unit normal: negative inside the half-plane.
pub fn height(x: DVec2, point: DVec2, unit: DVec2) -> f64 {
    (x - point).dot(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: DVec2 = DVec2::new(1.0, 2.0);

    #[test]
    fn the_length_of_the_normal_does_not_matter() {
        let x = DVec2::new(7.0, 5.0);
        assert_eq!(vector_to_boundary(x, POINT, DVec2::new(0.0, 0.5)), DVec2::new(0.0, -3.0));
        assert_eq!(vector_to_boundary(x, POINT, DVec2::new(0.0, 8.0)), DVec2::new(0.0, -3.0));
        assert_eq!(vector_to_boundary_by_unit(x, POINT, DVec2::Y), DVec2::new(0.0, -3.0));
    }

    #[test]
    fn height_has_a_sign_and_the_vector_leads_to_the_boundary_from_both_sides() {
        assert_eq!(height(DVec2::new(0.0, 5.0), POINT, DVec2::Y), 3.0);
        assert_eq!(height(DVec2::new(0.0, -1.0), POINT, DVec2::Y), -3.0);
        assert_eq!(vector_to_boundary(DVec2::new(0.0, -1.0), POINT, DVec2::Y), DVec2::new(0.0, 3.0));
        assert_eq!(vector_to_boundary(POINT, POINT, DVec2::Y), DVec2::ZERO);
    }
}
