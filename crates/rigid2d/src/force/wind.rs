//! Wind: the air drags every outline along its normals.

use super::Load;
use crate::model::{Body, Polygon, Shape};
use crate::rotation::{Rotation, cross, perp};
use crate::state::BodyState;
use glam::DVec2;

/// Wind on the outlines of all bodies, integrated over each edge by the midpoint rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wind {
    /// Coefficient beta: force per length of edge and per speed of the air against it.
    pub coefficient: f64,
    /// Velocity of the air.
    pub velocity: DVec2,
    /// Quadrature points on each edge, at least 1.
    pub points_per_edge: u32,
}

impl Wind {
    /// Pushes every edge by β |e| (n · (w − v)) n, with v the velocity of the edge at each sample.
    /// Both faces of an edge feel the wind and nothing shelters anything.
    pub fn accumulate(&self, bodies: &[Body], states: &[BodyState], loads: &mut [Load]) {
        for ((body, state), load) in bodies.iter().zip(states).zip(loads) {
            match &body.shape {
                Shape::Polygon(outline) => self.push_outline(outline, state, load),
                Shape::Disc { radius } => self.push_disc(*radius, state, load),
                Shape::HalfPlane { .. } => {}
            }
        }
    }

    fn push_outline(&self, outline: &Polygon, state: &BodyState, load: &mut Load) {
        let rotation = Rotation::by(state.angle);
        let count = outline.vertices.len();
        for k in 0..count {
            let start = rotation.apply(outline.vertices[k]) + state.position;
            let end = rotation.apply(outline.vertices[(k + 1) % count]) + state.position;
            self.push_edge(start, end, state, load);
        }
    }

    /// An edge without length catches no wind.
    fn push_edge(&self, start: DVec2, end: DVec2, state: &BodyState, load: &mut Load) {
        let edge = end - start;
        let length = edge.length();
        if length == 0.0 {
            return;
        }
        let normal = perp(edge) / length;
        let points = f64::from(self.points_per_edge);
        for k in 0..self.points_per_edge {
            let sample = start + ((f64::from(k) + 0.5) / points) * edge;
            let arm = sample - state.position;
            let against = normal.dot(self.velocity - state.velocity_at(arm));
            let force = self.coefficient * (1.0 / points) * length * against * normal;
            load.force += force;
            load.torque += cross(arm, force);
        }
    }

    /// The same integral over a circle in closed form: β π r (w − V), and no torque.
    fn push_disc(&self, radius: f64, state: &BodyState, load: &mut Load) {
        let push = self.coefficient * std::f64::consts::PI * radius;
        load.force += push * (self.velocity - state.velocity);
    }
}
