//! The course's binary files, byte for byte.

use serde::{Deserialize, Serialize};

use crate::frame::Family;

/// How the course's program lays out its records; the file itself does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CourseRecords {
    /// Particles without a collision handler, or with penalty forces: the state alone.
    Plain,
    /// Particles with the `simple` handler: the state and its collisions.
    Simple,
    /// Particles with the `continuous-time` handler: two equal records for each step, collisions, polynomials.
    ContinuousTime,
    /// Particles with the `hybrid` handler: the state after the impulses, then the final one; no collisions; polynomials.
    Hybrid,
    /// Planar rigid bodies: the state and the energies and momenta of each body.
    RigidBodies,
}

impl CourseRecords {
    /// The kind of system that has such records.
    pub fn family(self) -> Family {
        match self {
            CourseRecords::RigidBodies => Family::RigidBodies,
            _ => Family::Particles,
        }
    }
}
