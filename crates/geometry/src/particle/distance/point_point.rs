//! Two points.

use glam::DVec2;

/// The vector from `first` to `second`: the only one there is.
pub fn shortest_vector(first: DVec2, second: DVec2) -> DVec2 {
    second - first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_from_first_to_second() {
        assert_eq!(shortest_vector(DVec2::new(1.0, 2.0), DVec2::new(4.0, -2.0)), DVec2::new(3.0, -4.0));
    }
}
