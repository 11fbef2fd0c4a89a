//! Velocity Verlet. A force that depends on velocity (wind) sees the half-way velocity in the
//! second push.

use super::{ForceLaw, drift, push};
use crate::force::Load;
use crate::model::Model;
use crate::state::State;

pub(super) fn advance(model: &Model, state: &mut State, dt: f64, law: &mut ForceLaw, loads: &mut [Load]) {
    law(&state.bodies, loads);
    push(model, state, 0.5 * dt, loads);
    drift(model, state, dt);
    law(&state.bodies, loads);
    push(model, state, 0.5 * dt, loads);
}
