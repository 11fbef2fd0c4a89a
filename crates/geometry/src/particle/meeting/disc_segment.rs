//! A disc and a thick segment whose ends have ways of their own.

use super::Way;
use crate::march::{Look, earlier, first_zero, march};
use crate::particle::distance::point_segment::shortest_vector;
use crate::particle::manifold::across;
use glam::DVec2;

/// When a disc first touches a thick segment whose ends have ways of their own.
pub fn first_meeting(disc: Way, ends: [Way; 2], (reach, tolerance): (f64, f64), span: f64) -> Option<f64> {
    let reach = deepened(&disc, &ends, (reach, tolerance));
    march(span, tolerance, |time| {
        let (disc, ends) = (disc.at(time), ends.map(|end| end.at(time)));
        let (vector, alpha) = to_segment(disc.place, ends[0].place, ends[1].place);
        let normal = across(vector, alpha, ends[1].place - ends[0].place);
        let distance = normal.map_or(vector.length(), |n| n.dot(vector));
        if distance == 0.0 {
            return Look { gap: -reach, clear: Some(0.0) };
        }
        let n = normal.unwrap_or(vector / distance);
        // Along this direction each end comes nearer at its own speed; the segment is between them.
        let clear = ends.map(|end| {
            let away = if normal.is_some() { distance } else { n.dot(end.place - disc.place) };
            let speed = n.dot(end.velocity - disc.velocity);
            let pull = n.dot(disc.acceleration - end.acceleration).max(0.0);
            first_zero(away - reach, speed, pull, span - time)
        });
        let mut clear = earlier(clear[0], clear[1]);
        if let (Some(_), Some(known)) = (normal, clear) {
            clear = beside_turning(&disc, &ends, reach, span - time).map(|time| time.max(known));
        }
        Look { gap: distance - reach, clear }
    })
}

/// The reach of a disc that touches a segment beside its ends, less what it may come nearer without
/// harm: the segment turns, and an approach may begin from nothing.
fn deepened(disc: &Way, ends: &[Way; 2], (reach, tolerance): (f64, f64)) -> f64 {
    /// Parts of the reach.
    const HARMLESS: f64 = 1e-6;
    const MOST: f64 = 0.25;
    let along = ends[1].place - ends[0].place;
    let (vector, alpha) = to_segment(disc.place, ends[0].place, ends[1].place);
    let Some(normal) = across(vector, alpha, along) else { return reach };
    let gap = normal.dot(vector) - reach;
    let harmless = (4.0 * tolerance).max(HARMLESS * reach).min(MOST * reach);
    if gap > tolerance { reach } else { (reach + gap - harmless).max(0.0) }
}

/// How long a disc beside a segment does not touch it, with the segment's turning followed: the
/// area f = e × q, where e is the segment and q the disc from its start, goes to reach |e|; the
/// ends are two discs. For straight ways f is a parabola. Else f″ = e″ × q + 2 e′ × q′ + e × q″ is
/// bounded over the span.
fn beside_turning(disc: &Way, ends: &[Way; 2], reach: f64, span: f64) -> Option<f64> {
    let [e, q] = [ends[1].from(&ends[0]), disc.from(&ends[0])];
    let area = e.place.perp_dot(q.place);
    let side = 1.0_f64.copysign(area);
    let slope = side * (e.velocity.perp_dot(q.place) + e.place.perp_dot(q.velocity));
    let farthest = |way: &Way| {
        way.place.length() + span * (way.velocity.length() + 0.5 * span * way.acceleration.length())
    };
    let fastest = |way: &Way| way.velocity.length() + span * way.acceleration.length();
    let (bend_e, bend_q) = (e.acceleration.length(), q.acceleration.length());
    let curvature = if bend_e == 0.0 && bend_q == 0.0 {
        (-side * 2.0 * e.velocity.perp_dot(q.velocity)).max(0.0)
    } else {
        bend_e * farthest(&q) + 2.0 * fastest(&e) * fastest(&q) + farthest(&e) * bend_q
    };
    // |e| grows at most as fast as its ends part.
    let growth = reach * e.velocity.length();
    let open = side * area - reach * e.place.length();
    let along = first_zero(open, slope - growth, curvature + reach * bend_e, span);
    let to_end = |end: &Way| {
        let from = disc.from(end);
        let distance = from.place.length();
        let n = from.place / distance;
        let pull = (-n.dot(from.acceleration)).max(0.0);
        first_zero(distance - reach, n.dot(from.velocity), pull, span)
    };
    earlier(along, earlier(to_end(&ends[0]), to_end(&ends[1])))
}

fn to_segment(x: DVec2, start: DVec2, end: DVec2) -> (DVec2, f64) {
    let nearest = shortest_vector(x, start, end);
    (nearest.vector, nearest.alpha)
}
