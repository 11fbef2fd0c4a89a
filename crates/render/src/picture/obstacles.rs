//! Half-planes: a tinted region with a firm boundary and hatching that shows which side is solid.

use carom_scene::description::particles::ParticleScene;

use super::particles::colors;
use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Layer, Point, Stroke};
use crate::view::View;

/// Half-planes without a colour of their own.
pub(super) const HALF_PLANE: Rgba = Rgba::opaque(70, 78, 92);
/// Opacity of the region.
pub(super) const TINT: f64 = 0.14;
/// Thickness of the boundary in pixels.
const BOUNDARY: f64 = 2.0;
/// Distance of two hatches along the boundary, and their length, in pixels.
const HATCH_SPACING: f64 = 12.0;
const HATCH_LENGTH: f64 = 9.0;

/// Draws all half-planes.
pub(super) fn paint(list: &mut DisplayList, scene: &ParticleScene, view: &View) {
    let all = colors(&scene.appearance.half_plane_colors, scene.half_planes.len(), |_| HALF_PLANE);
    for (half_plane, color) in scene.half_planes.iter().zip(all) {
        paint_half_plane(list, view, (half_plane.point, half_plane.normal), color);
    }
}

/// Draws the half-plane behind a line through a point, with a normal of any length; returns whether
/// it could be drawn.
pub(super) fn paint_half_plane(
    list: &mut DisplayList,
    view: &View,
    (point, normal): ([f64; 2], [f64; 2]),
    color: Rgba,
) -> bool {
    let length = libm::hypot(normal[0], normal[1]);
    // Outward direction in the picture, where y points down.
    let outward = [normal[0] / length, -normal[1] / length];
    let on = view.place(point);
    let drawn = length > 0.0 && outward.iter().chain(&on).all(|c| c.is_finite());
    if drawn {
        paint_one(list, Boundary::new(on, outward, view.size()), color);
    }
    drawn
}

/// The boundary of a half-plane in a picture.
struct Boundary {
    /// The point of the boundary that is nearest to the middle of the picture.
    foot: Point,
    along: Point,
    outward: Point,
    /// Beyond this distance from the foot nothing is seen.
    far: f64,
}

impl Boundary {
    fn new(on: Point, outward: Point, [width, height]: [u32; 2]) -> Boundary {
        let middle = [0.5 * f64::from(width), 0.5 * f64::from(height)];
        let along = [-outward[1], outward[0]];
        let shift = (middle[0] - on[0]) * along[0] + (middle[1] - on[1]) * along[1];
        let foot = [on[0] + shift * along[0], on[1] + shift * along[1]];
        Boundary { foot, along, outward, far: f64::from(width) + f64::from(height) }
    }

    /// The point `s` along the boundary and `t` outward.
    fn at(&self, s: f64, t: f64) -> Point {
        [
            self.foot[0] + s * self.along[0] + t * self.outward[0],
            self.foot[1] + s * self.along[1] + t * self.outward[1],
        ]
    }
}

fn paint_one(list: &mut DisplayList, boundary: Boundary, color: Rgba) {
    let frame = [f64::from(list.width), f64::from(list.height)];
    let far = boundary.far;
    // Signed distance of the middle of the picture from the boundary: far away, all or nothing is
    // solid.
    let middle = [0.5 * frame[0], 0.5 * frame[1]];
    let distance = (middle[0] - boundary.foot[0]) * boundary.outward[0]
        + (middle[1] - boundary.foot[1]) * boundary.outward[1];
    if distance > far {
        return;
    }
    let corners = [[0.0, 0.0], [frame[0], 0.0], frame, [0.0, frame[1]]];
    let region = clipped(&corners, &boundary);
    if region.len() >= 3 {
        list.push(Layer::Ground, Item::Polygon { points: region, color: color.with_opacity(TINT) });
    }
    if distance < -far {
        return;
    }
    let count = (far / HATCH_SPACING).ceil() as i32;
    let hatch = color.with_opacity(0.55);
    for k in -count..=count {
        let s = f64::from(k) * HATCH_SPACING;
        let (start, end) = (boundary.at(s, 0.0), boundary.at(s - HATCH_LENGTH, -HATCH_LENGTH));
        if inside(start, frame) || inside(end, frame) {
            list.push(Layer::Ground, Item::Capsule { start, end, radius: 0.5, color: hatch });
        }
    }
    // The boundary lies inside of the solid, so that what rests on it touches its outer rim.
    let depth = -0.5 * BOUNDARY;
    let points = vec![boundary.at(-far, depth), boundary.at(far, depth)];
    list.push(Layer::Ground, Item::Polyline { points, stroke: Stroke::solid(BOUNDARY, color) });
}

fn inside(point: Point, frame: Point) -> bool {
    let slack = HATCH_SPACING;
    (0..2).all(|axis| point[axis] >= -slack && point[axis] <= frame[axis] + slack)
}

/// The part of a convex polygon on the solid side (Sutherland and Hodgman 1974, one plane).
fn clipped(corners: &[Point], boundary: &Boundary) -> Vec<Point> {
    let height = |p: Point| {
        (p[0] - boundary.foot[0]) * boundary.outward[0] + (p[1] - boundary.foot[1]) * boundary.outward[1]
    };
    let mut kept = Vec::new();
    for (index, &corner) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (a, b) = (height(corner), height(next));
        if a <= 0.0 {
            kept.push(corner);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let t = a / (a - b);
            kept.push([corner[0] + t * (next[0] - corner[0]), corner[1] + t * (next[1] - corner[1])]);
        }
    }
    kept
}
