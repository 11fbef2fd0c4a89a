//! All bodies as one array of numbers, as the lecture packs them, so that any solver of ordinary
//! differential equations can drive them: x, then q (w, x, y, z) or R (row by row), then P, then L,
//! body after body.

use super::Advanced;
use super::ode::{self, OdeMethod, OdeScratch};
use crate::force::{ForceLaw, Load};
use crate::model::{Body, Model};
use crate::orientation::{Orientation, star};
use crate::state::BodyState;
use glam::{DMat3, DQuat, DVec3};

/// Numbers of one body: 13 with a quaternion, 18 with a matrix.
pub fn state_size(state: &BodyState) -> usize {
    match state.orientation {
        Orientation::Quaternion(_) => 13,
        Orientation::Matrix(_) => 18,
    }
}

/// Appends the bodies to an array: the lecture's `BodiesToArray`.
pub fn pack(bodies: &[BodyState], array: &mut Vec<f64>) {
    for body in bodies {
        array.extend(body.position.to_array());
        match body.orientation {
            Orientation::Quaternion(q) => array.extend([q.w, q.x, q.y, q.z]),
            Orientation::Matrix(r) => array.extend(r.transpose().to_cols_array()),
        }
        array.extend(body.momentum.to_array());
        array.extend(body.angular_momentum.to_array());
    }
}

/// Reads the bodies back: the lecture's `ArrayToBodies`. Bodies keep their kind of orientation;
/// numbers that are missing leave the rest of the bodies as they were.
pub fn unpack(array: &[f64], bodies: &mut [BodyState]) {
    let mut rest = array;
    for body in bodies {
        let Some((own, others)) = rest.split_at_checked(state_size(body)) else { return };
        rest = others;
        let (turned, momenta) = own[3..].split_at(own.len() - 9);
        body.position = DVec3::from_slice(own);
        body.orientation = match body.orientation {
            Orientation::Quaternion(_) => {
                Orientation::Quaternion(DQuat::from_xyzw(turned[1], turned[2], turned[3], turned[0]))
            }
            Orientation::Matrix(_) => Orientation::Matrix(DMat3::from_cols_slice(turned).transpose()),
        };
        body.momentum = DVec3::from_slice(momenta);
        body.angular_momentum = DVec3::from_slice(&momenta[3..]);
    }
}

/// Writes d/dt of one body: v, ½ ω q or ω* R, F, τ. The lecture's `DdtStateToArray`. Zeros for a
/// body that is not free.
fn write_derivative(body: &Body, state: &BodyState, load: &Load, out: &mut [f64]) {
    out.fill(0.0);
    if !body.motion.is_free() {
        return;
    }
    let omega = state.angular_velocity(body);
    let momenta = out.len() - 6;
    state.velocity(body).write_to_slice(&mut out[..3]);
    match state.orientation {
        Orientation::Quaternion(q) => {
            let rate = DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * q * 0.5;
            out[3..7].copy_from_slice(&[rate.w, rate.x, rate.y, rate.z]);
        }
        Orientation::Matrix(r) => {
            (star(omega) * r).transpose().write_cols_to_slice(&mut out[3..12]);
        }
    }
    load.force.write_to_slice(&mut out[momenta..]);
    load.torque.write_to_slice(&mut out[momenta + 3..]);
}

/// Scratch buffers for driving the flat array.
#[derive(Debug, Clone, Default)]
pub(super) struct Flat {
    start: Vec<f64>,
    end: Vec<f64>,
    seen: Vec<BodyState>,
    ode: OdeScratch,
}

impl Flat {
    /// Packs, solves, unpacks, and mends orientations.
    pub(super) fn advance(
        &mut self,
        method: OdeMethod,
        (model, bodies): (&Model, &mut [BodyState]),
        span: (f64, f64),
        law: &mut ForceLaw,
        loads: &mut [Load],
    ) -> Advanced {
        let Self { start, end, seen, ode } = self;
        start.clear();
        pack(bodies, start);
        end.clear();
        end.extend_from_slice(start);
        seen.clear();
        seen.extend_from_slice(bodies);
        let mut dxdt = |time: f64, x: &[f64], rate: &mut [f64]| {
            unpack(x, seen);
            law(time, seen, loads);
            let mut rest = rate;
            for ((body, state), load) in model.bodies.iter().zip(seen.iter()).zip(loads.iter()) {
                let (own, others) = rest.split_at_mut(state_size(state));
                write_derivative(body, state, load, own);
                rest = others;
            }
        };
        let solved = ode::solve(method, (start, end), span, &mut dxdt, ode);
        unpack(end, bodies);
        let mut drift: f64 = 0.0;
        for (body, moving) in model.bodies.iter().zip(bodies) {
            if body.motion.is_free() {
                let (orientation, off) = moving.orientation.normalized();
                moving.orientation = orientation;
                drift = drift.max(off);
            }
        }
        Advanced { drift, own_steps: solved.steps, inaccurate: solved.inaccurate }
    }
}
