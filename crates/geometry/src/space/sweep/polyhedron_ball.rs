//! A polyhedron and a ball.

use super::{Meetings, Mover, Shapes, Ways, clear_for, for_each_corner};
use crate::march::{Look, earlier, first_zero, march};

impl Meetings {
    /// A polyhedron and a ball.
    pub(super) fn polyhedron_and_ball<W: Ways>(
        &mut self,
        shapes: Shapes<'_>,
        radius: f64,
        ways: W,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        march(span, tolerance, |time| {
            let [one, other] = [0, 1].map(|side| ways.at(side, time));
            let poses = [ways.pose(&one), ways.pose(&other)];
            self.manifold_within(shapes, poses, f64::INFINITY);
            let Some(contact) = self.found.points.first() else {
                return Look { gap: f64::INFINITY, clear: None };
            };
            let n = contact.normal;
            let left = span - time;
            let low = Mover::of(&ways.motion(0, &one), left);
            let high = Mover::of(&ways.motion(1, &other), left);
            let known = left.min(low.horizon);
            let pull = n.dot(low.acceleration - high.acceleration);
            let mut clear = None;
            for_each_corner(shapes.shapes[0], &poses[0], |_, corner, arm| {
                let gap = n.dot(poses[1].position - corner) - radius;
                let speed = n.dot(high.velocity - low.at(arm));
                let bend = (pull + low.bend(arm)).max(0.0);
                clear = earlier(clear, clear_for(first_zero(gap, speed, bend, known), known, left));
            });
            Look { gap: contact.gap, clear }
        })
    }
}
