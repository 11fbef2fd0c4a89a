//! Drops from 1 m, with closed forms: the first rebound is e² of the height; then rest, or the
//! energy stays.

use super::{Found, hold};
use crate::scenes::{Body, GRAVITY, Kind, ON_CORNER, Setting, TestedResponse, ball, cube, floor, grounds};
use crate::track::{Track, median, run};

/// A drop by one length: where the first rebound is sought, and how well it can be known.
struct Drop {
    /// When the floor is met.
    fallen: f64,
    setting: Setting,
}

impl Drop {
    fn new(setting: Setting) -> Self {
        Self { fallen: (2.0 * setting.length / -setting.gravity[1]).sqrt(), setting }
    }

    /// The top of the first rebound in lengths.
    fn rebound(&self, heights: &[f64], lowest: f64) -> f64 {
        let Setting { restitution, dt, length, .. } = self.setting;
        let from = (self.fallen / dt) as usize + 2;
        let to = ((self.fallen * (1.0 + 2.2 * restitution) / dt) as usize + 5).max(from + 2);
        let seen = &heights[from..to.min(heights.len())];
        seen.iter().fold(f64::NEG_INFINITY, |top: f64, &height| top.max(height - lowest)) / length
    }

    /// What the sampled top of a parabola is short of, and what a first-order start is worth.
    fn slack(&self) -> f64 {
        let Setting { restitution, dt, length, gravity, .. } = self.setting;
        let start = if restitution > 0.0 { 0.5 * self.fallen * dt } else { 0.0 };
        0.01 - gravity[1] * (dt * dt + start) / length
    }

    /// Runs it, and looks at the first rebound and at what is below the floor.
    fn check(&self, method: TestedResponse, body: Body, ground: Body) -> Result<Track, String> {
        let Setting { restitution, length, dt, .. } = self.setting;
        let (track, lowest) = (run(method, &self.setting, &[body, ground])?, body.at[1] - length);
        let heights = track.heights(0);
        let (top, wanted) = (self.rebound(&heights, lowest), restitution * restitution);
        let deepest = heights.iter().fold(0.0, |deepest: f64, height| deepest.max(lowest - height)) / length;
        hold((top - wanted).abs() < self.slack(), || {
            format!("dt {dt:.4}: comes up to {top:.4}, not {wanted:.2}")
        })?;
        hold(deepest < 0.002, || format!("dt {dt:.4}: is {deepest:.1e} deep in the floor"))?;
        Ok(track)
    }
}

/// A ball and a box that lands flat.
pub(crate) fn drop(method: TestedResponse, restitution: f64) -> Found {
    for dt in [0.01, 1.0 / 60.0, 1.0 / 30.0] {
        let drop = Drop::new(Setting { restitution, dt, duration: 20.0, ..Setting::default() });
        for ground in grounds(method.kind) {
            let track = drop.check(method, ball([0.0, 1.2], 0.2), ground)?;
            lasts(&drop, &track, 0.2)?;
            if method.kind != Kind::Particles && method.response != "penalty" {
                let track = drop.check(method, cube([0.0, 1.2], 0.4), ground)?;
                lasts(&drop, &track, 0.2)?;
            }
        }
    }
    Ok(())
}

/// An elastic body has its energy after 20 s; any other one lies on the floor.
fn lasts(drop: &Drop, track: &Track, lowest: f64) -> Found {
    let heights = track.heights(0);
    if drop.setting.restitution < 1.0 {
        let late = &heights[heights.len() * 3 / 4..];
        let off = late.iter().fold(0.0, |off: f64, height| off.max((height - lowest).abs()));
        return hold(off < 1e-4, || format!("dt {:.4}: {off:.1e} m off the floor in the end", track.dt));
    }
    let speeds = track.velocities(0).map(|[_, speed]| speed);
    let energy: Vec<f64> =
        heights.iter().zip(speeds).map(|(height, v)| 0.5 * v * v + GRAVITY * (height - lowest)).collect();
    let bounce = (2.0 * drop.fallen / track.dt) as usize;
    let part = median(&energy[energy.len() - bounce..]) / median(&energy[..bounce]);
    hold((part - 1.0).abs() < 0.01, || format!("dt {:.4}: energy goes to {part:.4}", track.dt))
}

/// A box that lands on a corner under its centre.
pub(crate) fn on_a_corner(method: TestedResponse) -> Found {
    for restitution in [0.5, 1.0] {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0] {
            // The corner of a planar outline is round: it reaches less far.
            let reach =
                if method.kind == Kind::Planar { 0.192 * 2.0f64.sqrt() + 0.008 } else { 0.2 * 2.0f64.sqrt() };
            let drop = Drop::new(Setting { restitution, dt, duration: 1.3, ..Setting::default() });
            for ground in grounds(method.kind) {
                drop.check(method, cube([0.0, 1.0 + reach], 0.4).turned(ON_CORNER), ground)?;
            }
        }
    }
    Ok(())
}

/// A millimetre and a kilometre: with gravity in proportion, and that of the earth in its own time.
pub(crate) fn scaled(method: TestedResponse) -> Found {
    for length in [1e-3, 1e3] {
        for restitution in [0.0, 0.5, 1.0] {
            let alike = Setting {
                restitution,
                length,
                gravity: [0.0, -GRAVITY * length],
                duration: 1.3,
                ..Setting::default()
            };
            let time = length.sqrt();
            let earth = Setting { gravity: [0.0, -GRAVITY], dt: time / 60.0, duration: 1.3 * time, ..alike };
            for setting in [alike, earth] {
                Drop::new(setting).check(method, ball([0.0, 1.2 * length], 0.2 * length), floor())?;
            }
        }
    }
    Ok(())
}
