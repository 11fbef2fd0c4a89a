//! The course's binary files, byte for byte.
//!
//! Such a file says nothing about itself: a [`CourseLayout`], made from its scene, tells how many
//! bodies it has and how its records are laid out. [`CourseReader`] reads it, in order or at
//! random; [`CourseWriter`] writes it.

mod input;
mod reader;
mod writer;

pub use carom_frames::{BodyConstants, BodyQuantities, Polynomials};
pub use reader::{CourseReader, CourseRecord, read_course_bytes};
pub use writer::CourseWriter;

use serde::{Deserialize, Serialize};

use crate::frame::Family;
use crate::journal::Header;

/// How the course's program lays out its records; the file itself does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CourseRecords {
    /// Particles without a collision handler, or with penalty forces: the state alone.
    Plain,
    /// Particles with the `simple` handler: the state and its collisions.
    Simple,
    /// Particles with the `continuous-time` handler: two equal records for each step, with
    /// collisions and polynomials.
    ContinuousTime,
    /// Particles with the `hybrid` handler: the state after the impulses, then the final one, each
    /// with polynomials; the list of collisions is there and empty.
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

    /// Whether each step has two records.
    pub fn synced_pairs(self) -> bool {
        matches!(self, CourseRecords::ContinuousTime | CourseRecords::Hybrid)
    }

    /// Whether a record has a list of collisions, be it empty.
    pub fn has_collisions(self) -> bool {
        matches!(self, CourseRecords::Simple) || self.synced_pairs()
    }
}

/// What one must know to read a course file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CourseLayout {
    /// How the records are laid out.
    pub records: CourseRecords,
    /// Number of particles or bodies.
    pub bodies: u64,
    /// Time step in seconds: the file holds no times.
    pub dt: f64,
    /// Steps from one stored frame to the next; the course's program stores every step.
    pub every: u64,
}

impl CourseLayout {
    /// The layout of a file that holds every step.
    pub fn new(records: CourseRecords, bodies: u64, dt: f64) -> CourseLayout {
        CourseLayout { records, bodies, dt, every: 1 }
    }

    /// The layout that the run of a journal has as a course file, if there is one.
    pub fn of_header(header: &Header) -> Option<CourseLayout> {
        let records = header.course_records.filter(|records| records.family() == header.family)?;
        Some(CourseLayout { records, bodies: header.bodies, dt: header.dt, every: header.options.every })
    }

    /// Numbers in the positions of a frame, and in the velocities.
    pub(crate) fn numbers(&self) -> u64 {
        self.bodies.saturating_mul(self.records.family().degrees_of_freedom() as u64)
    }
}
