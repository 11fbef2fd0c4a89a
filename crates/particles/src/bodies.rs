//! Particles, half-planes and edges as the step sees them.
//!
//! Bodies are the particles, then the half-planes, which move as prescribed. A body's own shape has
//! its number; edges, which two particles carry, come after them.

mod shapes;

use self::shapes::{POINT, THINNEST};
use crate::collision::Pair as Named;
use crate::detection::touching::{self, Touching};
use crate::energy;
use crate::force::ForceEvaluator;
use crate::integrator::{Advance, Motion as FreeMotion, Stepper};
use crate::{Integrator, Model, ModelError, ParticleSettings, State};
use carom_contact::{ContactKey, ContactProblem};
use carom_geometry::particle::meeting::{disc_disc, disc_half_plane, disc_segment};
use carom_geometry::particle::sweep::direction;
use carom_geometry::plane::broad_phase::{Aabb, KeptCandidates};
use carom_stepping::{
    ContactGap, Flight, Material, Mechanics, Momentum, Motion, Pair, Path, Surfaces, Sweep, Vector,
};
use glam::DVec2;

/// Model, state and what a step needs of them.
#[derive(Debug, Clone)]
pub(crate) struct Bodies {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) settings: ParticleSettings,
    pub(crate) forces: ForceEvaluator,
    pub(crate) integrator: Stepper,
    /// How the free motion of the last step went.
    pub(crate) advance: Advance,
    /// The end of a step without contact.
    pub(crate) end: State,
    /// Unit normals of the half-planes.
    normals: Vec<DVec2>,
    /// Bounding radius of each particle with the rounds of its edges.
    radii: Vec<f64>,
    /// Largest coordinate of each body in this step.
    scales: Vec<f64>,
    discs: Vec<Aabb>,
    segments: Vec<Aabb>,
    kept: KeptCandidates,
    /// Who touches whom, and how.
    pub(crate) surfaces: Surfaces,
}

impl Bodies {
    pub(crate) fn new(model: Model, state: State, settings: ParticleSettings) -> Result<Self, ModelError> {
        let normals = model.half_planes.iter().map(|h| direction(h.normal).unwrap_or(DVec2::ZERO));
        let mut radii: Vec<f64> = model.particles.iter().map(|p| p.radius.max(0.0)).collect();
        for edge in &model.edges {
            for end in [edge.start.0, edge.end.0] {
                radii[end] = radii[end].max(edge.radius);
            }
        }
        Ok(Self {
            radii,
            scales: Vec::new(),
            normals: normals.collect(),
            forces: ForceEvaluator::new(&settings),
            integrator: Stepper::new(&model, &settings)?,
            advance: Advance::EXPLICIT,
            end: state.clone(),
            discs: Vec::new(),
            segments: Vec::new(),
            kept: KeptCandidates::new(settings.collision.broad_phase),
            surfaces: Surfaces::default(),
            model,
            state,
            settings,
        })
    }

    /// Writes where particles end without contact.
    pub(crate) fn fly_to_end(&mut self) {
        let time = self.state.time(self.settings.time_step);
        self.forces.start_step(&self.model, time, &self.state.velocities);
        self.end.copy_from(&self.state);
        let Self { model, state, settings, forces, integrator, end, .. } = self;
        self.advance = integrator.advance(FreeMotion { model, settings, forces, state: end });
        if settings.collision.friction > 0.0 && settings.contact_settings().is_some() {
            forces.rub(model, settings, state, end);
        }
    }
}

impl Mechanics for Bodies {
    type Pose = DVec2;
    type Contact = Touching;
    const DOF: usize = 2;
    const LINEAR: usize = 2;

    fn body_count(&self) -> usize {
        self.particle_count() + self.model.half_planes.len()
    }

    fn is_free(&self, body: usize) -> bool {
        self.model.particles.get(body).is_some_and(|particle| !particle.fixed)
    }

    fn bounding_radius(&self, body: usize) -> f64 {
        self.radii.get(body).copied().unwrap_or(f64::INFINITY)
    }

    fn is_round(&self, body: usize) -> bool {
        body < self.radii.len()
    }

    fn carriers(&self, shape: u32) -> [u32; 2] {
        match self.edge_of(shape) {
            None => [shape; 2],
            Some(edge) => {
                let edge = &self.model.edges[edge];
                [edge.start.0 as u32, edge.end.0 as u32]
            }
        }
    }

    fn extent(&self, pair: Pair) -> f64 {
        self.reach(self.named(pair)).0.max(POINT)
    }

    fn tolerance(&self, pair: Pair) -> f64 {
        let (reach, tolerance) = self.reach(self.named(pair));
        // Points are as thick as rounding makes them.
        let radii = pair.map(|shape| self.bounding_radius(shape as usize));
        tolerance + (reach - radii[0] - radii[1]).max(0.0)
    }

    fn fly(&mut self, dt: f64, flight: &mut Flight<DVec2>) {
        self.fly_to_end();
        flight.clear();
        self.scales.clear();
        let by_end = matches!(
            self.settings.integrator,
            Integrator::SymplecticEuler | Integrator::ImplicitEuler | Integrator::LinearizedImplicitEuler
        );
        flight.shift = match self.settings.integrator {
            Integrator::ExplicitEuler => 0.5,
            _ if by_end => -0.5,
            _ => 0.0,
        };
        for k in 0..self.particle_count() {
            let (start, end) = (self.state.positions[k], self.end.positions[k]);
            let (before, after) = (self.state.velocities[k], self.end.velocities[k]);
            let mean = if by_end { after } else { (end - start) / dt };
            let acceleration = planar((after - before) / dt);
            flight.start.push(Motion { pose: start, velocity: planar(before), acceleration });
            flight.mean.push(planar(mean));
            flight.end.push((end, planar(after)));
            self.scales.push(start.abs().max(end.abs()).max_element());
        }
        for (h, half_plane) in self.model.half_planes.iter().enumerate() {
            let (pose, velocity) = (self.place(self.particle_count() + h), planar(half_plane.velocity));
            flight.start.push(Motion { pose, velocity, acceleration: Vector::default() });
            flight.mean.push(velocity);
            let end = pose + dt * half_plane.velocity;
            flight.end.push((end, velocity));
            self.scales.push(pose.abs().max(end.abs()).max_element());
        }
    }

    fn drift(&self, _: usize, motion: &Motion<DVec2>, time: f64) -> Motion<DVec2> {
        let [v, a] = [&motion.velocity, &motion.acceleration].map(|x| DVec2::new(x[0], x[1]));
        let pose = motion.pose + time * (v + 0.5 * time * a);
        Motion { pose, velocity: planar(v + time * a), ..*motion }
    }

    fn displaced(&self, _: usize, pose: &DVec2, by: &Vector) -> DVec2 {
        *pose + DVec2::new(by[0], by[1])
    }

    fn position(pose: &DVec2) -> [f64; 3] {
        [pose.x, pose.y, 0.0]
    }

    fn pose(&self, body: usize) -> DVec2 {
        self.place(body)
    }

    fn land(&mut self, body: usize) {
        if body < self.particle_count() {
            self.state.positions[body] = self.end.positions[body];
            self.state.velocities[body] = self.end.velocities[body];
        }
    }

    fn settle(&mut self, body: usize, pose: DVec2, velocity: &Vector) {
        if body < self.particle_count() {
            self.state.positions[body] = pose;
            self.state.velocities[body] = DVec2::new(velocity[0], velocity[1]);
        }
    }

    fn pairs(&mut self, sweeps: &[Sweep], most: usize, pairs: &mut Vec<Pair>) -> bool {
        pairs.clear();
        let count = self.particle_count();
        let tolerance = 1.0 + self.settings.collision.touch_tolerance;
        let around = |k: usize, radius: f64| {
            let (x, sweep) = (self.state.positions[k], &sweeps[k]);
            let way = DVec2::new(sweep.displacement[0], sweep.displacement[1]);
            let room = radius.max(0.0) * tolerance + sweep.room + 2.0 * THINNEST * self.scales[k];
            Aabb::around(x, room).union(&Aabb::around(x + way, room))
        };
        self.discs.clear();
        self.discs.extend((0..count).map(|k| around(k, self.model.particles[k].radius)));
        self.segments.clear();
        self.segments.extend(
            self.model
                .edges
                .iter()
                .map(|edge| around(edge.start.0, edge.radius).union(&around(edge.end.0, edge.radius))),
        );
        let Self { kept, discs, segments, .. } = self;
        if kept.find_at_most(discs, segments, most).is_none() {
            return false;
        }
        let candidates = self.kept.candidates();
        let planes = self.model.half_planes.len();
        for i in 0..count {
            let free = !self.is_fixed(i);
            let discs = candidates.discs.of(i).iter().map(|&j| j as usize);
            let discs = discs.filter(|&j| self.discs[i].may_touch(&self.discs[j]));
            let movable = discs.filter(|&j| free || !self.is_fixed(j));
            pairs.extend(movable.map(|j| [i as u32, j as u32]));
            for h in (0..planes).filter(|_| free) {
                let (sweep, normal) = (&sweeps[count + h], self.normals[h]);
                let way = DVec2::new(sweep.displacement[0], sweep.displacement[1]).length() + sweep.room;
                let corner = DVec2::select(normal.cmpgt(DVec2::ZERO), self.discs[i].min, self.discs[i].max);
                if normal.dot(corner - self.place(count + h)) <= way {
                    pairs.push([i as u32, (count + h) as u32]);
                }
            }
            let segments = candidates.segments.of(i).iter().map(|&e| e as usize);
            for e in segments.filter(|&e| self.discs[i].may_touch(&self.segments[e])) {
                let edge = &self.model.edges[e];
                let own = edge.start.0 == i || edge.end.0 == i;
                let movable = free || !self.is_fixed(edge.start.0) || !self.is_fixed(edge.end.0);
                if !own && movable {
                    pairs.push([i as u32, (count + planes + e) as u32]);
                }
            }
        }
        if !self.surfaces.is_empty() {
            pairs.retain(|&pair| self.surfaces.meet(pair));
        }
        true
    }

    fn near(&mut self, pair: Pair, margin: f64, contacts: &mut Vec<Touching>) {
        contacts.extend(self.touching(pair, |body| self.place(body as usize), margin));
    }

    fn manifold(&mut self, pair: Pair, at: impl Fn(u32) -> DVec2, margin: f64, contacts: &mut Vec<Touching>) {
        contacts.extend(self.touching(pair, at, margin));
    }

    fn first_meeting(&mut self, pair: Pair, of: impl Fn(u32) -> Path<DVec2>, span: f64) -> Option<f64> {
        let of = |body: u32| {
            let path = of(body);
            touching::way(&self.drift(body as usize, &path.motion, path.since))
        };
        let named = self.named(pair);
        let (reach, tolerance) = self.reach(named);
        let near = (reach, 0.5 * tolerance);
        match named {
            Named::ParticleParticle(..) => disc_disc::first_meeting(of(pair[0]), of(pair[1]), near, span),
            Named::ParticleHalfPlane(_, h) => {
                disc_half_plane::first_meeting(of(pair[0]), of(pair[1]), self.normals[h.0], near, span)
            }
            Named::ParticleEdge(_, e) => {
                let edge = &self.model.edges[e.0];
                let ends = [edge.start, edge.end].map(|end| of(end.0 as u32));
                disc_segment::first_meeting(of(pair[0]), ends, near, span)
            }
        }
    }

    fn touch(&self, contact: &Touching) -> ContactGap {
        let (kind, first, second) = match contact.pair {
            Named::ParticleParticle(i, j) => (0, i.0, j.0),
            Named::ParticleEdge(i, e) => (1, i.0, e.0),
            Named::ParticleHalfPlane(i, h) => (2, i.0, h.0),
        };
        let Touching { gap, tolerance, extent, .. } = *contact;
        ContactGap { gap, tolerance, extent, key: ContactKey([first as u32, second as u32, kind, 0]) }
    }

    fn open(contact: &mut Touching, by: f64) {
        contact.gap += by;
    }

    fn push_body(&self, body: usize, _: &DVec2, velocity: &Vector, problem: &mut ContactProblem) {
        let mass = match self.model.particles.get(body) {
            Some(particle) if !particle.fixed => particle.mass,
            _ => f64::INFINITY,
        };
        problem.push_dof(velocity[0], mass);
        problem.push_dof(velocity[1], mass);
        problem.end_body();
    }

    fn push_contact(
        &self,
        contact: &Touching,
        _: impl Fn(u32) -> DVec2,
        place: impl Fn(u32) -> u32,
        material: Material,
        problem: &mut ContactProblem,
    ) {
        let material = self.surfaces.material(self.shapes(contact.pair), material);
        let row = carom_contact::ContactRow {
            restitution: material.restitution,
            friction: material.friction,
            speculative_bias: material.bias.max(0.0),
            kinematic_speed: material.bias.min(0.0),
            key: self.touch(contact).key,
            ..carom_contact::ContactRow::new(self.column(contact, contact.unit, &place))
        };
        if material.friction > 0.0 {
            problem.push_contact(row, &[self.column(contact, contact.unit.perp(), &place)]);
        } else {
            problem.push_contact(row, &[]);
        }
    }

    fn momentum(&self, body: usize, pose: &DVec2, velocity: &Vector) -> Momentum {
        let mass = self.model.particles.get(body).map_or(0.0, |particle| particle.mass);
        let momentum = mass * DVec2::new(velocity[0], velocity[1]);
        Momentum { linear: [momentum.x, momentum.y, 0.0], angular: [0.0, 0.0, pose.perp_dot(momentum)] }
    }

    fn potential(&self) -> f64 {
        energy::invariants(&self.model, &self.state).potential_energy
    }
}

fn planar(vector: DVec2) -> Vector {
    [vector.x, vector.y, 0.0, 0.0, 0.0, 0.0]
}
