//! What collisions add to the account of a state: the energy of the repulsion, and how deep things
//! overlap.

use crate::collision::Pair;
use crate::detection::boxes::Boxes;
use crate::detection::{Context, Plane, place_planes};
use crate::energy::{self, Invariants};
use crate::force::{Configuration, PenaltyForce};
use crate::{EdgeIndex, HalfPlaneIndex, ParticleIndex, State, World};
use carom_geometry::particle::distance::{point_half_plane, point_segment};
use carom_geometry::plane::broad_phase::{BroadPhase, Candidates};
use glam::DVec2;

/// More pairs than this are not checked: a step refuses them as well.
const MOST_PAIRS: usize = 4_000_000;

impl World {
    /// Energy and momentum of the present state, the energy of the penalty force included.
    /// Allocates: for frames, not for steps.
    pub fn invariants(&self) -> Invariants {
        let mut invariants = energy::invariants(self.model(), self.state());
        if let Some((energy, _)) = self.repulsion() {
            invariants.potential_energy += energy;
        }
        invariants
    }

    /// [`World::invariants`] and [`World::deepest_penetration`] together, with one look at the
    /// neighbours where the penalty force makes one.
    pub fn invariants_and_penetration(&self) -> (Invariants, f64) {
        match self.repulsion() {
            Some((energy, overlap)) => {
                let mut invariants = energy::invariants(self.model(), self.state());
                invariants.potential_energy += energy;
                (invariants, overlap)
            }
            None => (energy::invariants(self.model(), self.state()), self.deepest_penetration()),
        }
    }

    /// Energy of the penalty force and the deepest overlap that it meets; none where there is no
    /// such force.
    fn repulsion(&self) -> Option<(f64, f64)> {
        let penalty = self.settings().collision.response.penalty()?;
        if penalty.stiffness == 0.0 || penalty.thickness < 0.0 {
            return None; // it does not look at everything that overlaps
        }
        let mut force = PenaltyForce::of(self.settings())?;
        let State { positions, velocities, .. } = self.state();
        force.start_step(self.model(), self.time(), velocities);
        let course = self.settings().course;
        Some(force.energy_and_overlap(Configuration { model: self.model(), positions, velocities, course }))
    }

    /// The deepest overlap of two things in the present state, in metres; 0 when none overlap. An
    /// edge does not overlap its own ends, and things that cannot move do not overlap each other;
    /// NaN where too many pairs are near to be checked. Allocates: for frames, not for steps.
    pub fn deepest_penetration(&self) -> f64 {
        let (model, state) = (self.model(), self.state());
        let mut planes = Vec::new();
        place_planes(model, self.time(), 0.0, &mut planes);
        let context = Context { model, settings: self.settings(), planes: &planes };
        let (mut boxes, mut candidates) = (Boxes::default(), Candidates::default());
        let x = &state.positions;
        boxes.at(&context, x, 0.0);
        let mut broad_phase = BroadPhase::new(self.settings().collision.broad_phase);
        if !broad_phase.find_at_most(&boxes.discs, &boxes.segments, MOST_PAIRS, &mut candidates) {
            return f64::NAN;
        }
        let mut deepest = 0.0_f64;
        for (i, particle) in model.particles.iter().enumerate() {
            let index = ParticleIndex(i);
            for &j in candidates.discs.of(i) {
                let other = &model.particles[j as usize];
                let meet = self.bodies().meet(Pair::ParticleParticle(index, ParticleIndex(j as usize)));
                if meet && !(particle.fixed && other.fixed) {
                    let gap = x[i].distance(x[j as usize]) - particle.radius - other.radius;
                    deepest = deepest.max(-gap);
                }
            }
            for &e in candidates.segments.of(i).iter().filter(|e| context.can_touch(i, **e as usize)) {
                let edge = &model.edges[e as usize];
                let (a, b) = (edge.start.0, edge.end.0);
                let meet = self.bodies().meet(Pair::ParticleEdge(index, EdgeIndex(e as usize)));
                if meet && !(particle.fixed && model.particles[a].fixed && model.particles[b].fixed) {
                    let nearest = point_segment::shortest_vector(x[i], x[a], x[b]).vector.length();
                    deepest = deepest.max(particle.radius + edge.radius - nearest);
                }
            }
            let solid = |(_, plane): &(usize, &Plane)| !particle.fixed && plane.unit != DVec2::ZERO;
            let meets = |(h, _): &(usize, &Plane)| {
                self.bodies().meet(Pair::ParticleHalfPlane(index, HalfPlaneIndex(*h)))
            };
            for (_, plane) in planes.iter().enumerate().filter(solid).filter(meets) {
                let height = point_half_plane::height(x[i], plane.start, plane.unit);
                deepest = deepest.max(particle.radius - height);
            }
        }
        deepest
    }
}
