//! The least energy in the plane of a round's step and the step before it.
//!
//! With x where the round started, z where it ended, d = z − x, and p the step that led from y to
//! x, f(x + αd + γp) − f(x) is a quadratic in α and γ. Its second derivatives are products of
//! velocities, since f = ½uᵀMu + bᵀλ: a pass over u, none over the rows. Its slopes at x come from
//! differences of f that are summed change by change, not from f itself, in which they would drown
//! near the end: f(z) − f(x) = slope_d + ½dᵀMd; and p led from f(y) to f(x), so slope_p = f(x) −
//! f(y) + ½pᵀMp.

use super::packed::Packed;
use super::state::State;
use crate::qp::BlockDiagonalMass;

/// Directions nearer to parallel than this span no plane.
const PARALLEL: f64 = 1e-10;

/// Where the round started, where the one before it started, and what f did between the two.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    start: Point,
    before: Point,
    change: f64,
}

/// λ with its u.
#[derive(Clone, Debug, Default)]
struct Point {
    lambda: Vec<f64>,
    u: Vec<f64>,
}

impl Point {
    fn set(&mut self, lambda: &[f64], u: &[f64]) {
        for (kept, now) in [(&mut self.lambda, lambda), (&mut self.u, u)] {
            kept.clear();
            kept.extend_from_slice(now);
        }
    }
}

/// aᵀMb.
pub(super) fn product(mass: &BlockDiagonalMass, a: &[f64], b: &[f64]) -> f64 {
    let diagonal = mass.diagonal.iter().zip(a.iter().zip(b)).fold(0.0, |sum, (m, (a, b))| sum + m * a * b);
    mass.off_diagonal.iter().fold(diagonal, |sum, entry| {
        let (i, j) = (entry.row as usize, entry.column as usize);
        sum + entry.value * (a[i] * b[j] + a[j] * b[i])
    })
}

/// dᵀMd, dᵀMp and pᵀMp.
#[derive(Clone, Copy, Default)]
struct Products {
    dd: f64,
    dp: f64,
    pp: f64,
}

/// In one pass, where p leads from y to x and d from x to z.
fn products(mass: &BlockDiagonalMass, y: &[f64], x: &[f64], z: &[f64]) -> Products {
    let mut sum = Products::default();
    for (m, (y, (x, z))) in mass.diagonal.iter().zip(y.iter().zip(x.iter().zip(z))) {
        let (p, d) = (x - y, z - x);
        sum.dd += m * d * d;
        sum.dp += m * d * p;
        sum.pp += m * p * p;
    }
    for entry in &mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        let (p_i, p_j) = (x[i] - y[i], x[j] - y[j]);
        let (d_i, d_j) = (z[i] - x[i], z[j] - x[j]);
        sum.dd += 2.0 * entry.value * d_i * d_j;
        sum.dp += entry.value * (d_i * p_j + d_j * p_i);
        sum.pp += 2.0 * entry.value * p_i * p_j;
    }
    sum
}

impl Plane {
    /// The first round starts here, and there was no step before it.
    pub(super) fn start(&mut self, lambda: &[f64], u: &[f64]) {
        self.start.set(lambda, u);
        self.before.set(lambda, u);
        self.change = 0.0;
    }

    /// The round alone was the step: `fall` is how much f changed. The next one starts where it
    /// ended.
    pub(super) fn follow(&mut self, lambda: &[f64], u: &[f64], fall: f64) {
        self.change = fall;
        std::mem::swap(&mut self.start, &mut self.before);
        self.start.set(lambda, u);
    }
}

impl State {
    /// Goes from where a round ended to the least f in the plane, back to 0 where λ is below it;
    /// stays if that is not better. `fall` is f(z) − f(x).
    pub(super) fn improve<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        mass: &BlockDiagonalMass,
        fall: f64,
    ) {
        let Plane { start, before, change: last } = &mut self.plane;
        let Products { dd, dp, pp } = products(mass, &before.u, &start.u, &self.u);
        let (slope_d, slope_p) = (fall - 0.5 * dd, *last + 0.5 * pp);
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
        // Where the last round started is needed no more: the least f is written there.
        let there = |y: f64, x: f64, z: f64| x + (alpha * (z - x) + gamma * (x - y));
        let (next_lambda, next_u) = (&mut before.lambda, &mut before.u);
        for (y, (x, z)) in next_u.iter_mut().zip(start.u.iter().zip(&self.u)) {
            *y = there(*y, *x, *z);
        }
        let places = start.lambda.iter().zip(&self.lambda).zip(rows);
        for (y, ((x, z), row)) in next_lambda.iter_mut().zip(places) {
            let next = there(*y, *x, *z);
            if next < 0.0 {
                change -= next * (row.gap(next_u) - 0.5 * next * row.inverse_mass);
                row.push(next_u, -next);
            }
            *y = next.max(0.0);
        }
        if change <= fall {
            self.lambda.copy_from_slice(next_lambda);
            self.u.copy_from_slice(next_u);
            *last = change;
            std::mem::swap(start, before);
        } else {
            self.plane.follow(&self.lambda, &self.u, fall);
        }
    }
}
