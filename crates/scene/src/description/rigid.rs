//! Planar rigid bodies: theme 3 of the course, and what goes beyond it.

mod body;

pub use body::{Body, Shape, Vertex, Weight};
pub(crate) use body::{DISC, HALF_PLANE, OUTLINED};

use super::table::{attributes, named_value, names};
use super::{IndexedColor, Surface, contact, force, script};
use crate::schema::{Attribute, Choice, Kind, Limit};

/// One end of a spring; points of the plane.
pub type Anchor = force::Anchor<[f64; 2]>;
/// A spring between two anchors.
pub type Spring = force::Spring<[f64; 2]>;
pub use super::force::Drag;
/// A force on one body that changes in time.
pub type TimedForce = force::TimedForce<[f64; 2], f64>;
/// Where a kinematic body is at a time; turns are angles, counter-clockwise positive.
pub type Key = script::Key<[f64; 2], f64>;
/// A motion of a kinematic body for all times.
pub type Motion = script::Motion<[f64; 2], f64>;
/// The paths of [`Motion`].
pub type Path = script::Path<[f64; 2], f64>;
pub use super::contact::PlanarResponse as Response;
/// Detection and response of contact.
pub type CollisionHandling = contact::CollisionHandling<Response>;

/// Rigid bodies, forces on them, and their contact response.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidScene {
    /// How a step moves the bodies.
    pub integrator: Integrator,
    /// Point masses that bodies are made of; bodies may share them.
    pub vertices: Vec<Vertex>,
    /// `rigidbody`, `rigidbodydisc` and `rigidbodyhalfplane`, in document order: their order is
    /// their index.
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
    /// `rigidbodyuniformmotion` and `rigidbodyoscillation`: a body that is named here goes this way
    /// and is moved by nothing else.
    pub motions: Vec<Motion>,
    /// `rigidbodycollisionhandling`; bodies pass through each other when absent.
    pub contact: Option<CollisionHandling>,
    /// `rigidbodycolor`.
    pub body_colors: Vec<IndexedColor>,
    /// `rigidbodyspringcolor`.
    pub spring_colors: Vec<IndexedColor>,
}

impl RigidScene {
    /// No bodies, no forces, no contact.
    pub fn new(integrator: Integrator) -> RigidScene {
        RigidScene {
            integrator,
            vertices: Vec::new(),
            bodies: Vec::new(),
            gravities: Vec::new(),
            springs: Vec::new(),
            winds: Vec::new(),
            drags: Vec::new(),
            timed: Vec::new(),
            surfaces: Vec::new(),
            keys: Vec::new(),
            motions: Vec::new(),
            contact: None,
            body_colors: Vec::new(),
            spring_colors: Vec::new(),
        }
    }

    /// The tag of a body in a file, and which one of that tag it is; `None` when there is no such
    /// body.
    pub fn tag_of(&self, body: usize) -> Option<(&'static str, usize)> {
        let tag = self.bodies.get(body)?.tag();
        Some((tag, self.bodies[..body].iter().filter(|other| other.tag() == tag).count()))
    }

    /// For each body, whether a script moves it: keys or a motion.
    pub fn kinematic(&self) -> Vec<bool> {
        let named = self.keys.iter().map(|key| key.body).chain(self.motions.iter().map(|motion| motion.body));
        super::marked(self.bodies.len(), named)
    }

    /// Where the centre of mass of a body is at the start: of its vertices, of its area, or of the
    /// disc. `None` when there is no such body or it names vertices that are not there. Not finite
    /// for a body without weight or area.
    pub fn center_of_mass(&self, body: usize) -> Option<[f64; 2]> {
        match &self.bodies.get(body)?.shape {
            Shape::Disc { center, .. } | Shape::HalfPlane { point: center, .. } => Some(*center),
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

/// A time stepping method and its step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Integrator {
    /// Which method.
    pub method: PlanarMethod,
    /// Step length in seconds.
    pub dt: f64,
}

attributes! {
    Integrator {
        method: [Attribute::required("type", Kind::Choice(PlanarMethod::CHOICES), "", "Method.")],
        dt: [Attribute::number("dt", Limit::Positive, "s", "Time step.").unchecked_by_course()],
    }
}

/// The methods of `rigidbodyintegrator type=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PlanarMethod {
    /// `explicit-euler`.
    ExplicitEuler,
    /// `symplectic-euler`.
    SymplecticEuler,
    /// `velocity-verlet`; not in the course.
    VelocityVerlet,
}

names! {
    PlanarMethod {
        PlanarMethod::ExplicitEuler => Choice::new("explicit-euler", "position and velocity from the old state"),
        PlanarMethod::SymplecticEuler =>
            Choice::new("symplectic-euler", "velocity first, then position with the new velocity"),
        PlanarMethod::VelocityVerlet =>
            Choice::ours("velocity-verlet", "second order, symplectic for forces of position"),
    }
}
named_value!(PlanarMethod);

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

/// Most quadrature points on an edge: more would only slow a run down to a halt.
const MAX_POINTS_PER_EDGE: u32 = 1_000_000;

attributes! {
    Wind {
        coefficient: [Attribute::number("beta", Limit::NotNegative, "N·s/m²", "Coefficient of the wind.")],
        velocity: [
            Attribute::real("fx", "m/s", "Velocity of the air."),
            Attribute::real("fy", "m/s", "Velocity of the air."),
        ],
        points_per_edge: [
            Attribute::required(
                "pointsperedge",
                Kind::Integer(2, MAX_POINTS_PER_EDGE),
                "",
                "Quadrature points on an edge.",
            ),
        ],
    }
}
