//! Where two solids touch.

use super::Nearness;
use glam::DVec3;

/// The points at which two solids touch, or nearly so. A buffer: it is cleared and filled again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifold {
    /// In the order of features. Along a face all have one normal; beside its rim each has its own.
    pub points: Vec<ManifoldPoint>,
}

/// One point of a manifold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// World point half-way between the two touching points.
    pub point: DVec3,
    /// Unit normal from the first solid to the second.
    pub normal: DVec3,
    /// Distance of the two surfaces along the normal; negative where they overlap.
    pub gap: f64,
    /// What touches, on the first and on the second solid.
    pub features: [Feature; 2],
    /// How it touches.
    pub kind: ContactKind,
}

/// How two surfaces touch: the `vf`, `ea` and `eb` of Witkin and Baraff's lectures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactKind {
    /// A corner of one solid on a face of the other, whose normal is the contact's; or near the rim
    /// of a face, beside it.
    VertexFace,
    /// An edge across an edge.
    EdgeEdge {
        /// Direction of the edge of the first solid, not normalized.
        first: DVec3,
        /// Direction of the edge of the second solid, not normalized.
        second: DVec3,
    },
    /// A ball on something.
    Ball,
}

/// A part of a surface. A ball or a half-space is a single face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u32);

impl Feature {
    /// The whole surface of a ball or a half-space.
    pub(super) const SURFACE: Self = Self(2);

    /// The corner of a number.
    pub fn vertex(k: u32) -> Self {
        Self(3 * k)
    }

    /// The edge of a number.
    pub fn edge(k: u32) -> Self {
        Self(3 * k + 1)
    }

    /// The face of a number.
    pub fn face(k: u32) -> Self {
        Self(3 * k + 2)
    }

    /// A number that tells features of one solid apart.
    pub fn code(self) -> u32 {
        self.0
    }
}

impl ManifoldPoint {
    /// The same point seen from the other solid.
    pub(super) fn swapped(self) -> Self {
        let kind = match self.kind {
            ContactKind::EdgeEdge { first, second } => ContactKind::EdgeEdge { first: second, second: first },
            other => other,
        };
        Self { normal: -self.normal, features: [self.features[1], self.features[0]], kind, ..self }
    }
}

impl Nearness {
    /// Adds a point if it is near enough.
    pub(super) fn add(&self, found: ManifoldPoint, manifold: &mut Manifold) {
        let ManifoldPoint { point, normal, gap, .. } = found;
        // Not finite, not near: whatever broke a state does not reach the solvers.
        if gap <= self.limit && gap.is_finite() && normal.is_finite() && point.is_finite() {
            manifold.points.push(found);
        }
    }
}
