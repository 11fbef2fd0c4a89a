//! How a step went, in one word that files can hold.

/// The outcome of a step. Its code is stored in `Diagnostics::status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Status {
    /// All went well.
    Solved = 0,
    /// An iteration ended before it had converged; the residual says how far it came.
    NotConverged = 1,
    /// A position or velocity is not a finite number.
    NonFinite = 2,
    /// A status of a newer Carom.
    Unknown = u32::MAX,
}

impl Status {
    /// The status of a stored code.
    pub fn from_code(code: u32) -> Self {
        match code {
            0 => Self::Solved,
            1 => Self::NotConverged,
            2 => Self::NonFinite,
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
            Self::NonFinite => "left the finite numbers",
            Self::Unknown => "ended with a status that this version does not know",
        }
    }
}
