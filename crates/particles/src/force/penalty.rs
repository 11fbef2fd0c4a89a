//! The repulsion of the penalty method: a spring between whatever is nearer than its thickness
//! (Theme 2 Milestone 1 hand-out, section 3.6).
//!
//! Potential ½ k (|n| − r₁ − r₂ − T)² where the shortest vector n is shorter than r₁ + r₂ + T.
//! Pairs come in the canonical order, which decides the last bit of the sums. A half-plane is a
//! line in the course's program and repels from both sides; for us it is solid and pushes out
//! whatever is inside, the more the deeper. Things that are exactly in the same place have no n:
//! they do not push each other (the course's program gets NaN).

use super::Configuration;
use super::layer::Layer;
use crate::collision::Penalty;
use crate::detection::boxes::Boxes;
use crate::detection::{Context, Plane, place_planes};
use crate::{Model, ParticleSettings};
use carom_geometry::particle::distance::{point_half_plane, point_segment};
use carom_geometry::plane::broad_phase::KeptCandidates;
use glam::DVec2;

/// The penalty force with the buffers of its broad phase.
#[derive(Debug, Clone)]
pub(crate) struct PenaltyForce {
    penalty: Penalty,
    settings: ParticleSettings,
    near: KeptCandidates,
    boxes: Boxes,
    planes: Vec<Plane>,
    layer: Layer,
}

/// One pair that repels: gradient of the potential by n, and the particles with their share of n.
pub(crate) struct Repulsion {
    /// k (|n| − r₁ − r₂ − T), negative.
    pub(crate) slope: f64,
    /// |n| − r₁ − r₂ − T, negative.
    pub(crate) stretch: f64,
    /// n over its length, from the first particle away.
    pub(crate) direction: DVec2,
    /// The ends of an edge or the other particle, with the weight of their position in n.
    pub(crate) others: [(usize, f64); 2],
    /// The velocity of the other where it is a half-plane.
    pub(crate) velocity: DVec2,
}

impl PenaltyForce {
    /// The force that goes with the collision response, where there is one.
    pub(crate) fn of(settings: &ParticleSettings) -> Option<Self> {
        let penalty = settings.collision.response.penalty()?;
        Some(Self {
            penalty,
            settings: *settings,
            near: KeptCandidates::new(settings.collision.broad_phase),
            boxes: Boxes::default(),
            planes: Vec::new(),
            layer: Layer::of(settings),
        })
    }

    /// Begins a step: half-planes that move are where they are at this time, particles have these
    /// velocities.
    pub(crate) fn start_step(&mut self, model: &Model, time: f64, velocities: &[DVec2]) {
        place_planes(model, time, 0.0, &mut self.planes);
        self.layer.start(velocities);
    }

    /// Whether more pairs are near than anyone looks at: then none repels.
    pub(crate) fn gave_up(&self) -> bool {
        self.near.gave_up()
    }

    /// Adds the gradient of the potential of every pair.
    pub(crate) fn add_gradient(&mut self, at: Configuration<'_>, gradient: &mut [DVec2]) {
        let stiffness = self.penalty.stiffness;
        self.for_each(at, |i, repulsion, acts| {
            if !acts {
                return;
            }
            let change = repulsion.slope * repulsion.direction;
            gradient[i] -= change;
            for (k, weight) in repulsion.others {
                if weight == 0.0 {
                    continue;
                }
                // the course's order of operations, (k w) d n, on which the last bit depends
                gradient[k] += if at.course {
                    stiffness * weight * repulsion.stretch * repulsion.direction
                } else {
                    weight * change
                };
            }
        });
    }

    /// Potential energy of all pairs, and the deepest overlap of a pair of which something can
    /// move; NaN where there are too many to be checked.
    pub(crate) fn energy_and_overlap(&mut self, at: Configuration<'_>) -> (f64, f64) {
        let Penalty { stiffness, thickness } = self.penalty;
        let (mut energy, mut deepest) = (0.0, 0.0_f64);
        let free = |k: usize| !at.model.particles[k].fixed;
        self.for_each(at, |i, repulsion, acts| {
            if acts {
                energy += 0.5 * repulsion.slope * repulsion.slope / stiffness;
            }
            if free(i) || repulsion.others.iter().any(|(k, weight)| *weight != 0.0 && free(*k)) {
                deepest = deepest.max(-repulsion.slope / stiffness - thickness);
            }
        });
        if self.gave_up() { (f64::NAN, f64::NAN) } else { (energy, deepest) }
    }

    /// Visits every pair near enough to repel, in canonical order, with its first particle and
    /// whether it does.
    pub(super) fn for_each(&mut self, at: Configuration<'_>, mut visit: impl FnMut(usize, &Repulsion, bool)) {
        let Self { penalty, settings, near, boxes, planes, layer } = self;
        if penalty.stiffness == 0.0 {
            return;
        }
        let mut visit = |i: usize, repulsion: &Repulsion| visit(i, repulsion, layer.acts(i, repulsion));
        let context = Context { model: at.model, settings, planes };
        boxes.at(&context, at.positions, penalty.thickness.max(0.0));
        let candidates = near.find(&boxes.discs, &boxes.segments);
        for i in 0..at.positions.len() {
            for &j in candidates.discs.of(i) {
                if let Some(repulsion) = particle_particle(penalty, at, i, j as usize) {
                    visit(i, &repulsion);
                }
            }
            for &e in candidates.segments.of(i).iter().filter(|e| context.can_touch(i, **e as usize)) {
                if let Some(repulsion) = particle_edge(penalty, at, i, e as usize) {
                    visit(i, &repulsion);
                }
            }
            for plane in context.planes {
                if let Some(repulsion) = particle_half_plane(penalty, at, i, plane) {
                    visit(i, &repulsion);
                }
            }
        }
    }
}

fn particle_particle(penalty: &Penalty, at: Configuration<'_>, i: usize, j: usize) -> Option<Repulsion> {
    let reach = at.model.particles[i].radius + at.model.particles[j].radius + penalty.thickness;
    let n = at.positions[j] - at.positions[i];
    let radii = [at.model.particles[i].radius, at.model.particles[j].radius];
    // the course compares squares here and lengths elsewhere; what is no number is not near
    let is_near = n.length_squared() < reach * reach;
    is_near.then(|| repulsion(penalty, at.course, n, radii, [(j, 1.0), (0, 0.0)]))?
}

fn particle_edge(penalty: &Penalty, at: Configuration<'_>, i: usize, e: usize) -> Option<Repulsion> {
    let edge = &at.model.edges[e];
    let (a, b) = (edge.start.0, edge.end.0);
    let reach = at.model.particles[i].radius + edge.radius + penalty.thickness;
    let nearest = point_segment::shortest_vector(at.positions[i], at.positions[a], at.positions[b]);
    let radii = [at.model.particles[i].radius, edge.radius];
    let others = [(a, 1.0 - nearest.alpha), (b, nearest.alpha)];
    let is_near = nearest.vector.length() < reach;
    is_near.then(|| repulsion(penalty, at.course, nearest.vector, radii, others))?
}

fn particle_half_plane(
    penalty: &Penalty,
    at: Configuration<'_>,
    i: usize,
    plane: &Plane,
) -> Option<Repulsion> {
    let reach = at.model.particles[i].radius + penalty.thickness;
    let nobody = [(0, 0.0); 2];
    if at.course {
        let n = point_half_plane::vector_to_boundary(at.positions[i], plane.start, plane.normal);
        return if n.length() < reach {
            repulsion(penalty, true, n, [at.model.particles[i].radius, 0.0], nobody)
        } else {
            None
        };
    }
    let height = point_half_plane::height(at.positions[i], plane.start, plane.unit);
    let stretch = height - reach;
    let slope = penalty.stiffness * stretch;
    let velocity = plane.velocity;
    let direction = -plane.unit;
    (height < reach).then_some(Repulsion { slope, stretch, direction, others: nobody, velocity })
}

fn repulsion(
    penalty: &Penalty,
    course: bool,
    n: DVec2,
    radii: [f64; 2],
    others: [(usize, f64); 2],
) -> Option<Repulsion> {
    let length = n.length();
    if length == 0.0 && !course {
        return None;
    }
    let direction = n * (1.0 / length);
    // in this order: the last bit depends on it
    let stretch = length - radii[0] - radii[1] - penalty.thickness;
    let slope = penalty.stiffness * stretch;
    Some(Repulsion { slope, stretch, direction, others, velocity: DVec2::ZERO })
}
