//! Generalized Reflection: elastic sweeps over the contacts that approach, until none does.
//!
//! Source: Smith, Kaufman, Vouga, Tamstorf, Grinspun, "Reflections on simultaneous impact",
//! SIGGRAPH 2012, Algorithm 2 and the restitution of its section on inelastic impact. Each sweep
//! takes V = {k : gₖ < −tol}, solves 0 ≤ λ ⊥ A_VV λ + 2g_V ≥ 0 and sets v += M⁻¹N_V λ; each sweep
//! keeps energy and momentum exactly. For restitution c between 0 and 1: v = (1 − c) v_inelastic +
//! c v_elastic, both from the same velocity before (feasible because the allowed velocities are
//! convex, never gaining because energy is). One coefficient for an island: the smallest of its
//! contacts.
//!
//! Departures, none of which changes the answer: the contacts of V fall apart into components that
//! share no moving degree of freedom, and each is solved alone, a single contact in closed form;
//! gap speeds are computed again only where a velocity changed; a sweep that changes no velocity
//! ends the loop with the status `Stalled` (rounding).
//!
//! Not every elastic impact has an end: a ball that just fits between two walls is thrown from one
//! to the other for ever. If some velocity v* opens every gap, g(v*) ≥ s > 0, then each sweep
//! lowers ½‖v − v*‖² by λᵀg(v*) ≥ s Σλ (the proof of energy conservation, in the frame of v*), so
//! the sum of all impulses is bounded and the sweeps end. After many sweeps the contacts that are
//! still pushed are asked for such a v*; if there is none they are *held*: from then on they answer
//! without bounce, in one problem with those that approach, and the status is `LimitReached`, with
//! the largest approach that was not reflected as its residual. Where even that has no answer,
//! obstacles close on a body: the whole island answers without bounce, `Infeasible`.

mod components;
mod sweep;

use super::simultaneous::{self, Simultaneous, Task, ToTolerance};
use super::verification;
use crate::problem::ContactProblem;
use crate::resolution::{Residual, Status};
use crate::workspace::{Island, Report};
use carom_numerics::lcp::{LcpStatus, SparseJacobian};
use carom_numerics::qp::mass::BlockDiagonalMass;
use carom_numerics::watch;

/// Settings of Generalized Reflection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reflection {
    /// Solver of a sweep.
    pub inner: Simultaneous,
    /// Approach speeds up to this are left alone (strict: only faster ones are reflected). In the
    /// unit of speed.
    pub tolerance: f64,
    /// The same as a part of the largest velocity in the island; 0 switches it off. Covers rounding
    /// at large speeds.
    pub relative_tolerance: f64,
    /// Sweeps after which the loop gives up with the status `LimitReached`. Real scenes stay far
    /// below (a mass ratio of 1e8 needs 31,415); a ball between two kinematic walls that close has
    /// no end.
    pub max_sweeps: u64,
}

impl Reflection {
    /// The course's rule: approach beyond 1e-14 is reflected, no cap that a scene could meet.
    pub const COURSE: Reflection = Reflection {
        inner: Simultaneous::Lcp,
        tolerance: 1e-14,
        relative_tolerance: 0.0,
        max_sweeps: 10_000_000,
    };
    /// The course's rule, with room for rounding when velocities are large.
    pub const DEFAULT: Reflection =
        Reflection { relative_tolerance: 4.0 * f64::EPSILON, ..Reflection::COURSE };
}

impl Default for Reflection {
    fn default() -> Self {
        Reflection::DEFAULT
    }
}

/// Scratch buffers of the sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReflectionScratch {
    /// Contacts of each degree of freedom, compressed.
    touching_start: Vec<u32>,
    touching: Vec<u32>,
    approaching: Vec<u32>,
    candidates: Vec<u32>,
    is_candidate: Vec<bool>,
    /// Component search: who owns a degree of freedom in this sweep.
    owner: Vec<u32>,
    owned: Vec<u32>,
    parent: Vec<u32>,
    members: Vec<u32>,
    component: Vec<u32>,
    local: Vec<u32>,
    component_dofs: Vec<u32>,
    rows: SparseJacobian,
    mass: BlockDiagonalMass,
    b: Vec<f64>,
    lambda: Vec<f64>,
    sweep_impulse: Vec<f64>,
    u: Vec<f64>,
    elastic_velocity: Vec<f64>,
    elastic_impulses: Vec<f64>,
    /// Contacts that were pushed since it was last asked whether there is an end.
    pushed: Vec<bool>,
    /// Contacts that answer without bounce, because elastically they would for ever.
    held: Vec<bool>,
    /// Products in the sweeps so far, about.
    operations: u64,
    /// Largest approach that was answered without bounce, because elastically there was no end.
    unreflected: f64,
}

/// Sweeps after which it is checked whether there is an end at all; checked again whenever they
/// have doubled.
const SWEEPS_BEFORE_DOUBT: u64 = 1_000;
/// Products of one response, about, after which it gives up: some, and some for each contact.
/// Impacts of a thousand balls stay far below; boxes that stand on each other with masses of many
/// powers of ten may not.
const MOST_OPERATIONS: u64 = 20_000_000;
const MOST_OPERATIONS_PER_CONTACT: u64 = 200_000;
/// How fast gaps must be able to open, as a part of the largest gap speed.
const OPENS: f64 = 1e-6;

/// Writes the velocity after and the impulses of an island.
pub(crate) fn respond(settings: &Reflection, problem: &ContactProblem, island: &mut Island) {
    island.guess.clear();
    let restitution = island.contacts(problem).map(|c| c.restitution).fold(1.0, f64::min);
    if restitution == 0.0 {
        simultaneous::respond_and_rub(ToTolerance::exactly(settings.inner), island, 0.0);
        return;
    }
    let mut scratch = std::mem::take(&mut island.reflection);
    scratch.reflect(settings, problem, island);
    let gave_up = scratch.operations > most_operations(island);
    if island.report.status == Status::Infeasible || gave_up {
        island.reflection = scratch;
        let status = island.report.status.max(Status::LimitReached);
        respond_without_bounce(settings, island, status);
        return;
    }
    if restitution < 1.0 {
        blend(settings, island, &mut scratch, restitution);
    }
    if island.friction.is_active() {
        rub(settings, island);
    }
    if verification::gains(island) {
        // masses so far apart that sweeps do not keep energy
        island.report.status = island.report.status.max(Status::Inaccurate);
    }
    island.reflection = scratch;
}

/// Friction with an elastic answer: contacts that it pushes leave with the speeds that it gives
/// them, and impulses lie in Coulomb's cones.
fn rub(settings: &Reflection, island: &mut Island) {
    island.measure();
    let mut targets = std::mem::take(&mut island.targets);
    targets.clear();
    let contacts = island.impulses.iter().zip(&island.gap_speed);
    targets.extend(contacts.map(|(&push, &speed)| if push > 0.0 { speed.max(0.0) } else { 0.0 }));
    island.targets = targets;
    let elastic = island.report;
    island.reset();
    simultaneous::respond(ToTolerance::exactly(settings.inner), island);
    island.targets.clear();
    island.report.status = island.report.status.max(elastic.status);
    island.report.iterations += elastic.iterations;
    island.report.operations += elastic.operations;
    island.report.sweeps = elastic.sweeps;
}

/// Obstacles that close on a body, or no end within reason: what can be met without bounce is met.
fn respond_without_bounce(settings: &Reflection, island: &mut Island, status: Status) {
    let sweeps = island.report.sweeps;
    island.reset();
    let unreflected = island.gap_speed.iter().fold(0.0f64, |most, speed| most.max(-speed));
    simultaneous::respond_and_rub(ToTolerance::exactly(settings.inner), island, 0.0);
    let residual = &mut island.report.residual;
    residual.complementarity = residual.complementarity.max(unreflected);
    island.report.status = island.report.status.max(status);
    island.report.sweeps += sweeps;
}

fn most_operations(island: &Island) -> u64 {
    MOST_OPERATIONS + MOST_OPERATIONS_PER_CONTACT * island.contacts.len() as u64
}

/// v = (1 − c) v_inelastic + c v_elastic; impulses alike.
fn blend(settings: &Reflection, island: &mut Island, scratch: &mut ReflectionScratch, c: f64) {
    scratch.elastic_velocity.clone_from(&island.velocity);
    scratch.elastic_impulses.clone_from(&island.impulses);
    let elastic = island.report;
    island.reset();
    simultaneous::respond_inelastic(settings.inner, island);
    for (v, e) in island.velocity.iter_mut().zip(&scratch.elastic_velocity) {
        *v = (1.0 - c) * *v + c * e;
    }
    for (l, e) in island.impulses.iter_mut().zip(&scratch.elastic_impulses) {
        *l = (1.0 - c) * *l + c * e;
    }
    let report = &mut island.report;
    report.status = report.status.max(elastic.status);
    report.iterations += elastic.iterations;
    report.sweeps = elastic.sweeps;
    report.residual = report.residual.max(elastic.residual);
}

impl ReflectionScratch {
    fn reflect(&mut self, settings: &Reflection, problem: &ContactProblem, island: &mut Island) {
        let fastest = island.velocity.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let mut tolerance = settings.tolerance.max(settings.relative_tolerance * fastest);
        self.start(island);
        self.operations = 0;
        self.unreflected = 0.0;
        let closed =
            |k: u32| problem.parameters(island.contacts[k as usize] as usize).speculative_bias == 0.0;
        self.approaching.clear();
        self.approaching.extend(
            (0..island.rows.len() as u32).filter(|&k| island.gap_speed[k as usize] < -tolerance && closed(k)),
        );
        let mut report = Report::default();
        let mut doubt_at = SWEEPS_BEFORE_DOUBT;
        while !self.approaching.is_empty() {
            self.operations += island.rows.row(0).column.len() as u64 * self.approaching.len() as u64;
            let is_enough = report.sweeps == settings.max_sweeps || watch::is_over();
            if is_enough || self.operations > most_operations(island) {
                report.status = Status::LimitReached;
                break;
            }
            if report.sweeps == doubt_at {
                doubt_at *= 2;
                if self.hold_what_has_no_end(settings.inner, island, &mut report.iterations) {
                    report.status = report.status.max(Status::LimitReached);
                    tolerance = tolerance.max(simultaneous::ROUNDING * fastest);
                }
            }
            self.join_held();
            report.sweeps += 1;
            report.status = report.status.max(self.sweep(settings.inner, island, &mut report.iterations));
            if report.status == Status::Infeasible {
                break;
            }
            if !self.apply(island) {
                report.status = report.status.max(Status::Stalled);
                break;
            }
            self.find_approaching(problem, island, tolerance);
        }
        // an answer at its limit is not exact because nothing approaches any more: what was given
        // up counts too
        report.residual = Residual {
            penetration_speed: self.fastest_approach(island),
            complementarity: self.unreflected,
            ..Residual::default()
        };
        report.operations = self.operations;
        island.report = report;
    }

    /// Held contacts take part in every sweep, whether they approach or not.
    fn join_held(&mut self) {
        if self.held.contains(&true) {
            self.approaching.extend((0..self.held.len() as u32).filter(|&k| self.held[k as usize]));
            self.approaching.sort_unstable();
            self.approaching.dedup();
        }
    }

    /// Holds the contacts that were pushed of late, if no velocity opens the gaps of all of them.
    /// Says whether it did.
    fn hold_what_has_no_end(
        &mut self,
        inner: Simultaneous,
        island: &mut Island,
        iterations: &mut u64,
    ) -> bool {
        self.component.clear();
        self.component.extend((0..self.pushed.len() as u32).filter(|&k| self.pushed[k as usize]));
        self.pushed.fill(false);
        self.gather_component(island);
        let largest = self.component.iter().fold(0.0f64, |m, &k| m.max(island.gap_speed[k as usize].abs()));
        self.b.clear();
        for &k in &self.component {
            let opens = if self.held[k as usize] { 0.0 } else { OPENS * largest };
            self.b.push(island.gap_speed[k as usize] - opens);
        }
        let task = Task { rows: &self.rows, mass: &self.mass, b: &self.b, guess: &[] };
        let outcome = island.simultaneous.solve(inner, &task, &mut self.lambda, &mut self.u);
        *iterations += outcome.iterations;
        self.operations += outcome.operations;
        let endless = outcome.status == LcpStatus::Infeasible;
        if endless {
            self.unreflected = self.unreflected.max(self.fastest_approach(island));
            for &k in &self.component {
                self.held[k as usize] = true;
            }
        }
        endless
    }
}
