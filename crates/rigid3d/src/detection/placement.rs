//! A body where it is now, as the narrow phase sees it.

use super::contact::{Contact, ContactKind, Feature};
use crate::model::BodyIndex;
use crate::shape::Polyhedron;
use glam::DVec3;

/// A body where it is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement<'a> {
    pub(super) index: BodyIndex,
    pub(super) position: DVec3,
    pub(super) solid: Solid<'a>,
}

/// Its shape in world axes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Solid<'a> {
    Ball { radius: f64 },
    Polyhedron(Placed<'a>),
    HalfSpace { normal: DVec3 },
}

/// A polyhedron in world axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) shape: &'a Polyhedron,
    pub(super) vertices: &'a [DVec3],
    pub(super) normals: &'a [DVec3],
    /// The centre of mass, which is inside.
    pub(super) center: DVec3,
}

impl Placed<'_> {
    /// A corner of a face.
    pub(super) fn corner(&self, face: usize, k: usize) -> DVec3 {
        let corners = &self.shape.faces()[face].corners;
        self.vertices[corners[k % corners.len()] as usize]
    }

    /// Signed distance of a point from the plane of a face.
    pub(super) fn above(&self, face: usize, point: DVec3) -> f64 {
        self.normals[face].dot(point - self.corner(face, 0))
    }
}

/// How near counts, and for whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearness {
    pub(super) bodies: [BodyIndex; 2],
    /// Their centres of mass.
    pub(super) centers: [DVec3; 2],
    /// Gaps up to this are contacts.
    pub(super) limit: f64,
    /// Gaps up to this are closed.
    pub(super) tolerance: f64,
    pub(super) extent: f64,
}

/// Where two surfaces are nearest: on the first and on the second body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) point: DVec3,
    /// From the first body to the second.
    pub(super) normal: DVec3,
    pub(super) gap: f64,
    pub(super) features: [Feature; 2],
    pub(super) kind: ContactKind,
}

impl Nearness {
    /// Adds a touch if it is near enough.
    pub(super) fn add(&self, touch: Touch, contacts: &mut Vec<Contact>) {
        let Touch { point, normal, gap, features, kind } = touch;
        // Not finite, not near: whatever broke a state does not reach the solvers.
        if gap <= self.limit && gap.is_finite() && normal.is_finite() && point.is_finite() {
            let [first, second] = self.bodies;
            let (tolerance, extent) = (self.tolerance, self.extent);
            let arms = self.centers.map(|center| point - center);
            let contact =
                Contact { first, second, point, arms, normal, gap, tolerance, extent, features, kind };
            contacts.push(contact);
        }
    }
}
