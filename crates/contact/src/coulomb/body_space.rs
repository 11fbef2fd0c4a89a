//! Newton's method in the velocities of bodies.
//!
//! With s = μ|u_T| of the last iteration at hand, De Saxcé's law r ∈ K, u + s e_N ∈ K* is that of
//! least energy (Acary, Cadoux, Lemaréchal and Malick, *A formulation of the linear discrete
//! Coulomb friction problem via convex optimization*, ZAMM 91, 2011). Its augmented Lagrangian in
//! the change x of the velocities is ½xᵀMx + Σ |P(y)|²/2ρ with y = r̄ − ρ(u + s e_N) and P the
//! projection on K: convex and smooth, with the impulses r = P(y). r̄ follows r. Its second
//! derivative M + ρHJHᵀ has as many blocks as there are bodies, however many contacts they have
//! (Castro, Permenter and Han, *An unconstrained convex formulation of compliant contact*, IEEE
//! Trans. Robotics 39, 2023, solve a regularized law so).

use super::Cone;
use super::cone::{Local, length, tangential};
use super::passes::{Packed, Passes, State};
use super::rows::Measure;
use carom_numerics::qp::BlockDiagonalMass;
use carom_numerics::sparse::envelope::EnvelopeCholesky;
use carom_numerics::watch;

/// ρ times the mean inverse effective mass of a contact: what is left of an error after r̄ has
/// followed once is about one part in so many.
const STIFFNESS: f64 = 1e2;
/// r̄ follows when velocities and impulses agree to this part of what they moved.
const AGREE: f64 = 0.1;
/// The slope along a step at which it ends, over that at its start, and most looks for it.
const FLAT: f64 = 0.1;
const MOST_LOOKS: u32 = 12;
/// Rounds in which a step learns how it changes what slips.
const ROUNDS: u32 = 4;
/// Iterations that do not halve the error, after which it ends.
const PATIENCE: u32 = 6;

/// Buffers of the method.
#[derive(Clone, Debug)]
pub(super) struct BodySpace<const H: usize> {
    matrix: EnvelopeCholesky<H>,
    /// The change of velocities, a step of it, and the right side of its equation.
    x: Vec<f64>,
    step: Vec<f64>,
    right: Vec<f64>,
    /// r̄, y and −ρ times the step's velocities at contacts.
    base: Vec<f64>,
    y: Vec<f64>,
    along: Vec<f64>,
    /// μ|u_T| of each contact.
    slip: Vec<f64>,
    best: Vec<f64>,
}

impl<const H: usize> Default for BodySpace<H> {
    fn default() -> Self {
        let [x, step, right, base, y, along, slip, best] = [const { Vec::new() }; 8];
        Self { matrix: EnvelopeCholesky::default(), x, step, right, base, y, along, slip, best }
    }
}

impl<const H: usize> BodySpace<H> {
    /// Products of a factorization, about.
    pub(super) fn operations(&self) -> u64 {
        self.matrix.products() * (H * H * H) as u64
    }

    /// Improves impulses, for which M⁻¹Hr is at hand, to a tolerance or the best that was found.
    pub(super) fn solve<const R: usize, const D: usize>(
        &mut self,
        contacts: &Passes<R, H, D>,
        state: &mut State<'_>,
        mass: &BlockDiagonalMass,
        (tolerance, most): (f64, u32),
    ) -> (u32, Measure) {
        let columns = mass.diagonal.len();
        let contacts = &contacts.contacts;
        let count = (columns / H) as u32;
        let pairs = contacts.iter().flat_map(|contact| {
            let of = contact.first.map(|first| first / H as u32);
            (0..R * R).map(move |k| [of[k / R], of[k % R]]).filter(move |&[i, j]| i < count && j < count)
        });
        self.matrix.analyze(count as usize, pairs);
        self.x.clear();
        self.x.extend_from_slice(&state.change[..columns]);
        self.x.resize(state.change.len(), 0.0);
        self.step.clear();
        self.step.resize(state.change.len(), 0.0);
        self.right.resize(state.change.len(), 0.0);
        self.base.clear();
        self.base.extend_from_slice(state.r);
        self.best.clone_from(&self.base);
        self.y.resize(state.r.len(), 0.0);
        self.along.resize(state.r.len(), 0.0);
        self.slip.clear();
        self.slip.extend(contacts.iter().map(|contact| slip(contact, state.q, &self.x)));
        let worst = Measure { velocity_error: f64::INFINITY, ..Measure::default() };
        let (mut best, mut since, mut mark) = (worst, 0, f64::INFINITY);
        for iteration in 0..=most {
            let (moved, slipped) = self.impulses(contacts, state);
            let (measure, apart) = self.judge(contacts, state, tolerance);
            if measure.worst() < best.worst() {
                best = measure;
                self.best.copy_from_slice(state.r);
            }
            since = if best.worst() < 0.5 * mark { 0 } else { since + 1 };
            mark = if since == 0 { best.worst() } else { mark };
            if best.worst() <= tolerance || iteration == most || since >= PATIENCE || watch::is_over() {
                state.r.copy_from_slice(&self.best);
                return (iteration, best);
            }
            let follows = apart <= AGREE * moved.max(slipped).max(tolerance);
            if follows {
                self.base.copy_from_slice(state.r);
                self.impulses(contacts, state);
            }
            if !self.factor(contacts, state, mass) {
                since = PATIENCE;
                continue;
            }
            self.downhill(contacts, state, mass);
            if follows {
                self.foresee(contacts, state, mass);
                continue;
            }
            let share = self.share(contacts, mass);
            self.x.iter_mut().zip(&self.step).for_each(|(x, by)| *x += share * by);
        }
        (most, best)
    }

    /// y and r of the velocities at hand; the largest change of r from r̄, over ρ, and of
    /// μ|u_T| from s.
    fn impulses<const R: usize, const D: usize>(
        &mut self,
        contacts: &[Packed<R, H, D>],
        state: &mut State<'_>,
    ) -> (f64, f64) {
        let (mut moved, mut slipped) = (0.0f64, 0.0f64);
        for (contact, slip) in contacts.iter().zip(&self.slip) {
            let mut u = contact.velocity(state.q, &self.x);
            slipped = slipped.max((contact.cone.mu() * tangential(&u) - slip).abs());
            u[0] += slip;
            let base = contact.impulse(&self.base);
            let rho = rho(contact);
            let y = [base[0] - rho * u[0], base[1] - rho * u[1], base[2] - rho * u[2]];
            let r = contact.cone.project(y);
            let rows = contact.row as usize..contact.row as usize + contact.cone.dim();
            self.y[rows.clone()].copy_from_slice(&y[..contact.cone.dim()]);
            state.r[rows].copy_from_slice(&r[..contact.cone.dim()]);
            let by = [r[0] - base[0], r[1] - base[1], r[2] - base[2]];
            moved = moved.max(length(&by) / rho);
        }
        (moved, slipped)
    }

    /// M⁻¹Hr, its error, and how far its velocities are from those at hand.
    fn judge<const R: usize, const D: usize>(
        &self,
        contacts: &[Packed<R, H, D>],
        state: &mut State<'_>,
        tolerance: f64,
    ) -> (Measure, f64) {
        state.change.fill(0.0);
        for contact in contacts {
            let r = contact.impulse(state.r);
            if r != [0.0; 3] {
                contact.push(state.change, r);
            }
        }
        let (mut measure, mut apart) = (Measure { tolerance, ..Measure::default() }, 0.0f64);
        for contact in contacts {
            let (r, u) = (contact.impulse(state.r), contact.velocity(state.q, state.change));
            contact.judge(r, u, &mut measure);
            let at_hand = contact.velocity(state.q, &self.x);
            apart = apart.max(length(&[u[0] - at_hand[0], u[1] - at_hand[1], u[2] - at_hand[2]]));
        }
        (measure, apart)
    }

    /// The part of the step at which the energy is least: its slope pᵀM(x + αp) − Σ pᵀH P(y + αd)
    /// grows with α. Found between bounds by the rule of the false position, halved where it stays
    /// at one side (Dowell and Jarratt, *A modified regula falsi*, BIT 11, 1971).
    fn share<const R: usize, const D: usize>(
        &mut self,
        contacts: &[Packed<R, H, D>],
        mass: &BlockDiagonalMass,
    ) -> f64 {
        let Self { x, step, y, along, .. } = self;
        let (mut at_start, mut square) = (0.0, 0.0);
        for (k, &m) in mass.diagonal.iter().enumerate() {
            at_start += m * x[k] * step[k];
            square += m * step[k] * step[k];
        }
        for entry in &mass.off_diagonal {
            let (i, j) = (entry.row as usize, entry.column as usize);
            at_start += entry.value * (x[i] * step[j] + x[j] * step[i]);
            square += 2.0 * entry.value * step[i] * step[j];
        }
        for contact in contacts {
            let u = contact.way(step);
            let rho = rho(contact);
            let rows = contact.row as usize..contact.row as usize + contact.cone.dim();
            for (along, u) in along[rows].iter_mut().zip(u) {
                *along = -rho * u;
            }
        }
        let slope = |share: f64| {
            let mut sum = at_start + share * square;
            for contact in contacts {
                let (y, d) = (contact.impulse(y), contact.impulse(along));
                let r = contact.cone.project([y[0] + share * d[0], y[1] + share * d[1], y[2] + share * d[2]]);
                sum += (r[0] * d[0] + r[1] * d[1] + r[2] * d[2]) / rho(contact);
            }
            sum
        };
        let first = slope(0.0);
        let end = slope(1.0);
        if end <= FLAT * first.abs() {
            return 1.0;
        }
        let (mut low, mut high) = ((0.0, first), (1.0, end));
        let mut share = 1.0;
        for _ in 0..MOST_LOOKS {
            share = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let here = slope(share);
            if here.abs() <= FLAT * first.abs() {
                break;
            }
            if here < 0.0 {
                (low, high.1) = ((share, here), 0.5 * high.1);
            } else {
                (high, low.1) = ((share, here), 0.5 * low.1);
            }
        }
        share
    }

    /// The second derivative and its factor.
    fn factor<const R: usize, const D: usize>(
        &mut self,
        contacts: &[Packed<R, H, D>],
        state: &State<'_>,
        mass: &BlockDiagonalMass,
    ) -> bool {
        let Self { matrix, y, .. } = self;
        matrix.clear();
        for (k, &m) in mass.diagonal.iter().enumerate() {
            matrix.block_mut(k / H, k / H).0[k % H][k % H] += m;
        }
        for entry in &mass.off_diagonal {
            let (row, column) = (entry.row as usize, entry.column as usize);
            let block = matrix.block_mut(row / H, column / H).0;
            block[row % H][column % H] += entry.value;
            block[column % H][row % H] += entry.value;
        }
        let columns = mass.diagonal.len();
        for contact in contacts {
            if contact.impulse(state.r) == [0.0; 3] {
                continue;
            }
            let (rho, j) = (rho(contact), derivative(contact.cone, contact.impulse(y)));
            let bodies: [usize; R] = std::array::from_fn(|b| contact.first[b] as usize / H);
            let there = |b: usize| (contact.first[b] as usize) < columns;
            for b in (0..R).filter(|&b| there(b)) {
                // ρ J H of this body.
                let mut scaled = [[0.0; H]; D];
                for d in 0..D {
                    for e in 0..D {
                        let by = rho * j[d][e];
                        for h in 0..H {
                            scaled[d][h] += by * contact.eta[e][b][h];
                        }
                    }
                }
                for c in (0..=b).filter(|&c| there(c)) {
                    let (block, is_transposed) = matrix.block_mut(bodies[c], bodies[b]);
                    for d in 0..D {
                        let (one, other) = match is_transposed {
                            // Columns of the block, which come first in storage, are those of c.
                            true => (&contact.eta[d][c], &scaled[d]),
                            false => (&scaled[d], &contact.eta[d][c]),
                        };
                        for (column, &by) in block.iter_mut().zip(one) {
                            for (entry, other) in column.iter_mut().zip(other) {
                                *entry += by * other;
                            }
                        }
                    }
                }
            }
        }
        matrix.factor()
    }

    /// A step of Newton's method.
    fn downhill<const R: usize, const D: usize>(
        &mut self,
        contacts: &[Packed<R, H, D>],
        state: &State<'_>,
        mass: &BlockDiagonalMass,
    ) {
        let Self { matrix, x, step, .. } = self;
        pull_back(mass, x, step);
        for contact in contacts {
            contact.push_unscaled(step, contact.impulse(state.r));
        }
        let columns = mass.diagonal.len();
        matrix.solve(&mut step[..columns]);
        step[columns..].fill(0.0);
    }

    /// A step along which contacts slip faster or slower too: what that adds to it is found by the
    /// same factor, again and again.
    fn foresee<const R: usize, const D: usize>(
        &mut self,
        contacts: &[Packed<R, H, D>],
        state: &State<'_>,
        mass: &BlockDiagonalMass,
    ) {
        let columns = mass.diagonal.len();
        let Self { matrix, x, step, right, y, slip: slips, .. } = self;
        for _ in 0..ROUNDS {
            pull_back(mass, x, right);
            for (contact, slip) in contacts.iter().zip(&*slips) {
                let mut r = contact.impulse(state.r);
                if r != [0.0; 3] && contact.cone.mu() > 0.0 {
                    let (u, by) = (contact.velocity(state.q, x), contact.way(step));
                    let u = [0.0, u[1] + by[1], u[2] + by[2]];
                    let more = rho(contact) * (contact.cone.mu() * tangential(&u) - slip);
                    let j = derivative(contact.cone, contact.impulse(y));
                    for d in 0..D {
                        r[d] -= j[d][0] * more;
                    }
                }
                contact.push_unscaled(right, r);
            }
            matrix.solve(&mut right[..columns]);
            step[..columns].copy_from_slice(&right[..columns]);
        }
        x.iter_mut().zip(&*step).for_each(|(x, by)| *x += by);
        for (slipping, contact) in slips.iter_mut().zip(contacts) {
            *slipping = slip(contact, state.q, x);
        }
    }
}

/// −M x
fn pull_back(mass: &BlockDiagonalMass, x: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    out.iter_mut().zip(&mass.diagonal).zip(x).for_each(|((out, m), x)| *out = -m * x);
    for entry in &mass.off_diagonal {
        let (row, column) = (entry.row as usize, entry.column as usize);
        out[row] -= entry.value * x[column];
        out[column] -= entry.value * x[row];
    }
}

/// μ|u_T| of a contact.
fn slip<const R: usize, const H: usize, const D: usize>(
    contact: &Packed<R, H, D>,
    q: &[f64],
    x: &[f64],
) -> f64 {
    contact.cone.mu() * tangential(&contact.velocity(q, x))
}

/// The stiffness of a contact.
#[inline(always)]
fn rho<const R: usize, const H: usize, const D: usize>(contact: &Packed<R, H, D>) -> f64 {
    STIFFNESS / if contact.mean > 0.0 { contact.mean } else { 1.0 }
}

/// The derivative of the projection on a cone.
#[inline(always)]
fn derivative(cone: Cone, y: Local) -> [[f64; 3]; 3] {
    let mut j = [[0.0; 3]; 3];
    j[0][0] = 1.0;
    let mu = match cone {
        Cone::NonNegative => return j,
        Cone::Free { .. } => f64::INFINITY,
        Cone::SecondOrder { mu, .. } => mu,
    };
    let length = tangential(&y);
    if mu == f64::INFINITY || length <= mu * y[0] {
        (j[1][1], j[2][2]) = (1.0, 1.0);
        return j;
    }
    // On the edge: along it, and around it.
    let (along, t) = (1.0 / (1.0 + mu * mu), [y[1] / length, y[2] / length]);
    let around = mu * along * (y[0] + mu * length) / length;
    j[0] = [along, along * mu * t[0], along * mu * t[1]];
    for d in 0..2 {
        j[d + 1][0] = along * mu * t[d];
        for e in 0..2 {
            let unit = if d == e { 1.0 } else { 0.0 };
            j[d + 1][e + 1] = along * mu * mu * t[d] * t[e] + around * (unit - t[d] * t[e]);
        }
    }
    j
}
