//! How far a pair (λ, w) is from 0 ≤ λ ⊥ w ≥ 0.

/// The three parts of the optimality conditions. All are zero for an exact solution.
///
/// Complementarity is measured as min(λₖ aₖₖ, wₖ), where aₖₖ is the diagonal of A, so that both
/// terms have the unit of w and the number says by how much w is wrong: the product λₖwₖ would hide
/// an error behind a small λ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KktResidual {
    /// Largest max(0, −w).
    pub violation: f64,
    /// Largest max(0, −λ).
    pub negativity: f64,
    /// Largest min(λ a, w), where positive.
    pub complementarity: f64,
}

impl KktResidual {
    /// Residual of one row. A w that is no number is infinitely wrong.
    pub fn of_row(lambda: f64, w: f64, diagonal: f64) -> KktResidual {
        KktResidual {
            violation: if w >= 0.0 {
                0.0
            } else if w.is_nan() {
                f64::INFINITY
            } else {
                -w
            },
            negativity: (-lambda).max(0.0),
            complementarity: (lambda * diagonal).min(w).max(0.0),
        }
    }

    /// Residual of all rows; the three slices have one length.
    pub fn of_rows(lambda: &[f64], w: &[f64], diagonal: &[f64]) -> KktResidual {
        lambda
            .iter()
            .zip(w)
            .zip(diagonal)
            .fold(KktResidual::default(), |worst, ((&l, &w), &a)| worst.max(KktResidual::of_row(l, w, a)))
    }

    /// The worst of two, entry by entry. NaN counts as worst.
    pub fn max(self, other: KktResidual) -> KktResidual {
        let worse = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
        KktResidual {
            violation: worse(self.violation, other.violation),
            negativity: worse(self.negativity, other.negativity),
            complementarity: worse(self.complementarity, other.complementarity),
        }
    }

    /// The largest entry.
    pub fn worst(&self) -> f64 {
        self.violation.max(self.negativity).max(self.complementarity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_sees_its_own_error() {
        let clean = KktResidual::of_rows(&[1.0, 0.0], &[0.0, 2.0], &[1.0, 1.0]);
        assert_eq!(clean.worst(), 0.0);
        assert_eq!(KktResidual::of_row(0.0, -0.5, 1.0).violation, 0.5);
        assert_eq!(KktResidual::of_row(-0.25, 0.0, 1.0).negativity, 0.25);
        assert_eq!(KktResidual::of_row(3.0, 0.125, 2.0).complementarity, 0.125);
        assert_eq!(KktResidual::of_row(0.125, 3.0, 2.0).complementarity, 0.25);
    }
}
