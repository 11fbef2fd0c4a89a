//! Many impacts at once, or one after the other.

use super::{Case, all, reflections};
use crate::scenes::{Body, Setting, TestedResponse, ball, wall};
use crate::sheet::{Sheet, run};
use crate::track::Track;

pub(super) const CASES: &[Case] = &[
    Case::new(
        "cradle-apart",
        "Newton's cradle with gaps: one comes, one leaves, the others stay. Every elastic response.",
        cradle_apart,
    ),
    Case::new(
        "cradle-touching",
        "Newton's cradle with balls that touch: Generalized Reflection (Smith et al. 2012) lets one leave.",
        cradle_touching,
    ),
    Case::new(
        "bernoulli",
        "Bernoulli's problem: a ball meets two that touch. Symmetry, momentum and energy give −1/5 and 2√3/5 of its speed.",
        bernoulli,
    ),
    Case::new(
        "galperin",
        "Galperin's billiard: masses 1 to 100ⁿ before a wall collide 3, 31, 314 times; the end speed tells the count.",
        galperin,
    ),
    Case::new("rack", "The break of fifteen balls: energy and mirror symmetry.", rack),
    Case::new(
        "rack-1035",
        "The break of 1,035 balls that all touch, 45 rows: energy, momentum and mirror symmetry.",
        large_rack,
    ),
    Case::new(
        "gas-energy",
        "Twelve elastic balls in a box, 20 s: energy stays and nobody leaves.",
        gas_energy,
    ),
];

fn elastic(duration: f64, dt: f64) -> Setting {
    Setting { restitution: 1.0, gravity: [0.0; 2], duration, dt, ..Setting::default() }
}

fn cradle(sheet: &mut Sheet, method: TestedResponse, gap: f64) -> Option<Track> {
    let mut bodies: Vec<Body> = (0..5).map(|k| ball([(0.4 + gap) * f64::from(k), 0.0], 0.2)).collect();
    bodies[0] = ball([-0.5, 0.0], 0.2).moving([1.0, 0.0]);
    run(sheet, method, &elastic(1.0, 1.0 / 120.0), &bodies)
}

fn check_cradle(sheet: &mut Sheet, method: TestedResponse, track: &Track) {
    let others = (0..4).map(|k| track.last_velocity(k)[0].abs()).fold(0.0, f64::max);
    sheet.check(method, "speed of the last (m/s)", [1.0, track.last_velocity(4)[0]], 1e-9);
    sheet.check(method, "fastest of the others (m/s)", [0.0, others], 1e-9);
}

fn cradle_apart(sheet: &mut Sheet) {
    for method in all() {
        if let Some(track) = cradle(sheet, method, 0.01) {
            check_cradle(sheet, method, &track);
        }
    }
}

fn cradle_touching(sheet: &mut Sheet) {
    for method in reflections() {
        if let Some(track) = cradle(sheet, method, 0.0) {
            check_cradle(sheet, method, &track);
        }
    }
}

fn bernoulli(sheet: &mut Sheet) {
    let root = 3.0f64.sqrt();
    for method in reflections() {
        let bodies = [
            ball([-1.0, 0.0], 0.2).moving([1.0, 0.0]),
            ball([0.2 * root, 0.2], 0.2),
            ball([0.2 * root, -0.2], 0.2),
        ];
        let Some(track) = run(sheet, method, &elastic(2.0, 0.01), &bodies) else { continue };
        let (cue, other) = (track.last_velocity(0), track.last_velocity(1));
        let speed = (other[0] * other[0] + other[1] * other[1]).sqrt();
        sheet.check(method, "speed of the first (m/s)", [-0.2, cue[0]], 1e-9);
        sheet.check(method, "speed of the others (m/s)", [0.4 * root, speed], 1e-9);
        sheet.check(method, "speed of the first across (m/s)", [0.0, cue[1]], 1e-12);
    }
}

fn galperin(sheet: &mut Sheet) {
    for method in all() {
        for (mass, count) in [(1.0, 3u32), (100.0, 31), (10_000.0, 314)] {
            let bodies = [
                ball([1.0, 0.5], 0.1),
                ball([1.6, 0.5], 0.1).weighing(mass).moving([-1.0, 0.0]),
                wall(0.0, 1.0),
            ];
            let Some(track) = run(sheet, method, &elastic(6.0, 1e-3), &bodies) else { continue };
            // In the plane of √m v each pair of collisions turns by twice the angle of the masses.
            let angle = carom_numerics::elementary::atan2(1.0, f64::sqrt(mass));
            let turns = f64::from(if count % 2 == 1 { count.div_ceil(2) } else { count / 2 });
            let right = carom_numerics::elementary::cos(2.0 * angle * turns).abs();
            let heavy = track.last_velocity(1)[0];
            sheet.check(method, &format!("{count} collisions: end speed (m/s)"), [right, heavy], 1e-3);
            let kinetic = track.kinetic();
            let part = kinetic[kinetic.len() - 1] / kinetic[0];
            sheet.check(method, &format!("{count} collisions: energy kept"), [1.0, part], 1e-6);
        }
    }
}

/// Rows of one to `rows` balls that touch, and a ball that comes along the axis of symmetry.
fn racked(rows: u32) -> Vec<Body> {
    let mut bodies = vec![ball([-1.0, 0.0], 0.1).moving([3.0, 0.0])];
    let across = 0.1 * 3.0f64.sqrt();
    for row in 0..rows {
        for k in 0..=row {
            bodies.push(ball([across * f64::from(row), 0.1 * (2.0 * f64::from(k) - f64::from(row))], 0.1));
        }
    }
    bodies
}

fn rack(sheet: &mut Sheet) {
    for method in reflections() {
        let bodies = racked(5);
        let Some(track) = run(sheet, method, &elastic(1.0, 1.0 / 240.0), &bodies) else { continue };
        let kinetic = track.kinetic();
        let part = kinetic[kinetic.len() - 1] / kinetic[0];
        sheet.check(method, "energy kept", [1.0, part], 1e-12);
        sheet.check(method, "speed of the first across (m/s)", [0.0, track.last_velocity(0)[1]], 1e-12);
        let (left, right) = (track.last_velocity(11), track.last_velocity(15));
        sheet.check(method, "mirrored corners: sum of speeds across (m/s)", [0.0, left[1] + right[1]], 1e-12);
    }
}

fn large_rack(sheet: &mut Sheet) {
    for method in reflections() {
        let mut bodies = racked(45);
        bodies[0].at[0] = -0.25;
        let Some(track) = run(sheet, method, &elastic(0.05, 1.0 / 240.0), &bodies) else { continue };
        let kinetic = track.kinetic();
        let part = kinetic[kinetic.len() - 1] / kinetic[0];
        sheet.check(method, "energy kept", [1.0, part], 1e-9);
        let momentum = track.frames.last().map_or([f64::NAN; 2], |frame| track.momentum(frame));
        sheet.check(method, "momentum (kg m/s)", [3.0, momentum[0]], 1e-9);
        let (left, right) = (track.last_velocity(991), track.last_velocity(1035));
        sheet.check(method, "mirrored corners: sum of speeds across (m/s)", [0.0, left[1] + right[1]], 1e-9);
        let fast = f64::from(u8::from(left[0] > 0.1));
        sheet.check(method, "the shock reaches the corners", [1.0, fast], 0.0);
    }
}

fn gas_energy(sheet: &mut Sheet) {
    for method in all() {
        let mut bodies: Vec<Body> = (0..12)
            .map(|k| {
                let (column, row) = (f64::from(k % 4), f64::from(k / 4));
                let velocity = [1.7 - 0.31 * f64::from(k), 0.37 * f64::from(k % 5) - 0.9];
                ball([-1.2 + 0.8 * column, -0.7 + 0.7 * row], 0.2).moving(velocity)
            })
            .collect();
        let low = Body { at: [0.0, -1.2], ..crate::scenes::floor() };
        let high = Body { at: [0.0, 1.2], shape: crate::scenes::Shape::Wall([0.0, -1.0]), ..low };
        bodies.extend([wall(-2.0, 1.0), wall(2.0, -1.0), low, high]);
        let Some(track) = run(sheet, method, &elastic(20.0, 1.0 / 60.0), &bodies) else { continue };
        let kinetic = track.kinetic();
        let part = kinetic[kinetic.len() - 1] / kinetic[0];
        sheet.check(method, "energy kept", [1.0, part], 1e-3);
        let outside =
            (0..12).filter(|&k| track.places(k).any(|[x, y]| x.abs() > 2.0 || y.abs() > 1.2)).count();
        sheet.check(method, "balls that left", [0.0, outside as f64], 0.0);
    }
}
