//! Pairs that touch on straight paths from the start to the end of a step while coming nearer.

use super::{Context, DetectedContact};
use crate::collision::Pair;
use crate::{EdgeIndex, HalfPlaneIndex, ParticleIndex};
use carom_geometry::particle::distance::point_half_plane::vector_to_boundary;
use carom_geometry::particle::sweep::{
    Path, SweptContact, direction, point_half_plane, point_point, point_segment,
};
use carom_numerics::polynomial::{Rule, first_time_all_positive};
use glam::DVec2;

/// Positions at both ends of a step.
#[derive(Clone, Copy)]
pub(crate) struct Paths<'a> {
    pub(crate) start: &'a [DVec2],
    pub(crate) end: &'a [DVec2],
}

impl Paths<'_> {
    pub(crate) fn of(&self, i: usize) -> Path {
        Path::between(self.start[i], self.end[i])
    }
}

/// Two particles.
pub(crate) fn particle_particle(
    context: &Context<'_>,
    paths: Paths<'_>,
    i: usize,
    j: usize,
) -> Option<DetectedContact> {
    let (first, second) = (context.particle(i), context.particle(j));
    if !context.reports(!first.fixed || !second.fixed) {
        return None;
    }
    let (path, other) = (paths.of(i), paths.of(j));
    // the approach −n·d − t|d|² is never positive unless it begins so
    let relative = other.relative_to(&path);
    if relative.start.dot(relative.displacement) >= 0.0 {
        return None;
    }
    let reach = context.reach(first.radius, second.radius);
    let pair = Pair::ParticleParticle(ParticleIndex(i), ParticleIndex(j));
    if context.settings.course {
        let conditions = point_point::conditions(&relative, reach);
        let time = first_time_all_positive(&conditions, Rule::Course)?;
        return at_time(pair, time, 0.0, other.at(time) - path.at(time), &path);
    }
    found(pair, &path, point_point::first_contact(&path, &other, reach)?)
}

/// A particle and an edge that it is no end of.
pub(crate) fn particle_edge(
    context: &Context<'_>,
    paths: Paths<'_>,
    i: usize,
    e: usize,
) -> Option<DetectedContact> {
    let (particle, edge) = (context.particle(i), context.edge(e));
    let (a, b) = (edge.start.0, edge.end.0);
    let movable = !particle.fixed || !context.particle(a).fixed || !context.particle(b).fixed;
    if !context.reports(movable) {
        return None;
    }
    let sweep = point_segment::Sweep { point: paths.of(i), start: paths.of(a), end: paths.of(b) };
    let reach = context.reach(particle.radius, edge.radius);
    let pair = Pair::ParticleEdge(ParticleIndex(i), EdgeIndex(e));
    if context.settings.course {
        let conditions = point_segment::conditions(&sweep, reach, point_segment::Quintic::Course);
        let time = first_time_all_positive(&conditions, Rule::Course)?;
        let (alpha, vector) = point_segment::line_contact(&sweep, time);
        return at_time(pair, time, alpha, vector, &sweep.point);
    }
    let contact = point_segment::first_contact(&sweep, reach)?;
    if context.yields(i, e, contact.alpha) { found(pair, &sweep.point, contact) } else { None }
}

/// The moment after a hit at which a particle has come nearer to an edge, by a part of their reach,
/// or is about to pass it; none when it does not.
pub(crate) fn deepening(
    context: &Context<'_>,
    paths: Paths<'_>,
    hit: &DetectedContact,
) -> Option<DetectedContact> {
    /// Part of the reach by which nearer counts.
    const NEARER: f64 = 1e-3;
    let Pair::ParticleEdge(i, e) = hit.pair else { return None };
    let (particle, edge) = (context.particle(i.0), context.edge(e.0));
    let sweep = point_segment::Sweep {
        point: paths.of(i.0),
        start: paths.of(edge.start.0),
        end: paths.of(edge.end.0),
    };
    let nearer = NEARER * context.reach(particle.radius, edge.radius);
    let contact = point_segment::deepening(&sweep, hit.time, nearer)?;
    if context.yields(i.0, e.0, contact.alpha) { found(hit.pair, &sweep.point, contact) } else { None }
}

/// A particle and a half-plane.
pub(crate) fn particle_half_plane(
    context: &Context<'_>,
    paths: Paths<'_>,
    i: usize,
    h: usize,
) -> Option<DetectedContact> {
    let (particle, plane) = (context.particle(i), &context.planes[h]);
    if particle.fixed && !context.settings.course {
        return None;
    }
    let path = paths.of(i);
    let relative = path.relative_to(&Path::between(plane.start, plane.end));
    // coming nearer, to the boundary line or into the half-plane, has to begin at once on a
    // straight path
    let rise = relative.displacement.dot(plane.normal);
    if rise == 0.0 || (context.settings.course && relative.start.dot(plane.normal) * rise >= 0.0) {
        return None;
    }
    let reach = context.reach(particle.radius, 0.0);
    let pair = Pair::ParticleHalfPlane(ParticleIndex(i), HalfPlaneIndex(h));
    if context.settings.course {
        let conditions = point_half_plane::conditions(&relative, plane.normal, reach);
        let time = first_time_all_positive(&conditions, Rule::Course)?;
        let vector = vector_to_boundary(relative.at(time), DVec2::ZERO, plane.normal);
        return at_time(pair, time, 0.0, vector, &path);
    }
    found(pair, &path, point_half_plane::first_contact(&relative, plane.unit, reach)?)
}

/// A contact of the course: none where the vector has no direction.
fn at_time(pair: Pair, time: f64, alpha: f64, vector: DVec2, path: &Path) -> Option<DetectedContact> {
    Some(DetectedContact { pair, vector, unit: direction(vector)?, alpha, time, position: path.at(time) })
}

fn found(pair: Pair, path: &Path, contact: SweptContact) -> Option<DetectedContact> {
    let SweptContact { time, alpha, vector, unit } = contact;
    Some(DetectedContact { pair, vector, unit, alpha, time, position: path.at(time) })
}
