//! Description to world: the only place that knows both.

mod particles;
mod rigid;

pub(crate) use particles::particle_world;
pub(crate) use rigid::rigid_world;

/// The step that a world is built with. The course's program accepts dt ≤ 0 and takes no step at all: its scenes get a step that is
/// never taken.
fn time_step(dt: f64, options: crate::Options) -> f64 {
    if options.course && dt <= 0.0 { 1.0 } else { dt }
}

/// Why a scene that was read cannot be run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The particles refuse it.
    #[error(transparent)]
    Particles(#[from] carom_particles::ModelError),
    /// The rigid bodies refuse it.
    #[error(transparent)]
    RigidBodies(#[from] carom_rigid2d::ModelError),
    /// The course's program stops on such a scene, and was to be reproduced.
    #[error("{0}; without --course this scene runs")]
    CourseRefuses(&'static str),
    /// A method that the scene names is not there yet.
    #[error("{0}")]
    NotSupported(&'static str),
}
