//! What does not change from step to step: particles, shapes and forces.

use crate::force::Forces;
use crate::{Integrator, ParticleSettings, State};
use glam::DVec2;
use std::fmt;

/// A particle system without its motion. Plain data: fill the lists, then hand it to
/// [`crate::World::new`], which checks it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// In the order of their index.
    pub particles: Vec<Particle>,
    /// Thick segments between particles, in the order of their index.
    pub edges: Vec<Edge>,
    /// Obstacles that nothing pushes, in the order of their index.
    pub half_planes: Vec<HalfPlane>,
    /// What moves the particles.
    pub forces: Forces,
}

/// What is constant about a particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Mass in kilograms, positive. Gravity and gravitation use it for fixed particles too.
    pub mass: f64,
    /// Radius of its disc.
    pub radius: f64,
    /// A fixed particle feels no force: its velocity is constant, and its position advances by it.
    pub fixed: bool,
}

/// An edge between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub start: ParticleIndex,
    /// Where it ends.
    pub end: ParticleIndex,
    /// Half of its thickness.
    pub radius: f64,
}

/// All points x with (x − point) · normal ≤ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfPlane {
    /// A point of its boundary at time 0.
    pub point: DVec2,
    /// Outward direction, of any length but zero.
    pub normal: DVec2,
    /// Prescribed velocity in metres per second; zero for one at rest.
    pub velocity: DVec2,
}

impl HalfPlane {
    /// One at rest.
    pub fn at_rest(point: DVec2, normal: DVec2) -> Self {
        Self { point, normal, velocity: DVec2::ZERO }
    }

    /// The boundary point at a time in seconds.
    pub fn point_at(&self, time: f64) -> DVec2 {
        // a half-plane at rest keeps its bits
        if self.velocity == DVec2::ZERO { self.point } else { self.point + time * self.velocity }
    }
}

/// Position of a particle in [`Model::particles`] and in the lists of a [`State`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParticleIndex(pub usize);

/// Position of an edge in [`Model::edges`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeIndex(pub usize);

/// Position of a half-plane in [`Model::half_planes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfPlaneIndex(pub usize);

impl Model {
    /// Whether the course's program can run this model with this method: it has no Jacobian of the
    /// vortex force and stops. Carom has one and runs; a caller that reproduces the course refuses
    /// when this is `false`.
    pub fn course_supports(&self, integrator: Integrator) -> bool {
        !integrator.is_implicit() || self.forces.vortices.is_empty()
    }

    /// Checks that every index points at something, every number is finite and every mass positive.
    /// With [`ParticleSettings::course`] any mass and half-planes without direction pass, as they
    /// do in the course's program.
    pub fn check(&self, settings: &ParticleSettings) -> Result<(), ModelError> {
        for (index, particle) in self.particles.iter().enumerate() {
            let at = |quantity| ModelError::BadNumber { item: "particle", index, quantity };
            let mass_fits = settings.course || particle.mass > 0.0;
            if !particle.mass.is_finite() || !mass_fits {
                return Err(at("mass"));
            }
            if !particle.radius.is_finite() {
                return Err(at("radius"));
            }
        }
        for (index, edge) in self.edges.iter().enumerate() {
            self.check_pair("edge", index, edge.start, edge.end)?;
            if !edge.radius.is_finite() {
                return Err(ModelError::BadNumber { item: "edge", index, quantity: "radius" });
            }
        }
        for (index, half_plane) in self.half_planes.iter().enumerate() {
            let at = |quantity| ModelError::BadNumber { item: "half-plane", index, quantity };
            if !half_plane.point.is_finite() {
                return Err(at("point"));
            }
            if !half_plane.velocity.is_finite() {
                return Err(at("velocity"));
            }
            let has_direction = settings.course || half_plane.normal != DVec2::ZERO;
            if !half_plane.normal.is_finite() || !has_direction {
                return Err(at("normal"));
            }
        }
        self.forces.check(self)
    }

    /// Checks that both ends of `item` number `index` exist.
    pub(crate) fn check_pair(
        &self,
        item: &'static str,
        index: usize,
        first: ParticleIndex,
        second: ParticleIndex,
    ) -> Result<(), ModelError> {
        let count = self.particles.len();
        match [first, second].into_iter().find(|particle| particle.0 >= count) {
            Some(particle) => Err(ModelError::NoSuchParticle { item, index, particle, count }),
            None => Ok(()),
        }
    }

    /// Checks that `state` belongs to this model and is finite.
    pub(crate) fn check_state(&self, state: &State) -> Result<(), ModelError> {
        for (quantity, found) in
            [("positions", state.positions.len()), ("velocities", state.velocities.len())]
        {
            if found != self.particles.len() {
                return Err(ModelError::WrongLength { quantity, found, expected: self.particles.len() });
            }
        }
        match state.first_non_finite() {
            Some(index) => {
                Err(ModelError::BadNumber { item: "particle", index, quantity: "position or velocity" })
            }
            None => Ok(()),
        }
    }
}

/// Why a model, a state or settings were refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelError {
    /// An edge or force names a particle that does not exist.
    NoSuchParticle {
        /// What names it, for example "spring".
        item: &'static str,
        /// Which of them.
        index: usize,
        /// The particle that it names.
        particle: ParticleIndex,
        /// How many particles there are.
        count: usize,
    },
    /// A force between a particle and itself.
    SameParticle {
        /// What kind of force.
        item: &'static str,
        /// Which of them.
        index: usize,
    },
    /// A number that is not finite, or out of its range.
    BadNumber {
        /// What it belongs to.
        item: &'static str,
        /// Which of them.
        index: usize,
        /// Which number.
        quantity: &'static str,
    },
    /// A state for another number of particles.
    WrongLength {
        /// Which list.
        quantity: &'static str,
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// More pairs of particles joined by forces than an implicit method can number (about two
    /// thousand million).
    TooManyPairs,
    /// A setting out of its range.
    BadSetting {
        /// Which setting.
        setting: &'static str,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchParticle { item, index, particle, count } => {
                write!(f, "{item} {index} names particle {}, but there are {count} particles", particle.0)
            }
            Self::SameParticle { item, index } => write!(f, "{item} {index} joins a particle to itself"),
            Self::BadNumber { item, index, quantity } => {
                write!(f, "{quantity} of {item} {index} is not finite or out of its range")
            }
            Self::WrongLength { quantity, found, expected } => {
                write!(f, "{found} {quantity} for {expected} particles")
            }
            Self::TooManyPairs => write!(f, "too many pairs of particles are joined by forces"),
            Self::BadSetting { setting } => write!(f, "setting {setting} is out of its range"),
        }
    }
}

impl std::error::Error for ModelError {}
