//! A sparse solver for thousands of rows: the proximal method of multipliers with a semismooth
//! Newton method inside.
//!
//! Solves, written for the bounds 0 and infinity, min ½uᵀMu subject to w = Nᵀu + b ≥ 0, with
//! multipliers 0 ≤ λ ⊥ w ≥ 0 and u = M⁻¹Nλ. A = NᵀM⁻¹N is never formed and may be singular.
//!
//! Sources: Rockafellar, "Augmented Lagrangians and applications of the proximal point algorithm in
//! convex programming", Math. Oper. Res. 1 (1976), section 4, for the outer loop
//!     u⁺ = argmin ½uᵀMu + Σ (1/2ρₖ) max(0, yₖ − ρₖwₖ)²,   y⁺ = max(0, y − ρw(u⁺));
//! Qi, Sun, "A nonsmooth version of Newton's method", Math. Programming 58 (1993), for the inner
//! one: on the set P = {k : yₖ − ρₖwₖ > 0} the minimum solves (M + N_P ρ N_Pᵀ) δu = N_P (y − ρw)_P
//! − Mu. The function is convex and piecewise quadratic, so Newton with a line search ends after
//! finitely many steps, exactly when P repeats. Symbols: ρₖ = ρ/aₖₖ, aₖₖ = ηₖᵀM⁻¹ηₖ; y the
//! multiplier estimate; K the matrix in brackets.
//!
//! Departures: Newton steps end early, when the rows that still change sides are wrong by less than
//! the outer step leaves anyway. After each inner solve the set P and the factor of K are kept for
//! as many outer steps as they help (one pair of triangular solves each); these also remove the
//! rounding of a large ρ, because u = M⁻¹Nλ and w are computed afresh while the step works on
//! differences only. z is carried along with u = M⁻¹Nz, so M itself appears only in K. Rows that no
//! u can change (aₖₖ = 0) are left out.

mod dense;
mod factor;
mod interior;
mod multipliers;
mod newton;
mod symbolic;

use super::{KktResidual, LcpStatus, Outcome, SparseJacobian};
use crate::qp::BlockDiagonalMass;
use factor::Factor;
use interior::{Ahead, Interior, Setting};
use symbolic::Symbolic;

/// What to solve: l ≤ λ ≤ h, with w = Nᵀu + b ≥ 0 where λ = l, w = 0 between, w ≤ 0 where λ = h,
/// and u = M⁻¹Nλ.
#[derive(Clone, Copy, Debug)]
pub struct SparseProblem<'a> {
    /// The rows of Nᵀ.
    pub rows: &'a SparseJacobian,
    /// M.
    pub mass: &'a BlockDiagonalMass,
    /// b.
    pub b: &'a [f64],
    /// The bounds l and h, one of each for every row; without them 0 and infinity.
    pub bounds: Option<(&'a [f64], &'a [f64])>,
}

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseSettings {
    /// The answer is accepted when its residual is below this part of the largest |b|.
    pub tolerance: f64,
    /// In problems of fewer than hundreds of rows Newton's method goes on to this part of the
    /// largest −b, or to rounding. Rows that are far open have a large b but need nothing: a tower
    /// without friction drifts by what is left, step by step.
    pub exact: f64,
    /// The same for problems of hundreds of rows where Newton's method cycles: with more rows that
    /// push than there are degrees of freedom, differences in b as small as rounding decide which
    /// of them do, and chasing those takes most of the time.
    pub enough: f64,
    /// First and largest penalty ρ, without unit: 1 is as soft as a single free row.
    pub penalty: (f64, f64),
    /// Factor by which ρ grows in an outer step.
    pub penalty_growth: f64,
    /// Newton steps after which the solver gives up.
    pub max_newton_steps: u64,
    /// Outer steps after which the solver gives up.
    pub max_outer_steps: u64,
}

impl Default for SparseSettings {
    fn default() -> Self {
        SparseSettings {
            tolerance: 1e-11,
            exact: 1e-14,
            enough: 1e-7,
            penalty: (1e6, 1e7),
            penalty_growth: 10.0,
            max_newton_steps: 500,
            max_outer_steps: 100,
        }
    }
}

/// Where Newton's method starts from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    /// What was given.
    Guess,
    /// An interior point guess with this residual, as a part of the largest |b|.
    Interior(f64),
    /// The last one, improved to this residual.
    Further(f64),
}

/// The solver with its memory. The elimination plan is kept as long as the pattern of the rows
/// stays the same.
#[derive(Clone, Debug, Default)]
pub struct SparseSolver {
    plan: Symbolic,
    factor: Factor,
    inverse_mass: Vec<f64>,
    /// ρ/a for the ρ at hand.
    rate: Vec<f64>,
    /// Multiplier estimate y; z with u = M⁻¹Nz, gap w, and their changes along the step δu.
    y: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    z_step: Vec<f64>,
    w_step: Vec<f64>,
    step: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// The bound that a row outside P stands on.
    held: Vec<f64>,
    weight: Vec<f64>,
    factored_weight: Vec<f64>,
    best: Vec<f64>,
    /// How much the multipliers grew in the last outer step.
    growth: Vec<f64>,
    /// Of the last call.
    factorizations: u64,
    newton_steps: u64,
    first_reach: f64,
    /// The residual at which Newton's method may stop when it cycles; 0 where it must go on.
    accepted: f64,
    /// Whether the problem is solved to rounding.
    is_exact: bool,
    /// Rows that changed sides in the last two Newton steps.
    changed: [usize; 2],
    /// Where the Newton step would have led after which interior points took over.
    ahead: Ahead,
    interior: Interior,
}

impl SparseSolver {
    /// Solves; writes λ and u = M⁻¹Nλ. If `lambda` comes with one entry for each row it is the
    /// starting guess.
    ///
    /// Where Newton's method cycles from set to set (a pile, with more contacts that push than
    /// there are degrees of freedom), or the guess is far off (a settling pile), an interior point
    /// method finds a better one. From there Newton's method comes to the tolerance in a problem
    /// that is new, and need only come to `enough` in one that goes on.
    pub fn solve(
        &mut self,
        problem: &SparseProblem<'_>,
        settings: &SparseSettings,
        lambda: &mut Vec<f64>,
        u: &mut Vec<f64>,
    ) -> Outcome {
        if problem.bounds.is_some() {
            self.accepted = 0.0;
            self.is_exact = is_exact(problem.rows.len(), true);
            let outcome = self.multipliers(problem, settings, lambda, u);
            return self.with_operations(problem, outcome);
        }
        let scale = problem.b.iter().fold(0.0f64, |s, &x| s.max(x.abs()));
        let short = |steps: u64| steps.min(settings.max_newton_steps);
        let guessed = lambda.len() == problem.rows.len();
        self.is_exact = is_exact(problem.rows.len(), guessed);
        let few = self.is_exact;
        let enough = if few { settings.tolerance } else { settings.enough.max(settings.tolerance) };
        let relaxed = SparseSettings { tolerance: enough, ..*settings };
        let finishing = SparseSettings { max_newton_steps: short(FINISHING), penalty: SOFT, ..relaxed };
        let strict = SparseSettings { max_newton_steps: short(FINISHING), ..*settings };
        let stages = [
            (Start::Guess, SparseSettings { max_newton_steps: short(CYCLING), ..*settings }),
            if guessed {
                (Start::Interior(ROUGH), finishing)
            } else {
                (Start::Interior(FIRST_ROUGH), strict)
            },
            (Start::Further((HALF * enough).max(FINE)), finishing),
            (Start::Further(FINE), relaxed),
        ];
        let far = guessed && !few && {
            self.start(problem, lambda);
            problem.rows.combine(&self.z, u);
            self.measure(problem.rows, problem.b, u);
            self.residual().worst() > FAR * scale
        };
        self.ahead.difference.clear();
        let (mut spent, mut last) = (0, Outcome::default());
        for (start, settings) in &stages[usize::from(far)..] {
            let setting = Setting { problem, plan: &self.plan, inverse_mass: &self.inverse_mass };
            let (interior, factor) = (&mut self.interior, &mut self.factor);
            spent += match start {
                Start::Guess => 0,
                Start::Interior(target) => {
                    interior.guess(&setting, factor, target * scale, lambda, &self.ahead)
                }
                Start::Further(target) => interior.go_on(&setting, factor, target * scale, lambda),
            };
            self.accepted = if start == &Start::Further(FINE) { 0.0 } else { enough * scale };
            last = self.multipliers(problem, settings, lambda, u);
            spent += last.iterations;
            last.iterations = spent;
            if last.status != LcpStatus::Infeasible && last.residual.worst() <= enough * scale {
                last.status = LcpStatus::Solved;
            }
            if matches!(last.status, LcpStatus::Solved | LcpStatus::Infeasible) {
                break;
            }
        }
        self.with_operations(problem, last)
    }

    /// An outcome with what its iterations cost.
    fn with_operations(&self, problem: &SparseProblem<'_>, outcome: Outcome) -> Outcome {
        let entries = problem.rows.entries() as u64;
        let step = self.plan.operations() + entries;
        Outcome { operations: entries + outcome.iterations * step, ..outcome }
    }

    /// Factorizations in the last call.
    pub fn factorizations(&self) -> u64 {
        self.factorizations
    }

    fn start(&mut self, problem: &SparseProblem<'_>, lambda: &[f64]) {
        let rows = problem.rows;
        self.plan.prepare(rows, problem.mass);
        self.factored_weight.clear();
        self.factorizations = 0;
        self.newton_steps = 0;
        self.changed = [0; 2];
        self.growth.clear();
        let count = rows.len();
        self.inverse_mass.clear();
        self.inverse_mass.extend((0..count).map(|k| {
            let row = rows.row(k);
            row.delassus(&row)
        }));
        self.lower.clear();
        self.upper.clear();
        if let Some((lower, upper)) = problem.bounds {
            self.lower.extend_from_slice(lower);
            self.upper.extend_from_slice(upper);
        } else {
            self.lower.resize(count, 0.0);
            self.upper.resize(count, f64::INFINITY);
        }
        self.z.clear();
        if lambda.len() == count {
            self.z.extend_from_slice(lambda);
        } else {
            self.z.resize(count, 0.0);
        }
        for k in 0..count {
            self.z[k] = self.clamp(k, self.z[k]);
        }
        self.best.clone_from(&self.z);
    }

    /// w = Nᵀu + b.
    fn measure(&mut self, rows: &SparseJacobian, b: &[f64], u: &[f64]) {
        self.w.clear();
        self.w.extend(b.iter().enumerate().map(|(k, &b)| rows.row(k).dot(u) + b));
    }

    /// The nearest number within the bounds of row k (bounds that cross count as their lower one).
    fn clamp(&self, k: usize, x: f64) -> f64 {
        x.min(self.upper[k]).max(self.lower[k])
    }

    fn residual(&self) -> KktResidual {
        (0..self.w.len()).fold(KktResidual::default(), |worst, k| {
            let (z, w, a) = (self.z[k], self.w[k], self.inverse_mass[k]);
            worst.max(KktResidual {
                violation: (-w).min((self.upper[k] - z) * a).max(0.0),
                negativity: (self.lower[k] - z).max(0.0),
                complementarity: w.min((z - self.lower[k]) * a).max(0.0),
            })
        })
    }

    /// Whether row k pushes, and not with all it has.
    fn is_inside(&self, k: usize) -> bool {
        self.lower[k] < self.y[k] && self.y[k] < self.upper[k]
    }

    /// y − ρw of row k.
    fn push(&self, k: usize) -> f64 {
        self.y[k] - self.rate[k] * self.w[k]
    }
}

/// Newton steps after which a better guess is worth more than another step, whatever they do.
const CYCLING: u64 = 25;
/// Problems with fewer rows are solved exactly, however degenerate; an impact, which has no guess,
/// up to more.
const MANY_ROWS: usize = 500;
const MANY_NEW_ROWS: usize = 3000;

fn is_exact(rows: usize, guessed: bool) -> bool {
    rows < if guessed { MANY_ROWS } else { MANY_NEW_ROWS }
}

/// Newton steps after a rough guess.
const FINISHING: u64 = 15;
/// With many rows, a guess whose residual is above this part of the largest |b| is not worth Newton
/// steps: interior points come first.
const FAR: f64 = 1e-4;
/// Residuals, as parts of the largest |b|, at which the interior point method stops: first, without
/// and with a guess from before; and if Newton's method makes nothing of that, below what is enough
/// by this factor, and at last.
const FIRST_ROUGH: f64 = 1e-2;
const ROUGH: f64 = 1e-6;
const HALF: f64 = 0.5;
const FINE: f64 = 1e-9;
/// Penalties after a rough guess in a settling pile.
const SOFT: (f64, f64) = (1e3, 1e7);
