//! How one body of a frame moves, whatever the family: the only place here that knows how frames
//! lay their numbers out.

use crate::grip::Place;
use carom::Frame;
use carom_numerics::elementary::{cos, sin};
use carom_trajectory::Family;
use glam::{DQuat, DVec3};

/// Place and velocity of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Motion {
    /// Of the centre.
    pub position: [f64; 3],
    /// Planar angle in radians; 0 for what has no planar angle.
    pub angle: f64,
    /// Turn from body to world axes as a quaternion w x y z; only of spatial bodies.
    pub turn: Option<[f64; 4]>,
    /// Of the centre.
    pub velocity: [f64; 3],
    /// Angular velocity; the third entry is the planar one.
    pub spin: [f64; 3],
}

impl Motion {
    /// Of a body in a frame; nothing when the frame has no such body.
    pub(crate) fn of(family: Family, frame: &Frame, body: usize) -> Option<Motion> {
        match family {
            Family::Particles => {
                let (x, v) = (block::<2>(&frame.positions, body)?, block::<2>(&frame.velocities, body)?);
                let flat = |p: [f64; 2]| [p[0], p[1], 0.0];
                Some(Motion { position: flat(x), angle: 0.0, turn: None, velocity: flat(v), spin: [0.0; 3] })
            }
            Family::RigidBodies => {
                let (x, v) = (block::<3>(&frame.positions, body)?, block::<3>(&frame.velocities, body)?);
                let position = [x[0], x[1], 0.0];
                let (velocity, spin) = ([v[0], v[1], 0.0], [0.0, 0.0, v[2]]);
                Some(Motion { position, angle: x[2], turn: None, velocity, spin })
            }
            Family::SpatialBodies => {
                let (x, v) = (block::<7>(&frame.positions, body)?, block::<6>(&frame.velocities, body)?);
                let (velocity, spin) = ([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
                let turn = Some([x[3], x[4], x[5], x[6]]);
                Some(Motion { position: [x[0], x[1], x[2]], angle: 0.0, turn, velocity, spin })
            }
        }
    }

    /// Adds to the velocities of a body in a frame.
    pub(crate) fn add(family: Family, frame: &mut Frame, body: usize, velocity: [f64; 3], spin: [f64; 3]) {
        let change: &[f64] = match family {
            Family::Particles => &velocity[..2],
            Family::RigidBodies => &[velocity[0], velocity[1], spin[2]],
            Family::SpatialBodies => &[velocity[0], velocity[1], velocity[2], spin[0], spin[1], spin[2]],
        };
        let start = body.saturating_mul(change.len());
        for (number, change) in frame.velocities.iter_mut().skip(start).zip(change) {
            *number += change;
        }
    }

    /// Sets what a hand sets of a body in a frame.
    pub(crate) fn set(family: Family, frame: &mut Frame, place: &Place) {
        let (width, speeds) = (family.coordinates(), family.degrees_of_freedom());
        let axes = if family == Family::SpatialBodies { 3 } else { 2 };
        let put = |numbers: &mut [f64], start: usize, values: &[f64]| {
            for (number, value) in numbers.iter_mut().skip(start).zip(values) {
                *number = *value;
            }
        };
        let (x, v) = (place.body.saturating_mul(width), place.body.saturating_mul(speeds));
        if let Some(position) = place.position {
            put(&mut frame.positions, x, &position[..axes]);
        }
        if let Some(velocity) = place.velocity {
            put(&mut frame.velocities, v, &velocity[..axes]);
        }
        match family {
            Family::Particles => {}
            Family::RigidBodies => {
                put(&mut frame.positions, x + 2, place.angle.as_slice());
                put(&mut frame.velocities, v + 2, place.spin.map(|spin| spin[2]).as_slice());
            }
            Family::SpatialBodies => {
                put(&mut frame.velocities, v + 3, place.spin.as_ref().map_or(&[], |spin| &spin[..]));
            }
        }
    }

    /// Where a point of the body is, given from its centre in its own axes.
    pub(crate) fn place(&self, local: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = local;
        let arm = match self.turn {
            Some([w, i, j, k]) => (DQuat::from_xyzw(i, j, k, w) * DVec3::from(local)).to_array(),
            None => {
                let (s, c) = (sin(self.angle), cos(self.angle));
                [c * x - s * y, s * x + c * y, z]
            }
        };
        [0, 1, 2].map(|axis| self.position[axis] + arm[axis])
    }

    /// How fast the point of the body at a world position moves: v + ω × r.
    pub(crate) fn velocity_at(&self, point: [f64; 3]) -> [f64; 3] {
        let r = DVec3::from(point) - DVec3::from(self.position);
        (DVec3::from(self.velocity) + DVec3::from(self.spin).cross(r)).to_array()
    }

    /// The angular velocity in the axes of the body.
    pub(crate) fn spin_in_body_axes(&self) -> [f64; 3] {
        let spin = DVec3::from(self.spin);
        self.turn.map_or(spin, |[w, i, j, k]| DQuat::from_xyzw(i, j, k, w).conjugate() * spin).to_array()
    }
}

fn block<const N: usize>(numbers: &[f64], body: usize) -> Option<[f64; N]> {
    let start = body.checked_mul(N)?;
    numbers.get(start..start.checked_add(N)?)?.try_into().ok()
}
