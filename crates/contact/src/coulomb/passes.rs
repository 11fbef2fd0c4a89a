//! Gauss–Seidel passes that visit only contacts whose velocity may have changed.
//!
//! A visit solves a contact exactly (Jourdan, Alart and Jean, CMAME 155, 1998). From then on its
//! error is at most the change of its velocity by others, and by Cauchy and Schwarz
//! |Hᵀδv| ≤ Σ_b ‖H_b‖ ‖δv_b‖ over its bodies b, with ‖δv‖² = δvᵀMδv and ‖H‖² = tr HᵀM⁻¹H. So each
//! body counts the way that its velocity has gone, and a contact is left out while these ways
//! cannot have moved it by more than its margin: a part of the tolerance, and for an open contact
//! its opening speed besides. When a pass visits nothing, every contact is within the tolerance.

use super::cone::Local;
use super::rows::ConeRows;
use super::{Cone, one_contact};

/// Contacts with room for `N` columns, `D` rows and `B` bodies.
#[derive(Clone, Debug)]
pub(super) struct Passes<const N: usize, const D: usize, const B: usize> {
    contacts: Vec<Packed<N, D, B>>,
    /// The way of each body's velocity, in √J.
    ways: Vec<f64>,
}

/// A contact: all numbers of a visit side by side.
#[derive(Clone, Copy, Debug)]
struct Packed<const N: usize, const D: usize, const B: usize> {
    columns: [u32; N],
    bodies: [u32; B],
    eta: [[f64; N]; D],
    scaled: [[f64; N]; D],
    /// ‖H_b‖ of each body, and its way at the last visit.
    norms: [f64; B],
    seen: [f64; B],
    /// Change of velocity that is harmless.
    margin: f64,
}

impl<const N: usize, const D: usize, const B: usize> Passes<N, D, B> {
    /// Whether all contacts have room.
    pub(super) fn fits(rows: &ConeRows) -> bool {
        (0..rows.cones.len()).all(|i| {
            let (mut packed, mut count) = (Packed::<N, D, B>::EMPTY, [0; 2]);
            rows.range(i).len() <= D && rows.range(i).all(|row| packed.add(rows, row, 0, &mut count))
        })
    }

    /// Packs contacts.
    pub(super) fn load(&mut self, rows: &ConeRows) {
        self.contacts.clear();
        for i in 0..rows.cones.len() {
            let (mut packed, mut count) = (Packed::EMPTY, [0; 2]);
            for (d, row) in rows.range(i).enumerate() {
                packed.add(rows, row, d, &mut count);
            }
            packed.norms.iter_mut().for_each(|norm| *norm = norm.sqrt());
            self.contacts.push(packed);
        }
        self.ways.clear();
        self.ways.resize(rows.bodies.last().map_or(1, |&last| last as usize + 1), 0.0);
    }

    /// Forgets what was visited.
    pub(super) fn start(&mut self) {
        self.ways.fill(0.0);
        self.contacts.iter_mut().for_each(|contact| contact.seen = [f64::NEG_INFINITY; B]);
    }

    /// One pass over all contacts; returns how many changed by more than `large`, in velocity.
    pub(super) fn pass_all(&mut self, rows: &mut ConeRows, large: f64, backward: bool) -> usize {
        let Self { contacts, ways } = self;
        let count = contacts.len();
        let mut larger = 0;
        for k in 0..count {
            let i = if backward { count - 1 - k } else { k };
            larger += usize::from(contacts[i].visit(rows, ways, i, 0.0) > large);
        }
        larger
    }

    /// One pass; returns the number of visits. `harmless` is the change of velocity that needs none.
    pub(super) fn pass(&mut self, rows: &mut ConeRows, harmless: f64, backward: bool) -> usize {
        let Self { contacts, ways } = self;
        let count = contacts.len();
        let mut visits = 0;
        for k in 0..count {
            let i = if backward { count - 1 - k } else { k };
            let contact = &mut contacts[i];
            let way = |b: usize| ways[contact.bodies[b] as usize] - contact.seen[b];
            let moved = (0..B).fold(0.0, |sum, b| sum + contact.norms[b] * way(b));
            if moved <= contact.margin {
                continue;
            }
            visits += 1;
            contact.visit(rows, ways, i, harmless);
        }
        visits
    }
}

impl<const N: usize, const D: usize, const B: usize> Packed<N, D, B> {
    const EMPTY: Self = Self {
        columns: [0; N],
        bodies: [0; B],
        eta: [[0.0; N]; D],
        scaled: [[0.0; N]; D],
        norms: [0.0; B],
        seen: [f64::NEG_INFINITY; B],
        margin: 0.0,
    };

    /// Adds a row. `count` has the number of columns and bodies so far; false where there is no room.
    fn add(&mut self, rows: &ConeRows, row: usize, d: usize, count: &mut [usize; 2]) -> bool {
        let row = rows.rows.row(row);
        for ((&column, &eta), &scaled) in row.column.iter().zip(row.eta).zip(row.scaled) {
            let known = self.columns[..count[0]].iter().position(|&known| known == column);
            let at = known.unwrap_or(count[0]);
            let body = rows.bodies[column as usize];
            let known = self.bodies[..count[1]].iter().position(|&known| known == body);
            let b = known.unwrap_or(count[1]);
            if at == N || b == B {
                return false;
            }
            *count = [count[0].max(at + 1), count[1].max(b + 1)];
            self.columns[at] = column;
            self.bodies[b] = body;
            (self.eta[d][at], self.scaled[d][at]) = (eta, scaled);
            self.norms[b] += eta * scaled;
        }
        true
    }

    /// Solves the contact while all others stay.
    #[inline(always)]
    fn visit(&mut self, rows: &mut ConeRows, ways: &mut [f64], i: usize, harmless: f64) -> f64 {
        let first = rows.offsets[i] as usize;
        let dim = rows.offsets[i + 1] as usize - first;
        let near: [f64; N] = std::array::from_fn(|n| rows.change[self.columns[n] as usize]);
        let block = &rows.blocks[i][..dim * dim];
        let mut old: Local = [0.0; 3];
        old[..dim].copy_from_slice(&rows.r[first..first + dim]);
        // The velocity without this contact.
        let mut q: Local = [0.0; 3];
        for d in 0..dim {
            let mut sum = rows.q[first + d];
            for n in 0..N {
                sum += self.eta[d][n] * near[n];
            }
            for (entry, old) in block[d * dim..(d + 1) * dim].iter().zip(old) {
                sum -= entry * old;
            }
            q[d] = sum;
        }
        let mut new = one_contact::solve_with(rows.cones[i], (block, &rows.inverses[i]), q);
        if !new.iter().all(|x| x.is_finite()) {
            new = old;
        }
        let mut length = 0.0;
        if new != old {
            let by = [new[0] - old[0], new[1] - old[1], new[2] - old[2]];
            rows.r[first..first + dim].copy_from_slice(&new[..dim]);
            // Places without a column add zero to the first one.
            for n in 0..N {
                let change = (0..D).fold(0.0, |sum, d| sum + by[d] * self.scaled[d][n]);
                rows.change[self.columns[n] as usize] += change;
            }
            length = (by[0] * by[0] + by[1] * by[1] + by[2] * by[2]).sqrt();
            for b in 0..B {
                ways[self.bodies[b] as usize] += length * self.norms[b];
            }
        }
        self.seen = std::array::from_fn(|b| ways[self.bodies[b] as usize]);
        let is_open = new == [0.0; 3] && !matches!(rows.cones[i], Cone::Free { .. });
        self.margin = if is_open { harmless + q[0].max(0.0) } else { harmless };
        length * rows.means[i]
    }
}

impl<const N: usize, const D: usize, const B: usize> Default for Passes<N, D, B> {
    fn default() -> Self {
        Self { contacts: Vec::new(), ways: Vec::new() }
    }
}
