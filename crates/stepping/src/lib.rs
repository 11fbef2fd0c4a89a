//! The time step, once for every kind of body.
//!
//! Impact and contact are two questions. An *impact* is an instant: bodies that touch and approach
//! change velocity at once, by the response that a scene names, with restitution and friction.
//! *Contact* is a duration: bodies that touch and do not part push on each other while forces act.
//! It is always the same inelastic complementarity problem with Coulomb friction (Witkin and
//! Baraff, "Physically based modeling", 2001: colliding, resting, separating).
//!
//! A family of bodies implements [`Mechanics`]: shapes, masses, free motion. [`Stepper::step`] is
//! the story; each phase is a file.
//!
//! This crate knows no shape and no dimension.

mod bounce;
mod contact;
mod correction;
mod impact;
mod mechanics;
mod neighbours;
mod numbering;
mod quiet;
mod report;
pub mod rigid;
mod separating;
mod settings;
mod step;
mod surface;
mod track;
mod turning;
mod verdict;
mod verify;

pub use mechanics::{
    ContactGap, Flight, MAX_DOF, Material, Mechanics, Momentum, Motion, Pair, Path, Sweep, Vector,
};
pub use report::{StepReport, Touched};
pub use settings::{CONTACT_TOLERANCE, ContactSettings, Response};
pub use step::Stepper;
pub use surface::{Surface, Surfaces};
