//! Coulomb's friction in closed forms.

use super::{Found, hold};
use crate::scenes::{GRAVITY, Kind, Setting, TestedResponse, ball, cube, floor, grounds};
use crate::track::run;

/// Moment of inertia of a ball, in masses times the square of its radius.
fn inertia(kind: Kind) -> f64 {
    if kind == Kind::Spatial { 0.4 } else { 0.5 }
}

/// Gravity on a slope that rises by 1 in `run`, seen along it.
fn slope(run: f64) -> [f64; 2] {
    let length = (1.0 + run * run).sqrt();
    [GRAVITY / length, -GRAVITY * run / length]
}

/// A ball thrown flat ends rolling at 1/(1 + inertia) of its speed; on a slope it rolls or slips at
/// its rate.
pub(crate) fn roll(method: TestedResponse) -> Found {
    let share = 1.0 / (1.0 + inertia(method.kind));
    for restitution in [0.0, 0.5, 1.0] {
        let laid = ball([0.0, 0.2], 0.2);
        let thrown = laid.moving([2.0, 0.0]);
        let setting = Setting { restitution, friction: 0.3, duration: 3.0, ..Setting::default() };
        let wanted = 2.0 * share;
        for ground in grounds(method.kind) {
            let [found, _] = run(method, &setting, &[thrown, ground])?.last_velocity(0);
            hold((found / wanted - 1.0).abs() < 2e-3, || {
                format!("rolls at {found:.4}, not {wanted:.4} m/s")
            })?;
        }
        let gravity = slope(3.0);
        for friction in [0.5, 0.05] {
            let rolls = gravity[0] * share;
            let slips = gravity[0] + friction * gravity[1];
            let setting = Setting { restitution, friction, gravity, duration: 2.0, ..Setting::default() };
            let [found, _] = run(method, &setting, &[laid, floor()])?.last_velocity(0);
            let wanted = 2.0 * rolls.max(slips);
            hold((found / wanted - 1.0).abs() < 2e-3, || format!("slope: {found:.4}, not {wanted:.4} m/s"))?;
        }
    }
    Ok(())
}

/// A box on a slope of 1 in 2 holds with mu 0.55 and slides with mu 0.45 at the right rate.
pub(crate) fn ramp(method: TestedResponse) -> Found {
    let (body, gravity) = (cube([0.0, 0.25], 0.5), slope(2.0));
    for (restitution, dt) in [(0.0, 1.0 / 60.0), (0.5, 1.0 / 60.0), (0.0, 1.0 / 240.0), (0.0, 1.0 / 30.0)] {
        let setting =
            Setting { restitution, dt, gravity, friction: 0.55, duration: 2.0, ..Setting::default() };
        for ground in grounds(method.kind) {
            let moved = run(method, &setting, &[body, ground])?.moved(&[body]);
            hold(moved < 1e-6, || format!("slips by {moved:.1e} m with {setting:?}"))?;
            let setting = Setting { friction: 0.45, ..setting };
            let found = run(method, &setting, &[body, ground])?.last_velocity(0)[0] / setting.duration;
            let wanted = gravity[0] + 0.45 * gravity[1];
            hold((found / wanted - 1.0).abs() < 1e-3, || {
                format!("slides at {found:.4}, not {wanted:.4} m/s²")
            })?;
        }
    }
    Ok(())
}
