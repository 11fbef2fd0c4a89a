//! Trails: where the particles that the scene names have been.

use std::collections::VecDeque;

use carom_scene::description::particles::ParticlePath;
use carom_scene::{Scene, System};
use carom_trajectory::Frame;

use super::shapes::place_of;
use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Layer, Point, Stroke};
use crate::view::View;

/// Points kept of one trail; when full, every second one is dropped.
const MOST_POINTS: usize = 8192;
/// A trail fades in this many pieces.
const FADES: usize = 8;
/// Points nearer than this many pixels to the last one add nothing.
const LEAST_PIXELS: f64 = 0.5;
/// Thickness of a trail in pixels.
const WIDTH: f64 = 1.5;

/// The past of every particle with a path. Feed it every frame of a run in order, shown or not.
#[derive(Debug, Clone, Default)]
pub struct Trails {
    paths: Vec<Trail>,
}

#[derive(Debug, Clone)]
struct Trail {
    path: ParticlePath,
    points: VecDeque<(f64, Point)>,
}

impl Trails {
    /// No past yet.
    pub fn new(scene: &Scene) -> Trails {
        let paths = match &scene.system {
            System::Particles(scene) => scene.appearance.paths.as_slice(),
            System::RigidBodies(_) | System::SpatialBodies(_) => &[],
        };
        Trails { paths: paths.iter().map(|path| Trail { path: *path, points: VecDeque::new() }).collect() }
    }

    /// Whether no particle has a path, so that frames need not be fed.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Adds a frame. What is older than a trail lasts is forgotten.
    pub fn push(&mut self, scene: &Scene, frame: &Frame) {
        for trail in &mut self.paths {
            let oldest = frame.time - trail.path.duration;
            while trail.points.front().is_some_and(|(time, _)| *time < oldest) {
                trail.points.pop_front();
            }
            if trail.points.len() >= MOST_POINTS {
                let mut keep = false;
                trail.points.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
            let [x, y, _] = place_of(scene, frame, trail.path.index);
            trail.points.push_back((frame.time, [x, y]));
        }
    }

    pub(super) fn paint(&self, list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame) {
        for trail in &self.paths {
            let head = view.spot(place_of(scene, frame, trail.path.index));
            let mut points: Vec<Point> = Vec::new();
            for (_, place) in trail.points.iter().filter(|(time, _)| *time <= frame.time) {
                let at = view.place(*place);
                if at[0].is_finite() && at[1].is_finite() && points.last().is_none_or(|last| apart(*last, at))
                {
                    points.push(at);
                }
            }
            points.push(head);
            paint_fading(list, &points, trail.path.color.into());
        }
    }
}

fn apart(a: Point, b: Point) -> bool {
    (a[0] - b[0]).abs() >= LEAST_PIXELS || (a[1] - b[1]).abs() >= LEAST_PIXELS
}

/// Oldest first: each piece is a little more opaque than the one before it.
fn paint_fading(list: &mut DisplayList, points: &[Point], color: Rgba) {
    let segments = points.len().saturating_sub(1);
    for piece in 0..FADES {
        let from = segments * piece / FADES;
        let to = segments * (piece + 1) / FADES;
        if from < to {
            let opacity = 0.25 + 0.75 * (piece + 1) as f64 / FADES as f64;
            let stroke = Stroke::solid(WIDTH, list.background.mixed_with(color, opacity));
            list.push(Layer::Paths, Item::Polyline { points: points[from..=to].to_vec(), stroke });
        }
    }
}
