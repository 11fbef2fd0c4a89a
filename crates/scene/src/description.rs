//! What a scene says, as plain data: every number checked, every index in range, nothing derived.
//!
//! The reader makes one from text, the writer makes text from one, and the façade builds a world
//! from one. Names are words; the course's attribute names stand beside them in the schema.
//!
//! Each description stands beside the table of its attributes ([`table`]), from which its reader,
//! writer and page follow.

mod color;
mod construct;
pub mod contact;
pub mod force;
mod general;
pub mod particles;
pub mod rigid;
pub mod script;
pub mod spatial;

mod removal;
mod surface;
pub(crate) mod table;

pub(crate) use general::{DESCRIPTION, DURATION, KNOB, LABEL, MAX_FREQUENCY, WRAP};

pub use color::{Color, IndexedColor};
pub use general::{General, Knob, KnobTarget, Viewport, Wrap};
pub use particles::ParticleScene;
pub use rigid::RigidScene;
pub use spatial::SpatialScene;
pub use surface::{GROUPS, Surface};

/// A whole scene: what it is called and how it is shown, and the system that moves in it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scene {
    /// What every scene has, whatever moves in it.
    pub general: General,
    /// The bodies, forces and methods.
    pub system: System,
}

impl Scene {
    /// Name of the integrator as scene files spell it.
    pub fn integrator_name(&self) -> &'static str {
        match &self.system {
            System::Particles(system) => system.integrator.method.name(),
            System::RigidBodies(system) => system.integrator.method.name(),
            System::SpatialBodies(system) => system.integrator.method.name(),
        }
    }

    /// Name of the collision response as scene files spell it.
    pub fn response_name(&self) -> &'static str {
        match &self.system {
            System::Particles(system) => system.collision.response.name(),
            System::RigidBodies(system) => system.contact.map_or("none", |contact| contact.response.name()),
            System::SpatialBodies(system) => system.contact.map_or("none", |contact| contact.response.name()),
        }
    }

    /// For each particle or body, whether forces and contacts can move it: it is neither fixed nor
    /// kinematic nor a half-plane or a half-space.
    pub fn movable(&self) -> Vec<bool> {
        match &self.system {
            System::Particles(system) => system.particles.iter().map(|particle| !particle.fixed).collect(),
            System::RigidBodies(system) => {
                let still =
                    |body: &rigid::Body| body.fixed || matches!(body.shape, rigid::Shape::HalfPlane { .. });
                let bodies = system.bodies.iter().zip(system.kinematic());
                bodies.map(|(body, kinematic)| !still(body) && !kinematic).collect()
            }
            System::SpatialBodies(system) => {
                let still = |body: &spatial::Body| {
                    body.fixed || matches!(body.shape, spatial::Shape::HalfSpace { .. })
                };
                let bodies = system.bodies.iter().zip(system.kinematic());
                bodies.map(|(body, kinematic)| !still(body) && !kinematic).collect()
            }
        }
    }

    /// The two particles of an edge; `None` when there is no such edge.
    pub fn edge_ends(&self, edge: usize) -> Option<[usize; 2]> {
        match &self.system {
            System::Particles(system) => system.edges.get(edge).map(|edge| [edge.start, edge.end]),
            System::RigidBodies(_) | System::SpatialBodies(_) => None,
        }
    }
}

/// Which of so many bodies are named; names of bodies that are not there are passed over.
fn marked(count: usize, named: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut marks = vec![false; count];
    for body in named.filter(|&body| body < count) {
        marks[body] = true;
    }
    marks
}

/// The kind of system, `simtype` in the file.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum System {
    /// `particle-system`, the default.
    Particles(ParticleScene),
    /// `rigid-body`: planar rigid bodies.
    RigidBodies(RigidScene),
    /// `rigid-body-3d`: spatial rigid bodies.
    SpatialBodies(SpatialScene),
}
