//! The sum of all forces on all particles, and the accelerations that follow.

use super::{Configuration, PenaltyForce};
use crate::{Model, ParticleIndex, ParticleSettings, State};
use glam::DVec2;

/// Evaluates every force of a model, keeps the buffers that this needs, and counts how often it was
/// asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForceEvaluator {
    /// See [`crate::ParticleSettings::course`].
    course: bool,
    /// Evaluations since [`ForceEvaluator::start_step`].
    evaluations: u64,
    /// The repulsion of the collision response, where it has one.
    penalty: Option<PenaltyForce>,
    /// Forces from outside during the next step; empty where there are none.
    pushes: Vec<DVec2>,
}

impl ForceEvaluator {
    pub(crate) fn new(settings: &ParticleSettings) -> Self {
        Self {
            course: settings.course,
            evaluations: 0,
            penalty: PenaltyForce::of(settings),
            pushes: Vec::new(),
        }
    }

    /// Pushes one of so many particles during the next step.
    pub(crate) fn push(&mut self, count: usize, particle: ParticleIndex, force: DVec2) {
        self.pushes.resize(count, DVec2::ZERO);
        if let Some(push) = self.pushes.get_mut(particle.0) {
            *push += force;
        }
    }

    /// The step of the pushes is over.
    pub(crate) fn forget_pushes(&mut self) {
        self.pushes.clear();
    }

    /// Begins a step at `time` in seconds.
    pub(crate) fn start_step(&mut self, model: &Model, time: f64, velocities: &[DVec2]) {
        self.evaluations = 0;
        if let Some(penalty) = &mut self.penalty {
            penalty.start_step(model, time, velocities);
        }
    }

    /// Friction of what the repulsion carried, where it goes with contact.
    pub(crate) fn rub(&mut self, model: &Model, settings: &ParticleSettings, start: &State, end: &mut State) {
        let at = self.configuration(model, &start.positions, &start.velocities);
        if let Some(penalty) = &mut self.penalty {
            penalty.rub(at, settings, end);
        }
    }

    /// Whether a repulsion had more pairs than anyone looks at.
    pub(crate) fn gave_up(&self) -> bool {
        self.penalty.as_ref().is_some_and(PenaltyForce::gave_up)
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
        // The course adds the penalty force last.
        if let Some(penalty) = &mut self.penalty {
            penalty.add_gradient(at, gradient);
        }
        for (gradient, push) in gradient.iter_mut().zip(&self.pushes) {
            *gradient -= *push;
        }
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
            // the course divides for fixed particles too: without mass, 0/0 is not a number
            if !particle.fixed || particle.mass == 0.0 {
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
