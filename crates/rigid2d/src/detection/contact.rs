//! One place where two bodies touch.

use crate::model::BodyIndex;
use crate::rotation::perp;
use glam::DVec2;

/// One place where two bodies touch, or nearly so. The bodies are in rising order of index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
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
    pub(crate) fn of(contacts: &[Contact]) -> Self {
        Self::default().and(contacts)
    }

    /// The same with some more contacts.
    pub(crate) fn and(self, contacts: &[Contact]) -> Self {
        contacts.iter().fold(self, |deepest, contact| Self {
            length: deepest.length.max(-contact.gap),
            part: deepest.part.max(-contact.gap / contact.extent),
        })
    }
}

/// A part of a body's surface: a vertex or an edge. A disc is a single vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u32);

impl Feature {
    /// The vertex of a number.
    pub fn vertex(k: usize) -> Self {
        Self(2 * k as u32)
    }

    /// The edge from the vertex of this number to the next one.
    pub fn edge(k: usize) -> Self {
        Self(2 * k as u32 + 1)
    }

    /// A number that tells features of one body apart.
    pub fn code(self) -> u32 {
        self.0
    }
}

impl Contact {
    /// Whether the surfaces touch or overlap; where margins are asked for, contacts may still be open.
    pub fn is_closed(&self) -> bool {
        self.gap <= self.tolerance
    }

    /// The direction in which friction acts: the normal turned left by a right angle.
    pub fn tangent(&self) -> DVec2 {
        perp(self.normal)
    }

    /// The same contact seen from the other body.
    pub(crate) fn swapped(self) -> Self {
        Self {
            first: self.second,
            second: self.first,
            first_arm: self.second_arm,
            second_arm: self.first_arm,
            point: self.point,
            normal: -self.normal,
            gap: self.gap,
            tolerance: self.tolerance,
            extent: self.extent,
            features: [self.features[1], self.features[0]],
        }
    }
}
