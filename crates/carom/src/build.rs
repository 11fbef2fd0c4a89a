//! Description to world: the only place that knows both.

mod particles;
mod rigid;
mod spatial;

pub(crate) use particles::particle_world;
pub(crate) use rigid::rigid_world;
pub(crate) use spatial::spatial_world;

use carom_rigid2d::rigid::{Anchor, BodyIndex, Damper, Spring};
use carom_scene::description::force;
use std::fmt;

/// The surfaces of all bodies, in their order; the last one given to a body counts.
fn surfaces(given: &[carom_scene::description::Surface], count: usize) -> Vec<carom_particles::Surface> {
    let mut all = vec![carom_particles::Surface::default(); count];
    for surface in given {
        if let Some(slot) = all.get_mut(surface.index) {
            *slot = carom_particles::Surface {
                restitution: surface.restitution,
                friction: surface.friction,
                group: surface.group,
                ignored: surface.ignored,
            };
        }
    }
    all
}

fn anchor<P: Into<V>, V>(anchor: force::Anchor<P>) -> Anchor<V> {
    match anchor {
        force::Anchor::World(point) => Anchor::World(point.into()),
        force::Anchor::Body { body, offset } => Anchor::Body(BodyIndex(body as u32), offset.into()),
    }
}

/// Springs, and the dampers of those that have one.
fn springs<P: Into<V> + Copy, V>(given: &[force::Spring<P>]) -> (Vec<Spring<V>>, Vec<Damper<V>>) {
    let spring = |s: &force::Spring<P>| Spring {
        start: anchor(s.start),
        end: anchor(s.end),
        stiffness: s.stiffness,
        rest_length: s.rest_length,
    };
    let damper =
        |s: &force::Spring<P>| Damper { start: anchor(s.start), end: anchor(s.end), coefficient: s.damping };
    let damped = given.iter().filter(|s| s.damping != 0.0);
    (given.iter().map(spring).collect(), damped.map(damper).collect())
}

/// The step that a world is built with. The course's program accepts dt ≤ 0 and takes no step at
/// all: its scenes get a step that is never taken.
fn time_step(dt: f64, options: crate::Options) -> f64 {
    if options.course && dt <= 0.0 { 1.0 } else { dt }
}

/// Why a scene that was read cannot be run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// The particles refuse it.
    Particles(carom_particles::ModelError),
    /// The rigid bodies refuse it.
    RigidBodies(carom_rigid2d::ModelError),
    /// The spatial bodies refuse it.
    SpatialBodies(carom_rigid3d::ModelError),
    /// The shape of a spatial body is none.
    Shape {
        /// Which body.
        body: usize,
        /// What is wrong with its shape.
        error: carom_rigid3d::ShapeError,
    },
    /// The shape of a spatial body is in a file that was not read.
    MeshFile {
        /// Which body.
        body: usize,
        /// The file.
        name: String,
    },
    /// The course's program stops on such a scene, and was to be reproduced.
    CourseRefuses(&'static str),
    /// A method that the scene names is not there yet.
    NotSupported(&'static str),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Particles(error) => error.fmt(f),
            BuildError::RigidBodies(error) => error.fmt(f),
            BuildError::SpatialBodies(error) => error.fmt(f),
            BuildError::Shape { body, error } => write!(f, "body {body}: {error}"),
            BuildError::MeshFile { body, name } => write!(
                f,
                "body {body}: its shape is in the file `{name}`, which was not read; \
                 `carom convert` writes a scene without files"
            ),
            BuildError::CourseRefuses(reason) => write!(f, "{reason}; without --course this scene runs"),
            BuildError::NotSupported(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<carom_particles::ModelError> for BuildError {
    fn from(error: carom_particles::ModelError) -> Self {
        BuildError::Particles(error)
    }
}

impl From<carom_rigid2d::ModelError> for BuildError {
    fn from(error: carom_rigid2d::ModelError) -> Self {
        BuildError::RigidBodies(error)
    }
}

impl From<carom_rigid3d::ModelError> for BuildError {
    fn from(error: carom_rigid3d::ModelError) -> Self {
        BuildError::SpatialBodies(error)
    }
}
