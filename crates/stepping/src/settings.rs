//! How contacts are answered.

use carom_contact::{Reflection, Simultaneous, ToTolerance};

/// Gaps up to this fraction of the smaller bounding radius count as closed: far above rounding, far
/// below sight.
pub const CONTACT_TOLERANCE: f64 = 1e-9;

/// Problems with friction up to this many contacts are always solved to solver precision...
pub(crate) const SOLVED_TO: usize = 24;
/// ...larger ones, where another solve follows, to this part of what forces add in a step.
pub(crate) const RESTING_TOLERANCE: f64 = 0.01;

/// A contact lands where it approaches so many times as fast as forces add in a step; what rests
/// has once that, and what the last step left of a tolerance.
const LANDING: f64 = 3.0;

/// Approach up to this part of the fastest speed is what rounding leaves of a contact that rests. A
/// reflection that took it for an approach, or not, as its sign happens to be, would answer the
/// same impact in two ways.
const RESTING_NOISE: f64 = 1e-9;

/// Restitution of the asteroids in the exercise that the impulse response comes from.
const ASTEROID_RESTITUTION: f64 = 0.9;

/// What happens where bodies touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// How impacts are answered.
    pub response: Response,
    /// Coefficient of restitution, 0 (no bounce) to 1 (nothing lost).
    pub restitution: f64,
    /// Coulomb's coefficient of friction, at least 0.
    pub friction: f64,
    /// How exactly contact is solved, in metres a second: no contact's speed is wrong by more. To
    /// solver precision when absent; above 0.
    pub tolerance: Option<f64>,
    /// Bodies touch when their gap is at most this fraction of the bounding radius of the smaller
    /// one; at least 0, below 1.
    pub contact_tolerance: f64,
}

/// How an impact is answered: bodies that touch and approach change velocity at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Response {
    /// One contact after the other, each with its own impulse, until none approaches.
    Impulse,
    /// All at once, by a linear complementarity problem.
    Lcp,
    /// All at once, by the nearest velocity that no contact forbids: the same velocities.
    VelocityProjection,
    /// Generalized Reflection (Smith et al. 2012) over `Lcp`.
    ReflectionLcp,
    /// Generalized Reflection over `VelocityProjection`.
    ReflectionVelocityProjection,
}

impl Response {
    /// Restitution where a scene names none: reflections bounce fully, impulses as in the exercise
    /// that they come from, the others not at all.
    pub fn usual_restitution(self) -> f64 {
        match self {
            Response::ReflectionLcp | Response::ReflectionVelocityProjection => 1.0,
            Response::Impulse => ASTEROID_RESTITUTION,
            Response::Lcp | Response::VelocityProjection => 0.0,
        }
    }

    /// The response of the contact crate.
    pub(crate) fn solved_by(self) -> carom_contact::Response {
        let over = |inner| {
            let relative_tolerance = RESTING_NOISE;
            carom_contact::Response::GeneralizedReflection(Reflection {
                inner,
                relative_tolerance,
                ..Reflection::DEFAULT
            })
        };
        match self {
            Response::Impulse => carom_contact::Response::Impulses,
            Response::Lcp => carom_contact::Response::LCP,
            Response::VelocityProjection => carom_contact::Response::VELOCITY_PROJECTION,
            Response::ReflectionLcp => over(Simultaneous::Lcp),
            Response::ReflectionVelocityProjection => over(Simultaneous::VelocityProjection),
        }
    }

    fn solver(self) -> Simultaneous {
        match self {
            Response::Lcp | Response::ReflectionLcp => Simultaneous::Lcp,
            _ => Simultaneous::VelocityProjection,
        }
    }
}

impl ContactSettings {
    /// The defaults of a response.
    pub fn new(response: Response) -> Self {
        Self::with_restitution(response, response.usual_restitution())
    }

    /// The defaults of a response with a given restitution.
    pub fn with_restitution(response: Response, restitution: f64) -> Self {
        Self { response, restitution, friction: 0.0, tolerance: None, contact_tolerance: CONTACT_TOLERANCE }
    }

    /// The response of contact, whatever answers impacts: without bounce, all at once.
    /// `gained` is what forces add to a speed in a step.
    pub(crate) fn contact_response(&self, last_few_alone: bool, gained: f64) -> carom_contact::Response {
        let method = self.response.solver();
        match self.tolerance {
            None => carom_contact::Response::Simultaneous(method),
            Some(tolerance) => {
                let landing = LANDING * gained.max(tolerance);
                let within = ToTolerance { method, tolerance, last_few_alone, landing };
                carom_contact::Response::ToTolerance(within)
            }
        }
    }

    /// The same to a tolerance, unless the settings name one or it is 0.
    pub(crate) fn resting_response(&self, tolerance: f64) -> carom_contact::Response {
        match self.contact_response(false, f64::INFINITY) {
            carom_contact::Response::Simultaneous(method) if tolerance > 0.0 => {
                let (last_few_alone, landing) = (false, f64::INFINITY);
                let within = ToTolerance { method, tolerance, last_few_alone, landing };
                carom_contact::Response::ToTolerance(within)
            }
            response => response,
        }
    }
}
