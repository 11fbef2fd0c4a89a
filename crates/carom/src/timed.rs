//! Forces that change in time.
//!
//! A step feels the mean of the force over its length: the momentum that it gains is the integral
//! of the force, whatever the length of the step.

use carom_numerics::elementary::{cos, sin};
use carom_scene::{Scene, System};

/// F cos(rate t + phase) on one body, from a time on until another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timed {
    pub(crate) body: usize,
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
    rate: f64,
    phase: f64,
    from: f64,
    until: f64,
}

impl Timed {
    /// The timed forces of a scene.
    pub(crate) fn of(scene: &Scene) -> Vec<Timed> {
        let end = |until: Option<f64>| until.unwrap_or(f64::INFINITY);
        match &scene.system {
            System::Particles(system) => {
                let timed = |t: &carom_scene::description::particles::TimedForce| Timed {
                    body: t.particle,
                    force: [t.force[0], t.force[1], 0.0],
                    torque: [0.0; 3],
                    rate: t.rate,
                    phase: t.phase,
                    from: t.from,
                    until: end(t.until),
                };
                system.forces.timed.iter().map(timed).collect()
            }
            System::RigidBodies(system) => {
                let timed = |t: &carom_scene::description::rigid::TimedForce| Timed {
                    body: t.body,
                    force: [t.force[0], t.force[1], 0.0],
                    torque: [0.0, 0.0, t.torque],
                    rate: t.rate,
                    phase: t.phase,
                    from: t.from,
                    until: end(t.until),
                };
                system.timed.iter().map(timed).collect()
            }
            System::SpatialBodies(system) => {
                let timed = |t: &carom_scene::description::spatial::TimedForce| Timed {
                    body: t.body,
                    force: t.force,
                    torque: t.torque,
                    rate: t.rate,
                    phase: t.phase,
                    from: t.from,
                    until: end(t.until),
                };
                system.timed.iter().map(timed).collect()
            }
        }
    }

    /// The mean of cos(rate t + phase) over a step, 0 where the force does not act.
    pub(crate) fn mean(&self, [start, end]: [f64; 2]) -> f64 {
        let (a, b) = (start.max(self.from), end.min(self.until));
        if b <= a {
            return 0.0;
        }
        // sin B − sin A = 2 cos((A + B) / 2) sin((B − A) / 2): no cancellation.
        let half = 0.5 * self.rate * (b - a);
        let part = if half == 0.0 { 1.0 } else { sin(half) / half };
        part * cos(0.5 * self.rate * (a + b) + self.phase) * ((b - a) / (end - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_the_integral() {
        let wave = Timed {
            body: 0,
            force: [1.0, 0.0, 0.0],
            torque: [0.0; 3],
            rate: 3.0,
            phase: 0.5,
            from: 0.25,
            until: 1.6,
        };
        let dt = 0.1;
        let sum: f64 = (0..20).map(|k| dt * wave.mean([dt * f64::from(k), dt * f64::from(k + 1)])).sum();
        let integral = (sin(3.0 * 1.6 + 0.5) - sin(3.0 * 0.25 + 0.5)) / 3.0;
        assert!((sum - integral).abs() < 1e-14, "{sum} {integral}");
        let steady = Timed { rate: 0.0, phase: 0.0, from: 0.0, until: f64::INFINITY, ..wave };
        assert_eq!(steady.mean([0.3, 0.4]), 1.0);
    }
}
