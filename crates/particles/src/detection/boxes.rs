//! Boxes around particles and edges, at a moment or along a path.

use super::Context;
use super::swept::Paths;
use carom_geometry::plane::broad_phase::Aabb;
use glam::DVec2;

/// Boxes are larger than what is in them by this much of the coordinates, so that rounding never
/// loses a pair.
const ROUNDING: f64 = 1e-12;

/// And by this factor of the radius, for the same reason.
const RADIUS_ROOM: f64 = 1.0 + 1e-9;

/// Boxes of discs and segments, with buffers that are kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Boxes {
    pub(crate) discs: Vec<Aabb>,
    pub(crate) segments: Vec<Aabb>,
}

impl Boxes {
    /// Boxes at a moment, each grown by half of `thickness`.
    pub(crate) fn at(&mut self, context: &Context<'_>, positions: &[DVec2], thickness: f64) {
        self.fill(context, positions, |i, radius| around(positions[i], radius + 0.5 * thickness));
    }

    /// Boxes at a moment, of things that are larger by a part of their radius.
    pub(crate) fn near(&mut self, context: &Context<'_>, positions: &[DVec2], part: f64) {
        self.fill(context, positions, |i, radius| around(positions[i], radius * (1.0 + part)));
    }

    /// Boxes of paths; `room` tells how much larger they may be made.
    pub(crate) fn along(&mut self, context: &Context<'_>, paths: Paths<'_>, room: impl Fn(usize) -> f64) {
        self.fill(context, paths.start, |i, radius| swept(paths, i, radius).grown(room(i)));
    }

    fn fill(&mut self, context: &Context<'_>, positions: &[DVec2], around: impl Fn(usize, f64) -> Aabb) {
        // the touch tolerance reaches a little beyond the radii
        let room = 1.0 + context.collision().touch_tolerance;
        let radius = |i: usize| context.particle(i).radius * room;
        self.discs.clear();
        self.discs.extend((0..positions.len()).map(|i| around(i, radius(i))));
        self.segments.clear();
        self.segments.extend(context.model.edges.iter().map(|edge| {
            around(edge.start.0, edge.radius * room).union(&around(edge.end.0, edge.radius * room))
        }));
    }
}

/// The box of the path of a disc.
pub(crate) fn swept(paths: Paths<'_>, i: usize, radius: f64) -> Aabb {
    around(paths.start[i], radius).union(&around(paths.end[i], radius))
}

fn around(center: DVec2, radius: f64) -> Aabb {
    Aabb::around(center, radius.max(0.0) * RADIUS_ROOM + center.abs().max_element() * ROUNDING)
}
