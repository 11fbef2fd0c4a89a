//! How a world is stepped.

use crate::force::Penalty;
use crate::integrator::Integrator;

/// Everything that is chosen, none of it part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Step length in seconds, above 0.
    pub dt: f64,
    /// How free bodies are moved.
    pub integrator: Integrator,
    /// What happens where bodies touch; they pass through each other when absent.
    pub contact: Option<ContactSettings>,
    /// Follow the course's program to the letter where it differs from what is right; see docs/course-compatibility.md.
    pub course: bool,
}

impl Settings {
    /// What a world does with these settings: course mode overrules what the course does not know, only symplectic Euler can
    /// respond before it moves, and penalty forces know no moment of contact.
    pub(crate) fn as_followed(self) -> Self {
        let symplectic = self.integrator == Integrator::SymplecticEuler;
        let is_force = |contact: &ContactSettings| matches!(contact.response, Response::Penalty(_));
        let follow = |contact: ContactSettings| ContactSettings {
            order: if self.course || !symplectic || is_force(&contact) {
                Order::MoveThenRespond
            } else {
                contact.order
            },
            overlap: if self.course { Overlap::Leave } else { contact.overlap },
            tolerance: contact.tolerance.filter(|_| !self.course && contact.response.is_simultaneous()),
            time_of_contact: contact.time_of_contact && !self.course && !is_force(&contact),
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
    /// Coefficient of restitution, 0 (no bounce) to 1 (nothing lost). Penalty forces do not use it.
    pub restitution: f64,
    /// Coulomb's coefficient of friction, at least 0. Penalty forces do not use it.
    pub friction: f64,
    /// How exactly `lcp` and `velocity-projection` are solved: until no contact's speed is wrong by more than this. Cheaper where
    /// thousands of contacts settle. As exactly as can be when absent; above 0.
    pub tolerance: Option<f64>,
    /// Bodies touch when their gap is at most this fraction of the extent of the smaller one. Above 0, so that bodies that
    /// are placed to touch exactly do so whatever rounding says. Not used in course mode, whose rule is strict.
    pub touching: f64,
    /// What comes first. Course mode always moves first.
    pub order: Order,
    /// What is done about bodies that overlap. Course mode leaves them.
    pub overlap: Overlap,
    /// Stop at each time of contact within the step, so that nothing passes through anything. Works with
    /// [`Order::MoveThenRespond`] and moves with the velocities that forces gave, as symplectic Euler does, whatever the
    /// integrator; not used in course mode.
    pub time_of_contact: bool,
}

/// How contacts are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Response {
    /// One contact after the other, each with its own impulse.
    Impulse,
    /// A spring pushes what is nearer than a thickness apart: a force, not an impulse.
    Penalty(Penalty),
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

/// What comes first in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Move, look who touches, mend velocities: the course's order. Bodies overlap by up to a step's way at an impact.
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

/// Restitution of the asteroids in the exercise that the impulse response comes from.
const ASTEROID_RESTITUTION: f64 = 0.9;

impl ContactSettings {
    /// The defaults of a response: reflections bounce fully, impulses as in the exercise they come from, the others not at
    /// all. What does not bounce responds first and then moves; what bounces moves first.
    pub fn new(response: Response) -> Self {
        let restitution = match response {
            Response::ReflectionLcp | Response::ReflectionVelocityProjection => 1.0,
            Response::Impulse => ASTEROID_RESTITUTION,
            Response::Lcp | Response::VelocityProjection | Response::Penalty(_) => 0.0,
        };
        Self::with_restitution(response, restitution)
    }

    /// The defaults of a response with a given restitution.
    pub fn with_restitution(response: Response, restitution: f64) -> Self {
        let (order, overlap) = match (response.is_simultaneous() && restitution == 0.0, response) {
            (true, _) => (Order::RespondThenMove, Overlap::Project { beyond: HARMLESS_OVERLAP }),
            (false, Response::Impulse) => {
                (Order::MoveThenRespond, Overlap::Project { beyond: HARMLESS_OVERLAP })
            }
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
            time_of_contact: false,
        }
    }

    /// Whether a step looks for contacts where it ends, so that its report says how deep bodies overlap there.
    pub fn looks_last(&self) -> bool {
        self.order == Order::MoveThenRespond && self.overlap == Overlap::Leave && !self.time_of_contact
    }

    /// The same without bounce, by one simultaneous solve: how the rest of a step with too many impacts is done.
    pub(crate) fn without_bounce(self) -> Self {
        Self { response: Response::VelocityProjection, restitution: 0.0, ..self }
    }

    /// What the course's program does.
    pub fn course(response: Response) -> Self {
        Self { order: Order::MoveThenRespond, overlap: Overlap::Leave, ..Self::new(response) }
    }
}
