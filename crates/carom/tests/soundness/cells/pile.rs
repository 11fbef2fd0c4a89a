//! Stacks and crowds.

use super::{Found, hold};
use crate::scenes::{Body, Kind, Setting, TestedResponse, ball, block, cube, floor, wall};
use crate::track::run;

/// Particles of a column are frictionless balls.
fn friction(kind: Kind) -> f64 {
    if kind == Kind::Particles { 0.0 } else { 0.5 }
}

fn stands(method: TestedResponse, setting: Setting, masses: &[f64]) -> Found {
    let setting = Setting { friction: friction(method.kind), ..setting };
    let half = 0.25 * setting.length;
    let mut bodies: Vec<Body> = Vec::new();
    for (place, &mass) in masses.iter().enumerate() {
        let height = (2 * place + 1) as f64 * half;
        bodies.push(block(method.kind, [0.0, height], half).weighing(mass));
    }
    bodies.push(floor());
    let moved = run(method, &setting, &bodies)?.moved(&bodies[..masses.len()]);
    hold(moved < 1e-4 * setting.length, || format!("moved by {moved:.1e} m with {setting:?}"))
}

/// Five for 10 s, at three lengths of a step and three sizes.
pub(crate) fn stack(method: TestedResponse) -> Found {
    let five = [1.0; 5];
    for restitution in [0.0, 0.3] {
        let usual = Setting { restitution, ..Setting::default() };
        stands(method, usual, &five)?;
        if method.is_a_warning() {
            continue;
        }
        for dt in [1.0 / 240.0, 1.0 / 30.0] {
            stands(method, Setting { dt, duration: 2.0, ..usual }, &five)?;
        }
        for length in [1e-3, 1e3] {
            stands(method, Setting { length, duration: 2.0, ..usual }, &five)?;
        }
    }
    Ok(())
}

/// A thousand times and a million times its own weight on a block.
pub(crate) fn heavy(method: TestedResponse) -> Found {
    stands(method, Setting::default(), &[1.0, 1.0, 1e3])?;
    stands(method, Setting { duration: 5.0, ..Setting::default() }, &[1.0, 1.0, 1e6])
}

/// Fifteen bodies are poured into a bin: energy is never gained, and nothing overlaps by 1 % of a
/// diameter.
pub(crate) fn crowd(method: TestedResponse) -> Found {
    let mut bodies = Vec::new();
    for place in 0..15 {
        let (row, column) = (place / 5, place % 5);
        let at = [-0.9 + 0.45 * f64::from(column) + 0.05 * f64::from(row % 2), 0.4 + 0.5 * f64::from(row)];
        let round = place % 2 == 1 || method.kind == Kind::Particles;
        bodies.push(if round { ball(at, 0.2) } else { cube(at, 0.36) });
    }
    bodies.extend([floor(), wall(-1.3, 1.0), wall(1.3, -1.0)]);
    let friction = friction(method.kind);
    let setting = Setting { restitution: 0.3, friction, duration: 3.0, ..Setting::default() };
    let track = run(method, &setting, &bodies)?;
    let energy = track.energy();
    let least = energy.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut lowest, mut rise): (f64, f64) = (f64::INFINITY, 0.0);
    for energy in &energy {
        lowest = lowest.min(*energy);
        rise = rise.max(energy - lowest);
    }
    let (part, overlap) = (rise / (energy[0] - least), track.deepest_overlap() / 0.4);
    hold(part < 0.01, || format!("energy rises by {part:.1e} of the start"))?;
    hold(overlap < 0.01, || format!("overlap of {overlap:.1e} of a diameter"))
}
