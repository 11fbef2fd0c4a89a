//! The shortest vector between two shapes, one pair per file.

pub mod point_half_plane;
pub mod point_point;
pub mod point_segment;
