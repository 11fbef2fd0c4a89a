//! Planar rigid bodies: forces, integrators, contact.
//!
//! A [`World`] is made of a [`Model`] (bodies and forces, which never change), a [`State`] (where the bodies are and how
//! they move) and [`Settings`]; [`World::step`] takes it one step on. Symbols follow the hand-outs: X centre of mass,
//! θ angle, V and ω their velocities, M mass, I moment of inertia.
//!
//! This crate reads no files and draws nothing; bodies are rigid and live in the plane.

mod check;
mod contact_rows;
pub mod detection;
pub mod energy;
pub mod error;
pub mod force;
mod impact;
pub mod integrator;
pub mod mass;
pub mod model;
pub mod pipeline;
mod projection;
pub mod report;
pub mod rotation;
pub mod script;
pub mod settings;
pub mod state;
pub mod world;

pub use carom_contact::{Residual, Status};
pub use detection::{Contact, Detector, Feature, Rules};
pub use energy::{BodyQuantities, Totals};
pub use error::{BodyFault, ModelError};
pub use force::{Anchor, Forces, Load, Penalty, Spring, Wind};
pub use glam::DVec2;
pub use integrator::Integrator;
pub use mass::{Placed, PointMass};
pub use model::{Body, BodyIndex, Model, Motion, Outline, Shape};
pub use report::{StepReport, Touched};
pub use script::{Keyframe, Path, Pose, Script};
pub use settings::{ContactSettings, Order, Overlap, Response, Settings};
pub use state::{BodyState, State};
pub use world::World;
