//! A point and a segment (Theme 2 Milestone 1 hand-out, section 3.2.2).
//!
//! The nearest point is x(α) = x₂ + α(x₃ − x₂) with α = (x₁ − x₂)·(x₃ − x₂) / |x₃ − x₂|², clamped
//! to [0, 1].

use glam::DVec2;

/// The nearest point of a segment, seen from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Where on the segment: 0 at its start, 1 at its end.
    pub alpha: f64,
    /// From the point to the nearest point of the segment.
    pub vector: DVec2,
}

/// The nearest point of the segment from `start` to `end`, seen from `point`. A segment without
/// length is its start.
pub fn shortest_vector(point: DVec2, start: DVec2, end: DVec2) -> Nearest {
    let alpha = clamped(unclamped_alpha(point, start, end));
    Nearest { alpha, vector: start + alpha * (end - start) - point }
}

/// α of the foot on the infinite line; not a number for a segment without length.
pub fn unclamped_alpha(point: DVec2, start: DVec2, end: DVec2) -> f64 {
    let edge = end - start;
    (point - start).dot(edge) / edge.length_squared()
}

/// α held in [0, 1]; what is not a number becomes 0.
pub fn clamped(alpha: f64) -> f64 {
    if alpha > 0.0 { alpha.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: DVec2 = DVec2::new(1.0, 1.0);
    const B: DVec2 = DVec2::new(5.0, 1.0);

    #[test]
    fn foot_inside_and_beyond_both_ends() {
        let inside = shortest_vector(DVec2::new(2.0, 4.0), A, B);
        assert_eq!((inside.alpha, inside.vector), (0.25, DVec2::new(0.0, -3.0)));
        let before = shortest_vector(DVec2::new(-2.0, 5.0), A, B);
        assert_eq!((before.alpha, before.vector), (0.0, DVec2::new(3.0, -4.0)));
        let after = shortest_vector(DVec2::new(8.0, -3.0), A, B);
        assert_eq!((after.alpha, after.vector), (1.0, DVec2::new(-3.0, 4.0)));
    }

    #[test]
    fn a_segment_without_length_is_a_point() {
        let nearest = shortest_vector(DVec2::ZERO, A, A);
        assert_eq!((nearest.alpha, nearest.vector), (0.0, A));
    }

    proptest! {
        #[test]
        fn no_sampled_point_is_nearer(p in prop::array::uniform2(-3.0_f64..3.0), a in prop::array::uniform2(-3.0_f64..3.0), b in prop::array::uniform2(-3.0_f64..3.0)) {
            let (p, a, b) = (DVec2::from(p), DVec2::from(a), DVec2::from(b));
            let found = shortest_vector(p, a, b).vector.length();
            for k in 0..=100 {
                let sample = a.lerp(b, f64::from(k) / 100.0);
                prop_assert!(found <= (sample - p).length() + 1e-12);
            }
        }
    }
}
