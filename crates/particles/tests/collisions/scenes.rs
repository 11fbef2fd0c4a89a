//! Small scenes in few words.

use carom_particles::*;
use glam::DVec2;

/// A scene under construction.
#[derive(Default, Clone)]
pub(crate) struct Scene {
    pub(crate) model: Model,
    pub(crate) positions: Vec<DVec2>,
    pub(crate) velocities: Vec<DVec2>,
}

pub(crate) fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

impl Scene {
    pub(crate) fn particle(mut self, mass: f64, radius: f64, x: DVec2, velocity: DVec2) -> Self {
        self.model.particles.push(Particle { mass, radius, fixed: false });
        self.positions.push(x);
        self.velocities.push(velocity);
        self
    }

    /// Fixes the particle added last.
    pub(crate) fn fixed(mut self) -> Self {
        self.model.particles.last_mut().expect("there is a particle").fixed = true;
        self
    }

    pub(crate) fn edge(mut self, start: usize, end: usize, radius: f64) -> Self {
        self.model.edges.push(Edge { start: ParticleIndex(start), end: ParticleIndex(end), radius });
        self
    }

    pub(crate) fn half_plane(mut self, point: DVec2, normal: DVec2) -> Self {
        self.model.half_planes.push(HalfPlane::at_rest(point, normal));
        self
    }

    pub(crate) fn gravity(mut self, g: DVec2) -> Self {
        self.model.forces.gravities.push(force::SimpleGravity { acceleration: g });
        self
    }

    pub(crate) fn world(self, response: Response, restitution: f64, settings: ParticleSettings) -> World {
        let collision = CollisionSettings { response, restitution, ..settings.collision };
        let state = State::new(self.positions, self.velocities);
        World::new(self.model, state, ParticleSettings { collision, ..settings }).expect("the scene is sound")
    }
}

pub(crate) fn steps_of(time_step: f64) -> ParticleSettings {
    ParticleSettings::with_time_step(time_step)
}

/// The impulse methods that end a step free of contacts.
pub(crate) const CLEAN: [Response; 4] = [
    Response::ContinuousTime,
    Response::BackUp { max_events: 200 },
    Response::Simultaneous { max_iterations: 40 },
    Response::Hybrid { penalty: Penalty { stiffness: 0.0, thickness: 0.1 }, max_iterations: 10 },
];
