//! Islands in pictures: bodies that can influence each other through the contacts of the step that
//! led to a frame.

use carom_scene::{Scene, System};
use carom_trajectory::Frame;

use super::shapes::{Pose, outline, place_of};
use crate::color::{Rgba, SERIES, SERIES_ON_DARK};
use crate::display_list::{DisplayList, Item, Layer, Point, Stroke};
use crate::view::View;

/// Opacity of the veil over a body of an island.
const VEIL: f64 = 0.45;
/// Thickness of the line around it and of the links, in pixels.
const LINE: f64 = 2.0;
/// Corners of a ring.
const RING: usize = 32;

/// Which island each body of a frame belongs to: the lowest index of a body in it.
pub fn islands(scene: &Scene, frame: &Frame) -> Vec<Option<usize>> {
    carom_trajectory::islands(&frame.contacts, &scene.movable(), |edge| scene.edge_ends(edge))
}

/// The colour of an island: that of its lowest body, so that it lasts from frame to frame.
pub(super) fn color(island: usize, background: Rgba) -> Rgba {
    let palette = if background.luminance() > 0.2 { SERIES } else { SERIES_ON_DARK };
    palette[island % palette.len()]
}

/// A veil over every body of an island (spatial bodies are painted in its colour instead), and a
/// link for each contact between two of them; returns how many islands there are.
pub(super) fn paint(list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame) -> usize {
    let islands = islands(scene, frame);
    for (body, island) in islands.iter().enumerate() {
        let Some(island) = island else { continue };
        let color = color(*island, list.background);
        let mut points = rim(scene, view, frame, body);
        list.push(Layer::Marks, Item::Polygon { points: points.clone(), color: color.with_opacity(VEIL) });
        points.extend(points.first().copied());
        list.push(Layer::Marks, Item::Polyline { points, stroke: Stroke::solid(LINE, color) });
    }
    for contact in &frame.contacts {
        let joined: Vec<usize> = contact
            .members(|edge| scene.edge_ends(edge))
            .filter(|body| islands.get(*body).is_some_and(Option::is_some))
            .collect();
        if let [first, rest @ ..] = joined.as_slice() {
            let color = color(islands[*first].unwrap_or(0), list.background);
            for other in rest {
                let points = [*first, *other].map(|body| view.spot(place_of(scene, frame, body))).to_vec();
                list.push(Layer::Marks, Item::Polyline { points, stroke: Stroke::solid(LINE, color) });
            }
        }
    }
    let mut labels: Vec<usize> = islands.into_iter().flatten().collect();
    labels.sort_unstable();
    labels.dedup();
    labels.len()
}

/// Corners of the outline of a body in the picture.
fn rim(scene: &Scene, view: &View, frame: &Frame, body: usize) -> Vec<Point> {
    let ring = |radius: f64| {
        let center = view.spot(place_of(scene, frame, body));
        let radius = view.scale(radius).max(LINE) + 0.5 * LINE;
        (0..RING)
            .map(|k| std::f64::consts::TAU * k as f64 / RING as f64)
            .map(|angle| [center[0] + radius * libm::cos(angle), center[1] + radius * libm::sin(angle)])
            .collect()
    };
    match &scene.system {
        System::Particles(scene) => ring(scene.particles[body].radius),
        System::RigidBodies(scene) => {
            let corners = outline(scene, body, &Pose::of(scene, frame, body));
            if corners.is_empty() {
                ring(scene.bodies[body].radius)
            } else {
                corners.into_iter().map(|corner| view.place(corner)).collect()
            }
        }
        System::SpatialBodies(_) => Vec::new(),
    }
}
