//! Planar rigid bodies in code.

use super::{Draft, common};
use crate::handle::BodyHandle;
use carom_scene::Scene;
use carom_scene::description::rigid::{
    Anchor, Body, Contact, Drag, Integrator, Method, Response, Shape, Spring, TimedForce, Vertex, Weight,
};
use carom_scene::description::{RigidScene, Surface};

/// Builds a `rigid-body` system. See [`crate::builder`].
///
/// ```
/// use carom::{PlanarBuilder, scene::description::rigid::Response};
///
/// let mut build = PlanarBuilder::new(0.01);
/// let floor = build.rigidbody(&[[-9.0, -1.0], [9.0, -1.0], [9.0, -0.1], [-9.0, -0.1]], 1.0, 0.1);
/// let wheel = build.rigidbodydisc([0.0, 1.0], 1.0, 2.0);
/// build.get(floor).unwrap().fixed = true;
/// build.get(wheel).unwrap().velocity = [3.0, 0.0];
/// build.rigidbodygravityforce([0.0, -10.0]).rigidbodycollisionhandling(Response::Lcp, 0.0, 0.5);
/// let mut simulation = build.simulation()?;
/// for _ in 0..100 {
///     simulation.step()?;
/// }
/// // A sliding disc ends up rolling at two thirds of its speed.
/// assert!((simulation.velocity(wheel).unwrap()[0] - 2.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlanarBuilder(pub(super) Draft);

common!(PlanarBuilder, RigidBodies, RigidScene);

impl PlanarBuilder {
    /// An empty system with steps of `dt` seconds, under symplectic Euler; bodies pass through each other.
    pub fn new(dt: f64) -> Self {
        let system = RigidScene::new(Integrator { method: Method::SymplecticEuler, dt });
        Self(Draft::new(Scene::rigid_bodies(1.0, system)))
    }

    /// `rigidbodyintegrator`: the method that moves the bodies.
    pub fn rigidbodyintegrator(&mut self, method: Method) -> &mut Self {
        self.system().integrator.method = method;
        self
    }

    /// `rigidbody solid="1"`: a free polygon at rest, of a density, rounded by a radius.
    pub fn rigidbody(&mut self, corners: &[[f64; 2]], density: f64, radius: f64) -> BodyHandle {
        let system = self.system();
        let first = system.vertices.len();
        system.vertices.extend(corners.iter().map(|&position| Vertex { position, mass: 1.0 }));
        let outline = (first..system.vertices.len()).collect();
        self.body(Body::new(Shape::Solid { outline, density }, radius))
    }

    /// `rigidbodydisc`: a free disc at rest.
    pub fn rigidbodydisc(&mut self, center: [f64; 2], radius: f64, mass: f64) -> BodyHandle {
        self.body(Body::new(Shape::Disc { center, weight: Weight::Mass(mass) }, radius))
    }

    /// Any body. The vertices that it names are in [`PlanarBuilder::system`].
    pub fn body(&mut self, body: Body) -> BodyHandle {
        self.system().bodies.push(body);
        self.0.add()
    }

    /// A body that was added, to change how it moves or what it is.
    pub fn get(&mut self, body: BodyHandle) -> Option<&mut Body> {
        let index = self.0.index(body);
        self.system().bodies.get_mut(index)
    }

    /// An end of a spring: a point of a body, from its centre of mass in body axes.
    pub fn anchor(&self, body: BodyHandle, offset: [f64; 2]) -> Anchor {
        Anchor::Body { body: self.0.index(body), offset }
    }

    /// `rigidbodyspringforce`: stiffness k, rest length l0, damping b.
    pub fn rigidbodyspringforce(&mut self, ends: [Anchor; 2], k: f64, l0: f64, b: f64) -> &mut Self {
        let [start, end] = ends;
        self.system().springs.push(Spring { start, end, stiffness: k, rest_length: l0, damping: b });
        self
    }

    /// `rigidbodygravityforce`: the same acceleration for all.
    pub fn rigidbodygravityforce(&mut self, acceleration: [f64; 2]) -> &mut Self {
        self.system().gravities.push(acceleration);
        self
    }

    /// `rigidbodydragforce`: a force −b v and a torque −`angular` ω on every body.
    pub fn rigidbodydragforce(&mut self, b: f64, angular: f64) -> &mut Self {
        self.system().drags.push(Drag { linear: b, angular });
        self
    }

    /// `rigidbodytimedforce`: `force` and `torque` times cos(rate t + phase), from 0 on.
    pub fn rigidbodytimedforce(
        &mut self,
        body: BodyHandle,
        (force, torque): ([f64; 2], f64),
        rate: f64,
        phase: f64,
    ) -> &mut Self {
        let body = self.0.index(body);
        self.system().timed.push(TimedForce { body, force, torque, rate, phase, from: 0.0, until: None });
        self
    }

    /// `rigidbodycollisionhandling`: how contacts are answered, with restitution and friction.
    pub fn rigidbodycollisionhandling(&mut self, response: Response, cor: f64, mu: f64) -> &mut Self {
        let contact = Contact { restitution: Some(cor), friction: mu, ..Contact::new(response) };
        self.system().contact = Some(contact);
        self
    }

    /// `rigidbodysurface`: what one body is like where it touches. The index in `surface` does not count.
    pub fn surface(&mut self, body: BodyHandle, surface: Surface) -> &mut Self {
        let index = self.0.index(body);
        self.system().surfaces.push(Surface { index, ..surface });
        self
    }
}
