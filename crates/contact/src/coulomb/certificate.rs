//! The only judge of impulses.

use super::cone::{length, local};
use super::{Cone, Problem};

/// How well impulses solve a problem. Made by [`Problem::certify`], from nothing but the problem
/// and the impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Largest approach that is left: −u_N, or |u| of a two-sided row; m/s.
    pub violation: f64,
    /// Largest distance of u + μ|u_T| e_N from the dual cone; m/s.
    pub dual_violation: f64,
    /// Largest |r · (u + μ|u_T| e_N)| of a contact; J.
    pub complementarity: f64,
    /// Largest distance of an impulse from its cone; N s.
    pub cone_distance: f64,
    /// Work of all impulses, r · (u + q)/2: the change of kinetic energy if q is the velocity
    /// before; J.
    pub work: f64,
    /// Largest error in velocity: the natural map of a contact times its inverse effective mass;
    /// m/s. What a tolerance bounds.
    pub velocity_error: f64,
    /// The natural map in units of √J with each contact's own step, over the largest change of
    /// velocity (in the same units) that the impulses make at a contact that pushes, or the largest
    /// violation; beyond what rounding of W r explains. What the status depends on.
    pub residual: f64,
    /// |r − P(r − v)| / |q| with step 1: the measure of FCLIB and Siconos.
    pub natural_map: f64,
    /// The contact with the largest residual.
    pub worst_contact: usize,
}

/// Residuals in which rounding may have a part.
const ROUNDING_MATTERS: std::ops::Range<f64> = 1e-13..1e-6;
/// Roundings of a product that add up in u: those of W, r, the product and the sum.
const ROUNDINGS: f64 = 2.0;

impl Problem {
    /// Judges impulses. Writes the velocity u = W r + q.
    pub fn certify(&self, r: &[f64], u: &mut [f64]) -> Certificate {
        self.velocity(r, u);
        let mut out = Certificate::default();
        let (mut worst, mut reference) = (0.0f64, 0.0f64);
        let (mut natural_sum, mut q_sum) = (0.0, 0.0);
        for i in 0..self.len() {
            let range = self.range(i);
            let cone = self.cones[i];
            let (ri, ui) = (local(&r[range.clone()]), local(&u[range.clone()]));
            let d = self.mean_diagonal(i);
            let d = if d > 0.0 { d } else { 1.0 };
            let v = cone.corrected(ui);
            let (violation, dual) = violations(cone, ui, v);
            out.violation = larger(out.violation, violation);
            out.dual_violation = larger(out.dual_violation, dual);
            let product = v[0] * ri[0] + v[1] * ri[1] + v[2] * ri[2];
            out.complementarity = larger(out.complementarity, product.abs());
            let p = cone.project(ri);
            let outside = length(&[ri[0] - p[0], ri[1] - p[1], ri[2] - p[2]]);
            out.cone_distance = larger(out.cone_distance, outside);
            let qi = &self.q[range.clone()];
            out.work +=
                qi.iter().zip(&u[range.clone()]).zip(&ri).map(|((q, u), r)| 0.5 * r * (u + q)).sum::<f64>();
            let natural = length(&cone.natural(ri, ui, 1.0 / d));
            out.velocity_error = larger(out.velocity_error, natural * d);
            let scaled = natural * d.sqrt();
            if scaled > worst || scaled.is_nan() {
                (worst, out.worst_contact) = (scaled, i);
            }
            reference = larger(reference, larger(scaled, self.change(i, &ri, &u[range.clone()]) / d.sqrt()));
            let step_one = cone.natural(ri, ui, 1.0);
            natural_sum += step_one.iter().map(|x| x * x).sum::<f64>();
            q_sum += qi.iter().map(|x| x * x).sum::<f64>();
        }
        out.residual = self.beyond_rounding(r, u, relative(worst, reference), reference);
        out.natural_map = relative(natural_sum.sqrt(), if q_sum > 0.0 { q_sum.sqrt() } else { 1.0 });
        out
    }
}

impl Problem {
    /// [`Certificate::residual`] alone. Writes the velocity.
    pub(super) fn residual(&self, r: &[f64], u: &mut [f64]) -> f64 {
        self.velocity(r, u);
        let (mut worst, mut reference) = (0.0f64, 0.0f64);
        for i in 0..self.len() {
            let range = self.range(i);
            let (ri, ui) = (local(&r[range.clone()]), local(&u[range.clone()]));
            let d = self.mean_diagonal(i);
            let d = if d > 0.0 { d } else { 1.0 };
            let scaled = length(&self.cones[i].natural(ri, ui, 1.0 / d)) * d.sqrt();
            worst = larger(worst, scaled);
            reference = larger(reference, larger(scaled, self.change(i, &ri, &u[range]) / d.sqrt()));
        }
        self.beyond_rounding(r, u, relative(worst, reference), reference)
    }

    /// The residual less what rounding of u = W r + q can make of it, which no impulses can avoid:
    /// with 1e6 kg on 1 kg, impulses of 1e6 have roundings of 1e-10. Computed only where it
    /// counts.
    fn beyond_rounding(&self, r: &[f64], u: &[f64], residual: f64, reference: f64) -> f64 {
        if !(ROUNDING_MATTERS.contains(&residual)) {
            return residual;
        }
        let mut worst = 0.0f64;
        for i in 0..self.len() {
            let range = self.range(i);
            let (ri, ui) = (local(&r[range.clone()]), local(&u[range.clone()]));
            let d = self.mean_diagonal(i);
            let d = if d > 0.0 { d } else { 1.0 };
            let mut sums = [0.0; 3];
            for entry in self.pattern.row(i) {
                let at = self.range(self.pattern.columns[entry] as usize);
                for (sum, row) in sums.iter_mut().zip(self.block(entry).chunks_exact(at.len())) {
                    *sum += row.iter().zip(&r[at.clone()]).map(|(w, r)| (w * r).abs()).sum::<f64>();
                }
            }
            let rounding = ROUNDINGS * f64::EPSILON * length(&sums) / d.sqrt();
            let scaled = length(&self.cones[i].natural(ri, ui, 1.0 / d)) * d.sqrt();
            worst = larger(worst, scaled - rounding);
        }
        relative(worst, reference)
    }

    /// What the impulses change in the velocity of a contact that pushes. Not the size of the
    /// impulses, which may grow without an end where contacts are jammed; not q, which a fast
    /// passer-by or a fast slide makes large.
    fn change(&self, contact: usize, r: &[f64; 3], u: &[f64]) -> f64 {
        if *r == [0.0; 3] {
            return 0.0;
        }
        let q = &self.q[self.range(contact)];
        let mut change = [0.0; 3];
        change.iter_mut().zip(u).zip(q).for_each(|((change, u), q)| *change = u - q);
        length(&change)
    }
}

/// The larger, and not-a-number if one is.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// Zero of zero; infinite if anything is not a number.
fn relative(error: f64, reference: f64) -> f64 {
    let ratio = if error == 0.0 { 0.0 } else { error / reference };
    if ratio.is_nan() { f64::INFINITY } else { ratio }
}

/// Approach, and distance of v from the dual cone.
fn violations(cone: Cone, u: [f64; 3], v: [f64; 3]) -> (f64, f64) {
    match cone {
        Cone::Free { .. } => (length(&u), length(&u)),
        Cone::NonNegative => ((-u[0]).max(0.0), (-u[0]).max(0.0)),
        Cone::SecondOrder { .. } => {
            // Moreau: v = P(v on K*) − P(−v on K), so the distance is the length of the latter.
            ((-u[0]).max(0.0), length(&cone.project([-v[0], -v[1], -v[2]])))
        }
    }
}
