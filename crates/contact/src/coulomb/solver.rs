//! Which method solves what.

use super::cone::local;
use super::infeasible::{self, Proof};
use super::interior_point::{InteriorPoint, SHORT_STEP, Variant};
use super::newton::{Limits, Newton, Run};
use super::path::{self, Path};
use super::scaling::Island;
use super::sweeps::sweep;
use super::{Certificate, Problem, Settings, one_contact};
use carom_numerics::watch;

/// What the certificate says of the impulses: the same at every size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverStatus {
    /// The residual is at most [`Settings::solved`], or the error in velocity at most
    /// [`Settings::tolerance`].
    Solved,
    /// The residual is at most [`Settings::almost_solved`]; the certificate has its figure.
    AlmostSolved,
    /// There is no solution: [`Solver::proof`] shows it.
    Infeasible,
    /// No method came closer.
    Limit,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Groups of contacts that were solved on their own.
    pub islands: u32,
    /// Gauss–Seidel passes, over all islands.
    pub sweeps: u32,
    /// Iterations of Newton's method.
    pub newton: u32,
    /// Iterations of the interior point method.
    pub interior: u32,
    /// Changes of a contact's state along paths.
    pub pivots: u32,
}

/// Status, certificate and effort of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// What is promised.
    pub status: SolverStatus,
    /// The figures behind it.
    pub certificate: Certificate,
    /// What it took.
    pub effort: Effort,
}

/// A run of Newton's method: Gauss–Seidel passes before it and the κ of its proximal term. The
/// passes sort most contacts into open, sticking and sliding.
struct Start {
    sweeps: u32,
    kappa: f64,
}

/// Runs of Newton's method from the guess, and then from the best impulses so far. Each is followed
/// by a run of the interior point method.
const STARTS: [Start; 8] = [
    Start { sweeps: 10, kappa: 0.1 },
    Start { sweeps: 50, kappa: 1.0 },
    Start { sweeps: 50, kappa: 0.03 },
    Start { sweeps: 200, kappa: 10.0 },
    Start { sweeps: 10, kappa: 0.3 },
    Start { sweeps: 50, kappa: 3.0 },
    Start { sweeps: 200, kappa: 0.1 },
    Start { sweeps: 500, kappa: 1.0 },
];
/// Runs of the interior point method.
const VARIANTS: [Variant; 8] = [
    variant(true, 0.0, 1.0),
    variant(true, 1.0, 1e3),
    variant(true, 0.0, 1e6),
    variant(false, 1.0, 1.0),
    variant(true, 1.0, 1e2),
    variant(true, 10.0, 1.0),
    variant(false, 0.1, 1e4),
    variant(true, 0.1, 0.1),
];
const fn variant(coupled: bool, smoothing: f64, start: f64) -> Variant {
    Variant { coupled, smoothing, start, recenters: true }
}

/// Exact methods aim this far below what counts as solved: other measures are then met as well.
const AIM: f64 = 1e-2;
/// Newton's method is tried from an interior point each time the gap has fallen by this factor.
const GAP_BETWEEN_TRIES: f64 = 1e-3;
/// Gauss–Seidel passes between two looks at the error, which cost half a pass each.
const SWEEPS_BETWEEN_CHECKS: u32 = 4;
/// Rows of a contact in a factorization, for counting: open ones have none.
const FACTORED_ROWS: u64 = 2;
/// Short steps in a row that end a run.
const SHORT_STEPS: u32 = 3;
/// Iterations of Newton's method without a new best before paths are followed.
const PATIENCE: u32 = 8;
/// Paths may take this many times the products of all other methods: they mostly arrive.
const PATHS: u64 = 10;

/// Solves contact problems. Keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    settings: Settings,
    island: Island,
    newton: Newton,
    path: Path,
    interior: InteriorPoint,
    velocity: Vec<f64>,
    x: Vec<f64>,
    trial: Vec<f64>,
    scratch: Vec<f64>,
    proof: Option<Proof>,
    members: Vec<u32>,
    starts: Vec<u32>,
    label: Vec<u32>,
}

impl Solver {
    /// A solver with empty buffers.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Other settings, same buffers.
    pub fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The velocity u = W r + q of the last solve.
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Multiplications of a factorization in the last solve, about.
    pub(crate) fn operations(&self) -> u64 {
        self.newton.lu.operations(FACTORED_ROWS)
    }

    /// The proof behind [`SolverStatus::Infeasible`] of the last solve.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// Finds impulses. `r` holds a guess (a warm start, or zeros) and receives the answer; a guess
    /// of the wrong length counts as zeros. A guess that is good enough is returned as it is, at
    /// the cost of one certificate.
    pub fn solve(&mut self, problem: &Problem, r: &mut Vec<f64>) -> Answer {
        self.proof = None;
        if r.len() != problem.rows() || r.iter().any(|x| !x.is_finite()) {
            r.clear();
            r.resize(problem.rows(), 0.0);
        }
        self.velocity.resize(problem.rows(), 0.0);
        let mut effort = Effort::default();
        let certificate = problem.certify(r, &mut self.velocity);
        // A guess is held to what the methods aim at: errors do not add up from step to step.
        let is_good = certificate.residual <= AIM * self.settings.solved
            || certificate.velocity_error <= self.settings.tolerance;
        if is_good {
            return Answer { status: SolverStatus::Solved, certificate, effort };
        }
        self.find_islands(problem);
        for k in 0..self.starts.len() - 1 {
            let members = self.starts[k] as usize..self.starts[k + 1] as usize;
            self.island.load(problem, &self.members[members]);
            self.solve_island(problem, r, &mut effort);
            if self.proof.is_some() {
                break;
            }
        }
        let certificate = problem.certify(r, &mut self.velocity);
        let status = match () {
            () if self.accepts(&certificate) => SolverStatus::Solved,
            () if self.proof.is_some() => SolverStatus::Infeasible,
            () if certificate.residual <= self.settings.almost_solved => SolverStatus::AlmostSolved,
            () => SolverStatus::Limit,
        };
        Answer { status, certificate, effort }
    }

    fn accepts(&self, certificate: &Certificate) -> bool {
        certificate.residual <= self.settings.solved || certificate.velocity_error <= self.settings.tolerance
    }

    fn solve_island(&mut self, whole: &Problem, r: &mut [f64], effort: &mut Effort) {
        effort.islands += 1;
        let settings = self.settings;
        self.island.scale(whole, r, &mut self.x);
        self.scratch.resize(self.x.len(), 0.0);
        let problem = &self.island.problem;
        if problem.len() == 1 {
            let q = local(&problem.q);
            let answer = one_contact::solve(problem.cones[0], problem.diagonal_block(0), q);
            self.x.copy_from_slice(&answer[..problem.rows()]);
            if problem.residual(&self.x, &mut self.scratch) <= settings.solved {
                return self.island.unscale(whole, &self.x, r);
            }
        }
        if settings.tolerance > 0.0 && self.sweep_to_tolerance(effort) {
            return self.island.unscale(whole, &self.x, r);
        }
        self.solve_exactly(effort);
        self.island.unscale(whole, &self.x, r);
        if settings.seeks_proof
            && self.island.problem.residual(&self.x, &mut self.scratch) > settings.almost_solved
        {
            self.seek_proof(whole);
        }
    }

    /// Gauss–Seidel passes until every row is within the tolerance.
    fn sweep_to_tolerance(&mut self, effort: &mut Effort) -> bool {
        let Self { settings, island, x, scratch, .. } = self;
        for k in 0..settings.sweeps {
            if k % SWEEPS_BETWEEN_CHECKS == 0 && island.velocity_error(x, scratch) <= settings.tolerance {
                return true;
            }
            sweep(&island.problem, x, k % 2 == 1);
            effort.sweeps += 1;
        }
        island.velocity_error(x, scratch) <= settings.tolerance
    }

    /// Newton's method after a few sweeps and from interior points, in turn.
    fn solve_exactly(&mut self, effort: &mut Effort) {
        let Self { settings, island, newton, path, interior, x, trial, scratch, .. } = self;
        let problem = &island.problem;
        let aim = AIM * settings.solved;
        let mut best = problem.residual(x, scratch);
        if best <= aim || settings.tolerance > 0.0 && island.velocity_error(x, scratch) <= settings.tolerance
        {
            return;
        }
        let accepts =
            |x: &[f64], u: &[f64]| settings.tolerance > 0.0 && island.error_of(x, u) <= settings.tolerance;
        let mut keep = |x: &mut [f64], trial: &[f64], run: Run| {
            if run.is_accepted || run.residual < best {
                x.copy_from_slice(trial);
                best = run.residual;
            }
            run.is_accepted || best <= aim
        };
        newton.lu.analyze(&problem.pattern);
        let each = newton.lu.operations(FACTORED_ROWS).max(1);
        let most = u32::try_from(settings.operations / each).unwrap_or(u32::MAX);
        let before = effort.newton + effort.interior;
        let left = |effort: &Effort| most.saturating_sub(effort.newton + effort.interior - before);
        let is_planar = Path::fits(problem);
        let patience = if is_planar { PATIENCE } else { u32::MAX };
        // The first run follows paths from the guess.
        let mut is_far = settings.skipped_runs > 0;
        let runs = STARTS.iter().zip(VARIANTS).take(settings.runs as usize);
        for (start, variant) in runs.skip(settings.skipped_runs as usize) {
            trial.clear();
            trial.extend_from_slice(x);
            for k in 0..start.sweeps {
                sweep(problem, trial, k % 2 == 1);
            }
            effort.sweeps += start.sweeps;
            let iterations = settings.newton_iterations.min(left(effort));
            let limits = Limits { iterations, kappa: start.kappa, patience, target: aim };
            let run = newton.run(problem, trial, limits, accepts);
            effort.newton += run.iterations;
            if keep(x, trial, run) {
                return;
            }
            if is_planar {
                trial.copy_from_slice(x);
                let products = settings.operations.saturating_mul(PATHS);
                let limits = path::Limits { products, target: aim, is_far };
                let run = path.solve(problem, trial, limits, accepts);
                effort.newton += run.iterations;
                effort.pivots += path.pivots;
                is_far = true;
                if keep(x, trial, run) || watch::is_over() {
                    return;
                }
                continue;
            }
            interior.start(problem, variant);
            let (mut next_try, mut short) = (1e-4 * variant.start, 0);
            for _ in 0..settings.interior_iterations {
                if left(effort) == 0 || watch::is_over() {
                    return;
                }
                let progress = interior.iterate(problem, variant);
                effort.interior += 1;
                short = if progress.is_some_and(|p| p.step < SHORT_STEP) { short + 1 } else { 0 };
                let over = progress.is_none() || short >= SHORT_STEPS;
                if over || progress.is_some_and(|p| p.gap <= next_try) {
                    next_try = progress.map_or(0.0, |p| p.gap * GAP_BETWEEN_TRIES);
                    interior.impulses(problem, trial);
                    let iterations = settings.polish_iterations.min(left(effort));
                    let limits = Limits { iterations, kappa: STARTS[0].kappa, patience, target: aim };
                    let run = newton.run(problem, trial, limits, accepts);
                    effort.newton += run.iterations;
                    if keep(x, trial, run) {
                        return;
                    }
                }
                if over {
                    break;
                }
            }
        }
    }

    fn seek_proof(&mut self, whole: &Problem) {
        let Some(proof) = infeasible::seek(&mut self.interior, &self.island.problem) else { return };
        let mut multipliers = vec![0.0; whole.rows()];
        for k in 0..self.island.problem.len() {
            // A row of W is scaled by s, so a multiplier of the scaled row is s times as large.
            let factor = self.island.impulse_unit(k);
            let from = &proof.multipliers[self.island.problem.range(k)];
            let to = &mut multipliers[whole.range(self.island.contact(k))];
            to.iter_mut().zip(from).for_each(|(to, from)| *to = factor * from);
        }
        self.proof = Proof::check(whole, multipliers);
    }

    /// Contacts that share bodies, directly or through others. Islands in the order of their first
    /// contact, members in their own order.
    fn find_islands(&mut self, problem: &Problem) {
        let n = problem.len();
        let Self { members, starts, label, .. } = self;
        label.clear();
        label.resize(n, u32::MAX);
        members.clear();
        starts.clear();
        starts.push(0);
        for root in 0..n {
            if label[root] != u32::MAX {
                continue;
            }
            let first = members.len();
            label[root] = root as u32;
            members.push(root as u32);
            let mut next = first;
            while next < members.len() {
                let i = members[next] as usize;
                next += 1;
                for entry in problem.pattern.row(i) {
                    let j = problem.pattern.columns[entry];
                    if label[j as usize] == u32::MAX {
                        label[j as usize] = root as u32;
                        members.push(j);
                    }
                }
            }
            members[first..].sort_unstable();
            starts.push(members.len() as u32);
        }
    }
}
