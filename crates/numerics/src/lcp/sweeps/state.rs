//! Where a solve stands: looks at all rows, and rounds of sweeps between looks.

use super::levels::Levels;
use super::packed::{PADDING, Packed};
use super::plane::{Plane, product};
use super::residual_queue::{FEW, ResidualQueue};
use super::{SweepOutcome, SweepProblem, SweepSettings};
use crate::lcp::{KktResidual, LcpStatus, SparseJacobian};
use crate::watch;

/// Rounds before rows that were left out are checked again.
const ROUNDS_BETWEEN_LOOKS: u64 = 8;
/// Rows that do not push and whose w is more than this many residuals are left out of sweeps.
const REACH: f64 = 4.0;
/// When all changes of a sweep are within the tolerance and the residual still is not, changes must
/// become smaller by this.
const SMALLER: f64 = 0.7;

/// Where the solve stands.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Which row of the problem stands where.
    order: Vec<u32>,
    levels: Levels,
    /// The rows that sweeps visit.
    pub(super) near: Vec<u32>,
    pub(super) lambda: Vec<f64>,
    /// Longer than the rows are wide by [`PADDING`] zeros.
    pub(super) u: Vec<f64>,
    gap: Vec<f64>,
    pub(super) plane: Plane,
    pub(super) queue: ResidualQueue,
}

impl State {
    /// Puts rows in order and takes the guess.
    pub(super) fn begin(&mut self, problem: &SweepProblem<'_>, guess: &[f64]) {
        self.order.clear();
        self.levels.order(problem.rows, &mut self.order);
        self.lambda.clear();
        let guessed = guess.len() == problem.rows.len();
        self.lambda.extend(self.order.iter().map(|&k| if guessed { guess[k as usize] } else { 0.0 }));
    }

    /// Nothing pushes.
    pub(super) fn give_up(&mut self, columns: usize) -> SweepOutcome {
        self.lambda.fill(0.0);
        self.u.clear();
        self.u.resize(columns, 0.0);
        let residual = KktResidual { violation: f64::INFINITY, ..KktResidual::default() };
        SweepOutcome { status: LcpStatus::LimitReached, residual, ..SweepOutcome::default() }
    }

    /// λ in the order of the problem, and u.
    pub(super) fn write(&self, rows: &SparseJacobian, lambda: &mut Vec<f64>, u: &mut Vec<f64>) {
        lambda.clear();
        lambda.resize(rows.len(), 0.0);
        u.clear();
        u.extend_from_slice(&self.u[..rows.columns()]);
        for (&k, &l) in self.order.iter().zip(&self.lambda) {
            lambda[k as usize] = l;
        }
    }

    pub(super) fn solve<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &mut Vec<Packed<RUNS, H>>,
        problem: &SweepProblem<'_>,
        settings: &SweepSettings,
    ) -> SweepOutcome {
        self.pack(rows, problem);
        self.queue.is_worth_it = settings.last_few_alone;
        self.start(rows, problem);
        let all = 2 * (RUNS * H * rows.len()) as u64;
        let mut outcome = SweepOutcome { status: LcpStatus::LimitReached, ..SweepOutcome::default() };
        let mut look = self.look(rows);
        outcome.operations += 2 * all;
        let mut aim = settings.tolerance;
        while look.worst() > settings.tolerance && outcome.sweeps < settings.max_sweeps && !watch::is_over() {
            self.choose(REACH * look.worst());
            let changed = self.rounds(rows, problem, (aim, settings.max_sweeps), &mut outcome);
            aim = if changed <= aim { SMALLER * aim } else { aim };
            look = self.look(rows);
            outcome.operations += all;
            if look.worst() <= settings.tolerance || outcome.sweeps >= settings.max_sweeps {
                // Without the rounding of all the changes.
                self.combine(rows);
                look = self.look(rows);
                outcome.operations += 2 * all;
            }
        }
        if look.worst() <= settings.tolerance {
            outcome.status = LcpStatus::Solved;
        }
        SweepOutcome { residual: look, ..outcome }
    }

    fn pack<const RUNS: usize, const H: usize>(
        &self,
        rows: &mut Vec<Packed<RUNS, H>>,
        problem: &SweepProblem<'_>,
    ) {
        rows.clear();
        rows.extend(
            self.order.iter().map(|&k| Packed::new(&problem.rows.row(k as usize), problem.b[k as usize])),
        );
    }

    /// u of the guess, within its bounds and with f ≤ 0.
    fn start<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        problem: &SweepProblem<'_>,
    ) {
        self.u.clear();
        self.u.resize(problem.rows.columns() + PADDING, 0.0);
        self.lambda.iter_mut().for_each(|lambda| *lambda = lambda.max(0.0));
        self.combine(rows);
        let (square, linear) = self.energy(problem);
        if square + linear > 0.0 {
            // The least f between here and 0.
            self.scale((-0.5 * linear / square).max(0.0));
        }
        self.plane.start(&self.lambda, &self.u);
    }

    /// u = M⁻¹Nλ.
    fn combine<const RUNS: usize, const H: usize>(&mut self, rows: &[Packed<RUNS, H>]) {
        self.u.fill(0.0);
        for (row, &lambda) in rows.iter().zip(&self.lambda) {
            if lambda != 0.0 {
                row.push(&mut self.u, lambda);
            }
        }
    }

    /// f = ½uᵀMu + bᵀλ, as its two parts.
    fn energy(&self, problem: &SweepProblem<'_>) -> (f64, f64) {
        let impulses = self.order.iter().zip(&self.lambda);
        let linear = impulses.fold(0.0, |sum, (&k, l)| sum + problem.b[k as usize] * l);
        (0.5 * product(problem.mass, &self.u, &self.u), linear)
    }

    fn scale(&mut self, share: f64) {
        self.lambda.iter_mut().chain(&mut self.u).for_each(|x| *x *= share);
    }

    /// Gaps and the residual of all rows.
    fn look<const RUNS: usize, const H: usize>(&mut self, rows: &[Packed<RUNS, H>]) -> KktResidual {
        let mut worst = KktResidual::default();
        self.gap.clear();
        for (row, &lambda) in rows.iter().zip(&self.lambda) {
            let gap = row.gap(&self.u);
            self.gap.push(gap);
            worst = worst.max(KktResidual::of_row(lambda, gap, row.inverse_mass));
        }
        worst
    }

    /// Chooses the rows of the next sweeps: those that push or whose w is small.
    fn choose(&mut self, reach: f64) {
        self.near.clear();
        let rows = self.lambda.iter().zip(&self.gap).enumerate();
        let chosen = rows.filter(|&(_, (&lambda, &gap))| gap < reach || lambda > 0.0);
        self.near.extend(chosen.map(|(k, _)| k as u32));
    }

    /// Rounds over the chosen rows, until no change is above the aim or it is time to look at the
    /// others. Returns the largest change of the last sweep.
    fn rounds<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        problem: &SweepProblem<'_>,
        (aim, max_sweeps): (f64, u64),
        outcome: &mut SweepOutcome,
    ) -> f64 {
        let mut changed = f64::INFINITY;
        for _ in 0..ROUNDS_BETWEEN_LOOKS {
            let forth = self.sweep(rows, false, aim);
            let back = self.sweep(rows, true, aim);
            changed = back.largest;
            outcome.sweeps += 2;
            outcome.operations += 4 * (RUNS * H * self.near.len()) as u64;
            let fall = forth.fall + back.fall;
            let at_end = changed <= aim || outcome.sweeps >= max_sweeps;
            if self.queue.is_worth_it && f64::from(back.larger) <= FEW * self.near.len() as f64 {
                let relaxed = self.relax_few(rows, aim);
                outcome.operations += relaxed.operations;
                self.plane.follow(&self.lambda, &self.u, fall + relaxed.fall);
                if self.queue.is_worth_it {
                    return aim;
                }
                if at_end {
                    break;
                }
            } else if at_end {
                self.plane.follow(&self.lambda, &self.u, fall);
                break;
            } else {
                self.improve(rows, problem.mass, fall);
            }
        }
        changed
    }
}
