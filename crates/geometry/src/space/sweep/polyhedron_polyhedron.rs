//! Two polyhedra: along the axis that separates them best.

use super::{Meetings, Motion, Mover, Shapes, Ways, clear_for, for_each_corner};
use crate::march::{Look, count_looks, march};
use crate::space::polyhedron_polyhedron::separation;
use crate::space::{Pose, Solid};
use glam::DVec3;

/// Solids that touch and end with another part of them less deep in each other than this part of
/// the smaller extent are left to position correction.
const WORTH_A_ROW: f64 = 1e-4;
/// How much further apart than axes say solids are checked, in tolerances.
const NEAR_CORNERS: f64 = 1e6;
/// Halvings of a piece of a step that find when another part touches.
const HALVINGS: usize = 12;
/// The part of the smaller thickness that solids that touch move against each other between two
/// looks.
const PART_OF_THICKNESS: f64 = 0.25;
/// Pieces of a step between such looks, at most.
const MOST_PIECES: f64 = 400.0;
/// What one of them costs, in looks at two features.
const LOOKS_OF_A_PIECE: u64 = 5;

impl Meetings {
    /// Two polyhedra: along the axis that separates them best.
    pub(super) fn polyhedra<W: Ways>(
        &mut self,
        shapes: Shapes<'_>,
        ways: W,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let mut touch_now = false;
        let mut rows = std::mem::take(&mut self.parabolas);
        let time = march(span, tolerance, |time| {
            let moved = [0, 1].map(|side| ways.at(side, time));
            let poses = moved.map(|moment| ways.pose(&moment));
            let (mut separation, mut n) = self.separation(shapes, poses);
            if separation <= tolerance
                && let Some(across) = self.across_corners(shapes, poses, tolerance)
            {
                (separation, n) = across;
            }
            if separation <= tolerance {
                touch_now |= time == 0.0;
                return Look { gap: separation, clear: Some(0.0) };
            }
            let left = span - time;
            rows.iter_mut().for_each(Vec::clear);
            let mut known = left;
            for side in 0..2 {
                let mover = Mover::of(&ways.motion(side, &moved[side]), left);
                known = known.min(mover.horizon);
                let pull = n.dot(mover.acceleration);
                for_each_corner(shapes.shapes[side], &poses[side], |_, corner, arm| {
                    rows[side].push([n.dot(corner), n.dot(mover.at(arm)), pull, mover.bend(arm)]);
                });
            }
            // Least of the second body's heights minus the largest of the first's: concave, so that
            // the zero of a chord never comes after its own.
            let gap_at = |t: f64| {
                let height = |[x, v, a, _]: &[f64; 4]| x + t * (v + 0.5 * t * a);
                let sag = |[.., bend]: &[f64; 4]| 0.5 * t * t * bend;
                let top = rows[0].iter().fold(f64::NEG_INFINITY, |m, r| m.max(height(r) + sag(r)));
                let low = rows[1].iter().fold(f64::INFINITY, |m, r| m.min(height(r) - sag(r)));
                low - top
            };
            Look { gap: separation, clear: clear_for(concave_zero(known, separation, gap_at), known, left) }
        });
        self.parabolas = rows;
        if touch_now {
            return self.other_parts(shapes, ways, (tolerance, tolerance), span);
        }
        let time = time?;
        let poses = ways.poses(time);
        if self.separation(shapes, poses).0 <= 2.0 * tolerance {
            return Some(time);
        }
        // Looks ran out: one part slides or pivots closer than they tell apart. It counts as
        // touching.
        let later = ways.later(time);
        let near = WORTH_A_ROW * shapes.extents[0].min(shapes.extents[1]);
        let other = self.other_parts(shapes, later, (tolerance, near), span - time);
        other.map(|after| time + after)
    }

    /// Where a corner is nearest to a corner or an edge, solids are further apart than the axes of
    /// faces and edges say: their gap along the line between those points, if that is so.
    fn across_corners(
        &mut self,
        shapes: Shapes<'_>,
        poses: [Pose; 2],
        tolerance: f64,
    ) -> Option<(f64, DVec3)> {
        self.manifold_within(shapes, poses, NEAR_CORNERS * tolerance);
        let nearest =
            self.found.points.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|contact| contact.normal);
        let n = nearest?;
        let (mut top, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
        for_each_corner(shapes.shapes[0], &poses[0], |_, corner, _| top = top.max(n.dot(corner)));
        for_each_corner(shapes.shapes[1], &poses[1], |_, corner, _| low = low.min(n.dot(corner)));
        (low - top > tolerance).then_some((low - top, n))
    }

    /// Two polyhedra that touch: when another part of them comes to touch, or when they come back.
    /// While they touch no axis separates them, so that looks have to do, at moments between which
    /// they do not pass through each other.
    fn other_parts<W: Ways>(
        &mut self,
        shapes: Shapes<'_>,
        ways: W,
        (tolerance, near): (f64, f64),
        span: f64,
    ) -> Option<f64> {
        let now = [0, 1].map(|side| ways.at(side, 0.0));
        self.manifold_within(shapes, now.map(|moment| ways.pose(&moment)), near);
        self.touching.clear();
        self.touching.extend(self.found.points.iter().map(|contact| contact.features));
        let worth = WORTH_A_ROW * shapes.extents[0].min(shapes.extents[1]);
        let pieces = pieces(&shapes, [0, 1].map(|side| ways.motion(side, &now[side])), span);
        let mut before = 0.0;
        for piece in 1..=pieces {
            let time = span * f64::from(piece) / f64::from(pieces);
            if pieces > 1 && self.separation(shapes, ways.poses(time)).0 > near {
                let again = self.polyhedra(shapes, ways.later(time), tolerance, span - time);
                return again.map(|after| time + after);
            }
            if self.least_other_gap(shapes, ways, tolerance, time) < -worth {
                let mut after = time;
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (before + after);
                    match self.least_other_gap(shapes, ways, tolerance, middle) <= tolerance {
                        true => after = middle,
                        false => before = middle,
                    }
                }
                return Some(after);
            }
            before = time;
        }
        None
    }

    /// The least gap at a time of parts that do not touch at the start.
    fn least_other_gap<W: Ways>(&mut self, shapes: Shapes<'_>, ways: W, tolerance: f64, time: f64) -> f64 {
        self.manifold_within(shapes, ways.poses(time), tolerance);
        count_looks(LOOKS_OF_A_PIECE);
        let others = self.found.points.iter().filter(|contact| !self.touching.contains(&contact.features));
        others.fold(f64::INFINITY, |least, contact| least.min(contact.gap))
    }

    /// The gap of two polyhedra along the axis that separates them best, and the axis, from the
    /// first to the second.
    fn separation(&mut self, shapes: Shapes<'_>, poses: [Pose; 2]) -> (f64, DVec3) {
        let [a, b] = &mut self.narrow.corners;
        match [a.place(shapes.shapes[0], &poses[0]), b.place(shapes.shapes[1], &poses[1])] {
            [Solid::Polyhedron(a), Solid::Polyhedron(b)] => separation(&a, &b),
            _ => (f64::NEG_INFINITY, DVec3::X),
        }
    }
}

/// Looks at two solids that touch on their way: one at the end where they hardly move.
fn pieces(shapes: &Shapes<'_>, [a, b]: [Motion; 2], span: f64) -> u32 {
    let turning = a.spin.length() * shapes.extents[0] + b.spin.length() * shapes.extents[1];
    let way = span * ((b.velocity - a.velocity).length() + turning);
    let thickness = shapes.thicknesses[0].min(shapes.thicknesses[1]);
    (way / (PART_OF_THICKNESS * thickness)).ceil().clamp(1.0, MOST_PIECES) as u32
}

/// A time before the first zero of a concave function that is positive at 0, near it; none where it
/// stays positive until `span`.
fn concave_zero(span: f64, at_start: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    /// Chords; each comes much nearer.
    const CHORDS: usize = 8;
    let at_end = f(span);
    if at_end > 0.0 {
        return None;
    }
    let (mut time, mut value) = (0.0, at_start);
    for _ in 0..CHORDS {
        time += (span - time) * value / (value - at_end);
        value = f(time);
        if value <= 0.0 || value.is_nan() {
            break;
        }
    }
    Some(time)
}
