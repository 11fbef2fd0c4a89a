//! Spatial rigid bodies, after the lectures of Witkin and Baraff; not in the course.

use super::{IndexedColor, Surface};

/// Spatial bodies, forces on them, and their contact response.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpatialScene {
    /// How a step moves the bodies.
    pub integrator: Integrator,
    /// Points that polyhedra are made of; bodies may share them.
    pub vertices: Vec<[f64; 3]>,
    /// `rigidbody3dsphere`, `rigidbody3dbox`, `rigidbody3dpolyhedron` and `rigidbody3dhalfspace`, in document order: their
    /// order is their index.
    pub bodies: Vec<Body>,
    /// `rigidbody3dgravityforce`: accelerations.
    pub gravities: Vec<[f64; 3]>,
    /// `rigidbody3dspringforce`.
    pub springs: Vec<Spring>,
    /// `rigidbody3ddragforce`.
    pub drags: Vec<Drag>,
    /// `rigidbody3dpushforce`.
    pub pushes: Vec<Push>,
    /// `rigidbody3dtimedforce`.
    pub timed: Vec<TimedForce>,
    /// `rigidbody3dsurface`: what single bodies are like where they touch.
    pub surfaces: Vec<Surface>,
    /// `rigidbody3dscript`: a body that is named here follows its keys and is moved by nothing else.
    pub keys: Vec<Key>,
    /// `rigidbody3duniformmotion` and `rigidbody3doscillation`: a body that is named here goes this way and is moved by nothing else.
    pub motions: Vec<Motion>,
    /// `rigidbody3dcollisionhandling`; bodies pass through each other when absent.
    pub contact: Option<Contact>,
    /// `rigidbody3doutput`: frames a second that are kept of a run.
    pub frame_rate: f64,
    /// `rigidbody3dcamera`: from where it is seen; fitted to the scene when absent.
    pub camera: Option<Camera>,
    /// `rigidbody3dcolor`.
    pub body_colors: Vec<IndexedColor>,
    /// `rigidbody3dspringcolor`.
    pub spring_colors: Vec<IndexedColor>,
}

impl SpatialScene {
    /// For each body, whether a script moves it: keys or a motion.
    pub fn scripted(&self) -> Vec<bool> {
        let named = self.keys.iter().map(|key| key.body).chain(self.motions.iter().map(|motion| motion.body));
        super::marked(self.bodies.len(), named)
    }

    /// The tag of a body in a file, and which one of that tag it is; `None` when there is no such body.
    pub fn tag_of(&self, body: usize) -> Option<(&'static str, usize)> {
        let tag = self.bodies.get(body)?.shape.tag();
        Some((tag, self.bodies[..body].iter().filter(|other| other.shape.tag() == tag).count()))
    }
}

/// Frames a second when a scene does not say: that of film, and of the lecture's loop.
pub const FRAME_RATE: f64 = 24.0;

/// A time stepping method, its step, and how orientations are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Integrator {
    /// Which method.
    pub method: Method,
    /// Step length in seconds.
    pub dt: f64,
    /// How orientations are kept.
    pub orientation: Orientation,
}

/// The methods of `rigidbody3dintegrator type=`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `symplectic-euler`.
    SymplecticEuler,
    /// `midpoint`.
    Midpoint,
    /// `rk4`.
    RungeKutta4,
    /// `dormand-prince`: adaptive.
    DormandPrince {
        /// Error allowed in each own step.
        tolerance: f64,
    },
    /// `lie-midpoint`: keeps energy and angular momentum of free bodies.
    LieMidpoint,
}

impl Method {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Method::ExplicitEuler => "explicit-euler",
            Method::SymplecticEuler => "symplectic-euler",
            Method::Midpoint => "midpoint",
            Method::RungeKutta4 => "rk4",
            Method::DormandPrince { .. } => "dormand-prince",
            Method::LieMidpoint => "lie-midpoint",
        }
    }
}

/// The values of `orientation=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Orientation {
    /// `quaternion`.
    Quaternion,
    /// `matrix`.
    Matrix,
}

impl Orientation {
    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Orientation::Quaternion => "quaternion",
            Orientation::Matrix => "matrix",
        }
    }
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// What it looks like.
    pub shape: Shape,
    /// Where it starts: the centre of a sphere or box, the origin of the coordinates of a polyhedron, a point of the plane that
    /// bounds a half-space.
    pub position: [f64; 3],
    /// How it is turned at the start, about that point: axis times angle in radians.
    pub rotation: [f64; 3],
    /// Velocity of its centre of mass.
    pub velocity: [f64; 3],
    /// Angular velocity in radians a second, in world axes.
    pub angular_velocity: [f64; 3],
    /// How heavy it is; only bodies that are not free may leave it out.
    pub weight: Option<Weight>,
    /// A fixed body is moved by nothing. Half-spaces always are, or follow a script.
    pub fixed: bool,
}

/// What a body looks like, in coordinates of its own.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// `rigidbody3dsphere`, about the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// `rigidbody3dbox`, about the origin.
    Box {
        /// Whole sides along the axes.
        sides: [f64; 3],
    },
    /// `rigidbody3dpolyhedron` with `p`: the convex hull of vertices.
    Polyhedron {
        /// Indices of its vertices.
        corners: Vec<usize>,
    },
    /// `rigidbody3dpolyhedron` with `file`: the convex solid in an OBJ file. A program that can read files turns it into a
    /// [`Shape::Polyhedron`]; nothing else can be done with it.
    File {
        /// Name of the file, from the folder of the scene.
        name: String,
    },
    /// `rigidbody3dhalfspace`: everything behind a plane through the origin.
    HalfSpace {
        /// Out of the solid; of any length above 0.
        normal: [f64; 3],
    },
}

impl Shape {
    /// The tag of a body of this shape.
    pub fn tag(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "rigidbody3dsphere",
            Shape::Box { .. } => "rigidbody3dbox",
            Shape::Polyhedron { .. } | Shape::File { .. } => "rigidbody3dpolyhedron",
            Shape::HalfSpace { .. } => "rigidbody3dhalfspace",
        }
    }
}

/// How the weight of a body is given.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weight {
    /// `density`: mass for each unit of volume.
    Density(f64),
    /// `m`: the mass, spread evenly.
    Mass(f64),
    /// `m` and a `rigidbody3dinertia`: mass and inertia about the centre of mass, in the coordinates of the shape.
    Given {
        /// The mass.
        mass: f64,
        /// Ixx, Iyy, Izz, Ixy, Iyz, Izx; the last three are those entries of the matrix, not their negatives.
        inertia: [f64; 6],
    },
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
    pub displacement: [f64; 3],
    /// Turn from the start, axis times angle in radians, in world axes.
    pub rotation: [f64; 3],
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
    /// `rigidbody3duniformmotion`: at constant speed about a constant axis.
    Uniform {
        /// Velocity of the centre of mass.
        velocity: [f64; 3],
        /// Angular velocity in radians a second, in world axes.
        angular_velocity: [f64; 3],
    },
    /// `rigidbody3doscillation`: amplitude · (sin(rate t + phase) − sin phase).
    Oscillation {
        /// Amplitude of the centre of mass.
        displacement: [f64; 3],
        /// Amplitude of the turn, axis times angle in radians, in world axes.
        rotation: [f64; 3],
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
            Path::Uniform { .. } => "rigidbody3duniformmotion",
            Path::Oscillation { .. } => "rigidbody3doscillation",
        }
    }
}

/// One end of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor {
    /// A point of space.
    World([f64; 3]),
    /// A point of a body, from its centre of mass, in body axes.
    Body {
        /// Which body.
        body: usize,
        /// Offset in body axes.
        offset: [f64; 3],
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

/// A force on one particle or body that changes in time: F cos(rate t + phase) from a time on, until another.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedForce {
    /// Which body.
    pub body: usize,
    /// Amplitude of the force on its centre.
    pub force: [f64; 3],
    /// Amplitude of the torque about it, in world axes.
    pub torque: [f64; 3],
    /// Angular frequency in radians a second; 0 for a steady force.
    pub rate: f64,
    /// Phase at time 0 in radians.
    pub phase: f64,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends; never when absent.
    pub until: Option<f64>,
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

/// A steady force and torque on one body, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Push {
    /// Which body.
    pub body: usize,
    /// Force on its centre of mass.
    pub force: [f64; 3],
    /// Torque about it.
    pub torque: [f64; 3],
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
    /// `impulse`: the lecture's loop over colliding contacts.
    Impulse,
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
        }
    }
}

/// From where a scene is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    /// Where the eye is.
    pub eye: [f64; 3],
    /// The point in the middle of the picture.
    pub target: [f64; 3],
    /// What points up in the picture; not along the line of sight.
    pub up: [f64; 3],
    /// Angle between the top and the bottom of the picture, in degrees.
    pub field_of_view: f64,
}
