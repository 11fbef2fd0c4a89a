//! Planar rigid bodies: forces, integrators, contact.
//!
//! A [`World`] is made of a [`Model`] (bodies and forces, which never change), a [`State`] (where
//! the bodies are and how they move) and [`PlanarSettings`]; [`World::step`] takes it one step on.
//! Symbols follow the hand-outs: X centre of mass, θ angle, V and ω their velocities, M mass, I
//! moment of inertia.
//!
//! Two discs run into each other and part again with all their energy:
//!
//! ```
//! use carom_rigid2d::{
//!     BodyState, ContactSettings, DVec2, Integrator, Model, Motion, Placed, PlanarSettings, Response,
//!     State, World,
//! };
//!
//! let (mut model, mut state) = (Model::default(), State::default());
//! for (x, speed) in [(-1.5, 1.0), (1.5, -1.0)] {
//!     let Placed { body, center } = Placed::disc(DVec2::new(x, 0.0), 1.0, 2.0, Motion::Free);
//!     model.bodies.push(body);
//!     state.bodies.push(BodyState { velocity: DVec2::new(speed, 0.0), ..BodyState::at(center) });
//! }
//! let contact = Some(ContactSettings::new(Response::ReflectionLcp));
//! let settings = PlanarSettings { contact, ..PlanarSettings::new(0.1, Integrator::SymplecticEuler) };
//! let mut world = World::new(model, state, settings)?;
//! for _ in 0..10 {
//!     world.step();
//! }
//! assert_eq!(world.state().bodies[0].velocity, DVec2::new(-1.0, 0.0));
//! # Ok::<(), carom_rigid2d::ModelError>(())
//! ```
//!
//! This crate reads no files and draws nothing; bodies are rigid and live in 2D.

mod bodies;
mod check;
mod contact_rows;
mod course_order;
pub mod detection;
pub mod energy;
pub mod error;
pub mod force;
pub mod integrator;
pub mod mass;
pub mod model;
mod overlap;
mod relaxation;
pub mod script;
pub mod settings;
pub mod state;
pub mod world;

pub use carom_contact::{Residual, Status};
pub use carom_geometry::plane::{Polygon, Shape, rotation};
pub use carom_stepping::{StepReport, Surface, Touched, rigid};
pub use detection::{Detector, Feature, PlanarContact, Rules};
pub use energy::{BodyQuantities, Totals};
pub use error::{BodyFault, ModelError};
pub use force::{Anchor, Damper, Drag, Forces, Load, Penalty, Spring, Wind};
pub use glam::DVec2;
pub use integrator::Integrator;
pub use mass::{Placed, PointMass};
pub use model::{Body, BodyIndex, Model, Motion};
pub use overlap::OverlapFinder;
pub use script::{Keyframe, Path, Pose, Script};
pub use settings::{ContactSettings, PlanarSettings, Response};
pub use state::{BodyState, State};
pub use world::World;
