//! How a free body turns in a step: a midpoint rule on the rotation group.
//!
//! After Lewis and Simo, "Conserving algorithms for the dynamics of Hamiltonian systems on Lie
//! groups", Journal of Nonlinear Science 4,
//! 1994. With the body momentum m = RᵀL the rule turns R₁ = R₀ exp(θ), where θ = h I⁻¹ m̄, m̄ = ½
//!       (m₀ + m₁) and m₁ = exp(−θ) m₀.
//!
//! The momentum in world axes R₁ m₁ = R₀ m₀ is kept exactly. A rotation about θ changes m across θ
//! only, so that the change of energy ½ (m₁ + m₀) · I⁻¹ (m₁ − m₀) = θ · (m₁ − m₀) / h is 0: energy
//! is kept exactly too. Second order, and exact for a spin about a principal axis. (Lewis and Simo
//! take Cayley's rotation for the exponential, which turns a steady spin too slowly.)

use crate::model::Body;
use crate::orientation::{exponential, star};
use carom_geometry::march::count_looks;
use carom_numerics::elementary;
use glam::{DMat3, DQuat, DVec3};

/// Rounds of the quasi-Newton method; each gains a factor of about (h ω)².
const MOST_ROUNDS: usize = 60;

/// The equation is solved when a round changes θ by less than this part of it.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// What rounding may leave where rounds no longer come closer.
const STAGNANT: f64 = 1e-13;

/// Turns in a piece of a step at most about this far, in radians: further, the equation has no or
/// several solutions.
const PIECE: f64 = 1.0;

/// Turns from here on, in radians, are solved with the exact derivative first: five rounds, where
/// the rough one takes thirty.
const FAST: f64 = 0.25;

/// Halvings of a step into pieces.
const MOST_HALVINGS: u32 = 12;

/// What a piece costs, in looks at two features.
const LOOKS_OF_A_PIECE: u64 = 5;

/// How a body with an angular momentum turns from an orientation, seen from the world, and whether
/// the rule's equation was solved. A fast spin is taken in pieces; unsolved, it is the explicit
/// turn of the last pieces.
pub(crate) fn free_turn(body: &Body, r: DMat3, angular_momentum: DVec3, h: f64) -> (DQuat, bool) {
    let start = r.transpose() * angular_momentum;
    let whole = (h * (*body.inverse_inertia() * start)).length();
    let mut halvings = 0;
    while halvings < MOST_HALVINGS && whole > PIECE * f64::from(1u32 << halvings) {
        halvings += 1;
    }
    loop {
        let pieces = 1u32 << halvings;
        count_looks(LOOKS_OF_A_PIECE * u64::from(pieces - 1));
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

/// θ in body axes from the body momentum, and whether the equation was solved. Unsolved, θ is the
/// explicit h I⁻¹ m₀.
fn body_turn(body: &Body, m0: DVec3, h: f64) -> (DVec3, bool) {
    // d(exp(−θ) m₀) ≈ m̄ × dθ is enough but for thin bodies, whose spin follows small changes of m.
    let rough = |_: DVec3, middle: DVec3| star(middle);
    let exact =
        |turn: DVec3, _: DVec3| DMat3::from_quat(exponential(-turn)) * star(m0) * right_jacobian(-turn);
    let square = (h * (*body.inverse_inertia() * m0)).length_squared();
    let found = if square < FAST * FAST {
        newton(body, m0, h, rough).or_else(|| newton(body, m0, h, exact))
    } else {
        newton(body, m0, h, exact).or_else(|| newton(body, m0, h, rough))
    };
    (found.unwrap_or(h * (*body.inverse_inertia() * m0)), found.is_some())
}

/// Solves for θ with a derivative of m₁ by θ.
fn newton(body: &Body, m0: DVec3, h: f64, derivative: impl Fn(DVec3, DVec3) -> DMat3) -> Option<DVec3> {
    let inverse = *body.inverse_inertia();
    let mut turn = h * (inverse * m0);
    let mut last_change = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        let middle = 0.5 * (m0 + exponential(-turn) * m0);
        let residual = turn - h * (inverse * middle);
        let jacobian = DMat3::IDENTITY - 0.5 * h * (inverse * derivative(turn, middle));
        let change = jacobian.inverse() * residual;
        let size = change.length();
        if !change.is_finite() {
            return None;
        }
        let stagnant = size >= last_change && last_change <= STAGNANT * turn.length();
        turn -= change;
        if size <= TOLERANCE * turn.length() || stagnant {
            return Some(turn);
        }
        last_change = size;
    }
    None
}

/// J with exp(φ + δ) ≈ exp(φ) exp(J δ).
fn right_jacobian(phi: DVec3) -> DMat3 {
    let square = phi.length_squared();
    let angle = square.sqrt();
    let (b, c) = match angle < 1e-3 {
        true => (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0),
        false => {
            let (sin, cos) = elementary::sin_cos(angle);
            ((1.0 - cos) / square, (angle - sin) / (square * angle))
        }
    };
    DMat3::IDENTITY - b * star(phi) + c * (star(phi) * star(phi))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Motion;
    use crate::shape::Shape;

    /// However fast, a free turn keeps the energy: rods, plates and bodies without symmetry.
    #[test]
    fn free_turns_keep_energy() {
        for inertia in [DVec3::new(1.0, 1.0, 0.01), DVec3::new(0.5, 0.5, 1.0), DVec3::new(1.0, 2.0, 2.5)] {
            let shape = Shape::Sphere { radius: 1.0 };
            let body = Body::new(1.0, DMat3::from_diagonal(inertia), shape, Motion::Free);
            for spin in [0.1, 3.0, 40.0, 500.0] {
                let momentum = spin * inertia * DVec3::new(0.3, 0.5, 0.8);
                let (turn, solved) = free_turn(&body, DMat3::IDENTITY, momentum, 1.0);
                let energy = |m: DVec3| 0.5 * m.dot(*body.inverse_inertia() * m);
                let ratio = energy(turn.conjugate() * momentum) / energy(momentum);
                assert!(solved && (ratio - 1.0).abs() < 1e-10, "{inertia} {spin}: {solved}, {ratio}");
            }
        }
    }
}
