//! Implicit Euler: M Δv = h F(x + h (v + Δv), v + Δv), by Newton's method from Δv = 0.
//!
//! First full Newton steps, exactly as the course's program takes them. If they do not converge, a
//! second attempt from Δv = 0 with a line search: a step is shortened until the 2-norm of the
//! residual r(Δv) = h F − M Δv falls. The matrix is minus the derivative of r, so the Newton
//! direction always points downhill, unless the matrix is singular (Nocedal, Wright, *Numerical
//! Optimization*, section 11.2). Where that stalls, near a singular matrix, full steps are taken
//! once more from there: they jump away and often find a solution elsewhere.
//!
//! There may be none: in a close gravitational encounter the equation has no solution, and the
//! course's program cycles for ever. A step that does not converge keeps the Δv at which the line
//! search ended.

use super::implicit_system::{ImplicitSystem, norm};
use super::{Advance, LinearWork, Motion};
use crate::{IntegrationStatus, NewtonSettings};
use glam::DVec2;

/// A step must achieve this part of the decrease that the linear model promises (Nocedal, Wright,
/// equation 11.4).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// Halvings of a step before the line search gives up: a step of 1e-9 of its length.
const MOST_HALVINGS: u32 = 30;

#[derive(Debug, Clone)]
pub(crate) struct Buffers {
    system: ImplicitSystem,
    /// Δv.
    change: Vec<DVec2>,
    /// Δv before a line search.
    base: Vec<DVec2>,
    /// Δv where the line search ended.
    stalled: Vec<DVec2>,
    /// The Newton step d of a line search.
    step: Vec<DVec2>,
    /// v + Δv and x + h (v + Δv).
    velocities: Vec<DVec2>,
    positions: Vec<DVec2>,
    operations: u64,
}

/// How an attempt ended.
struct Attempt {
    converged: bool,
    iterations: u32,
    residual: f64,
}

impl Buffers {
    pub(crate) fn new(system: ImplicitSystem, count: usize) -> Self {
        let zeros = vec![DVec2::ZERO; count];
        Self {
            system,
            change: zeros.clone(),
            base: zeros.clone(),
            stalled: zeros.clone(),
            step: zeros.clone(),
            velocities: zeros.clone(),
            positions: zeros,
            operations: 0,
        }
    }

    /// The three attempts, from Δv = 0, whose residual is given and whose right side is evaluated.
    fn find_velocity_change(&mut self, motion: &mut Motion<'_>, start_residual: f64) -> Attempt {
        let NewtonSettings { plain_iterations, damped_iterations, .. } = motion.settings.newton;
        let first = self.plain(motion, start_residual, plain_iterations);
        if first.converged || damped_iterations == 0 {
            return first;
        }
        self.start_from_rest(motion);
        let residual = self.residual(motion);
        let second = self.damped(motion, residual, damped_iterations);
        if second.converged {
            return Attempt { iterations: first.iterations + second.iterations, ..second };
        }
        self.stalled.copy_from_slice(&self.change);
        self.residual(motion);
        let third = self.plain(motion, second.residual, damped_iterations);
        let iterations = first.iterations + second.iterations + third.iterations;
        if third.converged {
            return Attempt { iterations, ..third };
        }
        self.change.copy_from_slice(&self.stalled);
        self.follow(motion);
        Attempt { iterations, ..second }
    }

    /// Full Newton steps from the present Δv, whose residual is given and whose right side is
    /// evaluated.
    fn plain(&mut self, motion: &mut Motion<'_>, mut residual: f64, budget: u32) -> Attempt {
        for iteration in 1..=budget {
            if iteration > 1 {
                residual = self.residual(motion);
            }
            let length = self.solve(motion);
            self.add_solution();
            self.follow(motion);
            if length < motion.settings.newton.update_tolerance {
                return Attempt { converged: true, iterations: iteration, residual };
            }
            if !length.is_finite() {
                return Attempt { converged: false, iterations: iteration, residual };
            }
        }
        Attempt { converged: false, iterations: budget, residual }
    }

    /// Newton steps with a line search.
    fn damped(&mut self, motion: &mut Motion<'_>, mut residual: f64, budget: u32) -> Attempt {
        for iteration in 1..=budget {
            let length = self.solve(motion);
            if length < motion.settings.newton.update_tolerance {
                self.add_solution();
                self.follow(motion);
                return Attempt { converged: true, iterations: iteration, residual };
            }
            match self.search(motion, residual) {
                Some(lower) => residual = lower,
                None => return Attempt { converged: false, iterations: iteration, residual },
            }
        }
        Attempt { converged: false, iterations: budget, residual }
    }

    /// Shortens the Newton step until the residual falls; returns the new residual. If it never
    /// does, Δv is what it was.
    fn search(&mut self, motion: &mut Motion<'_>, residual: f64) -> Option<f64> {
        self.base.copy_from_slice(&self.change);
        for (step, solution) in self.step.iter_mut().zip(self.system.solution()) {
            *step = DVec2::from_array(*solution);
        }
        let mut factor = 1.0;
        for _ in 0..MOST_HALVINGS {
            for ((change, base), step) in self.change.iter_mut().zip(&self.base).zip(&self.step) {
                *change = *base + factor * *step;
            }
            self.follow(motion);
            let shortened = self.residual(motion);
            if shortened <= (1.0 - SUFFICIENT_DECREASE * factor) * residual {
                return Some(shortened);
            }
            factor *= 0.5;
        }
        self.change.copy_from_slice(&self.base);
        self.follow(motion);
        None
    }

    fn start_from_rest(&mut self, motion: &Motion<'_>) {
        self.change.fill(DVec2::ZERO);
        self.follow(motion);
    }

    /// Velocities and positions that follow from Δv.
    fn follow(&mut self, motion: &Motion<'_>) {
        let h = motion.settings.time_step;
        for i in 0..self.change.len() {
            self.velocities[i] = motion.state.velocities[i] + self.change[i];
            self.positions[i] = motion.state.positions[i] + h * self.velocities[i];
        }
    }

    fn residual(&mut self, motion: &mut Motion<'_>) -> f64 {
        self.system.evaluate_right_side(motion, &self.positions, &self.velocities, &self.change)
    }

    /// Solves for the Newton step and returns its 2-norm.
    fn solve(&mut self, motion: &Motion<'_>) -> f64 {
        self.operations += self.system.solve(motion, &self.positions, &self.velocities).operations;
        norm(self.system.solution())
    }

    fn add_solution(&mut self) {
        for (change, solution) in self.change.iter_mut().zip(self.system.solution()) {
            *change += DVec2::from_array(*solution);
        }
    }
}

pub(crate) fn advance(mut motion: Motion<'_>, buffers: &mut Buffers) -> Advance {
    buffers.operations = 0;
    buffers.start_from_rest(&motion);
    let residual = buffers.residual(&mut motion);
    if !residual.is_finite() {
        buffers.system.expose_non_finite(&mut motion.state.velocities);
        return Advance::EXPLICIT;
    }
    let Attempt { converged, iterations, residual } = buffers.find_velocity_change(&mut motion, residual);
    motion.state.positions.copy_from_slice(&buffers.positions);
    motion.state.velocities.copy_from_slice(&buffers.velocities);

    let status =
        if converged { IntegrationStatus::Completed } else { IntegrationStatus::NotConverged { residual } };
    let factor_entries = buffers.system.factor_entries();
    let linear_work = LinearWork { operations: buffers.operations, factor_entries };
    Advance { status, iterations, residual, linear_work }
}
