//! A world of any family, as the façade sees it.

use crate::particle_world::ParticleWorld;
use crate::rigid_world::RigidWorld;
use crate::spatial_world::SpatialWorld;
use crate::status::StepStatus;
use carom_contact::ContactProblem;
use carom_frames::{Contact, Diagnostics, Family, Frame};
use std::ops::{Deref, DerefMut};

/// What every family answers. A new family implements this and is a line of [`World`].
pub(crate) trait FamilyWorld {
    fn family(&self) -> Family;
    /// Takes one step; a step that cannot be taken leaves the world where it was and says why.
    fn step(&mut self) -> Result<Diagnostics, (StepStatus, String)>;
    /// Pushes and turns a body during the next step. Says whether the body is there.
    fn push(&mut self, body: usize, force: [f64; 3], torque: [f64; 3]) -> bool;
    /// Writes the present moment, except for step, time and diagnostics.
    fn write_frame(&self, frame: &mut Frame);
    fn restore(&mut self, frame: &Frame) -> Result<(), String>;
    /// What touched in the last step.
    fn contacts(&self) -> &[Contact];
    /// The contact problem of the last step in which something touched; none where contacts are
    /// answered one by one.
    fn contact_problem(&self) -> Option<&ContactProblem>;
    /// Place and turn of a body: as many of the numbers as the family has.
    fn coordinates(&self, index: usize) -> [f64; 7];
    /// Velocity and angular velocity of a body, likewise.
    fn speeds(&self, index: usize) -> [f64; 6];
    /// Steps taken since the start.
    fn step_count(&self) -> u64;
    fn body_count(&self) -> usize;
    /// Masses, and moments of inertia where bodies have them.
    fn mass_properties(&self) -> (Vec<f64>, Vec<f64>);
}

#[derive(Debug, Clone)]
pub(crate) enum World {
    Particles(Box<ParticleWorld>),
    RigidBodies(Box<RigidWorld>),
    SpatialBodies(Box<SpatialWorld>),
}

impl Deref for World {
    type Target = dyn FamilyWorld;

    fn deref(&self) -> &Self::Target {
        match self {
            World::Particles(world) => &**world,
            World::RigidBodies(world) => &**world,
            World::SpatialBodies(world) => &**world,
        }
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            World::Particles(world) => &mut **world,
            World::RigidBodies(world) => &mut **world,
            World::SpatialBodies(world) => &mut **world,
        }
    }
}
