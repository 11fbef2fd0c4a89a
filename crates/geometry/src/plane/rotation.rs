//! Rotations of the plane.

use carom_numerics::elementary;
use glam::DVec2;

/// A rotation by an angle, kept as its cosine and sine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    /// Cosine of the angle.
    pub cos: f64,
    /// Sine of the angle.
    pub sin: f64,
}

impl Rotation {
    /// No turn.
    pub const NONE: Self = Self { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` radians, counter-clockwise.
    #[inline]
    pub fn by(angle: f64) -> Self {
        Self { cos: elementary::cos(angle), sin: elementary::sin(angle) }
    }

    /// From body axes to world axes.
    #[inline]
    pub fn apply(self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    /// From world axes to body axes.
    #[inline]
    pub fn undo(self, v: DVec2) -> DVec2 {
        DVec2::new(self.cos * v.x + self.sin * v.y, -self.sin * v.x + self.cos * v.y)
    }
}

/// The planar cross product a × b: the third component of the spatial one.
#[inline]
pub fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// `v` turned left by a right angle: also the velocity at `v` of a unit spin about the origin.
#[inline]
pub fn perp(v: DVec2) -> DVec2 {
    DVec2::new(-v.y, v.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_is_the_inverse_of_apply() {
        let rotation = Rotation::by(0.7);
        let v = DVec2::new(3.0, -2.0);
        assert!((rotation.undo(rotation.apply(v)) - v).length() < 1e-15);
        let x = rotation.apply(DVec2::X);
        assert!((x - DVec2::new(0.764_842_187_284_488_5, 0.644_217_687_237_691)).length() < 1e-15);
    }

    #[test]
    fn no_turn_changes_no_bit() {
        let v = DVec2::new(0.1, -0.3);
        assert_eq!(Rotation::by(0.0).apply(v), v);
    }

    #[test]
    fn cross_and_perp_agree() {
        let (a, b) = (DVec2::new(2.0, 5.0), DVec2::new(-1.0, 3.0));
        assert_eq!(cross(a, b), perp(a).dot(b));
        assert_eq!(cross(DVec2::X, DVec2::Y), 1.0);
    }
}
