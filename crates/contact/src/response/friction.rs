//! Coulomb friction: impulses in true cones |λₜ| ≤ μλₙ, solved together with the normals by
//! [`crate::coulomb`].
//!
//! Restitution and Generalized Reflection enter by what normals demand: contacts leave with the
//! speeds that the answer without friction gives them, and friction acts within the cones of the
//! impulses that this takes.

mod work;

use super::simultaneous::{self, ToTolerance};
use super::verification;
use crate::coulomb::{self, Assembly, Cone, ConeRows, Effort, Measure, Settings, Solver};
use crate::problem::ContactProblem;
use crate::resolution::{Residual, Status};
use crate::workspace::{Island, Report, push_row};
use carom_numerics::qp::BlockDiagonalMass;

/// Contacts of an island that goes to the exact methods at once, whatever the tolerance: a few
/// iterations of Newton's method cost less than passes over a stack.
pub(crate) const SOLVED_AT_ONCE: usize = 200;
/// And the part of the tolerance to which they solve it: what is left would make a stack creep.
const PART_OF_TOLERANCE: f64 = 0.01;
/// Iterations of Newton's method in the velocities of bodies, which comes first in 3D; where
/// it ends within so many times that part, the exact methods are not asked.
const NEWTON_IN_BODY_SPACE: u32 = 30;
const GOOD_ENOUGH: f64 = 10.0;
/// Passes over larger ones to a tolerance before the exact methods take over.
const MOST_PASSES: u32 = 1000;
/// Where at most this part of the contacts is wrong, so many passes visit them and those around
/// them...
const FEW: f64 = 0.01;
const LOCAL_PASSES: u32 = 20;
/// ...and so many all, once they are right.
const PASSES_AT_REST: u32 = 4;
/// Passes before the exact methods where more contacts than this touch, until errors are within
/// this part of the fastest speed.
const NEWTON_ALONE: usize = 24;
const PASSES_BEFORE: u32 = 400;
const PART_OF_SPEED: f64 = 1e-4;
/// Passes where W is too large for the exact methods.
const PASSES_OF_THE_LARGEST: u32 = 2_000;
/// Speeds below this part of the fastest are rounding.
const ROUNDING: f64 = 1e-15;
/// What the exact methods may take at first. Where they need more Newton's method cycles, or there
/// is no answer.
const AT_FIRST: Settings = Settings {
    runs: 1,
    newton_iterations: 20,
    interior_iterations: 40,
    polish_iterations: 10,
    ..AS_IN_A_STEP
};
/// And where it is known that normals do not contradict each other.
const AT_MOST: Settings = Settings { runs: 3, skipped_runs: 1, newton_iterations: 40, ..AS_IN_A_STEP };
/// Products in factorizations of either: some, and some for each contact.
const OPERATIONS: u64 = 10_000_000;
const OPERATIONS_PER_CONTACT: u64 = 100_000;
/// Products of a factorization that count as one: its dense kernels take as many at once.
const AT_ONCE: u64 = 8;
/// Passes from nothing where the exact methods find no answer.
const LAST_PASSES: u32 = 64;
const AS_IN_A_STEP: Settings = Settings { seeks_proof: false, sweeps: 0, ..Settings::USUAL };
/// Energy gained up to this part of the work done is rounding.
const GAINED: f64 = 1e-13;

/// How impulses to start from are.
struct Start {
    measure: Measure,
    /// Whether nothing is known of the step before.
    is_cold: bool,
}

/// Friction in an island.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrictionScratch {
    /// Tangents (numbers in the problem) with their rows.
    tangent: Vec<(u32, u32)>,
    /// Speeds of obstacles along the tangents.
    bias: Vec<f64>,
    pub(crate) cones: ConeRows,
    assembly: Assembly,
    solver: Solver,
    r: Vec<f64>,
}

impl FrictionScratch {
    /// True if some contact of the island rubs.
    pub(crate) fn is_active(&self) -> bool {
        !self.tangent.is_empty()
    }

    /// Tangents of the problem with their impulses.
    pub(crate) fn impulses(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.tangent.iter().map(|&(tangent, row)| (tangent, self.cones.r[row as usize]))
    }

    /// Impulses of normals and tangents, contact by contact; none where nothing rubs.
    pub(crate) fn lambda_mut(&mut self) -> &mut [f64] {
        if self.is_active() { &mut self.cones.r } else { &mut [] }
    }

    /// What normals demand and slip speeds; impulses to start from.
    fn start(
        &mut self,
        demands: &[f64],
        (before, mass): (&[f64], &BlockDiagonalMass),
        guess: &[f64],
        tolerance: f64,
    ) -> Start {
        let cones = &mut self.cones;
        cones.q.clear();
        let mut tangent = 0;
        for (i, &demand) in demands.iter().enumerate() {
            cones.q.push(demand);
            for row in cones.range(i).skip(1) {
                cones.q.push(self.bias[tangent] + cones.rows.row(row).dot(before));
                tangent += 1;
            }
        }
        cones.r.clear();
        cones.r.extend_from_slice(guess);
        cones.r.resize(cones.q.len(), 0.0);
        let is_cold = cones.r.iter().all(|&r| r == 0.0);
        cones.combine();
        if !is_cold {
            // What another step needed may be more than what is needed now: an impact is past. The
            // least energy ½ rᵀWr + qᵀr between these impulses and none.
            let square = mass.half_square(&cones.change);
            let linear = cones.q.iter().zip(&cones.r).fold(0.0, |sum, (q, r)| sum + q * r);
            if square + linear > 0.0 {
                cones.scale((-0.5 * linear / square).max(0.0));
            }
        }
        Start { measure: cones.measure(tolerance), is_cold }
    }

    /// Solves by the exact methods to a tolerance that may be rounding, from the impulses at hand.
    fn solve(
        &mut self,
        mass: &BlockDiagonalMass,
        tolerance: f64,
        settings: Settings,
        report: &mut Report,
    ) -> Status {
        if !self.assembly.load(&self.cones) {
            let (passes, _) = self.cones.accelerate_to(mass, tolerance, PASSES_OF_THE_LARGEST);
            report.iterations += u64::from(passes);
            return Status::FrictionNotConverged;
        }
        let operations = OPERATIONS + OPERATIONS_PER_CONTACT * self.cones.cones.len() as u64;
        self.solver.set(Settings { tolerance, operations, ..settings });
        self.assembly.gather(&self.cones, &mut self.r);
        let answer = self.solver.solve(&self.assembly.problem, &mut self.r);
        self.assembly.scatter(&self.r, &mut self.cones);
        let Effort { sweeps, newton, interior, .. } = answer.effort;
        let factorizations = u64::from(newton + interior);
        report.iterations += factorizations;
        report.operations += factorizations * self.solver.operations() / AT_ONCE
            + u64::from(sweeps) * 4 * self.assembly.problem.rows() as u64;
        match answer.status {
            coulomb::SolverStatus::Solved => Status::Solved,
            coulomb::SolverStatus::AlmostSolved => Status::Inaccurate,
            _ => Status::FrictionNotConverged,
        }
    }
}

impl FrictionScratch {
    /// Passes to a tolerance. False where the exact methods must be asked.
    ///
    /// What rests would creep by what is left in every step, and what creeps moves contacts from
    /// corner to corner. So an island of which all or nearly all contacts were within the tolerance
    /// from the start gets a few passes more than it needs.
    fn pass(&mut self, mass: &BlockDiagonalMass, tolerance: f64, start: &Start, report: &mut Report) -> bool {
        let (mut left, rest) = (start.measure.worst(), PART_OF_TOLERANCE * tolerance);
        if left <= rest {
            return true;
        }
        let few = start.measure.wrong as f64 <= FEW * self.cones.cones.len() as f64;
        let mut pass = |cones: &mut ConeRows, accelerated: bool, tolerance: f64, most: u32| {
            let (passes, measure) = match accelerated {
                true => cones.accelerate_to(mass, tolerance, most),
                false => cones.sweep_to(tolerance, most),
            };
            report.iterations += u64::from(passes);
            report.operations += cones.operations;
            measure.worst()
        };
        let cones = &mut self.cones;
        if start.is_cold {
            left = pass(cones, true, rest, MOST_PASSES);
        } else if left > tolerance {
            if few {
                left = pass(cones, false, tolerance, LOCAL_PASSES);
            }
            if left > tolerance {
                left = pass(cones, true, tolerance, MOST_PASSES);
            }
        }
        if few && !start.is_cold && left <= tolerance && left > rest {
            left = pass(cones, false, rest, PASSES_AT_REST);
            if left > tolerance {
                left = pass(cones, false, tolerance, MOST_PASSES);
            }
        }
        report.fallbacks += u64::from(left > tolerance);
        left <= tolerance
    }

    /// Passes from nothing, if they come nearer than the impulses at hand.
    fn take_better_passes(&mut self, mass: &BlockDiagonalMass, tolerance: f64, report: &mut Report) {
        self.cones.combine();
        let left = self.cones.measure(tolerance).worst();
        self.r.clone_from(&self.cones.r);
        self.cones.r.fill(0.0);
        let (passes, measure) = self.cones.accelerate_to(mass, tolerance, LAST_PASSES);
        report.iterations += u64::from(passes);
        if left <= measure.worst() {
            self.cones.r.clone_from(&self.r);
        }
    }
}

impl FrictionScratch {
    /// Takes over the numbers of tangents from contacts that have new ones.
    pub(crate) fn renumber(&mut self, contacts: &[u32], problem: &ContactProblem) {
        let rubbing = contacts.iter().filter(|&&k| rubs(problem, k));
        let tangents = rubbing.flat_map(|&k| problem.tangent_range(k as usize));
        for ((number, _), new) in self.tangent.iter_mut().zip(tangents) {
            *number = new as u32;
        }
    }
}

/// Whether a contact has friction.
fn rubs(problem: &ContactProblem, k: u32) -> bool {
    problem.parameters(k as usize).friction > 0.0 && !problem.tangent_range(k as usize).is_empty()
}

/// Collects the rows of an island; called before any response.
pub(crate) fn gather(problem: &ContactProblem, local_dof: &[u32], island: &mut Island) {
    let scratch = &mut island.friction;
    scratch.tangent.clear();
    scratch.bias.clear();
    if !island.contacts.iter().any(|&k| rubs(problem, k)) {
        return;
    }
    let cones = &mut scratch.cones;
    cones.clear(&island.bodies);
    for &k in &island.contacts {
        push_row(&mut cones.rows, problem.normal(k as usize), problem, local_dof);
        if !rubs(problem, k) {
            cones.end_contact(Cone::NonNegative);
            continue;
        }
        let mut dim = 1;
        for t in problem.tangent_range(k as usize) {
            let direction = problem.tangent(t);
            scratch.tangent.push((t as u32, cones.rows.len() as u32));
            push_row(&mut cones.rows, direction, problem, local_dof);
            let fixed = direction.entries().filter(|&(dof, ..)| !problem.is_movable(dof));
            let speed = fixed.fold(0.0, |sum, (dof, eta, _)| sum + eta * problem.velocity[dof.0 as usize]);
            scratch.bias.push(speed);
            dim += 1;
        }
        cones.end_contact(Cone::SecondOrder { dim, mu: problem.parameters(k as usize).friction });
    }
    cones.prepare();
    cones.r.clear();
    cones.r.resize(cones.rows.len(), 0.0);
}

/// Answers an island with friction, with a part of its restitution, to a tolerance or exactly if it
/// is 0.
pub(crate) fn couple(within: ToTolerance, island: &mut Island, bounce: f64) {
    let ToTolerance { method, tolerance, landing, .. } = within;
    let mut b = std::mem::take(&mut island.simultaneous.b);
    simultaneous::write_demands(island, bounce, &mut b);
    let mut scratch = std::mem::take(&mut island.friction);
    let start = scratch.start(&b, (&island.velocity_before, &island.mass), &island.guess, tolerance);
    island.simultaneous.b = b;
    let mut report = Report { sweeps: 1, ..Report::default() };
    let mut status = Status::FrictionNotConverged;
    let speeds = island.velocity_before.iter().chain(&island.bias).chain(&scratch.bias);
    let rounding = ROUNDING * speeds.fold(0.0f64, |most, speed| most.max(speed.abs()));
    let is_small = island.contacts.len() <= SOLVED_AT_ONCE;
    if tolerance > rounding && !is_small && scratch.pass(&island.mass, tolerance, &start, &mut report) {
        status = Status::Solved;
    }
    // The error that bounds approach and opening: an approach δ is an error of at least δ/√(1 +
    // μ²).
    let steepest = scratch.cones.cones.iter().fold(0.0f64, |most, cone| most.max(cone.mu()));
    let lands = island.simultaneous.b.iter().any(|&demand| demand < -landing);
    let part = if is_small && !lands { PART_OF_TOLERANCE } else { 0.5 };
    let error = (part * tolerance / (1.0 + steepest * steepest).sqrt()).max(rounding);
    let enough = if part < 0.5 { GOOD_ENOUGH * error } else { error };
    if tolerance > rounding && is_small && start.measure.worst() <= error {
        status = Status::Solved;
    }
    let newton = (tolerance > rounding && is_small && status > Status::Solved)
        .then(|| scratch.cones.newton_to(&island.mass, error, NEWTON_IN_BODY_SPACE));
    if let Some((iterations, measure)) = newton.flatten() {
        report.iterations += u64::from(iterations);
        report.operations += scratch.cones.operations;
        if measure.worst() <= enough {
            status = Status::Solved;
        }
    }
    if status > Status::Solved {
        if tolerance <= rounding && island.contacts.len() > NEWTON_ALONE {
            // Passes sort contacts into open, sticking and sliding.
            let (passes, _) =
                scratch.cones.accelerate_to(&island.mass, PART_OF_SPEED / ROUNDING * rounding, PASSES_BEFORE);
            report.iterations += u64::from(passes);
            report.operations += scratch.cones.operations;
        }
        status = scratch.solve(&island.mass, error, AT_FIRST, &mut report);
    }
    if status == Status::FrictionNotConverged {
        // Normals may contradict each other; then nothing rubs. Nor does it where contacts that
        // bounce as they must are wedged by friction: the caller mixes this answer with the
        // inelastic one.
        island.friction = scratch;
        simultaneous::respond_normals(method, island, bounce);
        report.iterations += island.report.iterations;
        report.operations += island.report.operations;
        let normals = island.report;
        let contradictory = normals.status == Status::Infeasible;
        if contradictory || island.bounces(bounce) {
            island.friction.lambda_mut().fill(0.0);
            let status = if contradictory { normals.status } else { status };
            island.report = Report { residual: normals.residual, status, ..report };
            return;
        }
        scratch = std::mem::take(&mut island.friction);
        status = scratch.solve(&island.mass, error, AT_MOST, &mut report);
        if status == Status::FrictionNotConverged {
            scratch.take_better_passes(&island.mass, tolerance, &mut report);
        }
    }
    scratch.cones.combine();
    island.friction = scratch;
    take(island);
    keep_energy(island, bounce);
    let measure = island.friction.cones.measure(tolerance);
    if tolerance > rounding {
        status = if measure.worst() <= tolerance { Status::Solved } else { Status::FrictionNotConverged };
    }
    island.report = Report { status, residual: residual(&measure), ..report };
    verification::clamp_velocity(island, bounce);
}

fn residual(measure: &Measure) -> Residual {
    Residual { friction: measure.velocity_error, ..measure.normals.into() }
}

/// Impulses and velocity from the cones.
fn take(island: &mut Island) {
    let cones = &island.friction.cones;
    for (i, impulse) in island.impulses.iter_mut().enumerate() {
        *impulse = cones.r[cones.offsets[i] as usize];
    }
    for ((v, before), change) in island.velocity.iter_mut().zip(&island.velocity_before).zip(&cones.change) {
        *v = before + change;
    }
}

/// An answer that is not exact may gain energy: then it is scaled until it does not. What bounces
/// is seen to by the caller.
fn keep_energy(island: &mut Island, bounce: f64) {
    if island.bounces(bounce) {
        return;
    }
    let work = island.energy_change() + island.against_obstacles();
    if work <= GAINED * island.work_scale() {
        return;
    }
    // Work is sL + s²Q for impulses scaled by s, and Q is the energy of the change alone.
    let square = island.mass.half_square(&island.friction.cones.change);
    let share = (1.0 - work / square).clamp(0.0, 1.0);
    island.friction.cones.scale(if share.is_finite() { share } else { 0.0 });
    take(island);
}
