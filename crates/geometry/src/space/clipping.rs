//! A face of one polyhedron clipped to the prism over a face of another: Sutherland and Hodgman,
//! "Reentrant polygon clipping", 1974.

use super::PlacedPolyhedron;
use glam::DVec3;

/// Corners this near to a side of the prism, as a part of the smaller extent, are on it.
const ON_SIDE: f64 = 1e-9;

/// A corner of the clipped polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) point: DVec3,
    pub(super) source: Source,
    /// What runs from this corner to the next one.
    run: Run,
}

/// An edge of the clipped polygon: one of the clipped solid, or one along a side of the prism, over
/// an edge of the solid that clips.
#[derive(Debug, Clone, Copy)]
enum Run {
    Other(u32),
    Own(u32),
}

/// Where a corner comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// A vertex of the clipped solid.
    Vertex(u32),
    /// An edge of the clipped solid over an edge of the solid that clips.
    Crossing { own: u32, other: u32 },
    /// Two edges of the solid that clips, which meet in one of its vertices, over the clipped
    /// solid.
    OwnVertex { edges: [u32; 2] },
}

/// Memory of the clipping.
#[derive(Debug, Clone, Default)]
pub(super) struct Clipping {
    polygon: Vec<Corner>,
    next: Vec<Corner>,
}

impl Clipping {
    /// The part of face `facing` of `b` that is over face `face` of `a`, along the normal of that
    /// face.
    pub(super) fn clip(
        &mut self,
        (a, face): (&PlacedPolyhedron<'_>, usize),
        (b, facing): (&PlacedPolyhedron<'_>, usize),
        extent: f64,
    ) -> impl Iterator<Item = Corner> + '_ {
        let clipped = &b.shape.faces()[facing];
        self.polygon.clear();
        self.polygon.extend(clipped.corners.iter().zip(&clipped.edges).map(|(&corner, &edge)| Corner {
            point: b.vertices[corner as usize],
            source: Source::Vertex(corner),
            run: Run::Other(edge),
        }));
        let on_side = ON_SIDE * extent;
        for (k, &edge) in a.shape.faces()[face].edges.iter().enumerate() {
            let (start, end) = (a.corner(face, k), a.corner(face, k + 1));
            let out = (end - start).cross(a.normals[face]).normalize_or_zero();
            self.cut((edge, start, out), on_side);
        }
        self.polygon.iter().copied()
    }

    /// Keeps what is behind a side; `own` is the edge of the clipping face in it.
    fn cut(&mut self, (own, through, out): (u32, DVec3, DVec3), on_side: f64) {
        self.next.clear();
        let count = self.polygon.len();
        for k in 0..count {
            let (here, there) = (self.polygon[k], self.polygon[(k + 1) % count]);
            let (s, t) = (out.dot(here.point - through), out.dot(there.point - through));
            if s <= on_side {
                self.next.push(here);
            }
            // A corner on the side stands for the crossing.
            let leaves = s < -on_side && t > on_side;
            let enters = s > on_side && t < -on_side;
            if leaves || enters {
                let point = here.point + (s / (s - t)) * (there.point - here.point);
                let source = match here.run {
                    Run::Other(other) => Source::Crossing { own, other },
                    Run::Own(side) => Source::OwnVertex { edges: [side, own] },
                };
                let run = if enters { here.run } else { Run::Own(own) };
                self.next.push(Corner { point, source, run });
            } else if s <= on_side && t > on_side {
                // Leaves through a corner on the side: what comes next runs along the side.
                if let Some(last) = self.next.last_mut() {
                    last.run = Run::Own(own);
                }
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.next);
    }
}
