//! Motions that are prescribed: a body that follows one pushes others and is pushed by nothing.

use crate::orientation::exponential;
use carom_numerics::elementary;
use glam::{DQuat, DVec3};

/// Where a kinematic body starts and the path that it follows from there.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Where its centre of mass is at time 0.
    pub position: DVec3,
    /// How it is turned at time 0.
    pub orientation: DQuat,
    /// How it moves from there.
    pub path: Path,
}

/// How far a body went and turned: a translation, and a rotation vector in world axes about the
/// centre of mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Displacement {
    /// Way of the centre of mass.
    pub translation: DVec3,
    /// Axis times angle in radians.
    pub rotation: DVec3,
}

/// Displacement from the start as a function of time.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    /// At constant speed about a constant axis: velocity and angular velocity.
    Uniform(Displacement),
    /// To and fro: amplitude · (sin(rate t + phase) − sin phase).
    Oscillation {
        /// Amplitude of the centre and of the rotation vector.
        amplitude: Displacement,
        /// Angular frequency in radians a second.
        rate: f64,
        /// Phase at time 0 in radians.
        phase: f64,
    },
    /// Displacements at given times, joined by straight lines, at rest before the first and after
    /// the last.
    Keyframes(Vec<Keyframe>),
}

/// A displacement at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyframe {
    /// Seconds since the start; rising from key to key.
    pub time: f64,
    /// Displacement from the start.
    pub displacement: Displacement,
}

impl Script {
    /// Where the body is and how it is turned at a time.
    pub fn pose_at(&self, time: f64) -> (DVec3, DQuat) {
        let moved = self.path.displacement_at(time);
        (self.position + moved.translation, exponential(moved.rotation) * self.orientation)
    }

    /// Whether every number is finite and key frames rise in time.
    pub(crate) fn is_sound(&self) -> bool {
        let finite = |d: &Displacement| d.translation.is_finite() && d.rotation.is_finite();
        let path = match &self.path {
            Path::Uniform(rate) => finite(rate),
            Path::Oscillation { amplitude, rate, phase } => {
                finite(amplitude) && rate.is_finite() && phase.is_finite()
            }
            Path::Keyframes(keys) => {
                keys.iter().all(|key| key.time.is_finite() && finite(&key.displacement))
                    && keys.windows(2).all(|pair| pair[0].time < pair[1].time)
            }
        };
        path && self.position.is_finite()
            && self.orientation.is_finite()
            && (self.orientation.length() - 1.0).abs() < 1e-6
    }
}

impl Displacement {
    fn scaled(&self, s: f64) -> Self {
        Self { translation: s * self.translation, rotation: s * self.rotation }
    }

    fn towards(&self, other: &Self, s: f64) -> Self {
        Self {
            translation: self.translation + s * (other.translation - self.translation),
            rotation: self.rotation + s * (other.rotation - self.rotation),
        }
    }
}

impl Path {
    fn displacement_at(&self, time: f64) -> Displacement {
        match self {
            Path::Uniform(rate) => rate.scaled(time),
            Path::Oscillation { amplitude, rate, phase } => {
                amplitude.scaled(elementary::sin(rate * time + phase) - elementary::sin(*phase))
            }
            Path::Keyframes(keys) => between_keys(keys, time),
        }
    }
}

fn between_keys(keys: &[Keyframe], time: f64) -> Displacement {
    let after = keys.partition_point(|key| key.time <= time);
    match (after.checked_sub(1).map(|before| keys[before]), keys.get(after)) {
        (None, None) => Displacement::default(),
        (Some(last), None) => last.displacement,
        (None, Some(first)) => first.displacement,
        (Some(a), Some(b)) => a.displacement.towards(&b.displacement, (time - a.time) / (b.time - a.time)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_path_goes_where_it_should() {
        let rate = Displacement { translation: DVec3::new(2.0, 0.0, 1.0), rotation: DVec3::Z };
        let script = |path| Script { position: DVec3::ONE, orientation: DQuat::IDENTITY, path };
        let (position, turn) = script(Path::Uniform(rate)).pose_at(std::f64::consts::FRAC_PI_2);
        assert!((position - DVec3::ONE - std::f64::consts::FRAC_PI_2 * rate.translation).length() < 1e-15);
        assert!((turn * DVec3::X - DVec3::Y).length() < 1e-15);
        let swing = Path::Oscillation { amplitude: rate, rate: std::f64::consts::PI, phase: 0.0 };
        assert_eq!(script(swing.clone()).pose_at(0.5).0, DVec3::new(3.0, 1.0, 2.0));
        assert_eq!(script(swing).pose_at(0.0).0, DVec3::ONE);
        let key = |time, s: f64| Keyframe { time, displacement: rate.scaled(s) };
        let keys = Path::Keyframes(vec![key(1.0, 0.0), key(3.0, 4.0)]);
        for (time, s) in [(0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 4.0), (9.0, 4.0)] {
            assert_eq!(keys.displacement_at(time), rate.scaled(s), "at {time}");
        }
        assert_eq!(Path::Keyframes(Vec::new()).displacement_at(1.0), Displacement::default());
    }
}
