//! Numbers from bytes.

/// Takes numbers off an input; zeros once it is used up.
pub(crate) struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl<'a> Numbers<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self(input.iter())
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// From −1 to 1, in 2⁻⁷.
    pub(crate) fn signed(&mut self) -> f64 {
        f64::from(self.byte() as i8) / 128.0
    }

    /// A power of ten from 10⁻³ to 10³, or often 1.
    pub(crate) fn scale(&mut self) -> f64 {
        [1.0, 1.0, 1.0, 1.0, 1e-3, 0.1, 10.0, 1e3][self.below(8)]
    }
}
