//! When two features first touch: conservative advancement.
//!
//! Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3: while no
//! contact is possible for some time, go there and look again. The time comes from the motion along
//! one fixed separating direction, to second order: gap(τ) ≥ gap + s τ − ½ c τ², where s is the
//! speed at which the gap opens now and c bounds what accelerations and turning (ω² r) take from
//! it.

use carom_numerics::watch;

/// What is known at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Distance of the two features.
    pub gap: f64,
    /// No contact comes within this time; none where none comes at all.
    pub clear: Option<f64>,
}

/// More looks than this, and the two slide along each other closer than the tolerance tells apart.
const MOST_LOOKS: usize = 400;

/// After this many looks the way that is left is taken as a line: where bodies turn, each look may
/// come nearer by a tenth only.
const PATIENCE: usize = 20;

/// And no further than this many times what is known to be clear.
const FAR: f64 = 8.0;

/// What touches at the start and is clear for no more than this part of the time does not open.
const TOUCHING: f64 = 1e-4;

/// Unless it is clear for more than this part of that, and not too often: what is fast opens and
/// meets again, elsewhere, in less.
const ROUNDING: f64 = 1e-6;
const MOST_SHORT_STEPS: usize = 8;

/// Looks that find the instant between two moments.
const MOST_HALVINGS: usize = 60;

std::thread_local! {
    /// Looks since they were last taken: work of a step that no solver counts.
    static LOOKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Looks of this thread since this was last called.
pub fn take_looks() -> u64 {
    LOOKS.take()
}

/// The same, and they are not forgotten.
pub fn looks() -> u64 {
    LOOKS.get()
}

/// Counts what costs as much as so many looks.
pub fn count_looks(looks: u64) {
    LOOKS.set(LOOKS.get() + looks);
}

/// The first time in (0, `span`] at which a gap closes to `tolerance`. None where it does not, or
/// where it is closed now and does not open.
pub fn march(span: f64, tolerance: f64, mut look: impl FnMut(f64) -> Look) -> Option<f64> {
    let mut look = |time: f64| {
        LOOKS.set(LOOKS.get() + 1);
        look(time)
    };
    let mut time = 0.0;
    let mut last: Option<(f64, f64)> = None;
    let (mut has_opened, mut least, mut short_steps) = (false, TOUCHING * span, 0);
    for count in 0..MOST_LOOKS {
        if watch::is_over() {
            return None;
        }
        let Look { gap, clear } = look(time);
        has_opened |= gap > tolerance;
        if !has_opened {
            // It touches still. Once it is clear for longer than rounding, it opens.
            let clear = clear?;
            has_opened = clear > least;
            if has_opened || clear > ROUNDING * least && short_steps < MOST_SHORT_STEPS {
                time += clear;
                short_steps += 1;
            } else {
                time += least;
                least *= 8.0;
            }
            if time > span || time.is_nan() {
                return None;
            }
            continue;
        }
        if gap < -tolerance
            && count > PATIENCE
            && let Some(open) = last
        {
            return Some(between(open, (time, gap), tolerance, look));
        }
        if gap <= tolerance && count > 0 {
            return Some(time);
        }
        let clear = clear?;
        if clear <= 0.0 || clear.is_nan() {
            return (count > 0).then_some(time);
        }
        let mut next = time + clear;
        if next > span {
            return None;
        }
        if count >= PATIENCE
            && let Some((before, wider)) = last
            && wider > gap
        {
            // Where the line through the last two looks is half closed, if that is not far.
            let aim = time + (gap - 0.5 * tolerance) * (time - before) / (wider - gap);
            next = next.max(aim.min(time + FAR * clear).min(span));
        }
        last = Some((time, gap));
        time = next;
    }
    Some(time)
}

/// A moment at which the gap is closed to the tolerance, between one at which it is open and one
/// too late.
fn between(
    mut open: (f64, f64),
    mut late: (f64, f64),
    tolerance: f64,
    mut look: impl FnMut(f64) -> Look,
) -> f64 {
    for turn in 0..MOST_HALVINGS {
        let part = if turn % 2 == 0 { open.1 / (open.1 - late.1) } else { 0.5 };
        let time = open.0 + part * (late.0 - open.0);
        let gap = look(time).gap;
        if gap.abs() <= tolerance {
            return time;
        }
        *(if gap > 0.0 { &mut open } else { &mut late }) = (time, gap);
    }
    late.0
}

/// The first τ > 0 with gap + speed τ − ½ curvature τ² ≤ 0 within `span`; none where there is none.
/// `curvature` is at least 0. A gap that is closed and opens counts as 0.
pub fn first_zero(gap: f64, speed: f64, curvature: f64, span: f64) -> Option<f64> {
    let gap = gap.max(0.0);
    if gap + span * (speed - 0.5 * curvature * span) > 0.0 {
        return None;
    }
    let root = (speed * speed + 2.0 * curvature * gap).sqrt();
    // Without cancellation, whatever the sign of the speed.
    let time = if speed > 0.0 { (speed + root) / curvature } else { 2.0 * gap / (root - speed) };
    Some(if time.is_nan() { 0.0 } else { time })
}

/// When two points on straight ways first come within `reach` of each other, |d + t v| = reach: the
/// first root in (0, `span`]. `approach` is −d·v, `distance` |d| and `speed_squared` |v|². None for
/// those that touch now.
pub fn straight(
    (approach, distance, speed_squared): (f64, f64, f64),
    (reach, tolerance): (f64, f64),
    span: f64,
) -> Option<f64> {
    if approach <= 0.0 || distance - reach <= tolerance {
        return None;
    }
    // Without cancellation.
    let outside = (distance - reach) * (distance + reach);
    let discriminant = approach * approach - speed_squared * outside;
    if discriminant <= 0.0 {
        return None;
    }
    let time = outside / (approach + discriminant.sqrt());
    (time <= span).then_some(time)
}

/// The earlier of two times; none is never.
pub(crate) fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throw_comes_back_when_it_should() {
        assert_eq!(first_zero(0.0, 4.0, 8.0, 2.0), Some(1.0));
        assert_eq!(first_zero(0.0, 4.0, 8.0, 0.9), None);
        assert_eq!(first_zero(3.0, -2.0, 0.0, 2.0), Some(1.5));
        assert_eq!(first_zero(3.0, 0.0, 6.0, 2.0), Some(1.0));
        assert_eq!(first_zero(0.0, 0.0, 0.0, 1.0), Some(0.0));
        assert_eq!(first_zero(1.0, 1.0, 0.0, 1.0), None);
    }

    /// The bound is ten times as fast as the gap closes: each look comes nearer by a tenth.
    #[test]
    fn marching_ends_where_bounds_are_wide() {
        let gap = |t: f64| 1.0 - t - 0.5 * t * t;
        let time = march(2.0, 1e-12, |t| Look { gap: gap(t), clear: first_zero(gap(t), -10.0, 0.0, 2.0) });
        assert!((time.unwrap() - (3f64.sqrt() - 1.0)).abs() < 1e-11, "{time:?}");
    }

    #[test]
    fn marching_finds_the_first_of_two_roots() {
        // A point passes a disc of radius 1 on a line 0.6 from its centre, from 3 to the left, at
        // speed 2.
        let look = |t: f64| {
            let x = -3.0 + 2.0 * t;
            let distance = (x * x + 0.36).sqrt();
            Look { gap: distance - 1.0, clear: first_zero(distance - 1.0, 2.0 * x / distance, 0.0, 9.0) }
        };
        let time = march(9.0, 1e-12, look).unwrap();
        assert!((time - (3.0 - 0.8) / 2.0).abs() < 1e-11, "{time}");
    }
}
