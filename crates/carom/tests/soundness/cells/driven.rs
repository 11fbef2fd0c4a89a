//! Bodies that move whatever they meet.

use super::{Found, hold};
use crate::scenes::{GRAVITY, Kind, Setting, TestedResponse, ball, bar, slab, wall};
use crate::track::run;

/// A box laid on a belt is taken along at mu g, and then moves with it; it never hops.
pub(crate) fn conveyor(method: TestedResponse) -> Found {
    for (restitution, dt) in [(0.0, 1.0 / 60.0), (0.5, 1.0 / 60.0), (0.5, 1.0 / 240.0), (1.0, 1.0 / 30.0)] {
        let body = slab([0.0, 0.2], [0.4, 0.2]);
        let belt = bar([0.0, -0.1], [40.0, 0.1]).driven([2.0, 0.0]);
        let setting = Setting { restitution, dt, friction: 0.3, duration: 3.0, ..Setting::default() };
        let track = run(method, &setting, &[body, belt])?;
        let half = (0.5 / dt) as usize;
        let [early, _] = track.velocities(0).nth(half).expect("three seconds");
        let wanted = 0.3 * GRAVITY * half as f64 * dt;
        hold((early / wanted - 1.0).abs() < 5e-3, || format!("has {early:.4}, not {wanted:.4} m/s"))?;
        let [late, _] = track.last_velocity(0);
        hold((late - 2.0).abs() < 1e-6, || format!("ends with {late} m/s on a belt of 2 m/s"))?;
        let hop = track.heights(0).iter().fold(0.0, |hop: f64, height| hop.max((height - 0.2).abs()));
        hold(hop < 1e-4, || format!("hops by {hop:.1e} m with {setting:?}"))?;
    }
    Ok(())
}

/// A wall of speed V meets a ball of speed −u: it leaves with V + e (V + u).
pub(crate) fn moving_wall(method: TestedResponse) -> Found {
    for restitution in [0.0, 0.5, 1.0] {
        for (speed, dt) in [(1.0, 1.0 / 60.0), (50.0, 1.0 / 60.0), (50.0, 1.0 / 240.0)] {
            let thrown = ball([0.0, 0.0], 0.1).moving([-2.0, 0.0]);
            // Half-spaces of space stand still: a box for every kind that has one.
            let bat = match method.kind {
                Kind::Particles => wall(-1.0, 1.0),
                _ => slab([-1.0, 0.0], [0.1, 1.0]),
            };
            let setting = Setting { restitution, dt, gravity: [0.0; 2], duration: 1.0, ..Setting::default() };
            let [found, _] = run(method, &setting, &[thrown, bat.driven([speed, 0.0])])?.last_velocity(0);
            let wanted = speed + restitution * (speed + 2.0);
            hold((found - wanted).abs() < 1e-6 * wanted, || format!("leaves at {found}, not {wanted} m/s"))?;
        }
    }
    Ok(())
}
