//! Motions that are prescribed: a body that follows one pushes others and is pushed by nothing.

use carom_numerics::elementary;
use glam::DVec2;

/// Where a kinematic body starts and the path that it follows from there.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Where it is at time 0.
    pub start: Pose,
    /// How it moves from there.
    pub path: Path,
}

/// A place and an angle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose {
    /// Centre of mass.
    pub position: DVec2,
    /// Angle in radians.
    pub angle: f64,
}

/// Displacement from the start as a function of time.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    /// At constant speed.
    Uniform {
        /// Velocity of the centre.
        velocity: DVec2,
        /// Angular velocity in radians a second.
        angular_velocity: f64,
    },
    /// To and fro: amplitude · (sin(rate t + phase) − sin phase).
    Oscillation {
        /// Amplitude of the centre and of the angle.
        amplitude: Pose,
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
    pub displacement: Pose,
}

impl Script {
    /// Where the body is at a time.
    pub fn pose_at(&self, time: f64) -> Pose {
        let moved = self.path.displacement_at(time);
        Pose { position: self.start.position + moved.position, angle: self.start.angle + moved.angle }
    }
}

impl Path {
    fn displacement_at(&self, time: f64) -> Pose {
        match self {
            Path::Uniform { velocity, angular_velocity } => {
                Pose { position: time * *velocity, angle: time * angular_velocity }
            }
            Path::Oscillation { amplitude, rate, phase } => {
                let swing = elementary::sin(rate * time + phase) - elementary::sin(*phase);
                Pose { position: swing * amplitude.position, angle: swing * amplitude.angle }
            }
            Path::Keyframes(keys) => between_keys(keys, time),
        }
    }
}

fn between_keys(keys: &[Keyframe], time: f64) -> Pose {
    let after = keys.partition_point(|key| key.time <= time);
    match (after.checked_sub(1).map(|before| keys[before]), keys.get(after)) {
        (None, None) => Pose::default(),
        (Some(last), None) => last.displacement,
        (None, Some(first)) => first.displacement,
        (Some(a), Some(b)) => {
            let s = (time - a.time) / (b.time - a.time);
            Pose {
                position: a.displacement.position + s * (b.displacement.position - a.displacement.position),
                angle: a.displacement.angle + s * (b.displacement.angle - a.displacement.angle),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_path_starts_at_the_start_and_goes_where_it_should() {
        let start = Pose { position: DVec2::new(1.0, 2.0), angle: 0.5 };
        let uniform = Path::Uniform { velocity: DVec2::new(2.0, 0.0), angular_velocity: -1.0 };
        let swing = Pose { position: DVec2::new(0.0, 3.0), angle: 0.0 };
        let oscillation = Path::Oscillation { amplitude: swing, rate: std::f64::consts::PI, phase: 0.0 };
        let script = |path: &Path| Script { start, path: path.clone() };
        for path in [&uniform, &oscillation] {
            assert_eq!(script(path).pose_at(0.0), start);
        }
        assert_eq!(script(&uniform).pose_at(2.0), Pose { position: DVec2::new(5.0, 2.0), angle: -1.5 });
        assert_eq!(script(&oscillation).pose_at(0.5).position, DVec2::new(1.0, 5.0));
    }

    #[test]
    fn keyframes_rest_outside_and_are_straight_between() {
        let key = |time, x| Keyframe { time, displacement: Pose { position: DVec2::new(x, 0.0), angle: x } };
        let path = Path::Keyframes(vec![key(1.0, 0.0), key(3.0, 4.0)]);
        for (time, x) in [(0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 4.0), (9.0, 4.0)] {
            assert_eq!(path.displacement_at(time).position.x, x, "at {time}");
        }
        assert_eq!(Path::Keyframes(Vec::new()).displacement_at(1.0), Pose::default());
    }
}
