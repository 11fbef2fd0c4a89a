//! All contacts at once: find λ ≥ 0 such that no contact approaches and only contacts that stay
//! closed push.

use super::regularized::RegularizedScratch;
pub use super::to_tolerance::ToTolerance;
use super::{friction, lcp, to_tolerance, velocity_projection, verification};
use crate::resolution::Status;
use crate::workspace::{Answer, Island, Report};
use carom_numerics::lcp::sparse::{SparseProblem, SparseSettings, SparseSolver};
use carom_numerics::lcp::sweeps::Sweeper;
use carom_numerics::lcp::{LcpStatus, Outcome, SparseJacobian};
use carom_numerics::qp::{BlockDiagonalMass, DualActiveSet};

/// From this many contacts on, an island goes to the sparse solver.
pub(crate) const SPARSE_FROM: usize = 40;

/// Up to this many contacts an answer of the sparse solver that missed its tolerance is sought
/// again by the exact ones.
const SECOND_TRY_TO: usize = 500;

/// Approach left up to this part of the fastest speed counts as solved.
const SOLVED: f64 = 1e-6;
/// Energy gained up to this part of the work done is rounding.
const GAINED: f64 = 1e-13;

/// The part of the answer without friction where friction wedges what bounces.
const OF_WEDGED: f64 = 0.5;

/// Approach up to this part of the largest speed is rounding: between two walls that just hold a
/// body it is no contradiction.
pub(crate) const ROUNDING: f64 = 1e-13;

/// The solver for small islands. Both give the same velocities; large islands share one sparse
/// solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simultaneous {
    /// Dantzig's principal pivoting on A, falling back to the dual active set when A is singular.
    #[default]
    Lcp,
    /// Goldfarb and Idnani's dual active set in velocity space.
    VelocityProjection,
}

/// Memory of the solvers.
#[derive(Clone, Debug, Default)]
pub(crate) struct SimultaneousScratch {
    lcp: lcp::LcpScratch,
    regularized: RegularizedScratch,
    active_set: DualActiveSet,
    sparse: SparseSolver,
    pub(crate) b: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) sweeper: Sweeper,
    pub(crate) swept: Vec<f64>,
    /// The answer with restitution, while the inelastic one is found.
    bounced: Answer,
    /// An answer that rounding has spoiled, while sweeps look for a better one.
    pub(crate) spoiled: Answer,
}

/// One complementarity problem: 0 ≤ λ ⊥ Nᵀu + b ≥ 0, u = M⁻¹Nλ.
pub(crate) struct Task<'a> {
    pub(crate) rows: &'a SparseJacobian,
    pub(crate) mass: &'a BlockDiagonalMass,
    pub(crate) b: &'a [f64],
    /// λ to start from, used by the sparse solver only; empty for none.
    pub(crate) guess: &'a [f64],
}

/// Writes the velocity after and the impulses of an island, with each contact's restitution and
/// friction.
///
/// A contact that opened already may be pushed because a neighbour bounces, and its push then works
/// with the motion: by itself this rule can gain energy (three equal balls in a row at 1, 0 and
/// 0.1, e = 1, gain 6 %); so can friction in such an impact (Kane and Levinson, "Dynamics: Theory
/// and Applications", 1985: a pendulum on a rough floor). Contacts gain energy when their work W =
/// Σλ(g⁻ + g⁺)/2, over normals and tangents, is above 0: speeds against moving obstacles, so that
/// what obstacles give does not count. Then the answer is the mixture with the inelastic one at
/// which W = 0. The inelastic answer has W ≤ 0 and W is convex along the mixture, so there is one;
/// both answers close no gap and keep to Coulomb's cones, which are convex, so every mixture does.
///
/// Where friction wedges what must bounce, contacts answer half with bounce and without friction,
/// half without bounce and with friction: no gap closes, impulses lie in their cones, nothing is
/// gained.
///
/// A body wedged between two others cannot bounce off both: then the answer is the inelastic one,
/// `LimitReached`.
pub(crate) fn respond(within: ToTolerance, island: &mut Island) {
    respond_and_rub(within, island, 1.0);
    if !island.bounces(1.0) {
        return;
    }
    let endless = island.report.status == Status::Infeasible;
    let wedged = island.friction.is_active() && island.report.status == Status::FrictionNotConverged;
    let gained = island.energy_change() + island.against_obstacles();
    if !endless && !wedged && gained <= GAINED * island.work_scale() {
        return;
    }
    let (report, given) = (island.report, island.against_obstacles());
    let mut bounced = std::mem::take(&mut island.simultaneous.bounced);
    island.put_aside(&mut bounced);
    island.reset();
    respond_and_rub(within, island, 0.0);
    let share = match (endless, wedged) {
        (true, _) => 0.0,
        (_, true) => island.share_that_keeps_energy(&bounced.velocity, given).min(OF_WEDGED),
        _ => island.share_that_keeps_energy(&bounced.velocity, given),
    };
    mix(&mut island.velocity, &bounced.velocity, share);
    mix(&mut island.impulses, &bounced.impulses, share);
    mix(island.friction.lambda_mut(), &bounced.friction, share);
    island.report.iterations += report.iterations;
    island.report.operations += report.operations;
    island.report.fallbacks += report.fallbacks;
    if endless {
        island.report.status = island.report.status.max(Status::LimitReached);
    } else {
        island.report.status = island.report.status.max(report.status);
        island.report.residual = island.report.residual.max(report.residual);
    }
    island.simultaneous.bounced = bounced;
}

/// Moves each number by a share of its way to another.
fn mix(numbers: &mut [f64], others: &[f64], share: f64) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number += share * (other - *number);
    }
}

/// Normals with a part of their restitution, and friction with them.
pub(crate) fn respond_and_rub(within: ToTolerance, island: &mut Island, bounce: f64) {
    if island.friction.is_active() {
        return friction::couple(within, island, bounce);
    }
    if within.sweeps(island) && to_tolerance::sweep(&within, island, bounce) {
        verification::clamp_velocity(island, bounce);
        return;
    }
    let swept = island.report;
    respond_normals(within.method, island, bounce);
    verification::fall_back(island, bounce);
    verification::clamp_velocity(island, bounce);
    if within.sweeps(island) {
        island.report.iterations += swept.iterations;
        island.report.operations += swept.operations;
        island.report.fallbacks += 1;
    }
    // exact as far as rounding allows, which may be less than was asked for
    if within.tolerance > 0.0 && island.report.residual.worst() > within.tolerance {
        island.report.status = island.report.status.max(Status::Inaccurate);
    }
}

/// The same exactly, without restitution and without friction.
pub(crate) fn respond_inelastic(method: Simultaneous, island: &mut Island) {
    respond_normals(method, island, 0.0);
}

/// Normals alone, exactly, with a part of their restitution.
pub(crate) fn respond_normals(method: Simultaneous, island: &mut Island, bounce: f64) {
    let mut scratch = std::mem::take(&mut island.simultaneous);
    let (mut b, mut u) = (std::mem::take(&mut scratch.b), std::mem::take(&mut scratch.u));
    write_demands(island, bounce, &mut b);
    let guess = if island.friction.is_active() { &[][..] } else { &island.guess };
    let task = Task { rows: &island.rows, mass: &island.mass, b: &b, guess };
    let mut outcome = scratch.solve(method, &task, &mut island.impulses, &mut u);
    let mut status = outcome.status.into();
    if status == Status::Infeasible {
        let before = island.velocity.iter().chain(&island.bias);
        let fastest = before.fold(0.0f64, |m, v| m.max(v.abs()));
        if outcome.residual.violation <= ROUNDING * fastest {
            status = Status::Stalled;
        } else if !island.bounces(bounce) && island.bias.iter().all(|&speed| speed >= 0.0) {
            // Standing still meets every contact when no obstacle comes nearer: this is rounding.
            status = Status::Inaccurate;
        } else {
            outcome = scratch.regularized.solve(&task, &mut island.impulses, &mut u);
        }
    }
    island.simultaneous = SimultaneousScratch { b, u, ..scratch };
    take_outcome(island, outcome, status);
}

/// Normals that give, with a part of their restitution and without friction.
pub(crate) fn respond_regularized(island: &mut Island, bounce: f64) {
    let mut scratch = std::mem::take(&mut island.simultaneous);
    write_demands(island, bounce, &mut scratch.b);
    let task = Task { rows: &island.rows, mass: &island.mass, b: &scratch.b, guess: &[] };
    let outcome = scratch.regularized.solve(&task, &mut island.impulses, &mut scratch.u);
    island.simultaneous = scratch;
    take_outcome(island, outcome, Status::Infeasible);
    island.friction.lambda_mut().fill(0.0);
}

/// Adds the change of velocity that was found and reports how it was.
fn take_outcome(island: &mut Island, outcome: Outcome, mut status: Status) {
    let before = island.velocity.iter().chain(&island.bias).chain(&island.gap_speed);
    let fastest = before.fold(0.0f64, |most, v| most.max(v.abs()));
    if outcome.residual.violation > SOLVED * fastest {
        // Small against the terms of a row, whose masses are many decades apart, and yet seen.
        status = status.max(Status::Inaccurate);
    }
    for (v, change) in island.velocity.iter_mut().zip(&island.simultaneous.u) {
        *v += change;
    }
    let Outcome { iterations, operations, residual, .. } = outcome;
    island.report =
        Report { status, iterations, operations, sweeps: 1, fallbacks: 0, residual: residual.into() };
}

/// Writes b of an island, with a part of its restitution.
pub(crate) fn write_demands(island: &Island, bounce: f64, b: &mut Vec<f64>) {
    b.clear();
    let contacts = island.parameters.iter().zip(&island.gap_speed);
    if bounce == 0.0 || island.targets.is_empty() {
        b.extend(contacts.map(|(&parameters, &speed)| demand(parameters, speed, bounce)));
    } else {
        b.extend(contacts.zip(&island.targets).map(|((&(speculative_bias, _), &speed), &target)| {
            if speculative_bias > 0.0 { speed + speculative_bias } else { speed - bounce * target }
        }));
    }
}

/// The entry of b: gap speed above what the contact demands. A closed contact with restitution e
/// must leave with at least e times its approach; an open one may approach by its speculative_bias.
fn demand((speculative_bias, restitution): (f64, f64), gap_speed: f64, bounce: f64) -> f64 {
    if speculative_bias > 0.0 {
        gap_speed + speculative_bias
    } else {
        gap_speed + bounce * restitution * gap_speed.min(0.0)
    }
}

impl SimultaneousScratch {
    /// Solves one complementarity problem by the method that fits its size; writes λ and u.
    pub(crate) fn solve(
        &mut self,
        method: Simultaneous,
        task: &Task<'_>,
        lambda: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> Outcome {
        if task.rows.len() == 1 {
            return solve_one(task, lambda, u);
        }
        let problem = (task.rows, task.b);
        let mut tried = Outcome::default();
        if task.rows.len() >= SPARSE_FROM {
            let settings = SparseSettings::default();
            lambda.clear();
            lambda.extend_from_slice(task.guess);
            let problem = SparseProblem { rows: task.rows, mass: task.mass, b: task.b, bounds: None };
            let outcome = self.sparse.solve(&problem, &settings, lambda, u);
            if outcome.status == LcpStatus::Solved || task.rows.len() > SECOND_TRY_TO {
                return outcome;
            }
            tried = outcome;
        }
        let outcome = match method {
            Simultaneous::Lcp => lcp::solve(&mut self.lcp, &mut self.active_set, problem, lambda, u),
            Simultaneous::VelocityProjection => {
                velocity_projection::solve(&mut self.active_set, problem, lambda, u)
            }
        };
        Outcome { operations: tried.operations + outcome.operations, ..outcome }
    }
}

/// A single contact in closed form: λ = max(0, −b / a).
fn solve_one(task: &Task<'_>, lambda: &mut Vec<f64>, u: &mut Vec<f64>) -> Outcome {
    let row = task.rows.row(0);
    let inverse_mass = row.delassus(&row);
    let push = if inverse_mass > 0.0 { (-task.b[0] / inverse_mass).max(0.0) } else { 0.0 };
    lambda.clear();
    lambda.push(push);
    task.rows.combine(lambda, u);
    Outcome { iterations: 1, residual: task.rows.residual(lambda, u, task.b), ..Outcome::default() }
}
