//! Coulomb friction: tangential impulses within μ times the normal ones, solved together with the normals.
//!
//! Source: Kaufman, Sueda, James, Pai, "Staggered projections for frictional contact in multibody systems", SIGGRAPH Asia
//! 2008, section 4: a fixed point between normal impulses, which bound friction, and friction, which changes normal
//! impulses. Departure: instead of alternating two projections, each round solves normals and tangents in one box
//! problem, 0 ≤ λₙ, |λₜ| ≤ μ λₙ', where λₙ' are bounding impulses; the answer is a fixed point of the same map, found by
//! Anderson's mixing of the rounds (`anderson.rs`), because the bare iteration circles or runs away where friction wedges. Each tangent has its own box: exact in
//! the plane, a pyramid along the two tangents in space. Not every problem has a unique answer, and convergence is not
//! guaranteed: the status and the residual `friction` say how far it came. Islands of some thirty bodies are first tried by Newton's method on
//! everything at once (`friction_newton.rs`), which mostly needs ten steps; small ones that still circle are pivoted.
//!
//! With Generalized Reflection friction acts once, bounded by the elastic normal impulses, and contacts that it makes approach
//! are reflected again.

use super::anderson::Anderson;
use super::friction_newton::{Coupled, FrictionNewton, MOST_FREEDOMS};
use crate::problem::ContactProblem;
use crate::resolution::{Residual, Status};
use crate::workspace::{Island, Report, push_row};
use carom_numerics::lcp::large::{LargeProblem, LargeSettings, LargeSolver};
use carom_numerics::lcp::lemke::{Lemke, LemkeEnd};
use carom_numerics::lcp::sweeps::SweepProblem;
use carom_numerics::lcp::{GramRows, KktResidual, Outcome, SolveStatus};
use carom_numerics::qp::BlockDiagonalMass;

/// Rounds of the fixed point before it gives up.
const MAX_ROUNDS: u64 = 200;
/// The last change of the bounds, as a part of the largest speed in b, at which friction counts as converged.
const CONVERGED: f64 = 1e-11;
/// A residual up to this part counts as solved: two contacts a hair apart leave so much.
const ACCEPTED: f64 = 1e-10;
/// A change this much larger than the smallest so far: the rounds before lie on other pieces of the map, and are forgotten.
const RUNAWAY: f64 = 100.0;
/// Rounds before which islands of some size are tried by Newton's method.
const NEWTON_BEFORE: [u64; 2] = [2, 7];
/// Rounds after which small islands are solved by pivoting.
const PATIENCE: u64 = 12;
/// The largest complementarity problem that is solved by pivoting: about a hundred contacts in the plane.
const MOST_UNKNOWNS: usize = 450;

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
    change: Vec<f64>,
    mixing: Anderson,
    newton: FrictionNewton,
    mu: Vec<f64>,
    lemke: Lemke,
    matrix: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
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

impl FrictionScratch {
    /// Impulses of normals and tangents; none where nothing rubs.
    pub(crate) fn lambda_mut(&mut self) -> &mut [f64] {
        if self.is_active() { &mut self.lambda } else { &mut [] }
    }

    /// Work of friction against moving obstacles.
    pub(crate) fn against_obstacles(&self) -> f64 {
        if !self.is_active() {
            return 0.0;
        }
        let first = self.rows.len() - self.tangent.len();
        self.lambda[first..].iter().zip(&self.rest_speed).fold(0.0, |sum, (l, rest)| sum + l * rest)
    }

    /// Work of friction with every term counted as positive.
    pub(crate) fn work_scale(&self, before: &[f64], after: &[f64]) -> f64 {
        if !self.is_active() {
            return 0.0;
        }
        let first = self.rows.len() - self.tangent.len();
        self.rest_speed.iter().enumerate().fold(0.0, |sum, (t, rest)| {
            let row = self.rows.row(first + t);
            sum + self.lambda[first + t].abs() * (row.dot(before).abs() + row.dot(after).abs() + rest.abs())
        })
    }
}

/// Collects the tangents of an island; called before any response.
pub(crate) fn gather(problem: &ContactProblem, local_dof: &[u32], island: &mut Island) {
    let scratch = &mut island.friction;
    scratch.tangent.clear();
    scratch.owner.clear();
    for (local, &k) in island.contacts.iter().enumerate() {
        if problem.rule(k as usize).friction > 0.0 {
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
        push_row(&mut scratch.rows, problem.normal(k as usize), problem, local_dof);
    }
    scratch.rest_speed.clear();
    for &t in &scratch.tangent {
        let direction = problem.tangent(t as usize);
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
    scratch.prepare(problem, &island.contacts, &island.simultaneous.b, &island.velocity_before);
    let scale = scratch.b.iter().fold(0.0f64, |m, b| m.max(b.abs()));
    scratch.lambda[..count].copy_from_slice(&island.impulses);
    scratch.bound.clone_from(&island.impulses);
    let report = &mut island.report;
    report.status = Status::FrictionNotConverged;
    scratch.mixing.restart();
    let mut smallest = f64::INFINITY;
    for round in 1..=MAX_ROUNDS {
        report.sweeps = round;
        if NEWTON_BEFORE.contains(&round) && scratch.couple_by_newton(&island.mass, CONVERGED * scale) {
            scratch.describe_newton(report);
            break;
        }
        scratch.set_bounds(problem, &island.contacts, f64::INFINITY);
        let outcome = scratch.solve(&island.mass);
        report.iterations += outcome.iterations;
        report.operations += outcome.operations;
        report.residual = outcome.residual.into();
        let change = scratch.bound_change(problem, &island.contacts);
        report.residual.friction = change;
        if change <= CONVERGED * scale {
            report.status = outcome.status.into();
            if outcome.status == SolveStatus::Inaccurate && outcome.residual.worst() <= ACCEPTED * scale {
                report.status = Status::Solved;
            }
            break;
        }
        if round == PATIENCE && scratch.pivot(problem, &island.contacts) {
            report.iterations += scratch.lemke.pivots();
            report.operations += scratch.lemke.pivots() * (scratch.q.len() * scratch.q.len()) as u64;
            scratch.mixing.restart();
            continue;
        }
        if change > RUNAWAY * smallest {
            scratch.mixing.restart();
            smallest = change;
        }
        smallest = smallest.min(change);
        scratch.next_bounds(problem, &island.contacts);
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
    island.report.operations += outcome.operations;
    island.report.status = island.report.status.max(outcome.status.into());
    for (v, change) in island.velocity.iter_mut().zip(&scratch.u) {
        *v += change;
    }
    island.friction = scratch;
}

impl FrictionScratch {
    /// What normals demand, slip speeds and coefficients of all tangents.
    pub(crate) fn prepare(
        &mut self,
        problem: &ContactProblem,
        contacts: &[u32],
        demands: &[f64],
        before: &[f64],
    ) {
        self.b.clear();
        self.b.extend_from_slice(demands);
        let mu = |&owner: &u32| problem.rule(contacts[owner as usize] as usize).friction;
        self.mu.clear();
        self.mu.extend(self.owner.iter().map(mu));
        self.push_slip_speeds(contacts.len(), before);
    }

    /// Normals and tangents for sweeps; after [`FrictionScratch::prepare`].
    pub(crate) fn sweep_problem<'a>(&'a self, mass: &'a BlockDiagonalMass) -> SweepProblem<'a> {
        SweepProblem { rows: &self.rows, mass, b: &self.b, owner: &self.owner, mu: &self.mu }
    }

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
            let mu = problem.rule(contacts[owner as usize] as usize).friction;
            let bound = mu * self.bound[owner as usize];
            self.lower.push(-bound);
            self.upper.push(bound);
        }
    }

    fn solve(&mut self, mass: &BlockDiagonalMass) -> Outcome {
        let bounds = Some((self.lower.as_slice(), self.upper.as_slice()));
        let task = LargeProblem { rows: &self.rows, mass, b: &self.b, bounds };
        self.solver.solve(&task, &LargeSettings::default(), &mut self.lambda, &mut self.u)
    }

    /// The answer by Newton's method, if it finds it.
    fn couple_by_newton(&mut self, mass: &BlockDiagonalMass, target: f64) -> bool {
        if self.rows.columns() > MOST_FREEDOMS {
            return false;
        }
        let coupled =
            Coupled { rows: &self.rows, mass, b: &self.b, owner: &self.owner, mu: &self.mu, target };
        self.z.clone_from(&self.lambda);
        let solved = self.newton.solve(&coupled, &mut self.z);
        if solved {
            self.lambda.clone_from(&self.z);
            self.rows.combine(&self.lambda, &mut self.u);
        }
        solved
    }

    /// Reports an answer of Newton's method and how good it is; what friction is off by is in `friction`.
    fn describe_newton(&self, report: &mut Report) {
        report.iterations += self.newton.steps;
        report.operations += self.newton.operations();
        report.status = Status::Solved;
        let normals = self.b.len() - self.owner.len();
        let (gaps, stiffness) = (self.newton.gaps(), self.newton.stiffness());
        let of_normals =
            KktResidual::of_rows(&self.lambda[..normals], &gaps[..normals], &stiffness[..normals]);
        let friction = self.owner.iter().enumerate().fold(0.0, |worst: f64, (t, &owner)| {
            let k = normals + t;
            let bound = (self.mu[t] * self.lambda[owner as usize]).max(0.0);
            let should =
                (self.lambda[k] - gaps[k] / stiffness[k].max(f64::MIN_POSITIVE)).clamp(-bound, bound);
            worst.max((should - self.lambda[k]).abs() * stiffness[k])
        });
        report.residual = Residual { friction, ..of_normals.into() };
    }

    /// The whole problem at once by Lemke's method, in the form of Stewart and Trinkle, "An implicit time-stepping scheme for rigid
    /// body dynamics with inelastic collisions and Coulomb friction", Int. J. Numer. Methods Eng. 39 (1996), with a box for each tangent:
    /// 0 ≤ λₙ ⊥ wₙ ≥ 0, 0 ≤ β₊ ⊥ γ + wₜ ≥ 0, 0 ≤ β₋ ⊥ γ − wₜ ≥ 0, 0 ≤ γ ⊥ μλₙ − β₊ − β₋ ≥ 0, and λₜ = β₊ − β₋. Impulses are
    /// unknowns times 1/aₖₖ: then all are speeds. False if it is too large or has no answer; else bounds and impulses are the answer's.
    fn pivot(&mut self, problem: &ContactProblem, contacts: &[u32]) -> bool {
        let (normals, tangents) = (contacts.len(), self.owner.len());
        let n = normals + 3 * tangents;
        if n > MOST_UNKNOWNS {
            return false;
        }
        let inverse = |k: usize| {
            let row = self.rows.row(k);
            let a = row.coupling(&row);
            if a > 0.0 { 1.0 / a } else { 0.0 }
        };
        // Unknowns: normals, β₊, β₋, γ; the row and the sign that each push has.
        let push = |unknown: usize| match unknown {
            k if k < normals => (k, 1.0),
            k if k < normals + tangents => (k, 1.0),
            k => (k - tangents, -1.0),
        };
        let pushes = normals + 2 * tangents;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.q.clear();
        self.q.resize(n, 0.0);
        for i in 0..pushes {
            let (row, sign) = push(i);
            self.q[i] = sign * self.b[row];
            for j in 0..pushes {
                let (column, other) = push(j);
                let coupling = self.rows.row(row).coupling(&self.rows.row(column));
                self.matrix[i * n + j] = sign * other * coupling * inverse(column);
            }
        }
        for t in 0..tangents {
            let (plus, minus, limit) = (normals + t, normals + tangents + t, pushes + t);
            self.matrix[plus * n + limit] = 1.0;
            self.matrix[minus * n + limit] = 1.0;
            let owner = self.owner[t] as usize;
            let mu = problem.rule(contacts[owner] as usize).friction;
            let stiffness = 1.0 / inverse(normals + t).max(f64::MIN_POSITIVE);
            self.matrix[limit * n + owner] = mu * inverse(owner) * stiffness;
            self.matrix[limit * n + plus] = -1.0;
            self.matrix[limit * n + minus] = -1.0;
        }
        if self.lemke.solve(&self.matrix, &self.q, &mut self.z) != LemkeEnd::Solved {
            return false;
        }
        for k in 0..normals {
            self.lambda[k] = self.z[k] * inverse(k);
            self.bound[k] = self.lambda[k];
        }
        for t in 0..tangents {
            let k = normals + t;
            self.lambda[k] = (self.z[k] - self.z[k + tangents]) * inverse(k);
        }
        true
    }

    /// Mixes the bounds of this round and of earlier ones.
    fn next_bounds(&mut self, problem: &ContactProblem, contacts: &[u32]) {
        self.change.clear();
        for (k, (&contact, bound)) in contacts.iter().zip(&self.bound).enumerate() {
            let rubs = problem.rule(contact as usize).friction > 0.0;
            self.change.push(if rubs { self.lambda[k] - bound } else { 0.0 });
        }
        self.mixing.advance(&mut self.bound, &self.change);
        for bound in &mut self.bound {
            *bound = bound.max(0.0);
        }
    }

    /// The largest difference between a bound that was used and the one its normal impulse now gives, as a speed.
    fn bound_change(&self, problem: &ContactProblem, contacts: &[u32]) -> f64 {
        let first = contacts.len();
        self.owner.iter().enumerate().fold(0.0, |worst: f64, (t, &owner)| {
            let mu = problem.rule(contacts[owner as usize] as usize).friction;
            let row = self.rows.row(first + t);
            let difference = mu * (self.lambda[owner as usize] - self.bound[owner as usize]).abs();
            worst.max(difference * row.coupling(&row))
        })
    }
}
