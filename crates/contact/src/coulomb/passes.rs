//! Gauss–Seidel passes over contacts whose rows are packed side by side.
//!
//! A visit solves a contact exactly while all others stay (Jourdan, Alart and Jean, CMAME 155,
//! 1998). Passes to a tolerance visit only what may have changed. From a visit on the error of a
//! contact is at most what it was then and the change of its velocity by others, and by Cauchy and
//! Schwarz
//! |Hᵀδv| ≤ Σ_b ‖H_b‖ ‖δv_b‖ over its bodies b, with ‖δv‖² = δvᵀMδv and ‖H‖² = tr HᵀM⁻¹H. So each
//! body counts the way that its velocity has gone, and a contact is left out while these ways
//! cannot have used up what is left of the tolerance; an open one has its opening speed besides.

use super::Cone;
use super::cone::{Local, length, local};
use super::one_contact;
use super::rows::Measure;
use carom_numerics::lcp::{KktResidual, SparseJacobian};

/// The longest run of degrees of freedom: the vector of velocities has as many zeros at its end.
pub(super) const PADDING: usize = 6;

/// Impulses and velocities that passes work on.
pub(super) struct State<'a> {
    /// Velocity without impulses, row by row.
    pub(super) q: &'a [f64],
    /// Impulses, row by row.
    pub(super) r: &'a mut [f64],
    /// M⁻¹ H r, with [`PADDING`] zeros at the end.
    pub(super) change: &'a mut [f64],
}

/// What a pass did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Contacts that were visited.
    pub(super) visits: usize,
    /// Contacts whose impulse changed by more than what is harmless.
    pub(super) changes: usize,
}

/// What solving a contact alone gives.
struct Visit {
    new: Local,
    /// The change of its impulse.
    by: Local,
    /// Its velocity without an impulse.
    q: Local,
}

/// Contacts of at most `R` bodies with at most `H` degrees of freedom each, and `D` rows.
#[derive(Clone, Debug)]
pub(super) struct Passes<const R: usize, const H: usize, const D: usize> {
    pub(super) contacts: Vec<Packed<R, H, D>>,
    /// The way of each body's velocity, in √J, at its first degree of freedom.
    ways: Vec<f64>,
}

/// A contact: all numbers of a visit side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<const R: usize, const H: usize, const D: usize> {
    pub(super) cone: Cone,
    /// Its first row.
    pub(super) row: u32,
    /// The first degree of freedom of each body; the padding where there is none.
    pub(super) first: [u32; R],
    pub(super) eta: [[[f64; H]; R]; D],
    scaled: [[[f64; H]; R]; D],
    /// Its block of W, row-major, the inverse of that (not a number where there is none), and the
    /// mean of its diagonal.
    block: [f64; 9],
    inverse: [f64; 9],
    pub(super) mean: f64,
    /// ‖H_b‖ of each body, and its way at the last visit.
    norms: [f64; R],
    seen: [f64; R],
    /// Change of velocity that is harmless.
    margin: f64,
}

impl<const R: usize, const H: usize, const D: usize> Passes<R, H, D> {
    /// Packs contacts. `first` has the first degree of freedom of the body of each one. False where
    /// a contact has no room.
    pub(super) fn pack(
        &mut self,
        (cones, offsets): (&[Cone], &[u32]),
        rows: &SparseJacobian,
        first: &[u32],
    ) -> bool {
        self.contacts.clear();
        let padding = rows.columns() as u32;
        for (i, &cone) in cones.iter().enumerate() {
            let mut packed = Packed::empty(cone, offsets[i], padding);
            let mut bodies = 0;
            if cone.dim() > D {
                return false;
            }
            for d in 0..cone.dim() {
                let row = rows.row(offsets[i] as usize + d);
                for ((&column, &eta), &scaled) in row.column.iter().zip(row.eta).zip(row.scaled) {
                    let body = first[column as usize];
                    let known = packed.first[..bodies].iter().position(|&known| known == body);
                    let b = known.unwrap_or(bodies);
                    let at = (column - body) as usize;
                    if b == R || at >= H {
                        return false;
                    }
                    bodies = bodies.max(b + 1);
                    packed.first[b] = body;
                    packed.eta[d][b][at] = eta;
                    packed.scaled[d][b][at] = scaled;
                    packed.norms[b] += eta * scaled;
                }
            }
            packed.finish();
            self.contacts.push(packed);
        }
        self.ways.clear();
        self.ways.resize(rows.columns() + 1, 0.0);
        true
    }

    /// M⁻¹ H r anew.
    pub(super) fn combine(&self, state: &mut State<'_>) {
        state.change.fill(0.0);
        for contact in &self.contacts {
            let r = contact.impulse(state.r);
            if r != [0.0; 3] {
                contact.push(state.change, r);
            }
        }
    }

    /// Judges the impulses at hand.
    pub(super) fn measure(&self, q: &[f64], r: &[f64], change: &[f64], tolerance: f64) -> Measure {
        let mut measure = Measure { tolerance, ..Measure::default() };
        for contact in &self.contacts {
            contact.judge(contact.impulse(r), contact.velocity(q, change), &mut measure);
        }
        measure
    }

    /// Forgets what was visited.
    pub(super) fn start(&mut self) {
        self.ways.fill(0.0);
        self.contacts.iter_mut().for_each(|contact| contact.seen = [f64::NEG_INFINITY; R]);
    }

    /// Lists the contacts that push or open by less than `reach`.
    pub(super) fn choose(&self, state: &State<'_>, reach: f64, chosen: &mut Vec<u32>) {
        chosen.clear();
        for (i, contact) in self.contacts.iter().enumerate() {
            let pushes = contact.impulse(state.r) != [0.0; 3];
            if pushes || contact.velocity(state.q, state.change)[0] < reach {
                chosen.push(i as u32);
            }
        }
    }

    /// A pass over chosen contacts forth and one back; returns how many changed by more than
    /// `large`, in velocity, on the way back. Writes μ|u_T| at the rows of normals.
    pub(super) fn double_pass(
        &self,
        state: &mut State<'_>,
        chosen: &[u32],
        large: f64,
        slip: &mut [f64],
    ) -> usize {
        for &i in chosen {
            let contact = &self.contacts[i as usize];
            contact.take(state, &contact.solve(state));
        }
        let mut larger = 0;
        for &i in chosen.iter().rev() {
            let contact = &self.contacts[i as usize];
            let visit = contact.solve(state);
            contact.take(state, &visit);
            slip[contact.row as usize] = contact.slip(&visit);
            larger += usize::from(length(&visit.by) * contact.mean > large);
        }
        larger
    }

    /// Puts chosen impulses into their cones.
    pub(super) fn clip(&self, state: &mut State<'_>, chosen: &[u32]) {
        for &i in chosen {
            let contact = &self.contacts[i as usize];
            let old = contact.impulse(state.r);
            let new = contact.cone.clipped(old);
            let by = [new[0] - old[0], new[1] - old[1], new[2] - old[2]];
            contact.take(state, &Visit { new, by, q: new });
        }
    }

    /// One pass over what may be wrong by more than `tolerance`. Changes of velocity up to
    /// `harmless` are not made.
    pub(super) fn pass(
        &mut self,
        state: &mut State<'_>,
        (tolerance, harmless): (f64, f64),
        backward: bool,
    ) -> Done {
        let Self { contacts, ways } = self;
        let count = contacts.len();
        let mut done = Done::default();
        for k in 0..count {
            let contact = &mut contacts[if backward { count - 1 - k } else { k }];
            let way = |b: usize| ways[contact.first[b] as usize] - contact.seen[b];
            let moved = (0..R).fold(0.0, |sum, b| sum + contact.norms[b] * way(b));
            // Not a number at the first visit.
            if moved <= contact.margin {
                continue;
            }
            done.visits += 1;
            let visit = contact.solve(state);
            let way = length(&visit.by);
            let mut left = tolerance;
            if way * contact.mean > harmless {
                done.changes += 1;
                contact.take(state, &visit);
                for (&first, norm) in contact.first.iter().zip(contact.norms) {
                    ways[first as usize] += way * norm;
                }
            } else {
                left -= way * contact.mean;
            }
            contact.seen = std::array::from_fn(|b| ways[contact.first[b] as usize]);
            let is_open = contact.impulse(state.r) == [0.0; 3] && !matches!(contact.cone, Cone::Free { .. });
            contact.margin = if is_open { left + visit.q[0].max(0.0) } else { left };
        }
        done
    }
}

impl<const R: usize, const H: usize, const D: usize> Packed<R, H, D> {
    fn empty(cone: Cone, row: u32, padding: u32) -> Self {
        Self {
            cone,
            row,
            first: [padding; R],
            eta: [[[0.0; H]; R]; D],
            scaled: [[[0.0; H]; R]; D],
            block: [0.0; 9],
            inverse: [f64::NAN; 9],
            mean: 0.0,
            norms: [0.0; R],
            seen: [f64::NEG_INFINITY; R],
            margin: 0.0,
        }
    }

    /// Computes what depends on the rows.
    fn finish(&mut self) {
        let dim = self.cone.dim();
        for a in 0..dim {
            for b in 0..dim {
                let mut sum = 0.0;
                for (eta, scaled) in self.eta[a].iter().flatten().zip(self.scaled[b].iter().flatten()) {
                    sum += eta * scaled;
                }
                self.block[a * dim + b] = sum;
            }
            self.mean += self.block[a * dim + a] / dim as f64;
        }
        self.inverse = one_contact::inverse(&self.block[..dim * dim], dim);
        self.norms.iter_mut().for_each(|norm| *norm = norm.sqrt());
    }

    #[inline(always)]
    fn rows_of(&self, numbers: &[f64]) -> Local {
        let first = self.row as usize;
        match self.cone.dim() {
            2 => [numbers[first], numbers[first + 1], 0.0],
            dim => local(&numbers[first..first + dim]),
        }
    }

    #[inline(always)]
    pub(super) fn impulse(&self, r: &[f64]) -> Local {
        self.rows_of(r)
    }

    #[inline(always)]
    pub(super) fn velocity(&self, q: &[f64], change: &[f64]) -> Local {
        let (mut u, by) = (self.rows_of(q), self.way(change));
        for d in 0..D {
            u[d] += by[d];
        }
        u
    }

    /// What a change of the bodies' velocities does here.
    #[inline(always)]
    pub(super) fn way(&self, change: &[f64]) -> Local {
        let mut u = [0.0; 3];
        let near: [&[f64]; R] = std::array::from_fn(|b| &change[self.first[b] as usize..][..H]);
        for d in 0..D {
            let mut sum = 0.0;
            for b in 0..R {
                for h in 0..H {
                    sum += self.eta[d][b][h] * near[b][h];
                }
            }
            u[d] = sum;
        }
        u
    }

    /// Velocities with an impulse more.
    #[inline(always)]
    pub(super) fn push(&self, change: &mut [f64], by: Local) {
        for b in 0..R {
            let near = &mut change[self.first[b] as usize..][..H];
            for h in 0..H {
                let mut sum = 0.0;
                for d in 0..D {
                    sum += by[d] * self.scaled[d][b][h];
                }
                near[h] += sum;
            }
        }
    }

    /// Momenta with an impulse more.
    #[inline(always)]
    pub(super) fn push_unscaled(&self, momenta: &mut [f64], by: Local) {
        for b in 0..R {
            let near = &mut momenta[self.first[b] as usize..][..H];
            for h in 0..H {
                let mut sum = 0.0;
                for d in 0..D {
                    sum += by[d] * self.eta[d][b][h];
                }
                near[h] += sum;
            }
        }
    }

    /// Solves the contact while all others stay.
    #[inline(always)]
    fn solve(&self, state: &State<'_>) -> Visit {
        let old = self.impulse(state.r);
        let mut q = self.velocity(state.q, state.change);
        let dim = self.cone.dim();
        for d in 0..dim {
            for e in 0..dim {
                q[d] -= self.block[d * dim + e] * old[e];
            }
        }
        let new = one_contact::solve_with(self.cone, (&self.block[..dim * dim], &self.inverse), q);
        let new = if new.iter().all(|x| x.is_finite()) { new } else { old };
        Visit { new, by: [new[0] - old[0], new[1] - old[1], new[2] - old[2]], q }
    }

    /// Takes what a visit found.
    #[inline(always)]
    fn take(&self, state: &mut State<'_>, visit: &Visit) {
        if visit.by != [0.0; 3] {
            let (first, dim) = (self.row as usize, self.cone.dim());
            state.r[first..first + dim].copy_from_slice(&visit.new[..dim]);
            self.push(state.change, visit.by);
        }
    }

    /// μ|u_T| after a visit.
    #[inline(always)]
    fn slip(&self, visit: &Visit) -> f64 {
        let Cone::SecondOrder { dim, mu } = self.cone else { return 0.0 };
        let (dim, mut square) = (usize::from(dim), 0.0);
        for d in 1..dim {
            let row = &self.block[d * dim..(d + 1) * dim];
            let u = row.iter().zip(visit.new).fold(visit.q[d], |sum, (w, r)| sum + w * r);
            square += u * u;
        }
        mu * square.sqrt()
    }

    #[inline(always)]
    pub(super) fn judge(&self, r: Local, u: Local, measure: &mut Measure) {
        measure.normals = measure.normals.max(KktResidual::of_row(r[0], u[0], self.block[0]));
        let d = if self.mean > 0.0 { self.mean } else { 1.0 };
        let error = length(&self.cone.natural(r, u, 1.0 / d)) * d;
        measure.velocity_error = measure.velocity_error.max(error);
        measure.sum_of_squares += error * error;
        measure.wrong += usize::from(error > measure.tolerance);
    }
}

impl<const R: usize, const H: usize, const D: usize> Default for Passes<R, H, D> {
    fn default() -> Self {
        Self { contacts: Vec::new(), ways: Vec::new() }
    }
}
