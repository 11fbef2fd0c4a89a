//! Numbers, vectors and shapes from a seed.

use carom_numerics::elementary;
use glam::{DQuat, DVec2, DVec3};

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Uniform in [low, high).
    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn planar(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.within(-size, size), self.within(-size, size))
    }

    pub(crate) fn spatial(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }

    pub(crate) fn turn(&mut self) -> DQuat {
        let [a, b] = [0, 1].map(|_| self.spatial(1.0));
        DQuat::from_xyzw(a.x, a.y, a.z, b.x).normalize()
    }

    /// Corners of a convex polygon around the origin, counter-clockwise: on an ellipse.
    pub(crate) fn polygon(&mut self) -> Vec<DVec2> {
        let count = self.within(3.0, 9.0) as usize;
        let (a, b) = (self.within(0.4, 1.5), self.within(0.4, 1.5));
        let angle = |k: f64| std::f64::consts::TAU * k / count as f64;
        let corner = |t: f64| DVec2::new(a * elementary::cos(t), b * elementary::sin(t));
        (0..count).map(|k| corner(angle(k as f64 + self.within(0.0, 0.7)))).collect()
    }

    /// Corners of a solid around the origin, on an ellipsoid.
    pub(crate) fn corners(&mut self) -> Vec<DVec3> {
        let axes = DVec3::new(self.within(0.4, 1.5), self.within(0.4, 1.5), self.within(0.4, 1.5));
        let more = self.within(0.0, 12.0) as usize;
        let base = [
            DVec3::ONE,
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ];
        let all: Vec<DVec3> = base.into_iter().chain((0..more).map(|_| self.spatial(1.0))).collect();
        all.into_iter().map(|p| axes * (p + self.spatial(0.2)).normalize()).collect()
    }
}
