//! Pairwise impulses: one live sweep over the contacts in their order.
//!
//! Each approaching contact gets the impulse −(1 + e) g / ηᵀM⁻¹η of its own, reading velocities as
//! earlier contacts left them; then the tangents get the impulses that would stop their sliding,
//! shortened to Coulomb's |λₜ| ≤ μλₙ. With D the diagonal of the tangents' block W ≤ 2D, the energy
//! changes by at most (s² − s) uᵀD⁻¹u ≤ 0 for the part s ≤ 1 of them. The result depends on the
//! order, and contacts served early may approach again: the residual says by how much.

use crate::problem::ContactProblem;
use crate::resolution::Resolution;

/// Sweeps once over all contacts.
pub(crate) fn sweep(problem: &ContactProblem, resolution: &mut Resolution) {
    let velocity = &mut resolution.velocity;
    let mut work = 0.0;
    for k in 0..problem.contact_count() {
        let (contact, normal) = (problem.parameters(k), problem.normal(k));
        let approach = problem.gap_speed(k, velocity);
        let inverse_mass = normal.inverse_mass();
        if approach + contact.speculative_bias >= 0.0 || inverse_mass <= 0.0 {
            continue;
        }
        let restitution = if contact.speculative_bias > 0.0 { 0.0 } else { contact.restitution };
        let impulse = -((1.0 + restitution) * approach + contact.speculative_bias) / inverse_mass;
        work += push(problem, normal, velocity, impulse);
        resolution.impulses[k] = impulse;
        if contact.friction == 0.0 {
            continue;
        }
        // What would stop each tangent, shortened to Coulomb's circle.
        let mut square = 0.0;
        for t in problem.tangent_range(k) {
            let stop = problem.tangent(t).reflecting_impulse(velocity, 0.0);
            resolution.friction_impulses[t] = stop;
            square += stop * stop;
        }
        let (bound, length) = ((contact.friction * impulse).max(0.0), f64::sqrt(square));
        let share = if length > bound { bound / length } else { 1.0 };
        for t in problem.tangent_range(k) {
            resolution.friction_impulses[t] *= share;
            work += push(problem, problem.tangent(t), velocity, resolution.friction_impulses[t]);
        }
    }
    resolution.energy_change = work;
    resolution.sweeps = 1;
    for k in 0..problem.contact_count() {
        if problem.normal(k).inverse_mass() > 0.0 {
            let left = -(problem.gap_speed(k, &resolution.velocity) + problem.parameters(k).speculative_bias);
            resolution.residual.penetration_speed = resolution.residual.penetration_speed.max(left);
        }
    }
}

/// Applies an impulse; returns its work on what can move.
fn push(problem: &ContactProblem, direction: crate::RowView<'_>, velocity: &mut [f64], impulse: f64) -> f64 {
    let speed = |velocity: &[f64]| -> f64 {
        let movable = direction.entries().filter(|&(dof, ..)| problem.is_movable(dof));
        movable.map(|(dof, eta, _)| eta * velocity[dof.0 as usize]).sum()
    };
    let before = speed(velocity);
    direction.apply_impulse(velocity, impulse);
    0.5 * impulse * (before + speed(velocity))
}
