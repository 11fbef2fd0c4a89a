//! What the impacts of a run came to.

use carom_frames::{Diagnostics, Impact};

/// Sums up contact problems and impacts. What no step reports is `None`, not zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Impacts {
    /// Steps in which contacts were responded to.
    pub steps: Option<u64>,
    /// Kinetic energy that all responses gained together, negative where it was lost.
    pub energy_change: Option<f64>,
    /// Largest |change of the linear momentum| by the responses of one step.
    pub largest_momentum_change: Option<f64>,
    /// Largest |change of the angular momentum about the origin| by the responses of one step.
    pub largest_angular_momentum_change: Option<f64>,
    /// Most rows of a contact problem, the size of A.
    pub most_contact_rows: Option<u32>,
    /// Most rows of an island.
    pub largest_island: Option<u32>,
}

impl Impacts {
    /// Takes one step into account.
    pub fn add(&mut self, diagnostics: &Diagnostics) {
        self.most_contact_rows = self.most_contact_rows.max(diagnostics.contact_rows);
        self.largest_island = self.largest_island.max(diagnostics.largest_island);
        let impact = &diagnostics.impact;
        let happened = match impact {
            Impact::Unknown => return,
            Impact::None => 0,
            Impact::Happened { .. } => 1,
        };
        *self.steps.get_or_insert_default() += happened;
        *self.energy_change.get_or_insert_default() += impact.kinetic_change();
        raise(&mut self.largest_momentum_change, length(impact.momentum_change()));
        raise(&mut self.largest_angular_momentum_change, length(impact.angular_momentum_change()));
    }
}

/// The larger one; NaN wins, so that it is seen.
fn raise(largest: &mut Option<f64>, value: f64) {
    if largest.is_none_or(|largest| value > largest || value.is_nan()) {
        *largest = Some(value);
    }
}

/// The length of a vector, also where its square is beyond the largest number.
pub(crate) fn length(vector: [f64; 3]) -> f64 {
    let plain = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    let largest = vector.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if plain.is_infinite() && largest.is_finite() {
        return largest * length(vector.map(|x| x / largest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(impact: Impact, contact_rows: Option<u32>) -> Diagnostics {
        Diagnostics { impact, contact_rows, ..Diagnostics::default() }
    }

    #[test]
    fn what_no_step_tells_is_not_zero() {
        let mut impacts = Impacts::default();
        impacts.add(&step(Impact::Unknown, None));
        assert_eq!(impacts, Impacts::default());
        impacts.add(&step(Impact::None, Some(0)));
        assert_eq!(
            (impacts.steps, impacts.energy_change, impacts.most_contact_rows),
            (Some(0), Some(0.0), Some(0))
        );
        assert_eq!(impacts.largest_island, None);
    }

    #[test]
    fn lengths_have_no_square_that_overflows() {
        assert!((length([3e200, -4e200, 0.0]) / 5e200 - 1.0).abs() < 1e-15);
        assert_eq!(length([0.0, 3.0, 4.0]), 5.0);
        assert!(length([f64::INFINITY, 0.0, 0.0]).is_infinite() && length([f64::NAN, 1e200, 0.0]).is_nan());
    }

    #[test]
    fn changes_of_energy_add_up_and_the_largest_change_of_momentum_is_kept() {
        let mut impacts = Impacts::default();
        for (after, change, rows) in [(1.5, 3.0, 2), (1.75, -5.0, 9), (2.0, 0.0, 1)] {
            let impact = Impact::Happened {
                kinetic_before: 2.0,
                kinetic_after: after,
                momentum_change: [change, 0.0, 0.0],
                angular_momentum_change: [0.0, 0.0, 2.0 * change],
            };
            impacts.add(&step(impact, Some(rows)));
        }
        impacts.add(&step(Impact::None, Some(0)));
        assert_eq!((impacts.steps, impacts.energy_change), (Some(3), Some(-0.75)));
        assert_eq!(impacts.largest_momentum_change, Some(5.0));
        assert_eq!(impacts.largest_angular_momentum_change, Some(10.0));
        assert_eq!(impacts.most_contact_rows, Some(9));
    }
}
