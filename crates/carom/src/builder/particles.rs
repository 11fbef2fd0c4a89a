//! Particle systems in code.

use super::{Draft, common};
use crate::handle::{EdgeHandle, HalfPlaneHandle, ParticleHandle};
use carom_scene::Scene;
use carom_scene::description::particles::{
    Collision, Edge, Gravitation, HalfPlane, Integrator, Particle, ParticleMethod, Response, Spring,
    TimedForce,
};
use carom_scene::description::{ParticleScene, Surface};

/// Builds a `particle-system`. See [`crate::builder`].
#[derive(Debug, Clone)]
pub struct ParticleBuilder(pub(super) Draft);

common!(ParticleBuilder, Particles, ParticleScene);

impl ParticleBuilder {
    /// An empty system with steps of `dt` seconds, under symplectic Euler, without collisions.
    pub fn new(dt: f64) -> Self {
        let system = ParticleScene::new(Integrator { method: ParticleMethod::SymplecticEuler, dt });
        Self(Draft::new(Scene::particles(1.0, system)))
    }

    /// `integrator`: the method that moves the particles.
    pub fn integrator(&mut self, method: ParticleMethod) -> &mut Self {
        self.system().integrator.method = method;
        self
    }

    /// `particle`.
    pub fn particle(&mut self, particle: Particle) -> ParticleHandle {
        self.system().particles.push(particle);
        self.0.add()
    }

    /// A particle that was added, to change what it is.
    pub fn get(&mut self, particle: ParticleHandle) -> Option<&mut Particle> {
        let index = self.0.index(particle);
        self.system().particles.get_mut(index)
    }

    /// `edge`: a segment between two particles, thick by its radius.
    pub fn edge(&mut self, start: ParticleHandle, end: ParticleHandle, radius: f64) -> EdgeHandle {
        let (start, end) = (self.0.index(start), self.0.index(end));
        let edges = &mut self.system().edges;
        edges.push(Edge { start, end, radius });
        EdgeHandle(edges.len() - 1)
    }

    /// `halfplane`: nothing comes behind the line through a point, on the side away from its
    /// normal.
    pub fn halfplane(&mut self, point: [f64; 2], normal: [f64; 2]) -> HalfPlaneHandle {
        let planes = &mut self.system().half_planes;
        planes.push(HalfPlane { point, normal, velocity: [0.0; 2] });
        HalfPlaneHandle(planes.len() - 1)
    }

    /// `springforce`: a spring along an edge, with stiffness k, rest length l0 and damping b.
    pub fn springforce(&mut self, edge: EdgeHandle, k: f64, l0: f64, b: f64) -> &mut Self {
        let spring = Spring { edge: edge.0, stiffness: k, rest_length: l0, damping: b };
        self.system().forces.springs.push(spring);
        self
    }

    /// `simplegravity`: the same acceleration for all.
    pub fn simplegravity(&mut self, acceleration: [f64; 2]) -> &mut Self {
        self.system().forces.gravities.push(acceleration);
        self
    }

    /// `gravitationalforce`: Newton's attraction of two particles.
    pub fn gravitationalforce(&mut self, first: ParticleHandle, second: ParticleHandle, g: f64) -> &mut Self {
        let (first, second) = (self.0.index(first), self.0.index(second));
        self.system().forces.gravitations.push(Gravitation { first, second, constant: g });
        self
    }

    /// `dragdamping`: the force −b v on every particle.
    pub fn dragdamping(&mut self, b: f64) -> &mut Self {
        self.system().forces.drags.push(b);
        self
    }

    /// `timedforce`: `force` times cos(rate t + phase), from 0 on. The rest is in
    /// [`ParticleBuilder::system`].
    pub fn timedforce(
        &mut self,
        particle: ParticleHandle,
        force: [f64; 2],
        rate: f64,
        phase: f64,
    ) -> &mut Self {
        let particle = self.0.index(particle);
        let timed = TimedForce { particle, force, rate, phase, from: 0.0, until: None };
        self.system().forces.timed.push(timed);
        self
    }

    /// `collision`: how collisions are answered, with restitution and friction.
    pub fn collision(&mut self, response: Response, cor: f64, mu: f64) -> &mut Self {
        self.system().collision = Collision { response, restitution: cor, friction: mu };
        self
    }

    /// `particlesurface`: what one particle is like where it touches. The index in `surface` does
    /// not count.
    pub fn surface(&mut self, particle: ParticleHandle, surface: Surface) -> &mut Self {
        let index = self.0.index(particle);
        self.system().surfaces.push(Surface { index, ..surface });
        self
    }
}
