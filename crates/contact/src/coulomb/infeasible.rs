//! A proof that a problem has no solution.
//!
//! Farkas: if z ≥ 0 acts on normals only (and freely on two-sided rows) and W z = 0, then for every
//! impulse r, z · u = z · q. If z · q < 0, no r can make all normal velocities non-negative. Such a
//! z is a self-stress: contacts that press against each other and move nothing, while q drives
//! them together. Rounding leaves W z = ε; the proof then excludes all impulses with
//! Σ|r| < (−z · q)/max|ε|.

use super::interior_point::{InteriorPoint, Variant};
use super::{Cone, Problem};

/// Iterations of the search.
const ITERATIONS: u32 = 80;
/// A proof must exclude all impulses up to this multiple of the natural size, 1 in scaled units.
const SMALLEST_REACH: f64 = 1e8;

/// Multipliers z, checked by [`Proof::check`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// One number for each row; not negative for normal rows, zero for tangential ones.
    pub multipliers: Vec<f64>,
    /// −z · q, scaled so that the largest |z| is 1; m/s.
    pub margin: f64,
    /// Impulses with a smaller sum of sizes are excluded; N s.
    pub excluded_impulse: f64,
}

impl Proof {
    /// Checks multipliers against a problem. `None` if they prove nothing.
    pub fn check(problem: &Problem, mut multipliers: Vec<f64>) -> Option<Self> {
        if multipliers.len() != problem.rows() || multipliers.iter().any(|z| !z.is_finite()) {
            return None;
        }
        let largest = multipliers.iter().fold(0.0f64, |m, z| m.max(z.abs()));
        if largest == 0.0 {
            return None;
        }
        multipliers.iter_mut().for_each(|z| *z /= largest);
        for i in 0..problem.len() {
            if !matches!(problem.cones[i], Cone::Free { .. }) {
                let rows = &mut multipliers[problem.range(i)];
                rows[0] = rows[0].max(0.0);
                rows[1..].fill(0.0);
            }
        }
        let margin: f64 = -multipliers.iter().zip(&problem.q).map(|(z, q)| z * q).sum::<f64>();
        let mut product = vec![0.0; problem.rows()];
        problem.add_product(&multipliers, &mut product);
        let defect = product.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        (margin > 0.0).then(|| Self { multipliers, margin, excluded_impulse: margin / defect })
    }
}

/// Seeks a proof for a scaled island. The frictionless problem min ½ zᵀWz + qᵀz over z ≥ 0 is
/// unbounded exactly if there is one, and the iterates of the interior point method then diverge
/// along it.
pub(super) fn seek(method: &mut InteriorPoint, problem: &Problem) -> Option<Proof> {
    let normals = frictionless(problem)?;
    let variant = Variant { coupled: false, smoothing: 0.0, start: 1.0, recenters: false };
    method.start(&normals, variant);
    let mut z = vec![0.0; normals.rows()];
    let mut best: Option<Proof> = None;
    for _ in 0..ITERATIONS {
        let progress = method.iterate(&normals, variant);
        method.impulses(&normals, &mut z);
        if let Some(proof) = Proof::check(&normals, z.clone())
            && best.as_ref().is_none_or(|b| proof.excluded_impulse > b.excluded_impulse)
        {
            best = Some(proof);
        }
        if progress.is_none_or(|p| p.step < 1e-8) {
            break;
        }
    }
    let best = best.filter(|proof| proof.excluded_impulse >= SMALLEST_REACH)?;
    let mut multipliers = vec![0.0; problem.rows()];
    for i in 0..problem.len() {
        let from = &best.multipliers[normals.range(i)];
        multipliers[problem.range(i)][..from.len()].copy_from_slice(from);
    }
    Proof::check(problem, multipliers).filter(|proof| proof.excluded_impulse >= SMALLEST_REACH)
}

/// The same problem without friction.
fn frictionless(problem: &Problem) -> Option<Problem> {
    let cones = problem.cones.iter().map(|&cone| match cone {
        Cone::SecondOrder { .. } => Cone::NonNegative,
        other => other,
    });
    let cones: Vec<Cone> = cones.collect();
    let mut q = Vec::new();
    for i in 0..problem.len() {
        let first = problem.range(i).start;
        q.extend_from_slice(&problem.q[first..first + cones[i].dim()]);
    }
    let mut out = Problem::with_cones(cones, q).ok()?;
    out.pattern.clone_from(&problem.pattern);
    out.diagonals.clone_from(&problem.diagonals);
    for i in 0..problem.len() {
        for entry in problem.pattern.row(i) {
            let j = problem.pattern.columns[entry] as usize;
            let (block, stride) = (problem.block(entry), problem.cones[j].dim());
            out.blocks.push(out.values.len() as u32);
            for row in 0..out.cones[i].dim() {
                out.values.extend_from_slice(&block[row * stride..row * stride + out.cones[j].dim()]);
            }
        }
    }
    out.blocks.push(out.values.len() as u32);
    Some(out)
}
