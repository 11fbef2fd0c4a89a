//! Solvers of ordinary differential equations on a flat array: the lecture's
//! `ode(x0, x1, t0, t1, dxdt)`.

use carom_numerics::dormand_prince::{ERROR, NODES, STAGES, growth};

/// The right side: writes dx/dt at a time and a state.
pub type Rate<'a> = dyn FnMut(f64, &[f64], &mut [f64]) + 'a;

/// How an equation is solved over a span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OdeMethod {
    /// One explicit Euler step.
    Euler,
    /// One step of the explicit midpoint rule.
    Midpoint,
    /// One step of the classical Runge–Kutta method.
    RungeKutta4,
    /// As many steps of Dormand and Prince's pair as the tolerance asks for.
    DormandPrince {
        /// Error allowed in each step: absolute for numbers up to 1, relative above.
        tolerance: f64,
    },
}

/// How a solve went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Solved {
    /// Steps, those that were taken back included.
    pub steps: u64,
    /// Whether the smallest step or the greatest number of steps was reached.
    pub inaccurate: bool,
}

/// Scratch buffers for the stages.
#[derive(Debug, Clone, Default)]
pub struct OdeScratch {
    stages: Vec<Vec<f64>>,
    at: Vec<f64>,
    next: Vec<f64>,
}

/// Own steps are never shorter than this part of the span.
const SHORTEST: f64 = 1e-12;
/// Own steps in one span; beyond, the rest is taken in one step and the result is called
/// inaccurate. A world takes as many in one step of its own, all spans together, and goes on
/// without an adaptive method then.
pub(crate) const MOST_STEPS: u64 = 100_000;

/// Writes the state at the end of the span `(t0, t1)` to `x1`, which is as long as `x0`.
pub fn solve(
    method: OdeMethod,
    (x0, x1): (&[f64], &mut [f64]),
    (t0, t1): (f64, f64),
    dxdt: &mut Rate,
    scratch: &mut OdeScratch,
) -> Solved {
    let h = t1 - t0;
    scratch.fit(x0.len());
    x1.copy_from_slice(x0);
    let OdeScratch { stages, at, .. } = scratch;
    match method {
        OdeMethod::Euler => {
            dxdt(t0, x0, &mut stages[0]);
            add(x1, h, &stages[0]);
        }
        OdeMethod::Midpoint => {
            dxdt(t0, x0, &mut stages[0]);
            at.copy_from_slice(x0);
            add(at, 0.5 * h, &stages[0]);
            dxdt(t0 + 0.5 * h, at, &mut stages[1]);
            add(x1, h, &stages[1]);
        }
        OdeMethod::RungeKutta4 => {
            for (stage, part) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
                at.copy_from_slice(x0);
                if stage > 0 {
                    add(at, part * h, &stages[stage - 1]);
                }
                dxdt(t0 + part * h, at, &mut stages[stage]);
            }
            for (stage, weight) in [1.0, 2.0, 2.0, 1.0].into_iter().enumerate() {
                add(x1, weight * h / 6.0, &stages[stage]);
            }
        }
        OdeMethod::DormandPrince { tolerance } => return adaptive(tolerance, x1, (t0, t1), dxdt, scratch),
    }
    Solved { steps: 1, inaccurate: false }
}

fn adaptive(
    tolerance: f64,
    x: &mut [f64],
    (t0, t1): (f64, f64),
    dxdt: &mut Rate,
    scratch: &mut OdeScratch,
) -> Solved {
    let span = t1 - t0;
    let shortest = SHORTEST * span.abs();
    let (mut time, mut h) = (t0, span);
    let mut solved = Solved::default();
    while time != t1 {
        let last = solved.steps + 1 >= MOST_STEPS || (t1 - time).abs() <= h.abs();
        let step = if last { t1 - time } else { h };
        let error = scratch.dormand_prince(x, time, step, dxdt) / tolerance;
        solved.steps += 1;
        let forced = step.abs() <= shortest || solved.steps >= MOST_STEPS;
        if error <= 1.0 || forced || error.is_nan() {
            solved.inaccurate |= error > 1.0 || error.is_nan();
            x.copy_from_slice(&scratch.next);
            time = if last { t1 } else { time + step };
            if error.is_nan() {
                return solved;
            }
        }
        h = step * growth(error);
        if h.abs() < shortest {
            h = shortest * span.signum();
        }
    }
    solved
}

impl OdeScratch {
    fn fit(&mut self, size: usize) {
        self.stages.resize_with(NODES.len(), Vec::new);
        for room in self.stages.iter_mut().chain([&mut self.at, &mut self.next]) {
            room.resize(size, 0.0);
        }
    }

    /// One step of the pair into `next`; returns the largest error, per number's own scale.
    fn dormand_prince(&mut self, x: &[f64], time: f64, h: f64, dxdt: &mut Rate) -> f64 {
        for stage in 0..NODES.len() {
            self.at.copy_from_slice(x);
            for (earlier, weight) in STAGES[stage].iter().enumerate() {
                add(&mut self.at, weight * h, &self.stages[earlier]);
            }
            // The last stage stands at the fifth-order answer.
            if stage + 1 == NODES.len() {
                self.next.copy_from_slice(&self.at);
            }
            dxdt(time + NODES[stage] * h, &self.at, &mut self.stages[stage]);
        }
        let mut worst: f64 = 0.0;
        for (k, (before, after)) in x.iter().zip(&self.next).enumerate() {
            let mut error = 0.0;
            for (weight, stage) in ERROR.iter().zip(&self.stages) {
                error += weight * stage[k];
            }
            let relative = (h * error).abs() / before.abs().max(after.abs()).max(1.0);
            worst = if relative.is_nan() { f64::NAN } else { worst.max(relative) };
        }
        worst
    }
}

fn add(x: &mut [f64], factor: f64, rate: &[f64]) {
    for (x, rate) in x.iter_mut().zip(rate) {
        *x += factor * rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_numerics::elementary;

    /// x' = x cos t, so that x = exp(sin t): the time of every stage matters.
    fn error(method: OdeMethod, steps: usize) -> f64 {
        let mut scratch = OdeScratch::default();
        let (mut x, mut next) = ([1.0], [0.0]);
        let h = 2.0 / steps as f64;
        for k in 0..steps {
            let mut rate = |t: f64, x: &[f64], out: &mut [f64]| out[0] = x[0] * elementary::cos(t);
            let span = (k as f64 * h, (k + 1) as f64 * h);
            solve(method, (&x, &mut next), span, &mut rate, &mut scratch);
            x = next;
        }
        (x[0] - elementary::exp(elementary::sin(2.0))).abs()
    }

    #[test]
    fn each_method_has_its_order() {
        // A tolerance that never bites makes the pair a method of fixed step.
        let pair = OdeMethod::DormandPrince { tolerance: 1e9 };
        for (method, order) in
            [(OdeMethod::Euler, 1.0), (OdeMethod::Midpoint, 2.0), (OdeMethod::RungeKutta4, 4.0), (pair, 5.0)]
        {
            let ratio = error(method, 40) / error(method, 80);
            let measured = elementary::ln(ratio) / elementary::ln(2.0);
            assert!((measured - order).abs() < 0.15, "{method:?}: {measured}");
        }
    }

    #[test]
    fn the_adaptive_method_keeps_its_tolerance() {
        for tolerance in [1e-4, 1e-7, 1e-10] {
            let error = error(OdeMethod::DormandPrince { tolerance }, 1);
            assert!(error < 20.0 * tolerance && error > 1e-4 * tolerance, "{tolerance}: {error}");
        }
    }

    #[test]
    fn nan_and_empty_ends() {
        let mut scratch = OdeScratch::default();
        let mut rate = |_: f64, _: &[f64], out: &mut [f64]| out.fill(f64::NAN);
        let method = OdeMethod::DormandPrince { tolerance: 1e-6 };
        let mut end = [0.0];
        let solved = solve(method, (&[1.0], &mut end), (0.0, 1.0), &mut rate, &mut scratch);
        assert!(solved.inaccurate && end[0].is_nan());
        let solved = solve(method, (&[], &mut []), (0.0, 1.0), &mut rate, &mut scratch);
        assert!(!solved.inaccurate);
        let solved = solve(method, (&[1.0], &mut end), (1.0, 1.0), &mut rate, &mut scratch);
        assert_eq!((solved.steps, end[0]), (0, 1.0));
    }
}
