//! The sum of all forces on all particles, and the accelerations that follow.

use super::Configuration;
use crate::Model;
use glam::DVec2;

/// Evaluates every force of a model, keeps the buffers that this needs, and counts how often it was asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForceEvaluator {
    /// See [`crate::Settings::course`].
    course: bool,
    /// Evaluations since [`ForceEvaluator::start_counting`].
    evaluations: u64,
}

impl ForceEvaluator {
    pub(crate) fn new(course: bool) -> Self {
        Self { course, evaluations: 0 }
    }

    pub(crate) fn start_counting(&mut self) {
        self.evaluations = 0;
    }

    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Overwrites `gradient` with minus the force on every particle; zero for fixed ones.
    pub(crate) fn gradient(
        &mut self,
        model: &Model,
        positions: &[DVec2],
        velocities: &[DVec2],
        gradient: &mut [DVec2],
    ) {
        self.evaluations += 1;
        gradient.fill(DVec2::ZERO);
        let at = self.configuration(model, positions, velocities);
        model.forces.add_gradient(at, gradient);
        // The penalty force of collision handlers belongs here: the course adds it last.
        for (gradient, particle) in gradient.iter_mut().zip(&model.particles) {
            if particle.fixed {
                *gradient = DVec2::ZERO;
            }
        }
    }

    /// Overwrites `accelerations` with force over mass; zero for fixed particles.
    pub(crate) fn accelerations(
        &mut self,
        model: &Model,
        positions: &[DVec2],
        velocities: &[DVec2],
        accelerations: &mut [DVec2],
    ) {
        self.gradient(model, positions, velocities, accelerations);
        for (acceleration, particle) in accelerations.iter_mut().zip(&model.particles) {
            if !particle.fixed {
                *acceleration = -*acceleration / particle.mass;
            }
        }
    }

    /// Where forces and Jacobians are evaluated.
    pub(crate) fn configuration<'a>(
        &self,
        model: &'a Model,
        positions: &'a [DVec2],
        velocities: &'a [DVec2],
    ) -> Configuration<'a> {
        Configuration { model, positions, velocities, course: self.course }
    }
}
