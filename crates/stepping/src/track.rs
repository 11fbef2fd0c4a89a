//! Where bodies are while a step is divided: each on its own piece of path.

use crate::mechanics::{Flight, Mechanics, Motion, Vector};
use crate::neighbours::Carriers;
use carom_numerics::qp::BlockDiagonalMass;

/// The present piece of path of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Track<P> {
    /// When the piece began, in seconds into the step.
    pub(crate) time: f64,
    pub(crate) motion: Motion<P>,
    /// The acceleration of forces alone.
    pub(crate) force: Vector,
    /// The velocity that was stored at the start.
    pub(crate) brought: Vector,
    /// Impacts so far.
    pub(crate) impacts: u32,
    /// Counts the pieces, so that events found on an older piece are known to be stale.
    pub(crate) version: u32,
    /// Whether an impact changed the motion.
    pub(crate) divided: bool,
    /// Whether the acceleration is that of forces and resting contact, not of forces alone.
    pub(crate) held: bool,
    /// Whether the body stays where it is until the next step, with the velocity that it has,
    /// because it had too many impacts.
    pub(crate) waits: bool,
}

impl<P: Copy> Track<P> {
    /// The flight of a body from the start of a step of length `dt`: its path is
    /// x(t) = x₀ + m t + ½ a t (t − h), so that the velocity at the start is m − ½ h a.
    pub(crate) fn start<M: Mechanics<Pose = P>>(flight: &Flight<P>, body: usize, dt: f64) -> Self {
        let start = &flight.start[body];
        let velocity = added::<M>(&flight.mean[body], -0.5 * dt, &start.acceleration);
        Self {
            time: 0.0,
            motion: Motion { velocity, ..*start },
            force: start.acceleration,
            brought: start.velocity,
            impacts: 0,
            version: 0,
            divided: false,
            held: false,
            waits: false,
        }
    }

    /// The motion at a time of the step.
    pub(crate) fn at<M: Mechanics<Pose = P>>(&self, bodies: &M, body: usize, time: f64) -> Motion<P> {
        if self.waits { self.motion } else { bodies.drift(body, &self.motion, time - self.time) }
    }
}

/// v + factor · w.
pub(crate) fn added<M: Mechanics>(v: &Vector, factor: f64, w: &Vector) -> Vector {
    let mut sum = *v;
    for k in 0..M::DOF {
        sum[k] += factor * w[k];
    }
    sum
}

/// Kinetic energy with one velocity less that with another, ½(v₁ − v₀)ᵀM(v₁ + v₀): what does not
/// change does not count, however fast it is.
pub(crate) fn energy_change(mass: &BlockDiagonalMass, before: &[f64], after: &[f64]) -> f64 {
    let (change, sum) = (|k: usize| after[k] - before[k], |k: usize| after[k] + before[k]);
    let mut twice = 0.0;
    for (k, &m) in mass.diagonal.iter().enumerate() {
        if m.is_finite() && change(k) != 0.0 {
            twice += m * change(k) * sum(k);
        }
    }
    for entry in &mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        twice += entry.value * (change(i) * sum(j) + change(j) * sum(i));
    }
    0.5 * twice
}

/// Length of the part of place.
pub(crate) fn linear_length<M: Mechanics>(v: &Vector) -> f64 {
    v[..M::LINEAR].iter().fold(0.0, |sum, x| sum + x * x).sqrt()
}

/// Length of the part of turning.
pub(crate) fn angular_length<M: Mechanics>(v: &Vector) -> f64 {
    v[M::LINEAR..M::DOF].iter().fold(0.0, |sum, x| sum + x * x).sqrt()
}

/// Lower bound of the distance of two bodies where the step starts, by their bounding spheres.
/// Negative infinity where three bodies carry the shapes.
pub(crate) fn clearance<M: Mechanics>(bodies: &M, flight: &Flight<M::Pose>, carriers: Carriers) -> f64 {
    let &[a, b] = carriers.as_slice() else { return f64::NEG_INFINITY };
    let [from, to] = [a, b].map(|body| M::position(&flight.start[body as usize].pose));
    let distance = (0..3).fold(0.0, |sum, axis| sum + (to[axis] - from[axis]).powi(2)).sqrt();
    distance - bodies.bounding_radius(a as usize) - bodies.bounding_radius(b as usize)
}

/// Whether two balls do not come nearer to each other from where the step starts, with these
/// velocities.
pub(crate) fn balls_separate<M: Mechanics>(
    flight: &Flight<M::Pose>,
    [a, b]: [usize; 2],
    velocity: &[Vector],
) -> bool {
    let [from, to] = [a, b].map(|body| M::position(&flight.start[body].pose));
    let (va, vb) = (&velocity[a], &velocity[b]);
    (0..M::LINEAR).fold(0.0, |sum, axis| sum + (to[axis] - from[axis]) * (va[axis] - vb[axis])) <= 0.0
}
