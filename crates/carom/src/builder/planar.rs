//! Planar rigid bodies in code.

use super::{Draft, bodies, common};
use crate::handle::BodyHandle;
use carom_scene::Scene;
use carom_scene::description::rigid::{
    Anchor, Body, CollisionHandling, Drag, Integrator, PlanarMethod, Response, Shape, Spring, TimedForce,
    Vertex, Weight,
};
use carom_scene::description::{RigidScene, Surface};

/// Builds a `rigid-body` system. See [`crate::builder`].
///
/// ```
/// use carom::{PlanarBuilder, scene::description::rigid::Response};
///
/// let mut build = PlanarBuilder::new(0.01);
/// build.rigidbodyhalfplane([0.0, 0.0], [0.0, 1.0]);
/// let wheel = build.rigidbodydisc([0.0, 1.0], 1.0, 2.0);
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
bodies!(
    PlanarBuilder,
    BodyHandle,
    [f64; 2],
    f64,
    rigidbodyintegrator: PlanarMethod,
    rigidbodygravityforce,
    rigidbodyspringforce,
    rigidbodydragforce,
    rigidbodytimedforce,
    rigidbodycollisionhandling,
    rigidbodysurface
);

impl PlanarBuilder {
    /// An empty system with steps of `dt` seconds, under symplectic Euler; bodies pass through each
    /// other.
    pub fn new(dt: f64) -> Self {
        let system = RigidScene::new(Integrator { method: PlanarMethod::SymplecticEuler, dt });
        Self(Draft::new(Scene::rigid_bodies(1.0, system)))
    }

    /// `rigidbody solid="1"`: a free polygon at rest, of a density, rounded by a radius.
    pub fn rigidbody(&mut self, corners: &[[f64; 2]], density: f64, radius: f64) -> BodyHandle {
        let system = self.system();
        let first = system.vertices.len();
        system.vertices.extend(corners.iter().map(|&position| Vertex { position, mass: 1.0 }));
        let outline = (first..system.vertices.len()).collect();
        self.body(Body::new(Shape::Solid { outline, density }, radius))
    }

    /// `rigidbodyhalfplane`: everything behind a line through a point; it is fixed.
    pub fn rigidbodyhalfplane(&mut self, point: [f64; 2], normal: [f64; 2]) -> BodyHandle {
        self.body(Body::half_plane(point, normal))
    }

    /// `rigidbodydisc`: a free disc at rest.
    pub fn rigidbodydisc(&mut self, center: [f64; 2], radius: f64, mass: f64) -> BodyHandle {
        self.body(Body::new(Shape::Disc { center, weight: Weight::Mass(mass) }, radius))
    }
}
