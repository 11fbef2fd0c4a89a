//! Two-dimensional particles, edges and half-planes: forces, integrators, collisions.
//!
//! [`World`] is the whole of it: a [`Model`] that does not change (masses, shapes, forces), a
//! [`State`] that does (positions, velocities, number of steps), [`ParticleSettings`], and the
//! buffers that a step needs. [`World::step`] advances by one time step and says how it went;
//! `pipeline.rs` has its phases.
//!
//! Where to look: a new force goes into `force/` (its front page says how), a new time stepping
//! method into `integrator/`, a new answer to collisions into `collision/`.
//!
//! This crate reads no scene files and writes no trajectories: it gets plain data and gives plain
//! data.
//!
//! ```
//! use carom_particles::{IntegrationStatus, Model, Particle, ParticleSettings, State, World};
//! use glam::DVec2;
//!
//! let mut model = Model::default();
//! model.particles.push(Particle { mass: 2.0, radius: 0.1, fixed: false });
//! let acceleration = DVec2::new(0.0, -10.0);
//! model.forces.gravities.push(carom_particles::force::SimpleGravity { acceleration });
//! let state = State::new(vec![DVec2::ZERO], vec![DVec2::new(3.0, 5.0)]);
//! let settings = ParticleSettings::with_time_step(0.5); // symplectic Euler
//!
//! let mut world = World::new(model, state, settings)?;
//! let report = world.step();
//! assert_eq!(report.status, IntegrationStatus::Completed);
//! assert_eq!(world.state().velocities[0], DVec2::new(3.0, 0.0));
//! # Ok::<(), carom_particles::ModelError>(())
//! ```

mod bodies;
pub mod collision;
mod detection;
pub mod energy;
pub mod force;
mod integrator;
mod model;
mod pipeline;
mod settings;
mod state;

pub use carom_stepping::Surface;
pub use collision::{
    BroadPhaseMethod, CollisionReport, CollisionSettings, Exchange, FallbackLevel, Pair, ParticleContact,
    Penalty, Response,
};
pub use detection::conditions_log::ConditionsLog;
pub use integrator::LinearWork;
pub use model::{Edge, EdgeIndex, HalfPlane, HalfPlaneIndex, Model, ModelError, Particle, ParticleIndex};
pub use pipeline::{IntegrationStatus, StepReport, World};
pub use settings::{AdaptiveSettings, Integrator, NewtonSettings, ParticleSettings};
pub use state::State;
