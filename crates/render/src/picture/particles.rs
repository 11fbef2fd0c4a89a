//! Particles and edges.

use carom_scene::description::IndexedColor;
use carom_scene::description::particles::ParticleScene;
use carom_trajectory::Frame;

use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Layer, Point};
use crate::view::View;

/// Particles without a colour of their own.
pub(super) const PARTICLE: Rgba = Rgba::opaque(166, 75, 0);
/// Fixed particles without a colour of their own.
pub(super) const FIXED: Rgba = Rgba::opaque(120, 24, 24);
/// Edges without a colour of their own.
pub(super) const EDGE: Rgba = Rgba::opaque(0, 99, 99);
/// A particle is never drawn smaller than this, in pixels: it would vanish.
const LEAST_RADIUS: f64 = 1.0;
/// A disc has a rim from this radius on, in pixels.
const LEAST_RIMMED: f64 = 3.0;
/// Half of the thickness that an edge has at least, in pixels.
const LEAST_HALF_WIDTH: f64 = 0.6;

/// Draws all particles and edges; returns how many particles could be drawn.
pub(super) fn paint(list: &mut DisplayList, scene: &ParticleScene, view: &View, frame: &Frame) -> usize {
    let place = |index: usize| -> Point {
        let number = |offset: usize| frame.positions.get(2 * index + offset).copied().unwrap_or(f64::NAN);
        view.place([number(0), number(1)])
    };
    let edge_color = colors(&scene.appearance.edge_colors, scene.edges.len(), |_| EDGE);
    for (edge, color) in scene.edges.iter().zip(edge_color) {
        let radius = view.scale(edge.radius).max(LEAST_HALF_WIDTH);
        let item = Item::Capsule { start: place(edge.start), end: place(edge.end), radius, color };
        list.push(Layer::Links, item);
    }
    let default = |index: usize| if scene.particles[index].fixed { FIXED } else { PARTICLE };
    let particle_color = colors(&scene.appearance.particle_colors, scene.particles.len(), default);
    let mut drawn = 0;
    for (index, (particle, color)) in scene.particles.iter().zip(particle_color).enumerate() {
        let radius = view.scale(particle.radius).max(LEAST_RADIUS);
        let center = place(index);
        if center.iter().all(|c| c.is_finite()) {
            paint_disc(list, center, radius, color);
            drawn += 1;
        }
    }
    drawn
}

/// A disc with a darker rim inside its radius, so that discs of one colour can be distinguished
/// where they touch.
fn paint_disc(list: &mut DisplayList, center: Point, radius: f64, color: Rgba) {
    if radius < LEAST_RIMMED {
        list.push(Layer::Bodies, Item::Disc { center, radius, color });
        return;
    }
    let toward = if color.luminance() > 0.03 { Rgba::BLACK } else { Rgba::WHITE };
    let width = (0.1 * radius).clamp(0.8, 2.0);
    list.push(Layer::Bodies, Item::Disc { center, radius, color: color.mixed_with(toward, 0.4) });
    list.push(Layer::Bodies, Item::Disc { center, radius: radius - width, color });
}

/// The colour of each object: its own where one is given (the last one wins), else the default.
pub(super) fn colors(given: &[IndexedColor], count: usize, default: impl Fn(usize) -> Rgba) -> Vec<Rgba> {
    let mut all: Vec<Rgba> = (0..count).map(default).collect();
    for IndexedColor { index, color } in given {
        if let Some(slot) = all.get_mut(*index) {
            *slot = Rgba::from(*color);
        }
    }
    all
}
