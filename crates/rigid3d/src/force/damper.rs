//! Dampers: what resists the change of the distance between two points.

use super::{Anchor, Load};
use crate::model::Model;
use crate::state::BodyState;

/// A damper between two anchors: f = b dl/dt along the line from start to end. Beside a spring with the same ends
/// it makes a damped spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damper {
    /// One end.
    pub start: Anchor,
    /// The other end.
    pub end: Anchor,
    /// b in newton seconds a metre, at least 0.
    pub coefficient: f64,
}

impl Damper {
    /// Resists the change of the distance of both ends. One of length 0 has no direction and does nothing.
    pub fn accumulate(&self, model: &Model, bodies: &[BodyState], loads: &mut [Load]) {
        let (start, end) = (self.start.held(bodies), self.end.held(bodies));
        let along = end.point - start.point;
        let length = along.length();
        if length == 0.0 {
            return;
        }
        let unit = along / length;
        let speed = self.end.velocity(end.arm, model, bodies) - self.start.velocity(start.arm, model, bodies);
        let pull = self.coefficient * unit.dot(speed) * unit;
        self.start.load(start.arm, pull, loads);
        self.end.load(end.arm, -pull, loads);
    }
}
