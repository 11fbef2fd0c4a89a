//! How a step went, in one word that files can hold.

/// The outcome of a step. Its code is stored in `Diagnostics::status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum StepStatus {
    /// All went well.
    Solved = 0,
    /// An iteration ended before it had converged; the residual says how far it came.
    NotConverged = 1,
    /// A position or velocity is not a finite number.
    NonFinite = 2,
    /// Generalized Reflection ended because velocities no longer changed, though something still
    /// approached by rounding.
    Stalled = 3,
    /// Contacts with friction were not solved, or friction wedged what must bounce; the residual
    /// says how far they are off.
    FrictionNotConverged = 4,
    /// The contact solver ended above its tolerance; the residual says how far.
    Inaccurate = 5,
    /// The contact solver reached its limit of sweeps or iterations.
    LimitReached = 6,
    /// No velocity satisfies all contacts: something is squeezed between things that cannot give
    /// way.
    Infeasible = 7,
    /// The contact problem held numbers that are not finite; velocities were left as they were.
    InvalidInput = 8,
    /// Impulses did not end within their cap, and groups of particles were moved rigidly.
    ImpactZones = 9,
    /// Restitution was given up in the later passes over collisions.
    Inelastic = 10,
    /// Impulses did not end within their cap: what still touched stayed where it was or was carried
    /// along.
    Stopped = 11,
    /// A penetration was accepted, with a velocity that leads out of it.
    Repelled = 12,
    /// The state is finite, but an energy or momentum of it is beyond the largest number.
    Overflow = 13,
    /// A status of a newer Carom.
    Unknown = u32::MAX,
}

impl StepStatus {
    /// How a contact response ended.
    pub(crate) fn of_contact(status: carom_contact::Status) -> Self {
        match status {
            carom_contact::Status::Solved => Self::Solved,
            carom_contact::Status::Stalled => Self::Stalled,
            carom_contact::Status::FrictionNotConverged => Self::FrictionNotConverged,
            carom_contact::Status::Inaccurate => Self::Inaccurate,
            carom_contact::Status::LimitReached => Self::LimitReached,
            carom_contact::Status::Infeasible => Self::Infeasible,
            carom_contact::Status::InvalidInput => Self::InvalidInput,
        }
    }

    /// The status of a stored code.
    pub fn from_code(code: u32) -> Self {
        match code {
            0 => Self::Solved,
            1 => Self::NotConverged,
            2 => Self::NonFinite,
            3 => Self::Stalled,
            4 => Self::FrictionNotConverged,
            5 => Self::Inaccurate,
            6 => Self::LimitReached,
            7 => Self::Infeasible,
            8 => Self::InvalidInput,
            9 => Self::ImpactZones,
            10 => Self::Inelastic,
            11 => Self::Stopped,
            12 => Self::Repelled,
            13 => Self::Overflow,
            _ => Self::Unknown,
        }
    }

    /// The code that files hold.
    pub fn code(self) -> u32 {
        self as u32
    }

    /// What happened, in words that follow "N steps".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Solved => "went well",
            Self::NotConverged => "did not converge",
            Self::NonFinite => "became non-finite",
            Self::Stalled => "ended with an approach at the level of rounding",
            Self::FrictionNotConverged => "ended with friction not converged",
            Self::Inaccurate => "ended above the solver's tolerance",
            Self::LimitReached => "reached the solver's limit",
            Self::Infeasible => "had contacts that contradict each other",
            Self::InvalidInput => "had contacts with numbers that are not finite",
            Self::ImpactZones => "needed impact zones: groups of particles were moved rigidly",
            Self::Inelastic => "gave up restitution in the later passes over collisions",
            Self::Stopped => "stopped what impulses could not part",
            Self::Repelled => "accepted a penetration and pushed out of it",
            Self::Overflow => "had an energy or momentum beyond the largest number",
            Self::Unknown => "ended with a status that this version does not know",
        }
    }
}
