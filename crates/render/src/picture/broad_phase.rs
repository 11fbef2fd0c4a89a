//! The broad phase: the boxes around everything that can touch, and the pairs of boxes that
//! overlap.
//!
//! Boxes are those of the moment, around what the frame shows, and pairs are found by the very code
//! that the simulation uses. (Methods that look at the whole path of a step box that path: their
//! boxes are longer, by the way of one step.)

use carom_geometry::plane::broad_phase::{Aabb, BroadPhase, Candidates};
use carom_scene::description::particles::ParticleScene;
use carom_scene::description::rigid::{RigidScene, Shape};
use carom_scene::{Scene, System};
use carom_trajectory::Frame;

use super::shapes::{Pose, outline, place_of};
use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Layer, Point, Stroke};
use crate::view::View;

/// Boxes without a partner, and boxes and links of pairs.
const ALONE: Rgba = Rgba::opaque(30, 130, 140);
const PAIRED: Rgba = Rgba::opaque(222, 105, 0);
/// Thickness of lines in pixels.
pub(super) const LINE: f64 = 1.2;

/// Boxes, and the pairs of them that go on to be tested.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boxes {
    /// Lower left and upper right corner of the box of each body, then of each edge of particles.
    /// One that is not finite overlaps everything.
    pub boxes: Vec<[Point; 2]>,
    /// Pairs of boxes that overlap, of which at least one body can move; an edge and its own ends
    /// are no pair.
    pub pairs: Vec<(usize, usize)>,
}

/// The boxes and pairs of a frame of a planar scene. Half-planes are in none: every particle is
/// tested against each.
pub fn boxes(scene: &Scene, frame: &Frame) -> Boxes {
    match &scene.system {
        System::Particles(system) => of_particles(system, scene, frame),
        System::RigidBodies(system) => of_bodies(system, frame),
        // Boxes in 3D have three sides: they are drawn apart.
        System::SpatialBodies(_) => Boxes::default(),
    }
}

fn of_particles(system: &ParticleScene, scene: &Scene, frame: &Frame) -> Boxes {
    let around = |index: usize, radius: f64| {
        let [x, y, _] = place_of(scene, frame, index);
        Aabb::around([x, y].into(), radius)
    };
    let discs: Vec<Aabb> =
        system.particles.iter().enumerate().map(|(k, particle)| around(k, particle.radius)).collect();
    let segments: Vec<Aabb> = system
        .edges
        .iter()
        .map(|edge| around(edge.start, edge.radius).union(&around(edge.end, edge.radius)))
        .collect();
    let mut found = Candidates::default();
    BroadPhase::default().find(&discs, &segments, &mut found);
    let fixed = |index: usize| system.particles[index].fixed;
    let mut pairs: Vec<(usize, usize)> = found
        .discs
        .iter()
        .map(|(a, b)| (a as usize, b as usize))
        .filter(|&(a, b)| !(fixed(a) && fixed(b)))
        .collect();
    for (disc, segment) in found.segments.iter().map(|(a, b)| (a as usize, b as usize)) {
        let edge = &system.edges[segment];
        let still = fixed(disc) && fixed(edge.start) && fixed(edge.end);
        if !still && disc != edge.start && disc != edge.end {
            pairs.push((disc, discs.len() + segment));
        }
    }
    Boxes { boxes: discs.iter().chain(&segments).map(corners).collect(), pairs }
}

fn of_bodies(system: &RigidScene, frame: &Frame) -> Boxes {
    let boxes: Vec<Aabb> = (0..system.bodies.len())
        .map(|body| {
            let pose = Pose::of(system, frame, body);
            let radius = system.bodies[body].radius;
            let points = match system.bodies[body].shape {
                Shape::Disc { .. } => vec![pose.place([0.0, 0.0])],
                _ => outline(system, body, &pose),
            };
            let nowhere = Aabb::around([f64::NAN; 2].into(), radius);
            let around = points.into_iter().map(|point| Aabb::around(point.into(), radius));
            around.reduce(|all, next| all.union(&next)).unwrap_or(nowhere)
        })
        .collect();
    let mut found = Candidates::default();
    BroadPhase::default().find(&boxes, &[], &mut found);
    let fixed = |body: usize| system.bodies[body].fixed;
    let pairs = found.discs.iter().map(|(a, b)| (a as usize, b as usize));
    let boxed = |body: usize| !matches!(system.bodies[body].shape, Shape::HalfPlane { .. });
    let pairs = pairs.filter(|&(a, b)| !(fixed(a) && fixed(b)) && boxed(a) && boxed(b)).collect();
    Boxes { boxes: boxes.iter().map(corners).collect(), pairs }
}

fn corners(aabb: &Aabb) -> [Point; 2] {
    [aabb.min.to_array(), aabb.max.to_array()]
}

pub(super) fn color(paired: bool) -> Rgba {
    if paired { PAIRED } else { ALONE }
}

/// Draws boxes and a link for each pair; returns how many of each there are.
pub(super) fn paint(list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame) -> [usize; 2] {
    let Boxes { boxes, pairs } = boxes(scene, frame);
    let mut paired = vec![false; boxes.len()];
    for &(a, b) in &pairs {
        (paired[a], paired[b]) = (true, true);
    }
    for ([low, high], paired) in boxes.iter().zip(paired) {
        let ([left, bottom], [right, top]) = (view.place(*low), view.place(*high));
        let points = vec![[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]];
        let color = color(paired);
        list.push(Layer::Marks, Item::Polyline { points, stroke: Stroke::solid(LINE, color) });
    }
    let middle = |[low, high]: [Point; 2]| view.place([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])]);
    for &(a, b) in &pairs {
        let points = vec![middle(boxes[a]), middle(boxes[b])];
        list.push(Layer::Marks, Item::Polyline { points, stroke: Stroke::solid(LINE, PAIRED) });
    }
    [boxes.len(), pairs.len()]
}
