//! Moving free bodies by the forces on them, without contact.

mod flat;
pub(crate) mod free_turn;
pub mod ode;

pub use flat::{pack, state_size, unpack};
pub use ode::OdeMethod;

use crate::force::{ForceLaw, Load};
use crate::model::{Model, Motion};
use crate::orientation::logarithm;
use crate::state::BodyState;
use flat::Flat;

/// The time stepping methods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Integrator {
    /// x(t) + dt ẋ(t) on the flat array; first order.
    ExplicitEuler,
    /// Momenta first, then free motion with the new momenta; first order. Without torque it keeps
    /// angular momentum and energy to rounding.
    SymplecticEuler,
    /// The explicit midpoint rule on the flat array; second order.
    Midpoint,
    /// The classical method of Runge and Kutta on the flat array; fourth order.
    RungeKutta4,
    /// Dormand and Prince's pair of orders 5 and 4, with steps of its own inside a step.
    DormandPrince {
        /// Error allowed in each own step, absolute for numbers up to 1 and relative above; above
        /// 0.
        tolerance: f64,
    },
    /// Half a push, free motion, half a push; second order, but first order where forces depend on
    /// velocity. Without torque it keeps angular momentum and energy to rounding, for as long as
    /// one likes.
    LieMidpoint,
}

/// What an advance has to tell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Advanced {
    /// Largest distance of an orientation from a rotation before it was normalized.
    pub drift: f64,
    /// Steps of the adaptive method, those that were taken back included; 1 for the others.
    pub own_steps: u64,
    /// Whether an inner solve (own step length, implicit rule) did not reach its tolerance.
    pub inaccurate: bool,
}

/// Scratch buffers of an advance: no step allocates once they have grown.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    loads: Vec<Load>,
    flat: Flat,
}

impl Integrator {
    /// Moves every free body from the start of a span of time to its end. Fixed and kinematic
    /// bodies stay; see [`aim_kinematic`].
    pub fn advance(
        self,
        model: &Model,
        bodies: &mut [BodyState],
        (start, end): (f64, f64),
        law: &mut ForceLaw,
        scratch: &mut Scratch,
    ) -> Advanced {
        let dt = end - start;
        scratch.loads.resize(bodies.len(), Load::default());
        let method = match self {
            Integrator::ExplicitEuler => OdeMethod::Euler,
            Integrator::Midpoint => OdeMethod::Midpoint,
            Integrator::RungeKutta4 => OdeMethod::RungeKutta4,
            Integrator::DormandPrince { tolerance } => OdeMethod::DormandPrince { tolerance },
            Integrator::SymplecticEuler => {
                law(start, bodies, &mut scratch.loads);
                push(model, bodies, dt, &scratch.loads);
                return drift(model, bodies, dt);
            }
            Integrator::LieMidpoint => {
                law(start, bodies, &mut scratch.loads);
                push(model, bodies, 0.5 * dt, &scratch.loads);
                let advanced = drift(model, bodies, dt);
                law(end, bodies, &mut scratch.loads);
                push(model, bodies, 0.5 * dt, &scratch.loads);
                return advanced;
            }
        };
        let Scratch { loads, flat } = scratch;
        flat.advance(method, (model, bodies), (start, end), law, loads)
    }
}

/// Momenta of free bodies only: P += dt F, L += dt τ.
pub fn push(model: &Model, bodies: &mut [BodyState], dt: f64, loads: &[Load]) {
    for ((body, moving), load) in model.bodies.iter().zip(bodies).zip(loads) {
        if body.motion.is_free() {
            moving.momentum += dt * load.force;
            moving.angular_momentum += dt * load.torque;
        }
    }
}

/// Places of free bodies only: x += dt v, and R turned by the midpoint rule that keeps angular
/// momentum and energy.
pub fn drift(model: &Model, bodies: &mut [BodyState], dt: f64) -> Advanced {
    let mut advanced = Advanced { own_steps: 1, ..Advanced::default() };
    for (body, moving) in model.bodies.iter().zip(bodies) {
        if body.motion.is_free() {
            let r = moving.orientation.matrix();
            let (turn, solved) = free_turn::free_turn(body, r, moving.angular_momentum, dt);
            moving.position += dt * moving.velocity(body);
            advanced.drift = advanced.drift.max(normalize(moving, turn));
            advanced.inaccurate |= !solved;
        }
    }
    advanced
}

/// Gives every kinematic body the momenta of the motion that takes it from where it is to its pose
/// at the time `end`, so that contact sees the motion that really happens.
pub fn aim_kinematic(model: &Model, bodies: &mut [BodyState], end: f64, dt: f64) {
    for (body, moving) in model.bodies.iter().zip(bodies) {
        if let Motion::Kinematic(script) = &body.motion {
            let (position, turned) = script.pose_at(end);
            let velocity = (position - moving.position) / dt;
            let turn = turned * moving.orientation.quaternion().conjugate();
            *moving = moving.moving(body, velocity, logarithm(turn) / dt);
        }
    }
}

/// Puts every kinematic body where it is at a time. Its velocities stay as they are.
pub fn move_kinematic(model: &Model, bodies: &mut [BodyState], time: f64) {
    for (body, moving) in model.bodies.iter().zip(bodies) {
        if let Motion::Kinematic(script) = &body.motion {
            let (velocity, spin) = (moving.velocity(body), moving.angular_velocity(body));
            let (position, turned) = script.pose_at(time);
            let turn = turned * moving.orientation.quaternion().conjugate();
            moving.position = position;
            normalize(moving, turn);
            *moving = moving.moving(body, velocity, spin);
        }
    }
}

/// Turns a body and mends its orientation; returns the drift.
fn normalize(moving: &mut BodyState, turn: glam::DQuat) -> f64 {
    let (orientation, drift) = moving.orientation.turned_by(turn).normalized();
    moving.orientation = orientation;
    drift
}
