//! One column η of N with M⁻¹η beside it: how a unit push at a contact acts on all velocities.

use crate::problem::Dof;

/// The most degrees of freedom one contact can touch: two spatial bodies of six each.
pub const MAX_ENTRIES: usize = 12;

/// A sparse direction in velocity space: a short sorted list of (degree of freedom, η, M⁻¹η).
///
/// Entries are sorted by degree of freedom, so that every sum over them has one order. A fixed object is
/// exactly η ≠ 0, M⁻¹η = 0: it counts in the gap speed and is not moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    len: u32,
    dof: [u32; MAX_ENTRIES],
    eta: [f64; MAX_ENTRIES],
    inverse_mass_eta: [f64; MAX_ENTRIES],
}

/// A direction with more than [`MAX_ENTRIES`] different degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEntries;

impl std::fmt::Display for TooManyEntries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a contact direction holds at most {MAX_ENTRIES} degrees of freedom")
    }
}

impl std::error::Error for TooManyEntries {}

impl Default for Direction {
    fn default() -> Self {
        Direction::EMPTY
    }
}

impl Direction {
    /// The direction that touches nothing.
    pub const EMPTY: Direction = Direction {
        len: 0,
        dof: [0; MAX_ENTRIES],
        eta: [0.0; MAX_ENTRIES],
        inverse_mass_eta: [0.0; MAX_ENTRIES],
    };

    /// A direction from (degree of freedom, η, M⁻¹η), in any order. A degree of freedom that appears
    /// twice is added up, as when both ends of an edge share a particle.
    pub fn new(entries: &[(Dof, f64, f64)]) -> Result<Direction, TooManyEntries> {
        let mut direction = Direction::EMPTY;
        for &(dof, eta, inverse_mass_eta) in entries {
            direction.push(dof, eta, inverse_mass_eta)?;
        }
        Ok(direction)
    }

    /// Adds one entry at its sorted place.
    pub fn push(&mut self, dof: Dof, eta: f64, inverse_mass_eta: f64) -> Result<(), TooManyEntries> {
        let len = self.len();
        let place = self.dof[..len].partition_point(|&d| d < dof.0);
        if place < len && self.dof[place] == dof.0 {
            self.eta[place] += eta;
            self.inverse_mass_eta[place] += inverse_mass_eta;
            return Ok(());
        }
        if len == MAX_ENTRIES {
            return Err(TooManyEntries);
        }
        self.dof.copy_within(place..len, place + 1);
        self.eta.copy_within(place..len, place + 1);
        self.inverse_mass_eta.copy_within(place..len, place + 1);
        self.dof[place] = dof.0;
        self.eta[place] = eta;
        self.inverse_mass_eta[place] = inverse_mass_eta;
        self.len += 1;
        Ok(())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// True if the direction touches nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries (degree of freedom, η, M⁻¹η) in rising order of degree of freedom.
    pub fn entries(&self) -> impl Iterator<Item = (Dof, f64, f64)> + '_ {
        (0..self.len()).map(|i| (Dof(self.dof[i]), self.eta[i], self.inverse_mass_eta[i]))
    }

    /// Speed at which the gap opens, ηᵀv; negative when the two sides approach.
    ///
    /// `velocity` must be long enough for every degree of freedom of the direction.
    pub fn gap_speed(&self, velocity: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.len() {
            sum += self.eta[i] * velocity[self.dof[i] as usize];
        }
        sum
    }

    /// How much a unit impulse along `other` changes this gap speed: ηᵀM⁻¹η′, an entry of A.
    pub fn coupling(&self, other: &Direction) -> f64 {
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while i < self.len() && j < other.len() {
            match self.dof[i].cmp(&other.dof[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    sum += self.eta[i] * other.inverse_mass_eta[j];
                    i += 1;
                    j += 1;
                }
            }
        }
        sum
    }

    /// Pushes with impulse λ: v += λ M⁻¹η.
    ///
    /// `velocity` must be long enough for every degree of freedom of the direction.
    pub fn apply_impulse(&self, velocity: &mut [f64], impulse: f64) {
        for i in 0..self.len() {
            velocity[self.dof[i] as usize] += impulse * self.inverse_mass_eta[i];
        }
    }

    /// The impulse that turns gap speed ηᵀv into −e ηᵀv: −(1 + e) ηᵀv / ηᵀM⁻¹η.
    ///
    /// Zero when nothing in the direction can move (ηᵀM⁻¹η = 0).
    pub fn reflecting_impulse(&self, velocity: &[f64], restitution: f64) -> f64 {
        let stiffness = self.coupling(self);
        if stiffness > 0.0 { -(1.0 + restitution) * self.gap_speed(velocity) / stiffness } else { 0.0 }
    }

    /// The same line, pointing the other way: −η.
    pub fn reversed(&self) -> Direction {
        let mut other = *self;
        for i in 0..self.len() {
            other.eta[i] = -other.eta[i];
            other.inverse_mass_eta[i] = -other.inverse_mass_eta[i];
        }
        other
    }

    /// True if every number is finite and every degree of freedom is below `dof_count`.
    pub fn is_valid(&self, dof_count: usize) -> bool {
        self.entries()
            .all(|(d, eta, scaled)| (d.0 as usize) < dof_count && eta.is_finite() && scaled.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_added_up() {
        let direction =
            Direction::new(&[(Dof(5), 1.0, 0.5), (Dof(2), -1.0, 0.0), (Dof(5), 2.0, 1.0)]).unwrap();
        let entries: Vec<_> = direction.entries().collect();
        assert_eq!(entries, [(Dof(2), -1.0, 0.0), (Dof(5), 3.0, 1.5)]);
        assert_eq!(direction.gap_speed(&[0.0, 0.0, 4.0, 0.0, 0.0, 1.0]), -1.0);
        assert!(direction.is_valid(6) && !direction.is_valid(5));
    }

    #[test]
    fn twelve_fit_and_thirteen_do_not() {
        let entries: Vec<_> = (0..13).map(|d| (Dof(d), 1.0, 1.0)).collect();
        assert_eq!(Direction::new(&entries[..12]).unwrap().len(), 12);
        assert_eq!(Direction::new(&entries), Err(TooManyEntries));
    }

    #[test]
    fn a_reflecting_impulse_reflects() {
        let direction = Direction::new(&[(Dof(0), -1.0, -0.5), (Dof(1), 1.0, 0.25)]).unwrap();
        let mut velocity = [1.0, -2.0];
        let impulse = direction.reflecting_impulse(&velocity, 0.5);
        direction.apply_impulse(&mut velocity, impulse);
        assert_eq!(direction.gap_speed(&velocity), 1.5);
        let fixed = Direction::new(&[(Dof(0), 1.0, 0.0)]).unwrap();
        assert_eq!(fixed.reflecting_impulse(&velocity, 1.0), 0.0);
        assert_eq!(direction.coupling(&fixed), 0.0);
        assert_eq!(fixed.coupling(&direction), -0.5, "the fixed side still sees what moves");
    }
}
