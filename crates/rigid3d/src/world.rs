//! A world: bodies, where they are, how they are stepped, and what can be asked of it.

use crate::bodies::Bodies;
use crate::check;
use crate::detection::SpatialContact;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::Load;
use crate::integrator::Advanced;
use crate::model::{BodyIndex, Model};
use crate::settings::SpatialSettings;
use crate::state::{BodyState, State};
use carom_contact::{ContactProblem, Status};
use carom_stepping::{StepReport, Stepper, Touched};
use glam::DVec3;

/// Bodies, where they are, and how they are stepped.
#[derive(Debug, Clone)]
pub struct World {
    bodies: Bodies,
    stepper: Stepper<Bodies>,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    ///
    /// Orientations are corrected to rotations and kept in the way that the settings say.
    pub fn new(model: Model, state: State, settings: SpatialSettings) -> Result<Self, ModelError> {
        check::model(&model)?;
        check::settings(&settings)?;
        let mut world = Self { bodies: Bodies::new(model, settings), stepper: Stepper::default() };
        world.set_state(state)?;
        Ok(world)
    }

    /// Takes one step. Where numbers become non-finite the status is `InvalidInput`, from then on.
    pub fn step(&mut self) -> StepReport {
        let mut report = match self.bodies.settings.contact {
            Some(contact) => {
                let dt = self.bodies.settings.dt;
                self.stepper.step(&mut self.bodies, &contact, dt)
            }
            None => {
                self.bodies.advance();
                StepReport::default()
            }
        };
        self.bodies.state.step += 1;
        self.bodies.applied.fill(Load::default());
        if !self.bodies.state.bodies.iter().all(BodyState::is_finite) {
            report.status = Status::InvalidInput;
        }
        report
    }

    /// How the free motion of the last step went.
    pub fn advanced(&self) -> Advanced {
        self.bodies.advanced
    }

    carom_stepping::rigid_world!(SpatialSettings);

    /// Velocity of a body's centre of mass; zero for a body that is not there.
    pub fn velocity(&self, body: BodyIndex) -> DVec3 {
        let bodies = self.bodies.model.bodies.get(body.get()).zip(self.bodies.state.bodies.get(body.get()));
        bodies.map_or(DVec3::ZERO, |(body, state)| state.velocity(body))
    }

    /// Angular velocity of a body in world axes; zero for a body that is not there.
    pub fn angular_velocity(&self, body: BodyIndex) -> DVec3 {
        let bodies = self.bodies.model.bodies.get(body.get()).zip(self.bodies.state.bodies.get(body.get()));
        bodies.map_or(DVec3::ZERO, |(body, state)| state.angular_velocity(body))
    }

    /// Who touched in the last step, in order, and how hard: impacts at their instants, then
    /// contact that lasts.
    pub fn touched(&self) -> &[Touched<SpatialContact>] {
        self.stepper.touched()
    }

    /// The contact problem of the last step in which something touched: M, velocities before, N; A
    /// by its rows.
    pub fn contact_problem(&self) -> &ContactProblem {
        self.stepper.problem()
    }

    /// Pushes and turns a body during the next step, in world axes. Several pushes add up. A fixed
    /// or kinematic body does not feel it; neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec3, torque: DVec3) {
        if let Some(load) = self.bodies.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
    }

    /// Puts the world into another state, for comparison and for resuming. The contact solver
    /// starts afresh.
    pub fn set_state(&mut self, mut state: State) -> Result<(), ModelError> {
        check::state(&self.bodies.model, &state)?;
        for body in &mut state.bodies {
            let kept = body.orientation.as_kind(self.bodies.settings.orientation);
            // What is a rotation to rounding stays as it is, to the bit: resuming equals running.
            let (normalized, drift) = kept.normalized();
            body.orientation = if drift <= 4.0 * f64::EPSILON { kept } else { normalized };
        }
        self.stepper.workspace_mut().restore_memory(&[]);
        self.bodies.state = state;
        Ok(())
    }
}
