//! Spatial rigid bodies: forces, integrators, contact.
//!
//! Symbols follow the rigid body lectures of Witkin and Baraff ("Physically based modeling", SIGGRAPH 2001 course notes): x centre of
//! mass, R or q orientation, P and L momenta, v and ω velocities, M mass, I inertia.
//!
//! This crate reads no files and draws nothing; bodies are rigid and convex.

pub mod energy;
pub mod force;
pub mod integrator;
pub mod mass;
pub mod model;
pub mod orientation;
pub mod script;
pub mod shape;
pub mod state;

pub use energy::Totals;
pub use force::{Anchor, Drag, ForceLaw, Forces, Load, Push, Spring};
pub use glam::{DMat3, DQuat, DVec3};
pub use integrator::{Advanced, Integrator};
pub use mass::Placed;
pub use model::{Body, BodyIndex, Model, Motion};
pub use orientation::{Orientation, OrientationKind};
pub use script::{Displacement, Keyframe, Path, Script};
pub use shape::{Mesh, ObjError, Polyhedron, Shape, ShapeError, parse_obj};
pub use state::{BodyState, State};
