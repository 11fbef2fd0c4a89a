//! Two lists of contacts laid over each other, as the course's oracle shows them: missed ones in
//! green, superfluous ones in red, and for a wrong normal, velocity or place the wrong one in red
//! beside the right one in green. Or each side in a picture of its own.

use carom_scene::Scene;
use carom_trajectory::{Contact, Frame};

use super::marks::{add, text_size};
use super::shapes::place_of;
use super::{Painter, PictureError, Trails};
use crate::color::Rgba;
use crate::display_list::{Align, DisplayList, Item, Layer, Point, Stroke};
use crate::raster::arrow_head;
use crate::view::View;

/// Green that differs from the red in brightness too.
pub(super) const RIGHT: Rgba = Rgba::opaque(0, 150, 70);
/// Red.
pub(super) const WRONG: Rgba = Rgba::opaque(205, 20, 20);
/// Thickness of the arrow of a velocity in pixels.
const WIDTH: f64 = 3.0;
/// Thickness of the arrow of a collision: it differs from a velocity at a glance.
const THICK: f64 = 5.0;
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
    /// Bodies that end the step elsewhere.
    pub places: &'a [WrongPlace],
}

/// Which of two runs a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Both, laid over each other.
    Both,
    /// What is right, alone.
    Right,
    /// What was found, alone.
    Found,
}

impl Side {
    fn shows(self, color: Rgba) -> bool {
        match self {
            Side::Both => true,
            Side::Right => color == RIGHT,
            Side::Found => color == WRONG,
        }
    }
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
    /// Of planar bodies whose spin is wrong: what was found, and what is right.
    pub spin: Option<[f64; 2]>,
}

/// A place that is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrongPlace {
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
            && self.places.is_empty()
    }
}

impl Painter<'_> {
    /// The picture of a frame with the differences on top, those of one side or of both, and a
    /// legend that counts them.
    pub fn paint_differences(
        &self,
        frame: &Frame,
        trails: &Trails,
        differences: &Differences<'_>,
        side: Side,
    ) -> Result<DisplayList, PictureError> {
        let mut list = self.paint(frame, trails)?;
        let (scene, view) = (self.scene(), self.view());
        let mut mark = |contact: &Contact, color: Rgba| {
            if side.shows(color) {
                arrow(&mut list, scene, view, frame, (contact, color));
            }
        };
        differences.missed.iter().for_each(|contact| mark(contact, RIGHT));
        differences.superfluous.iter().for_each(|contact| mark(contact, WRONG));
        for (found, reference) in differences.wrong_normals {
            mark(reference, RIGHT);
            mark(found, WRONG);
        }
        places(&mut list, view, differences.places, side);
        velocities(&mut list, (scene, view, frame), differences.velocities, side);
        if side == Side::Both {
            legend(&mut list, differences);
        }
        Ok(list)
    }
}

/// The longest velocity in a picture, as a part of its shorter side.
const LONGEST: f64 = 0.3;
/// Arrows are made shorter than that, down to this part of it, so that all of them end inside of
/// the picture.
const SHORTENED: f64 = 0.35;
/// Two arrows whose directions differ by less (the sine of the angle) are drawn side by side, not
/// over each other.
const NEARLY_PARALLEL: f64 = 0.12;

/// Velocities from the middle of their bodies, all in one scale: the right ones under the wrong
/// ones.
fn velocities(
    list: &mut DisplayList,
    (scene, view, frame): (&Scene, &View, &Frame),
    wrong: &[WrongVelocity],
    side: Side,
) {
    let length = |[x, y, z]: [f64; 3]| libm::hypot(libm::hypot(x, y), z);
    // those that are seen set the scale
    let size = [f64::from(list.width), f64::from(list.height)];
    let is_seen = |w: &&WrongVelocity| is_inside(view.spot(place_of(scene, frame, w.body)), size);
    let longest_of = |list: &mut dyn Iterator<Item = &WrongVelocity>| {
        list.map(|w| length(w.found).max(length(w.right))).fold(0.0, f64::max)
    };
    let seen = longest_of(&mut wrong.iter().filter(is_seen));
    let longest = if seen > 0.0 { seen } else { longest_of(&mut wrong.iter()) };
    let scale = LONGEST * f64::from(list.width.min(list.height)) / longest;
    let scale = scale * room(list, (scene, view, frame), wrong, scale);
    for mark in wrong {
        let at = place_of(scene, frame, mark.body);
        let start = view.spot(at);
        if longest > 0.0 && longest.is_finite() {
            let aside = if side == Side::Both { aside(view, at, mark) } else { [0.0; 2] };
            for (velocity, color, sign) in [(mark.right, RIGHT, -1.0), (mark.found, WRONG, 1.0)] {
                if side.shows(color) {
                    let from = [start[0] + sign * aside[0], start[1] + sign * aside[1]];
                    pointer(list, view, (at, from), (velocity, scale * length(velocity)), color);
                }
            }
        }
        if let Some([found, right]) = mark.spin {
            let words = match side {
                Side::Both => format!("ω {found:.4}, right {right:.4}"),
                Side::Right => format!("ω {right:.4}"),
                Side::Found => format!("ω {found:.4}"),
            };
            let below = start[1] + 2.0 * text_size(list);
            add(list, words, [start[0], below], Align::Start);
        }
    }
}

/// The part of the length of arrows that keeps those that begin inside of the picture inside, down
/// to a limit.
fn room(
    list: &DisplayList,
    (scene, view, frame): (&Scene, &View, &Frame),
    wrong: &[WrongVelocity],
    scale: f64,
) -> f64 {
    let size = [f64::from(list.width), f64::from(list.height)];
    let mut part: f64 = 1.0;
    for mark in wrong {
        let at = place_of(scene, frame, mark.body);
        let start = view.spot(at);
        let is_inside = is_inside(start, size);
        for velocity in [mark.found, mark.right] {
            let Some(unit) = view.direction(at, velocity).filter(|_| is_inside) else { continue };
            let [x, y, z] = velocity;
            let pixels = scale * libm::hypot(libm::hypot(x, y), z);
            for axis in 0..2 {
                let border = if unit[axis] > 0.0 { 0.97 * size[axis] } else { 0.03 * size[axis] };
                let fits = (border - start[axis]) / (pixels * unit[axis]);
                if fits.is_finite() {
                    part = part.min(fits.max(SHORTENED));
                }
            }
        }
    }
    part
}

/// Whether a point is seen in a picture of this size.
pub(super) fn is_inside(point: Point, size: [f64; 2]) -> bool {
    (0..2).all(|axis| point[axis] > 0.0 && point[axis] < size[axis])
}

/// How far to the side the two arrows of a velocity are moved, each its way, so that neither hides
/// the other.
fn aside(view: &View, at: [f64; 3], mark: &WrongVelocity) -> Point {
    match (view.direction(at, mark.found), view.direction(at, mark.right)) {
        (Some(a), Some(b)) if (a[0] * b[1] - a[1] * b[0]).abs() < NEARLY_PARALLEL => {
            [-1.2 * WIDTH * b[1], 1.2 * WIDTH * b[0]]
        }
        _ => [0.0; 2],
    }
}

/// A velocity of so many pixels; a disc where there is none.
fn pointer(
    list: &mut DisplayList,
    view: &View,
    (at, start): ([f64; 3], Point),
    (velocity, pixels): ([f64; 3], f64),
    color: Rgba,
) {
    match view.direction(at, velocity) {
        Some(unit) => {
            let pixels = pixels.max(LEAST_LENGTH);
            let end = [start[0] + pixels * unit[0], start[1] + pixels * unit[1]];
            draw(list, [start, end], WIDTH, color);
        }
        None => list.push(Layer::Marks, Item::Disc { center: start, radius: 5.0, color }),
    }
}

/// Places as discs, the right ones under the wrong ones and larger, so that both are seen when they
/// are near each other.
fn places(list: &mut DisplayList, view: &View, wrong: &[WrongPlace], side: Side) {
    for mark in wrong {
        for (place, radius, color) in [(mark.right, 7.0, RIGHT), (mark.found, 4.0, WRONG)] {
            let center = view.spot(place);
            if side.shows(color) && center[0].is_finite() && center[1].is_finite() {
                list.push(Layer::Marks, Item::Disc { center, radius, color });
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
    let end = [start[0] + length * unit[0], start[1] + length * unit[1]];
    draw(list, [start, end], THICK, color);
}

fn draw(list: &mut DisplayList, [start, end]: [[f64; 2]; 2], width: f64, color: Rgba) {
    // A rim in the colour of the background lifts the arrow off the bodies.
    let rim = list.background;
    let (neck, [tip, left, right]) = arrow_head(start, end, width);
    list.push(Layer::Marks, Item::Capsule { start, end: neck, radius: 0.5 * width + 1.0, color: rim });
    let outline = vec![tip, left, right, tip];
    list.push(Layer::Marks, Item::Polyline { points: outline, stroke: Stroke::solid(2.0, rim) });
    list.push(Layer::Marks, Item::Arrow { start, end, width, color });
    list.push(Layer::Marks, Item::Disc { center: start, radius: 0.5 * width + 1.8, color });
}

fn start_of(contact: &Contact, scene: &Scene, frame: &Frame) -> [f64; 3] {
    use carom_trajectory::ContactKind;
    match contact.kind {
        ContactKind::BodyBody => super::marks::contact_point(contact, scene, frame),
        _ => place_of(scene, frame, contact.first as usize),
    }
}

fn legend(list: &mut DisplayList, differences: &Differences<'_>) {
    let Differences { missed, superfluous, wrong_normals, velocities, places } = differences;
    // the second word is for several
    let rows = [
        (RIGHT, THICK, missed.len(), ["missed collision", "s"]),
        (WRONG, THICK, superfluous.len(), ["superfluous collision", "s"]),
        (WRONG, THICK, wrong_normals.len(), ["wrong normal (right one in green)", ""]),
        (WRONG, WIDTH, velocities.len(), ["with a wrong velocity (the right one in green)", ""]),
        (WRONG, 0.0, places.len(), ["at a wrong place (the right one in green)", ""]),
    ];
    let size = text_size(list);
    let mut y = f64::from(list.height) - 1.7 * size;
    for (color, width, count, [label, plural]) in rows.into_iter().rev().filter(|row| row.2 > 0) {
        let plural = if count == 1 { "" } else { plural };
        add(list, format!("{count} {label}{plural}"), [2.0 * size, y], Align::Start);
        // as it is drawn in the picture: a thick arrow, a thin one, or a disc
        let middle = y + 0.36 * size;
        let item = match width > 0.0 {
            true => Item::Arrow { start: [0.3 * size, middle], end: [1.6 * size, middle], width, color },
            false => Item::Disc { center: [1.1 * size, middle], radius: 0.36 * size, color },
        };
        list.push(Layer::Labels, item);
        y -= 1.5 * size;
    }
}
