//! One moment of a run, as plain data: everything that files, pictures, plots and comparisons need.

/// The kind of system that a frame shows, and so the layout of its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Family {
    /// Two-dimensional particles: x y for each, in positions and in velocities.
    Particles,
    /// Planar rigid bodies: x y θ for each in positions, vx vy ω in velocities.
    RigidBodies,
    /// Spatial rigid bodies: x y z of the centre of mass and the unit quaternion w x y z from body
    /// axes to world axes for each in positions; vx vy vz and ωx ωy ωz in world axes in velocities.
    /// A quaternion and its negative are the same orientation.
    SpatialBodies,
}

impl Family {
    /// Numbers a body has in positions.
    pub fn coordinates(self) -> usize {
        match self {
            Family::Particles => 2,
            Family::RigidBodies => 3,
            Family::SpatialBodies => 7,
        }
    }

    /// Numbers a body has in velocities.
    pub fn degrees_of_freedom(self) -> usize {
        match self {
            Family::Particles => 2,
            Family::RigidBodies => 3,
            Family::SpatialBodies => 6,
        }
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Family::Particles => "particles",
            Family::RigidBodies => "rigid-bodies",
            Family::SpatialBodies => "spatial-bodies",
        }
    }
}

/// One moment of a run.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Steps since the start: 0 is the state that the scene describes.
    pub step: u64,
    /// Simulated seconds since the start.
    pub time: f64,
    /// Positions of all bodies, laid out by [`Family`].
    pub positions: Vec<f64>,
    /// Velocities of all bodies, laid out by [`Family`].
    pub velocities: Vec<f64>,
    /// Energy and momentum.
    pub quantities: Quantities,
    /// What touched in the step that led here.
    pub contacts: Vec<Contact>,
    /// How the step that led here went.
    pub diagnostics: Diagnostics,
    /// A state inside the step that the course's files also hold (hybrid collisions: after the
    /// impulses); usually absent.
    pub intermediate: Option<Intermediate>,
    /// What a method remembers from step to step beyond the state (warm starts); needed to resume
    /// to the same bits.
    pub memory: Vec<f64>,
}

/// A state between two frames.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Intermediate {
    /// Positions, laid out as in the frame.
    pub positions: Vec<f64>,
    /// Velocities, laid out as in the frame.
    pub velocities: Vec<f64>,
}

/// Energy and momentum of the whole system, and of each body where the course's files hold them.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quantities {
    /// Kinetic energy of all bodies that can move.
    pub kinetic: f64,
    /// Potential energy of every force that has one, fixed bodies included, as in the course's
    /// files.
    pub potential: f64,
    /// Linear momentum of all bodies that can move.
    pub momentum: [f64; 3],
    /// Angular momentum about the origin of all bodies that can move; the third entry is the planar
    /// one.
    pub angular_momentum: [f64; 3],
    /// Deepest overlap of two bodies in length units, 0 when none overlap; not a number where it is
    /// not known.
    pub deepest_penetration: f64,
}

impl Quantities {
    /// Nothing is known: the file or the run does not say. Entries that no known plane or space
    /// has together: the momentum of a plane ends in 0.
    pub const UNKNOWN: Quantities = Quantities {
        kinetic: f64::NAN,
        potential: f64::NAN,
        momentum: [f64::NAN; 3],
        angular_momentum: [f64::NAN; 3],
        deepest_penetration: f64::NAN,
    };

    /// Whether energies and momenta are known. Those of a state that is not finite are known, and
    /// not numbers.
    pub fn are_known(&self) -> bool {
        let numbers = [self.momentum, self.angular_momentum];
        !self.kinetic.is_nan()
            || !self.potential.is_nan()
            || !numbers.as_flattened().iter().all(|x| x.is_nan())
    }
}

/// The kind of pair that touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum ContactKind {
    /// Two particles.
    ParticleParticle,
    /// A particle and an edge.
    ParticleEdge,
    /// A particle and a half-plane.
    ParticleHalfPlane,
    /// Two rigid bodies.
    BodyBody,
}

impl ContactKind {
    /// All kinds, each at the place of its code.
    pub const ALL: [ContactKind; 4] = [
        ContactKind::ParticleParticle,
        ContactKind::ParticleEdge,
        ContactKind::ParticleHalfPlane,
        ContactKind::BodyBody,
    ];

    /// The number that stands for this kind in files; 0 to 2 are the course's.
    pub fn code(self) -> u32 {
        match self {
            ContactKind::ParticleParticle => 0,
            ContactKind::ParticleEdge => 1,
            ContactKind::ParticleHalfPlane => 2,
            ContactKind::BodyBody => 3,
        }
    }

    /// The kind that a number in a file stands for.
    pub fn from_code(code: u64) -> Option<ContactKind> {
        usize::try_from(code).ok().and_then(|code| ContactKind::ALL.get(code)).copied()
    }

    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            ContactKind::ParticleParticle => "particle-particle",
            ContactKind::ParticleEdge => "particle-edge",
            ContactKind::ParticleHalfPlane => "particle-half-plane",
            ContactKind::BodyBody => "body-body",
        }
    }
}

/// Two things that touched.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// What kind of pair.
    pub kind: ContactKind,
    /// The particle or body; the lower index of a pair of one kind.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// Where they touch, in world coordinates; three times not a number where the file does not
    /// tell.
    pub point: [f64; 3],
    /// The unit normal from first to second. Runs of the course's program, and particles under
    /// `simple`, have the shortest vector instead, whose length is the distance of the centre
    /// lines.
    pub normal: [f64; 3],
    /// Distance of the two surfaces where the contact was found, negative where they overlap: at
    /// [`Contact::time`] for an impact, at about 0 for contact that lasts. Not a number where the
    /// file does not say.
    pub gap: f64,
    /// When in the step they touched, from 0 to 1; 0 for methods that look only at one moment.
    pub time: f64,
    /// Impulse along the normal that pushed them apart; 0 when not known.
    pub impulse: f64,
    /// Impulse of friction on the second, in world coordinates; the first got the opposite. The
    /// whole impulse on the second is `impulse` times the unit normal, and this. Three times not a
    /// number where the file does not say.
    pub friction: [f64; 3],
}

/// How a step went: nothing is hidden. All of it is about the one step that led to the frame,
/// whichever steps are kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagnostics {
    /// 0 when all went well; otherwise the step did not converge or needed a fallback (the
    /// façade says which).
    pub status: u32,
    /// Iterations of the solver: Newton, contact or sweeps.
    pub iterations: u32,
    /// What the solver left unsolved.
    pub residual: f64,
    /// Contacts with an impulse.
    pub active_contacts: u32,
    /// Rows of the contact problem, the size of its matrix A: contacts that were solved for, pushed
    /// or not. `None` where the method has no such problem or the file does not say.
    pub contact_rows: Option<u32>,
    /// Rows of its largest island: of bodies that touch and were solved together. `None` as above.
    pub largest_island: Option<u32>,
    /// What the response to contact did to the motion.
    pub impact: Impact,
}

/// What the response to contact did to the motion of all bodies that can move, in one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Impact {
    /// Not known: the method has no impulses (none, penalty forces), no step led to the frame, or
    /// the file does not say.
    #[default]
    Unknown,
    /// There was nothing to respond to.
    None,
    /// Contacts were responded to.
    Happened {
        /// Kinetic energy just before.
        kinetic_before: f64,
        /// Kinetic energy just after.
        kinetic_after: f64,
        /// Change of the linear momentum.
        momentum_change: [f64; 3],
        /// Change of the angular momentum about the origin; the third entry is the planar one.
        angular_momentum_change: [f64; 3],
    },
}

impl Impact {
    /// Kinetic energy just before and just after; not a number unless something happened.
    pub fn kinetic(&self) -> [f64; 2] {
        match *self {
            Impact::Happened { kinetic_before, kinetic_after, .. } => [kinetic_before, kinetic_after],
            Impact::Unknown | Impact::None => [f64::NAN; 2],
        }
    }

    /// Kinetic energy that was gained, negative where it was lost; not a number where it is not
    /// known.
    pub fn kinetic_change(&self) -> f64 {
        match *self {
            Impact::Happened { kinetic_before, kinetic_after, .. } => kinetic_after - kinetic_before,
            Impact::None => 0.0,
            Impact::Unknown => f64::NAN,
        }
    }

    /// Change of the linear momentum; not a number where it is not known.
    pub fn momentum_change(&self) -> [f64; 3] {
        match *self {
            Impact::Happened { momentum_change, .. } => momentum_change,
            Impact::None => [0.0; 3],
            Impact::Unknown => [f64::NAN; 3],
        }
    }

    /// Change of the angular momentum about the origin; not a number where it is not known.
    pub fn angular_momentum_change(&self) -> [f64; 3] {
        match *self {
            Impact::Happened { angular_momentum_change, .. } => angular_momentum_change,
            Impact::None => [0.0; 3],
            Impact::Unknown => [f64::NAN; 3],
        }
    }
}
