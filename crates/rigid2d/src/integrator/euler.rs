//! Explicit and symplectic Euler, as the course writes them. Forces come from the state at the
//! start of the step.

use super::{ForceLaw, drift, push};
use crate::force::Load;
use crate::model::Model;
use crate::state::State;

pub(super) fn explicit(model: &Model, state: &mut State, dt: f64, law: &mut ForceLaw, loads: &mut [Load]) {
    law(&state.bodies, loads);
    drift(model, state, dt);
    push(model, state, dt, loads);
}

pub(super) fn symplectic(model: &Model, state: &mut State, dt: f64, law: &mut ForceLaw, loads: &mut [Load]) {
    law(&state.bodies, loads);
    push(model, state, dt, loads);
    drift(model, state, dt);
}
