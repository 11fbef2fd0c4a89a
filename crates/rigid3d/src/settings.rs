//! How a world is stepped.

use crate::integrator::Integrator;
use crate::orientation::OrientationKind;

/// Everything that is chosen, none of it part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Step length in seconds, above 0.
    pub dt: f64,
    /// How free bodies are moved.
    pub integrator: Integrator,
    /// How orientations are kept.
    pub orientation: OrientationKind,
    /// What happens where bodies touch; they pass through each other when absent.
    pub contact: Option<ContactSettings>,
}

impl Settings {
    /// What a world does with these settings: only symplectic Euler can respond before it moves.
    pub(crate) fn as_followed(self) -> Self {
        let symplectic = self.integrator == Integrator::SymplecticEuler;
        let follow = |contact: ContactSettings| ContactSettings {
            order: if symplectic { contact.order } else { Order::MoveThenRespond },
            tolerance: contact.tolerance.filter(|_| contact.response.is_simultaneous()),
            ..contact
        };
        Self { contact: self.contact.map(follow), ..self }
    }
}

/// What happens where bodies touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// How contacts are answered.
    pub response: Response,
    /// Coefficient of restitution ε, 0 (no bounce) to 1 (nothing lost).
    pub restitution: f64,
    /// Coulomb's coefficient of friction, at least 0. The cone is approximated by a pyramid of four sides, the first tangent along
    /// the direction of sliding: exact for a contact that slides on in that direction or sticks. A step whose solver finds no
    /// answer with friction is done without it, and its status says so.
    pub friction: f64,
    /// How exactly `lcp` and `velocity-projection` are solved: until no contact's speed is wrong by more than this, in metres a second, friction
    /// included. Cheaper where thousands of contacts settle. As exactly as can be when absent; above 0.
    pub tolerance: Option<f64>,
    /// Bodies touch when their gap is at most this fraction of the extent of the smaller one. Above 0, so that bodies that
    /// are placed to touch exactly do so whatever rounding says.
    pub touching: f64,
    /// What comes first.
    pub order: Order,
    /// What is done about bodies that overlap.
    pub overlap: Overlap,
    /// Step back to the time of contact, by bisection.
    pub time_of_contact: Option<TimeOfContact>,
}

/// How contacts are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Response {
    /// The lecture's loop: colliding contacts one at a time until none collides. What then still approaches more slowly than the
    /// threshold rests: it is stopped by one simultaneous solve without bounce.
    Impulse(ImpulseLoop),
    /// All at once, by a linear complementarity problem.
    Lcp,
    /// All at once, by the nearest velocity that no contact forbids. The same velocities as `Lcp`.
    VelocityProjection,
    /// Generalized Reflection (Smith et al. 2012) over `Lcp`.
    ReflectionLcp,
    /// Generalized Reflection over `VelocityProjection`.
    ReflectionVelocityProjection,
}

impl Response {
    /// Whether all contacts are solved at once, without reflection.
    pub(crate) fn is_simultaneous(self) -> bool {
        matches!(self, Response::Lcp | Response::VelocityProjection)
    }
}

/// Settings of the lecture's loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpulseLoop {
    /// Speed in metres a second that tells colliding from resting: the lecture's THRESHOLD; at least 0.
    pub threshold: f64,
    /// Passes over all contacts after which the loop gives up with the status `LimitReached`.
    pub most_passes: u32,
}

impl Default for ImpulseLoop {
    /// Slower than anything seen; passes for the chains of impacts of real scenes (equal balls in a row need one a ball).
    fn default() -> Self {
        Self { threshold: 1e-6, most_passes: 10_000 }
    }
}

/// When stepping back to the time of contact is good enough.
///
/// Only what overlaps at the end of a step is stepped back from: a body that passes through another within one step is not
/// seen. Where a step has too many contacts (bodies that come to rest), what is left of it is done without bounce.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeOfContact {
    /// The time is found to this part of a step, above 0 and at most 1.
    pub time: f64,
    /// Overlap up to this fraction of the smaller extent counts as touching, above the touching tolerance.
    pub depth: f64,
}

impl Default for TimeOfContact {
    /// Fine enough that the depth is still reached at a thousand extents a step.
    fn default() -> Self {
        Self { time: 1e-12, depth: 1e-8 }
    }
}

/// What comes first in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Move, look who touches, mend velocities. Bodies overlap by up to a step's way at an impact.
    MoveThenRespond,
    /// Push velocities, look who may touch within the step, choose velocities that close no gap too far, then move with
    /// them: bodies meet at touch and stay there. This is symplectic Euler; a world with another integrator moves first.
    RespondThenMove,
}

/// What is done about bodies that overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Overlap {
    /// Nothing; the step report says how deep it is.
    Leave,
    /// Positions are moved apart, by the least motion weighed by mass, when an overlap is deeper than this fraction of the
    /// extent of the smaller body. Velocities are not touched.
    Project {
        /// The fraction, at least 0.
        beyond: f64,
    },
}

/// Gaps up to this fraction of the smaller body's extent count as touching: far above rounding, far below sight.
pub const TOUCHING: f64 = 1e-9;

/// Overlap up to this fraction of the smaller body's extent is not worth moving bodies for.
pub const HARMLESS_OVERLAP: f64 = 1e-6;

/// ε of the lecture's `FindAllCollisions`.
const LECTURE_RESTITUTION: f64 = 0.5;

impl ContactSettings {
    /// The defaults of a response: reflections bounce fully, the loop as in the lecture, the others not at all. What does not
    /// bounce responds first and then moves; what bounces moves first.
    pub fn new(response: Response) -> Self {
        let restitution = match response {
            Response::ReflectionLcp | Response::ReflectionVelocityProjection => 1.0,
            Response::Impulse(_) => LECTURE_RESTITUTION,
            Response::Lcp | Response::VelocityProjection => 0.0,
        };
        Self::with_restitution(response, restitution)
    }

    /// The defaults of a response with a given restitution.
    pub fn with_restitution(response: Response, restitution: f64) -> Self {
        let project = Overlap::Project { beyond: HARMLESS_OVERLAP };
        let (order, overlap) = match (response.is_simultaneous() && restitution == 0.0, response) {
            (true, _) => (Order::RespondThenMove, project),
            (false, Response::Impulse(_)) => (Order::MoveThenRespond, project),
            (false, _) => (Order::MoveThenRespond, Overlap::Leave),
        };
        Self {
            response,
            restitution,
            friction: 0.0,
            tolerance: None,
            touching: TOUCHING,
            order,
            overlap,
            time_of_contact: None,
        }
    }

    /// The same without bounce, by one simultaneous solve.
    pub(crate) fn without_bounce(self) -> Self {
        Self { response: Response::VelocityProjection, restitution: 0.0, ..self }
    }
}
