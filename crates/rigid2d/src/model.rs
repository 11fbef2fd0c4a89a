//! What a world is made of, and what never changes while it runs: bodies and forces.

pub use carom_geometry::plane::{Polygon, Shape};
pub use carom_stepping::rigid::BodyIndex;

use crate::force::Forces;
use crate::script::Script;

/// Bodies and the forces on them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// In the order of the scene: their order is their index.
    pub bodies: Vec<Body>,
    /// What pulls and pushes them.
    pub forces: Forces,
}

/// A rigid body: how heavy it is, what it looks like about its centre of mass, and who moves it.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Mass M in kilograms, above 0.
    pub mass: f64,
    /// Moment of inertia I about the centre of mass, above 0.
    pub inertia: f64,
    /// Where its surface is, in body axes about its centre of mass.
    pub shape: Shape,
    /// Who moves it.
    pub motion: Motion,
}

/// Who moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Forces and contact.
    Free,
    /// Nobody. The velocity in its state is kept as given and moves nothing.
    Fixed,
    /// A script, whatever pushes against it; elsewhere in memory, because few bodies have one and
    /// every step passes over all bodies.
    Kinematic(Box<Script>),
}

impl Motion {
    /// Whether forces and contact move the body.
    pub fn is_free(&self) -> bool {
        matches!(self, Motion::Free)
    }
}

impl Body {
    /// Half of the thickness of the surface: the radius of the outline, or of the disc.
    pub fn radius(&self) -> f64 {
        self.shape.radius()
    }

    /// Greatest distance of a point of the body from its centre of mass.
    pub fn extent(&self) -> f64 {
        self.shape.extent()
    }

    /// 1/M as contact sees it: 0 for a body that contact does not move.
    pub fn inverse_mass(&self) -> f64 {
        if self.motion.is_free() { 1.0 / self.mass } else { 0.0 }
    }

    /// 1/I as contact sees it: 0 for a body that contact does not move.
    pub fn inverse_inertia(&self) -> f64 {
        if self.motion.is_free() { 1.0 / self.inertia } else { 0.0 }
    }
}
