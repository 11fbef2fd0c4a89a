//! When a disc first touches another, a half-plane or a thick segment, on ways with a steady
//! acceleration: one pair a file.

pub mod disc_disc;
pub mod disc_half_plane;
pub mod disc_segment;

use glam::DVec2;

/// A point on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// Where it is.
    pub place: DVec2,
    /// How fast.
    pub velocity: DVec2,
    /// Its steady acceleration.
    pub acceleration: DVec2,
}

impl Way {
    /// This way as another sees it.
    fn from(&self, other: &Self) -> Self {
        Self {
            place: self.place - other.place,
            velocity: self.velocity - other.velocity,
            acceleration: self.acceleration - other.acceleration,
        }
    }

    fn at(&self, time: f64) -> Self {
        Self {
            place: self.place + time * (self.velocity + 0.5 * time * self.acceleration),
            velocity: self.velocity + time * self.acceleration,
            ..*self
        }
    }
}
