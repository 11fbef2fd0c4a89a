//! Who touches whom, by the numbers of their shapes: gaps, tolerances and the rows of a contact.

use super::Bodies;
use crate::collision::Pair as Named;
use crate::detection::touching::Touching;
use carom_contact::{Dof, JacobianRow};
use carom_geometry::particle::manifold::{self, ManifoldPoint};
use carom_stepping::{Mechanics, Pair};
use glam::DVec2;

/// Radii that together are below this part of the coordinates in a step are taken for so much:
/// rounding must not decide on which side of a line a point is...
pub(super) const THINNEST: f64 = 1e-11;
/// ...and this part of them is rounding.
const ROUNDED: f64 = 1e-14;
/// Contact tolerances are parts of the radii, or of this in metres where that is more.
pub(super) const POINT: f64 = 1e-6;

impl Bodies {
    pub(super) fn particle_count(&self) -> usize {
        self.model.particles.len()
    }

    /// The number of the edge of a shape, if it is one.
    pub(super) fn edge_of(&self, shape: u32) -> Option<usize> {
        (shape as usize).checked_sub(self.particle_count() + self.model.half_planes.len())
    }

    /// Who a pair of shapes is; the first of them is a particle.
    pub(super) fn named(&self, [i, other]: Pair) -> Named {
        use crate::{EdgeIndex, HalfPlaneIndex, ParticleIndex};
        let (i, k) = (ParticleIndex(i as usize), other as usize);
        match (self.edge_of(other), k.checked_sub(self.particle_count())) {
            (Some(edge), _) => Named::ParticleEdge(i, EdgeIndex(edge)),
            (None, Some(half_plane)) => Named::ParticleHalfPlane(i, HalfPlaneIndex(half_plane)),
            (None, None) => Named::ParticleParticle(i, ParticleIndex(k)),
        }
    }

    /// Whether two things touch at all.
    pub(crate) fn meet(&self, pair: Named) -> bool {
        self.surfaces.meet(self.shapes(pair))
    }

    /// The numbers of the shapes of a pair.
    pub(super) fn shapes(&self, pair: Named) -> Pair {
        let particles = self.particle_count();
        let (first, second) = match pair {
            Named::ParticleParticle(i, j) => (i.0, j.0),
            Named::ParticleHalfPlane(i, h) => (i.0, particles + h.0),
            Named::ParticleEdge(i, e) => (i.0, particles + self.model.half_planes.len() + e.0),
        };
        [first as u32, second as u32]
    }

    /// The sum of the radii of a pair, and gaps that count as closed.
    pub(super) fn reach(&self, pair: Named) -> (f64, f64) {
        let radius = |i: usize| self.model.particles[i].radius;
        let scale = |body: usize| self.scales.get(body).copied().unwrap_or(0.0);
        let (sum, scale) = match pair {
            Named::ParticleParticle(i, j) => (radius(i.0) + radius(j.0), scale(i.0).max(scale(j.0))),
            Named::ParticleEdge(i, e) => {
                let edge = &self.model.edges[e.0];
                let ends = scale(edge.start.0).max(scale(edge.end.0));
                (radius(i.0) + edge.radius, scale(i.0).max(ends))
            }
            Named::ParticleHalfPlane(i, h) => {
                (radius(i.0), scale(i.0).max(scale(self.particle_count() + h.0)))
            }
        };
        let tolerance = self.settings.collision.touch_tolerance * sum.max(POINT);
        (sum.max(THINNEST * scale), tolerance.max(ROUNDED * scale))
    }

    /// Distance of the surfaces of a contact whose vector is the shortest one from centre line to
    /// centre line.
    pub(crate) fn gap(&self, contact: &crate::ParticleContact) -> f64 {
        let (reach, _) = self.reach(contact.pair);
        match contact.pair {
            // the vector of a particle whose centre is behind the plane goes the other way
            Named::ParticleHalfPlane(_, h) => -contact.vector.dot(self.normals[h.0]) - reach,
            _ => contact.vector.length() - reach,
        }
    }

    pub(super) fn is_fixed(&self, particle: usize) -> bool {
        self.model.particles[particle].fixed
    }

    /// Where a body is in the state; half-planes are at one of their points.
    pub(super) fn place(&self, body: usize) -> DVec2 {
        match body.checked_sub(self.particle_count()) {
            None => self.state.positions[body],
            Some(h) => self.model.half_planes[h].point_at(self.state.time(self.settings.time_step)),
        }
    }

    /// The contact of a pair at given places, if their gap is small enough.
    pub(super) fn touching(&self, pair: Pair, at: impl Fn(u32) -> DVec2, margin: f64) -> Option<Touching> {
        let named = self.named(pair);
        let extent = self.extent(pair);
        let (reach, tolerance) = self.reach(named);
        let first = at(pair[0]);
        let ManifoldPoint { normal: unit, gap, alpha } = match named {
            Named::ParticleParticle(..) => manifold::point_point(first, at(pair[1]), reach),
            Named::ParticleHalfPlane(_, h) => {
                manifold::point_half_plane(first, (at(pair[1]), self.normals[h.0]), reach)
            }
            Named::ParticleEdge(_, e) => {
                let edge = &self.model.edges[e.0];
                let ends = [edge.start, edge.end].map(|end| at(end.0 as u32));
                manifold::point_segment(first, ends, reach)
            }
        };
        let near = gap <= tolerance + margin && self.yields(named, alpha);
        let point = first + self.model.particles[pair[0] as usize].radius * unit;
        near.then_some(Touching { pair: named, unit, alpha, gap, tolerance, extent, point })
    }

    /// Whether a push between a particle and the place `alpha` of an edge moves anything by a
    /// reasonable way. Against a fixed particle, so near to a fixed end the other end would fly
    /// away.
    pub(super) fn yields(&self, pair: Named, alpha: f64) -> bool {
        /// Shortest arm of a lever, in lengths of the edge.
        const SHORTEST: f64 = 1e-4;
        let Named::ParticleEdge(i, e) = pair else { return true };
        let edge = &self.model.edges[e.0];
        !self.is_fixed(i.0)
            || !self.is_fixed(edge.start.0) && 1.0 - alpha > SHORTEST
            || !self.is_fixed(edge.end.0) && alpha > SHORTEST
    }

    /// The column of a unit push along `along`: −along on the particle, +along at the nearest point
    /// of the other.
    pub(super) fn column(
        &self,
        contact: &Touching,
        along: DVec2,
        place: &impl Fn(u32) -> u32,
    ) -> JacobianRow {
        let mut direction = JacobianRow::EMPTY;
        let mut push = |body: usize, weight: f64| {
            let particle = self.model.particles.get(body).filter(|particle| !particle.fixed);
            let inverse = particle.map_or(0.0, |particle| 1.0 / particle.mass);
            let first = 2 * place(body as u32);
            for (axis, eta) in [weight * along.x, weight * along.y].into_iter().enumerate() {
                direction
                    .push(Dof(first + axis as u32), eta, inverse * eta)
                    .expect("three particles have six of twelve degrees of freedom");
            }
        };
        match contact.pair {
            Named::ParticleParticle(i, j) => {
                push(i.0, -1.0);
                push(j.0, 1.0);
            }
            Named::ParticleEdge(i, e) => {
                let edge = &self.model.edges[e.0];
                push(i.0, -1.0);
                // An edge from a particle to itself is that particle.
                if edge.start == edge.end {
                    push(edge.start.0, 1.0);
                } else {
                    push(edge.start.0, 1.0 - contact.alpha);
                    push(edge.end.0, contact.alpha);
                }
            }
            Named::ParticleHalfPlane(i, h) => {
                push(i.0, -1.0);
                push(self.particle_count() + h.0, 1.0);
            }
        }
        direction
    }
}
