//! Spatial rigid bodies in code.

use super::{Draft, bodies, common};
use crate::handle::SpatialHandle;
use carom_scene::Scene;
use carom_scene::description::spatial::{
    Anchor, Body, CollisionHandling, Drag, Integrator, Orientation, Response, Shape, SpatialMethod, Spring,
    TimedForce, Weight,
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
bodies!(
    SpatialBuilder,
    SpatialHandle,
    [f64; 3],
    [f64; 3],
    rigidbody3dintegrator: SpatialMethod,
    rigidbody3dgravityforce,
    rigidbody3dspringforce,
    rigidbody3ddragforce,
    rigidbody3dtimedforce,
    rigidbody3dcollisionhandling,
    rigidbody3dsurface
);

impl SpatialBuilder {
    /// An empty system with steps of `dt` seconds, under symplectic Euler; bodies pass through each
    /// other.
    pub fn new(dt: f64) -> Self {
        let (method, orientation) = (SpatialMethod::SymplecticEuler, Orientation::Quaternion);
        let system = SpatialScene::new(Integrator { method, dt, orientation });
        Self(Draft::new(Scene::spatial_bodies(1.0, system)))
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
}
