//! What a picture of a wrong step must show large: the contact that is wrong, with the two that
//! touch.

use carom_scene::description::particles::ParticleScene;
use carom_scene::description::rigid::{RigidScene, Shape};
use carom_scene::{Scene, System};
use carom_trajectory::{Contact, ContactKind, Frame};

use super::comparison::{Differences, WrongVelocity};
use super::marks::contact_point;
use super::shapes::{Pose, outline, place_of};
use crate::display_list::Point;

/// Room around the larger of two particles that touch, in its radii; and around a particle on
/// something flat.
const ROOM: f64 = 2.8;
const ROOM_ON_FLAT: f64 = 2.3;
/// Room around the smaller of two rigid bodies that touch, in how far it reaches.
const ROOM_OF_BODIES: f64 = 2.2;
/// Of something much larger than what it touches, only as much is shown as this many radii of the
/// smaller one.
const MUCH_LARGER: f64 = 4.0;
/// Room around a single body, in its radii.
const ALONE: f64 = 3.0;

/// A square of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Focus {
    pub(crate) center: Point,
    /// Half of its side.
    pub(crate) half: f64,
    /// What touches there.
    pub(crate) contact: Option<Contact>,
}

impl Focus {
    /// The contact that is wrong, else the body whose velocity is furthest from the right one with
    /// what it touches, else one at a wrong place. Absent where nothing is wrong, where it has no
    /// finite place or size, and of 3D scenes.
    pub fn of(scene: &Scene, frame: &Frame, differences: &Differences<'_>) -> Option<Focus> {
        let listed = differences.missed.iter().chain(differences.superfluous);
        let listed = listed.chain(differences.wrong_normals.iter().map(|(_, right)| right));
        let focus = match listed.into_iter().next() {
            Some(contact) => around_contact(scene, frame, contact),
            None => {
                let body = match worst(differences.velocities) {
                    Some(wrong) => wrong.body,
                    None => differences.places.first()?.body,
                };
                let touches = |contact: &&Contact| takes_part(scene, contact, body);
                match frame.contacts.iter().find(touches) {
                    Some(contact) => around_contact(scene, frame, contact),
                    None => around_body(scene, frame, body),
                }
            }
        }?;
        let is_usable = focus.center.iter().all(|c| c.is_finite()) && focus.half.is_finite();
        (is_usable && focus.half > 0.0).then_some(focus)
    }

    /// Whether what is in the other would be hard to see in this one.
    pub fn is_much_larger_than(&self, other: &Focus) -> bool {
        self.half > MUCH_LARGER * other.half
    }

    /// The smallest square around both.
    pub fn joined(self, other: Focus) -> Focus {
        let low = |axis: usize| (self.center[axis] - self.half).min(other.center[axis] - other.half);
        let high = |axis: usize| (self.center[axis] + self.half).max(other.center[axis] + other.half);
        let size = (high(0) - low(0)).max(high(1) - low(1));
        let center = [0.5 * (low(0) + high(0)), 0.5 * (low(1) + high(1))];
        Focus { center, half: 0.5 * size, contact: self.contact }
    }
}

/// The velocity that is furthest from the right one; one that is no number is further than any.
fn worst(velocities: &[WrongVelocity]) -> Option<&WrongVelocity> {
    let off = |wrong: &WrongVelocity| {
        let spin = wrong.spin.map_or(0.0, |[found, right]| (found - right).abs());
        let apart = wrong.found.iter().zip(wrong.right).map(|(a, b)| (a - b).abs()).sum::<f64>() + spin;
        if apart.is_nan() { f64::INFINITY } else { apart }
    };
    velocities.iter().reduce(|a, b| if off(b) > off(a) { b } else { a })
}

fn takes_part(scene: &Scene, contact: &Contact, body: usize) -> bool {
    let second = contact.second as usize;
    let is_second = match (contact.kind, &scene.system) {
        (ContactKind::ParticleHalfPlane, _) => false,
        (ContactKind::ParticleEdge, System::Particles(particles)) => {
            particles.edges.get(second).is_some_and(|edge| edge.start == body || edge.end == body)
        }
        _ => second == body,
    };
    contact.first as usize == body || is_second
}

fn around_contact(scene: &Scene, frame: &Frame, contact: &Contact) -> Option<Focus> {
    match &scene.system {
        System::Particles(particles) => around_pair(scene, particles, frame, contact),
        System::RigidBodies(rigid) => {
            let [x, y, _] = contact_point(contact, scene, frame);
            let reach = |body: u32| body_reach(rigid, frame, body as usize);
            let smaller = match (reach(contact.first), reach(contact.second)) {
                (Some(a), Some(b)) => a.min(b),
                (one, other) => one.or(other)?,
            };
            Some(Focus { center: [x, y], half: ROOM_OF_BODIES * smaller, contact: Some(*contact) })
        }
        System::SpatialBodies(_) => None,
    }
}

/// Around the gap between a particle and what it meets.
fn around_pair(scene: &Scene, particles: &ParticleScene, frame: &Frame, contact: &Contact) -> Option<Focus> {
    let (first, second) = (contact.first as usize, contact.second as usize);
    let place = |index: usize| {
        let [x, y, _] = place_of(scene, frame, index);
        [x, y]
    };
    let at = place(first);
    let radius = particles.particles.get(first)?.radius.max(0.0);
    let (other, thickness) = match contact.kind {
        ContactKind::ParticleParticle => (place(second), particles.particles.get(second)?.radius),
        ContactKind::ParticleEdge => {
            let edge = particles.edges.get(second)?;
            (nearest(at, place(edge.start), place(edge.end)), edge.radius)
        }
        _ => {
            let plane = particles.half_planes.get(second)?;
            let ([px, py], [nx, ny]) = (plane.point, plane.normal);
            let height = ((at[0] - px) * nx + (at[1] - py) * ny) / (nx * nx + ny * ny);
            ([at[0] - height * nx, at[1] - height * ny], 0.0)
        }
    };
    let thickness = thickness.max(0.0);
    let apart = [other[0] - at[0], other[1] - at[1]];
    let distance = libm::hypot(apart[0], apart[1]);
    let unit = if distance > 0.0 { [apart[0] / distance, apart[1] / distance] } else { [0.0; 2] };
    let smaller = if thickness > 0.0 && radius > 0.0 { radius.min(thickness) } else { radius.max(thickness) };
    let larger = radius.max(thickness).min(MUCH_LARGER * smaller);
    let (along, half) = match contact.kind {
        // in the middle of the gap, or of the overlap
        ContactKind::ParticleParticle => {
            (radius + 0.5 * (distance - radius - thickness), (ROOM * larger).max(0.5 * distance + larger))
        }
        _ => (0.5 * distance, (ROOM_ON_FLAT * larger).max(0.5 * distance + larger)),
    };
    let center = [at[0] + along * unit[0], at[1] + along * unit[1]];
    Some(Focus { center, half, contact: Some(*contact) })
}

fn nearest(at: Point, start: Point, end: Point) -> Point {
    let edge = [end[0] - start[0], end[1] - start[1]];
    let squared = edge[0] * edge[0] + edge[1] * edge[1];
    let share = ((at[0] - start[0]) * edge[0] + (at[1] - start[1]) * edge[1]) / squared;
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    [start[0] + share * edge[0], start[1] + share * edge[1]]
}

fn around_body(scene: &Scene, frame: &Frame, body: usize) -> Option<Focus> {
    let [x, y, _] = place_of(scene, frame, body);
    let reach = match &scene.system {
        System::Particles(particles) => particles.particles.get(body)?.radius,
        System::RigidBodies(rigid) => body_reach(rigid, frame, body)?,
        System::SpatialBodies(_) => return None,
    };
    Some(Focus { center: [x, y], half: ALONE * reach, contact: None })
}

/// How far a rigid body reaches from its centre; none for a half-plane.
fn body_reach(scene: &RigidScene, frame: &Frame, body: usize) -> Option<f64> {
    let description = scene.bodies.get(body)?;
    match description.shape {
        Shape::Disc { .. } => return Some(description.radius),
        Shape::HalfPlane { .. } => return None,
        Shape::Hollow { .. } | Shape::Solid { .. } => {}
    }
    let pose = Pose::of(scene, frame, body);
    let [x, y] = pose.place([0.0; 2]);
    let farthest = outline(scene, body, &pose).into_iter().map(|[px, py]| libm::hypot(px - x, py - y));
    Some(farthest.fold(0.0, f64::max) + description.radius.max(0.0))
}
