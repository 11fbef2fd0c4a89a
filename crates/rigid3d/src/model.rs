//! What a world is made of, and what never changes while it runs: bodies and forces.

pub use carom_stepping::rigid::BodyIndex;

use crate::force::Forces;
use crate::script::Script;
use crate::shape::Shape;
use glam::DMat3;

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
    inertia: DMat3,
    inverse_inertia: DMat3,
    /// Where its surface is.
    pub shape: Shape,
    /// Who moves it.
    pub motion: Motion,
}

/// Who moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Forces and contact.
    Free,
    /// Nobody. The momentum in its state is kept as given and moves nothing.
    Fixed,
    /// A script, whatever pushes against it.
    Kinematic(Script),
}

impl Motion {
    /// Whether forces and contact move the body.
    pub fn is_free(&self) -> bool {
        matches!(self, Motion::Free)
    }
}

impl Body {
    /// A body of a mass and an inertia about its centre of mass in body axes. A world checks that
    /// both make sense.
    pub fn new(mass: f64, inertia: DMat3, shape: Shape, motion: Motion) -> Self {
        Self { mass, inertia, inverse_inertia: inertia.inverse(), shape, motion }
    }

    /// Inertia about the centre of mass, in body axes.
    pub fn inertia(&self) -> &DMat3 {
        &self.inertia
    }

    /// Its inverse.
    pub fn inverse_inertia(&self) -> &DMat3 {
        &self.inverse_inertia
    }
}
