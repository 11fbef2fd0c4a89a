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

/// Where the round started, the step before it, and the slope of f along that step.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    lambda: Vec<f64>,
    u: Vec<f64>,
    step_lambda: Vec<f64>,
    step_u: Vec<f64>,
    slope: f64,
}

/// aᵀMb.
pub(super) fn product(mass: &BlockDiagonalMass, a: &[f64], b: &[f64]) -> f64 {
    let diagonal = mass.diagonal.iter().zip(a.iter().zip(b)).fold(0.0, |sum, (m, (a, b))| sum + m * a * b);
    mass.off_diagonal.iter().fold(diagonal, |sum, entry| {
        let (i, j) = (entry.row as usize, entry.column as usize);
        sum + entry.value * (a[i] * b[j] + a[j] * b[i])
    })
}

/// dᵀMd, dᵀMp and pᵀMp in one pass.
fn products(mass: &BlockDiagonalMass, d: &[f64], p: &[f64]) -> (f64, f64, f64) {
    let (mut dd, mut dp, mut pp) = (0.0, 0.0, 0.0);
    for (m, (d, p)) in mass.diagonal.iter().zip(d.iter().zip(p)) {
        let (md, mp) = (m * d, m * p);
        dd += md * d;
        dp += md * p;
        pp += mp * p;
    }
    for entry in &mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        dd += 2.0 * entry.value * d[i] * d[j];
        dp += entry.value * (d[i] * p[j] + d[j] * p[i]);
        pp += 2.0 * entry.value * p[i] * p[j];
    }
    (dd, dp, pp)
}

impl Plane {
    /// No step yet.
    pub(super) fn start(&mut self, rows: usize, columns: usize) {
        self.step_lambda.clear();
        self.step_lambda.resize(rows, 0.0);
        self.step_u.clear();
        self.step_u.resize(columns, 0.0);
        self.slope = 0.0;
    }

    /// Keeps where a round starts.
    pub(super) fn keep(&mut self, lambda: &[f64], u: &[f64]) {
        self.lambda.clear();
        self.lambda.extend_from_slice(lambda);
        self.u.clear();
        self.u.extend_from_slice(u);
    }

    /// The round alone was the step: keeps it and the slope along it.
    pub(super) fn follow(&mut self, (lambda, u): (&[f64], &[f64]), mass: &BlockDiagonalMass, fall: f64) {
        let steps = self.step_lambda.iter_mut().zip(lambda).zip(&self.lambda);
        steps.for_each(|((step, now), start)| *step = now - start);
        let steps = self.step_u.iter_mut().zip(u).zip(&self.u);
        steps.for_each(|((step, now), start)| *step = now - start);
        self.slope = fall + 0.5 * product(mass, &self.step_u, &self.step_u);
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
        let mut plane = std::mem::take(&mut self.plane);
        // The step of the round takes the place of where it ended.
        self.lambda.iter_mut().zip(&plane.lambda).for_each(|(now, start)| *now -= start);
        self.u.iter_mut().zip(&plane.u).for_each(|(now, start)| *now -= start);
        let (d, p) = (&self.u, &plane.step_u);
        let (dd, dp, pp) = products(mass, d, p);
        let (slope_d, slope_p) = (fall - 0.5 * dd, plane.slope);
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
        // From here on the plane holds d instead of p, for the way back.
        for (i, start) in plane.u.iter().enumerate() {
            let (step, before) = (self.u[i], plane.step_u[i]);
            plane.step_u[i] = step;
            self.u[i] = start + (alpha * step + gamma * before);
        }
        for (k, row) in rows.iter().enumerate() {
            let (step, before) = (self.lambda[k], plane.step_lambda[k]);
            plane.step_lambda[k] = step;
            let next = plane.lambda[k] + (alpha * step + gamma * before);
            if next < 0.0 {
                change -= next * (row.gap(&self.u) - 0.5 * next * row.stiffness);
                row.push(&mut self.u, -next);
            }
            self.lambda[k] = next.max(0.0);
        }
        let better = change <= fall;
        settle(&mut self.u, &plane.u, &mut plane.step_u, better);
        settle(&mut self.lambda, &plane.lambda, &mut plane.step_lambda, better);
        self.lambda.iter_mut().for_each(|lambda| *lambda = lambda.max(0.0));
        plane.slope = change.min(fall) + 0.5 * product(mass, &plane.step_u, &plane.step_u);
        self.plane = plane;
    }
}

/// Keeps what is at hand and makes the step lead to it; or goes back to where the step leads.
fn settle(now: &mut [f64], start: &[f64], step: &mut [f64], keeps: bool) {
    for ((now, start), step) in now.iter_mut().zip(start).zip(step) {
        if keeps {
            *step = *now - start;
        } else {
            *now = start + *step;
        }
    }
}
