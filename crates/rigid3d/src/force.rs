//! Forces and torques on bodies, and the potential energy of those that have one.

use crate::model::{BodyIndex, Model};
use crate::state::BodyState;
use carom_stepping::rigid::{self, Carriers};
use glam::DVec3;

/// Where an end of a spring is held.
pub type Anchor = rigid::Anchor<DVec3>;
/// A spring between two anchors.
pub type Spring = rigid::Spring<DVec3>;
/// A damper between two anchors.
pub type Damper = rigid::Damper<DVec3>;

/// The forces of a model. They are added up in the order of these fields, each list in its own
/// order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forces {
    /// Accelerations of the same gravity for all bodies.
    pub gravities: Vec<DVec3>,
    /// Springs between points of bodies, or to the world.
    pub springs: Vec<Spring>,
    /// Resistance of a still medium to the motion of all bodies.
    pub drags: Vec<Drag>,
    /// Steady forces and torques on single bodies.
    pub pushes: Vec<Push>,
    /// Dampers between points of bodies, or to the world.
    pub dampers: Vec<Damper>,
}

/// A force −c v on the centre of mass and a torque −d ω on every body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// c in kilograms a second, at least 0.
    pub linear: f64,
    /// d in newton metre seconds, at least 0.
    pub angular: f64,
}

/// A steady force and torque on one body, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// Which body.
    pub body: BodyIndex,
    /// What acts on it.
    pub load: Load,
}

/// What acts on a body: a force on its centre of mass and a torque about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Sum of the forces.
    pub force: DVec3,
    /// Sum of the torques about the centre of mass, in world axes.
    pub torque: DVec3,
}

impl Load {
    /// Adds a force that acts at an arm from the centre of mass.
    fn add(&mut self, arm: DVec3, force: DVec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }
}

/// Bodies at a state, as springs see them.
struct Placed<'a>(&'a Model, &'a [BodyState]);

impl Carriers for Placed<'_> {
    type Point = DVec3;

    fn center(&self, body: BodyIndex) -> DVec3 {
        self.1[body.get()].position
    }

    fn arm(&self, body: BodyIndex, offset: DVec3) -> DVec3 {
        self.1[body.get()].orientation.matrix() * offset
    }

    fn velocity_at(&self, index: BodyIndex, arm: DVec3) -> DVec3 {
        let (body, state) = (&self.0.bodies[index.get()], &self.1[index.get()]);
        state.velocity(body) + state.angular_velocity(body).cross(arm)
    }
}

/// How forces are asked for: fills one load for each body from a time and a state.
pub type ForceLaw<'a> = dyn FnMut(f64, &[BodyState], &mut [Load]) + 'a;

/// Adds every force of the model at a state to `loads`, one load for each body.
pub fn accumulate(model: &Model, bodies: &[BodyState], loads: &mut [Load]) {
    let placed = Placed(model, bodies);
    for &acceleration in &model.forces.gravities {
        for (body, load) in model.bodies.iter().zip(loads.iter_mut()) {
            load.force += body.mass * acceleration;
        }
    }
    for spring in &model.forces.springs {
        spring.accumulate(&placed, |body, arm, force| loads[body.get()].add(arm, force));
    }
    for drag in &model.forces.drags {
        for ((body, state), load) in model.bodies.iter().zip(bodies).zip(loads.iter_mut()) {
            load.force -= drag.linear * state.velocity(body);
            load.torque -= drag.angular * state.angular_velocity(body);
        }
    }
    for push in &model.forces.pushes {
        let load = &mut loads[push.body.get()];
        load.force += push.load.force;
        load.torque += push.load.torque;
    }
    for damper in &model.forces.dampers {
        damper.accumulate(&placed, |body, arm, force| loads[body.get()].add(arm, force));
    }
}

/// Potential energy of gravity on free bodies, and of springs.
pub fn potential_energy(model: &Model, bodies: &[BodyState]) -> f64 {
    let mut energy = 0.0;
    for &acceleration in &model.forces.gravities {
        for (body, state) in model.bodies.iter().zip(bodies).filter(|(body, _)| body.motion.is_free()) {
            energy -= body.mass * acceleration.dot(state.position);
        }
    }
    for spring in &model.forces.springs {
        energy += spring.potential_energy(&Placed(model, bodies));
    }
    energy
}
