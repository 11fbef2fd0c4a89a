//! A point and a segment whose ends move on straight paths of their own.
//!
//! With w = x₁ − x₂, e = x₃ − x₂ and the quadratics E = |e|², F = w·e, W = |w|² in t, the foot of
//! the point on the line is α = F/E and the squared distance from the line is W − F²/E. The
//! hand-out's conditions, each times a power of E: R²E − WE + F² > 0 (quartic), F > 0 and E − F > 0
//! (quadratics), and the approach E F F′ − E² W′/2 − F² E′/2 > 0 (quintic). The quintic of the code
//! that the course gave out has a wrong cubic coefficient; compatible runs keep it
//! ([`Quintic::Course`]).
//!
//! Beyond these, [`first_contact`] sees the round ends of the segment, and the crossing of a
//! segment so thin and fast that the quartic is lost in rounding: the side e × w is a quadratic,
//! whose sign changes are found to the last bits.

use carom_numerics::polynomial::{Polynomial, Rule, first_time_all_positive, roots_in_unit_interval};
use glam::DVec2;

use super::{Path, SweptContact, direction, point_point};
use crate::particle::distance::point_segment::{clamped, shortest_vector, unclamped_alpha};

/// Which quintic to use for the approach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quintic {
    /// What the algebra gives.
    Correct,
    /// With f, g, h the coefficients of F from the constant on and q = |e′|²: 2fgq where 2fhq is
    /// right.
    Course,
}

/// A point and a segment on their way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// The point.
    pub point: Path,
    /// The start of the segment.
    pub start: Path,
    /// The end of the segment.
    pub end: Path,
}

/// The quadratics of one sweep, constants first: E, F, W as the header names them.
struct Quadratics {
    edge: [f64; 3],
    foot: [f64; 3],
    offset: [f64; 3],
}

impl Sweep {
    fn quadratics(&self) -> Quadratics {
        let (w, e) = (self.point.relative_to(&self.start), self.end.relative_to(&self.start));
        let square = |p: &Path| {
            [p.start.dot(p.start), 2.0 * p.start.dot(p.displacement), p.displacement.dot(p.displacement)]
        };
        let foot = [
            w.start.dot(e.start),
            w.start.dot(e.displacement) + w.displacement.dot(e.start),
            w.displacement.dot(e.displacement),
        ];
        Quadratics { edge: square(&e), foot, offset: square(&w) }
    }

    /// E − F, positive where the foot is before the end: (x₁ − x₃)·(x₂ − x₃).
    fn before_end(&self) -> Polynomial {
        let (w, e) = (self.point.relative_to(&self.end), self.start.relative_to(&self.end));
        Polynomial::new([
            w.displacement.dot(e.displacement),
            w.start.dot(e.displacement) + w.displacement.dot(e.start),
            w.start.dot(e.start),
        ])
    }

    /// The side of the segment on which the point is, times its length: e × w as a quadratic.
    fn side(&self) -> Polynomial {
        let (w, e) = (self.point.relative_to(&self.start), self.end.relative_to(&self.start));
        Polynomial::new([
            e.displacement.perp_dot(w.displacement),
            e.start.perp_dot(w.displacement) + e.displacement.perp_dot(w.start),
            e.start.perp_dot(w.start),
        ])
    }

    /// The nearest point of the segment at time `t`.
    fn nearest(&self, t: f64) -> (f64, DVec2) {
        let nearest = shortest_vector(self.point.at(t), self.start.at(t), self.end.at(t));
        (nearest.alpha, nearest.vector)
    }
}

/// The four conditions of the hand-out: quartic distance, 0 < α, α < 1, quintic approach.
pub fn conditions(sweep: &Sweep, distance: f64, quintic: Quintic) -> [Polynomial; 4] {
    let Quadratics { edge, foot, offset } = sweep.quadratics();
    let [a, b2, q] = edge; // b2 = 2b
    let [f, g, h] = foot;
    let [w0, w1, w2] = offset;
    let r2 = distance * distance;
    // sums in the order of the course's program: its recorded polynomials have these bits
    let near = Polynomial::new([
        h * h - q * w2,
        2.0 * g * h - q * w1 - b2 * w2,
        g * g + 2.0 * f * h - q * w0 - a * w2 - b2 * w1 + r2 * q,
        2.0 * f * g - b2 * w0 - a * w1 + r2 * b2,
        f * f - a * w0 + r2 * a,
    ]);
    let after_start = Polynomial::new([h, g, f]);
    let before_end = sweep.before_end();
    [near, after_start, before_end, approach(edge, foot, offset, quintic)]
}

/// E F F′ − E² W′/2 − F² E′/2, collected by powers.
fn approach(edge: [f64; 3], foot: [f64; 3], offset: [f64; 3], quintic: Quintic) -> Polynomial {
    let product = |x: &[f64], y: &[f64]| {
        let mut z = [0.0; 6];
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                z[i + j] += x * y;
            }
        }
        z
    };
    let half_slope = |x: [f64; 3]| [0.5 * x[1], x[2]];
    let [f, g, h] = foot;
    let edge_foot = product(&product(&edge, &foot)[..5], &[g, 2.0 * h]);
    let edge_edge = product(&product(&edge, &edge)[..5], &half_slope(offset));
    let foot_foot = product(&product(&foot, &foot)[..5], &half_slope(edge));
    let mut c = [0.0; 6];
    for k in 0..6 {
        c[k] = edge_foot[k] - edge_edge[k] - foot_foot[k];
    }
    if quintic == Quintic::Course {
        let q = edge[2];
        c[3] += 2.0 * f * h * q - 2.0 * f * g * q;
    }
    c.reverse();
    Polynomial::new(c)
}

/// Foot on the infinite line at a time, as the course's response takes it: the vector without
/// clamping, α with.
pub fn line_contact(sweep: &Sweep, time: f64) -> (f64, DVec2) {
    // one sum from left to right, as in the course's program: the last bits of its normals depend
    // on it
    let Sweep { point, start, end } = sweep;
    let moved = |p: &Path| time * p.displacement;
    let edge = end.start + moved(end) - start.start - moved(start);
    let offset = point.start + moved(point) - start.start - moved(start);
    let alpha = offset.dot(edge) / edge.length_squared();
    (clamped(alpha), start.start + moved(start) + alpha * edge - point.start - moved(point))
}

/// The first time at which the point is nearer to the segment, round ends included, than `distance`
/// and coming nearer, or crosses it.
pub fn first_contact(sweep: &Sweep, distance: f64) -> Option<SweptContact> {
    let edge = sweep.end.relative_to(&sweep.start);
    if edge.start == DVec2::ZERO && edge.displacement == DVec2::ZERO {
        return point_point::first_contact(&sweep.point, &sweep.start, distance);
    }
    let [near, after_start, before_end, approach] = conditions(sweep, distance, Quintic::Correct);
    let along = first_time_all_positive(&[near, after_start, before_end, approach], Rule::Exact);
    let crossing = first_crossing(sweep);
    let side = [along, crossing].into_iter().flatten().reduce(f64::min);
    let end = first_end_contact(sweep, distance, &[after_start, before_end]);
    match (side, end) {
        (Some(side), Some(end)) if end.time < side => Some(end),
        (Some(side), _) => side_contact(sweep, side),
        (None, end) => end,
    }
}

/// A contact after `time`, at which the point was near the segment without coming nearer: the last
/// moment before it has come nearer by `nearer`, or has changed sides. None when it does neither,
/// as far as a few looks on the way can tell.
pub fn deepening(sweep: &Sweep, time: f64, nearer: f64) -> Option<SweptContact> {
    const LOOKS: i32 = 8;
    const HALVINGS: i32 = 40;
    let look = |t: f64| {
        let (point, start, end) = (sweep.point.at(t), sweep.start.at(t), sweep.end.at(t));
        let alpha = unclamped_alpha(point, start, end);
        let side = (end - start).perp_dot(point - start);
        (sweep.nearest(t).1.length(), side, (0.0..=1.0).contains(&alpha))
    };
    let (distance, side, _) = look(time);
    let deeper = |t: f64| {
        let (now, other_side, beside) = look(t);
        now < distance - nearer || (beside && side * other_side < 0.0)
    };
    let at = |k: i32| time + (1.0 - time) * f64::from(k) / f64::from(LOOKS);
    let (mut before, mut after) = (1..=LOOKS).map(|k| (at(k - 1), at(k))).find(|(_, t)| deeper(*t))?;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (before + after);
        if deeper(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
    match sweep.nearest(before) {
        (alpha, _) if alpha > 0.0 && alpha < 1.0 => side_contact(sweep, before),
        (alpha, vector) => Some(SweptContact { time: before, alpha, vector, unit: direction(vector)? }),
    }
}

/// The first time at which the point changes sides within the length of the segment.
fn first_crossing(sweep: &Sweep) -> Option<f64> {
    let side = sweep.side();
    let roots = roots_in_unit_interval(&side);
    let crosses = |t: f64| {
        let alpha = unclamped_alpha(sweep.point.at(t), sweep.start.at(t), sweep.end.at(t));
        (0.0..=1.0).contains(&alpha)
    };
    roots
        .as_slice()
        .iter()
        .copied()
        .find(|&t| t > 0.0 && changes_sign(&side, roots.as_slice(), t) && crosses(t))
}

/// How near the end of the way a root may be before the sign after it is lost in rounding.
const AT_THE_END: f64 = 1e-12;

/// Whether the sign differs before and after the root `t`, judged half-way to the neighbouring
/// roots or to the end of the way. What is beyond the end does not count: another root there would
/// hide this one. A root at the very end counts as a change.
fn changes_sign(p: &Polynomial, roots: &[f64], t: f64) -> bool {
    let before = roots.iter().copied().filter(|r| *r < t).fold(0.0, f64::max);
    let after = roots.iter().copied().filter(|r| *r > t).fold(1.0, f64::min);
    let sign_before = p.value(0.5 * (before + t));
    if 1.0 - t < AT_THE_END {
        return sign_before != 0.0;
    }
    sign_before * p.value(0.5 * (t + after)) < 0.0
}

/// A contact along the segment, its direction taken from the side that the point was on before.
fn side_contact(sweep: &Sweep, time: f64) -> Option<SweptContact> {
    let side = sweep.side();
    let (alpha, vector) = sweep.nearest(time);
    let before =
        roots_in_unit_interval(&side).as_slice().iter().copied().filter(|r| *r < time).fold(0.0, f64::max);
    let sign = side.value(0.5 * (before + time));
    let normal = direction((sweep.end.at(time) - sweep.start.at(time)).perp());
    let unit = match normal {
        // the left normal points to the side where e × w is positive; the contact vector points the
        // other way
        Some(left) if sign > 0.0 => -left,
        Some(left) if sign < 0.0 => left,
        _ => direction(vector)?,
    };
    Some(SweptContact { time, alpha, vector, unit })
}

/// The first contact with the round ends, each where the foot is beyond it.
fn first_end_contact(sweep: &Sweep, distance: f64, inside: &[Polynomial; 2]) -> Option<SweptContact> {
    let mut first: Option<SweptContact> = None;
    for (alpha, end, inside) in [(0.0, &sweep.start, &inside[0]), (1.0, &sweep.end, &inside[1])] {
        let relative = end.relative_to(&sweep.point);
        let [near, approach] = point_point::conditions(&relative, distance);
        let beyond = negated(inside);
        let Some(time) = first_time_all_positive(&[near, approach, beyond], Rule::Exact) else { continue };
        let vector = relative.at(time);
        let Some(unit) = direction(vector) else { continue };
        if first.is_none_or(|f| time < f.time) {
            first = Some(SweptContact { time, alpha, vector, unit });
        }
    }
    first
}

fn negated(p: &Polynomial) -> Polynomial {
    let mut c = [0.0; 3];
    for (c, p) in c.iter_mut().zip(p.coefficients()) {
        *c = -p;
    }
    Polynomial::new(c)
}

#[cfg(test)]
mod tests;
