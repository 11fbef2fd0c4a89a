//! When a vertex first touches an edge, both on bodies that move steadily: conservative advancement.
//!
//! Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3: while the two are a gap apart and close it at
//! no more than μ, no contact can come before gap/μ; go there and look again. A vertex and an edge are convex, so only the
//! speed along the shortest line counts: μ = n · (Va − Vb) + |ωa| |x − Xa| + |ωb| max |e − Xb|.

use super::vertex_edge::nearest_on_edge;
use crate::rotation::Rotation;
use crate::state::BodyState;
use glam::DVec2;

/// A point of a body that moves with its body's velocity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) state: BodyState,
    /// Start and end of the edge, twice the same point for a vertex, from the centre of mass in world axes now.
    pub(crate) arms: [DVec2; 2],
}

/// The two surfaces touch when the distance of vertex and edge is `radii`, give or take `tolerance`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closeness {
    pub(crate) radii: f64,
    pub(crate) tolerance: f64,
}

/// More looks than this mean that the two slide along each other within the tolerance: that counts as touching.
const MOST_LOOKS: usize = 200;

/// The first time in (0, `until`] at which the vertex touches the edge. None if they do not, or if they touch already.
pub(crate) fn first_touch(vertex: Mover, edge: Mover, near: Closeness, until: f64) -> Option<f64> {
    let reach = |mover: &Mover| {
        mover.state.angular_velocity.abs() * mover.arms[0].length().max(mover.arms[1].length())
    };
    let spin_speed = reach(&vertex) + reach(&edge);
    let mut time = 0.0;
    for _ in 0..MOST_LOOKS {
        let [x, _] = vertex.at(time);
        let [start, end] = edge.at(time);
        let between = nearest_on_edge(x, start, end).point - x;
        let distance = between.length();
        let gap = distance - near.radii;
        if gap <= near.tolerance {
            return (time > 0.0).then_some(time);
        }
        let approach = (between / distance).dot(vertex.state.velocity - edge.state.velocity) + spin_speed;
        if approach <= 0.0 {
            return None;
        }
        time += gap / approach;
        if time.is_nan() || time > until {
            return None;
        }
    }
    Some(time)
}

impl Mover {
    fn at(&self, time: f64) -> [DVec2; 2] {
        let center = self.state.position + time * self.state.velocity;
        if self.state.angular_velocity == 0.0 {
            return self.arms.map(|arm| center + arm);
        }
        let turn = Rotation::by(time * self.state.angular_velocity);
        self.arms.map(|arm| center + turn.apply(arm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: Closeness = Closeness { radii: 0.5, tolerance: 1e-10 };

    fn point(state: &BodyState) -> Mover {
        Mover { state: *state, arms: [DVec2::ZERO; 2] }
    }

    fn moving(x: f64, y: f64, vx: f64, vy: f64) -> BodyState {
        BodyState { velocity: DVec2::new(vx, vy), ..BodyState::at(DVec2::new(x, y)) }
    }

    #[test]
    fn head_on_and_grazing_discs() {
        let still = moving(0.0, 0.0, 0.0, 0.0);
        let head_on = moving(-10.0, 0.0, 2.0, 0.0);
        let time = first_touch(point(&head_on), point(&still), NEAR, 10.0).unwrap();
        assert!((time - 4.75).abs() < 1e-9);
        let sideways = moving(-10.0, 0.3, 2.0, 0.0);
        let time = first_touch(point(&sideways), point(&still), NEAR, 10.0).unwrap();
        assert!((time - (10.0 - 0.4) / 2.0).abs() < 1e-9);
        let miss = moving(-10.0, 0.500_001, 2.0, 0.0);
        assert_eq!(first_touch(point(&miss), point(&still), NEAR, 10.0), None);
        assert_eq!(first_touch(point(&head_on), point(&still), NEAR, 4.7), None);
        let touching = moving(-0.5, 0.0, 2.0, 0.0);
        assert_eq!(first_touch(point(&touching), point(&still), NEAR, 4.0), None);
    }

    #[test]
    fn a_turning_rod_strikes_a_point() {
        let mut rod = moving(0.0, 0.0, 0.0, 0.0);
        rod.angular_velocity = 1.0;
        let edge = Mover { state: rod, arms: [DVec2::new(-2.0, 0.0), DVec2::new(2.0, 0.0)] };
        let target = moving(0.0, 1.0, 0.0, 0.0);
        let time = first_touch(point(&target), edge, NEAR, 10.0).unwrap();
        // The rod at angle t is |cos t| from the point (0, 1).
        assert!((time - std::f64::consts::FRAC_PI_3).abs() < 1e-8);
    }
}
