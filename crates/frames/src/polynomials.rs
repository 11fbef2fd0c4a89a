//! The polynomials of collision tests, which the course's files list.

/// The polynomials of a continuous-time or hybrid record, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Polynomials {
    /// Number of coefficients of each.
    pub lengths: Vec<u32>,
    /// All coefficients, highest power first.
    pub coefficients: Vec<f64>,
}

impl Polynomials {
    /// Removes all of them and keeps their memory.
    pub fn clear(&mut self) {
        self.lengths.clear();
        self.coefficients.clear();
    }
}
