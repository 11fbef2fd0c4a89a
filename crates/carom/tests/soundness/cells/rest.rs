//! What is laid down stays, whatever the coefficient of restitution: rest is not an impact.

use super::{Found, hold};
use crate::scenes::{Body, GRAVITY, Kind, Setting, TestedResponse, ball, block, floor, grounds};
use crate::track::run;

/// Something laid on the floor moves by less than a part of its size.
fn stays(method: TestedResponse, body: Body, setting: &Setting, part: f64) -> Found {
    for ground in grounds(method.kind) {
        let moved = run(method, setting, &[body, ground])?.moved(&[body]);
        hold(moved < part * setting.length, || format!("{body:?} moved by {moved:.1e} m with {setting:?}"))?;
    }
    Ok(())
}

/// A ball for 20 s at any restitution, and a block for two minutes.
pub(crate) fn rest(method: TestedResponse) -> Found {
    let part = if method.response == "penalty" { 2e-3 } else { 1e-6 };
    for restitution in [0.0, 0.5, 1.0] {
        let setting = Setting { restitution, dt: 0.01, duration: 20.0, ..Setting::default() };
        stays(method, ball([0.0, 0.2], 0.2), &setting, part)?;
    }
    if method.is_a_warning() {
        return Ok(());
    }
    let minutes = Setting { restitution: 0.5, duration: 120.0, ..Setting::default() };
    stays(method, block(method.kind, [0.0, 0.2], 0.2), &minutes, part)
}

/// From a millimetre to a kilometre, at three lengths of a step; a ball and a box.
pub(crate) fn sizes(method: TestedResponse) -> Found {
    for length in [1e-3, 1.0, 1e3] {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0] {
            for body in [
                ball([0.0, 0.2 * length], 0.2 * length),
                block(method.kind, [0.0, 0.2 * length], 0.2 * length),
            ] {
                let setting = Setting { restitution: 0.5, dt, duration: 3.0, length, ..Setting::default() };
                stays(method, body, &setting, 1e-6)?;
            }
        }
    }
    Ok(())
}

/// Every integrator of a kind.
fn integrators_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Particles => &[
            "explicit-euler",
            "symplectic-euler",
            "linearized-implicit-euler",
            "implicit-euler",
            "velocity-verlet",
            "rk4",
            "dormand-prince",
        ],
        Kind::Planar => &["explicit-euler", "symplectic-euler", "velocity-verlet"],
        Kind::Spatial => {
            &["explicit-euler", "symplectic-euler", "midpoint", "rk4", "dormand-prince", "lie-midpoint"]
        }
    }
}

/// With every integrator a block rests, and a ball that falls from 1 m comes up to e².
pub(crate) fn integrators(method: TestedResponse) -> Found {
    for integrator in integrators_of(method.kind) {
        let setting = Setting { integrator, restitution: 0.5, duration: 5.0, ..Setting::default() };
        stays(method, block(method.kind, [0.0, 0.2], 0.2), &setting, 1e-6)?;
        let fallen = 2.0f64.sqrt() / GRAVITY.sqrt();
        let setting = Setting { duration: 2.2 * fallen, ..setting };
        let heights = run(method, &setting, &[ball([0.0, 1.2], 0.2), floor()])?.heights(0);
        let bounced = (fallen / setting.dt) as usize + 2;
        let top = heights[bounced..].iter().fold(0.0, |top: f64, height| top.max(height - 0.2));
        // A first-order start takes or adds g t dt / 2 of the fall.
        let slack =
            0.01 + GRAVITY * fallen * setting.dt * if integrator.contains("implicit") { 1.0 } else { 0.5 };
        hold((top - 0.25).abs() < slack, || format!("{integrator}: comes up to {top:.4}, not 0.25"))?;
    }
    Ok(())
}
