//! What can be wrong with a contact problem.

use std::fmt;

/// Why numbers are no contact problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemError {
    /// An array has the wrong length.
    WrongLength {
        /// Which array.
        what: &'static str,
        /// Its length.
        length: usize,
        /// The length that fits the others.
        expected: usize,
    },
    /// A matrix entry lies outside of the matrix.
    IndexOutOfRange {
        /// The larger of row and column.
        index: usize,
        /// Size of the matrix.
        size: usize,
    },
    /// A number is infinite or not a number.
    NotFinite(&'static str),
    /// A cone has a wrong dimension or coefficient of friction.
    BadCone {
        /// The contact.
        contact: usize,
    },
    /// W has a negative diagonal entry, so it comes from no mass matrix.
    NotSemidefinite {
        /// The contact.
        contact: usize,
    },
    /// The mass matrix is not symmetric positive definite.
    MassNotDefinite,
    /// The matrix would not fit into memory.
    TooLarge,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { what, length, expected } => {
                write!(f, "{what} has {length} entries, expected {expected}")
            }
            Self::IndexOutOfRange { index, size } => {
                write!(f, "matrix entry at index {index}, beyond the size {size}")
            }
            Self::NotFinite(what) => write!(f, "{what} has an entry that is not finite"),
            Self::BadCone { contact } => write!(
                f,
                "contact {contact} has an invalid cone (the coefficient of friction must be finite and not negative)"
            ),
            Self::NotSemidefinite { contact } => {
                write!(f, "the Delassus matrix has a negative diagonal at contact {contact}")
            }
            Self::MassNotDefinite => f.write_str("the mass matrix is not symmetric positive definite"),
            Self::TooLarge => f.write_str("the problem is too large"),
        }
    }
}

impl std::error::Error for ProblemError {}
