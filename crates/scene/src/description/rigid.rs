//! Planar rigid bodies: theme 3 of the course, and what goes beyond it.

use super::{IndexedColor, Surface};

/// Rigid bodies, forces on them, and their contact response.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidScene {
    /// How a step moves the bodies.
    pub integrator: Integrator,
    /// Point masses that bodies are made of; bodies may share them.
    pub vertices: Vec<Vertex>,
    /// `rigidbody` and `rigidbodydisc`, in document order: their order is their index.
    pub bodies: Vec<Body>,
    /// `rigidbodygravityforce`: accelerations.
    pub gravities: Vec<[f64; 2]>,
    /// `rigidbodyspringforce`.
    pub springs: Vec<Spring>,
    /// `rigidbodywindforce`.
    pub winds: Vec<Wind>,
    /// `rigidbodydragforce`.
    pub drags: Vec<Drag>,
    /// `rigidbodytimedforce`.
    pub timed: Vec<TimedForce>,
    /// `rigidbodysurface`: what single bodies are like where they touch.
    pub surfaces: Vec<Surface>,
    /// `rigidbodyscript`: a body that is named here follows its keys and is moved by nothing else.
    pub keys: Vec<Key>,
    /// `rigidbodyuniformmotion` and `rigidbodyoscillation`: a body that is named here goes this way and is moved by nothing else.
    pub motions: Vec<Motion>,
    /// `rigidbodycollisionhandling`; bodies pass through each other when absent.
    pub contact: Option<Contact>,
    /// `rigidbodycolor`.
    pub body_colors: Vec<IndexedColor>,
    /// `rigidbodyspringcolor`.
    pub spring_colors: Vec<IndexedColor>,
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

/// The methods of `rigidbodyintegrator type=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `symplectic-euler`.
    SymplecticEuler,
    /// `velocity-verlet`; not in the course.
    VelocityVerlet,
}

impl Method {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Method::ExplicitEuler => "explicit-euler",
            Method::SymplecticEuler => "symplectic-euler",
            Method::VelocityVerlet => "velocity-verlet",
        }
    }
}

/// A point mass.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vertex {
    /// Where it is at the start.
    pub position: [f64; 2],
    /// Its mass.
    pub mass: f64,
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// What it looks like and where its weight is.
    pub shape: Shape,
    /// Velocity of its centre of mass.
    pub velocity: [f64; 2],
    /// Angular velocity in radians a second, counter-clockwise positive.
    pub angular_velocity: f64,
    /// Half of the thickness of its outline; the radius of a disc.
    pub radius: f64,
    /// A fixed body is moved by nothing.
    pub fixed: bool,
}

/// What a body looks like and where its weight is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// `rigidbody`: a closed line through vertices, hollow inside, with its weight in the vertices.
    Hollow {
        /// Indices of its vertices along the outline.
        outline: Vec<usize>,
    },
    /// `rigidbody solid="1"`: full inside, with its weight spread over the area. The masses of the vertices do not count.
    Solid {
        /// Indices of its vertices along the outline.
        outline: Vec<usize>,
        /// Mass for each unit of area.
        density: f64,
    },
    /// `rigidbodydisc`.
    Disc {
        /// Where its centre is at the start.
        center: [f64; 2],
        /// How heavy it is.
        weight: Weight,
    },
}

/// How the weight of a disc is given.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weight {
    /// `m`: the mass.
    Mass(f64),
    /// `density`: mass for each unit of area.
    Density(f64),
}

impl Body {
    /// Its tag in scene files.
    pub fn tag(&self) -> &'static str {
        match self.shape {
            Shape::Hollow { .. } | Shape::Solid { .. } => "rigidbody",
            Shape::Disc { .. } => "rigidbodydisc",
        }
    }

    /// Indices of the vertices along its outline; a disc has none.
    pub fn outline(&self) -> &[usize] {
        match &self.shape {
            Shape::Hollow { outline } | Shape::Solid { outline, .. } => outline,
            Shape::Disc { .. } => &[],
        }
    }
}

impl RigidScene {
    /// The tag of a body in a file, and which one of that tag it is; `None` when there is no such body.
    pub fn tag_of(&self, body: usize) -> Option<(&'static str, usize)> {
        let tag = self.bodies.get(body)?.tag();
        Some((tag, self.bodies[..body].iter().filter(|other| other.tag() == tag).count()))
    }

    /// For each body, whether a script moves it: keys or a motion.
    pub fn scripted(&self) -> Vec<bool> {
        let named = self.keys.iter().map(|key| key.body).chain(self.motions.iter().map(|motion| motion.body));
        super::marked(self.bodies.len(), named)
    }

    /// Where the centre of mass of a body is at the start: of its vertices, of its area, or of the disc. `None` when there is no such
    /// body or it names vertices that are not there. Not finite for a body without weight or area.
    pub fn center_of_mass(&self, body: usize) -> Option<[f64; 2]> {
        match &self.bodies.get(body)?.shape {
            Shape::Disc { center, .. } => Some(*center),
            Shape::Hollow { outline } => {
                let (mut mass, mut moment) = (0.0, [0.0, 0.0]);
                for &index in outline {
                    let Vertex { position: [x, y], mass: m } = *self.vertices.get(index)?;
                    mass += m;
                    moment = [moment[0] + m * x, moment[1] + m * y];
                }
                Some([moment[0] / mass, moment[1] / mass])
            }
            Shape::Solid { outline, .. } => {
                let point = |k: usize| self.vertices.get(*outline.get(k)?).map(|vertex| vertex.position);
                let [ox, oy] = point(0)?;
                let (mut twice_area, mut moment) = (0.0, [0.0, 0.0]);
                for k in 0..outline.len() {
                    let ([ax, ay], [bx, by]) = (point(k)?, point((k + 1) % outline.len())?);
                    let (ax, ay, bx, by) = (ax - ox, ay - oy, bx - ox, by - oy);
                    let wedge = ax * by - ay * bx;
                    twice_area += wedge;
                    moment = [moment[0] + wedge * (ax + bx), moment[1] + wedge * (ay + by)];
                }
                let scale = 3.0 * twice_area;
                Some([ox + moment[0] / scale, oy + moment[1] / scale])
            }
        }
    }
}

/// Where a scripted body is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key {
    /// Which body.
    pub body: usize,
    /// Seconds since the start, above 0; rising from key to key of a body.
    pub time: f64,
    /// Displacement of the centre of mass from the start.
    pub displacement: [f64; 2],
    /// Turn from the start in radians.
    pub angle: f64,
}

/// A motion of a scripted body for all times.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion {
    /// Which body.
    pub body: usize,
    /// How it moves from where it starts.
    pub path: Path,
}

/// The paths of [`Motion`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Path {
    /// `rigidbodyuniformmotion`: at constant speed.
    Uniform {
        /// Velocity of the centre of mass.
        velocity: [f64; 2],
        /// Angular velocity in radians a second.
        angular_velocity: f64,
    },
    /// `rigidbodyoscillation`: amplitude · (sin(rate t + phase) − sin phase).
    Oscillation {
        /// Amplitude of the centre of mass.
        displacement: [f64; 2],
        /// Amplitude of the turn in radians.
        angle: f64,
        /// Angular frequency in radians a second.
        rate: f64,
        /// Phase at time 0 in radians.
        phase: f64,
    },
}

impl Path {
    /// Its tag in scene files.
    pub fn tag(&self) -> &'static str {
        match self {
            Path::Uniform { .. } => "rigidbodyuniformmotion",
            Path::Oscillation { .. } => "rigidbodyoscillation",
        }
    }
}

/// One end of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// One end.
    pub start: Anchor,
    /// The other end.
    pub end: Anchor,
    /// Stiffness k.
    pub stiffness: f64,
    /// Rest length l0.
    pub rest_length: f64,
    /// Damping b along the spring.
    pub damping: f64,
}

/// Resistance of a still medium to all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drag {
    /// Force for each unit of velocity.
    pub linear: f64,
    /// Torque for each unit of angular velocity.
    pub angular: f64,
}

/// A force on one particle or body that changes in time: F cos(rate t + phase) from a time on, until another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedForce {
    /// Which body.
    pub body: usize,
    /// Amplitude of the force on its centre.
    pub force: [f64; 2],
    /// Amplitude of the torque about it, counter-clockwise.
    pub torque: f64,
    /// Angular frequency in radians a second; 0 for a steady force.
    pub rate: f64,
    /// Phase at time 0 in radians.
    pub phase: f64,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends; never when absent.
    pub until: Option<f64>,
}

/// Wind on the outlines of all bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// How contacts are answered.
    pub response: Response,
    /// `COR`: the coefficient of restitution; that of the response when absent.
    pub restitution: Option<f64>,
    /// `mu`: Coulomb's coefficient of friction.
    pub friction: f64,
    /// `tolerance`: the speed by which `lcp` and `velocity-projection` may be wrong; as exact as can be when absent.
    pub tolerance: Option<f64>,
}

impl Contact {
    /// A response and what the file format says about the rest when it is left out.
    pub fn new(response: Response) -> Contact {
        Contact { response, restitution: None, friction: 0.0, tolerance: None }
    }
}

/// The values of `response=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Response {
    /// `lcp`: inelastic, by a linear complementarity problem.
    Lcp,
    /// `velocity-projection`: inelastic, by a quadratic program.
    VelocityProjection,
    /// `gr-lcp`: elastic Generalized Reflection over `lcp`.
    ReflectionLcp,
    /// `gr-velocity-projection`: elastic Generalized Reflection over `velocity-projection`.
    ReflectionVelocityProjection,
    /// `impulse`: contact by contact; not in the course.
    Impulse,
    /// `penalty`: springs push apart what is nearer than a thickness; not in the course.
    Penalty {
        /// `k`.
        stiffness: f64,
        /// `thickness`.
        thickness: f64,
    },
}

impl Response {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Response::Lcp => "lcp",
            Response::VelocityProjection => "velocity-projection",
            Response::ReflectionLcp => "gr-lcp",
            Response::ReflectionVelocityProjection => "gr-velocity-projection",
            Response::Impulse => "impulse",
            Response::Penalty { .. } => "penalty",
        }
    }
}
