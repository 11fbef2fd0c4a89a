//! Description to world: the only place that knows both.

mod particles;
mod rigid;
mod spatial;

pub(crate) use particles::particle_world;
pub(crate) use rigid::rigid_world;
pub(crate) use spatial::spatial_world;

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
    /// The bodies in space refuse it.
    #[error(transparent)]
    SpatialBodies(#[from] carom_rigid3d::ModelError),
    /// The shape of a body in space is none.
    #[error("body {body}: {error}")]
    Shape {
        /// Which body.
        body: usize,
        /// What is wrong with its shape.
        error: carom_rigid3d::ShapeError,
    },
    /// The shape of a body in space is in a file that was not read.
    #[error(
        "body {body}: its shape is in the file `{name}`, which was not read; `carom convert` writes a scene without files"
    )]
    MeshFile {
        /// Which body.
        body: usize,
        /// The file.
        name: String,
    },
    /// The course's program stops on such a scene, and was to be reproduced.
    #[error("{0}; without --course this scene runs")]
    CourseRefuses(&'static str),
    /// A method that the scene names is not there yet.
    #[error("{0}")]
    NotSupported(&'static str),
}
