//! How a free body turns in a step: a midpoint rule on the rotation group.
//!
//! After Lewis and Simo, "Conserving algorithms for the dynamics of Hamiltonian systems on Lie groups", Journal of Nonlinear Science 4,
//! 1994. With the body momentum m = RᵀL the rule turns R₁ = R₀ exp(θ), where θ = h I⁻¹ m̄, m̄ = ½ (m₀ + m₁) and m₁ = exp(−θ) m₀.
//!
//! The momentum in space R₁ m₁ = R₀ m₀ is kept exactly. A rotation about θ changes m across θ only, so that the change of energy
//! ½ (m₁ + m₀) · I⁻¹ (m₁ − m₀) = θ · (m₁ − m₀) / h is 0: energy is kept exactly too. Second order, and exact for a spin about a
//! principal axis. (Lewis and Simo take Cayley's rotation for the exponential, which turns a steady spin too slowly.)

use crate::model::Body;
use crate::orientation::{exponential, star};
use glam::{DMat3, DQuat, DVec3};

/// Rounds of the quasi-Newton method; each gains a factor of about (h ω)².
const MOST_ROUNDS: usize = 60;

/// The equation is solved when a round changes θ by less than this part of it.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// What rounding may leave where rounds no longer come closer.
const STAGNANT: f64 = 1e-13;

/// Turns in a piece of a step at most about this far, in radians: further, the equation has no or several solutions.
const PIECE: f64 = 1.0;

/// Halvings of a step into pieces.
const MOST_HALVINGS: u32 = 10;

/// How a body with an angular momentum turns from an orientation, seen from the world, and whether the rule's
/// equation was solved. A fast spin is taken in pieces; unsolved, it is the explicit turn of the last pieces.
pub(crate) fn free_turn(body: &Body, r: DMat3, angular_momentum: DVec3, h: f64) -> (DQuat, bool) {
    let start = r.transpose() * angular_momentum;
    let whole = (h * (*body.inverse_inertia() * start)).length();
    let mut halvings = 0;
    while halvings < MOST_HALVINGS && whole > PIECE * f64::from(1u32 << halvings) {
        halvings += 1;
    }
    loop {
        let pieces = 1u32 << halvings;
        let (first, mut solved) = body_turn(body, start, h / f64::from(pieces));
        // θ is in body axes; seen from the world its axis is R θ.
        let mut turn = exponential(r * first);
        let mut momentum = exponential(-first) * start;
        for _ in 1..pieces {
            let (next, found) = body_turn(body, momentum, h / f64::from(pieces));
            turn *= exponential(r * next);
            momentum = exponential(-next) * momentum;
            solved &= found;
        }
        if solved || halvings == MOST_HALVINGS || !whole.is_finite() {
            return (turn, solved);
        }
        halvings += 1;
    }
}

/// θ in body axes from the body momentum, and whether the equation was solved. Unsolved, θ is the explicit h I⁻¹ m₀.
fn body_turn(body: &Body, m0: DVec3, h: f64) -> (DVec3, bool) {
    let inverse = *body.inverse_inertia();
    let explicit = h * (inverse * m0);
    let mut turn = explicit;
    let mut last_change = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        let middle = 0.5 * (m0 + exponential(-turn) * m0);
        let residual = turn - h * (inverse * middle);
        // d(exp(−θ) m₀) ≈ m̄ × dθ.
        let jacobian = DMat3::IDENTITY - 0.5 * h * (inverse * star(middle));
        let change = jacobian.inverse() * residual;
        let size = change.length();
        if !change.is_finite() {
            break;
        }
        let stagnant = size >= last_change && last_change <= STAGNANT * turn.length();
        turn -= change;
        if size <= TOLERANCE * turn.length() || stagnant {
            return (turn, true);
        }
        last_change = size;
    }
    (explicit, false)
}
