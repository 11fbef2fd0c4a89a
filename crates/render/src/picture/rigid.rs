//! Rigid bodies as outlines thick by their radius, as discs or as half-planes, and the springs
//! between them.

use carom_scene::description::rigid::{RigidScene, Shape};
use carom_trajectory::Frame;

use super::obstacles::{HALF_PLANE, paint_half_plane};
use super::particles::colors;
use super::shapes::{Pose, anchor, outline};
use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Layer, Point, Stroke};
use crate::view::View;

/// Bodies without a colour of their own, as in the course's viewer.
pub(super) const BODY: Rgba = Rgba::BLACK;
/// Fixed bodies without a colour of their own: dark red, as in the course's viewer.
pub(super) const FIXED: Rgba = Rgba::opaque(139, 0, 0);
/// Springs without a colour of their own.
pub(super) const SPRING: Rgba = Rgba::opaque(38, 110, 70);
/// Opacity of the tint inside an outline.
pub(super) const TINT: f64 = 0.10;
/// Opacity inside a solid body or a disc.
const SOLID: f64 = 0.55;
/// Share of a disc's radius that its rim takes; and the thickness of the spoke that shows its turn.
const RIM: f64 = 0.12;
/// Half of the thickness that an outline has at least, in pixels.
const LEAST_HALF_WIDTH: f64 = 0.6;
/// Windings of a spring, their half width and the straight ends, in pixels.
const WINDINGS: usize = 8;
const WINDING_WIDTH: f64 = 4.0;
const STRAIGHT: f64 = 6.0;

/// Draws all bodies and springs; returns how many bodies could be drawn.
pub(super) fn paint(
    list: &mut DisplayList,
    scene: &RigidScene,
    view: &View,
    frame: &Frame,
    fills: bool,
) -> usize {
    let default = |index: usize| {
        let body = &scene.bodies[index];
        match body.shape {
            Shape::HalfPlane { .. } => HALF_PLANE,
            _ => readable(if body.fixed { FIXED } else { BODY }, list.background),
        }
    };
    let body_colors = colors(&scene.body_colors, scene.bodies.len(), default);
    let mut drawn = 0;
    for (index, (body, color)) in scene.bodies.iter().zip(body_colors).enumerate() {
        let pose = Pose::of(scene, frame, index);
        let solid = match body.shape {
            Shape::Disc { .. } => {
                drawn += usize::from(paint_disc(list, view, &pose, body.radius, color));
                continue;
            }
            Shape::HalfPlane { normal, .. } => {
                let (point, tip) = (pose.place([0.0; 2]), pose.place(normal));
                let place = (point, [tip[0] - point[0], tip[1] - point[1]]);
                drawn += usize::from(paint_half_plane(list, view, place, color));
                continue;
            }
            Shape::Solid { .. } => true,
            Shape::Hollow { .. } => false,
        };
        let points: Vec<Point> = outline(scene, index, &pose).into_iter().map(|p| view.place(p)).collect();
        if points.is_empty() || !points.iter().flatten().all(|c| c.is_finite()) {
            continue;
        }
        drawn += 1;
        let radius = view.scale(body.radius).max(LEAST_HALF_WIDTH);
        for (k, &start) in points.iter().enumerate() {
            let end = points[(k + 1) % points.len()];
            list.push(Layer::Bodies, Item::Capsule { start, end, radius, color });
        }
        if solid {
            let color = color.mixed_with(list.background, 1.0 - SOLID);
            list.push(Layer::Fills, Item::Polygon { points, color });
        } else if fills && !body.fixed && points.len() > 2 {
            list.push(Layer::Fills, Item::Polygon { points, color: color.with_opacity(TINT) });
        }
    }
    let default = readable(SPRING, list.background);
    let spring_colors = colors(&scene.spring_colors, scene.springs.len(), |_| default);
    for (spring, color) in scene.springs.iter().zip(spring_colors) {
        let ends = [&spring.start, &spring.end].map(|end| view.place(anchor(scene, frame, end)));
        paint_spring(list, ends, color);
    }
    drawn
}

/// A disc with a rim and a spoke; says whether it could be drawn.
fn paint_disc(list: &mut DisplayList, view: &View, pose: &Pose, radius: f64, color: Rgba) -> bool {
    let center = view.place(pose.place([0.0, 0.0]));
    let inside = radius * (1.0 - RIM);
    let end = view.place(pose.place([inside, 0.0]));
    if !center.iter().chain(&end).all(|c| c.is_finite()) {
        return false;
    }
    let fill = color.mixed_with(list.background, 1.0 - SOLID);
    list.push(Layer::Bodies, Item::Disc { center, radius: view.scale(radius).max(LEAST_HALF_WIDTH), color });
    list.push(Layer::Bodies, Item::Disc { center, radius: view.scale(inside), color: fill });
    let spoke = view.scale(0.5 * RIM * radius);
    list.push(Layer::Bodies, Item::Capsule { start: center, end, radius: spoke, color });
    true
}

/// A zigzag between two points with a dot at each.
fn paint_spring(list: &mut DisplayList, [start, end]: [Point; 2], color: Rgba) {
    let along = [end[0] - start[0], end[1] - start[1]];
    let length = libm::hypot(along[0], along[1]);
    let mut points = vec![start];
    if length > 4.0 * STRAIGHT {
        let unit = [along[0] / length, along[1] / length];
        let coil = length - 2.0 * STRAIGHT;
        for k in 0..=2 * WINDINGS {
            let s = STRAIGHT + coil * k as f64 / (2 * WINDINGS) as f64;
            let side = match k {
                0 => 0.0,
                k if k == 2 * WINDINGS => 0.0,
                k if k % 2 == 1 => WINDING_WIDTH,
                _ => -WINDING_WIDTH,
            };
            points.push([start[0] + s * unit[0] - side * unit[1], start[1] + s * unit[1] + side * unit[0]]);
        }
    }
    points.push(end);
    list.push(Layer::Links, Item::Polyline { points, stroke: Stroke::solid(1.5, color) });
    for center in [start, end] {
        list.push(Layer::Marks, Item::Disc { center, radius: 2.5, color });
    }
}

/// The colour, or the ink of the background where the colour would not be seen.
fn readable(color: Rgba, background: Rgba) -> Rgba {
    if color.contrast(background) >= 1.6 { color } else { background.ink() }
}
