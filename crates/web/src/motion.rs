//! How one body of a frame moves, whatever the family: the only place here that knows how frames lay their numbers out.

use carom::Frame;
use carom_numerics::elementary::{cos, sin};
use carom_trajectory::Family;

/// Place and velocity of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Motion {
    /// Of the centre.
    pub position: [f64; 3],
    /// Planar angle in radians; 0 for what does not turn.
    pub angle: f64,
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
                Some(Motion { position: flat(x), angle: 0.0, velocity: flat(v), spin: [0.0; 3] })
            }
            Family::RigidBodies => {
                let (x, v) = (block::<3>(&frame.positions, body)?, block::<3>(&frame.velocities, body)?);
                let position = [x[0], x[1], 0.0];
                Some(Motion { position, angle: x[2], velocity: [v[0], v[1], 0.0], spin: [0.0, 0.0, v[2]] })
            }
            Family::SpatialBodies => {
                let (x, v) = (block::<7>(&frame.positions, body)?, block::<6>(&frame.velocities, body)?);
                let (velocity, spin) = ([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
                Some(Motion { position: [x[0], x[1], x[2]], angle: 0.0, velocity, spin })
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

    /// Where a point of the body is, given from its centre in its own axes.
    pub(crate) fn place(&self, local: [f64; 3]) -> [f64; 3] {
        let (s, c) = (sin(self.angle), cos(self.angle));
        let [x, y, z] = local;
        [self.position[0] + c * x - s * y, self.position[1] + s * x + c * y, self.position[2] + z]
    }
}

fn block<const N: usize>(numbers: &[f64], body: usize) -> Option<[f64; N]> {
    let start = body.checked_mul(N)?;
    numbers.get(start..start.checked_add(N)?)?.try_into().ok()
}
