//! Spatial rigid bodies: forces, integrators, contact.
//!
//! A [`World`] is made of a [`Model`] (bodies and forces, which never change), a [`State`] (where
//! the bodies are and how they move) and [`SpatialSettings`]; [`World::step`] takes it one step on.
//! Symbols follow the rigid body lectures of Witkin and Baraff ("Physically based modeling",
//! SIGGRAPH 2001 course notes): x centre of mass, R or q orientation, P and L momenta, v and ω
//! velocities, M mass, I inertia.
//!
//! A box falls on a floor and rests there:
//!
//! ```
//! use carom_rigid3d::{
//!     BodyIndex, BodyState, ContactSettings, DVec3, Integrator, Model, Motion, OrientationKind,
//!     Placed, Response, SpatialSettings, State, World,
//! };
//!
//! let (mut model, mut state) = (Model::default(), State::default());
//! model.forces.gravities.push(DVec3::new(0.0, 0.0, -9.81));
//! let floor = Placed::half_space(DVec3::ZERO, DVec3::Z, Motion::Fixed);
//! let cuboid = Placed::cuboid(DVec3::new(0.0, 0.0, 1.0), DVec3::splat(0.5), 1000.0, Motion::Free)?;
//! for Placed { body, center } in [floor, cuboid] {
//!     model.bodies.push(body);
//!     state.bodies.push(BodyState::at(center));
//! }
//! let settings = SpatialSettings {
//!     dt: 0.01,
//!     integrator: Integrator::SymplecticEuler,
//!     orientation: OrientationKind::Quaternion,
//!     contact: Some(ContactSettings::new(Response::Lcp)),
//! };
//! let mut world = World::new(model, state, settings)?;
//! for _ in 0..100 {
//!     world.step();
//! }
//! assert!((world.state().bodies[1].position.z - 0.5).abs() < 1e-9);
//! assert!(world.velocity(BodyIndex(1)).length() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate reads no files and draws nothing; bodies are rigid and convex.

mod bodies;
mod check;
mod contact_rows;
pub mod detection;
pub mod energy;
pub mod error;
pub mod force;
pub mod integrator;
pub mod mass;
pub mod model;
pub mod orientation;
mod overlap;
pub mod script;
pub mod settings;
pub mod state;
pub mod world;

pub use bodies::Pose;
pub use carom_contact::{Residual, Status};
pub use carom_geometry::space::shape;
pub use carom_stepping::{StepReport, Surface, Touched, rigid};
pub use detection::{Approach, ContactKind, Detector, Feature, SpatialContact, SpeculativeMargin};
pub use energy::Totals;
pub use error::{BodyFault, ModelError};
pub use force::{Anchor, Damper, Drag, ForceLaw, Forces, Load, Push, Spring};
pub use glam::{DMat3, DQuat, DVec3};
pub use integrator::{Advanced, Integrator};
pub use mass::Placed;
pub use model::{Body, BodyIndex, Model, Motion};
pub use orientation::{Orientation, OrientationKind};
pub use overlap::OverlapFinder;
pub use script::{Displacement, Keyframe, Path, Script};
pub use settings::{ContactSettings, Response, SpatialSettings};
pub use shape::{Mesh, ObjError, Polyhedron, Shape, ShapeError, parse_obj};
pub use state::{BodyState, State};
pub use world::World;
