//! Planar rigid bodies: theme 3 of the course.

use super::IndexedColor;

/// Rigid bodies of point masses, forces on them, and their contact response.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidScene {
    /// How a step moves the bodies.
    pub integrator: Integrator,
    /// Point masses that bodies are made of; bodies may share them.
    pub vertices: Vec<Vertex>,
    /// In document order: their order is their index.
    pub bodies: Vec<Body>,
    /// `rigidbodygravityforce`: accelerations.
    pub gravities: Vec<[f64; 2]>,
    /// `rigidbodyspringforce`.
    pub springs: Vec<Spring>,
    /// `rigidbodywindforce`.
    pub winds: Vec<Wind>,
    /// `rigidbodycollisionhandling`; bodies pass through each other when absent.
    pub contact: Option<Contact>,
    /// `rigidbodycolor`.
    pub body_colors: Vec<IndexedColor>,
    /// `rigidbodyspringcolor`.
    pub spring_colors: Vec<IndexedColor>,
}

/// A time stepping method and its step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integrator {
    /// Which method.
    pub method: Method,
    /// Step length in seconds.
    pub dt: f64,
}

/// The methods of `rigidbodyintegrator type=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `symplectic-euler`.
    SymplecticEuler,
}

impl Method {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Method::ExplicitEuler => "explicit-euler",
            Method::SymplecticEuler => "symplectic-euler",
        }
    }
}

/// A point mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// Where it is at the start.
    pub position: [f64; 2],
    /// Its mass.
    pub mass: f64,
}

/// A rigid body: a closed outline of vertices, thick by its radius, hollow inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Indices of its vertices along the outline.
    pub outline: Vec<usize>,
    /// Velocity of its centre of mass.
    pub velocity: [f64; 2],
    /// Angular velocity in radians a second, counter-clockwise positive.
    pub angular_velocity: f64,
    /// Half of the thickness of its outline.
    pub radius: f64,
    /// A fixed body is moved by nothing.
    pub fixed: bool,
}

/// One end of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// A point of the plane.
    World([f64; 2]),
    /// A point of a body, from its centre of mass, in body axes.
    Body {
        /// Which body.
        body: usize,
        /// Offset in body axes.
        offset: [f64; 2],
    },
}

/// A spring between two anchors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// One end.
    pub start: Anchor,
    /// The other end.
    pub end: Anchor,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
}

/// Wind on the outlines of all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wind {
    /// Coefficient beta.
    pub coefficient: f64,
    /// Velocity of the air.
    pub velocity: [f64; 2],
    /// Quadrature points on an edge.
    pub points_per_edge: u32,
}

/// Detection and response of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// How contacts are answered.
    pub response: Response,
}

/// The values of `response=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Response {
    /// `lcp`: inelastic, by a linear complementarity problem.
    Lcp,
    /// `velocity-projection`: inelastic, by a quadratic program.
    VelocityProjection,
    /// `gr-lcp`: elastic Generalized Reflection over `lcp`.
    ReflectionLcp,
    /// `gr-velocity-projection`: elastic Generalized Reflection over `velocity-projection`.
    ReflectionVelocityProjection,
}

impl Response {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Response::Lcp => "lcp",
            Response::VelocityProjection => "velocity-projection",
            Response::ReflectionLcp => "gr-lcp",
            Response::ReflectionVelocityProjection => "gr-velocity-projection",
        }
    }
}
