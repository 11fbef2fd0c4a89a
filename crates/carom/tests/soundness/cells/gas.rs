//! Elastic bodies in a box, and Galperin's count.

use super::{Found, hold};
use crate::scenes::{Body, GRAVITY, Setting, TestedResponse, ball, cube, floor, wall};
use crate::track::{median, run};

/// Numbers from −1 to 1, drawn by Knuth's linear congruence.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Twelve bodies for a while: energy within 1 %, and nobody leaves.
fn lasts(method: TestedResponse, duration: f64, make: fn([f64; 2], &mut Draw) -> Body) -> Found {
    let mut draw = Draw(5);
    let mut bodies = Vec::new();
    for place in 0..12 {
        let at = [-1.2 + 0.8 * f64::from(place % 4), 0.5 + 0.7 * f64::from(place / 4)];
        let velocity = [2.0 * draw.next(), 2.0 * draw.next()];
        bodies.push(make(at, &mut draw).moving(velocity));
    }
    bodies.extend([floor(), wall(-2.0, 1.0), wall(2.0, -1.0)]);
    let setting = Setting { restitution: 1.0, duration, ..Setting::default() };
    let track = run(method, &setting, &bodies)?;
    let mut energy = track.kinetic();
    for body in 0..12 {
        for (place, energy) in track.places(body).zip(&mut energy) {
            *energy += GRAVITY * place[1];
            hold(place[0].abs() < 2.0 && place[1] > 0.0, || format!("body {body} is outside: {place:?}"))?;
        }
    }
    let few = energy.len() / 6;
    let part = median(&energy[energy.len() - few..]) / median(&energy[..few]);
    hold((part - 1.0).abs() < 0.01, || format!("energy goes to {part:.4}"))
}

/// A minute of balls.
pub(crate) fn balls(method: TestedResponse) -> Found {
    lasts(method, 60.0, |at, _| ball(at, 0.2))
}

/// 20 s of boxes that spin.
pub(crate) fn boxes(method: TestedResponse) -> Found {
    lasts(method, 20.0, |at, draw| cube(at, 0.35).spinning(3.0 * draw.next()))
}

/// Counts the collisions of a ball between a wall and a heavier one that comes at 1 m/s, and gives
/// both velocities after the last (Galperin, Playing pool with π, 2003).
fn count(ratio: f64) -> (usize, [f64; 2]) {
    let (mut light, mut heavy, mut count) = (0.0, -1.0, 0);
    loop {
        if heavy < light {
            let common = 2.0 * (light + ratio * heavy) / (1.0 + ratio);
            (light, heavy) = (common - light, common - heavy);
        } else if light < 0.0 {
            light = -light;
        } else {
            return (count, [light, heavy]);
        }
        count += 1;
    }
}

/// Mass ratios 1 to a million: 3, 31, 314 and 3141 collisions, most of them in one step, read from
/// the velocities after the last.
pub(crate) fn galperin(method: TestedResponse) -> Found {
    let cases = [(1.0, 3, 0.001), (100.0, 31, 0.001), (10_000.0, 314, 0.001), (1e6, 3141, 1.0 / 60.0)];
    for (ratio, digits, dt) in cases {
        let (wanted, velocities) = count(ratio);
        assert_eq!(wanted, digits, "Galperin's count");
        let heavy = ball([1.6, 0.5], 0.1).moving([-1.0, 0.0]).weighing(ratio);
        let bodies = [ball([1.0, 0.5], 0.1), heavy, wall(0.0, 1.0)];
        let setting =
            Setting { restitution: 1.0, gravity: [0.0; 2], dt, duration: 12.0, ..Setting::default() };
        let track = run(method, &setting, &bodies)?;
        let kinetic = track.kinetic();
        let drift =
            kinetic.iter().fold(0.0, |drift: f64, energy| drift.max((energy / kinetic[0] - 1.0).abs()));
        hold(drift < 1e-6, || format!("{digits}: energy drifts by {drift:.1e}"))?;
        for (body, wanted) in velocities.into_iter().enumerate() {
            let [found, _] = track.last_velocity(body);
            hold((found - wanted).abs() < 1e-6, || format!("{digits}: ends with {found} m/s, not {wanted}"))?;
        }
    }
    Ok(())
}
