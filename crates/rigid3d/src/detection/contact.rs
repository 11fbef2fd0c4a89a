//! One place where two bodies touch.

use crate::model::{Body, BodyIndex, Model};
use crate::state::BodyState;
use carom_geometry::space::{ContactKind, Feature, ManifoldPoint, Nearness};
use glam::DVec3;

/// 1/√3: one of the axes is at least as far from a unit vector as this says.
const FAR_FROM_X: f64 = 0.577_350_269_189_625_8;

/// One place where two bodies touch, or nearly so. The bodies are in rising order of index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialContact {
    /// The body of lower index.
    pub first: BodyIndex,
    /// The body of higher index.
    pub second: BodyIndex,
    /// World point half-way between the two touching points; impulses act here on both bodies.
    pub point: DVec3,
    /// From the centres of mass to it.
    pub arms: [DVec3; 2],
    /// Unit normal from the first body to the second.
    pub normal: DVec3,
    /// Distance of the two surfaces along the normal; negative where they overlap.
    pub gap: f64,
    /// Gaps up to this count as closed: the touching tolerance of the pair.
    pub tolerance: f64,
    /// Extent of the smaller of the two bodies.
    pub extent: f64,
    /// What touches, on the first and on the second body.
    pub features: [Feature; 2],
    /// How it touches.
    pub kind: ContactKind,
}

/// What the two sides of a contact do, by their relative normal velocity and a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approach {
    /// The gap opens faster than the threshold.
    Separating,
    /// Slower than the threshold either way: a matter for contact forces.
    Resting,
    /// The gap closes at the threshold or faster: a matter for impulses.
    Colliding,
}

impl Approach {
    /// Tells a relative normal velocity, negative when approaching, as the lecture's `colliding`
    /// does: separating if strictly above the threshold, resting if strictly above its negative,
    /// colliding otherwise.
    pub fn of(normal_velocity: f64, threshold: f64) -> Self {
        if normal_velocity > threshold {
            Self::Separating
        } else if normal_velocity > -threshold {
            Self::Resting
        } else {
            Self::Colliding
        }
    }
}

impl SpatialContact {
    /// A point of the manifold of two bodies.
    pub(super) fn of(
        [first, second]: [u32; 2],
        centers: [DVec3; 2],
        point: &ManifoldPoint,
        near: &Nearness,
    ) -> Self {
        let ManifoldPoint { point, normal, gap, features, kind } = *point;
        let (first, second) = (BodyIndex(first), BodyIndex(second));
        let (tolerance, extent) = (near.tolerance, near.extent);
        let arms = centers.map(|center| point - center);
        Self { first, second, point, arms, normal, gap, tolerance, extent, features, kind }
    }

    /// Whether the surfaces touch or overlap; where margins are asked for, contacts may still be
    /// open.
    pub fn is_closed(&self) -> bool {
        self.gap <= self.tolerance
    }

    /// Relative velocity of the second body against the first at the contact point.
    pub fn relative_velocity(&self, model: &Model, bodies: &[BodyState]) -> DVec3 {
        let at = |index: BodyIndex| {
            let (body, state): (&Body, &BodyState) = (&model.bodies[index.get()], &bodies[index.get()]);
            match body.motion {
                crate::model::Motion::Fixed => DVec3::ZERO,
                _ => state.velocity_at(body, self.point),
            }
        };
        at(self.second) - at(self.first)
    }

    /// Speed at which the gap opens: the lecture's v_rel; negative when approaching.
    pub fn normal_velocity(&self, model: &Model, bodies: &[BodyState]) -> f64 {
        self.normal.dot(self.relative_velocity(model, bodies))
    }

    /// The directions in which friction acts: unit vectors across the normal and across each other.
    /// They depend on the normal alone, so that impulses of the step before fit; friction cones are
    /// round, so that nothing else depends on them.
    pub fn tangents(&self) -> [DVec3; 2] {
        let axis = if self.normal.x.abs() >= FAR_FROM_X { DVec3::Y } else { DVec3::X };
        let first = self.normal.cross(axis).normalize();
        [first, self.normal.cross(first)]
    }
}
