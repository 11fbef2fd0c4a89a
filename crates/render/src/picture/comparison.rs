//! Two lists of contacts laid over each other, as the course's oracle shows them: missed ones in green, superfluous ones in red, and
//! for a wrong normal or a wrong velocity the wrong one in red beside the right one in green.

use carom_scene::Scene;
use carom_trajectory::{Contact, Frame};

use super::marks::{add, text_size};
use super::shapes::place_of;
use super::{Painter, PictureError, Trails};
use crate::color::Rgba;
use crate::display_list::{Align, DisplayList, Item, Layer, Stroke};
use crate::raster::arrow_head;
use crate::view::View;

/// Green that is told from the red by brightness too.
const RIGHT: Rgba = Rgba::opaque(0, 150, 70);
/// Red.
const WRONG: Rgba = Rgba::opaque(205, 20, 20);
/// Thickness of an arrow in pixels.
const WIDTH: f64 = 2.4;
/// A normal is never drawn shorter than this, in pixels.
const LEAST_LENGTH: f64 = 16.0;

/// How the contacts of one step differ from those of a reference.
#[derive(Debug, Clone, Copy, Default)]
pub struct Differences<'a> {
    /// In the reference only.
    pub missed: &'a [Contact],
    /// Not in the reference.
    pub superfluous: &'a [Contact],
    /// In both, with another normal: what was found, and what the reference holds.
    pub wrong_normals: &'a [(Contact, Contact)],
    /// Bodies that leave the step with another velocity.
    pub velocities: &'a [WrongVelocity],
}

/// A velocity that is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrongVelocity {
    /// Whose.
    pub body: usize,
    /// What was found.
    pub found: [f64; 3],
    /// What is right.
    pub right: [f64; 3],
}

impl Differences<'_> {
    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.missed.is_empty()
            && self.superfluous.is_empty()
            && self.wrong_normals.is_empty()
            && self.velocities.is_empty()
    }
}

impl Painter<'_> {
    /// The picture of a frame with the differences on top and a legend that counts them.
    pub fn paint_differences(
        &self,
        frame: &Frame,
        trails: &Trails,
        differences: &Differences<'_>,
    ) -> Result<DisplayList, PictureError> {
        let mut list = self.paint(frame, trails)?;
        let (scene, view) = (self.scene(), self.view());
        for contact in differences.missed {
            arrow(&mut list, scene, view, frame, (contact, RIGHT));
        }
        for contact in differences.superfluous {
            arrow(&mut list, scene, view, frame, (contact, WRONG));
        }
        for (found, reference) in differences.wrong_normals {
            arrow(&mut list, scene, view, frame, (reference, RIGHT));
            arrow(&mut list, scene, view, frame, (found, WRONG));
        }
        velocities(&mut list, scene, view, frame, differences.velocities);
        legend(&mut list, differences);
        Ok(list)
    }
}

/// The longest velocity in a picture, as a part of its width.
const LONGEST: f64 = 0.18;

/// Velocities from the middle of their bodies, all in one scale: the right ones under the wrong ones.
fn velocities(list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame, wrong: &[WrongVelocity]) {
    let length = |[x, y, z]: [f64; 3]| libm::hypot(libm::hypot(x, y), z);
    let longest = wrong.iter().map(|w| length(w.found).max(length(w.right))).fold(0.0, f64::max);
    if !(longest > 0.0 && longest.is_finite()) {
        return;
    }
    let scale = LONGEST * f64::from(list.width) / longest;
    for mark in wrong {
        let at = place_of(scene, frame, mark.body);
        for (velocity, color) in [(mark.right, RIGHT), (mark.found, WRONG)] {
            let start = view.spot(at);
            match view.direction(at, velocity) {
                Some(unit) => {
                    let pixels = (scale * length(velocity)).max(LEAST_LENGTH);
                    draw(list, start, [start[0] + pixels * unit[0], start[1] + pixels * unit[1]], color);
                }
                None => list.push(Layer::Marks, Item::Disc { center: start, radius: 5.0, color }),
            }
        }
    }
}

/// The vector from the first body towards the second in its true length, from the first body.
fn arrow(
    list: &mut DisplayList,
    scene: &Scene,
    view: &View,
    frame: &Frame,
    (contact, color): (&Contact, Rgba),
) {
    let at = start_of(contact, scene, frame);
    let start = view.spot(at);
    let Some(unit) = view.direction(at, contact.normal) else {
        list.push(Layer::Marks, Item::Disc { center: start, radius: 4.0, color });
        return;
    };
    let [x, y, z] = contact.normal;
    let length = view.scale_at(libm::hypot(libm::hypot(x, y), z), at).max(LEAST_LENGTH);
    draw(list, start, [start[0] + length * unit[0], start[1] + length * unit[1]], color);
}

fn draw(list: &mut DisplayList, start: [f64; 2], end: [f64; 2], color: Rgba) {
    // A rim in the colour of the background lifts the arrow off the bodies.
    let rim = list.background;
    let (neck, [tip, left, right]) = arrow_head(start, end, WIDTH);
    list.push(Layer::Marks, Item::Capsule { start, end: neck, radius: 0.5 * WIDTH + 1.0, color: rim });
    let outline = vec![tip, left, right, tip];
    list.push(Layer::Marks, Item::Polyline { points: outline, stroke: Stroke::solid(2.0, rim) });
    list.push(Layer::Marks, Item::Arrow { start, end, width: WIDTH, color });
    list.push(Layer::Marks, Item::Disc { center: start, radius: 3.0, color });
}

fn start_of(contact: &Contact, scene: &Scene, frame: &Frame) -> [f64; 3] {
    use carom_trajectory::ContactKind;
    match contact.kind {
        ContactKind::BodyBody => super::marks::contact_point(contact, scene, frame),
        _ => place_of(scene, frame, contact.first as usize),
    }
}

fn legend(list: &mut DisplayList, differences: &Differences<'_>) {
    let rows = [
        (RIGHT, differences.missed.len(), "missed"),
        (WRONG, differences.superfluous.len(), "superfluous"),
        (WRONG, differences.wrong_normals.len(), "wrong normal (right one in green)"),
        (WRONG, differences.velocities.len(), "velocities are wrong (right ones in green)"),
    ];
    let size = text_size(list);
    let mut y = f64::from(list.height) - 1.7 * size;
    for (color, count, label) in rows.into_iter().rev().filter(|(_, count, _)| *count > 0) {
        add(list, format!("{count} {label}"), [2.0 * size, y], Align::Start);
        let center = [1.1 * size, y + 0.36 * size];
        list.push(Layer::Labels, Item::Disc { center, radius: 0.36 * size, color });
        y -= 1.5 * size;
    }
}
