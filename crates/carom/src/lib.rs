//! Exact collision and contact simulation: scenes to worlds to frames.
//!
//! Text becomes a checked [`Scene`] (`carom-scene`), a scene becomes a [`Simulation`], a simulation
//! is stepped, and every step can be had as a [`Frame`] (`carom-frames`): plain data for files,
//! pictures and comparisons.
//!
//! ```
//! use carom::{Options, Simulation};
//!
//! let scene = carom::read_scene(
//!     r#"<scene>
//!          <duration time="1"/>
//!          <integrator type="symplectic-euler" dt="0.01"/>
//!          <particle m="1" px="0" py="0" vx="1" vy="2" fixed="0"/>
//!          <simplegravity fx="0" fy="-9.81"/>
//!        </scene>"#,
//! )?;
//! let mut simulation = Simulation::new(&scene, Options::default())?;
//! while simulation.step_count() < simulation.planned_steps() {
//!     simulation.step()?;
//! }
//! let frame = simulation.frame();
//! assert_eq!(frame.step, 100);
//! assert!((frame.positions[0] - 1.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To watch a run, give [`run`] an observer. The feature `files` adds trajectory files: grading
//! against a reference (`grading`), surveys with hashes, contact problems as files. This crate
//! prints nothing, reads no clock and no environment.

mod access;
mod answer;
mod build;
pub mod builder;
#[cfg(feature = "files")]
pub mod contact_problem;
#[cfg(feature = "files")]
mod course_lists;
mod disturb;
mod edit;
mod failure;
#[cfg(feature = "files")]
pub mod grading;
mod handle;
mod impacts;
mod meshes;
pub mod methods;
mod overlap;
mod particle_world;
mod refusal;
mod rigid_world;
mod run;
mod simulation;
#[cfg(feature = "files")]
mod solids;
mod spatial_world;
mod status;
#[cfg(feature = "files")]
mod step_problem;
mod steps;
mod summary;
#[cfg(feature = "files")]
mod survey;
mod timed;
mod world;
mod wrapping;

pub use build::BuildError;
pub use builder::{BuilderError, ParticleBuilder, PlanarBuilder, SpatialBuilder};
#[cfg(feature = "files")]
pub use course_lists::CourseLists;
pub use disturb::disturb;
pub use edit::EditError;
pub use failure::{RestoreError, StepFailure};
pub use handle::{BodyHandle, EdgeHandle, HalfPlaneHandle, Handle, ParticleHandle, SpatialHandle, Turning};
pub use impacts::Impacts;
pub use meshes::{MeshError, MeshFault, inline_meshes};
pub use refusal::{build_problem, mesh_problem};
pub use run::{Observer, Plan, RunEnd, run};
pub use simulation::{Options, Simulation};
#[cfg(feature = "files")]
pub use solids::solids;
pub use status::StepStatus;
#[cfg(feature = "files")]
pub use step_problem::{arrays_of_step, matrices_of_step, write_step};
pub use summary::{Summary, Trouble};
#[cfg(feature = "files")]
pub use survey::{Survey, survey};

pub use carom_contact::{coulomb, watch};
pub use carom_frames::{
    Contact, ContactEvent, ContactEvents, ContactKind, Diagnostics, Family, Frame, Impact, Intermediate,
    Phase, Quantities,
};
pub use carom_scene as scene;
pub use carom_scene::Scene;
pub use carom_scene::description::Surface;
pub use carom_scene::description::particles::Particle;

/// Reads a scene in the strictest sense of right (not as the course's program would), and gives all
/// problems of a scene that cannot be run as one readable text.
///
/// ```
/// let error = carom::read_scene("<scene><duration tme='1'/></scene>").unwrap_err();
/// assert!(error.to_string().contains("time"));
/// ```
pub fn read_scene(text: &str) -> Result<Scene, SceneError> {
    let reading = carom_scene::read(text, &carom_scene::ReadOptions::default());
    match reading.scene {
        Some(scene) => Ok(scene),
        None => Err(SceneError(carom_scene::render(&reading.problems, "scene", text, false))),
    }
}

/// Every problem of a scene, rendered with the lines that they are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError(String);

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SceneError {}

/// The examples of the README, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Those of the library's page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
