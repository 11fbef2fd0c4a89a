//! What the step asks of a family of bodies: shapes, masses and free motion. No policy.

use carom_contact::{ContactKey, ContactProblem};

/// The most degrees of freedom of a body: three of place, three of turning.
pub const MAX_DOF: usize = 6;

/// One number for each degree of freedom of a body: first of place, then of turning.
pub type Vector = [f64; MAX_DOF];

/// Two shapes that may touch, the lower number first.
pub type Pair = [u32; 2];

/// A body on its way: where it is, its velocity at this instant, and the acceleration that it
/// keeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion<P> {
    /// Where it is.
    pub pose: P,
    /// Velocity at this instant.
    pub velocity: Vector,
    /// Acceleration, constant until something happens.
    pub acceleration: Vector,
}

/// A body on its way, some time after a motion began. Apart from it because a family need not turn
/// a body by the same in one go as in two.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Path<P> {
    /// How it began.
    pub motion: Motion<P>,
    /// For how long it has lasted.
    pub since: f64,
}

impl<P> From<Motion<P>> for Path<P> {
    fn from(motion: Motion<P>) -> Self {
        Self { motion, since: 0.0 }
    }
}

/// The free motion of all bodies over a step, as if nothing touched.
#[derive(Debug, Clone, Default)]
pub struct Flight<P> {
    /// Where each body starts, with the velocity that is *stored* for it, and its acceleration.
    pub start: Vec<Motion<P>>,
    /// Mean velocity: displacement over the step, divided by its length.
    pub mean: Vec<Vector>,
    /// Where each body would end, and the velocity that would be stored.
    pub end: Vec<(P, Vector)>,
    /// σ: the stored velocity is the velocity at the instant plus σ h a. Symplectic Euler is
    /// leapfrog with velocities half a step behind (−½), explicit Euler half a step ahead (½);
    /// others are in step (0).
    pub shift: f64,
}

impl<P> Flight<P> {
    /// Forgets a step, keeps memory.
    pub fn clear(&mut self) {
        self.start.clear();
        self.mean.clear();
        self.end.clear();
    }
}

/// How far a body goes in a step, for the broad phase.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sweep {
    /// Displacement of its place.
    pub displacement: [f64; 3],
    /// Room on all sides.
    pub room: f64,
}

/// What the step needs to know of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactGap {
    /// Distance of the two surfaces; negative where they overlap.
    pub gap: f64,
    /// Gaps up to this count as closed.
    pub tolerance: f64,
    /// Bounding radius of the smaller of the two.
    pub extent: f64,
    /// Its identity from step to step.
    pub key: ContactKey,
}

impl ContactGap {
    /// Whether the surfaces touch or overlap.
    pub fn is_closed(&self) -> bool {
        self.gap <= self.tolerance
    }
}

/// Contact parameters of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Material {
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Speculative bias: approach that is harmless because the gap is open; negative where it must
    /// open.
    pub bias: f64,
}

/// Linear and angular momentum about the origin, and kinetic energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Momentum {
    /// Linear momentum.
    pub linear: [f64; 3],
    /// Angular momentum about the origin.
    pub angular: [f64; 3],
}

/// A family of bodies, as the step sees it.
///
/// Bodies are numbered from 0. Shapes are numbered too: a body's own shape has the body's number,
/// and shapes that several bodies carry (an edge between two particles) come after them.
pub trait Mechanics {
    /// Where a body is.
    type Pose: Copy + std::fmt::Debug + Default;
    /// A place where two shapes touch, or nearly so.
    type Contact: Copy + std::fmt::Debug;
    /// Degrees of freedom of a body.
    const DOF: usize;
    /// How many of them are of place.
    const LINEAR: usize;
    /// Whether [`Mechanics::relax`] lifts what sinks where contact is solved to a tolerance.
    const LIFTS: bool = false;

    /// Number of bodies.
    fn body_count(&self) -> usize;
    /// Whether forces and contact move the body.
    fn is_free(&self, body: usize) -> bool;
    /// Bounding radius of a body; infinite for a half-space.
    fn bounding_radius(&self, body: usize) -> f64;
    /// Whether a body is a ball around its place: turning leaves its surface where it is.
    fn is_round(&self, body: usize) -> bool {
        let _ = body;
        false
    }
    /// The bodies that carry a shape; twice the same where it is one.
    fn carriers(&self, shape: u32) -> [u32; 2];
    /// Bounding radius of the smaller of two shapes.
    fn extent(&self, pair: Pair) -> f64;
    /// Gaps up to this count as closed.
    fn tolerance(&self, pair: Pair) -> f64;

    /// Writes the free motion of a step. The state stays as it is.
    fn fly(&mut self, dt: f64, flight: &mut Flight<Self::Pose>);
    /// The motion of a body some time later.
    fn drift(&self, body: usize, motion: &Motion<Self::Pose>, time: f64) -> Motion<Self::Pose>;
    /// A pose, displaced.
    fn displaced(&self, body: usize, pose: &Self::Pose, by: &Vector) -> Self::Pose;
    /// A velocity of a body that is displaced and gains no energy by that: what turns takes its
    /// spin along.
    fn carried(&self, body: usize, velocity: &Vector, by: &Vector) -> Vector {
        let _ = (body, by);
        *velocity
    }
    /// The place of a pose.
    fn position(pose: &Self::Pose) -> [f64; 3];
    /// Where a body is in the state.
    fn pose(&self, body: usize) -> Self::Pose;
    /// Puts a body into the state where its free motion ends.
    fn land(&mut self, body: usize);
    /// Puts a body into the state.
    fn settle(&mut self, body: usize, pose: Self::Pose, velocity: &Vector);

    /// Places all bodies as the state has them and lists the pairs whose swept bounds meet, in
    /// rising order, pairs that nothing can move left out. False where there are more than `most`.
    fn pairs(&mut self, sweeps: &[Sweep], most: usize, pairs: &mut Vec<Pair>) -> bool;
    /// Adds the contacts of a pair, where all bodies were placed last, with gaps up to the
    /// tolerance and a margin.
    fn near(&mut self, pair: Pair, margin: f64, contacts: &mut Vec<Self::Contact>);
    /// The same at given poses.
    fn manifold(
        &mut self,
        pair: Pair,
        at: impl Fn(u32) -> Self::Pose,
        margin: f64,
        contacts: &mut Vec<Self::Contact>,
    );
    /// The first time in (0, `span`] at which parts of the two that do not touch now come to touch.
    fn first_meeting(&mut self, pair: Pair, of: impl Fn(u32) -> Path<Self::Pose>, span: f64) -> Option<f64>;
    /// What the step needs to know of a contact.
    fn touch(&self, contact: &Self::Contact) -> ContactGap;

    /// Adds to the gap of a contact whose bodies were moved.
    fn open(contact: &mut Self::Contact, by: f64);

    /// Adds the degrees of freedom of a body at a pose to a problem.
    fn push_body(&self, body: usize, pose: &Self::Pose, velocity: &Vector, problem: &mut ContactProblem);
    /// Adds a contact that was found at some poses to a problem. `place` numbers bodies in the
    /// problem.
    fn push_contact(
        &self,
        contact: &Self::Contact,
        at: impl Fn(u32) -> Self::Pose,
        place: impl Fn(u32) -> u32,
        material: Material,
        problem: &mut ContactProblem,
    );
    /// Momentum of a body about the origin.
    fn momentum(&self, body: usize, pose: &Self::Pose, velocity: &Vector) -> Momentum;
    /// Potential energy of the state.
    fn potential(&self) -> f64;

    /// Opens the small overlaps that solving to a tolerance leaves, deeper than `depth`, by moving
    /// bodies of the state. False where the family has no such way: then they are opened like
    /// others.
    fn relax(&mut self, contacts: &mut [Self::Contact], depth: f64) -> bool {
        let _ = (contacts, depth);
        false
    }
}
