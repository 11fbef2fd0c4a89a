//! A planar shape where it is now, as the narrow phase sees it.

use super::Shape;
use super::broad_phase::Aabb;
use super::rotation::Rotation;
use glam::DVec2;

/// Boxes are larger than what they hold by this part, so that rounding never hides a pair.
pub const BOX_ROOM: f64 = 1e-9;

/// A shape where it is.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// World vertices; a disc has one, its centre, and a half-plane none.
    pub vertices: &'a [DVec2],
    /// Whether it is a disc.
    pub is_disc: bool,
    /// Unit normal out of a half-plane, in world axes; none for the others.
    pub half_plane: Option<DVec2>,
    /// Whether it is full inside.
    pub solid: bool,
    /// Half of the thickness of its surface.
    pub radius: f64,
    /// Greatest distance of a point from the centre.
    pub extent: f64,
    /// The centre.
    pub center: DVec2,
    /// How it is turned.
    pub rotation: Rotation,
    /// Box of the vertices, without the radius.
    pub core: Aabb,
}

/// How near is near enough.
#[derive(Debug, Clone, Copy)]
pub struct Nearness {
    /// The course's rule: strictly nearer than the radii, its order, its duplicates. For polygons
    /// only.
    pub course: bool,
    /// Relative tolerance of touching, of the smaller extent of the two shapes.
    pub touching: f64,
    /// Distance of the surfaces that still counts.
    pub margin: f64,
}

impl<'a> Placed<'a> {
    /// A shape with the vertices and the rotation that [`Shape::place`] gave.
    pub fn new(shape: &Shape, center: DVec2, rotation: Rotation, vertices: &'a [DVec2]) -> Self {
        let (is_disc, solid, half_plane) = match shape {
            Shape::Disc { .. } => (true, false, None),
            Shape::Polygon(outline) => (false, outline.solid, None),
            Shape::HalfPlane { normal } => (false, true, Some(rotation.apply(*normal))),
        };
        let (radius, extent, core) = (shape.radius(), shape.extent(), box_of(vertices));
        Self { vertices, is_disc, half_plane, solid, radius, extent, center, rotation, core }
    }
}

impl Nearness {
    /// Gaps of up to a distance count.
    pub fn within(margin: f64) -> Self {
        Self { course: false, touching: 0.0, margin }
    }
}

/// The smallest box around points; empty without any.
pub fn box_of(points: &[DVec2]) -> Aabb {
    let empty = Aabb { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
    points.iter().fold(empty, |b, &p| Aabb { min: b.min.min(p), max: b.max.max(p) })
}
