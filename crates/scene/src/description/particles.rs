//! Particle systems: themes 1 and 2 of the course, and what we add in the same hand.

use super::{Color, IndexedColor, Surface};

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

/// A time stepping method and its step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Integrator {
    /// Which method.
    pub method: Method,
    /// Step length in seconds.
    pub dt: f64,
}

/// The methods of `integrator type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `forward-backward-euler`, also spelt `symplectic-euler`.
    SymplecticEuler,
    /// `linearized-implicit-euler`: one Newton step.
    LinearizedImplicitEuler,
    /// `implicit-euler`.
    ImplicitEuler,
    /// `velocity-verlet`.
    VelocityVerlet,
    /// `rk4`: the classic Runge–Kutta method.
    RungeKutta4,
    /// `dormand-prince`: the embedded pair of order 5(4) with steps of its own inside `dt`.
    DormandPrince {
        /// Relative error allowed in a step.
        relative_tolerance: f64,
        /// Absolute error allowed in a step.
        absolute_tolerance: f64,
    },
}

impl Method {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Method::ExplicitEuler => "explicit-euler",
            Method::SymplecticEuler => "forward-backward-euler",
            Method::LinearizedImplicitEuler => "linearized-implicit-euler",
            Method::ImplicitEuler => "implicit-euler",
            Method::VelocityVerlet => "velocity-verlet",
            Method::RungeKutta4 => "rk4",
            Method::DormandPrince { .. } => "dormand-prince",
        }
    }
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

/// The forces of a particle system.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forces {
    /// `springforce`.
    pub springs: Vec<Spring>,
    /// `simplegravity`: accelerations.
    pub gravities: Vec<[f64; 2]>,
    /// `gravitationalforce`.
    pub gravitations: Vec<Gravitation>,
    /// `constantforce`: the same force on every particle, whatever its mass.
    pub constants: Vec<[f64; 2]>,
    /// `dragdamping`: coefficients of linear drag.
    pub drags: Vec<f64>,
    /// `vortexforce`.
    pub vortices: Vec<Vortex>,
    /// `timedforce`.
    pub timed: Vec<TimedForce>,
}

/// A force on one particle or body that changes in time: F cos(rate t + phase) from a time on, until another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedForce {
    /// Which particle.
    pub particle: usize,
    /// Amplitude of the force on its centre.
    pub force: [f64; 2],
    /// Angular frequency in radians a second; 0 for a steady force.
    pub rate: f64,
    /// Phase at time 0 in radians.
    pub phase: f64,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends; never when absent.
    pub until: Option<f64>,
}

/// A spring along an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// The edge that it follows.
    pub edge: usize,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
    /// Damping b along the spring.
    pub damping: f64,
}

/// Newtonian gravitation between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gravitation {
    /// First particle.
    pub first: usize,
    /// Second particle.
    pub second: usize,
    /// The constant G.
    pub constant: f64,
}

/// The course's vortex force between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vortex {
    /// First particle.
    pub first: usize,
    /// Second particle.
    pub second: usize,
    /// Biot–Savart coefficient kbs.
    pub biot_savart: f64,
    /// Viscosity coefficient kvc.
    pub viscosity: f64,
}

/// How collisions are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Collision {
    /// Which method, with what only it uses.
    pub response: Response,
    /// Newtonian coefficient of restitution, `COR`.
    pub restitution: f64,
    /// Coulomb's coefficient of friction, `mu`.
    pub friction: f64,
}

/// The methods of `collision type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Response {
    /// `none`: things pass through each other.
    None,
    /// `simple`: impulses after the step, pair by pair.
    Simple,
    /// `penalty`: springs push what is too near apart.
    Penalty(Penalty),
    /// `continuous-time`: impulses at the first time of contact within the step.
    ContinuousTime,
    /// `hybrid`: penalty, then impulses, then impact zones.
    Hybrid {
        /// The repulsion that is always there.
        penalty: Penalty,
        /// Most passes of impulses before impact zones.
        max_iterations: u32,
    },
    /// `back-up`: contacts at their time, one after the other.
    BackUp {
        /// Most events in a step.
        max_events: u32,
    },
    /// `simultaneous`: impulses at the mean velocity, repeated until nothing touches.
    Simultaneous {
        /// Most passes.
        max_iterations: u32,
    },
    /// `elastic`: elastic impacts first, inelastic ones for what is left.
    Elastic {
        /// Most passes of the inelastic law.
        max_iterations: u32,
    },
    /// `lcp`: all contacts at once, by a complementarity problem.
    Lcp,
    /// `velocity-projection`: all contacts at once, by projecting the velocity.
    VelocityProjection,
    /// `gr-lcp`: Generalized Reflection over `lcp`.
    ReflectionLcp,
    /// `gr-velocity-projection`: Generalized Reflection over `velocity-projection`.
    ReflectionVelocityProjection,
}

impl Response {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Response::None => "none",
            Response::Simple => "simple",
            Response::Penalty(_) => "penalty",
            Response::ContinuousTime => "continuous-time",
            Response::Hybrid { .. } => "hybrid",
            Response::BackUp { .. } => "back-up",
            Response::Simultaneous { .. } => "simultaneous",
            Response::Elastic { .. } => "elastic",
            Response::Lcp => "lcp",
            Response::VelocityProjection => "velocity-projection",
            Response::ReflectionLcp => "gr-lcp",
            Response::ReflectionVelocityProjection => "gr-velocity-projection",
        }
    }
}

/// The spring that pushes what is nearer than its thickness apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penalty {
    /// Stiffness k.
    pub stiffness: f64,
    /// Distance beyond the radii at which it begins.
    pub thickness: f64,
}

/// The values of `collisiondetection type=`. None of them changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Detection {
    /// `allpairs`.
    AllPairs,
    /// `contest`: the fastest broad phase we have.
    Contest,
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
