//! Coulomb friction: tangential impulses within μ times the normal ones, solved together with the normals.
//!
//! Source: Kaufman, Sueda, James, Pai, "Staggered projections for frictional contact in multibody systems", SIGGRAPH Asia
//! 2008, section 4: a fixed point between normal impulses, which bound friction, and friction, which changes normal
//! impulses. Departure: instead of alternating two projections, each round solves normals and tangents in one box
//! problem, 0 ≤ λₙ, |λₜ| ≤ μ λₙ', where λₙ' are the normal impulses of the round before; the answer is a fixed point of the
//! same map, and a round that does not come closer is averaged with the one before. Each tangent has its own box: exact in
//! the plane, a pyramid along the two tangents in space. Not every problem has a unique answer, and convergence is not
//! guaranteed: the status and the residual `friction` say how far it came.
//!
//! With Generalized Reflection friction acts once, bounded by the elastic normal impulses, and contacts that it makes approach
//! are reflected again.

use crate::problem::ContactProblem;
use crate::resolution::Status;
use crate::workspace::{Island, push_row};
use carom_numerics::lcp::large::{LargeProblem, LargeSettings, LargeSolver};
use carom_numerics::lcp::{GramRows, Outcome};

/// Rounds of the fixed point before it gives up.
const MAX_ROUNDS: u64 = 200;
/// The last change of the bounds, as a part of the largest speed in b, at which friction counts as converged.
const CONVERGED: f64 = 1e-11;
/// A round must shrink the change at least to this part, else it is averaged with the one before.
const CONTRACTION: f64 = 0.9;

/// Memory of friction in an island.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrictionScratch {
    /// Tangents (numbers in the problem) and the island's contact each belongs to.
    tangent: Vec<u32>,
    owner: Vec<u32>,
    rest_speed: Vec<f64>,
    rows: GramRows,
    b: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    bound: Vec<f64>,
    lambda: Vec<f64>,
    u: Vec<f64>,
    solver: LargeSolver,
}

impl FrictionScratch {
    /// True if some contact of the island rubs.
    pub(crate) fn is_active(&self) -> bool {
        !self.tangent.is_empty()
    }

    /// Tangents of the problem with their impulses.
    pub(crate) fn impulses(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let first = self.rows.len() - self.tangent.len();
        self.tangent.iter().zip(&self.lambda[first..]).map(|(&t, &l)| (t, l))
    }

    /// Work of friction: ½ λₜᵀTᵀ(v⁻ + v⁺).
    pub(crate) fn work(&self, before: &[f64], after: &[f64]) -> f64 {
        let first = self.rows.len() - self.tangent.len();
        (first..self.rows.len()).fold(0.0, |sum, k| {
            let row = self.rows.row(k);
            sum + 0.5 * self.lambda[k] * (row.dot(before) + row.dot(after))
        })
    }
}

/// Collects the tangents of an island; called before any response.
pub(crate) fn gather(problem: &ContactProblem, local_dof: &[u32], island: &mut Island) {
    let scratch = &mut island.friction;
    scratch.tangent.clear();
    scratch.owner.clear();
    for (local, &k) in island.contacts.iter().enumerate() {
        if problem.contacts()[k as usize].friction > 0.0 {
            for t in problem.tangent_range(k as usize) {
                scratch.tangent.push(t as u32);
                scratch.owner.push(local as u32);
            }
        }
    }
    if scratch.tangent.is_empty() {
        return;
    }
    scratch.rows.clear(island.dofs.len());
    for &k in &island.contacts {
        push_row(&mut scratch.rows, &problem.contacts()[k as usize].normal, problem, local_dof);
    }
    scratch.rest_speed.clear();
    for &t in &scratch.tangent {
        let direction = &problem.tangents()[t as usize];
        push_row(&mut scratch.rows, direction, problem, local_dof);
        let fixed = direction.entries().filter(|&(dof, ..)| !problem.is_movable(dof));
        let speed = fixed.fold(0.0, |sum, (dof, eta, _)| sum + eta * problem.velocity[dof.0 as usize]);
        scratch.rest_speed.push(speed);
    }
    scratch.lambda.clear();
    scratch.lambda.resize(scratch.rows.len(), 0.0);
}

/// Adds friction to a simultaneous answer; `island.simultaneous.b` still holds what its normals demanded.
pub(crate) fn couple(problem: &ContactProblem, island: &mut Island) {
    let count = island.contacts.len();
    let mut scratch = std::mem::take(&mut island.friction);
    scratch.b.clear();
    scratch.b.extend_from_slice(&island.simultaneous.b);
    scratch.push_slip_speeds(count, &island.velocity_before);
    let scale = scratch.b.iter().fold(0.0f64, |m, b| m.max(b.abs()));
    scratch.lambda[..count].copy_from_slice(&island.impulses);
    scratch.bound.clone_from(&island.impulses);
    let report = &mut island.report;
    report.status = Status::FrictionNotConverged;
    let mut last_change = f64::INFINITY;
    for round in 1..=MAX_ROUNDS {
        scratch.set_bounds(problem, &island.contacts, f64::INFINITY);
        let outcome = scratch.solve(&island.mass);
        report.iterations += outcome.iterations;
        report.sweeps = round;
        report.residual = outcome.residual.into();
        let change = scratch.bound_change(problem, &island.contacts);
        report.residual.friction = change;
        if change <= CONVERGED * scale {
            report.status = outcome.status.into();
            break;
        }
        let keep = if change > CONTRACTION * last_change { 0.5 } else { 0.0 };
        for (bound, &new) in scratch.bound.iter_mut().zip(&scratch.lambda[..count]) {
            *bound = keep * *bound + (1.0 - keep) * new;
        }
        last_change = change;
    }
    island.impulses.copy_from_slice(&scratch.lambda[..count]);
    for ((v, before), change) in island.velocity.iter_mut().zip(&island.velocity_before).zip(&scratch.u) {
        *v = before + change;
    }
    island.friction = scratch;
}

/// Friction once, after an elastic answer, bounded by its impulses.
pub(crate) fn rub(problem: &ContactProblem, island: &mut Island) {
    let count = island.contacts.len();
    let mut scratch = std::mem::take(&mut island.friction);
    scratch.b.clear();
    scratch.b.resize(count, 0.0);
    scratch.push_slip_speeds(count, &island.velocity);
    scratch.bound.clone_from(&island.impulses);
    scratch.set_bounds(problem, &island.contacts, 0.0);
    let outcome = scratch.solve(&island.mass);
    island.report.iterations += outcome.iterations;
    island.report.status = island.report.status.max(outcome.status.into());
    for (v, change) in island.velocity.iter_mut().zip(&scratch.u) {
        *v += change;
    }
    island.friction = scratch;
}

impl FrictionScratch {
    fn push_slip_speeds(&mut self, count: usize, velocity: &[f64]) {
        for (t, rest) in self.rest_speed.iter().enumerate() {
            self.b.push(rest + self.rows.row(count + t).dot(velocity));
        }
    }

    /// Normals between 0 and `largest_normal`, tangents within μ times the bounding impulse.
    fn set_bounds(&mut self, problem: &ContactProblem, contacts: &[u32], largest_normal: f64) {
        self.lower.clear();
        self.lower.resize(contacts.len(), 0.0);
        self.upper.clear();
        self.upper.resize(contacts.len(), largest_normal);
        for &owner in &self.owner {
            let mu = problem.contacts()[contacts[owner as usize] as usize].friction;
            let bound = mu * self.bound[owner as usize];
            self.lower.push(-bound);
            self.upper.push(bound);
        }
    }

    fn solve(&mut self, mass: &carom_numerics::qp::BlockDiagonalMass) -> Outcome {
        let bounds = Some((self.lower.as_slice(), self.upper.as_slice()));
        let task = LargeProblem { rows: &self.rows, mass, b: &self.b, bounds };
        self.solver.solve(&task, &LargeSettings::default(), &mut self.lambda, &mut self.u)
    }

    /// The largest difference between a bound that was used and the one its normal impulse now gives, as a speed.
    fn bound_change(&self, problem: &ContactProblem, contacts: &[u32]) -> f64 {
        let first = contacts.len();
        self.owner.iter().enumerate().fold(0.0, |worst: f64, (t, &owner)| {
            let mu = problem.contacts()[contacts[owner as usize] as usize].friction;
            let row = self.rows.row(first + t);
            let difference = mu * (self.lambda[owner as usize] - self.bound[owner as usize]).abs();
            worst.max(difference * row.coupling(&row))
        })
    }
}
