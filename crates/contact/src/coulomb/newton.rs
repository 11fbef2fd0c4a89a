//! Semismooth Newton on Coulomb's law, regularized for deficient rank.
//!
//! Alart and Curnier, *A mixed formulation for frictional contact problems prone to Newton like
//! solution methods* (CMAME 92, 1991), with each contact's step ρ = 1 in scaled units. Each
//! iteration sorts the contacts into open, sticking and sliding and solves the linear equations of
//! that guess. Departures: an open contact drops out and a sliding one keeps its direction of
//! sliding fixed to first order, so it has dim − 1 unknowns; δ is added to the diagonal, which is a
//! proximal point step (Rockafellar 1976): W may be singular, and the solution is not moved. δ
//! follows the residual as in Levenberg and Marquardt's method, and sweeps lead out of cycles.

use super::cone::{Local, local, tangential};
use super::sweeps::sweep;
use super::{Cone, Problem};
use carom_numerics::sparse::frontal::FrontalLu;
use carom_numerics::watch;

/// δ = κ · residual (Levenberg–Marquardt): the bounds of κ, and what a fall of the residual by half
/// and a rise make of it.
const SMALLEST_KAPPA: f64 = 1e-2;
const LARGEST_KAPPA: f64 = 1e3;
const KAPPA_FALL: f64 = 0.3;
const KAPPA_RISE: f64 = 4.0;
/// Bounds of δ in scaled units, where the mean diagonal of W is 1: far above rounding, so that the
/// factors of a singular W are good; and not beyond the diagonal's own size by much.
const SMALLEST_DELTA: f64 = 1e-9;
const LARGEST_DELTA: f64 = 10.0;
/// Rises of the residual in a row that are borne: the sorting of contacts often needs one bad step.
const RISES: u32 = 1;
/// Gauss–Seidel passes after a step back.
const SWEEPS: u32 = 5;
/// Iterations without a new best before the next phase.
const PATIENCE: u32 = 8;
const LONG_PATIENCE: u32 = 25;

/// How δ is chosen, one rule after the other while none succeeds. Printed digits make W indefinite
/// by up to 1e-6: with δ a little above that, impulses drift along such a direction until a contact
/// changes its state, which may take many steps on which the residual rises a little.
const PHASES: [Phase; 6] = [
    Phase::Adaptive,
    Phase::Fixed { delta: 2e-6, patience: LONG_PATIENCE },
    Phase::Fixed { delta: 1e-12, patience: PATIENCE },
    Phase::Adaptive,
    Phase::Fixed { delta: 2e-7, patience: LONG_PATIENCE },
    Phase::Fixed { delta: 2e-5, patience: LONG_PATIENCE },
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Adaptive,
    Fixed { delta: f64, patience: u32 },
}

impl Phase {
    fn patience(self) -> u32 {
        match self {
            Self::Adaptive => PATIENCE,
            Self::Fixed { patience, .. } => patience,
        }
    }
}

/// A pivot below this part of its column is replaced.
const SMALLEST_PIVOT: f64 = 1e-15;
/// The error has reached rounding: another iteration would gain nothing.
const ROUNDING: f64 = 1e-15;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    Open,
    /// All rows of the velocity vanish; also normal-only and two-sided rows.
    Stick,
    /// Direction of the tangential impulse, its normal in the tangent plane, and the damping that
    /// curvature of the cone gives along the latter.
    Slide {
        direction: [f64; 2],
        damping: f64,
    },
}

/// Buffers of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    pub(super) lu: FrontalLu,
    states: Vec<State>,
    sizes: Vec<u8>,
    u: Vec<f64>,
    x: Vec<f64>,
    step: Vec<f64>,
    /// Where the residual last fell.
    good: Vec<f64>,
}

/// What a run of the method did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) residual: f64,
    pub(super) iterations: u32,
    /// Whether the impulses were accepted.
    pub(super) is_accepted: bool,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Iterations in all.
    pub(super) iterations: u32,
    /// κ at first.
    pub(super) kappa: f64,
    /// Iterations without a new best.
    pub(super) patience: u32,
    /// Ends when the residual is below this.
    pub(super) target: f64,
}

impl Newton {
    /// Improves scaled impulses `x`; leaves the best it has seen there, or the first that are
    /// accepted together with their velocities.
    pub(super) fn run(
        &mut self,
        problem: &Problem,
        x: &mut [f64],
        limits: Limits,
        accepts: impl Fn(&[f64], &[f64]) -> bool,
    ) -> Run {
        self.u.resize(problem.rows(), 0.0);
        self.x.clear();
        self.x.extend_from_slice(x);
        self.good.clear();
        self.good.extend_from_slice(x);
        self.lu.analyze(&problem.pattern);
        let mut best = problem.residual(x, &mut self.u);
        let mut last = best;
        let mut phases = PHASES.iter().cycle();
        let mut phase = *phases.next().expect("there are phases");
        let (mut kappa, mut rises, mut since_best, mut iterations) = (limits.kappa, 0, 0, 0);
        while iterations < limits.iterations
            && since_best < limits.patience
            && best > ROUNDING
            && !watch::is_over()
        {
            iterations += 1;
            since_best += 1;
            let delta = match phase {
                Phase::Adaptive => (kappa * last).clamp(SMALLEST_DELTA, LARGEST_DELTA),
                Phase::Fixed { delta, .. } => delta,
            };
            self.iterate(problem, delta);
            let before = last;
            last = problem.residual(&self.x, &mut self.u);
            if accepts(&self.x, &self.u) {
                x.copy_from_slice(&self.x);
                return Run { residual: last, iterations, is_accepted: true };
            }
            if last < 0.5 * before {
                kappa = (kappa * KAPPA_FALL).max(SMALLEST_KAPPA);
            }
            if last < best {
                x.copy_from_slice(&self.x);
                best = last;
                since_best = 0;
            }
            if best <= limits.target && last > 0.1 * before || best <= 1e-3 * limits.target {
                break;
            }
            rises = if last <= before { 0 } else { rises + 1 };
            if rises > 0 {
                kappa = (kappa * KAPPA_RISE).min(LARGEST_KAPPA);
            }
            let lost = !last.is_finite();
            if since_best >= phase.patience() || (lost && phase != Phase::Adaptive) {
                // Another rule, from the best impulses.
                phase = *phases.next().expect("phases come round");
                (kappa, since_best) = (limits.kappa, 0);
                self.good.copy_from_slice(x);
            } else if !(phase == Phase::Adaptive && (rises > RISES || lost)) {
                if rises == 0 {
                    self.good.copy_from_slice(&self.x);
                }
                continue;
            }
            // Back to where the residual last fell, and on from there by other means.
            rises = 0;
            self.x.copy_from_slice(&self.good);
            for k in 0..SWEEPS {
                sweep(problem, &mut self.x, k % 2 == 1);
            }
            last = problem.residual(&self.x, &mut self.u);
            self.good.copy_from_slice(&self.x);
        }
        Run { residual: best, iterations, is_accepted: false }
    }

    /// One step from `self.x` with velocity `self.u`.
    fn iterate(&mut self, problem: &Problem, delta: f64) {
        let Self { lu, states, sizes, u, x, step, .. } = self;
        states.clear();
        sizes.clear();
        // The part of the step that needs no equation: open impulses to zero, sliding ones to the
        // boundary of the cone in the new direction.
        step.clear();
        step.extend_from_slice(u);
        for i in 0..problem.len() {
            let range = problem.range(i);
            let cone = problem.cones[i];
            let (state, size) = classify(cone, local(&x[range.clone()]), local(&u[range.clone()]));
            match state {
                State::Open => x[range].fill(0.0),
                State::Stick => {}
                State::Slide { direction, .. } => {
                    let normal = x[range.start];
                    let tangent = local(&x[range.clone()]);
                    let along = direction[0] * tangent[1] + direction[1] * tangent[2];
                    let change = cone.mu() * normal - along;
                    for (x, d) in x[range][1..].iter_mut().zip(direction) {
                        *x += change * d;
                    }
                }
            }
            states.push(state);
            sizes.push(size);
        }
        problem.velocity(x, u);
        lu.factor(&problem.pattern, sizes, SMALLEST_PIVOT, |i, j, entry, out| {
            let (rows, columns) = (problem.cones[i].dim(), problem.cones[j].dim());
            let block = problem.block(entry);
            reduce(states[i], states[j], problem.cones[j].mu(), (block, rows, columns), out);
            if i == j {
                let size = usize::from(sizes[i]);
                (0..size).for_each(|k| out[k * size + k] += delta);
                if let (State::Slide { damping, .. }, 2) = (states[i], size) {
                    out[3] += damping;
                }
            }
        });
        // Right-hand side, in the order of the reduced unknowns.
        step.clear();
        for i in 0..problem.len() {
            let range = problem.range(i);
            let (ui, xi) = (local(&u[range.clone()]), local(&x[range.clone()]));
            match states[i] {
                State::Open => {}
                State::Stick => step.extend(ui[..range.len()].iter().map(|u| -u)),
                State::Slide { direction: d, damping } => {
                    step.push(-ui[0]);
                    if range.len() == 3 {
                        let across = |v: &Local| d[0] * v[2] - d[1] * v[1];
                        step.push(-across(&ui) - damping * across(&xi));
                    }
                }
            }
        }
        lu.solve(step);
        let mut next = step.iter();
        let mut take = || next.next().copied().unwrap_or(0.0);
        for i in 0..problem.len() {
            let range = problem.range(i);
            match states[i] {
                State::Open => {}
                State::Stick => x[range].iter_mut().for_each(|x| *x += take()),
                State::Slide { direction: d, .. } => {
                    let change = take();
                    let along = problem.cones[i].mu() * change;
                    x[range.start] += change;
                    let across = if range.len() == 3 { take() } else { 0.0 };
                    let tangent = [along * d[0] - across * d[1], along * d[1] + across * d[0]];
                    for (x, t) in x[range][1..].iter_mut().zip(tangent) {
                        *x += t;
                    }
                }
            }
        }
    }
}

/// The state that Alart and Curnier's projections choose, and its number of unknowns.
fn classify(cone: Cone, x: Local, u: Local) -> (State, u8) {
    let Cone::SecondOrder { dim, mu } = cone else {
        return match cone {
            Cone::Free { dim } => (State::Stick, dim),
            _ if x[0] - u[0] <= 0.0 => (State::Open, 0),
            _ => (State::Stick, 1),
        };
    };
    let normal = x[0] - u[0];
    if normal <= 0.0 {
        return (State::Open, 0);
    }
    let z = [0.0, x[1] - u[1], x[2] - u[2]];
    let length = tangential(&z);
    if length <= mu * normal {
        return (State::Stick, dim);
    }
    let direction = [z[1] / length, z[2] / length];
    let inside = mu * normal / length;
    (State::Slide { direction, damping: (1.0 - inside) / inside }, dim - 1)
}

/// Rᵀ W C, with R and C the rows and the columns that the states of two contacts keep: the rows
/// e_N and across; the columns e_N + μ d and across.
pub(super) fn reduce(
    row_state: State,
    column_state: State,
    mu: f64,
    (w, rows, columns): (&[f64], usize, usize),
    out: &mut [f64; 9],
) {
    // Columns first.
    let mut half = [[0.0; 3]; 3];
    let width = match column_state {
        State::Slide { direction: d, .. } => {
            for r in 0..rows {
                let row = &w[r * columns..(r + 1) * columns];
                if columns == 3 {
                    half[r][0] = row[0] + mu * (d[0] * row[1] + d[1] * row[2]);
                    half[r][1] = d[0] * row[2] - d[1] * row[1];
                } else {
                    half[r][0] = row[0] + mu * d[0] * row[1];
                }
            }
            columns - 1
        }
        _ => {
            for r in 0..rows {
                half[r][..columns].copy_from_slice(&w[r * columns..(r + 1) * columns]);
            }
            columns
        }
    };
    match row_state {
        State::Slide { direction: d, .. } => {
            out[..width].copy_from_slice(&half[0][..width]);
            if rows == 3 {
                for c in 0..width {
                    out[width + c] = d[0] * half[2][c] - d[1] * half[1][c];
                }
            }
        }
        _ => {
            for r in 0..rows {
                out[r * width..(r + 1) * width].copy_from_slice(&half[r][..width]);
            }
        }
    }
}
