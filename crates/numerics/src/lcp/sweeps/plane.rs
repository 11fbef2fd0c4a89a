//! The least energy in the plane of a round's step and the step before it.
//!
//! With x where the round started, z where it ended, d = z − x and p the step before, f(x + αd + γp) − f(x) is a quadratic in α and γ. Its second derivatives are
//! products of velocities, since f = ½uᵀMu + bᵀλ: a pass over u, none over the rows. Its slopes at x come from differences of f that are summed change by change, not from f
//! itself, in which they would drown near the end: f(z) − f(x) = slope_d + ½dᵀMd; and p led from f(x − p) to f(x), so slope_p = f(x) − f(x − p) + ½pᵀMp.

use super::packed::Packed;
use super::state::State;
use crate::qp::BlockDiagonalMass;

/// Directions nearer to parallel than this span no plane.
const PARALLEL: f64 = 1e-10;

/// Where the round started, the step before it, and what f does along that step.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    lambda: Vec<f64>,
    u: Vec<f64>,
    step_lambda: Vec<f64>,
    step_u: Vec<f64>,
    /// How much f changed along the step before, and with it pᵀMp and the slope of f at its end.
    change: f64,
    square: f64,
    slope: f64,
    /// Where the plane leads to.
    next_lambda: Vec<f64>,
    next_u: Vec<f64>,
}

/// aᵀMb.
pub(super) fn product(mass: &BlockDiagonalMass, a: &[f64], b: &[f64]) -> f64 {
    let diagonal = mass.diagonal.iter().zip(a.iter().zip(b)).fold(0.0, |sum, (m, (a, b))| sum + m * a * b);
    mass.off_diagonal.iter().fold(diagonal, |sum, entry| {
        let (i, j) = (entry.row as usize, entry.column as usize);
        sum + entry.value * (a[i] * b[j] + a[j] * b[i])
    })
}

/// dᵀMd and dᵀMp in one pass, where d leads from one place to another.
fn products(mass: &BlockDiagonalMass, from: &[f64], to: &[f64], p: &[f64]) -> (f64, f64) {
    let (mut dd, mut dp) = (0.0, 0.0);
    for (m, ((from, to), p)) in mass.diagonal.iter().zip(from.iter().zip(to).zip(p)) {
        let d = to - from;
        dd += m * d * d;
        dp += m * d * p;
    }
    for entry in &mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        let (d_i, d_j) = (to[i] - from[i], to[j] - from[j]);
        dd += 2.0 * entry.value * d_i * d_j;
        dp += entry.value * (d_i * p[j] + d_j * p[i]);
    }
    (dd, dp)
}

impl Plane {
    /// No step yet.
    pub(super) fn start(&mut self, lambda: &[f64], u: &[f64]) {
        let copies = [(&mut self.lambda, lambda), (&mut self.u, u)];
        copies.into_iter().for_each(|(kept, now)| {
            kept.clear();
            kept.extend_from_slice(now);
        });
        self.step_lambda.resize(lambda.len(), 0.0);
        self.step_u.resize(u.len(), 0.0);
        self.change = 0.0;
    }

    /// Keeps where a round starts; the step before it is the way from where the last one started.
    pub(super) fn keep(&mut self, lambda: &[f64], u: &[f64], mass: &BlockDiagonalMass) {
        advance(&mut self.lambda, &mut self.step_lambda, lambda);
        advance(&mut self.u, &mut self.step_u, u);
        self.square = product(mass, &self.step_u, &self.step_u);
        self.slope = self.change + 0.5 * self.square;
    }

    /// The round alone was the step: `fall` is how much f changed.
    pub(super) fn follow(&mut self, fall: f64) {
        self.change = fall;
    }
}

impl State {
    /// Goes from where a round ended to the least f in the plane, back to 0 where λ is below it; stays if that is not better. `fall` is f(z) − f(x).
    pub(super) fn improve<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        mass: &BlockDiagonalMass,
        fall: f64,
    ) {
        let plane = &mut self.plane;
        let (dd, dp) = products(mass, &plane.u, &self.u, &plane.step_u);
        let (slope_d, slope_p, pp) = (fall - 0.5 * dd, plane.slope, plane.square);
        let area = dd * pp - dp * dp;
        let (alpha, gamma) = if area > PARALLEL * dd * pp {
            ((slope_p * dp - slope_d * pp) / area, (slope_d * dp - slope_p * dd) / area)
        } else if dd > 0.0 {
            (-slope_d / dd, 0.0)
        } else {
            (1.0, 0.0)
        };
        let mut change =
            alpha * (slope_d + 0.5 * alpha * dd + gamma * dp) + gamma * (slope_p + 0.5 * gamma * pp);
        combine(&mut plane.next_u, [&plane.u, &self.u, &plane.step_u], (alpha, gamma));
        combine(&mut plane.next_lambda, [&plane.lambda, &self.lambda, &plane.step_lambda], (alpha, gamma));
        for (next, row) in plane.next_lambda.iter_mut().zip(rows) {
            if *next < 0.0 {
                change -= *next * (row.gap(&plane.next_u) - 0.5 * *next * row.stiffness);
                row.push(&mut plane.next_u, -*next);
                *next = 0.0;
            }
        }
        plane.change = fall;
        if change <= fall {
            plane.change = change;
            std::mem::swap(&mut self.u, &mut plane.next_u);
            std::mem::swap(&mut self.lambda, &mut plane.next_lambda);
        }
    }
}

/// The step becomes the way from the start to here, and the start comes here.
fn advance(start: &mut [f64], step: &mut [f64], now: &[f64]) {
    for ((start, step), now) in start.iter_mut().zip(step).zip(now) {
        *step = now - *start;
        *start = *now;
    }
}

/// x + αd + γp, where d leads from x to z.
fn combine(next: &mut Vec<f64>, [x, z, p]: [&[f64]; 3], (alpha, gamma): (f64, f64)) {
    next.clear();
    let steps = x.iter().zip(z).zip(p);
    next.extend(steps.map(|((x, z), p)| x + (alpha * (z - x) + gamma * p)));
}
