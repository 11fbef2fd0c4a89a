//! Planar rigid bodies behind the façade: steps, frames, and back.

use crate::status::Status;
use carom_rigid2d::{BodyState, State, Totals, World};
use carom_trajectory::{Diagnostics, Frame};
use glam::DVec2;

#[derive(Debug, Clone)]
pub(crate) struct RigidWorld {
    world: World,
}

impl RigidWorld {
    pub(crate) fn new(world: World) -> Self {
        Self { world }
    }

    pub(crate) fn step(&mut self) -> Result<Diagnostics, (Status, String)> {
        self.world.step();
        Ok(Diagnostics::default())
    }

    pub(crate) fn write_frame(&self, frame: &mut Frame) {
        let (model, state) = (self.world.model(), self.world.state());
        frame.positions.clear();
        frame.velocities.clear();
        for body in &state.bodies {
            frame.positions.extend([body.position.x, body.position.y, body.angle]);
            frame.velocities.extend([body.velocity.x, body.velocity.y, body.angular_velocity]);
        }
        let totals = Totals::of(model, &state.bodies);
        frame.quantities.kinetic = totals.kinetic;
        frame.quantities.potential = totals.potential;
        frame.quantities.momentum = [totals.momentum.x, totals.momentum.y, 0.0];
        frame.quantities.angular_momentum = [0.0, 0.0, totals.angular_momentum];
    }

    pub(crate) fn restore(&mut self, frame: &Frame) -> Result<(), String> {
        let positions = frame.positions.chunks_exact(3);
        let bodies = positions.zip(frame.velocities.chunks_exact(3)).map(|(x, v)| BodyState {
            position: DVec2::new(x[0], x[1]),
            angle: x[2],
            velocity: DVec2::new(v[0], v[1]),
            angular_velocity: v[2],
        });
        let state = State { bodies: bodies.collect(), step: frame.step };
        self.world.set_state(state).map_err(|e| e.to_string())
    }

    pub(crate) fn step_count(&self) -> u64 {
        self.world.state().step
    }

    pub(crate) fn body_count(&self) -> usize {
        self.world.model().bodies.len()
    }

    pub(crate) fn mass_properties(&self) -> (Vec<f64>, Vec<f64>) {
        self.world.model().bodies.iter().map(|b| (b.mass, b.inertia)).unzip()
    }
}
