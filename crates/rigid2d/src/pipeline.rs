//! A world and its step.

use crate::check;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::{self, Load};
use crate::model::{BodyIndex, Model};
use crate::settings::Settings;
use crate::state::{BodyState, State};
use glam::DVec2;

/// Bodies, where they are, and how they are stepped.
#[derive(Debug, Clone)]
pub struct World {
    model: Model,
    state: State,
    settings: Settings,
    /// Forces from outside, for the next step only.
    applied: Vec<Load>,
    /// Room for the forces of a step.
    loads: Vec<Load>,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Energy and momentum of the free bodies after the step.
    pub totals: Totals,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    pub fn new(model: Model, state: State, settings: Settings) -> Result<Self, ModelError> {
        check::model(&model, &settings)?;
        check::state(&model, &state)?;
        check::settings(&settings)?;
        let bodies = model.bodies.len();
        let (applied, loads) = (vec![Load::default(); bodies], vec![Load::default(); bodies]);
        Ok(Self { model, state, settings, applied, loads })
    }

    /// Takes one step.
    pub fn step(&mut self) -> StepReport {
        let Self { model, state, settings, applied, loads } = self;
        let law = |bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
        };
        settings.integrator.advance(model, state, settings.dt, &law, loads);
        state.step += 1;
        applied.fill(Load::default());
        StepReport { totals: Totals::of(model, &state.bodies) }
    }

    /// Pushes and turns a body during the next step. Several pushes add up. A fixed or scripted body does not feel it;
    /// neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec2, torque: f64) {
        if let Some(load) = self.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
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

    /// Puts the world into another state, for comparison and for resuming.
    pub fn set_state(&mut self, state: State) -> Result<(), ModelError> {
        check::state(&self.model, &state)?;
        self.state = state;
        Ok(())
    }
}
