//! Forces and torques on bodies, and the potential energy of those that have one.

pub mod drag;
pub mod gravity;
pub mod penalty;
pub mod wind;

pub use drag::Drag;
pub use penalty::Penalty;
pub use wind::Wind;

use crate::model::{Body, BodyIndex, Model};
use crate::rotation::{Rotation, cross};
use crate::state::BodyState;
use carom_stepping::rigid::{self, Carriers};
use glam::DVec2;

/// Where an end of a spring is held.
pub type Anchor = rigid::Anchor<DVec2>;
/// A spring between two anchors.
pub type Spring = rigid::Spring<DVec2>;
/// A damper between two anchors.
pub type Damper = rigid::Damper<DVec2>;

/// The forces of a model. They are added up in the order of these fields, each list in its own
/// order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forces {
    /// Accelerations of the same gravity for all bodies.
    pub gravities: Vec<DVec2>,
    /// Springs between bodies, or to the world.
    pub springs: Vec<Spring>,
    /// Wind on the outlines of all bodies.
    pub winds: Vec<Wind>,
    /// Dampers between bodies, or to the world.
    pub dampers: Vec<Damper>,
    /// Resistance of a still medium to the motion of all bodies.
    pub drags: Vec<Drag>,
}

/// What acts on a body: a force on its centre of mass and a torque about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Sum of the forces.
    pub force: DVec2,
    /// Sum of the torques about the centre of mass, counter-clockwise.
    pub torque: f64,
}

impl Load {
    /// Adds a force that acts at an arm from the centre of mass.
    fn add(&mut self, arm: DVec2, force: DVec2) {
        self.force += force;
        self.torque += cross(arm, force);
    }
}

/// Bodies at a state, as springs see them.
struct Placed<'a>(&'a [BodyState]);

impl Carriers for Placed<'_> {
    type Point = DVec2;

    fn center(&self, body: BodyIndex) -> DVec2 {
        self.0[body.get()].position
    }

    fn arm(&self, body: BodyIndex, offset: DVec2) -> DVec2 {
        Rotation::by(self.0[body.get()].angle).apply(offset)
    }

    fn velocity_at(&self, body: BodyIndex, arm: DVec2) -> DVec2 {
        self.0[body.get()].velocity_at(arm)
    }
}

/// Adds every force of the model at a state to `loads`, one load for each body.
pub fn accumulate(model: &Model, bodies: &[BodyState], loads: &mut [Load]) {
    for &acceleration in &model.forces.gravities {
        gravity::accumulate(acceleration, &model.bodies, loads);
    }
    for spring in &model.forces.springs {
        spring.accumulate(&Placed(bodies), |body, arm, force| loads[body.get()].add(arm, force));
    }
    for wind in &model.forces.winds {
        wind.accumulate(&model.bodies, bodies, loads);
    }
    for damper in &model.forces.dampers {
        damper.accumulate(&Placed(bodies), |body, arm, force| loads[body.get()].add(arm, force));
    }
    for drag in &model.forces.drags {
        drag.accumulate(bodies, loads);
    }
}

/// Potential energy of every force that has one. Gravity counts the bodies that `counted` names.
pub fn potential_energy(model: &Model, bodies: &[BodyState], counted: impl Fn(&Body) -> bool) -> f64 {
    let mut energy = 0.0;
    for &acceleration in &model.forces.gravities {
        energy += gravity::potential_energy(acceleration, model, bodies, &counted);
    }
    for spring in &model.forces.springs {
        energy += spring.potential_energy(&Placed(bodies));
    }
    energy
}
