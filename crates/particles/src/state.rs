//! What changes from step to step.

use glam::DVec2;

/// Positions, velocities and the number of steps taken. Nothing else is carried from one step to
/// the next, so a run that is resumed from a stored state goes on to the same bits.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Where the particles are.
    pub positions: Vec<DVec2>,
    /// How fast they move.
    pub velocities: Vec<DVec2>,
    /// How many steps have been taken since the start of the run.
    pub step: u64,
}

impl State {
    /// A state at the start of a run.
    pub fn new(positions: Vec<DVec2>, velocities: Vec<DVec2>) -> Self {
        Self { positions, velocities, step: 0 }
    }

    /// Time in seconds. A product, not a sum: it does not drift.
    pub fn time(&self, time_step: f64) -> f64 {
        self.step as f64 * time_step
    }

    /// The first particle with a position or velocity that is not a finite number.
    pub fn first_non_finite(&self) -> Option<usize> {
        let finite = |(x, v): (&DVec2, &DVec2)| x.is_finite() && v.is_finite();
        self.positions.iter().zip(&self.velocities).position(|pair| !finite(pair))
    }

    /// Copies `other` into the buffers that are already here: no allocation when the sizes agree.
    pub fn copy_from(&mut self, other: &Self) {
        self.positions.clone_from(&other.positions);
        self.velocities.clone_from(&other.velocities);
        self.step = other.step;
    }
}
