//! Contacts by their rows: u = Hᵀ M⁻¹ H r + q without the matrix W.
//!
//! Gauss–Seidel passes over rows cost as much as there are rows, however many contacts a body has.

use super::cone::{Local, length, local};
use super::passes::Passes;
use super::plane::Plane;
use super::{Cone, one_contact};
use carom_numerics::lcp::{KktResidual, SparseJacobian};
use carom_numerics::watch;

/// Contacts further open than this, in m/s, are never reached.
pub(super) const NEVER: f64 = 1e100;
/// A start that is within the tolerance gets this many passes all the same, unless it is within this
/// part of it: errors should not stay from step to step.
const LEAST_PASSES: u32 = 4;
const REST: f64 = 0.01;
/// Accelerated passes end when this part of the contacts or less changes by more than the tolerance.
const FEW: f64 = 0.01;
/// Passes that visit few contacts leave changes up to this part of the tolerance.
const HARMLESS: f64 = 2.0;

/// Rows of contacts with their impulses.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConeRows {
    /// Row after row of contact after contact, each normal first.
    pub(crate) rows: SparseJacobian,
    pub(crate) cones: Vec<Cone>,
    /// First row of each contact, and the number of rows at the end.
    pub(crate) offsets: Vec<u32>,
    /// Velocity without impulses, and what the contact wants; m/s.
    pub(crate) q: Vec<f64>,
    /// Impulses.
    pub(crate) r: Vec<f64>,
    /// M⁻¹ H r.
    pub(crate) change: Vec<f64>,
    /// Diagonal block of each contact, row-major, and its mean diagonal.
    pub(super) blocks: Vec<[f64; 9]>,
    /// Its inverse; not a number where there is none.
    pub(super) inverses: Vec<[f64; 9]>,
    pub(super) means: Vec<f64>,
    plane: Plane,
    /// The body of each degree of freedom.
    pub(super) bodies: Vec<u32>,
    /// Two planar bodies; all others.
    planar: Passes<6, 2, 2>,
    others: Passes<12, 3, 4>,
    is_planar: bool,
    /// Products in the last passes, about.
    pub(crate) operations: u64,
}

/// How far impulses are from a solution, in m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// Of the normals alone.
    pub(crate) normals: KktResidual,
    /// The natural map of a contact times its inverse effective mass, the largest:
    /// [`super::Certificate::velocity_error`].
    pub(crate) velocity_error: f64,
    /// The same of all contacts, squared and summed.
    pub(crate) sum_of_squares: f64,
}

impl Measure {
    /// What a tolerance bounds.
    pub(crate) fn worst(&self) -> f64 {
        self.normals.worst().max(self.velocity_error)
    }
}

impl ConeRows {
    /// Forgets contacts; those to come have degrees of freedom of these bodies.
    pub(crate) fn clear(&mut self, bodies: &[u32]) {
        self.rows.clear(bodies.len());
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        self.cones.clear();
        self.offsets.clear();
        self.offsets.push(0);
    }

    /// Ends a contact whose rows have been pushed.
    pub(crate) fn end_contact(&mut self, cone: Cone) {
        self.cones.push(cone);
        self.offsets.push(self.rows.len() as u32);
    }

    /// Rows of a contact.
    pub(crate) fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.offsets[contact] as usize..self.offsets[contact + 1] as usize
    }

    /// Computes what does not depend on q and r.
    pub(crate) fn prepare(&mut self) {
        self.blocks.clear();
        self.inverses.clear();
        self.means.clear();
        for i in 0..self.cones.len() {
            let range = self.range(i);
            let dim = range.len();
            let mut block = [0.0; 9];
            let mut mean = 0.0;
            for (a, row) in range.clone().enumerate() {
                let row = self.rows.row(row);
                for (b, other) in range.clone().enumerate() {
                    block[a * dim + b] = row.delassus(&self.rows.row(other));
                }
                mean += block[a * dim + a];
            }
            self.inverses.push(one_contact::inverse(&block[..dim * dim], dim));
            self.blocks.push(block);
            self.means.push(mean / dim as f64);
        }
    }

    /// Puts impulses into their cones; M⁻¹ H r anew.
    pub(crate) fn combine(&mut self) {
        for i in 0..self.cones.len() {
            let range = self.range(i);
            clip(self.cones[i], &mut self.r[range]);
        }
        self.rows.combine(&self.r, &mut self.change);
    }

    /// Scales all impulses, which stay in their cones.
    pub(crate) fn scale(&mut self, share: f64) {
        self.r.iter_mut().chain(&mut self.change).for_each(|x| *x *= share);
    }

    pub(super) fn velocity(&self, contact: usize) -> Local {
        let mut u = [0.0; 3];
        for (u, row) in u.iter_mut().zip(self.range(contact)) {
            *u = self.q[row] + self.rows.row(row).dot(&self.change);
        }
        u
    }

    /// Judges the impulses at hand; [`Self::combine`] was called.
    pub(crate) fn measure(&self) -> Measure {
        let mut out = Measure::default();
        for i in 0..self.cones.len() {
            let error = self.error(i, &mut out.normals).0;
            out.velocity_error = out.velocity_error.max(error);
            out.sum_of_squares += error * error;
        }
        out
    }

    /// Error of a contact, and its normal velocity.
    fn error(&self, i: usize, normals: &mut KktResidual) -> (f64, f64) {
        let range = self.range(i);
        let (r, u) = (local(&self.r[range]), self.velocity(i));
        *normals = normals.max(KktResidual::of_row(r[0], u[0], self.blocks[i][0]));
        let d = if self.means[i] > 0.0 { self.means[i] } else { 1.0 };
        (length(&self.cones[i].natural(r, u, 1.0 / d)) * d, u[0])
    }

    /// Passes forth and back until every contact is within `tolerance`, `most` at most. Returns how
    /// many, and how far it came.
    pub(crate) fn sweep_to(&mut self, tolerance: f64, most: u32) -> (u32, Measure) {
        self.is_planar = Passes::<6, 2, 2>::fits(self);
        let (mut planar, mut others) = (std::mem::take(&mut self.planar), std::mem::take(&mut self.others));
        let outcome = match self.is_planar {
            true => self.pass_to(&mut planar, tolerance, most),
            false => self.pass_to(&mut others, tolerance, most),
        };
        (self.planar, self.others) = (planar, others);
        outcome
    }

    /// Double passes, each followed by the least energy in the plane of its step and the last one,
    /// until few contacts change much.
    fn accelerate<const N: usize, const D: usize, const B: usize>(
        &mut self,
        contacts: &mut Passes<N, D, B>,
        tolerance: f64,
        most: u32,
    ) -> u32 {
        let few = (FEW * self.cones.len() as f64) as usize;
        let mut passes = 0;
        let mut plane = std::mem::take(&mut self.plane);
        plane.start(self);
        while passes + 2 <= most && !watch::is_over() {
            contacts.pass_all(self, tolerance, false);
            let back = contacts.pass_all(self, tolerance, true);
            passes += 2;
            self.operations += 2 * self.rows.entries() as u64;
            if back <= few {
                break;
            }
            plane.improve(self);
            self.operations += self.rows.entries() as u64;
        }
        self.plane = plane;
        passes
    }

    fn pass_to<const N: usize, const D: usize, const B: usize>(
        &mut self,
        contacts: &mut Passes<N, D, B>,
        tolerance: f64,
        most: u32,
    ) -> (u32, Measure) {
        self.combine();
        contacts.load(self);
        let of_contact = self.rows.entries() as u64 / self.cones.len().max(1) as u64;
        let (mut passes, mut harmless) = (0, HARMLESS * tolerance);
        self.operations = 0;
        loop {
            let measure = self.measure();
            let enough = if passes < LEAST_PASSES { REST * tolerance } else { tolerance };
            if measure.worst() <= enough || passes >= most || watch::is_over() {
                return (passes, measure);
            }
            passes += self.accelerate(contacts, tolerance, most - passes);
            contacts.start();
            while passes < most && !watch::is_over() {
                let visits = contacts.pass(self, harmless, passes % 2 == 1);
                passes += 1;
                self.operations += of_contact * visits as u64;
                if visits == 0 {
                    break;
                }
            }
            harmless *= 0.5;
            // Without the rounding of all the changes.
            self.combine();
        }
    }
}

/// Puts an impulse into its cone: no pull, and the tangential part shortened.
fn clip(cone: Cone, r: &mut [f64]) {
    match cone {
        Cone::Free { .. } => {}
        Cone::NonNegative => r[0] = r[0].max(0.0),
        Cone::SecondOrder { mu, .. } => {
            if r[0].is_nan() || r[0] <= 0.0 {
                return r.fill(0.0);
            }
            let tangential = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if tangential > mu * r[0] {
                let share = mu * r[0] / tangential;
                r[1..].iter_mut().for_each(|x| *x *= share);
            }
        }
    }
}
