//! Primal-dual interior point method for Coulomb's law.
//!
//! In Lorentz coordinates x = (μ r_N, r_T) and y = (u_N/μ + s, u_T) with s = |u_T|, the law reads:
//! x and y in the Lorentz cone, x ∘ y = 0, y = D⁻¹(W r + q) + s e. With s held fixed this is a
//! convex problem (Acary, Cadoux, Lemaréchal, Malick 2011), and a fixed point in s gives Coulomb's
//! law. Here s is part of Newton's equations instead: s = √(|y_T|² + ε g), with g the mean product
//! x · y, which vanishes as the method converges (compare Acary, Armand, Nguyen, Shpakovych,
//! *Second-order cone programming for frictional contact mechanics using interior point
//! algorithm*, 2024). Nesterov–Todd scaling, Mehrotra's predictor and corrector.

use super::cone::{Local, local};
use super::lorentz::{IDENTITY, Scaling, determinant, divide, dot, product, step_to_boundary};
use super::{Cone, Problem};
use carom_numerics::sparse::frontal::FrontalLu;

/// Part of the way to the boundary.
const FRACTION: f64 = 0.99;
/// On the diagonal of two-sided rows, which have no barrier: static regularization.
const REGULARIZATION: f64 = 1e-12;
/// A pivot below this part of its column is replaced.
const SMALLEST_PIVOT: f64 = 1e-16;
/// Rounds of iterative refinement.
const REFINEMENTS: u32 = 2;
/// A step below this asks for centering, with at least this much of it.
const BLOCKED: f64 = 0.1;
const RECENTERING: f64 = 0.5;
/// A step below this is no progress.
pub(super) const SHORT_STEP: f64 = 1e-4;

/// How the friction term enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Variant {
    /// Whether the equations contain the derivative of s; otherwise s is taken from the iterate
    /// before.
    pub(super) coupled: bool,
    /// ε of the smoothed s.
    pub(super) smoothing: f64,
    /// Multiple of the identity at which x starts; y starts at 1, the largest velocity in scaled
    /// units. A heavy body on a light one has impulses of the ratio of their masses.
    pub(super) start: f64,
    /// Whether short steps ask for centering. Not where the iterates shall diverge along a proof.
    pub(super) recenters: bool,
}

/// Buffers and state of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct InteriorPoint {
    pub(super) lu: FrontalLu,
    x: Vec<Local>,
    y: Vec<Local>,
    /// Direction of sliding of each contact, y_T/s.
    slide: Vec<[f64; 2]>,
    scalings: Vec<Scaling>,
    lambda: Vec<Local>,
    /// D⁻¹(W r + q) + s e − y.
    dual: Vec<Local>,
    sizes: Vec<u8>,
    /// Impulses and velocities by rows.
    r: Vec<f64>,
    u: Vec<f64>,
    dx: Vec<Local>,
    dy: Vec<Local>,
    dx_affine: Vec<Local>,
    dy_affine: Vec<Local>,
    barrier: Vec<[[f64; 3]; 3]>,
    target: Vec<Local>,
    right: Vec<f64>,
    solution: Vec<f64>,
    residual: Vec<f64>,
    /// Whether the last step was short.
    blocked: bool,
}

/// One iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Mean product x · y after the step.
    pub(super) gap: f64,
    /// Length of the step, at most 1.
    pub(super) step: f64,
}

impl InteriorPoint {
    /// Begins at multiples of the identity.
    pub(super) fn start(&mut self, problem: &Problem, variant: Variant) {
        let n = problem.len();
        self.lu.analyze(&problem.pattern);
        self.blocked = false;
        let begin = [variant.start, 0.0, 0.0];
        self.x.clear();
        self.y.clear();
        self.sizes.clear();
        for cone in &problem.cones {
            let free = matches!(cone, Cone::Free { .. });
            self.x.push(if free { [0.0; 3] } else { begin });
            self.y.push(if free { [0.0; 3] } else { IDENTITY });
            self.sizes.push(cone.dim() as u8);
        }
        for buffer in [&mut self.dx, &mut self.dy, &mut self.dx_affine, &mut self.dy_affine, &mut self.target]
        {
            buffer.clear();
            buffer.resize(n, [0.0; 3]);
        }
        for buffer in [&mut self.right, &mut self.solution, &mut self.residual, &mut self.r, &mut self.u] {
            buffer.clear();
            buffer.resize(problem.rows(), 0.0);
        }
    }

    /// The impulses of the current iterate.
    pub(super) fn impulses(&self, problem: &Problem, r: &mut [f64]) {
        for i in 0..problem.len() {
            let factor = normal_factor(problem.cones[i]);
            let range = problem.range(i);
            for (k, r) in r[range].iter_mut().enumerate() {
                *r = if k == 0 { self.x[i][0] / factor } else { self.x[i][k] };
            }
        }
    }

    /// One predictor and corrector step; `None` if rounding has spoiled the iterate.
    pub(super) fn iterate(&mut self, problem: &Problem, variant: Variant) -> Option<Progress> {
        let count = problem.cones.iter().filter(|cone| !matches!(cone, Cone::Free { .. })).count();
        let gap = self.gap(count);
        self.prepare(problem, variant, gap)?;
        self.factor(problem, variant);
        // Predictor: straight to complementarity.
        for i in 0..problem.len() {
            self.target[i] = product(&self.lambda[i], &self.lambda[i]).map(|v| -v);
        }
        self.direction(problem, variant, 1.0);
        std::mem::swap(&mut self.dx, &mut self.dx_affine);
        std::mem::swap(&mut self.dy, &mut self.dy_affine);
        let affine = self.longest(problem, true).min(1.0);
        // Corrector: centering, and the product of the predictor with itself.
        let mut sigma = (1.0 - affine) * (1.0 - affine) * (1.0 - affine);
        // After a short step, or where the predictor leads nowhere, the second-order term misleads
        // and the iterate is too near to the boundary.
        let recenter = variant.recenters && (self.blocked || affine < BLOCKED);
        if recenter {
            sigma = sigma.max(RECENTERING);
        }
        for i in 0..problem.len() {
            let scaling = &self.scalings[i];
            let second =
                product(&scaling.apply_inverse(&self.dx_affine[i]), &scaling.apply(&self.dy_affine[i]));
            for k in 0..3 {
                self.target[i][k] += sigma * gap * IDENTITY[k] - if recenter { 0.0 } else { second[k] };
            }
        }
        self.direction(problem, variant, 1.0 - sigma);
        let step = (FRACTION * self.longest(problem, false)).min(1.0);
        if step.is_nan() || step <= 0.0 {
            return None;
        }
        for i in 0..problem.len() {
            for k in 0..3 {
                self.x[i][k] += step * self.dx[i][k];
                self.y[i][k] += step * self.dy[i][k];
            }
        }
        self.blocked = step < BLOCKED;
        let gap = self.gap(count);
        (gap.is_finite()).then_some(Progress { gap, step })
    }

    fn gap(&self, count: usize) -> f64 {
        let sum: f64 = self.x.iter().zip(&self.y).map(|(x, y)| dot(x, y)).sum();
        sum / count.max(1) as f64
    }

    /// Residual of the velocity equation, scalings and directions of sliding.
    fn prepare(&mut self, problem: &Problem, variant: Variant, gap: f64) -> Option<()> {
        let mut r = std::mem::take(&mut self.r);
        self.impulses(problem, &mut r);
        problem.velocity(&r, &mut self.u);
        self.r = r;
        self.slide.clear();
        self.scalings.clear();
        self.lambda.clear();
        self.dual.clear();
        self.barrier.clear();
        for i in 0..problem.len() {
            let cone = problem.cones[i];
            let u = local(&self.u[problem.range(i)]);
            let (x, y) = (&self.x[i], &self.y[i]);
            if matches!(cone, Cone::Free { .. }) {
                self.slide.push([0.0; 2]);
                self.scalings.push(Scaling::default());
                self.lambda.push([0.0; 3]);
                self.dual.push(u);
                self.barrier.push([[0.0; 3]; 3]);
                continue;
            }
            if !(determinant(x) > 0.0 && determinant(y) > 0.0 && x[0] > 0.0 && y[0] > 0.0) {
                return None;
            }
            let scaling = Scaling::new(x, y);
            if !scaling.is_finite() {
                return None;
            }
            let friction = cone.dim() > 1;
            let squared = y[1] * y[1] + y[2] * y[2] + variant.smoothing * gap;
            let s = if friction { squared.sqrt() } else { 0.0 };
            self.slide.push(if s > 0.0 { [y[1] / s, y[2] / s] } else { [0.0; 2] });
            self.lambda.push(scaling.apply(y));
            let factor = normal_factor(cone);
            self.dual.push([u[0] / factor + s - y[0], u[1] - y[1], u[2] - y[2]]);
            let mut barrier = scaling.inverse_square();
            for k in 0..3 {
                barrier[0][k] *= factor;
                barrier[k][0] *= factor;
            }
            self.barrier.push(barrier);
            self.scalings.push(scaling);
        }
        Some(())
    }

    /// Factors F W + D W⁻² D, F = I + μ e_N tᵀ.
    fn factor(&mut self, problem: &Problem, variant: Variant) {
        let Self { lu, slide, barrier, sizes, .. } = self;
        lu.factor(&problem.pattern, sizes, SMALLEST_PIVOT, |i, j, entry, out| {
            let block = problem.block(entry);
            let (rows, columns) = (problem.cones[i].dim(), problem.cones[j].dim());
            out[..block.len()].copy_from_slice(block);
            if variant.coupled && rows > 1 {
                let mu = problem.cones[i].mu();
                for row in 1..rows {
                    let factor = mu * slide[i][row - 1];
                    for c in 0..columns {
                        out[c] += factor * block[row * columns + c];
                    }
                }
            }
            if i == j {
                let free = matches!(problem.cones[i], Cone::Free { .. });
                for r in 0..rows {
                    for c in 0..rows {
                        out[r * rows + c] += barrier[i][r][c];
                    }
                    if free {
                        out[r * rows + r] += REGULARIZATION;
                    }
                }
            }
        });
    }

    /// Solves for dx and dy with complementarity `target` and the part `feasibility` of the way to
    /// the velocity equation.
    fn direction(&mut self, problem: &Problem, variant: Variant, feasibility: f64) {
        for i in 0..problem.len() {
            let cone = problem.cones[i];
            let range = problem.range(i);
            let dual = self.dual[i].map(|v| v * feasibility);
            if matches!(cone, Cone::Free { .. }) {
                for (out, dual) in self.right[range].iter_mut().zip(dual) {
                    *out = -dual;
                }
                continue;
            }
            let c = self.scalings[i].apply_inverse(&divide(&self.lambda[i], &self.target[i]));
            let dual = expand(&dual, &self.slide[i], variant);
            let factor = normal_factor(cone);
            for (k, out) in self.right[range].iter_mut().enumerate() {
                *out = (c[k] - dual[k]) * if k == 0 { factor } else { 1.0 };
            }
        }
        self.solution.copy_from_slice(&self.right);
        self.lu.solve(&mut self.solution);
        for _ in 0..REFINEMENTS {
            self.refine(problem, variant);
        }
        self.u.fill(0.0);
        problem.add_product(&self.solution, &mut self.u);
        for i in 0..problem.len() {
            let cone = problem.cones[i];
            let range = problem.range(i);
            let mut dx = local(&self.solution[range.clone()]);
            let mut dy = local(&self.u[range]);
            if matches!(cone, Cone::Free { .. }) {
                self.dx[i] = dx;
                self.dy[i] = [0.0; 3];
                continue;
            }
            let factor = normal_factor(cone);
            dx[0] *= factor;
            dy[0] /= factor;
            for k in 0..3 {
                dy[k] += feasibility * self.dual[i][k];
            }
            self.dx[i] = dx;
            self.dy[i] = expand(&dy, &self.slide[i], variant);
        }
    }

    /// One round of iterative refinement of `solution` for `right`.
    fn refine(&mut self, problem: &Problem, variant: Variant) {
        self.u.fill(0.0);
        problem.add_product(&self.solution, &mut self.u);
        for i in 0..problem.len() {
            let range = problem.range(i);
            let (dr, mut w) = (local(&self.solution[range.clone()]), local(&self.u[range.clone()]));
            if variant.coupled {
                let mu = problem.cones[i].mu();
                w[0] += mu * (self.slide[i][0] * w[1] + self.slide[i][1] * w[2]);
            }
            for (k, row) in range.enumerate() {
                self.residual[row] = self.right[row] - w[k] - dot(&self.barrier[i][k], &dr);
            }
        }
        self.lu.solve(&mut self.residual);
        if self.residual.iter().all(|v| v.is_finite()) {
            self.solution.iter_mut().zip(&self.residual).for_each(|(x, d)| *x += d);
        }
    }

    /// Longest step that keeps x and y in their cones.
    fn longest(&self, problem: &Problem, affine: bool) -> f64 {
        let (dx, dy) = if affine { (&self.dx_affine, &self.dy_affine) } else { (&self.dx, &self.dy) };
        let mut step = f64::INFINITY;
        for i in 0..problem.len() {
            if !matches!(problem.cones[i], Cone::Free { .. }) {
                step =
                    step.min(step_to_boundary(&self.x[i], &dx[i])).min(step_to_boundary(&self.y[i], &dy[i]));
            }
        }
        if dx.iter().chain(dy.iter()).flatten().all(|v| v.is_finite()) { step } else { 0.0 }
    }
}

/// μ, or 1 for cones of one row.
fn normal_factor(cone: Cone) -> f64 {
    match cone {
        Cone::SecondOrder { mu, .. } => mu,
        Cone::Free { .. } | Cone::NonNegative => 1.0,
    }
}

/// (I − e tᵀ)⁻¹ v = v + e tᵀv, since t has no normal part.
fn expand(v: &Local, slide: &[f64; 2], variant: Variant) -> Local {
    if !variant.coupled {
        return *v;
    }
    [v[0] + slide[0] * v[1] + slide[1] * v[2], v[1], v[2]]
}
