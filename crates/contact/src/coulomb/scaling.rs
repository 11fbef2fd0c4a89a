//! The one scaling: an island of contacts in units in which each contact has an inverse effective
//! mass of 1 and the right-hand side a largest entry of 1.
//!
//! Multiplying all rows of a contact by one factor keeps its cone. With x = r/(β s) and y = s u/β,
//! s = 1/√(mean diagonal of the contact's block), the problem keeps its form: A = S W S, b = S q/β.

use super::cone::{length, local};
use super::{Cone, Problem};

/// An island in scaled units, with the way back.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    /// The scaled problem. Contacts with μ = 0 have one row here.
    pub(super) problem: Problem,
    /// Contacts of the whole problem.
    contacts: Vec<u32>,
    /// s of each contact.
    scales: Vec<f64>,
    /// β.
    beta: f64,
    /// Place of each contact of the whole problem in the island.
    place: Vec<u32>,
}

impl Island {
    /// Takes the contacts of an island out of a problem.
    pub(super) fn load(&mut self, whole: &Problem, contacts: &[u32]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        self.place.resize(whole.len(), u32::MAX);
        self.scales.clear();
        let p = &mut self.problem;
        p.cones.clear();
        p.offsets.clear();
        p.q.clear();
        for (k, &contact) in contacts.iter().enumerate() {
            let i = contact as usize;
            self.place[i] = k as u32;
            let d = whole.mean_diagonal(i);
            let scale = if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
            self.scales.push(scale);
            p.offsets.push(p.q.len() as u32);
            let cone = match whole.cones[i] {
                Cone::SecondOrder { mu: 0.0, .. } => Cone::NonNegative,
                other => other,
            };
            let rows = whole.range(i).start..whole.range(i).start + cone.dim();
            p.q.extend(whole.q[rows].iter().map(|q| q * scale));
            p.cones.push(cone);
        }
        p.offsets.push(p.q.len() as u32);
        let largest = p.q.iter().fold(0.0f64, |m, q| m.max(q.abs()));
        self.beta = if largest > 0.0 { largest } else { 1.0 };
        p.q.iter_mut().for_each(|q| *q /= self.beta);
        self.load_matrix(whole);
    }

    fn load_matrix(&mut self, whole: &Problem) {
        let p = &mut self.problem;
        p.pattern.starts.clear();
        p.pattern.starts.push(0);
        p.pattern.columns.clear();
        p.blocks.clear();
        p.values.clear();
        for (k, &contact) in self.contacts.iter().enumerate() {
            let i = contact as usize;
            let rows = p.cones[k].dim();
            for entry in whole.pattern.row(i) {
                let j = whole.pattern.columns[entry] as usize;
                let l = self.place[j] as usize;
                let factor = self.scales[k] * self.scales[l];
                let (columns, stride) = (p.cones[l].dim(), whole.cones[j].dim());
                p.pattern.columns.push(l as u32);
                p.blocks.push(p.values.len() as u32);
                let block = whole.block(entry);
                for row in 0..rows {
                    let values = &block[row * stride..row * stride + columns];
                    p.values.extend(values.iter().map(|w| w * factor));
                }
            }
            p.pattern.starts.push(p.pattern.columns.len());
        }
        p.blocks.push(p.values.len() as u32);
        p.pattern.find_mirrors();
        p.find_diagonals();
    }

    /// Scaled impulses from those of the whole problem.
    pub(super) fn scale(&self, whole: &Problem, r: &[f64], x: &mut Vec<f64>) {
        x.clear();
        for (k, &contact) in self.contacts.iter().enumerate() {
            let first = whole.range(contact as usize).start;
            let factor = 1.0 / (self.beta * self.scales[k]);
            x.extend(r[first..first + self.problem.cones[k].dim()].iter().map(|r| r * factor));
        }
    }

    /// Writes scaled impulses back.
    pub(super) fn unscale(&self, whole: &Problem, x: &[f64], r: &mut [f64]) {
        for (k, &contact) in self.contacts.iter().enumerate() {
            let range = whole.range(contact as usize);
            r[range.clone()].fill(0.0);
            let rows = self.problem.range(k);
            let factor = self.beta * self.scales[k];
            for (r, x) in r[range].iter_mut().zip(&x[rows]) {
                *r = x * factor;
            }
        }
    }

    /// The largest error in velocity of scaled impulses, in the units of the whole problem: a
    /// scaled velocity of 1 is β/s.
    pub(super) fn velocity_error(&self, x: &[f64], u: &mut [f64]) -> f64 {
        self.problem.velocity(x, u);
        self.error_of(x, u)
    }

    /// The same with their velocities at hand.
    pub(super) fn error_of(&self, x: &[f64], u: &[f64]) -> f64 {
        let problem = &self.problem;
        let mut worst = 0.0f64;
        for k in 0..problem.len() {
            let range = problem.range(k);
            let d = problem.mean_diagonal(k);
            let d = if d > 0.0 { d } else { 1.0 };
            let natural = problem.cones[k].natural(local(&x[range.clone()]), local(&u[range]), 1.0 / d);
            let error = length(&natural) * d * self.beta / self.scales[k];
            worst = if error > worst || error.is_nan() { error } else { worst };
        }
        if worst.is_nan() { f64::INFINITY } else { worst }
    }

    /// Impulse unit of a contact: what a scaled impulse of 1 is.
    pub(super) fn impulse_unit(&self, contact: usize) -> f64 {
        self.beta * self.scales[contact]
    }

    /// Contact of the whole problem.
    pub(super) fn contact(&self, k: usize) -> usize {
        self.contacts[k] as usize
    }
}
