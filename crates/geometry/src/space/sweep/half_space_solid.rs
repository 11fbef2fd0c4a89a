//! A half-space, and the corners of a solid or its lowest point.

use super::{Meetings, Mover, Ways, clear_for, for_each_corner};
use crate::march::{Look, earlier, first_zero, march};
use crate::space::Shape;
use glam::DVec3;

impl Meetings {
    /// A half-space, and the corners of a solid or its lowest point.
    pub(super) fn half_space_and_solid<W: Ways>(
        &mut self,
        (normal, solid): (DVec3, &Shape),
        ways: W,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let radius = match solid {
            Shape::Sphere { radius } => *radius,
            _ => 0.0,
        };
        // Corners that touch and do not rise are left out: contact, not impact, sees to them.
        let mut resting = std::mem::take(&mut self.resting);
        resting.clear();
        let mut first = true;
        let time = march(span, tolerance, |time| {
            let [under, over] = [0, 1].map(|side| ways.at(side, time));
            let ground = ways.pose(&under);
            let n = ground.rotation * normal;
            let left = span - time;
            let low = Mover::of(&ways.motion(0, &under), left);
            let high = Mover::of(&ways.motion(1, &over), left);
            let known = left.min(low.horizon).min(high.horizon);
            let pull = n.dot(low.acceleration - high.acceleration);
            let mut look = Look { gap: f64::INFINITY, clear: None };
            for_each_corner(solid, &ways.pose(&over), |k, corner, arm| {
                let from = corner - ground.position;
                let gap = n.dot(from) - radius;
                // A plane that turns moves where the solid is.
                let speed = n.dot(high.at(arm) - low.at(from));
                let bend = (pull + high.bend(arm) + low.bend(from)).max(0.0);
                let clear = clear_for(first_zero(gap, speed, bend, known), known, left);
                if first {
                    resting.push(gap <= tolerance && clear.is_some_and(|clear| clear <= 0.0));
                }
                if !resting[k] {
                    look.gap = look.gap.min(gap);
                    look.clear = earlier(look.clear, clear);
                }
            });
            first = false;
            look
        });
        self.resting = resting;
        time
    }
}
