//! Boxes along the axes.

use glam::DVec2;

/// A box larger than this counts as one that is not finite: its cell in a grid would have no
/// number.
const LARGEST_EXTENT: f64 = 1e300;

/// A box along the axes, its borders included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Aabb {
    /// The box of a disc.
    #[inline]
    pub fn around(center: DVec2, radius: f64) -> Self {
        let half = DVec2::splat(radius);
        Self { min: center - half, max: center + half }
    }

    /// The smallest box that holds both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box with `margin` more on every side.
    #[inline]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min - DVec2::splat(margin), max: self.max + DVec2::splat(margin) }
    }

    /// The whole plane.
    pub const EVERYWHERE: Self = Self { min: DVec2::NEG_INFINITY, max: DVec2::INFINITY };

    /// Height of its lowest corner above a line through a point, along the line's normal.
    pub fn height_above(&self, through: DVec2, normal: DVec2) -> f64 {
        normal.dot(DVec2::select(normal.cmpgt(DVec2::ZERO), self.min, self.max) - through)
    }

    /// Whether the boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // single `|`: four comparisons without a branch
        let apart = (self.max.x < other.min.x)
            | (other.max.x < self.min.x)
            | (self.max.y < other.min.y)
            | (other.max.y < self.min.y);
        !apart
    }

    /// Whether `other` lies inside.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.x <= other.min.x
            && self.min.y <= other.min.y
            && self.max.x >= other.max.x
            && self.max.y >= other.max.y
    }

    /// The longer side.
    #[inline]
    pub fn extent(&self) -> f64 {
        (self.max.x - self.min.x).max(self.max.y - self.min.y)
    }

    /// Whether the bounds are finite numbers and the box is not larger than 1e300.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.extent() <= LARGEST_EXTENT
    }

    /// Whether the boxes overlap or one of them is not bounded.
    #[inline]
    pub fn may_touch(&self, other: &Self) -> bool {
        self.overlaps(other) || !self.is_bounded() || !other.is_bounded()
    }
}
