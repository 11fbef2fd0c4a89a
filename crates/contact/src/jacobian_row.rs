//! One column η of N with M⁻¹η beside it: how a unit push at a contact acts on all velocities.

use crate::problem::Dof;

/// The most degrees of freedom one contact can touch: two spatial bodies of six each.
pub const MAX_ENTRIES: usize = 12;

/// One degree of freedom of a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entry {
    /// Which one.
    pub dof: Dof,
    /// η.
    pub eta: f64,
    /// M⁻¹η.
    pub inverse_mass_eta: f64,
}

/// A sparse direction in velocity space: a short sorted list of entries, as a problem is written
/// with it. Problems keep [`RowView`]s of the length they need.
///
/// Entries are sorted by degree of freedom, so that every sum over them has one order. A fixed
/// object is exactly η ≠ 0, M⁻¹η = 0: it counts in the gap speed and is not moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JacobianRow {
    len: u32,
    entries: [Entry; MAX_ENTRIES],
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

impl Default for JacobianRow {
    fn default() -> Self {
        JacobianRow::EMPTY
    }
}

impl JacobianRow {
    /// The direction that touches nothing.
    pub const EMPTY: JacobianRow = JacobianRow {
        len: 0,
        entries: [Entry { dof: Dof(0), eta: 0.0, inverse_mass_eta: 0.0 }; MAX_ENTRIES],
    };

    /// A direction from (degree of freedom, η, M⁻¹η), in any order. A degree of freedom that
    /// appears twice is added up, as when both ends of an edge share a particle.
    pub fn new(entries: &[(Dof, f64, f64)]) -> Result<JacobianRow, TooManyEntries> {
        let mut direction = JacobianRow::EMPTY;
        for &(dof, eta, inverse_mass_eta) in entries {
            direction.push(dof, eta, inverse_mass_eta)?;
        }
        Ok(direction)
    }

    /// Adds one entry at its sorted place.
    pub fn push(&mut self, dof: Dof, eta: f64, inverse_mass_eta: f64) -> Result<(), TooManyEntries> {
        let len = self.len as usize;
        let place = self.entries[..len].iter().rposition(|entry| entry.dof <= dof).map_or(0, |last| last + 1);
        if place > 0 && self.entries[place - 1].dof == dof {
            let entry = &mut self.entries[place - 1];
            entry.eta += eta;
            entry.inverse_mass_eta += inverse_mass_eta;
            return Ok(());
        }
        if len == MAX_ENTRIES {
            return Err(TooManyEntries);
        }
        self.entries.copy_within(place..len, place + 1);
        self.entries[place] = Entry { dof, eta, inverse_mass_eta };
        self.len += 1;
        Ok(())
    }

    /// The direction to calculate with.
    pub fn line(&self) -> RowView<'_> {
        RowView { entries: &self.entries[..self.len as usize] }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// True if the direction touches nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A direction as a problem keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowView<'a> {
    entries: &'a [Entry],
}

impl<'a> RowView<'a> {
    /// The entries (degree of freedom, η, M⁻¹η) in rising order of degree of freedom.
    pub fn entries(self) -> impl Iterator<Item = (Dof, f64, f64)> + 'a {
        self.entries.iter().map(|entry| (entry.dof, entry.eta, entry.inverse_mass_eta))
    }

    /// Speed at which the gap opens, ηᵀv; negative when the two sides approach.
    ///
    /// `velocity` must be long enough for every degree of freedom of the direction.
    pub fn gap_speed(self, velocity: &[f64]) -> f64 {
        self.entries.iter().fold(0.0, |sum, entry| sum + entry.eta * velocity[entry.dof.0 as usize])
    }

    /// How much a unit impulse along `other` changes this gap speed: ηᵀM⁻¹η′, an entry of A.
    pub fn delassus(self, other: RowView<'_>) -> f64 {
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while let (Some(here), Some(there)) = (self.entries.get(i), other.entries.get(j)) {
            match here.dof.cmp(&there.dof) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    sum += here.eta * there.inverse_mass_eta;
                    i += 1;
                    j += 1;
                }
            }
        }
        sum
    }

    /// How much a unit impulse changes its own gap speed: ηᵀM⁻¹η.
    pub fn inverse_mass(self) -> f64 {
        self.entries.iter().fold(0.0, |sum, entry| sum + entry.eta * entry.inverse_mass_eta)
    }

    /// Pushes with impulse λ: v += λ M⁻¹η.
    ///
    /// `velocity` must be long enough for every degree of freedom of the direction.
    pub fn apply_impulse(self, velocity: &mut [f64], impulse: f64) {
        for entry in self.entries {
            velocity[entry.dof.0 as usize] += impulse * entry.inverse_mass_eta;
        }
    }

    /// The impulse that turns gap speed ηᵀv into −e ηᵀv: −(1 + e) ηᵀv / ηᵀM⁻¹η.
    ///
    /// Zero when nothing in the direction can move (ηᵀM⁻¹η = 0).
    pub fn reflecting_impulse(self, velocity: &[f64], restitution: f64) -> f64 {
        let inverse_mass = self.inverse_mass();
        if inverse_mass > 0.0 { -(1.0 + restitution) * self.gap_speed(velocity) / inverse_mass } else { 0.0 }
    }

    /// True if every number is finite and every degree of freedom is below `dof_count`.
    pub fn is_valid(self, dof_count: usize) -> bool {
        let mut valid = true;
        for entry in self.entries {
            valid &= (entry.dof.0 as usize) < dof_count;
            valid &= entry.eta.is_finite() & entry.inverse_mass_eta.is_finite();
        }
        valid
    }

    /// A copy that can be changed.
    pub fn to_direction(self) -> JacobianRow {
        let mut direction = JacobianRow::EMPTY;
        direction.len = self.entries.len() as u32;
        direction.entries[..self.entries.len()].copy_from_slice(self.entries);
        direction
    }
}

/// Directions one after the other, each with the room it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowStore {
    /// Where each one ends in `entries`.
    end: Vec<u32>,
    entries: Vec<Entry>,
    /// Whether one was not finite, and one more than the last degree of freedom: checked while
    /// they are at hand.
    is_spoiled: bool,
    reach: u32,
}

impl RowStore {
    pub(crate) fn clear(&mut self) {
        self.end.clear();
        self.entries.clear();
        self.is_spoiled = false;
        self.reach = 0;
    }

    pub(crate) fn push(&mut self, direction: &JacobianRow) {
        let entries = direction.line().entries;
        self.is_spoiled |= !direction.line().is_valid(usize::MAX);
        self.reach = entries.last().map_or(self.reach, |last| self.reach.max(last.dof.0.saturating_add(1)));
        self.entries.extend_from_slice(entries);
        self.end.push(self.entries.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.end.len()
    }

    pub(crate) fn get(&self, k: usize) -> RowView<'_> {
        let start = if k == 0 { 0 } else { self.end[k - 1] };
        RowView { entries: &self.entries[start as usize..self.end[k] as usize] }
    }

    /// All entries of all directions are valid.
    pub(crate) fn are_valid(&self, dof_count: usize) -> bool {
        !self.is_spoiled && self.reach as usize <= dof_count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_added_up() {
        let direction =
            JacobianRow::new(&[(Dof(5), 1.0, 0.5), (Dof(2), -1.0, 0.0), (Dof(5), 2.0, 1.0)]).unwrap();
        let entries: Vec<_> = direction.line().entries().collect();
        assert_eq!(entries, [(Dof(2), -1.0, 0.0), (Dof(5), 3.0, 1.5)]);
        assert_eq!(direction.line().gap_speed(&[0.0, 0.0, 4.0, 0.0, 0.0, 1.0]), -1.0);
        assert!(direction.line().is_valid(6) && !direction.line().is_valid(5));
    }

    #[test]
    fn twelve_fit_and_thirteen_do_not() {
        let entries: Vec<_> = (0..13).map(|d| (Dof(d), 1.0, 1.0)).collect();
        assert_eq!(JacobianRow::new(&entries[..12]).unwrap().len(), 12);
        assert_eq!(JacobianRow::new(&entries), Err(TooManyEntries));
    }

    #[test]
    fn a_reflecting_impulse_reflects() {
        let direction = JacobianRow::new(&[(Dof(0), -1.0, -0.5), (Dof(1), 1.0, 0.25)]).unwrap();
        let mut velocity = [1.0, -2.0];
        let impulse = direction.line().reflecting_impulse(&velocity, 0.5);
        direction.line().apply_impulse(&mut velocity, impulse);
        assert_eq!(direction.line().gap_speed(&velocity), 1.5);
        let fixed = JacobianRow::new(&[(Dof(0), 1.0, 0.0)]).unwrap();
        assert_eq!(fixed.line().reflecting_impulse(&velocity, 1.0), 0.0);
        assert_eq!(direction.line().delassus(fixed.line()), 0.0);
        assert_eq!(fixed.line().delassus(direction.line()), -0.5, "the fixed side still sees what moves");
    }
}
