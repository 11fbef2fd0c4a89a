//! Typed handles: names of bodies that stay true while others come and go.

use carom_frames::Family;

/// Names of the bodies of a simulation, in their order. They only rise, so a name is found by
/// bisection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Names {
    live: Vec<u32>,
    next: u32,
}

impl Names {
    pub(crate) fn new(count: usize) -> Self {
        let next = count as u32;
        Self { live: (0..next).collect(), next }
    }

    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }

    pub(crate) fn add(&mut self) -> u32 {
        let name = self.next;
        self.live.push(name);
        self.next += 1;
        name
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.live.remove(index);
    }

    pub(crate) fn index(&self, name: u32) -> Option<usize> {
        self.live.binary_search(&name).ok()
    }

    pub(crate) fn name(&self, index: usize) -> Option<u32> {
        self.live.get(index).copied()
    }
}

/// A handle of something that moves.
///
/// It stays true while other bodies come and go. In another simulation, or for a body that is gone,
/// it names nothing, and what is asked of it is `None`.
pub trait Handle: Copy + sealed::Sealed {
    /// The kind of system that has such bodies.
    const FAMILY: Family;
    /// A point, a velocity or a force: two or three numbers.
    type Vector: Copy + std::fmt::Debug;

    #[doc(hidden)]
    fn of(name: u32) -> Self;
    #[doc(hidden)]
    fn name(self) -> u32;
    #[doc(hidden)]
    fn vector(numbers: &[f64]) -> Self::Vector;
    #[doc(hidden)]
    fn spatial(vector: Self::Vector) -> [f64; 3];
}

/// A handle of something that turns.
pub trait Turning: Handle {
    /// How it is turned: an angle in 2D; the unit quaternion w x y z in 3D.
    type Orientation: Copy + std::fmt::Debug;
    /// An angular velocity or a torque: one number in 2D, counter-clockwise; three in 3D.
    type Spin: Copy + std::fmt::Debug;

    #[doc(hidden)]
    fn orientation(numbers: &[f64]) -> Self::Orientation;
    #[doc(hidden)]
    fn spin(numbers: &[f64]) -> Self::Spin;
    #[doc(hidden)]
    fn torque(spin: Self::Spin) -> [f64; 3];
}

mod sealed {
    /// Only the handles here.
    pub trait Sealed {}
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $family:ident, $width:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl sealed::Sealed for $name {}

        impl Handle for $name {
            const FAMILY: Family = Family::$family;
            type Vector = [f64; $width];

            fn of(name: u32) -> Self {
                Self(name)
            }

            fn name(self) -> u32 {
                self.0
            }

            fn vector(numbers: &[f64]) -> [f64; $width] {
                std::array::from_fn(|k| numbers[k])
            }

            fn spatial(vector: [f64; $width]) -> [f64; 3] {
                let mut all = [0.0; 3];
                all[..$width].copy_from_slice(&vector);
                all
            }
        }
    };
}

handle!(
    /// A particle.
    ParticleHandle, Particles, 2
);
handle!(
    /// A planar rigid body.
    BodyHandle, RigidBodies, 2
);
handle!(
    /// A spatial rigid body.
    SpatialHandle, SpatialBodies, 3
);

impl Turning for BodyHandle {
    type Orientation = f64;
    type Spin = f64;

    fn orientation(numbers: &[f64]) -> f64 {
        numbers[2]
    }

    fn spin(numbers: &[f64]) -> f64 {
        numbers[2]
    }

    fn torque(spin: f64) -> [f64; 3] {
        [0.0, 0.0, spin]
    }
}

impl Turning for SpatialHandle {
    type Orientation = [f64; 4];
    type Spin = [f64; 3];

    fn orientation(numbers: &[f64]) -> [f64; 4] {
        std::array::from_fn(|k| numbers[3 + k])
    }

    fn spin(numbers: &[f64]) -> [f64; 3] {
        std::array::from_fn(|k| numbers[3 + k])
    }

    fn torque(spin: [f64; 3]) -> [f64; 3] {
        spin
    }
}

/// An edge between two particles: its number in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeHandle(pub usize);

/// A half-plane: its number in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfPlaneHandle(pub usize);

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_stay_true_while_others_come_and_go() {
        let mut names = Names::new(3);
        names.remove(1);
        assert_eq!(names.add(), 3);
        assert_eq!([0, 1, 2, 3].map(|name| names.index(name)), [Some(0), None, Some(1), Some(2)]);
        assert_eq!((names.len(), names.name(1), names.name(9)), (3, Some(2), None));
    }
}
