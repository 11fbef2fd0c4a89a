//! A wrong step seen from near: the contact that is wrong fills the picture, and a column beside it
//! shows where that is in the scene, and the numbers of the velocities that are drawn.

use carom_scene::System;
use carom_trajectory::{Contact, ContactKind, Frame};

use super::comparison::{Differences, RIGHT, Side, WRONG, WrongVelocity, is_inside};
use super::focus::Focus;
use super::marks::contact_point;
use super::shapes::place_of;
use super::{Options, Painter, PictureError, Trails};
use crate::color::Rgba;
use crate::display_list::{Align, Baseline, DisplayList, Item, Layer, Point, Stroke, Text};
use crate::number::short;
use crate::text;
use crate::view::View;

/// Side of the picture from near, in pixels.
const SIDE: u32 = 640;
/// Width of the column beside it, and the room around what is in it.
const COLUMN: u32 = 320;
const MARGIN: u32 = 16;
/// The whole scene must be so many times as large for a picture from near to be worth its while.
const WORTH: f64 = 1.5;
/// Lines of numbers.
const LINES: usize = 13;
/// Size of the letters in the column.
const LETTERS: f64 = 15.0;

impl Painter<'_> {
    /// The differences of a frame, on the picture of what is wrong; on that of the whole scene
    /// where that shows it as large.
    pub fn paint_close_up(
        &self,
        frame: &Frame,
        differences: &Differences<'_>,
    ) -> Result<DisplayList, PictureError> {
        let trails = Trails::new(self.scene());
        let focus = Focus::of(self.scene(), frame, differences).filter(|focus| self.is_worth(focus));
        let Some(focus) = focus else {
            return self.paint_differences(frame, &trails, differences, Side::Both);
        };
        let near = Painter { view: View::around(&focus, SIDE, SIDE), ..self.clone() };
        let mut large = near.paint_differences(frame, &trails, differences, Side::Both)?;
        near.mark_contact(&mut large, frame, &focus);
        near.name_bodies(&mut large, frame, differences);
        let overview = self.overview(frame, differences, &focus)?;
        let mut list = DisplayList::new(SIDE + COLUMN, SIDE, large.background, large.title.clone());
        list.description = large.description.clone();
        let below = f64::from(2 * MARGIN + overview.height);
        let corner = [SIDE + MARGIN, MARGIN];
        outline(&mut list, corner, [overview.width, overview.height]);
        list.push(Layer::Bodies, Item::Inset { corner, list: Box::new(overview) });
        list.push(Layer::Bodies, Item::Inset { corner: [0, 0], list: Box::new(large) });
        numbers(&mut list, [f64::from(SIDE + MARGIN), below], near.lines(frame, differences, &focus));
        Ok(list)
    }

    /// Whether a picture of that alone shows it clearly larger than the whole scene does.
    pub fn is_worth(&self, focus: &Focus) -> bool {
        View::around(focus, SIDE, SIDE).scale(1.0) >= WORTH * self.view().scale(1.0)
    }

    /// The whole scene, small, with what is wrong dotted and the part that is seen from near
    /// framed.
    fn overview(
        &self,
        frame: &Frame,
        differences: &Differences<'_>,
        focus: &Focus,
    ) -> Result<DisplayList, PictureError> {
        let view = self.view().within(COLUMN - 2 * MARGIN, COLUMN - 2 * MARGIN);
        let options = Options { time: false, ..self.options };
        let painter = Painter { view, options, ..self.clone() };
        let mut list = painter.paint(frame, &Trails::new(self.scene()))?;
        for wrong in differences.velocities {
            let center = painter.view().spot(place_of(self.scene(), frame, wrong.body));
            list.push(Layer::Marks, Item::Disc { center, radius: 3.0, color: WRONG });
        }
        let Focus { center: [x, y], half, .. } = *focus;
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let points: Vec<Point> =
            corners.iter().map(|[a, b]| painter.view().place([x + a * half, y + b * half])).collect();
        let rim = Stroke::solid(4.0, list.background);
        let line = Stroke::solid(2.0, list.background.ink());
        list.push(Layer::Marks, Item::Polyline { points: points.clone(), stroke: rim });
        list.push(Layer::Marks, Item::Polyline { points, stroke: line });
        Ok(list)
    }

    /// Names beside the bodies that something is said about.
    fn name_bodies(&self, list: &mut DisplayList, frame: &Frame, differences: &Differences<'_>) {
        let mut named: Vec<usize> = differences.velocities.iter().map(|wrong| wrong.body).collect();
        let contacts = contacts(differences).chain(&frame.contacts);
        for contact in contacts {
            named.push(contact.first as usize);
            if matches!(contact.kind, ContactKind::ParticleParticle | ContactKind::BodyBody) {
                named.push(contact.second as usize);
            }
        }
        named.sort_unstable();
        named.dedup();
        let [width, height] = [f64::from(list.width), f64::from(list.height)];
        for body in named {
            let at = place_of(self.scene(), frame, body);
            let [x, y] = self.view().spot(at);
            if !is_inside([x, y], [width, height]) {
                continue;
            }
            let words = self.name(body);
            let long = text::width(&words, LETTERS, crate::display_list::Weight::Bold);
            let aside = self.reach_in_pixels(body).min(0.2 * width);
            let place = [(x + 0.72 * aside + 6.0).min(width - long - 6.0), y + 0.72 * aside + 6.0];
            let place = [place[0].max(6.0), place[1].clamp(40.0, 0.86 * height)];
            let label = Text::new(words, place, LETTERS, list.background.ink()).bold();
            let label = label.aligned(Align::Start, Baseline::Top).with_halo(list.background);
            list.push(Layer::Labels, Item::Text(label));
        }
    }

    /// The line of the normal, dashed through the point of contact.
    fn mark_contact(&self, list: &mut DisplayList, frame: &Frame, focus: &Focus) {
        let Some(contact) = &focus.contact else { return };
        let mut at = contact_point(contact, self.scene(), frame);
        if contact.kind != ContactKind::BodyBody {
            // on the rim of the particle: points of particles lie on what it meets
            let ([x, y, _], first) = (contact.normal, contact.first as usize);
            let part = self.reach(first) / libm::hypot(x, y);
            let place = place_of(self.scene(), frame, first);
            at = [place[0] + part * x, place[1] + part * y, 0.0];
        }
        let center = self.view().spot(at);
        let Some([x, y]) = self.view().direction(at, contact.normal) else { return };
        let reach = 0.2 * f64::from(list.width);
        let end = |sign: f64| [center[0] + sign * reach * x, center[1] + sign * reach * y];
        let ink = list.background.ink();
        for (width, color) in [(3.5, list.background), (1.5, ink)] {
            let stroke = Stroke { width, color, dash: (color == ink).then_some([7.0, 5.0]) };
            list.push(Layer::Bodies, Item::Polyline { points: vec![end(-1.0), end(1.0)], stroke });
        }
        list.push(Layer::Bodies, Item::Disc { center, radius: 5.5, color: list.background });
        list.push(Layer::Bodies, Item::Disc { center, radius: 4.0, color: ink });
    }

    fn reach_in_pixels(&self, body: usize) -> f64 {
        match &self.scene().system {
            System::Particles(_) => self.view().scale(self.reach(body)),
            _ => 0.0,
        }
    }

    fn reach(&self, body: usize) -> f64 {
        match &self.scene().system {
            System::Particles(scene) => scene.particles.get(body).map_or(0.0, |p| p.radius.max(0.0)),
            _ => 0.0,
        }
    }

    fn name(&self, body: usize) -> String {
        let noun = if matches!(self.scene().system, System::Particles(_)) { "particle" } else { "body" };
        format!("{noun} {body}")
    }

    fn pair(&self, contact: &Contact) -> String {
        let second = contact.second;
        let other = match contact.kind {
            ContactKind::ParticleEdge => format!("edge {second}"),
            ContactKind::ParticleHalfPlane => format!("half-plane {second}"),
            _ => self.name(second as usize),
        };
        format!("{} – {other}", self.name(contact.first as usize))
    }

    /// What is wrong in words and numbers, with the colour of each line.
    fn lines(
        &self,
        frame: &Frame,
        differences: &Differences<'_>,
        focus: &Focus,
    ) -> Vec<(Option<Rgba>, String)> {
        let mut lines = Vec::new();
        if let Some(contact) = &focus.contact {
            lines.push((None, format!("{} (normal dashed)", self.pair(contact))));
        }
        let vector = |[x, y, _]: [f64; 3]| format!("({}, {})", short(x), short(y));
        for contact in differences.missed {
            lines.push((Some(RIGHT), format!("missed: {}", self.pair(contact))));
        }
        for contact in differences.superfluous {
            lines.push((Some(WRONG), format!("too many: {}", self.pair(contact))));
        }
        for (found, right) in differences.wrong_normals {
            lines.push((None, format!("normal of {}", self.pair(right))));
            lines.push((Some(WRONG), format!("    yours {}", vector(found.normal))));
            lines.push((Some(RIGHT), format!("    right {}", vector(right.normal))));
        }
        // first those that are seen
        let [width, height] = self.view().size().map(f64::from);
        let is_seen = |wrong: &&WrongVelocity| {
            is_inside(self.view().spot(place_of(self.scene(), frame, wrong.body)), [width, height])
        };
        let (seen, others): (Vec<&WrongVelocity>, Vec<&WrongVelocity>) =
            differences.velocities.iter().partition(is_seen);
        for wrong in seen.into_iter().chain(others) {
            let spin =
                |which: usize| wrong.spin.map_or(String::new(), |both| format!(", ω {}", short(both[which])));
            lines.push((None, format!("velocity of {}", self.name(wrong.body))));
            lines.push((Some(WRONG), format!("    yours {}{}", vector(wrong.found), spin(0))));
            lines.push((Some(RIGHT), format!("    right {}{}", vector(wrong.right), spin(1))));
        }
        lines
    }
}

fn contacts<'a>(differences: &Differences<'a>) -> impl Iterator<Item = &'a Contact> {
    let right = differences.wrong_normals.iter().map(|(_, right)| right);
    differences.missed.iter().chain(differences.superfluous).chain(right)
}

fn outline(list: &mut DisplayList, corner: [u32; 2], size: [u32; 2]) {
    let [left, top] = corner.map(|c| f64::from(c) - 1.0);
    let [right, bottom] = [0, 1].map(|axis| f64::from(corner[axis] + size[axis]) + 1.0);
    let points = vec![[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    let stroke = Stroke::solid(1.0, list.background.ink().with_opacity(0.35));
    list.push(Layer::Bodies, Item::Polyline { points, stroke });
}

fn numbers(list: &mut DisplayList, [left, top]: Point, lines: Vec<(Option<Rgba>, String)>) {
    let count = lines.len();
    let shown = if count > LINES { LINES - 1 } else { count };
    let ink = list.background.ink();
    let more = (count > shown).then(|| (None, format!("… and {} more lines", count - shown)));
    for (row, (color, words)) in lines.into_iter().take(shown).chain(more).enumerate() {
        let place = [left, top + 1.5 * LETTERS * row as f64];
        let label = Text::new(words, place, LETTERS, color.unwrap_or(ink));
        list.push(Layer::Labels, Item::Text(label.aligned(Align::Start, Baseline::Top)));
    }
}
