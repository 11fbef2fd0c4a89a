//! The polynomials that a sweep over all pairs looks at, written down for comparison with the
//! course's files.
//!
//! The course's program records the conditions of every pair that it tests, near or far, so a log
//! costs the square of the number of particles. It is kept only where it is asked for.

use super::Context;
use super::swept::Paths;
use carom_geometry::particle::sweep::{Path, point_half_plane, point_point, point_segment};
use carom_numerics::polynomial::Polynomial;

/// Leading coefficients below this are dropped, as in the course's program.
const NO_COEFFICIENT: f64 = 1e-12;

/// The polynomials of a step, one after the other, in the order of the tests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConditionsLog {
    /// Number of coefficients of each.
    pub lengths: Vec<u32>,
    /// All coefficients, highest power first.
    pub coefficients: Vec<f64>,
    /// How many polynomials, and how many coefficients, were there at the end of the first stage of
    /// the step.
    pub first_stage: (usize, usize),
}

/// What a particle is tested against.
#[derive(Clone, Copy)]
pub(crate) enum Tested {
    Particle(usize),
    Edge(usize),
    HalfPlane(usize),
}

impl ConditionsLog {
    pub(crate) fn start(&mut self) {
        self.lengths.clear();
        self.coefficients.clear();
        self.end_stage();
    }

    /// What was logged so far belongs to the first stage.
    pub(crate) fn end_stage(&mut self) {
        self.first_stage = (self.lengths.len(), self.coefficients.len());
    }

    /// Logs every pair on paths that stay as they are, in canonical order.
    pub(crate) fn add_all(&mut self, context: &Context<'_>, paths: Paths<'_>) {
        let count = paths.end.len();
        for i in 0..count {
            (i + 1..count).for_each(|j| self.add(context, paths, i, Tested::Particle(j)));
            let edges = (0..context.model.edges.len()).filter(|&e| context.can_touch(i, e));
            edges.for_each(|e| self.add(context, paths, i, Tested::Edge(e)));
            (0..context.planes.len()).for_each(|h| self.add(context, paths, i, Tested::HalfPlane(h)));
        }
    }

    /// Logs one pair.
    pub(crate) fn add(&mut self, context: &Context<'_>, paths: Paths<'_>, i: usize, other: Tested) {
        let radius = context.particle(i).radius;
        match other {
            Tested::Particle(j) => {
                let relative = paths.of(j).relative_to(&paths.of(i));
                let reach = context.reach(radius, context.particle(j).radius);
                self.push(&point_point::conditions(&relative, reach));
            }
            Tested::Edge(e) => {
                let edge = context.edge(e);
                let (start, end) = (paths.of(edge.start.0), paths.of(edge.end.0));
                let sweep = point_segment::Sweep { point: paths.of(i), start, end };
                let reach = context.reach(radius, edge.radius);
                self.push(&point_segment::conditions(&sweep, reach, point_segment::Quintic::Course));
            }
            Tested::HalfPlane(h) => {
                let plane = &context.planes[h];
                let relative = paths.of(i).relative_to(&Path::between(plane.start, plane.end));
                let reach = context.reach(radius, 0.0);
                self.push(&point_half_plane::conditions(&relative, plane.normal, reach));
            }
        }
    }

    fn push(&mut self, conditions: &[Polynomial]) {
        for polynomial in conditions {
            let kept = polynomial.without_small_leading(NO_COEFFICIENT);
            self.lengths.push(kept.coefficients().len() as u32);
            self.coefficients.extend_from_slice(kept.coefficients());
        }
    }
}
