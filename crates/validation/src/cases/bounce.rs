//! Bounces under gravity.

use super::{Case, all};
use crate::scenes::{GRAVITY, Setting, ball, bar, floor};
use crate::sheet::{Sheet, run};
use crate::track::median;

pub(super) const CASES: &[Case] = &[
    Case::new("rebound", "A ball falls by 1 m: the first rebound is e² of it.", rebound),
    Case::new(
        "bounce-series",
        "The bounces of a ball with e = 0.5 are a geometric series: it is over after (1+e)/(1−e) times the fall.",
        bounce_series,
    ),
    Case::new("elastic-ball", "An elastic ball has its energy after 20 s of bounces.", elastic_ball),
    Case::new(
        "at-rest",
        "A ball laid on the floor stays there, whatever e says: rest is no impact.",
        at_rest,
    ),
    Case::new("no-tunnel", "A ball shot at a 2 cm bar with up to 1000 m/s does not come through.", no_tunnel),
    Case::new(
        "no-ghosts",
        "What does not touch is not deflected: two balls pass with 1 cm to spare.",
        no_ghosts,
    ),
];

fn fallen() -> f64 {
    (2.0 / GRAVITY).sqrt()
}

fn rebound(sheet: &mut Sheet) {
    let dt = 1e-3;
    for method in all() {
        for e in [0.5, 0.8] {
            if method.response == "elastic" {
                continue;
            }
            let setting = Setting { restitution: e, dt, duration: 1.3, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &[ball([0.0, 1.2], 0.2), floor()]) else {
                continue;
            };
            let heights = track.heights(0);
            let from = (fallen() / dt) as usize + 2;
            let to = ((fallen() * (1.0 + 2.0 * e)) / dt) as usize;
            let seen = &heights[from.min(heights.len())..to.clamp(from, heights.len())];
            let top = seen.iter().fold(f64::NEG_INFINITY, |top: f64, height| top.max(height - 0.2));
            // The first step of a first-order method is worth g t dt.
            sheet.check(method, &format!("e = {e}: rebound (m)"), [e * e, top], GRAVITY * fallen() * dt);
        }
    }
}

fn bounce_series(sheet: &mut Sheet) {
    let (e, dt) = (0.5, 1e-3);
    let right = fallen() * (1.0 + e) / (1.0 - e);
    for method in all().filter(|method| method.response != "elastic") {
        let setting = Setting { restitution: e, dt, duration: 3.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &[ball([0.0, 1.2], 0.2), floor()]) else { continue };
        let above = track.heights(0).iter().rposition(|height| height - 0.2 > 1e-6).unwrap_or(0);
        // A bounce of 1e-6 m lasts a thousandth of a second.
        sheet.check(method, "end of the bounces (s)", [right, above as f64 * dt], 0.01);
        let late = track.heights(0).last().copied().unwrap_or(f64::NAN);
        sheet.check(method, "height in the end (m)", [0.2, late], 1e-6);
    }
}

fn elastic_ball(sheet: &mut Sheet) {
    for method in all() {
        let setting = Setting { restitution: 1.0, duration: 20.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &[ball([0.0, 1.2], 0.2), floor()]) else { continue };
        let speeds = track.velocities(0).map(|[_, speed]| speed);
        let energy: Vec<f64> = track
            .heights(0)
            .iter()
            .zip(speeds)
            .map(|(height, v)| 0.5 * v * v + GRAVITY * (height - 0.2))
            .collect();
        let bounce = ((2.0 * fallen() / track.dt) as usize).min(energy.len());
        let part = median(&energy[energy.len() - bounce..]) / median(&energy[..bounce]);
        sheet.check(method, "energy in the end, of that at the start", [1.0, part], 0.01);
    }
}

fn at_rest(sheet: &mut Sheet) {
    for method in all() {
        for e in [0.0, 0.5, 1.0] {
            let bodies = [ball([0.0, 0.2], 0.2), floor()];
            let setting = Setting { restitution: e, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
            sheet.check(method, &format!("e = {e}: way in 10 s (m)"), [0.0, track.moved(&bodies[..1])], 1e-6);
        }
    }
}

fn no_tunnel(sheet: &mut Sheet) {
    for method in all() {
        for speed in [30.0, 1000.0] {
            let setting = Setting {
                restitution: 0.5,
                gravity: [0.0; 2],
                dt: 0.01,
                duration: 0.3,
                ..Setting::default()
            };
            let bodies = [ball([0.4, 1.03], 0.05).moving([0.0, -speed]), bar([0.0, 0.0], [3.0, 0.01])];
            let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
            let lowest = track.heights(0).iter().fold(f64::INFINITY, |low: f64, &height| low.min(height));
            // 0 if it stays on its side.
            let through = (0.06 - lowest).max(0.0);
            sheet.check(method, &format!("{speed} m/s: depth in the bar (m)"), [0.0, through], 1e-3);
        }
    }
}

fn no_ghosts(sheet: &mut Sheet) {
    for method in all() {
        for speed in [5.0, 100.0] {
            let bodies = [
                ball([-1.3 * speed * 0.01 - 1.0, 0.11], 0.05).moving([speed / 2.0, 0.0]),
                ball([1.0, 0.0], 0.05).moving([-speed / 2.0, 0.0]),
            ];
            let setting =
                Setting { gravity: [0.0; 2], dt: 0.01, duration: 3.0 / speed + 0.1, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
            let [along, across] = track.last_velocity(0);
            let off = (along - speed / 2.0).abs() + across.abs();
            sheet.check(method, &format!("{speed} m/s: change of velocity (m/s)"), [0.0, off], 1e-9 * speed);
        }
    }
}
