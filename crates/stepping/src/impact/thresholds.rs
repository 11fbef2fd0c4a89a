//! How fast an approach must be to be an impact.

use super::Cluster;
use crate::bounce::Bounces;
use crate::mechanics::Mechanics;
use carom_contact::ContactProblem;

impl<M: Mechanics> Cluster<M> {
    /// Approach that is no impact, for each contact: what forces add to it in a step. Where one of
    /// the bodies is held up by others, its own weight is what counts; bodies that fall together
    /// have none, and bounce at any speed.
    pub(super) fn find_thresholds(&mut self, bodies: &M, bounces: &Bounces<M>, dt: f64) {
        self.thresholds.clear();
        self.find_partners();
        let mut forces = std::mem::take(&mut self.before);
        forces.clear();
        forces.resize(self.problem.velocity.len(), 0.0);
        for (place, &body) in self.numbering.bodies().iter().enumerate() {
            let force = &bounces.tracks[body as usize].force;
            forces[place * M::DOF..][..M::DOF].copy_from_slice(&force[..M::DOF]);
        }
        for k in 0..self.contacts.len() {
            let leans = self.problem.normal(k).entries().any(|(dof, ..)| {
                let place = dof.0 as usize / M::DOF;
                let body = self.numbering.bodies()[place] as usize;
                bodies.is_free(body) && self.partners[place] == Partners::Several
            });
            let threshold = resting_threshold(&self.problem, k, &forces, leans, M::DOF, dt);
            self.thresholds.push(threshold + rounding(&self.problem, k));
        }
        self.before = forces;
    }

    /// For each body of the problem the first pair in which it touches, or that there are several.
    fn find_partners(&mut self) {
        self.partners.clear();
        self.partners.resize(self.numbering.bodies().len(), Partners::None);
        for (k, &(pair, _)) in self.contacts.iter().enumerate() {
            for (dof, ..) in self.problem.normal(k).entries() {
                let partners = &mut self.partners[dof.0 as usize / M::DOF];
                *partners = match *partners {
                    Partners::None => Partners::One(pair),
                    Partners::One(other) if other == pair => Partners::One(pair),
                    _ => Partners::Several,
                };
            }
        }
    }
}

/// In how many pairs a body touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Partners {
    None,
    One(u32),
    Several,
}

/// What accelerations add to the approach of contact `k` in a step.
pub(crate) fn resting_threshold(
    problem: &ContactProblem,
    k: usize,
    accelerations: &[f64],
    leans: bool,
    dof: usize,
    dt: f64,
) -> f64 {
    if !leans {
        return dt * problem.normal(k).gap_speed(accelerations).abs();
    }
    // Body by body: entries are sorted by degree of freedom.
    let (mut most, mut sum, mut last) = (0.0f64, 0.0, usize::MAX);
    for (index, eta, _) in problem.normal(k).entries() {
        let body = index.0 as usize / dof;
        if body != last {
            most = most.max(f64::abs(sum));
            sum = 0.0;
            last = body;
        }
        sum += eta * accelerations[index.0 as usize];
    }
    // Not before a body is complete: parts of its sum are not the same in every frame.
    dt * most.max(f64::abs(sum))
}

/// Approach at the level of rounding, of all speeds and not only of those along the normal.
pub(crate) fn rounding(problem: &ContactProblem, k: usize) -> f64 {
    /// Part of the largest speed.
    const ROUNDING: f64 = 1e-12;
    let entries = || problem.normal(k).entries();
    let longest = entries().fold(0.0f64, |most, (_, eta, _)| most.max(eta.abs()));
    let fastest = entries().fold(0.0f64, |most, (dof, ..)| most.max(problem.velocity[dof.0 as usize].abs()));
    ROUNDING * longest * fastest
}
