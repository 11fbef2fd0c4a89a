//! How collisions are answered.

pub use carom_geometry::plane::broad_phase::BroadPhaseMethod;

/// The answer to collisions, with the laws that it follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollisionSettings {
    /// Which method.
    pub response: Response,
    /// Newtonian coefficient of restitution: relative speed along the normal after an impact over
    /// that before. From 0 to 1 in nature; not checked, as in the course's program. Default 1, the
    /// course's.
    pub restitution: f64,
    /// Coulomb's coefficient of friction, not negative. Default 0, no friction.
    pub friction: f64,
    /// Two things touch when their distance is below the sum of their radii times one plus this.
    /// Positive, small. Default 1e-9: far above rounding, far below what is seen. Without effect
    /// under [`crate::ParticleSettings::course`], where the comparison is strict.
    pub touch_tolerance: f64,
    /// How pairs that may touch are found. Changes no answer.
    pub broad_phase: BroadPhaseMethod,
}

impl Default for CollisionSettings {
    fn default() -> Self {
        Self {
            response: Response::None,
            restitution: 1.0,
            friction: 0.0,
            touch_tolerance: 1e-9,
            broad_phase: BroadPhaseMethod::default(),
        }
    }
}

/// The methods. One file each in `collision/`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Response {
    /// Things pass through each other.
    #[default]
    None,
    /// Impulses after the step, pair by pair. Positions are not changed.
    Simple,
    /// Springs push what is too near apart: a force, not an impulse.
    Penalty(Penalty),
    /// Impacts at their instants, one impulse after the other.
    ContinuousTime,
    /// The same. In the course's order of a step: contacts at their time, each followed by the rest
    /// of the step.
    BackUp {
        /// Most events in a step of the course's order; the later half of them is inelastic.
        max_events: u32,
    },
    /// Impacts at their instants, all that touch at once by velocity projection. In the course's
    /// order: impulses at the mean velocity, repeated until nothing touches on the way.
    Simultaneous {
        /// Most passes of the course's order; the later half of them is inelastic.
        max_iterations: u32,
    },
    /// Impacts at their instants, one impulse after the other. In the course's order: elastic
    /// impacts on the velocities at the start of the step, then inelastic ones on the mean
    /// velocity.
    Elastic {
        /// Passes of the elastic law in the course's order.
        elastic_iterations: u32,
        /// Most passes of the inelastic law in the course's order.
        max_iterations: u32,
    },
    /// Impacts at their instants, each as one contact problem, solved at once: `lcp`,
    /// `velocity-projection` and Generalized Reflection over either. In the course's order: what
    /// touches at the end of the step; positions stay.
    Contact(carom_contact::Response),
    /// A repulsion of what is near and slow, then impacts at their instants. In the course's order:
    /// the repulsion of all that is near, impulses on all pairs at once, impact zones that move
    /// rigidly.
    Hybrid {
        /// The repulsion; a stiffness of 0 turns it off.
        penalty: Penalty,
        /// Most passes of impulses before impact zones, in the course's order.
        max_iterations: u32,
    },
}

impl Response {
    /// Whether it changes velocities at once where things touch. What passes through and what
    /// springs push does not.
    pub fn has_impulses(&self) -> bool {
        !matches!(self, Self::None | Self::Penalty(_))
    }

    /// How impacts are answered at their instants; none for methods that know no instants.
    pub(crate) fn at_instants(&self) -> Option<carom_stepping::Response> {
        use carom_contact::{Reflection, Simultaneous as Solver};
        use carom_stepping::Response as Answer;
        let solved = |solver: &Solver, one, other| if *solver == Solver::Lcp { one } else { other };
        match self {
            Self::None | Self::Simple | Self::Penalty(_) => None,
            Self::ContinuousTime | Self::BackUp { .. } | Self::Elastic { .. } | Self::Hybrid { .. } => {
                Some(Answer::Impulse)
            }
            Self::Simultaneous { .. } => Some(Answer::VelocityProjection),
            Self::Contact(response) => Some(match response {
                carom_contact::Response::Impulses => Answer::Impulse,
                carom_contact::Response::Simultaneous(solver) => {
                    solved(solver, Answer::Lcp, Answer::VelocityProjection)
                }
                carom_contact::Response::ToTolerance(within) => {
                    solved(&within.method, Answer::Lcp, Answer::VelocityProjection)
                }
                carom_contact::Response::GeneralizedReflection(Reflection { inner, .. }) => {
                    solved(inner, Answer::ReflectionLcp, Answer::ReflectionVelocityProjection)
                }
            }),
        }
    }

    /// The repulsion that goes with the method.
    pub fn penalty(&self) -> Option<Penalty> {
        match *self {
            Self::Penalty(penalty) | Self::Hybrid { penalty, .. } => Some(penalty),
            _ => None,
        }
    }
}

/// The spring that pushes apart what is nearer than its thickness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// Stiffness k in newtons per metre.
    pub stiffness: f64,
    /// Distance beyond the radii at which it begins, in metres.
    pub thickness: f64,
}
