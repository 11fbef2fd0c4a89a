//! A world: bodies, where they are, how they are stepped, and what can be asked of it. Its step is in [`crate::pipeline`].

use crate::check;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::Load;
use crate::impact::Impact;
use crate::integrator::Scratch;
use crate::model::{BodyIndex, Model};
use crate::report::Touched;
use crate::settings::Settings;
use crate::state::{BodyState, State};
use carom_contact::ContactProblem;
use glam::DVec3;

/// Bodies, where they are, and how they are stepped.
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) settings: Settings,
    /// Forces from outside, for the next step only.
    pub(crate) applied: Vec<Load>,
    /// Room for the forces of a step.
    pub(crate) loads: Vec<Load>,
    /// Room for the integrator.
    pub(crate) scratch: Scratch,
    /// Room for the state to step back to.
    pub(crate) start: Vec<BodyState>,
    /// Room for the contacts of a step.
    pub(crate) impact: Impact,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    ///
    /// Orientations are mended to rotations and kept in the way that the settings say.
    pub fn new(model: Model, state: State, settings: Settings) -> Result<Self, ModelError> {
        check::model(&model)?;
        check::settings(&settings)?;
        let nothing = vec![Load::default(); model.bodies.len()];
        let mut world = Self {
            impact: Impact::new(&model),
            model,
            state: State::default(),
            settings: settings.as_followed(),
            applied: nothing.clone(),
            loads: nothing,
            scratch: Scratch::default(),
            start: Vec::new(),
        };
        world.set_state(state)?;
        Ok(world)
    }

    /// What the world is made of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where everything is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How it is stepped.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.state.step as f64 * self.settings.dt
    }

    /// Energy and momentum of the free bodies.
    pub fn totals(&self) -> Totals {
        Totals::of(&self.model, &self.state.bodies)
    }

    /// Velocity of a body's centre of mass; zero for a body that is not there.
    pub fn velocity(&self, body: BodyIndex) -> DVec3 {
        let bodies = self.model.bodies.get(body.get()).zip(self.state.bodies.get(body.get()));
        bodies.map_or(DVec3::ZERO, |(body, state)| state.velocity(body))
    }

    /// Angular velocity of a body in world axes; zero for a body that is not there.
    pub fn angular_velocity(&self, body: BodyIndex) -> DVec3 {
        let bodies = self.model.bodies.get(body.get()).zip(self.state.bodies.get(body.get()));
        bodies.map_or(DVec3::ZERO, |(body, state)| state.angular_velocity(body))
    }

    /// Who touched in the last step, in order: pairs whose gap was closed, and pairs that were kept from closing it too far.
    pub fn touched(&self) -> impl Iterator<Item = Touched> + '_ {
        self.impact.touched()
    }

    /// The contact problem of the last simultaneous solve: M, velocities before, N; A by its directions.
    pub fn contact_problem(&self) -> &ContactProblem {
        &self.impact.problem
    }

    /// Pushes and turns a body during the next step, in world axes. Several pushes add up. A fixed or scripted body does not
    /// feel it; neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec3, torque: DVec3) {
        if let Some(load) = self.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
    }

    /// What the contact solver remembers from step to step, as plain numbers. A world with the same state and memory goes on
    /// to the same bits.
    pub fn memory(&self) -> Vec<f64> {
        self.impact.workspace.memory()
    }

    /// Puts back what [`World::memory`] gave, after [`World::set_state`].
    pub fn restore_memory(&mut self, memory: &[f64]) {
        self.impact.workspace.restore_memory(memory);
    }

    /// Puts the world into another state, for comparison and for resuming. The contact solver starts afresh.
    pub fn set_state(&mut self, mut state: State) -> Result<(), ModelError> {
        check::state(&self.model, &state)?;
        for body in &mut state.bodies {
            let kept = body.orientation.as_kind(self.settings.orientation);
            // What is a rotation to rounding stays as it is, to the bit: resuming equals running.
            let (mended, drift) = kept.mended();
            body.orientation = if drift <= 4.0 * f64::EPSILON { kept } else { mended };
        }
        self.impact.workspace.restore_memory(&[]);
        self.state = state;
        Ok(())
    }
}
