//! Where two planar shapes touch.

use glam::DVec2;

/// The points at which two shapes touch, or nearly so. A buffer: it is cleared and filled again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifold {
    /// In a fixed order. Each has a normal of its own: at corners they differ.
    pub points: Vec<ManifoldPoint>,
}

/// One point of a manifold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// Unit normal from the first shape to the second.
    pub normal: DVec2,
    /// Distance of the two surfaces along the normal; negative where they overlap.
    pub gap: f64,
    /// World point half-way between the two touching points.
    pub point: DVec2,
    /// From the centre of each shape to the touching point of its surface, in world axes.
    pub arms: [DVec2; 2],
    /// What touches, on the first and on the second shape.
    pub features: [Feature; 2],
}

impl ManifoldPoint {
    /// The same point seen from the other shape.
    pub(crate) fn swapped(self) -> Self {
        let ([first, second], [own, other]) = (self.arms, self.features);
        Self { normal: -self.normal, arms: [second, first], features: [other, own], ..self }
    }
}

/// A part of a surface: a vertex or an edge. A disc is a single vertex.
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

    /// A number that tells features of one shape apart.
    pub fn code(self) -> u32 {
        self.0
    }
}
