//! One place where two bodies touch.

use crate::model::BodyIndex;
use crate::rotation::perp;
use carom_geometry::plane::{Feature, ManifoldPoint};
use glam::DVec2;

/// One place where two bodies touch, or nearly so. The bodies are in rising order of index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarContact {
    /// The body of lower index.
    pub first: BodyIndex,
    /// The body of higher index.
    pub second: BodyIndex,
    /// From the centre of the first body to the touching point of its surface, in world axes: r0.
    pub first_arm: DVec2,
    /// From the centre of the second body to the touching point of its surface, in world axes: r1.
    pub second_arm: DVec2,
    /// World point half-way between the two touching points.
    pub point: DVec2,
    /// Unit normal from the first body to the second.
    pub normal: DVec2,
    /// Distance of the two surfaces along the normal; negative where they overlap.
    pub gap: f64,
    /// Gaps up to this count as closed: the touching tolerance of the pair.
    pub tolerance: f64,
    /// Extent of the smaller of the two bodies.
    pub extent: f64,
    /// What touches, on the first and on the second body.
    pub features: [Feature; 2],
}

/// The deepest overlap of some contacts; 0 where nothing overlaps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Depth {
    /// As a length.
    pub length: f64,
    /// As a part of the smaller body's extent.
    pub part: f64,
}

impl Depth {
    #[cfg(test)]
    pub(crate) fn of(contacts: &[PlanarContact]) -> Self {
        Self::default().and(contacts)
    }

    /// The same with some more contacts.
    pub(crate) fn and(self, contacts: &[PlanarContact]) -> Self {
        contacts.iter().fold(self, |deepest, contact| Self {
            length: deepest.length.max(-contact.gap),
            part: deepest.part.max(-contact.gap / contact.extent),
        })
    }
}

impl PlanarContact {
    /// A point of the manifold of two bodies.
    pub(crate) fn of([first, second]: [u32; 2], point: &ManifoldPoint, tolerance: f64, extent: f64) -> Self {
        let ManifoldPoint { normal, gap, point, arms: [first_arm, second_arm], features } = *point;
        let (first, second) = (BodyIndex(first), BodyIndex(second));
        Self { first, second, first_arm, second_arm, point, normal, gap, tolerance, extent, features }
    }

    /// Whether the surfaces touch or overlap; where margins are asked for, contacts may still be
    /// open.
    pub fn is_closed(&self) -> bool {
        self.gap <= self.tolerance
    }

    /// The direction in which friction acts: the normal turned left by a right angle.
    pub fn tangent(&self) -> DVec2 {
        perp(self.normal)
    }
}
