//! Fast bodies: no tunnels, no ghosts, and the velocities of a meeting.

use super::{Found, hold};
use crate::scenes::{Body, Kind, ON_CORNER, Setting, TILTED, TestedResponse, ball, bar, block, cube};
use crate::track::run;

const WEIGHTLESS: [f64; 2] = [0.0; 2];

/// What is shot at a bar of 2 cm does not come through, and brings nothing along that it had not.
fn stopped(method: TestedResponse, shot: Body) -> Found {
    let setting =
        Setting { restitution: 0.5, gravity: WEIGHTLESS, dt: 0.01, duration: 0.5, ..Setting::default() };
    let track = run(method, &setting, &[shot, bar([0.0, 0.0], [3.0, 0.01])])?;
    let lowest = track.heights(0).into_iter().fold(f64::INFINITY, f64::min);
    hold(lowest > 0.0, || format!("{shot:?} comes through"))?;
    let kinetic = track.kinetic();
    let most = kinetic.iter().copied().fold(0.0, f64::max) / kinetic[0];
    hold(method.is_a_warning() || most < 1.0 + 1e-6, || format!("{shot:?} gains: {most} of its energy"))
}

/// Balls to 1000 m/s; boxes that are tilted or spin to 100 m/s.
pub(crate) fn fast(method: TestedResponse) -> Found {
    for speed in [10.0, 30.0, 100.0, 500.0, 1000.0] {
        for x in [0.013, 0.4] {
            stopped(method, ball([x, 1.03], 0.05).moving([0.0, -speed]))?;
            if speed <= 100.0 {
                boxes(method, x, speed)?;
            }
        }
    }
    Ok(())
}

/// Boxes at 300 and 1000 m/s.
pub(crate) fn faster(method: TestedResponse) -> Found {
    boxes(method, 0.013, 300.0)?;
    boxes(method, 0.013, 1000.0)
}

fn boxes(method: TestedResponse, x: f64, speed: f64) -> Found {
    if method.kind == Kind::Particles || method.is_a_warning() {
        return Ok(());
    }
    let shot = cube([x, 1.03], 0.1).moving([0.0, -speed]);
    [shot, shot.turned(TILTED), shot.spinning(30.0)].into_iter().try_for_each(|shot| stopped(method, shot))
}

/// Pairs that pass each other, in a frame of the plane and in a moving one; the first moves at
/// `speed` against the other.
fn passes(kind: Kind, x: f64, speed: f64) -> Vec<[Body; 2]> {
    let at = |height: f64| [x, height];
    let (flat, still) = ([speed, 0.0], [0.0; 2]);
    let (half, back) = ([speed / 2.0, 0.0], [-speed / 2.0, 0.0]);
    let small = ball(still, 0.05).fixed();
    let mut pairs = vec![
        [ball(at(0.07), 0.05).moving(flat), bar(still, [0.5, 0.01])],
        [ball(at(0.11), 0.05).moving(flat), small],
        [ball(at(0.11), 0.05).moving(half), ball([-x, 0.0], 0.05).moving(back)],
    ];
    if kind != Kind::Particles {
        let (shot, target) = (cube(at(0.105), 0.1).moving(flat), cube(still, 0.1).fixed());
        let diamond = Body { at: at(0.145), ..shot }.turned(ON_CORNER);
        let spinning = Body { at: at(0.13), ..shot }.spinning(20.0);
        pairs.extend([[shot, target], [diamond, target.turned(ON_CORNER)], [spinning, target]]);
    }
    pairs
}

/// What does not touch is not deflected.
pub(crate) fn miss(method: TestedResponse) -> Found {
    let part = if method.response == "penalty" { 0.02 } else { 1e-9 };
    for (speed, dt) in [(5.0, 1.0 / 60.0), (8.0, 0.01), (20.0, 1.0 / 30.0), (100.0, 0.01)] {
        for shift in [0.0, 0.3, 0.55, 0.8] {
            for pair in passes(method.kind, -1.0 - shift * speed * dt, speed) {
                let duration = 3.0 / speed + 0.05;
                let setting = Setting { gravity: WEIGHTLESS, dt, duration, ..Setting::default() };
                let [vx, vy] = run(method, &setting, &pair)?.last_velocity(0);
                let change = (vx - pair[0].velocity[0]).abs().max(vy.abs());
                hold(change < part * speed, || format!("{:?} changes by {change:.1e} m/s", pair[0]))?;
            }
        }
    }
    Ok(())
}

/// Head on at up to 500 m/s each, with masses to a million: the velocities after are Newton's.
pub(crate) fn head_on(method: TestedResponse) -> Found {
    for speed in [1.0, 500.0] {
        for (restitution, mass) in [(0.0, 1.0), (0.3, 1e3), (1.0, 1.0), (1.0, 1e6)] {
            for dt in [1.0 / 240.0, 1.0 / 30.0] {
                let first = ball([-1.0, 0.0], 0.1).moving([speed, 0.0]);
                let second = block(method.kind, [1.0, 0.0], 0.1).moving([-speed, 0.0]).weighing(mass);
                let duration = 2.0 / speed + 3.0 * dt;
                let setting =
                    Setting { restitution, gravity: WEIGHTLESS, dt, duration, ..Setting::default() };
                let track = run(method, &setting, &[first, second])?;
                let mean = speed * (1.0 - mass) / (1.0 + mass);
                let parting = 2.0 * speed * restitution / (1.0 + mass);
                let wanted = [mean - parting * mass, mean + parting];
                for (body, wanted) in wanted.into_iter().enumerate() {
                    let [vx, vy] = track.last_velocity(body);
                    let off = (vx - wanted).abs().max(vy.abs()) / speed;
                    hold(off < 1e-6, || format!("{vx} m/s, not {wanted}, with {setting:?}, mass {mass}"))?;
                }
            }
        }
    }
    Ok(())
}
