//! The ways of two bodies as geometry sees them: what of a motion depends on inertia is computed
//! here.

use crate::bodies::{Bodies, Pose, halves};
use crate::state::BodyState;
use carom_geometry::space::{self, sweep};
use carom_stepping::{Mechanics, Motion, Pair, Path};
use glam::DVec3;

/// Two bodies, each on its path.
#[derive(Clone, Copy)]
pub(super) struct Ways<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) pair: Pair,
    pub(super) paths: [Path<Pose>; 2],
}

impl sweep::Ways for Ways<'_> {
    type Moment = Motion<Pose>;

    fn at(&self, side: usize, time: f64) -> Motion<Pose> {
        let path = &self.paths[side];
        self.bodies.drift(self.pair[side] as usize, &path.motion, path.since + time)
    }

    fn pose(&self, moment: &Motion<Pose>) -> space::Pose {
        moment.pose.placed()
    }

    fn motion(&self, side: usize, moment: &Motion<Pose>) -> sweep::Motion {
        let [velocity, spin] = halves(&moment.velocity);
        let [acceleration, spin_rate] = halves(&moment.acceleration);
        let body = &self.bodies.model.bodies[self.pair[side] as usize];
        // Euler's equations: I dω/dt = τ − ω × I ω.
        let precession = match body.motion.is_free() && spin != DVec3::ZERO {
            true => {
                let at = BodyState { orientation: moment.pose.orientation, ..BodyState::default() };
                at.inverse_inertia(body) * (at.inertia(body) * spin).cross(spin)
            }
            false => DVec3::ZERO,
        };
        sweep::Motion { place: moment.pose.position, velocity, acceleration, spin, spin_rate, precession }
    }

    fn later(&self, time: f64) -> Self {
        Self { paths: self.paths.map(|path| Path { since: path.since + time, ..path }), ..*self }
    }

    fn swapped(&self) -> Self {
        let ([a, b], [c, d]) = (self.pair, self.paths);
        Self { pair: [b, a], paths: [d, c], ..*self }
    }
}
