//! When two shapes on straight paths first touch while coming nearer, one pair of shapes per file.
//!
//! Time runs from 0 at the start of the paths to 1 at their end. For each pair there are the
//! conditions of the course's hand-out on continuous-time collisions, as polynomials that must all
//! be positive, and the first contact as we define it, which also sees what the conditions lose:
//! thin shapes at high speed, the round ends of an edge, the inside of a half-plane.

pub mod point_half_plane;
pub mod point_point;
pub mod point_segment;

use glam::DVec2;

/// A straight path: x(t) = start + t · displacement, t from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// Position at t = 0.
    pub start: DVec2,
    /// Position at t = 1 less that at t = 0.
    pub displacement: DVec2,
}

impl Path {
    /// The path between two positions.
    pub fn between(start: DVec2, end: DVec2) -> Self {
        Self { start, displacement: end - start }
    }

    /// Position at time `t`.
    pub fn at(&self, t: f64) -> DVec2 {
        self.start + t * self.displacement
    }

    /// This path as seen from another: the difference of both.
    pub fn relative_to(&self, other: &Path) -> Path {
        Path { start: self.start - other.start, displacement: self.displacement - other.displacement }
    }
}

/// The first contact of two shapes on straight paths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweptContact {
    /// When, from 0 to 1.
    pub time: f64,
    /// Where on a segment, 0 to 1; 0 for the other shapes.
    pub alpha: f64,
    /// The shortest vector from the first shape's centre to the second's at that time.
    pub vector: DVec2,
    /// Its direction, kept also where the vector is too short to tell one.
    pub unit: DVec2,
}

/// The unit vector along `v`, or none where it has no direction.
pub fn direction(v: DVec2) -> Option<DVec2> {
    let unit = v * (1.0 / v.length());
    if unit.is_finite() {
        return Some(unit);
    }
    // too short or too long to be squared: scale first
    let largest = v.abs().max_element();
    let scaled = v / largest;
    let unit = scaled / scaled.length();
    unit.is_finite().then_some(unit)
}
