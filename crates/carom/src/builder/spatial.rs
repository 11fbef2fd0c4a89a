//! Spatial rigid bodies in code.

use super::{Draft, common};
use crate::handle::SpatialHandle;
use carom_scene::Scene;
use carom_scene::description::spatial::{
    Anchor, Body, Contact, Drag, Integrator, Method, Orientation, Response, Shape, Spring, TimedForce, Weight,
};
use carom_scene::description::{SpatialScene, Surface};

/// Builds a `rigid-body-3d` system. See [`crate::builder`].
///
/// ```
/// use carom::{SpatialBuilder, scene::description::spatial::Response};
///
/// let mut build = SpatialBuilder::new(0.01);
/// build.rigidbody3dhalfspace([0.0; 3], [0.0, 0.0, 1.0]);
/// let die = build.rigidbody3dbox([0.0, 0.0, 2.0], [1.0, 1.0, 1.0], 1.0);
/// build.rigidbody3dgravityforce([0.0, 0.0, -10.0]).rigidbody3dcollisionhandling(Response::Lcp, 0.0, 0.5);
/// let mut simulation = build.simulation()?;
/// for _ in 0..100 {
///     simulation.step()?;
/// }
/// assert!((simulation.position(die).unwrap()[2] - 0.5).abs() < 1e-6, "it rests on the floor");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SpatialBuilder(pub(super) Draft);

common!(SpatialBuilder, SpatialBodies, SpatialScene);

impl SpatialBuilder {
    /// An empty system with steps of `dt` seconds, under symplectic Euler; bodies pass through each other.
    pub fn new(dt: f64) -> Self {
        let (method, orientation) = (Method::SymplecticEuler, Orientation::Quaternion);
        let system = SpatialScene::new(Integrator { method, dt, orientation });
        Self(Draft::new(Scene::spatial_bodies(1.0, system)))
    }

    /// `rigidbody3dintegrator`: the method that moves the bodies.
    pub fn rigidbody3dintegrator(&mut self, method: Method) -> &mut Self {
        self.system().integrator.method = method;
        self
    }

    /// `rigidbody3dsphere`: free and at rest.
    pub fn rigidbody3dsphere(&mut self, center: [f64; 3], radius: f64, mass: f64) -> SpatialHandle {
        self.body(Body::new(Shape::Sphere { radius }, center, Weight::Mass(mass)))
    }

    /// `rigidbody3dbox`: free and at rest, with whole sides.
    pub fn rigidbody3dbox(&mut self, center: [f64; 3], sides: [f64; 3], mass: f64) -> SpatialHandle {
        self.body(Body::new(Shape::Box { sides }, center, Weight::Mass(mass)))
    }

    /// `rigidbody3dpolyhedron`: the convex hull of points, free and at rest, of a density.
    pub fn rigidbody3dpolyhedron(&mut self, points: &[[f64; 3]], density: f64) -> SpatialHandle {
        let system = self.system();
        let first = system.vertices.len();
        system.vertices.extend_from_slice(points);
        let corners = (first..system.vertices.len()).collect();
        self.body(Body::new(Shape::Polyhedron { corners }, [0.0; 3], Weight::Density(density)))
    }

    /// `rigidbody3dhalfspace`: everything behind a plane through a point; it is fixed.
    pub fn rigidbody3dhalfspace(&mut self, point: [f64; 3], normal: [f64; 3]) -> SpatialHandle {
        self.body(Body::half_space(point, normal))
    }

    /// Any body. The vertices that it names are in [`SpatialBuilder::system`].
    pub fn body(&mut self, body: Body) -> SpatialHandle {
        self.system().bodies.push(body);
        self.0.add()
    }

    /// A body that was added, to change how it moves or what it is.
    pub fn get(&mut self, body: SpatialHandle) -> Option<&mut Body> {
        let index = self.0.index(body);
        self.system().bodies.get_mut(index)
    }

    /// An end of a spring: a point of a body, from its centre of mass in body axes.
    pub fn anchor(&self, body: SpatialHandle, offset: [f64; 3]) -> Anchor {
        Anchor::Body { body: self.0.index(body), offset }
    }

    /// `rigidbody3dspringforce`: stiffness k, rest length l0, damping b.
    pub fn rigidbody3dspringforce(&mut self, ends: [Anchor; 2], k: f64, l0: f64, b: f64) -> &mut Self {
        let [start, end] = ends;
        self.system().springs.push(Spring { start, end, stiffness: k, rest_length: l0, damping: b });
        self
    }

    /// `rigidbody3dgravityforce`: the same acceleration for all.
    pub fn rigidbody3dgravityforce(&mut self, acceleration: [f64; 3]) -> &mut Self {
        self.system().gravities.push(acceleration);
        self
    }

    /// `rigidbody3ddragforce`: a force −b v and a torque −`angular` ω on every body.
    pub fn rigidbody3ddragforce(&mut self, b: f64, angular: f64) -> &mut Self {
        self.system().drags.push(Drag { linear: b, angular });
        self
    }

    /// `rigidbody3dtimedforce`: `force` and `torque` times cos(rate t + phase), from 0 on.
    pub fn rigidbody3dtimedforce(
        &mut self,
        body: SpatialHandle,
        (force, torque): ([f64; 3], [f64; 3]),
        rate: f64,
        phase: f64,
    ) -> &mut Self {
        let body = self.0.index(body);
        self.system().timed.push(TimedForce { body, force, torque, rate, phase, from: 0.0, until: None });
        self
    }

    /// `rigidbody3dcollisionhandling`: how contacts are answered, with restitution and friction.
    pub fn rigidbody3dcollisionhandling(&mut self, response: Response, cor: f64, mu: f64) -> &mut Self {
        let contact = Contact { restitution: Some(cor), friction: mu, ..Contact::new(response) };
        self.system().contact = Some(contact);
        self
    }

    /// `rigidbody3dsurface`: what one body is like where it touches. The index in `surface` does not count.
    pub fn surface(&mut self, body: SpatialHandle, surface: Surface) -> &mut Self {
        let index = self.0.index(body);
        self.system().surfaces.push(Surface { index, ..surface });
        self
    }
}
