//! Spatial rigid bodies, after the lectures of Witkin and Baraff; not in the course.

mod body;
mod camera;
mod integrator;

pub(crate) use body::{BOX, HALF_SPACE, INERTIA, POLYHEDRON, SPHERE, VERTEX, read_inertia};
pub use body::{Body, Shape, Weight};
pub use camera::Camera;
pub use integrator::{Integrator, Orientation, SpatialMethod};

use super::{IndexedColor, Surface, contact, force, script};
use crate::schema::{Attribute, Limit};

pub use super::contact::SpatialResponse as Response;
pub use super::force::{Drag, Push};
/// One end of a spring; points of space.
pub type Anchor = force::Anchor<[f64; 3]>;
/// A spring between two anchors.
pub type Spring = force::Spring<[f64; 3]>;
/// A force on one body that changes in time.
pub type TimedForce = force::TimedForce<[f64; 3], [f64; 3]>;
/// Where a kinematic body is at a time; turns are axis times angle, in world axes.
pub type Key = script::Key<[f64; 3], [f64; 3]>;
/// A motion of a kinematic body for all times.
pub type Motion = script::Motion<[f64; 3], [f64; 3]>;
/// The paths of [`Motion`].
pub type Path = script::Path<[f64; 3], [f64; 3]>;
/// Detection and response of contact.
pub type CollisionHandling = contact::CollisionHandling<Response>;

/// Spatial bodies, forces on them, and their contact response.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpatialScene {
    /// How a step moves the bodies.
    pub integrator: Integrator,
    /// Points that polyhedra are made of; bodies may share them.
    pub vertices: Vec<[f64; 3]>,
    /// `rigidbody3dsphere`, `rigidbody3dbox`, `rigidbody3dpolyhedron` and `rigidbody3dhalfspace`,
    /// in document order: their order is their index.
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
    /// `rigidbody3dscript`: a body that is named here follows its keys and is moved by nothing
    /// else.
    pub keys: Vec<Key>,
    /// `rigidbody3duniformmotion` and `rigidbody3doscillation`: a body that is named here goes this
    /// way and is moved by nothing else.
    pub motions: Vec<Motion>,
    /// `rigidbody3dcollisionhandling`; bodies pass through each other when absent.
    pub contact: Option<CollisionHandling>,
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
    /// No bodies, no forces, no contact.
    pub fn new(integrator: Integrator) -> SpatialScene {
        SpatialScene {
            integrator,
            vertices: Vec::new(),
            bodies: Vec::new(),
            gravities: Vec::new(),
            springs: Vec::new(),
            drags: Vec::new(),
            pushes: Vec::new(),
            timed: Vec::new(),
            surfaces: Vec::new(),
            keys: Vec::new(),
            motions: Vec::new(),
            contact: None,
            frame_rate: FRAME_RATE,
            camera: None,
            body_colors: Vec::new(),
            spring_colors: Vec::new(),
        }
    }

    /// For each body, whether a script moves it: keys or a motion.
    pub fn kinematic(&self) -> Vec<bool> {
        let named = self.keys.iter().map(|key| key.body).chain(self.motions.iter().map(|motion| motion.body));
        super::marked(self.bodies.len(), named)
    }

    /// The tag of a body in a file, and which one of that tag it is; `None` when there is no such
    /// body.
    pub fn tag_of(&self, body: usize) -> Option<(&'static str, usize)> {
        let tag = self.bodies.get(body)?.shape.tag();
        Some((tag, self.bodies[..body].iter().filter(|other| other.shape.tag() == tag).count()))
    }
}

/// Frames a second when a scene does not say: that of film, and of the lecture's loop.
pub const FRAME_RATE: f64 = 24.0;

/// Attributes of `rigidbody3doutput`.
pub(crate) const OUTPUT: [Attribute; 1] =
    [Attribute::number("fps", Limit::Positive, "1/s", "Frames in a second of simulated time.")
        .or("24.0")
        .ours()];
