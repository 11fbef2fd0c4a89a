//! What can be shown on top of the bodies: velocities, contacts, words.

use carom_scene::Scene;
use carom_trajectory::{Contact, Family, Frame};

use super::Options;
use super::shapes::place_of;
use crate::color::Rgba;
use crate::display_list::{Align, Baseline, DisplayList, Item, Layer, Point, Text, Weight};
use crate::text;
use crate::view::View;

/// Blue for velocities.
const VELOCITY: Rgba = Rgba::opaque(0, 98, 200);
/// Magenta for contacts: no scene of the course uses it.
const CONTACT: Rgba = Rgba::opaque(200, 0, 120);
/// The fastest body gets an arrow of this share of the picture.
const LONGEST_VELOCITY: f64 = 0.12;
/// Arrows shorter than this many pixels are left out.
const LEAST_ARROW: f64 = 2.0;
/// Length in pixels of the normal of a contact without impulse, and of the one with the greatest.
const NORMAL_LENGTH: [f64; 2] = [12.0, 40.0];

/// Arrows as long as the velocities; the fastest body of the frame sets the scale.
pub(super) fn velocities(list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame) {
    let family = super::family(scene);
    let axes = if family == Family::SpatialBodies { 3 } else { 2 };
    let velocity = |v: &[f64]| [v[0], v[1], if axes == 3 { v[2] } else { 0.0 }];
    let speed = |v: [f64; 3]| libm::hypot(libm::hypot(v[0], v[1]), v[2]);
    let all: Vec<[f64; 3]> =
        frame.velocities.chunks_exact(family.degrees_of_freedom()).map(velocity).collect();
    let fastest = all.iter().map(|v| speed(*v)).filter(|s| s.is_finite()).fold(0.0, f64::max);
    if fastest <= 0.0 {
        return;
    }
    let longest = LONGEST_VELOCITY * f64::from(list.width.min(list.height));
    for (index, velocity) in all.into_iter().enumerate() {
        let at = place_of(scene, frame, index);
        let (start, length) = (view.spot(at), longest / fastest * speed(velocity));
        if let Some(unit) = view.direction(at, velocity)
            && length >= LEAST_ARROW
        {
            let end = [start[0] + length * unit[0], start[1] + length * unit[1]];
            list.push(Layer::Marks, Item::Arrow { start, end, width: 1.6, color: VELOCITY });
        }
    }
}

/// A dot where things touched and an arrow along the normal, longer for a greater impulse.
pub(super) fn contacts(list: &mut DisplayList, scene: &Scene, view: &View, frame: &Frame) {
    let greatest =
        frame.contacts.iter().map(|c| c.impulse.abs()).filter(|i| i.is_finite()).fold(0.0, f64::max);
    for contact in &frame.contacts {
        let at = contact_point(contact, scene, frame);
        let center = view.spot(at);
        let share = if greatest > 0.0 { (contact.impulse.abs() / greatest).sqrt() } else { 0.0 };
        let length = NORMAL_LENGTH[0] + share * (NORMAL_LENGTH[1] - NORMAL_LENGTH[0]);
        if let Some(unit) = view.direction(at, contact.normal) {
            let end = [center[0] + length * unit[0], center[1] + length * unit[1]];
            list.push(Layer::Marks, Item::Arrow { start: center, end, width: 1.6, color: CONTACT });
        }
        list.push(Layer::Marks, Item::Disc { center, radius: 3.0, color: CONTACT });
    }
}

/// Where a contact is: its point, or the place of its first body where the point is not known.
pub(super) fn contact_point(contact: &Contact, scene: &Scene, frame: &Frame) -> [f64; 3] {
    let [x, y, z] = contact.point;
    // The course's files hold no points.
    if x.is_finite() && y.is_finite() { [x, y, z] } else { place_of(scene, frame, contact.first as usize) }
}

/// Step, time, notes and energy in the corners (an energy that is not known is left out), and a
/// warning when bodies are missing.
pub(super) fn words(list: &mut DisplayList, options: &Options, frame: &Frame, notes: &[String]) {
    let size = text_size(list);
    let margin = 0.7 * size;
    let right = f64::from(list.width) - margin;
    let time = options.time.then(|| format!("t = {:.3} s   step {}", frame.time, frame.step));
    for (row, line) in time.iter().chain(notes).enumerate() {
        add(list, line.clone(), [margin, margin + 1.5 * size * row as f64], Align::Start);
    }
    if options.energy {
        let q = &frame.quantities;
        let lines = [("kinetic", q.kinetic), ("potential", q.potential), ("total", q.kinetic + q.potential)];
        // Files that do not hold an energy hold no number in its place.
        for (row, (label, value)) in lines.into_iter().filter(|(_, value)| value.is_finite()).enumerate() {
            let at = [right, margin + 1.5 * size * row as f64];
            add(list, format!("{label} {} J", crate::number::short(value)), at, Align::End);
        }
    }
    let missing = list.left_out;
    if missing > 0 {
        let noun = if missing == 1 { "body is" } else { "bodies are" };
        let at = [margin, f64::from(list.height) - margin - size];
        add(list, format!("{missing} {noun} not drawn: position is not a number"), at, Align::Start);
    }
}

pub(super) fn text_size(list: &DisplayList) -> f64 {
    (f64::from(list.width.min(list.height)) * 0.03).clamp(9.0, 28.0)
}

/// Words on a plate in the colour of the background, readable on anything.
pub(super) fn add(list: &mut DisplayList, words: String, position: Point, align: Align) {
    let (ink, size) = (list.background.ink(), text_size(list));
    let width = text::width(&words, size, Weight::Regular);
    let left = if align == Align::End { position[0] - width } else { position[0] };
    let (pad, top, bottom) = (0.35 * size, position[1] - 0.35 * size, position[1] + 1.1 * size);
    let (left, right) = (left - pad, left + width + pad);
    let plate = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
    let color = list.background.with_opacity(0.8);
    list.push(Layer::Labels, Item::Polygon { points: plate, color });
    let label = Text::new(words, position, size, ink).aligned(align, Baseline::Top);
    list.push(Layer::Labels, Item::Text(label));
}
