//! A world: bodies, where they are, how they are stepped, and what can be asked of it. Its step is in [`crate::pipeline`].

use crate::check;
use crate::energy::Totals;
use crate::error::ModelError;
use crate::force::Load;
use crate::impact::Impact;
use crate::model::{BodyIndex, Model};
use crate::report::Touched;
use crate::settings::Settings;
use crate::state::{BodyState, State};
use carom_contact::ContactProblem;
use glam::DVec2;

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
    /// Room for the state before a response.
    pub(crate) before: Vec<BodyState>,
    /// Room for the contacts of a step.
    pub(crate) impact: Impact,
}

impl World {
    /// A world of a model at a state, if they fit together and every number is in its range.
    ///
    /// In course mode the order and the treatment of overlap are the course's, whatever the settings say.
    pub fn new(model: Model, state: State, settings: Settings) -> Result<Self, ModelError> {
        check::model(&model, &settings)?;
        check::state(&model, &state)?;
        check::settings(&settings)?;
        let nothing = vec![Load::default(); model.bodies.len()];
        let impact = Impact::new(&model);
        let settings = settings.as_followed();
        Ok(Self {
            model,
            state,
            settings,
            applied: nothing.clone(),
            loads: nothing,
            before: Vec::new(),
            impact,
        })
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

    /// Who touched in the last step, in order: pairs whose gap was closed, and pairs that were kept from closing it too far.
    pub fn touched(&self) -> impl Iterator<Item = Touched> + '_ {
        self.impact.touched(&self.model)
    }

    /// The contact problem of the last step in which something touched: M, q̇ before, N; A by its directions.
    pub fn contact_problem(&self) -> &ContactProblem {
        &self.impact.problem
    }

    /// Pushes and turns a body during the next step. Several pushes add up. A fixed or scripted body does not feel it;
    /// neither does a body that is not there.
    pub fn apply(&mut self, body: BodyIndex, force: DVec2, torque: f64) {
        if let Some(load) = self.applied.get_mut(body.get()) {
            load.force += force;
            load.torque += torque;
        }
    }

    /// Puts the world into another state, for comparison and for resuming. What the contact solver remembered is forgotten.
    pub fn set_state(&mut self, state: State) -> Result<(), ModelError> {
        check::state(&self.model, &state)?;
        self.state = state;
        self.impact.workspace.restore_memory(&[]);
        Ok(())
    }

    /// What the contact solver remembers from step to step, as plain numbers. A world with the same state and memory goes on
    /// to the same bits.
    pub fn memory(&self) -> Vec<f64> {
        self.impact.workspace.memory()
    }

    /// The same into room that is there already.
    pub fn write_memory(&self, numbers: &mut Vec<f64>) {
        self.impact.workspace.write_memory(numbers);
    }

    /// Puts back what [`World::memory`] gave, after [`World::set_state`].
    pub fn restore_memory(&mut self, memory: &[f64]) {
        self.impact.workspace.restore_memory(memory);
    }
}
