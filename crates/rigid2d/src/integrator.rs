//! Moving free bodies by the forces on them, without contact.

mod euler;
mod verlet;

use crate::force::Load;
use crate::model::{Body, Model, Motion};
use crate::script::Pose;
use crate::state::{BodyState, State};

/// The time stepping methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrator {
    /// Positions by the old velocities.
    ExplicitEuler,
    /// Velocities first, then positions by the new velocities.
    SymplecticEuler,
    /// Velocity Verlet: half a push, a move, half a push at the new place.
    VelocityVerlet,
}

/// How forces are asked for: fills one load for each body from a state.
pub type ForceLaw<'a> = dyn FnMut(&[BodyState], &mut [Load]) + 'a;

impl Integrator {
    /// Moves every free body by one step and every kinematic body along its script. `loads` is room
    /// for one load for each body.
    pub fn advance(self, model: &Model, state: &mut State, dt: f64, law: &mut ForceLaw, loads: &mut [Load]) {
        aim_kinematic(model, state, dt);
        move_kinematic(model, state, dt);
        match self {
            Integrator::ExplicitEuler => euler::explicit(model, state, dt, law, loads),
            Integrator::SymplecticEuler => euler::symplectic(model, state, dt, law, loads),
            Integrator::VelocityVerlet => verlet::advance(model, state, dt, law, loads),
        }
    }
}

/// Velocities of free bodies only: V += dt F / M, ω += dt τ / I.
pub fn push(model: &Model, state: &mut State, dt: f64, loads: &[Load]) {
    for ((body, moving), load) in model.bodies.iter().zip(&mut state.bodies).zip(loads) {
        if body.motion.is_free() {
            push_body(body, moving, dt, load);
        }
    }
}

/// Positions of free bodies only: X += dt V, θ += dt ω.
pub fn drift(model: &Model, state: &mut State, dt: f64) {
    for (body, moving) in model.bodies.iter().zip(&mut state.bodies) {
        if body.motion.is_free() {
            drift_body(moving, dt);
        }
    }
}

/// Positions of free and kinematic bodies, within a step.
pub fn drift_all(model: &Model, state: &mut State, dt: f64) {
    for (body, moving) in model.bodies.iter().zip(&mut state.bodies) {
        if !matches!(body.motion, Motion::Fixed) {
            drift_body(moving, dt);
        }
    }
}

/// Gives every kinematic body the velocity that takes it from where it is to its pose at the end of
/// the step, so that contact sees the motion that really happens.
pub fn aim_kinematic(model: &Model, state: &mut State, dt: f64) {
    let end_time = (state.step + 1) as f64 * dt;
    for (body, moving) in model.bodies.iter().zip(&mut state.bodies) {
        if let Motion::Kinematic(script) = &body.motion {
            let Pose { position, angle } = script.pose_at(end_time);
            moving.velocity = (position - moving.position) / dt;
            moving.angular_velocity = (angle - moving.angle) / dt;
        }
    }
}

/// Puts every kinematic body where it is at the end of the step.
pub fn move_kinematic(model: &Model, state: &mut State, dt: f64) {
    let end_time = (state.step + 1) as f64 * dt;
    for (body, moving) in model.bodies.iter().zip(&mut state.bodies) {
        if let Motion::Kinematic(script) = &body.motion {
            let Pose { position, angle } = script.pose_at(end_time);
            moving.position = position;
            moving.angle = angle;
        }
    }
}

fn push_body(body: &Body, moving: &mut BodyState, dt: f64, load: &Load) {
    moving.velocity += (dt * load.force) * (1.0 / body.mass);
    moving.angular_velocity += dt * load.torque / body.inertia;
}

fn drift_body(moving: &mut BodyState, dt: f64) {
    moving.position += dt * moving.velocity;
    moving.angle += dt * moving.angular_velocity;
}
