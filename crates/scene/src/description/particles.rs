//! Particle systems: themes 1 and 2 of the course, and what we add in the same hand.

mod collision;
mod force;
mod integrator;

pub(crate) use collision::unused_collision_attributes;
pub use collision::{Collision, Detection, Penalty, Response};
pub(crate) use force::{CONSTANT, DRAG};
pub use force::{Forces, Gravitation, Spring, TimedForce, Vortex};
pub use integrator::{Integrator, ParticleMethod};

use super::color::{BLUE, GREEN, RED};
use super::table::attributes;
use super::{Color, IndexedColor, Surface};
use crate::schema::{Attribute, Kind, Limit, Target};

/// Particles joined by edges, kept out of half-planes, moved by forces.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParticleScene {
    /// How a step moves the particles.
    pub integrator: Integrator,
    /// In document order: their order is their index.
    pub particles: Vec<Particle>,
    /// Segments between particles, thick by their radius.
    pub edges: Vec<Edge>,
    /// Immovable obstacles.
    pub half_planes: Vec<HalfPlane>,
    /// All forces, by kind; within a kind in document order.
    pub forces: Forces,
    /// How collisions are answered.
    pub collision: Collision,
    /// How pairs that may touch are found.
    pub detection: Detection,
    /// `particlesurface`: what single particles are like where they touch.
    pub surfaces: Vec<Surface>,
    /// What is only seen.
    pub appearance: Appearance,
}

impl ParticleScene {
    /// No particles, no forces, no collisions.
    pub fn new(integrator: Integrator) -> ParticleScene {
        ParticleScene {
            integrator,
            particles: Vec::new(),
            edges: Vec::new(),
            half_planes: Vec::new(),
            forces: Forces::default(),
            collision: Collision::NONE,
            detection: Detection::AllPairs,
            surfaces: Vec::new(),
            appearance: Appearance::default(),
        }
    }
}

impl Particle {
    /// A particle that is free to move, with the radius that the format gives by default.
    pub fn new(mass: f64, position: [f64; 2], velocity: [f64; 2]) -> Particle {
        Particle { mass, position, velocity, fixed: false, radius: 0.1, tag: None }
    }

    /// The same with another radius.
    pub fn with_radius(self, radius: f64) -> Particle {
        Particle { radius, ..self }
    }

    /// The same, held in place; with a velocity it moves along at it.
    pub fn held(self) -> Particle {
        Particle { fixed: true, ..self }
    }
}

impl Edge {
    /// An edge with the radius that the format gives by default.
    pub fn new(start: usize, end: usize) -> Edge {
        Edge { start, end, radius: 0.015 }
    }
}

const fn radius(default: &'static str, meaning: &'static str) -> Attribute {
    Attribute::number("radius", Limit::NotNegative, "m", meaning).or(default).unchecked_by_course()
}

/// A particle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Particle {
    /// Mass in kilograms.
    pub mass: f64,
    /// Where it starts.
    pub position: [f64; 2],
    /// How fast it starts.
    pub velocity: [f64; 2],
    /// A fixed particle feels no force; with a velocity it moves along at it.
    pub fixed: bool,
    /// Radius of its disc.
    pub radius: f64,
    /// A free label.
    pub tag: Option<String>,
}

attributes! {
    Particle {
        mass: [
            Attribute::number("m", Limit::Positive, "kg", "Mass, of fixed particles too.").unchecked_by_course(),
        ],
        position: [
            Attribute::real("px", "m", "Position at the start."),
            Attribute::real("py", "m", "Position at the start."),
        ],
        velocity: [
            Attribute::real("vx", "m/s", "Velocity at the start."),
            Attribute::real("vy", "m/s", "Velocity at the start."),
        ],
        fixed: [
            Attribute::required(
                "fixed",
                Kind::Flag,
                "",
                "1: no force moves it; with a velocity it moves along at that velocity.",
            ),
        ],
        radius: [radius("0.1", "Radius of the disc.")],
        tag: [Attribute::required("tag", Kind::Text, "", "A free label.").optional("no label")],
    }
}

/// An edge between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge {
    /// Index of the first particle.
    pub start: usize,
    /// Index of the second particle.
    pub end: usize,
    /// Half of its thickness.
    pub radius: f64,
}

attributes! {
    Edge {
        start: [Attribute::index("i", Target::Particle, "First end.")],
        end: [Attribute::index("j", Target::Particle, "Second end.")],
        radius: [radius("0.015", "Half of its thickness.")],
    }
}

/// All points x with (x − point) · normal ≤ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HalfPlane {
    /// A point of its boundary.
    pub point: [f64; 2],
    /// Outward direction; any length but zero.
    pub normal: [f64; 2],
    /// Prescribed velocity; zero for one at rest.
    pub velocity: [f64; 2],
}

attributes! {
    HalfPlane {
        point: [
            Attribute::real("px", "m", "A point p of the boundary."),
            Attribute::real("py", "m", "A point p of the boundary."),
        ],
        normal: [
            Attribute::real("nx", "", "Outward normal n; its length does not matter, from 1e-150 to 1e150."),
            Attribute::real("ny", "", "Outward normal n; its length does not matter, from 1e-150 to 1e150."),
        ],
        velocity: [
            Attribute::real("vx", "m/s", "Prescribed velocity. Without effect in course mode.").or("0.0").elided(),
            Attribute::real("vy", "m/s", "Prescribed velocity. Without effect in course mode.").or("0.0").elided(),
        ],
    }
}

/// What is only seen.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Appearance {
    /// `particlecolor`.
    pub particle_colors: Vec<IndexedColor>,
    /// `edgecolor`.
    pub edge_colors: Vec<IndexedColor>,
    /// `halfplanecolor`.
    pub half_plane_colors: Vec<IndexedColor>,
    /// `particlepath`.
    pub paths: Vec<ParticlePath>,
}

/// A trail behind a particle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParticlePath {
    /// Which particle.
    pub index: usize,
    /// How many seconds of its past are shown.
    pub duration: f64,
    /// Colour of the trail.
    pub color: Color,
}

attributes! {
    ParticlePath {
        index: [Attribute::index("i", Target::Particle, "The particle.")],
        duration: [Attribute::number("duration", Limit::NotNegative, "s", "How much of its past is shown.")],
        color: [RED, GREEN, BLUE],
    }
}
