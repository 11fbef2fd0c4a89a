//! A hand on a body: it is drawn to where the pointer is, and thrown when let go.

use crate::motion::Motion;
use serde::{Deserialize, Serialize};

/// A hold on a point of a body, and where that point is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// Which body.
    pub body: usize,
    /// The point that is held, from the centre, in the axes of the body.
    pub local: [f64; 3],
    /// Where it is to go.
    pub target: [f64; 3],
}

/// A change of the velocities of a body at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Push {
    /// Which body.
    pub body: usize,
    /// Added to its velocity.
    pub velocity: [f64; 3],
    /// Added to its angular velocity.
    pub spin: [f64; 3],
}

/// A body put somewhere by hand: what is given is set, the rest stays.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// Which body.
    pub body: usize,
    /// Where its centre goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 3]>,
    /// Its planar angle in radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Its velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Its angular velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<[f64; 3]>,
}

impl Place {
    /// Whether all its numbers are.
    pub fn is_finite(&self) -> bool {
        let triples = [self.position, self.velocity, self.spin];
        triples.iter().flatten().flatten().chain(&self.angle).all(|number| number.is_finite())
    }
}

/// What a hand did at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Touch {
    /// Velocities were changed.
    Push(Push),
    /// A body was put somewhere.
    Place(Place),
}

impl Touch {
    /// Which body.
    pub fn body(&self) -> usize {
        match self {
            Touch::Push(push) => push.body,
            Touch::Place(place) => place.body,
        }
    }

    /// Whether this sets the same numbers of the same body as a place does.
    pub(crate) fn is_same_kind(&self, other: &Place) -> bool {
        let given = |place: &Place| {
            let Place { position, angle, velocity, spin, .. } = place;
            [position.is_some(), angle.is_some(), velocity.is_some(), spin.is_some()]
        };
        matches!(self, Touch::Place(place) if place.body == other.body && given(place) == given(other))
    }

    /// Whether all its numbers are.
    pub fn is_finite(&self) -> bool {
        match self {
            Touch::Push(push) => push.is_finite(),
            Touch::Place(place) => place.is_finite(),
        }
    }
}

/// What a hand did, and when.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// The step after which it was done.
    pub step: u64,
    /// What was done.
    #[serde(flatten)]
    pub touch: Touch,
}

/// The held point is to reach its target in this many seconds, as if it went on at constant speed.
const REACH: f64 = 0.08;
/// The wanted velocity is taken on over this many seconds, so that a hand can be resisted.
const YIELD: f64 = 0.03;

impl Grip {
    /// What the hand does to the body in a step of `dt` seconds: the impulse at the held point that
    /// gives the point a share of the wanted velocity. At a point r from the centre an impulse J
    /// changes the point's velocity by K J, K = 1/m + (r × ·)ᵀ(r × ·)/I (Mirtich 1996, equation for
    /// the collision matrix, in 2D).
    pub(crate) fn push(&self, motion: &Motion, mass: f64, inertia: Option<f64>, dt: f64) -> Push {
        let held = motion.place(self.local);
        let r = [0, 1, 2].map(|k| held[k] - motion.position[k]);
        let now = motion.velocity_at(held);
        let reach = REACH.max(2.0 * dt);
        let share = (dt / YIELD).min(1.0);
        let change = [0, 1, 2].map(|k| share * ((self.target[k] - held[k]) / reach - now[k]));
        // In 3D the hand takes the whole body along and steadies it: what it does about inertia is
        // not worth a matrix.
        let steadied = if motion.turn.is_some() { motion.spin.map(|w| -0.3 * share * w) } else { [0.0; 3] };
        let alone = Push { body: self.body, velocity: change, spin: steadied };
        let Some(inertia) = inertia.filter(|i| *i > 0.0 && i.is_finite() && mass > 0.0 && mass.is_finite())
        else {
            return alone;
        };
        let (a, b) = (1.0 / mass, 1.0 / inertia);
        let k = [[a + b * r[1] * r[1], -b * r[0] * r[1]], [-b * r[0] * r[1], a + b * r[0] * r[0]]];
        let determinant = k[0][0] * k[1][1] - k[0][1] * k[1][0];
        let j = [
            (k[1][1] * change[0] - k[0][1] * change[1]) / determinant,
            (k[0][0] * change[1] - k[1][0] * change[0]) / determinant,
        ];
        let spin = (r[0] * j[1] - r[1] * j[0]) / inertia;
        let push = Push { velocity: [j[0] / mass, j[1] / mass, 0.0], spin: [0.0, 0.0, spin], ..alone };
        if push.is_finite() { push } else { alone }
    }
}

impl Push {
    /// Whether all its numbers are.
    pub fn is_finite(&self) -> bool {
        self.velocity.iter().chain(&self.spin).all(|number| number.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_held_point_gets_its_share_of_the_wanted_velocity() {
        let motion = Motion {
            position: [1.0, 2.0, 0.0],
            angle: 0.7,
            turn: None,
            velocity: [0.3, -0.2, 0.0],
            spin: [0.0, 0.0, 1.5],
        };
        let grip = Grip { body: 3, local: [0.4, -0.1, 0.0], target: [5.0, 1.0, 0.0] };
        for (mass, inertia) in [(2.0, 0.1), (1e-3, 5.0), (400.0, 1e-2)] {
            let push = grip.push(&motion, mass, Some(inertia), 0.01);
            let held = motion.place(grip.local);
            let r = [held[0] - 1.0, held[1] - 2.0];
            let speed = |v: [f64; 3], w: f64| [v[0] - w * r[1], v[1] + w * r[0]];
            let before = speed(motion.velocity, 1.5);
            let after = speed([0.3 + push.velocity[0], -0.2 + push.velocity[1], 0.0], 1.5 + push.spin[2]);
            for k in 0..2 {
                let wanted = (grip.target[k] - held[k]) / REACH;
                let expected = before[k] + 0.01 / YIELD * (wanted - before[k]);
                assert!((after[k] - expected).abs() < 1e-9 * expected.abs().max(1.0), "{after:?}");
            }
        }
    }

    #[test]
    fn what_does_not_turn_is_moved_only() {
        let motion =
            Motion { position: [0.0; 3], angle: 0.0, turn: None, velocity: [0.0; 3], spin: [0.0; 3] };
        let grip = Grip { body: 0, local: [0.0; 3], target: [0.0, 1.0, 0.0] };
        let push = grip.push(&motion, 1.0, None, 1.0);
        assert_eq!(push.spin, [0.0; 3]);
        assert_eq!(push.velocity, [0.0, 0.5, 0.0], "a long step takes two steps to get there");
    }
}
