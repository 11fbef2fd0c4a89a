//! Spatial bodies: one stage, and the layers that show what happens between them.

use carom_scene::description::spatial::SpatialScene;
use carom_trajectory::Frame;
use glam::DVec3;

use super::cast::Cast;
use super::islands;
use crate::display_list::{DisplayList, Item, Layer, Stroke};
use crate::spatial::{Form, Light, Solid, Stage};
use crate::view::View;

/// Draws all bodies and springs; returns how many bodies could be drawn.
pub(super) fn paint(
    list: &mut DisplayList,
    (scene, cast): (&SpatialScene, &Cast),
    view: &View,
    frame: &Frame,
    colored_by: Option<&[Option<usize>]>,
) -> usize {
    let Some(space) = view.space() else { return 0 };
    let mut solids = Vec::new();
    for (index, solid) in cast.solids(frame).into_iter().enumerate() {
        if let Some(mut solid) = solid {
            if let Some(Some(island)) = colored_by.map(|islands| islands[index]) {
                solid.color = islands::color(island, list.background);
            }
            solids.push(solid);
        }
    }
    let drawn = solids.len();
    solids.extend(cast.springs(scene, frame));
    let stage = Stage {
        camera: space.camera,
        light: Light::for_view(space.up, space.camera.forward()),
        background: list.background,
        solids,
        size: space.size,
        center: space.center,
        edges: true,
    };
    list.push(Layer::Bodies, Item::Stage(Box::new(stage)));
    drawn
}

/// The box along the axes around a solid.
fn around(solid: &Solid) -> Option<[DVec3; 2]> {
    let (place, turn) = (solid.position, solid.orientation);
    match &solid.form {
        Form::Sphere { radius } => Some([place - DVec3::splat(*radius), place + DVec3::splat(*radius)]),
        Form::Mesh(mesh) => {
            let mut corners = mesh.corners().iter().map(|corner| place + turn * *corner);
            let first = corners.next()?;
            Some(corners.fold([first; 2], |[low, high], corner| [low.min(corner), high.max(corner)]))
        }
        Form::HalfSpace { .. } => None,
    }
}

/// Boxes of bodies and the pairs of which at least one can move: half-spaces have none, everything
/// is tested against them.
pub(super) fn boxes(
    scene: &SpatialScene,
    cast: &Cast,
    frame: &Frame,
) -> (Vec<[DVec3; 2]>, Vec<(usize, usize)>) {
    let all: Vec<(usize, [DVec3; 2])> = cast
        .solids(frame)
        .iter()
        .enumerate()
        .filter_map(|(body, solid)| Some((body, around(solid.as_ref()?)?)))
        .collect();
    let fixed = |body: usize| scene.bodies[body].fixed;
    let mut pairs = Vec::new();
    for (a, (body, [low, high])) in all.iter().enumerate() {
        for (b, (other, [other_low, other_high])) in all.iter().enumerate().skip(a + 1) {
            let overlap = low.cmple(*other_high).all() && other_low.cmple(*high).all();
            if overlap && !(fixed(*body) && fixed(*other)) {
                pairs.push((a, b));
            }
        }
    }
    (all.into_iter().map(|(_, corners)| corners).collect(), pairs)
}

/// Draws boxes and a link for each pair; returns how many of each there are.
pub(super) fn paint_boxes(
    list: &mut DisplayList,
    (scene, cast): (&SpatialScene, &Cast),
    view: &View,
    frame: &Frame,
) -> [usize; 2] {
    let (boxes, pairs) = boxes(scene, cast, frame);
    let mut paired = vec![false; boxes.len()];
    for &(a, b) in &pairs {
        (paired[a], paired[b]) = (true, true);
    }
    let mut line = |from: DVec3, to: DVec3, paired: bool| {
        let points = vec![view.spot(from.to_array()), view.spot(to.to_array())];
        let stroke = Stroke::solid(super::broad_phase::LINE, super::broad_phase::color(paired));
        list.push(Layer::Marks, Item::Polyline { points, stroke });
    };
    for ([low, high], paired) in boxes.iter().zip(paired) {
        let corner = |k: usize| {
            let pick = |bit: usize| if k >> bit & 1 == 1 { high[bit] } else { low[bit] };
            DVec3::new(pick(0), pick(1), pick(2))
        };
        for (from, to) in (0..8).flat_map(|k| [1, 2, 4].map(|bit| (k, k | bit))).filter(|(a, b)| a != b) {
            line(corner(from), corner(to), paired);
        }
    }
    for &(a, b) in &pairs {
        let middle = |[low, high]: [DVec3; 2]| 0.5 * (low + high);
        line(middle(boxes[a]), middle(boxes[b]), true);
    }
    [boxes.len(), pairs.len()]
}
