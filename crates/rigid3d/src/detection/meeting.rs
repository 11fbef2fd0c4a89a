//! When two bodies first touch, each on its way.
//!
//! Along a fixed direction n across the gap, every corner comes nearer by at most what its speed, the
//! acceleration and the turning give: its distance along n is bounded by a parabola, and the gap of two convex
//! bodies by the least of the differences ([`carom_stepping::march`]).

use super::{Detector, polyhedra};
use crate::bodies::{Bodies, Pose, halves};
use crate::model::BodyIndex;
use crate::shape::Shape;
use crate::state::BodyState;
use carom_stepping::{Look, Mechanics, Motion, Pair, Path, first_zero, march};
use glam::DVec3;

/// A look knows how a body turns for no longer than this, in radians.
const HORIZON: f64 = 0.5;
/// By what the rate of the spin grows within that, at most: Euler's equations give e^(2 κ ω t) with κ ≤ 1.
const GROWTH: f64 = 3.0;

/// Bodies that touch and end with another part of them less deep in each other than this part of the smaller extent
/// are left to position correction.
const WORTH_A_ROW: f64 = 1e-4;
/// How much further apart than axes say bodies are looked at, in tolerances.
const NEAR_CORNERS: f64 = 1e6;
/// Halvings of a piece of a step that find when another part touches.
const HALVINGS: usize = 12;
/// The part of the smaller thickness that bodies that touch move against each other between two looks.
const PART_OF_THICKNESS: f64 = 0.25;
/// Pieces of a step between such looks, at most.
const MOST_PIECES: f64 = 400.0;

/// A body at a moment of its way.
#[derive(Debug, Clone, Copy)]
struct Mover {
    place: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    spin: DVec3,
    /// Bounds the rate of the spin, torque and precession, until the horizon.
    rate: f64,
    /// For how long this is known.
    horizon: f64,
}

impl Detector {
    /// The first time in (0, `span`] at which parts of two bodies that do not touch now come to touch, within
    /// a tolerance.
    pub(crate) fn first_meeting(
        &mut self,
        bodies: &Bodies,
        pair: Pair,
        paths: [Path<Pose>; 2],
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let movers = [0, 1]
            .map(|side| Mover::of(bodies, pair[side], &at(bodies, pair[side], &paths[side], 0.0), span));
        if self.stays_clear(movers, pair, span) {
            return None;
        }
        let shape = |side: usize| &bodies.model.bodies[pair[side] as usize].shape;
        match (shape(0), shape(1)) {
            (Shape::Sphere { radius: a }, Shape::Sphere { radius: b }) => {
                balls(movers, a + b, tolerance, span)
            }
            (Shape::HalfSpace { .. }, Shape::HalfSpace { .. }) => None,
            (Shape::HalfSpace { normal }, _) => {
                self.plane_and_body(bodies, (pair, paths), *normal, tolerance, span)
            }
            (_, Shape::HalfSpace { normal }) => {
                let swapped = ([pair[1], pair[0]], [paths[1], paths[0]]);
                self.plane_and_body(bodies, swapped, *normal, tolerance, span)
            }
            (Shape::Polyhedron(_), Shape::Sphere { radius }) => {
                self.polyhedron_and_ball(bodies, (pair, paths), *radius, tolerance, span)
            }
            (Shape::Sphere { radius }, Shape::Polyhedron(_)) => {
                let swapped = ([pair[1], pair[0]], [paths[1], paths[0]]);
                self.polyhedron_and_ball(bodies, swapped, *radius, tolerance, span)
            }
            (Shape::Polyhedron(_), Shape::Polyhedron(_)) => {
                self.polyhedra(bodies, (pair, paths), tolerance, span)
            }
        }
    }

    /// Whether the balls around two bodies never meet.
    fn stays_clear(&self, [a, b]: [Mover; 2], pair: Pair, span: f64) -> bool {
        let reach = self.extent(pair[0] as usize) + self.extent(pair[1] as usize);
        let between = b.place - a.place;
        let distance = between.length();
        if distance.partial_cmp(&reach) != Some(std::cmp::Ordering::Greater) {
            return false;
        }
        let n = between / distance;
        let (speed, pull) = (n.dot(b.velocity - a.velocity), n.dot(a.acceleration - b.acceleration));
        first_zero(distance - reach, speed, pull.max(0.0), span).is_none()
    }

    /// A half-space, and the corners of a body or its lowest point.
    fn plane_and_body(
        &mut self,
        bodies: &Bodies,
        (pair, paths): (Pair, [Path<Pose>; 2]),
        normal: DVec3,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let body = pair[1] as usize;
        let radius = match bodies.model.bodies[body].shape {
            Shape::Sphere { radius } => radius,
            _ => 0.0,
        };
        // Corners that touch and do not rise are left out: contact, not impact, sees to them.
        let mut resting = std::mem::take(&mut self.resting);
        resting.clear();
        let mut first = true;
        let time = march(span, tolerance, |time| {
            let [under, over] = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time));
            let n = under.pose.orientation.matrix() * normal;
            let left = span - time;
            let low = Mover::of(bodies, pair[0], &under, left);
            let high = Mover::of(bodies, pair[1], &over, left);
            let known = left.min(low.horizon).min(high.horizon);
            let pull = n.dot(low.acceleration - high.acceleration);
            let mut look = Look { gap: f64::INFINITY, clear: None };
            for_each_corner(bodies, body, &over.pose, |k, corner, arm| {
                let from = corner - under.pose.position;
                let gap = n.dot(from) - radius;
                // A plane that turns moves where the body is.
                let speed = n.dot(high.at(arm) - low.at(from));
                let bend = (pull + high.bend(arm) + low.bend(from)).max(0.0);
                let clear = clear_for(first_zero(gap, speed, bend, known), known, left);
                if first {
                    resting.push(gap <= tolerance && clear.is_some_and(|clear| clear <= 0.0));
                }
                if !resting[k] {
                    look.gap = look.gap.min(gap);
                    look.clear = least(look.clear, clear);
                }
            });
            first = false;
            look
        });
        self.resting = resting;
        time
    }

    /// A polyhedron and a ball.
    fn polyhedron_and_ball(
        &mut self,
        bodies: &Bodies,
        (pair, paths): (Pair, [Path<Pose>; 2]),
        radius: f64,
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let solid = pair[0] as usize;
        let mut found = std::mem::take(&mut self.found);
        let time = march(span, tolerance, |time| {
            let [one, other] = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time));
            found.clear();
            let poses = [one.pose, other.pose];
            self.manifold_within(&bodies.model, pair, poses, f64::INFINITY, &mut found);
            let Some(contact) = found.first() else { return Look { gap: f64::INFINITY, clear: None } };
            // The contact is of the lower number first; n leads from the polyhedron to the ball.
            let n = if contact.first == BodyIndex(pair[0]) { contact.normal } else { -contact.normal };
            let left = span - time;
            let low = Mover::of(bodies, pair[0], &one, left);
            let high = Mover::of(bodies, pair[1], &other, left);
            let known = left.min(low.horizon);
            let pull = n.dot(low.acceleration - high.acceleration);
            let mut clear = None;
            for_each_corner(bodies, solid, &one.pose, |_, corner, arm| {
                let gap = n.dot(other.pose.position - corner) - radius;
                let speed = n.dot(high.velocity - low.at(arm));
                let bend = (pull + low.bend(arm)).max(0.0);
                clear = least(clear, clear_for(first_zero(gap, speed, bend, known), known, left));
            });
            Look { gap: contact.gap, clear }
        });
        self.found = found;
        time
    }

    /// Two polyhedra: along the axis that separates them best.
    fn polyhedra(
        &mut self,
        bodies: &Bodies,
        (pair, paths): (Pair, [Path<Pose>; 2]),
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let mut touch_now = false;
        let mut rows = std::mem::take(&mut self.parabolas);
        let time = march(span, tolerance, |time| {
            let moved = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time));
            let poses = moved.map(|motion| motion.pose);
            let (mut separation, mut n) = self.separation(bodies, pair, poses);
            if separation <= tolerance
                && let Some(across) = self.across_corners(bodies, (pair, poses), tolerance)
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
                let mover = Mover::of(bodies, pair[side], &moved[side], left);
                known = known.min(mover.horizon);
                let pull = n.dot(mover.acceleration);
                for_each_corner(bodies, pair[side] as usize, &moved[side].pose, |_, corner, arm| {
                    rows[side].push([n.dot(corner), n.dot(mover.at(arm)), pull, mover.bend(arm)]);
                });
            }
            // Least of the second body's heights minus the largest of the first's: concave, so that the zero of
            // a chord never comes after its own.
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
            return self.other_parts(bodies, (pair, paths), (tolerance, tolerance), span);
        }
        let time = time?;
        let poses = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time).pose);
        if self.separation(bodies, pair, poses).0 <= 2.0 * tolerance {
            return Some(time);
        }
        // Looks ran out: one part slides or pivots closer than they tell apart. It counts as touching.
        let later = paths.map(|path| Path { since: path.since + time, ..path });
        let near = WORTH_A_ROW * self.extent(pair[0] as usize).min(self.extent(pair[1] as usize));
        let other = self.other_parts(bodies, (pair, later), (tolerance, near), span - time);
        other.map(|after| time + after)
    }

    /// Where a corner is nearest to a corner or an edge, bodies are further apart than the axes of faces and edges
    /// say: their gap along the line between those points, if that is so.
    fn across_corners(
        &mut self,
        bodies: &Bodies,
        (pair, poses): (Pair, [Pose; 2]),
        tolerance: f64,
    ) -> Option<(f64, DVec3)> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.manifold_within(&bodies.model, pair, poses, NEAR_CORNERS * tolerance, &mut found);
        let nearest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|contact| contact.normal);
        self.found = found;
        let n = nearest?;
        let (mut top, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
        for_each_corner(bodies, pair[0] as usize, &poses[0], |_, corner, _| top = top.max(n.dot(corner)));
        for_each_corner(bodies, pair[1] as usize, &poses[1], |_, corner, _| low = low.min(n.dot(corner)));
        (low - top > tolerance).then_some((low - top, n))
    }

    /// Two polyhedra that touch: when another part of them comes to touch, or when they come back. While they touch
    /// no axis separates them, so that looks have to do, at moments between which they do not pass through each other.
    fn other_parts(
        &mut self,
        bodies: &Bodies,
        (pair, paths): (Pair, [Path<Pose>; 2]),
        (tolerance, near): (f64, f64),
        span: f64,
    ) -> Option<f64> {
        let mut touching = std::mem::take(&mut self.touching);
        touching.clear();
        let now = [0, 1].map(|side| at(bodies, pair[side], &paths[side], 0.0));
        let poses = now.map(|motion| motion.pose);
        self.found.clear();
        let mut found = std::mem::take(&mut self.found);
        self.manifold_within(&bodies.model, pair, poses, near, &mut found);
        touching.extend(found.iter().map(|contact| contact.features));
        self.found = found;
        self.touching = touching;
        let worth = WORTH_A_ROW * self.extent(pair[0] as usize).min(self.extent(pair[1] as usize));
        let pieces = self.pieces(pair, &now, span);
        let mut before = 0.0;
        for piece in 1..=pieces {
            let time = span * f64::from(piece) / f64::from(pieces);
            let moved = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time));
            if pieces > 1 && self.separation(bodies, pair, moved.map(|motion| motion.pose)).0 > near {
                let later = paths.map(|path| Path { since: path.since + time, ..path });
                let again = self.polyhedra(bodies, (pair, later), tolerance, span - time);
                return again.map(|after| time + after);
            }
            if self.least_other_gap(bodies, (pair, paths), tolerance, time) < -worth {
                let mut after = time;
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (before + after);
                    match self.least_other_gap(bodies, (pair, paths), tolerance, middle) <= tolerance {
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

    /// Looks at two bodies that touch on their way: one at the end where they hardly move.
    fn pieces(&self, pair: Pair, motions: &[Motion<Pose>; 2], span: f64) -> u32 {
        let [[v, spin], [w, other]] = motions.map(|motion| halves(&motion.velocity));
        let turning =
            spin.length() * self.extent(pair[0] as usize) + other.length() * self.extent(pair[1] as usize);
        let way = span * ((w - v).length() + turning);
        let thickness = self.thickness(pair[0] as usize).min(self.thickness(pair[1] as usize));
        (way / (PART_OF_THICKNESS * thickness)).ceil().clamp(1.0, MOST_PIECES) as u32
    }

    /// The least gap at a time of parts that do not touch at the start.
    fn least_other_gap(
        &mut self,
        bodies: &Bodies,
        (pair, paths): (Pair, [Path<Pose>; 2]),
        tolerance: f64,
        time: f64,
    ) -> f64 {
        let poses = [0, 1].map(|side| at(bodies, pair[side], &paths[side], time).pose);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.manifold_within(&bodies.model, pair, poses, tolerance, &mut found);
        let others = found.iter().filter(|contact| !self.touching.contains(&contact.features));
        let least = others.fold(f64::INFINITY, |least, contact| least.min(contact.gap));
        self.found = found;
        least
    }

    /// The gap of two polyhedra along the axis that separates them best, and the axis, from the first to the second.
    fn separation(&mut self, bodies: &Bodies, pair: Pair, poses: [Pose; 2]) -> (f64, DVec3) {
        let mut placed = std::mem::take(&mut self.placed);
        let solids = self.place_two(&bodies.model, pair, poses, &mut placed);
        let [Some(a), Some(b)] = solids else {
            self.placed = placed;
            return (f64::NEG_INFINITY, DVec3::X);
        };
        let found = polyhedra::separation(&a, &b);
        self.placed = placed;
        found
    }
}

/// The motion of a body some time further on its path.
fn at(bodies: &Bodies, body: u32, path: &Path<Pose>, time: f64) -> Motion<Pose> {
    bodies.drift(body as usize, &path.motion, path.since + time)
}

/// Visits the corners of a body at a pose, with their numbers and arms; the centre where it has none.
fn for_each_corner(bodies: &Bodies, body: usize, pose: &Pose, mut visit: impl FnMut(usize, DVec3, DVec3)) {
    match &bodies.model.bodies[body].shape {
        Shape::Polyhedron(shape) => {
            let turn = pose.orientation.matrix();
            for (k, &vertex) in shape.vertices().iter().enumerate() {
                let arm = turn * vertex;
                visit(k, pose.position + arm, arm);
            }
        }
        _ => visit(0, pose.position, DVec3::ZERO),
    }
}

/// Two balls; in closed form where neither is accelerated against the other.
fn balls([a, b]: [Mover; 2], radii: f64, tolerance: f64, span: f64) -> Option<f64> {
    let (between, speed) = (b.place - a.place, b.velocity - a.velocity);
    let pull = a.acceleration - b.acceleration;
    if pull != DVec3::ZERO {
        return march(span, tolerance, |time| {
            let between = between + time * (speed - 0.5 * time * pull);
            let distance = between.length();
            let n = between / distance;
            let speed = n.dot(speed - time * pull);
            let bend = n.dot(pull).max(0.0);
            let gap = distance - radii;
            Look { gap, clear: first_zero(gap, speed, bend, span - time) }
        });
    }
    let (approach, distance) = (-between.dot(speed), between.length());
    if approach <= 0.0 || distance - radii <= tolerance {
        return None;
    }
    // |between + t speed| = radii: the first root, without cancellation.
    let outside = (distance - radii) * (distance + radii);
    let discriminant = approach * approach - speed.length_squared() * outside;
    if discriminant <= 0.0 {
        return None;
    }
    let time = outside / (approach + discriminant.sqrt());
    (time <= span).then_some(time)
}

/// A time before the first zero of a concave function that is positive at 0, near it; none where it stays
/// positive until `span`.
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

fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        _ => a.or(b),
    }
}

/// For how long a gap is open, when nothing is known after `known` of the time that is left.
fn clear_for(zero: Option<f64>, known: f64, left: f64) -> Option<f64> {
    zero.or((known < left).then_some(known))
}

impl Mover {
    fn of(bodies: &Bodies, body: u32, motion: &Motion<Pose>, span: f64) -> Self {
        let [velocity, spin] = halves(&motion.velocity);
        let [acceleration, torque_rate] = halves(&motion.acceleration);
        let body = &bodies.model.bodies[body as usize];
        // Euler's equations: I dω/dt = τ − ω × I ω.
        let precession = match body.motion.is_free() && spin != DVec3::ZERO {
            true => {
                let at = BodyState { orientation: motion.pose.orientation, ..BodyState::default() };
                at.inverse_inertia(body) * (at.inertia(body) * spin).cross(spin)
            }
            false => DVec3::ZERO,
        };
        let rate = GROWTH * (torque_rate + precession).length();
        let horizon = HORIZON / (spin.length() + span * torque_rate.length());
        Self { place: motion.pose.position, velocity, acceleration, spin, rate, horizon: horizon.min(span) }
    }

    /// Velocity of the point at an arm.
    fn at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// Bounds how much turning bends the way of a point: |ω × (ω × r)| + |dω/dt × r|, where ω itself turns.
    fn bend(&self, arm: DVec3) -> f64 {
        let (spin, reach) = (self.spin.length(), arm.length());
        if spin == 0.0 && self.rate == 0.0 {
            return 0.0;
        }
        let change = self.rate * self.horizon;
        let across = self.spin.cross(arm).length() / spin + reach * (change / spin);
        let across = if across < reach { across } else { reach };
        (spin + change) * (spin + change) * across + self.rate * reach
    }
}
