//! The implicit midpoint rule of a free rigid body, on the rotation group.
//!
//! Source: Lewis and Simo, "Conserving algorithms for the dynamics of Hamiltonian systems on Lie groups", Journal of Nonlinear
//! Science 4, 1994; Austin, Krishnaprasad and Wang, "Almost Poisson integration of rigid body systems", 1993. With the body
//! momentum m = RᵀL the rule solves m₁ − m₀ = h m̄ × ω̄ with m̄ = ½ (m₀ + m₁) and ω̄ = I⁻¹ m̄, and turns R₁ = R₀ cay(h ω̄).
//! Because m₁ = cay(h ω̄)ᵀ m₀, the momentum in space R₁ m₁ = R₀ m₀ is kept exactly; because ω̄ · (m₁ − m₀) = 0, so is the energy
//! ½ m · I⁻¹ m. Second order.

use super::Advanced;
use crate::model::{Body, Model};
use crate::orientation::{cayley, star};
use crate::state::BodyState;
use glam::{DMat3, DVec3};

/// Newton's method from a good guess takes three or four rounds.
const MOST_ROUNDS: usize = 30;

/// The equation is solved when a round changes m by less than this part of it.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// Moves free bodies without forces.
pub(super) fn drift(model: &Model, bodies: &mut [BodyState], dt: f64) -> Advanced {
    let mut advanced = Advanced { own_steps: 1, ..Advanced::default() };
    for (body, moving) in model.bodies.iter().zip(bodies) {
        if body.motion.is_free() {
            let r = moving.orientation.matrix();
            let (turn, solved) = body_turn(body, r.transpose() * moving.angular_momentum, dt);
            moving.position += dt * moving.velocity(body);
            // cay(h ω̄) acts in body axes; seen from the world its axis is R ω̄.
            let turn = cayley(r * turn);
            advanced.drift = advanced.drift.max(super::mend(moving, turn));
            advanced.inaccurate |= !solved;
        }
    }
    advanced
}

/// h ω̄ in body axes, by Newton's method on m₁ − m₀ − h m̄ × I⁻¹ m̄ = 0.
fn body_turn(body: &Body, m0: DVec3, h: f64) -> (DVec3, bool) {
    let inverse = *body.inverse_inertia();
    let scale = m0.length();
    let mut m1 = m0 + h * m0.cross(inverse * m0);
    let mut solved = scale == 0.0;
    for _ in 0..MOST_ROUNDS {
        if solved {
            break;
        }
        let middle = 0.5 * (m0 + m1);
        let omega = inverse * middle;
        let residual = m1 - m0 - h * middle.cross(omega);
        let jacobian = DMat3::IDENTITY - 0.5 * h * (star(middle) * inverse - star(omega));
        let change = jacobian.inverse() * residual;
        if !change.is_finite() {
            break;
        }
        m1 -= change;
        solved = change.length() <= TOLERANCE * scale;
    }
    (h * (inverse * (0.5 * (m0 + m1))), solved)
}
